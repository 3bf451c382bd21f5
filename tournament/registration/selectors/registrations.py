"""Who registered: what they say, where each stands, and what the desk could do with many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.db.models import Count, QuerySet
from django.utils import timezone

from scoring.engine.problems import Problem, problem_code
from scoring.texts import folded
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Session
from tournament.base.models.registration import Question, Registration
from tournament.base.models.tournament import Tournament
from tournament.base.problems import TEXT_TOO_LONG, VALUE_MISSING
from tournament.base.validation import problems_of
from tournament.players.engine import other_country
from tournament.players.selectors.players import Entrant, problems_of_all, with_numbers
from tournament.registration import texts as actions
from tournament.registration.engine import Places, moving_up
from tournament.registration.selectors.plan import (
    candidate_of,
    candidates,
    holders,
    limits_of,
    line_of,
    plan_of,
)

ANSWER_UNKNOWN = problem_code("answer_unknown", "This is none of the answers.")
REGISTERED_PLAYS = problem_code(
    "registered_plays",
    "Play has begun: whoever stops playing withdraws, at the desk.",
    also=("registration",),
)
EMA_NUMBER_OF_OTHER_COUNTRY = problem_code(
    "ema_number_of_other_country",
    "This EMA number was given in another country ({country}). That is no fault if you have moved.",
)
NO_PLACE_LEFT = problem_code(
    "no_place_left",
    "There is no place left for {name}: all are taken, or those that are free are kept for others.",
)
WAITING_LIST_FULL = problem_code("waiting_list_full", "The waiting list has room for {most}.")

CONFIRM_WITHIN: Final = timedelta(days=3)
"""So long an unconfirmed registration is kept; after that its link opens nothing."""


# --- What somebody says ---


LONGEST_ANSWER: Final = 500
PARTICULARS: Final = ("last_name", "first_name", "country", "ema_number", "club", "team")
"""What a registration and the player it becomes have in common."""

SAID: Final = (*PARTICULARS, "email", "message", "answers", "language", "photos_agreed", "name_shown")
"""What people say of themselves, or the desk of them."""

Answer = str | int | bool


def entrant_of(registration: Registration, number: int | None = None) -> Entrant:
    """The player that a registration becomes."""
    return Entrant(**{name: getattr(registration, name) for name in PARTICULARS}, number=number)


def problems_with(
    registration: Registration, questions: Sequence[Question] = (), *, by_themselves: bool = True
) -> list[Problem]:
    """Return every fault in what is said; `where` is the field, of an answer "q<key>".

    `by_themselves`: then whoever registers needs an address for letters, and an answer to whatever has to be answered;
    the organiser enters whom they know.
    """
    others = {field.name for field in Registration._meta.fields} - {*SAID}
    problems = problems_of(registration, exclude=others)
    if by_themselves and registration.pk is None and not registration.email:
        problems.append(VALUE_MISSING("email"))
    known = {str(question.pk) for question in questions}
    problems += [ANSWER_UNKNOWN(f"q{key}") for key in registration.answers if key not in known]
    for question in questions:
        answer = registration.answers.get(str(question.pk))
        if problem := _answer_problem(question, answer, by_themselves):
            problems.append(problem)
    return problems


def _answer_problem(question: Question, answer: Answer | None, is_needed: bool) -> Problem | None:
    where = f"q{question.pk}"
    if answer is None or answer == "":
        return VALUE_MISSING(where) if is_needed and question.is_required else None
    if question.kind == Question.Kind.CHOICE:
        is_one = isinstance(answer, int) and not isinstance(answer, bool)
        return None if is_one and 0 <= int(answer) < len(question.choices) else ANSWER_UNKNOWN(where)
    if question.kind == Question.Kind.YES_NO:
        return None if isinstance(answer, bool) else ANSWER_UNKNOWN(where)
    if not isinstance(answer, str) or "\x00" in answer:
        return ANSWER_UNKNOWN(where)
    if len(answer) > LONGEST_ANSWER:
        return TEXT_TOO_LONG(where, length=len(answer), most=LONGEST_ANSWER)
    return None


def warnings_of(registration: Registration) -> list[Problem]:
    """What is odd and may well be right."""
    other = other_country(registration.ema_number, registration.country)
    return [EMA_NUMBER_OF_OTHER_COUNTRY("ema_number", country=other)] if other else []


# --- Who registered ---


State = Registration.State
ALIVE = (State.UNCONFIRMED, State.PENDING, State.WAITING, State.ACCEPTED)
UNDOABLE = (
    actions.REGISTRATIONS_MOVED,
    actions.REGISTRATIONS_CONFIRMED,
    actions.REGISTRATIONS_ENTERED,
    actions.REGISTRATIONS_ADDED,
)
"""The steps that the desk takes with many."""


def has_begun(tournament: Tournament) -> bool:
    """Whether a session is or was played: from then on places are changed by withdrawing and substitutes."""
    return tournament.sessions.exclude(state=Session.State.PLANNED).exists()


def plays_already(registration: Registration, to: str) -> Problem | None:
    """Why somebody cannot lose their place any more."""
    plays = registration.player and not registration.player.is_withdrawn and to != State.ACCEPTED
    if plays and has_begun(registration.tournament):
        return REGISTERED_PLAYS(registration=registration.number)
    return None


def by_numbers(tournament: Tournament, numbers: Sequence[int]) -> list[Registration]:
    """The registrations with these numbers, in their order."""
    rows = tournament.registrations.select_related("player").filter(number__in=numbers)
    by_number = {registration.number: registration for registration in rows}
    for registration in by_number.values():
        registration.tournament = tournament
    return [by_number[number] for number in numbers if number in by_number]


def position_of(registration: Registration) -> int | None:
    """The place on the waiting list; None for who does not wait."""
    if registration.state != State.WAITING:
        return None
    return places_in_line(registration.tournament)[registration.number]


def places_in_line(tournament: Tournament) -> dict[int, int]:
    """Registration's number → the place on the waiting list."""
    return {candidate.number: place for place, candidate in enumerate(line_of(tournament), 1)}


def is_expired(registration: Registration) -> bool:
    """Whether it was not confirmed in time."""
    return registration.state == State.UNCONFIRMED and registration.made_at < timezone.now() - CONFIRM_WITHIN


def same_again(tournament: Tournament, registration: Registration) -> Registration | None:
    """The registration of this person that is alive already: the same name from the same address."""
    alive = tournament.registrations.filter(email__iexact=registration.email, state__in=ALIVE)
    names = (folded(registration.first_name), folded(registration.last_name))
    for known in alive.select_related("player"):
        if (folded(known.first_name), folded(known.last_name)) == names:
            return known
    return None


def counts(tournament: Tournament) -> dict[str, int]:
    """State → how many, every state there is; and "to_enter": accepted people who are no players yet."""
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
    """Who has a place and is no player yet."""
    return tournament.registrations.filter(state=State.ACCEPTED, player=None)


def matching(tournament: Tournament, state: str = "", wanted: str = "") -> list[Registration]:
    """Those in a state, the waiting ones in their order; with `wanted` those it fits."""
    registrations = tournament.registrations.select_related("player")
    if state in State.values:
        registrations = registrations.filter(state=state)
    order = ("waits_since", "number") if state == State.WAITING else ("number",)
    registrations = registrations.order_by(*order)
    return [registration for registration in registrations if _fits(registration, wanted)]


def _fits(registration: Registration, wanted: str) -> bool:
    words = folded(wanted).split()
    if len(words) == 1 and words[0].isdecimal() and len(words[0]) < 8:
        return registration.number == int(words[0])
    names = ("name", "first_name", "last_name", "email", "country", "club", "team", "ema_number")
    text = folded(" ".join(getattr(registration, name) for name in names))
    return all(word in text for word in words)


@dataclass(frozen=True)
class Undoable:
    """The bulk step that was done last, as long as everybody is still where it left them."""

    seq: int
    action: str
    people: Sequence[Registration]
    before: Mapping[int, tuple[str, datetime | None]]
    """Number → the state, and since when they waited."""

    @property
    def is_entering(self) -> bool:
        return self.action == actions.REGISTRATIONS_ENTERED.code

    @property
    def is_adding(self) -> bool:
        return self.action == actions.REGISTRATIONS_ADDED.code


def last_step(tournament: Tournament) -> Undoable | None:
    """What can be undone now; None when nothing can, or somebody has moved on since."""
    newest = tournament.log.of(*UNDOABLE, actions.REGISTRATIONS_UNDONE).order_by("-seq").first()
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
    return Undoable(newest.seq, newest.action, people, before) if is_as_left else None


def _is_as_left(entry: LogEntry, registration: Registration) -> bool:
    if entry.action == actions.REGISTRATIONS_ADDED.code:
        return registration.player is None
    if entry.action == actions.REGISTRATIONS_ENTERED.code:
        return registration.player is not None and registration.state == State.ACCEPTED
    if entry.action == actions.REGISTRATIONS_CONFIRMED.code:
        return registration.number in entry.data["became"].get(registration.state, ())
    has_moved_up = registration.number in entry.data.get("moved_up", ())
    return registration.state == (State.ACCEPTED if has_moved_up else entry.data["to"])


# --- Steps of the desk ---


class Step(StrEnum):
    ACCEPT = "accept"
    WAIT = "wait"
    DECLINE = "decline"
    CANCEL = "cancel"
    UP = "move_up"
    CONFIRM = "confirm"
    ENTER = "enter"


TO: Final = {
    Step.ACCEPT: State.ACCEPTED,
    Step.UP: State.ACCEPTED,
    Step.WAIT: State.WAITING,
    Step.DECLINE: State.DECLINED,
    Step.CANCEL: State.CANCELLED,
}
"""Where a step leads; confirming leads each where there is room, entering out of registration, among the players."""


@dataclass(frozen=True)
class Preview:
    """Whom a step is about, what keeps it from being done, and who moves up by it."""

    step: Step
    people: Sequence[Registration]
    problems: Sequence[Problem]
    moved_up: Sequence[Registration] = ()
    numbers: Sequence[int | None] = ()
    """Of who is entered, the players' numbers."""

    @property
    def pairs(self) -> list[tuple[Registration, int | None]]:
        return list(zip(self.people, self.numbers or [None] * len(self.people), strict=True))


def preview(tournament: Tournament, step: Step, numbers: Sequence[int]) -> Preview:
    """Look at what a step would come to before it is done.

    Moving up is of those whose turn it is, `numbers` or not; entering without, of all.
    """
    if step is Step.ENTER:
        return _entering(tournament, numbers)
    if step is Step.CONFIRM:
        return Preview(step, unconfirmed(tournament, numbers), ())
    if step is Step.UP:
        numbers = next_up(tournament)
    rows = (
        tournament.registrations.select_related("player").filter(number__in=numbers).exclude(state=TO[step])
    )
    by_number = {registration.number: registration for registration in rows}
    order = numbers if step is Step.UP else sorted(by_number)
    people = [by_number[number] for number in order if number in by_number]
    problems = too_many(tournament, people, TO[step])
    problems += [problem for registration in people if (problem := plays_already(registration, TO[step]))]
    return Preview(step, people, problems, _who_moves_up(tournament, people, TO[step]))


def _who_moves_up(tournament: Tournament, people: Sequence[Registration], to: str) -> list[Registration]:
    """Who gets the places that become free."""
    plan, going = plan_of(tournament), {registration.number for registration in people}
    if plan is None or not plan.moves_up_itself or to == State.ACCEPTED or has_begun(tournament):
        return []
    stay = [candidate for candidate in holders(tournament) if candidate.number not in going]
    line = [candidate for candidate in line_of(tournament) if candidate.number not in going]
    line += candidates(people) if to == State.WAITING else []
    up = set(moving_up(limits_of(plan), stay, line))
    return list(tournament.registrations.filter(number__in=up).order_by("waits_since", "number"))


def _entering(tournament: Tournament, numbers: Sequence[int]) -> Preview:
    rows = to_enter(tournament)
    people = list(rows.filter(number__in=numbers) if numbers else rows)
    entrants = with_numbers(tournament, [entrant_of(registration) for registration in people])
    problems = about_people(problems_of_all(tournament, entrants), people)
    return Preview(Step.ENTER, people, problems, (), [entrant.number for entrant in entrants])


def unconfirmed(tournament: Tournament, numbers: Sequence[int]) -> list[Registration]:
    """Those of these numbers who have not confirmed, in the order in which they came."""
    people = by_numbers(tournament, sorted(set(numbers)))
    return [registration for registration in people if registration.state == State.UNCONFIRMED]


def next_up(tournament: Tournament) -> list[int]:
    """Who waits and could have a place now."""
    plan = plan_of(tournament)
    return moving_up(limits_of(plan), holders(tournament), line_of(tournament)) if plan else []


def too_many(tournament: Tournament, moving: Sequence[Registration], to: str) -> list[Problem]:
    """Those for whom there is no place, or no room on the waiting list."""
    if (plan := plan_of(tournament)) is None:
        return []
    limits = limits_of(plan)
    if to == State.ACCEPTED:
        places = Places.taken_by(limits, holders(tournament))
        return [
            NO_PLACE_LEFT(str(registration.number), name=registration.name)
            for registration in moving
            if not places.take(candidate_of(registration))
        ]
    beyond = len(line_of(tournament)) + len(moving) - (limits.waiting or 0)
    if to == State.WAITING and limits.waiting is not None and beyond > 0:
        return [WAITING_LIST_FULL(most=limits.waiting)]
    return []


def about_people(problems: Sequence[Problem], people: Sequence[Registration]) -> list[Problem]:
    """Problems of rows as those of registrations: `where` is "<number>.<field>"."""
    renamed = []
    for problem in problems:
        row, _dot, field = problem.where.partition(".")
        person = people[int(row)]
        params = {"name": person.name, **problem.params}
        renamed.append(replace(problem, where=f"{person.number}.{field}", params=params))
    return renamed
