"""Registrations: their fields and problems, searching, and previews of the desk's steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django.db.models import Count, F, QuerySet
from django.utils import timezone

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.names import name_key
from tournament.base.models.log import LogEntry
from tournament.base.models.registration import CANCELLED_STATES, Question, Registration
from tournament.base.models.tournament import Tournament
from tournament.base.problems import TEXT_TOO_LONG, VALUE_MISSING
from tournament.base.validation import problems_of
from tournament.players.engine import other_country
from tournament.players.selectors.doubles import Double
from tournament.players.selectors.players import Entrant
from tournament.registration import texts as actions
from tournament.registration.engine import promotable
from tournament.registration.selectors.plan import (
    candidates,
    has_begun,
    holders,
    limits_of,
    moves_up,
    plan_of,
    waiting_list,
)

ANSWER_UNKNOWN = problem_code("answer_unknown", "Choose one of the answers.")
REGISTERED_PLAYS = problem_code(
    "registered_plays",
    "Play has begun: players who stop must withdraw at the desk.",
    also=("registration",),
)
EMA_NUMBER_OF_OTHER_COUNTRY = problem_code(
    "ema_number_of_other_country",
    "This EMA number was issued in another country ({country}). That is fine if you have moved.",
)
NO_PLACE_LEFT = problem_code(
    "no_place_left",
    "There is no place left for {name}: all are taken, or the free ones are reserved for others.",
)
WAITING_LIST_FULL = problem_code("waiting_list_full", "The waiting list has room for {maximum}.")

CONFIRM_WITHIN: Final = timedelta(days=3)
"""How long an unconfirmed registration and its link are valid."""


# --- Fields ---


MAX_ANSWER_LENGTH: Final = 500
SHARED_FIELDS: Final = (
    *("last_name", "first_name", "family_name_first", "second_name"),
    *("country", "ema_number", "club", "team"),
)
"""Fields of a registration that are copied to its player."""

EDITABLE_FIELDS: Final = (
    *SHARED_FIELDS,
    *("email", "message", "answers", "language", "photos_agreed", "name_shown", "declines_messages"),
)
"""Fields that people and the desk can change."""

Answer = str | int | bool


def entrant_of(registration: Registration, number: int | None = None) -> Entrant:
    return Entrant(**{name: getattr(registration, name) for name in SHARED_FIELDS}, number=number)


def registration_problems(
    registration: Registration, questions: Sequence[Question] = (), *, is_self_service: bool = True
) -> list[Problem]:
    """Return every problem of the fields; `where` is the field's name, for an answer "q<question's pk>".

    `is_self_service`: the person registers themselves, and needs an address and all required answers.
    """
    others = {field.name for field in Registration._meta.fields} - {*EDITABLE_FIELDS}
    problems = problems_of(registration, exclude=others)
    if is_self_service and registration.pk is None and not registration.email:
        problems.append(VALUE_MISSING("email"))
    known = {str(question.pk) for question in questions}
    problems += [ANSWER_UNKNOWN(f"q{key}") for key in registration.answers if key not in known]
    for question in questions:
        answer = registration.answers.get(str(question.pk))
        if problem := _answer_problem(question, answer, is_self_service):
            problems.append(problem)
    return problems


def _answer_problem(question: Question, answer: Answer | None, is_needed: bool) -> Problem | None:
    where = f"q{question.pk}"
    if answer is None or answer == "":
        return VALUE_MISSING(where) if is_needed and question.is_required else None
    if question.kind == Question.Kind.CHOICE:
        is_index = isinstance(answer, int) and not isinstance(answer, bool)
        return None if is_index and 0 <= int(answer) < len(question.choices) else ANSWER_UNKNOWN(where)
    if question.kind == Question.Kind.YES_NO:
        return None if isinstance(answer, bool) else ANSWER_UNKNOWN(where)
    if not isinstance(answer, str) or "\x00" in answer:
        return ANSWER_UNKNOWN(where)
    if len(answer) > MAX_ANSWER_LENGTH:
        return TEXT_TOO_LONG(where, length=len(answer), maximum=MAX_ANSWER_LENGTH)
    return None


def warnings_of(registration: Registration) -> list[Problem]:
    """Return what is unusual but may be right."""
    other = other_country(registration.ema_number, registration.country)
    return [EMA_NUMBER_OF_OTHER_COUNTRY("ema_number", country=other)] if other else []


# --- Registrations ---


State = Registration.State
ACTIVE_STATES = tuple(state for state in State if state not in CANCELLED_STATES)
UNDOABLE_ACTIONS = (
    actions.REGISTRATIONS_MOVED,
    actions.REGISTRATIONS_CONFIRMED,
    actions.REGISTRATIONS_ENTERED,
    actions.REGISTRATIONS_ADDED,
)
"""Steps of the desk that can be undone while they are the last one."""


def withdrawal_problem(registration: Registration, to: str) -> Problem | None:
    """Return why a registration can no longer lose its place; None if it can."""
    plays = registration.player and not registration.player.is_withdrawn and to != State.ACCEPTED
    if plays and has_begun(registration.tournament):
        return REGISTERED_PLAYS(registration=registration.number)
    return None


def registrations_by_number(tournament: Tournament, numbers: Sequence[int]) -> list[Registration]:
    """Return the registrations with these numbers, in this order."""
    rows = tournament.registrations.select_related("player").filter(number__in=numbers)
    by_number = {registration.number: registration for registration in rows}
    for registration in by_number.values():
        registration.tournament = tournament
    return [by_number[number] for number in numbers if number in by_number]


def position_of(registration: Registration) -> int | None:
    """Return the position on the waiting list; None if not waiting."""
    if registration.state != State.WAITING:
        return None
    return waiting_positions(registration.tournament)[registration.number]


def waiting_positions(tournament: Tournament) -> dict[int, int]:
    """Return the number of each registration → its position on the waiting list."""
    return {candidate.number: position for position, candidate in enumerate(waiting_list(tournament), 1)}


def is_expired(registration: Registration) -> bool:
    """Whether it was not confirmed in time."""
    return registration.state == State.UNCONFIRMED and registration.made_at < timezone.now() - CONFIRM_WITHIN


def identity_of(registration: Registration) -> tuple[str, str]:
    """Return what only registrations of the same person have in common: name and address."""
    return name_key(registration.first_name, registration.last_name), registration.email.casefold()


def find_duplicate(tournament: Tournament, registration: Registration) -> Registration | None:
    """Return the active registration of the same person; None if there is none."""
    active = tournament.registrations.filter(email__iexact=registration.email, state__in=ACTIVE_STATES)
    identity = identity_of(registration)
    return next((other for other in active.select_related("player") if identity_of(other) == identity), None)


def counts(tournament: Tournament) -> dict[str, int]:
    """Return every state → how many, and "to_enter" → how many are accepted and no players yet."""
    by_state = dict(
        tournament.registrations.order_by()
        .values_list("state")
        .annotate(n=Count("pk"))
        .values_list("state", "n")
    )
    return {state: by_state.get(state, 0) for state in State.values} | {
        "to_enter": to_enter(tournament).count()
    }


def to_enter(tournament: Tournament) -> QuerySet[Registration]:
    """Return who has a place and is no player yet."""
    return tournament.registrations.filter(state=State.ACCEPTED, player=None)


@dataclass(frozen=True)
class UndoableStep:
    """The last step of the desk, if nothing has changed since."""

    seq: int
    action: str
    people: Sequence[Registration]
    before: Mapping[int, tuple[str, datetime | None]]
    """Number → the state before, and since when they waited."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Of the log entry."""

    @property
    def is_entering(self) -> bool:
        return self.action == actions.REGISTRATIONS_ENTERED.code

    @property
    def is_adding(self) -> bool:
        return self.action == actions.REGISTRATIONS_ADDED.code


def last_step(tournament: Tournament) -> UndoableStep | None:
    """Return the step that can be undone; None if there is none, or somebody has moved on since."""
    newest = tournament.log.of(*UNDOABLE_ACTIONS, actions.REGISTRATIONS_UNDONE).order_by("-seq").first()
    if newest is None or newest.action == actions.REGISTRATIONS_UNDONE.code:
        return None
    before = {
        int(number): (state, datetime.fromisoformat(since) if since else None)
        for number, (state, since) in newest.data.get("came_from", {}).items()
    }
    numbers = {*before, *newest.data["registrations"]}
    people = list(tournament.registrations.select_related("player").filter(number__in=numbers))
    is_as_left = len(people) == len(numbers) and all(
        _is_as_left(newest, registration) for registration in people
    )
    return UndoableStep(newest.seq, newest.action, people, before, newest.data) if is_as_left else None


def _is_as_left(entry: LogEntry, registration: Registration) -> bool:
    if entry.action == actions.REGISTRATIONS_ADDED.code:
        return registration.player is None
    if entry.action == actions.REGISTRATIONS_ENTERED.code:
        return registration.player is not None and registration.state == State.ACCEPTED
    if registration.number in entry.data.get("moved_up", ()):
        return registration.state == State.ACCEPTED
    return registration.number in actions.numbers_by_new_state(entry.data).get(registration.state, ())


# --- Steps of the desk ---


class Step(StrEnum):
    ACCEPT = "accept"
    WAIT = "wait"
    DECLINE = "decline"
    CANCEL = "cancel"
    UP = "move_up"
    CONFIRM = "confirm"
    ENTER = "enter"


TARGET_STATES: Final = {
    Step.ACCEPT: State.ACCEPTED,
    Step.UP: State.ACCEPTED,
    Step.WAIT: State.WAITING,
    Step.DECLINE: State.DECLINED,
    Step.CANCEL: State.CANCELLED,
}
"""The state after a step: ACCEPT puts people without a place on the waiting list, CONFIRM each where there is room, and
ENTER changes no state."""


@dataclass(frozen=True)
class StepPreview:
    """What a step would do: whom it concerns, why it is not possible, who finds no place and waits, and who is promoted
    from the waiting list."""

    step: Step
    people: Sequence[Registration]
    problems: Sequence[Problem]
    waiting: Sequence[Registration] = ()
    moved_up: Sequence[Registration] = ()
    numbers: Sequence[int | None] = ()
    """The players' numbers, for ENTER."""
    doubles: Mapping[int, Double] = field(default_factory=dict)
    """Registration number → who is probably the same person, for ENTER."""

    @property
    def pairs(self) -> list[tuple[Registration, int | None]]:
        waiting = {*self.waiting}
        people = [registration for registration in self.people if registration not in waiting]
        return list(zip(people, self.numbers or [None] * len(people), strict=True))


def preview_step(tournament: Tournament, step: Step, numbers: Sequence[int]) -> StepPreview:
    """Return what a step over these registrations would do.

    UP ignores `numbers` and takes those whose turn it is. For ENTER see `selectors.entering`.
    """
    if step is Step.CONFIRM:
        return StepPreview(step, unconfirmed(tournament, numbers), ())
    if step is Step.UP:
        numbers = promotable_numbers(tournament)
    to = TARGET_STATES[step]
    rows = tournament.registrations.select_related("player").filter(number__in=numbers).exclude(state=to)
    people = list(rows.order_by(F("waits_since").asc(nulls_last=True), "number"))
    problems = capacity_problems(tournament, people, to)
    problems += [problem for registration in people if (problem := withdrawal_problem(registration, to))]
    done = people if problems else new_states(tournament, people, to)[to]
    waiting = [registration for registration in people if registration not in done]
    return StepPreview(step, people, problems, waiting, _promoted_by(tournament, people, to))


def _promoted_by(tournament: Tournament, people: Sequence[Registration], to: str) -> list[Registration]:
    """Return who would get the places that these people leave."""
    plan, leaving = plan_of(tournament), {registration.number for registration in people}
    if plan is None or to == State.ACCEPTED or not moves_up(plan):
        return []
    remaining = [candidate for candidate in holders(tournament) if candidate.number not in leaving]
    waiting = [candidate for candidate in waiting_list(tournament) if candidate.number not in leaving]
    waiting += candidates(people) if to == State.WAITING else []
    promoted = promotable(limits_of(plan), remaining, waiting)
    return list(tournament.registrations.filter(number__in=promoted).order_by("waits_since", "number"))


def unconfirmed(tournament: Tournament, numbers: Sequence[int]) -> list[Registration]:
    """Return the unconfirmed registrations among these numbers, in order of registration."""
    people = registrations_by_number(tournament, sorted(set(numbers)))
    return [registration for registration in people if registration.state == State.UNCONFIRMED]


def promotable_numbers(tournament: Tournament) -> list[int]:
    """Return the numbers of those on the waiting list who could have a place now."""
    plan = plan_of(tournament)
    return promotable(limits_of(plan), holders(tournament), waiting_list(tournament)) if plan else []


def new_states(
    tournament: Tournament, moving: Sequence[Registration], to: Registration.State
) -> dict[Registration.State, list[Registration]]:
    """Return new state → the registrations that get it. Who would be accepted but finds no place waits, or goes on
    waiting and is left out."""
    plan = plan_of(tournament)
    if plan is None or to != State.ACCEPTED:
        return {to: list(moving)}
    accepted = set(promotable(limits_of(plan), holders(tournament), candidates(moving)))
    others = [registration for registration in moving if registration.number not in accepted]
    return {
        to: [registration for registration in moving if registration.number in accepted],
        State.WAITING: [registration for registration in others if registration.state != State.WAITING],
    }


def capacity_problems(
    tournament: Tournament, moving: Sequence[Registration], to: Registration.State
) -> list[Problem]:
    """Return a problem for each registration if none gets a place, or one if the waiting list is too short."""
    groups, plan = new_states(tournament, moving, to), plan_of(tournament)
    if not groups[to]:
        return [NO_PLACE_LEFT(str(registration.number), name=registration.name) for registration in moving]
    joining = groups.get(State.WAITING, ())
    if plan is None or plan.waiting_places is None or not joining:
        return []
    leaving = [registration for registration in groups[to] if registration.state == State.WAITING]
    if len(waiting_list(tournament)) - len(leaving) + len(joining) > plan.waiting_places:
        return [WAITING_LIST_FULL(maximum=plan.waiting_places)]
    return []


def problems_by_number(problems: Sequence[Problem], people: Sequence[Registration]) -> list[Problem]:
    """Turn the `where` "<row>.<field>" of problems into "<registration's number>.<field>"."""
    renamed = []
    for problem in problems:
        row, _dot, name = problem.where.partition(".")
        person = people[int(row)]
        params = {"name": person.name, **problem.params}
        renamed.append(replace(problem, where=f"{person.number}.{name}", params=params))
    return renamed
