"""Registrations for those who decide: the list, steps over many, and the plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from scoring.engine.problems import Problem
from tournament.base.access import Right, may
from tournament.base.errors import Refused
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.requests import own_address
from tournament.base.selectors import token_of
from tournament.people.selectors import proposals_for
from tournament.people.texts import proposed_lines
from tournament.players.exports.player_import import Wish
from tournament.players.forms import PlayerListForm
from tournament.registration.exports import Row, read_registrations, registrations_csv, registrations_sheet
from tournament.registration.forms import DeskRegistrationForm, PlanForm, QuestionsForm
from tournament.registration.selectors.plan import PlanWish, asked_by, plan_of, registering, wish_of
from tournament.registration.selectors.registrations import (
    TO,
    Step,
    counts,
    last_step,
    matching,
    next_up,
    places_in_line,
    position_of,
    preview,
    warnings_of,
)
from tournament.registration.services.admissions import (
    add_registrations,
    decide,
    enter_registered,
    set_plan,
    set_questions,
    undo_step,
)
from tournament.registration.services.registrations import edit_registration
from tournament.registration.texts import answers_of, done_text, step_title
from tournament.web.exports.sheets import CONTENT_TYPE
from tournament.web.forms import add_problems
from tournament.web.texts import words
from tournament.web.texts.problems import sentence
from tournament.web.views import UNPROCESSABLE, actor_of, desk_page, page_for, show, tell_refusal

# --- Registrations ---


SECTION = "registrations"
A_PAGE = 100
State = Registration.State


@desk_page
@require_safe
def registration_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Those in a state (`?state=`), and those whom `?q=` fits."""
    now, state, wanted = (
        registering(tournament),
        request.GET.get("state", ""),
        request.GET.get("q", "").strip(),
    )
    state = state if state in State.values else ""
    people, n = matching(tournament, state, wanted), counts(tournament)
    context = {
        "now": now,
        "counts": [(code, label, n[code]) for code, label in State.choices],
        "all": sum(n[code] for code in State.values),
        "to_enter": n["to_enter"],
        "next_up": len(next_up(tournament)),
        "state": state,
        "wanted": wanted,
        "found": len(people),
        "in_line": places_in_line(tournament),
        "page": Paginator(people, A_PAGE).get_page(request.GET.get("page")),
        "undoable": last_step(tournament),
        "can_plan": may(actor_of(request), tournament, Right.ORGANISE),
    }
    return show(request, "registration/registrations", tournament, SECTION, context)


@desk_page
@require_safe
def registration_page(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Everything about one, and what can be done with it."""
    registration = get_object_or_404(
        tournament.registrations.select_related("player", "tournament"), number=number
    )
    plan = plan_of(tournament)
    context = {
        "registration": registration,
        "position": position_of(registration),
        "answers": answers_of(registration, asked_by(plan) if plan else []),
        "warnings": [sentence(problem) for problem in warnings_of(registration)],
        "mails": list(registration.mails.all()),
        "link": _link_builder(request)(registration),
        "proposed": ()
        if registration.player
        else proposed_lines(proposals_for([registration], actor_of(request))[0]),
    }
    return show(request, "registration/registration", tournament, SECTION, context)


def _link_builder(request: HttpRequest) -> Callable[[Registration], str]:
    """The address of somebody's own page, to be copied."""

    def link(registration: Registration) -> str:
        path = reverse("registration", args=[registration.tournament.slug, token_of(registration)])
        return request.build_absolute_uri(path)

    return link


@desk_page
def registration_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Somebody who wrote, called or stands at the desk."""
    form = DeskRegistrationForm(plan_of(tournament), request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            tells = form.cleaned_data["tells"]
            (registration,) = add_registrations(
                tournament, actor_of(request), [form.applicant()], tells=tells
            )
        except Refused as refused:
            problems = [Problem(p.code, p.where.partition(".")[2], p.params) for p in refused.problems]
            add_problems(form, problems)
        else:
            params = {"name": registration.name, "state": registration.get_state_display()}
            messages.success(request, _("%(name)s is registered: %(state)s.") % params)
            return redirect("organiser_registration", tournament.slug, registration.number)
    return _form(request, tournament, form, None)


@desk_page
def registration_edit(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    known = get_object_or_404(tournament.registrations.select_related("player", "tournament"), number=number)
    data = request.POST if request.method == "POST" else None
    form = DeskRegistrationForm(plan_of(tournament), data, known=known)
    if form.is_valid():
        try:
            edit_registration(known, actor_of(request), form.applicant())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_registration", tournament.slug, number)
    return _form(request, tournament, form, known)


def _form(
    request: HttpRequest, tournament: Tournament, form: DeskRegistrationForm, known: Registration | None
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "registration": known,
        "countries": [name for _code, name in words.choices()],
    }
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "registration/registration_form", tournament, SECTION, context, status=status)


@desk_page
@require_safe
def registrations_download(request: HttpRequest, tournament: Tournament, kind: str) -> HttpResponse:
    """Everybody, with what they answered and their links."""
    plan = plan_of(tournament)
    write, content_type = {
        "xlsx": (registrations_sheet, CONTENT_TYPE),
        "csv": (registrations_csv, "text/csv; charset=utf-8"),
    }[kind]
    people = tournament.registrations.select_related("player", "tournament").order_by("number")
    return HttpResponse(
        write(people, asked_by(plan) if plan else [], _link_builder(request)),
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{tournament.slug}-registrations.{kind}"'},
    )


# --- Steps and lists ---


MOST_DIGITS = 9


@desk_page
@require_POST
def registration_step(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What would come of a step; with `do` it is done."""
    if request.POST.get("step") not in list(Step):
        messages.error(request, _("Choose what is to be done."))
        return redirect("organiser_registrations", tournament.slug)
    wanted = Step(request.POST["step"])
    numbers = _ticked_numbers(tournament, request.POST)
    if "do" in request.POST:
        return _do_step(request, tournament, wanted, numbers)
    step_preview = preview(tournament, wanted, numbers)
    if not step_preview.people:
        messages.error(request, _("Nobody is left for whom that would change anything. Choose at least one."))
        return redirect("organiser_registrations", tournament.slug)
    context = {
        "seen": step_preview,
        "title": step_title(wanted, len(step_preview.people)),
        "problems": [{"text": sentence(problem)} for problem in step_preview.problems],
    }
    return show(request, "registration/registration_step", tournament, SECTION, context)


def _ticked_numbers(tournament: Tournament, data: QueryDict) -> list[int]:
    """Who was ticked; with `all` everybody whom the list showed, on its other pages too."""
    if "all" in data:
        return [
            registration.number
            for registration in matching(tournament, data.get("state", ""), data.get("q", ""))
        ]
    return [
        int(number) for number in data.getlist("number") if number.isdecimal() and len(number) <= MOST_DIGITS
    ]


def _do_step(
    request: HttpRequest, tournament: Tournament, wanted: Step, numbers: Sequence[int]
) -> HttpResponse:
    actor = actor_of(request)
    try:
        if wanted is Step.ENTER:
            n = len(enter_registered(tournament, actor, numbers))
        else:
            n = len(decide(tournament, actor, numbers, TO[wanted]))
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, done_text(wanted, n))
    back = request.POST.get("back", "")
    if back.isdecimal() and len(back) <= MOST_DIGITS:
        return redirect("organiser_registration", tournament.slug, int(back))
    return redirect("organiser_registrations", tournament.slug)


@desk_page
@require_POST
def registration_step_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    step = request.POST.get("step", "")
    seq = int(step) if step.isdecimal() and len(step) <= MOST_DIGITS else 0
    try:
        undo_step(tournament, actor_of(request), seq)
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("Taken back: everybody is where they were before."))
    return redirect("organiser_registrations", tournament.slug)


@desk_page
def registrations_import(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: where to put the list. POST: its preview; with `enter` it is entered, but for the rows that cannot be."""
    if "list" in request.POST:
        return _enter_list(request, tournament)
    form = PlayerListForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        sent = form.wish()
        try:
            return _import_preview(request, tournament, sent, read_registrations(tournament, sent.data))
        except Refused as refused:
            add_problems(form, [Problem(p.code, "file", p.params) for p in refused.problems])
    status = UNPROCESSABLE if form.errors else 200
    return show(
        request, "registration/registration_import", tournament, SECTION, {"form": form}, status=status
    )


def _enter_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        rows = read_registrations(tournament, Wish.from_json(str(request.POST["list"])).data)
        people = [row.applicant for row in rows if row.is_wanted]
        if people:
            add_registrations(tournament, actor_of(request), people)
    except Refused as refused:
        tell_refusal(request, refused)
        return redirect("organiser_registrations_import", tournament.slug)
    done = ngettext("%(n)s person is registered.", "%(n)s people are registered.", len(people))
    messages.success(request, done % {"n": len(people)})
    return redirect("organiser_registrations", tournament.slug)


def _import_preview(
    request: HttpRequest, tournament: Tournament, sent: Wish, rows: Sequence[Row]
) -> HttpResponse:
    context = {
        "list": sent.to_json(),
        "wanted": [row for row in rows if row.is_wanted],
        "known": [row for row in rows if row.is_known and not row.problems],
        "faulty": [(row, [sentence(problem) for problem in row.problems]) for row in rows if row.problems],
    }
    return show(request, "registration/registration_import_preview", tournament, SECTION, context)


# --- The plan ---


organising = page_for(Right.ORGANISE)


@organising
def plan_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    known = plan_of(tournament)
    if request.method == "POST":
        form = PlanForm.sent(request.POST)
        actor, site = actor_of(request), f"{own_address(request)}/"
        if form.is_valid() and _is_saved(form, lambda: set_plan(tournament, actor, form.wish(), site=site)):
            messages.success(request, _("Saved."))
            return redirect("organiser_registrations", tournament.slug)
    else:
        form = PlanForm.of(wish_of(known) if known else PlanWish())
    context = {
        "form": form,
        "is_new": known is None,
        "now": registering(tournament),
        "countries": [name for _code, name in words.choices()],
    }
    status = UNPROCESSABLE if form.errors else 200
    return show(
        request, "registration/registration_plan", tournament, "registrations", context, status=status
    )


@organising
def plan_questions(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    known = plan_of(tournament)
    if known is None:
        return redirect("organiser_registration_plan", tournament.slug)
    if request.method == "POST":
        form = QuestionsForm.sent(request.POST)
        if form.is_valid() and _is_saved(
            form,
            lambda: set_questions(
                tournament,
                actor_of(request),
                form.wishes(),
                drop_answers=form.cleaned_data["drop_answers"],
            ),
        ):
            messages.success(request, _("Saved."))
            return redirect("organiser_registration_questions", tournament.slug)
    else:
        form = QuestionsForm.of(asked_by(known))
    status = UNPROCESSABLE if form.errors else 200
    return show(
        request,
        "registration/registration_questions",
        tournament,
        "registrations",
        {"form": form},
        status=status,
    )


def _is_saved(form: PlanForm | QuestionsForm, write: Callable[[], object]) -> bool:
    """Write what a valid form says; what is refused is said at its field."""
    try:
        write()
    except Refused as refused:
        problems = [Problem(p.code, form.field_at(p.where), p.params) for p in refused.problems]
        add_problems(form, problems)
        return False
    return True
