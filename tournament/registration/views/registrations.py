"""The organiser's pages of registration: the list, steps over several, imports, the plan and its questions."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Right, may
from tournament.base.countries import country_names
from tournament.base.engine.text import number_in, numbers_in
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.registration import PlaceReservation, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.selectors import registration_url
from tournament.dues.selectors import ledger_of_registration
from tournament.messages.mail import delivery
from tournament.people.selectors import censured_lines, proposals_for
from tournament.people.texts import proposed_lines
from tournament.players.selectors.doubles import PROBABLE_DOUBLE, registration_of
from tournament.players.texts import described
from tournament.registration.exports import REGISTRATIONS
from tournament.registration.forms import (
    DeskRegistrationForm,
    PlanForm,
    QuestionFormSet,
    ReservedPlacesFormSet,
)
from tournament.registration.selectors.entering import doubles_of_listed, preview_entering
from tournament.registration.selectors.plan import (
    plan_of,
    questions_of,
    registration_status,
    unapproved_changes,
)
from tournament.registration.selectors.registrations import (
    TARGET_STATES,
    Step,
    counts,
    last_step,
    position_of,
    preview_step,
    promotable_numbers,
    search_registrations,
    waiting_positions,
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
from tournament.registration.texts import answers_of, done_text, double_mark, step_title
from tournament.web.exports.lists import Reader
from tournament.web.forms import add_problems
from tournament.web.generic import EditView
from tournament.web.lists import list_page
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    desk_page,
    render_page,
    run_and_redirect,
)

# --- Registrations ---


SECTION = "registrations"
PAGE_SIZE = 100
State = Registration.State


@desk_page
@require_safe
def registration_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List registrations, filtered by `?state=` and `?q=`."""
    state, query = request.GET.get("state", ""), request.GET.get("q", "").strip()
    state = state if state in State.values else ""
    people, n = search_registrations(tournament, state, query), counts(tournament)
    reader = Reader.of(tournament, actor_of(request))
    page = list_page(request, REGISTRATIONS, reader, people, page_size=PAGE_SIZE)
    context = {
        "status": registration_status(tournament),
        "counts": [(code, label, n[code]) for code, label in State.choices],
        "all": sum(n[code] for code in State.values),
        "to_enter": n["to_enter"],
        "next_up": len(promotable_numbers(tournament)),
        "state": state,
        "query": query,
        "n_matching": len(people),
        "positions": waiting_positions(tournament),
        "list": page,
        "censured": _censured(request, tournament, list(page.rows)),
        "double_of": {
            number: double_mark(double)
            for number, double in doubles_of_listed(tournament, list(page.rows)).items()
        },
        "link_of": {registration.number: registration_url(registration) for registration in page.rows}
        if state == State.UNCONFIRMED
        else {},
        "undoable": last_step(tournament),
        "unapproved": unapproved_changes(tournament),
        "can_plan": may(actor_of(request), tournament, Right.ORGANISE),
        "sends_mail": delivery.is_configured(),
    }
    return render_page(request, "registration/registrations", tournament, SECTION, context)


def _censured(
    request: HttpRequest, tournament: Tournament, people: Sequence[Registration]
) -> list[tuple[str, str, list[str]]]:
    def url_of(registration: Registration) -> str:
        return reverse("organiser_registration", args=[tournament.slug, registration.number])

    return censured_lines(people, url_of, actor_of(request), tournament)


@desk_page
@require_safe
def registration_page(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    registration = _registration(tournament, number)
    plan = plan_of(tournament)
    double = doubles_of_listed(tournament, [registration]).get(number)
    context = {
        "registration": registration,
        "double": double and double_mark(double),
        "position": position_of(registration),
        "unapproved": [
            (name, registration.changed_from[name], getattr(registration, name))
            for name in ("country", "club")
            if name in registration.changed_from
        ],
        "answers": answers_of(registration, questions_of(plan) if plan else []),
        "warnings": [sentence(problem) for problem in warnings_of(registration)],
        "censured": _censured(request, tournament, [registration]),
        "sends_mail": bool(registration.email) and delivery.is_configured(),
        "mails": list(registration.mails.all()),
        "ledger": ledger_of_registration(registration),
        "link": registration_url(registration),
        "proposed": ()
        if registration.player
        else proposed_lines(proposals_for([registration], actor_of(request))[0]),
    }
    return render_page(request, "registration/registration", tournament, SECTION, context)


@desk_page
def registration_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = DeskRegistrationForm(plan_of(tournament), request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            notify = form.cleaned_data.get("notify", False)
            apart = [0] if form.cleaned_data["is_another_person"] else []
            add_registrations(tournament, actor_of(request), [form.instance], notify=notify, apart=apart)
        except Refused as refused:
            form.add_problems(p.at(p.where.partition(".")[2]) for p in refused.problems)
        else:
            registration = form.instance
            params = {"name": registration.name, "state": registration.get_state_display()}
            messages.success(request, _("%(name)s is registered: %(state)s.") % params)
            return redirect("organiser_registration", tournament.slug, registration.number)
    return _form(request, tournament, form, None)


@desk_page
def registration_edit(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    registration = _registration(tournament, number)
    data = request.POST if request.method == "POST" else None
    form = DeskRegistrationForm(plan_of(tournament), data, instance=registration)
    if form.is_valid():
        try:
            edit_registration(form.instance, actor_of(request))
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_registration", tournament.slug, number)
    if form.errors:
        registration.refresh_from_db()
    return _form(request, tournament, form, registration)


@desk_page
@require_POST
def registration_accept_change(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Approve the country and club that the page showed, not those that were changed since."""
    registration = _registration(tournament, number)
    registration.country = request.POST.get("country", registration.country)
    registration.club = request.POST.get("club", registration.club)
    return run_and_redirect(
        request,
        lambda: edit_registration(registration, actor_of(request)),
        _("Accepted: it now counts for reserved places."),
        "organiser_registration",
        tournament.slug,
        number,
    )


def _registration(tournament: Tournament, number: int) -> Registration:
    registrations = tournament.registrations.select_related("player", "tournament")
    return get_object_or_404(registrations, number=number)


def _form(
    request: HttpRequest, tournament: Tournament, form: DeskRegistrationForm, current: Registration | None
) -> HttpResponse:
    context = {"form": form, "registration": current, "countries": country_names()}
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "registration/registration_form", tournament, SECTION, context, status=status)


# --- Steps and lists ---


@desk_page
@require_POST
def registration_step(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Preview a step; with `do` in the POST, do it."""
    if request.POST.get("step") not in list(Step):
        messages.error(request, _("Choose an action."))
        return redirect("organiser_registrations", tournament.slug)
    step = Step(request.POST["step"])
    numbers = _ticked_numbers(tournament, request.POST)
    if "do" in request.POST:
        return _do_step(request, tournament, step, numbers)
    return _step_preview(request, tournament, step, numbers)


def _step_preview(
    request: HttpRequest, tournament: Tournament, step: Step, numbers: Sequence[int], status: int = 200
) -> HttpResponse:
    is_entering = step is Step.ENTER
    preview = (
        preview_entering(tournament, numbers) if is_entering else preview_step(tournament, step, numbers)
    )
    if not preview.people:
        messages.error(
            request, _("This would not change anything for anyone you selected. Choose at least one person.")
        )
        return redirect("organiser_registrations", tournament.slug)
    context = {
        "preview": preview,
        "doubles": {
            number: (described(double), isinstance(double, Player) and registration_of(double) is None)
            for number, double in preview.doubles.items()
        },
        "apart": _answers_about_doubles(request.POST, numbers)[1],
        "title": step_title(step, len(preview.people)),
        "problems": [{"text": sentence(problem)} for problem in preview.problems],
        "sends_mail": delivery.is_configured(),
        "back": number_in(request.POST.get("back", "")),
    }
    return render_page(request, "registration/registration_step", tournament, SECTION, context, status=status)


def _ticked_numbers(tournament: Tournament, data: QueryDict) -> list[int]:
    """Return the ticked numbers; with `all` those of the whole filtered list."""
    if "all" in data:
        matching = search_registrations(tournament, data.get("state", ""), data.get("q", ""))
        return [registration.number for registration in matching]
    return numbers_in(data.getlist("number"))


def _do_step(
    request: HttpRequest, tournament: Tournament, step: Step, numbers: Sequence[int]
) -> HttpResponse:
    actor, n_waiting = actor_of(request), 0
    try:
        if step is Step.ENTER:
            same, apart = _answers_about_doubles(request.POST, numbers)
            n = len(enter_registered(tournament, actor, numbers, same=same, apart=apart))
        elif step is Step.CONFIRM:
            n = len(confirm_registrations(tournament, actor, numbers))
        else:
            moved = decide(tournament, actor, numbers, to := TARGET_STATES[step])
            n = sum(registration.state == to for registration in moved)
            n_waiting = len(moved) - n
    except Refused as refused:
        if any(problem.code == PROBABLE_DOUBLE.code for problem in refused.problems):
            return _step_preview(request, tournament, step, numbers, UNPROCESSABLE)
        add_refusal_messages(request, refused)
    else:
        messages.success(request, done_text(step, n, n_waiting))
    if (back := number_in(request.POST.get("back", ""))) is not None:
        return redirect("organiser_registration", tournament.slug, back)
    return redirect("organiser_registrations", tournament.slug)


def _answers_about_doubles(data: QueryDict, numbers: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the numbers of those who are the same person as somebody, and of those who are not."""
    answer_of = {number: data.get(f"double_{number}") for number in numbers}
    same = [number for number, answer in answer_of.items() if answer == "same"]
    return same, [number for number, answer in answer_of.items() if answer == "apart"]


@desk_page
@require_POST
def registration_step_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    seq = number_in(request.POST.get("step", ""))
    try:
        undo_step(tournament, actor_of(request), seq or 0)
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        messages.success(request, _("Undone: everybody has the same status as before."))
    return redirect("organiser_registrations", tournament.slug)


# --- The plan ---


class PlanPage(EditView):
    form_class = PlanForm
    formset_class = ReservedPlacesFormSet
    rows_name = "reserved_places"
    template, section, success_page = "registration/registration_plan", SECTION, "organiser_registrations"

    def get_object(self) -> RegistrationPlan:
        return plan_of(self.tournament) or RegistrationPlan(tournament=self.tournament)

    def get_queryset(self) -> QuerySet[PlaceReservation]:
        return PlaceReservation.objects.filter(plan__tournament=self.tournament)

    def save(self, instance: RegistrationPlan, rows: list[PlaceReservation]) -> None:
        set_plan(instance, self.actor, rows)

    def extra_context(self) -> dict[str, Any]:
        status = registration_status(self.tournament)
        is_new, sends_mail = status.plan is None, delivery.is_configured()
        return {"status": status, "is_new": is_new, "sends_mail": sends_mail, "countries": country_names()}


class QuestionsPage(EditView):
    formset_class = QuestionFormSet
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
