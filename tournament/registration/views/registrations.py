"""Registrations for those who decide: the list, steps over many, and the plan."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Right, may
from tournament.base.countries import country_names
from tournament.base.errors import Refused
from tournament.base.models.registration import KeptPlaces, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.selectors import link_of
from tournament.messages.mail import delivery
from tournament.people.selectors import censured_lines, proposals_for
from tournament.people.texts import proposed_lines
from tournament.players.exports.player_import import Wish
from tournament.players.forms import PlayerListForm
from tournament.registration.exports import Row, read_registrations
from tournament.registration.forms import DeskRegistrationForm, KeptFormSet, PlanForm, QuestionFormSet
from tournament.registration.selectors.plan import (
    asked_by,
    changed_by_themselves,
    plan_of,
    registering,
)
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
    confirm_registrations,
    decide,
    enter_registered,
    set_plan,
    set_questions,
    undo_step,
)
from tournament.registration.services.registrations import edit_registration
from tournament.registration.texts import answers_of, done_text, step_title
from tournament.web.forms import add_problems
from tournament.web.generic import EditView
from tournament.web.views import UNPROCESSABLE, actor_of, desk_page, press, show, tell_refusal

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
    page = Paginator(people, A_PAGE).get_page(request.GET.get("page"))
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
        "page": page,
        "censured": _censured(request, tournament, list(page.object_list)),
        "link_of": {registration.number: link_of(registration) for registration in page}
        if state == State.UNCONFIRMED
        else {},
        "undoable": last_step(tournament),
        "changed": changed_by_themselves(tournament),
        "can_plan": may(actor_of(request), tournament, Right.ORGANISE),
        "writes": delivery.is_configured(),
    }
    return show(request, "registration/registrations", tournament, SECTION, context)


def _censured(
    request: HttpRequest, tournament: Tournament, people: Sequence[Registration]
) -> list[tuple[str, str, list[str]]]:
    def url_of(registration: Registration) -> str:
        return reverse("organiser_registration", args=[tournament.slug, registration.number])

    return censured_lines(people, url_of, actor_of(request), tournament)


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
        "unaccepted": [
            (name, registration.changed_from[name], getattr(registration, name))
            for name in ("country", "club")
            if name in registration.changed_from
        ],
        "answers": answers_of(registration, asked_by(plan) if plan else []),
        "warnings": [sentence(problem) for problem in warnings_of(registration)],
        "censured": _censured(request, tournament, [registration]),
        "writes": bool(registration.email) and delivery.is_configured(),
        "mails": list(registration.mails.all()),
        "link": link_of(registration),
        "proposed": ()
        if registration.player
        else proposed_lines(proposals_for([registration], actor_of(request))[0]),
    }
    return show(request, "registration/registration", tournament, SECTION, context)


@desk_page
def registration_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Somebody who wrote, called or stands at the desk."""
    form = DeskRegistrationForm(plan_of(tournament), request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            tells = form.cleaned_data.get("tells", False)
            add_registrations(tournament, actor_of(request), [form.instance], tells=tells)
        except Refused as refused:
            problems = [p.at(p.where.partition(".")[2]) for p in refused.problems]
            add_problems(form, problems)
        else:
            registration = form.instance
            params = {"name": registration.name, "state": registration.get_state_display()}
            messages.success(request, _("%(name)s is registered: %(state)s.") % params)
            return redirect("organiser_registration", tournament.slug, registration.number)
    return _form(request, tournament, form, None)


@desk_page
def registration_edit(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    known = get_object_or_404(tournament.registrations.select_related("player", "tournament"), number=number)
    data = request.POST if request.method == "POST" else None
    form = DeskRegistrationForm(plan_of(tournament), data, instance=known)
    if form.is_valid():
        try:
            edit_registration(form.instance, actor_of(request))
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_registration", tournament.slug, number)
    if form.errors:
        known.refresh_from_db()
    return _form(request, tournament, form, known)


@desk_page
@require_POST
def registration_accept_change(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Accept the country and club that were seen: what the person may have changed since is not meant."""
    known = get_object_or_404(tournament.registrations.select_related("player", "tournament"), number=number)
    known.country = request.POST.get("country", known.country)
    known.club = request.POST.get("club", known.club)
    return press(
        request,
        lambda: edit_registration(known, actor_of(request)),
        _("Accepted: it counts for kept places now."),
        "organiser_registration",
        tournament.slug,
        number,
    )


def _form(
    request: HttpRequest, tournament: Tournament, form: DeskRegistrationForm, known: Registration | None
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "registration": known,
        "countries": country_names(),
    }
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "registration/registration_form", tournament, SECTION, context, status=status)


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
        "writes": delivery.is_configured(),
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
        elif wanted is Step.CONFIRM:
            n = len(confirm_registrations(tournament, actor, numbers))
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
            add_problems(form, [p.at("file") for p in refused.problems])
    status = UNPROCESSABLE if form.errors else 200
    return show(
        request, "registration/registration_import", tournament, SECTION, {"form": form}, status=status
    )


def _enter_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        rows = read_registrations(tournament, Wish.from_json(str(request.POST["list"])).data)
        people = [row.registration for row in rows if row.is_wanted]
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


class PlanPage(EditView):
    """When registration is open, how many may come, and for whom places are kept."""

    form_class = PlanForm
    formset_class = KeptFormSet  # type: ignore[assignment]  # the factory's class has RowsFormSet as its base
    rows_name = "kept"
    template, section, success_page = (
        "registration/registration_plan",
        SECTION,
        "organiser_registrations",
    )

    def get_object(self) -> RegistrationPlan:
        return plan_of(self.tournament) or RegistrationPlan(tournament=self.tournament)

    def get_queryset(self) -> QuerySet[KeptPlaces]:
        return KeptPlaces.objects.filter(plan__tournament=self.tournament)

    def save(self, instance: RegistrationPlan, rows: list[KeptPlaces]) -> None:
        set_plan(instance, self.actor, rows)

    def extra_context(self) -> dict[str, Any]:
        now = registering(self.tournament)
        is_new, writes = now.plan is None, delivery.is_configured()
        return {"now": now, "is_new": is_new, "writes": writes, "countries": country_names()}


class QuestionsPage(EditView):
    """What is asked besides."""

    formset_class = QuestionFormSet  # type: ignore[assignment]
    rows_name = "questions"
    template, section, success_page = (
        "registration/registration_questions",
        SECTION,
        "organiser_registration_questions",
    )

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if plan_of(self.tournament) is None:
            return redirect("organiser_registration_plan", self.tournament.slug)
        return super().get(request, **kwargs)

    def get_queryset(self) -> QuerySet[Question]:
        return Question.objects.filter(plan__tournament=self.tournament)

    def save(self, instance: None, rows: list[Question]) -> None:
        set_questions(self.tournament, self.actor, rows, drop_answers="drop_answers" in self.request.POST)
