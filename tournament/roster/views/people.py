"""The list of people, and what is done with several of them."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Actor, Right, may, require
from tournament.base.engine.text import number_in
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.selectors import registration_url
from tournament.dues.models import Payment
from tournament.dues.selectors import Totals, account_of, find_payment, totals_of
from tournament.dues.services import charge_debtors, undo_charge
from tournament.messages.mail import delivery
from tournament.people.selectors import censured_lines, count_players_with_proposals
from tournament.players.selectors.doubles import PROBABLE_DOUBLE, registration_of
from tournament.players.selectors.players import newest_list_entry, player_counts
from tournament.players.texts import described
from tournament.registration.selectors.entering import doubles_of_listed, preview_entering
from tournament.registration.selectors.plan import registration_status, unapproved_changes
from tournament.registration.selectors.registrations import (
    TARGET_STATES,
    Step,
    last_step,
    preview_step,
    promotable_numbers,
    to_enter,
    waiting_positions,
)
from tournament.registration.services.admissions import (
    confirm_registrations,
    decide,
    enter_registered,
    undo_step,
)
from tournament.registration.texts import done_text, double_mark, step_title
from tournament.roster.engine import Part
from tournament.roster.exports.people import PEOPLE
from tournament.roster.selectors.people import (
    PeopleFilter,
    RosterEntry,
    count_parts,
    find_entry,
    list_people,
    possible_steps,
    registrations_in,
)
from tournament.roster.texts import PARTS
from tournament.web.exports.lists import Reader
from tournament.web.lists import list_page
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    desk_page,
    page_for,
    person_url,
    render_page,
)

SECTION = "people"
PAGE_SIZE = 100

# --- The list ---


@page_for(Right.READ, Right.ADMIT, Right.CASH)
@require_safe
def people_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List people, filtered by `?part=` and `?q=`. `payment` and `batch`: what was just done and can be undone."""
    actor = actor_of(request)
    everybody, people_filter = list_people(tournament, actor), _filter(request.GET)
    admits = may(actor, tournament, Right.ADMIT)
    people = people_filter.apply(everybody, admits=admits)
    counts = count_parts(everybody)
    page = list_page(request, PEOPLE, Reader.of(tournament, actor), people, page_size=PAGE_SIZE)
    context = {
        "list": page,
        "filter": people_filter,
        "n_everybody": len(everybody),
        "n_matching": len(people),
        "part_counts": [(part.value, label, counts[part]) for part, label in PARTS.items() if counts[part]],
        "steps": [step.value for step in possible_steps(people)] if admits else [],
        "roll": player_counts(tournament),
        "undoable_import": newest_list_entry(tournament) is not None,
        "censured": _censured(tournament, people, actor),
        "account": account_of(tournament),
    }
    if may(actor, tournament, Right.ORGANISE):
        context["may_be_known"] = count_players_with_proposals(tournament, actor)
    if admits:
        context |= _registration_context(tournament, list(page.rows), people_filter)
    if may(actor, tournament, Right.CASH):
        context |= _dues_context(request, tournament, everybody)
        context["n_uncharged"] = sum(entry.lacks_fee for entry in people)
    return render_page(request, "roster/people", tournament, SECTION, context)


def _filter(data: QueryDict) -> PeopleFilter:
    part = data.get("part", "")
    return PeopleFilter(part if part in list(Part) else "", data.get("q", "").strip())


def _censured(
    tournament: Tournament, people: Collection[RosterEntry], actor: Actor
) -> list[tuple[str, str, list[str]]]:
    records = [entry.record for entry in people]
    return censured_lines(
        records,
        lambda record: reverse("organiser_person", args=[tournament.slug, record.roster_key]),
        actor,
        tournament,
    )


def _registration_context(
    tournament: Tournament, rows: list[RosterEntry], people_filter: PeopleFilter
) -> dict[str, Any]:
    """Return what is to be done with registrations, for who admits people."""
    registrations = [entry.registration for entry in rows if entry.registration]
    doubles = doubles_of_listed(tournament, registrations)
    is_unconfirmed = people_filter.part == Part.UNCONFIRMED
    return {
        "status": registration_status(tournament),
        "to_enter": to_enter(tournament).count(),
        "next_up": len(promotable_numbers(tournament)),
        "positions": waiting_positions(tournament),
        "double_of": {number: double_mark(double) for number, double in doubles.items()},
        "link_of": {registration.number: registration_url(registration) for registration in registrations}
        if is_unconfirmed
        else {},
        "undoable": last_step(tournament),
        "unapproved": unapproved_changes(tournament),
        "sends_mail": delivery.is_configured(),
    }


def _dues_context(
    request: HttpRequest, tournament: Tournament, everybody: Collection[RosterEntry]
) -> dict[str, Any]:
    """Return the sums, for who handles payments."""
    ledgers = [entry.ledger for entry in everybody if entry.ledger]
    return {
        "n_ledgers": len(ledgers),
        "totals": _totals_context(totals_of(ledgers)),
        "payment": find_payment(tournament, request.GET.get("payment", "")),
        "charged_batch": _uuid(request.GET.get("batch", "")),
        "new_batch": uuid4(),
    }


def _totals_context(totals: Totals) -> dict[str, object]:
    return {
        "sums": totals.sums,
        "by_method": [
            (Payment.Method(method).label, sums) for method, sums in sorted(totals.by_method.items())
        ],
        "by_fee": [(name or _("no category"), sums) for name, sums in sorted(totals.by_fee.items())],
    }


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _chosen(request: HttpRequest, tournament: Tournament) -> list[RosterEntry]:
    """Return the ticked people; with `all` those of the whole filtered list."""
    actor, data = actor_of(request), request.POST
    people = list_people(tournament, actor)
    if "all" in data:
        return _filter(data).apply(people, admits=may(actor, tournament, Right.ADMIT))
    keys = set(data.getlist("who"))
    return [entry for entry in people if entry.keys & keys]


# --- Steps ---


CHARGE: Final = "charge"
"""The step that charges the usual fee, beside those of registration."""


@page_for(Right.ADMIT, Right.CASH)
@require_POST
def step(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Preview a step over the chosen people; with `do` in the POST, do it. Charging is done at once."""
    actor, name = actor_of(request), request.POST.get("step")
    if name != CHARGE and name not in list(Step):
        messages.error(request, _("Choose an action."))
        return redirect(_back_url(request, tournament))
    require(actor, tournament, Right.CASH if name == CHARGE else Right.ADMIT)
    people = _chosen(request, tournament)
    if name == CHARGE:
        return _charge(request, tournament, people) if people else _nobody_chosen(request, tournament)
    chosen_step, numbers = Step(name), registrations_in(people)
    if not numbers and chosen_step is not Step.UP:
        return _nobody_chosen(request, tournament)
    if "do" in request.POST:
        return _do_step(request, tournament, chosen_step, numbers)
    return _step_preview(request, tournament, chosen_step, numbers)


def _nobody_chosen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    messages.error(
        request, _("This would not change anything for anyone you selected. Choose at least one person.")
    )
    return redirect(_back_url(request, tournament))


def _charge(request: HttpRequest, tournament: Tournament, people: Collection[RosterEntry]) -> HttpResponse:
    """Charge the usual fee to the people who have none; the list then offers to undo it."""
    batch = _uuid(request.POST.get("batch", "")) or uuid4()
    debtors = [entry.registration or entry.record for entry in people]
    address = reverse("organiser_people", args=[tournament.slug])
    try:
        count = charge_debtors(tournament, actor_of(request), debtors, batch=batch)
    except Refused as refused:
        add_refusal_messages(request, refused)
        return redirect(address)
    text = ngettext("Price set for %(n)s person.", "Price set for %(n)s people.", count)
    messages.success(request, text % {"n": count})
    return redirect(f"{address}?part={Part.OWING}&batch={batch}")


@page_for(Right.CASH)
@require_POST
def charge_undo(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    """Undo a bulk charge, except for those who have paid since."""
    count = undo_charge(tournament, actor_of(request), uuid)
    text = ngettext("Price removed for %(n)s person.", "Price removed for %(n)s people.", count)
    messages.success(request, text % {"n": count})
    return redirect("organiser_people", tournament.slug)


def _step_preview(
    request: HttpRequest, tournament: Tournament, chosen_step: Step, numbers: list[int], status: int = 200
) -> HttpResponse:
    is_entering = chosen_step is Step.ENTER
    preview = (
        preview_entering(tournament, numbers)
        if is_entering
        else preview_step(tournament, chosen_step, numbers)
    )
    if not preview.people:
        return _nobody_chosen(request, tournament)
    context = {
        "preview": preview,
        "doubles": {
            number: (described(double), isinstance(double, Player) and registration_of(double) is None)
            for number, double in preview.doubles.items()
        },
        "apart": _answers_about_doubles(request.POST, numbers)[1],
        "title": step_title(chosen_step, len(preview.people)),
        "problems": [{"text": sentence(problem)} for problem in preview.problems],
        "sends_mail": delivery.is_configured(),
        "origin": _origin(request.POST),
        "back_url": _back_url(request, tournament),
    }
    return render_page(request, "roster/step", tournament, SECTION, context, status=status)


def _do_step(
    request: HttpRequest, tournament: Tournament, chosen_step: Step, numbers: list[int]
) -> HttpResponse:
    actor, n_waiting = actor_of(request), 0
    try:
        if chosen_step is Step.ENTER:
            same, apart = _answers_about_doubles(request.POST, numbers)
            n = len(enter_registered(tournament, actor, numbers, same=same, apart=apart))
        elif chosen_step is Step.CONFIRM:
            n = len(confirm_registrations(tournament, actor, numbers))
        else:
            moved = decide(tournament, actor, numbers, to := TARGET_STATES[chosen_step])
            n = sum(registration.state == to for registration in moved)
            n_waiting = len(moved) - n
    except Refused as refused:
        if any(problem.code == PROBABLE_DOUBLE.code for problem in refused.problems):
            return _step_preview(request, tournament, chosen_step, numbers, UNPROCESSABLE)
        add_refusal_messages(request, refused)
    else:
        messages.success(request, done_text(chosen_step, n, n_waiting))
    return redirect(_back_url(request, tournament))


def _origin(data: QueryDict) -> dict[str, str]:
    """Return what was posted of the page where a step was chosen: a person, or the filter of the list.

    A step over everybody found empties that part of the list, so it leads back to the whole list.
    """
    names = ("back",) if "back" in data or "all" in data else ("part", "q")
    return {name: value for name in names if (value := data.get(name, ""))}


def _back_url(request: HttpRequest, tournament: Tournament) -> str:
    origin = _origin(request.POST)
    if entry := find_entry(tournament, origin.pop("back", ""), actor_of(request)):
        return person_url(request, tournament, entry.key)
    return reverse("organiser_people", args=[tournament.slug], query=origin)


def _answers_about_doubles(data: QueryDict, numbers: list[int]) -> tuple[list[int], list[int]]:
    """Return the numbers of those who are the same person as somebody, and of those who are not."""
    answer_of = {number: data.get(f"double_{number}") for number in numbers}
    same = [number for number, answer in answer_of.items() if answer == "same"]
    return same, [number for number, answer in answer_of.items() if answer == "apart"]


@desk_page
@require_POST
def step_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    seq = number_in(request.POST.get("step", ""))
    try:
        undo_step(tournament, actor_of(request), seq or 0)
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        messages.success(request, _("Undone: everybody has the same status as before."))
    return redirect(_back_url(request, tournament))
