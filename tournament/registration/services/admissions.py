"""What the organiser plans and the desk decides: who has a place, who waits, who is declined."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from scoring.engine.problems import Problem, problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.registration import KeptPlaces, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.validation import changed_fields, problems_of
from tournament.players.selectors.players import problems_of_all, what_keeps, with_numbers
from tournament.players.services.players import NOBODY_CHOSEN
from tournament.registration import texts as actions
from tournament.registration.engine import folded, moving_up
from tournament.registration.selectors.plan import (
    asked_by,
    candidates,
    holders,
    kept_of,
    limits_of,
    line_of,
    plan_of,
    who_answered,
)
from tournament.registration.selectors.registrations import (
    PARTICULARS,
    about_people,
    by_numbers,
    entrant_of,
    last_step,
    problems_with,
    too_many,
    unconfirmed,
)
from tournament.registration.services.registrations import State, fill_up, move, store, tell

QUESTION_ANSWERED = problem_code(
    "question_answered", "There are answers to question {number}: {answers}. Say that they may go."
)
REGISTRATION_NOT_PLANNED = problem_code(
    "registration_not_planned", "Say first how many places there are, and until when registration is open."
)
REGISTRATION_UNKNOWN = problem_code("registration_unknown", "There is no registration {number}.")
REGISTRATION_STEP_UNKNOWN = problem_code("registration_step_unknown", "Choose what is to be done.")
REGISTRATION_STEP_GONE = problem_code(
    "registration_step_gone", "This step cannot be undone any more: somebody has moved on since."
)
NO_PLACE_LEFT_FOR_UNDO = problem_code(
    "no_place_left_for_undo",
    "The places have been given to others in the meantime, so this cannot be undone.",
)

KEPT_TWICE = problem_code("kept_twice", "Places for {value} are kept twice. Write one line.")
KEPT_MORE_THAN_PLACES = problem_code(
    "kept_more_than_places", "{kept} places are kept, and there are fewer in all."
)
QUESTIONS_TOO_MANY = problem_code("questions_too_many", "At most {most} questions can be asked.")
QUESTION_GONE = problem_code("question_gone", "Somebody else has removed this question in the meantime.")
MOST_QUESTIONS: Final = 20

# --- The plan ---


def set_plan(plan: RegistrationPlan, actor: Actor, kept_places: Sequence[KeptPlaces] = ()) -> None:
    """Store the plan with all places that are kept; more places are given to who waits, if it says so.

    Raises `Refused` with every problem, of kept places at "kept.0.value".
    """
    access.require(actor, plan.tournament, Right.ORGANISE)
    with log.write(plan.tournament, actor, actions.REGISTRATION_PLAN_SET) as entry:
        old = plan_of(entry.tournament)
        plan.tournament, plan.pk = entry.tournament, old.pk if old else None
        if problems := [*problems_of(plan, exclude=["id", "tournament"]), *_kept_problems(plan, kept_places)]:
            raise Refused(problems)
        if old and not changed_fields(plan) and {*limits_of(old).kept} == {*map(kept_of, kept_places)}:
            entry.unchanged()
            return
        plan.save()
        plan.kept.all().delete()
        for places in kept_places:
            places.plan = plan
        KeptPlaces.objects.bulk_create(kept_places)
        entry.data = {"places": plan.places, "waiting_places": plan.waiting_places, "is_open": plan.is_open}
        fill_up(entry)


def _kept_problems(plan: RegistrationPlan, kept_places: Sequence[KeptPlaces]) -> Iterator[Problem]:
    seen = set()
    for n, places in enumerate(kept_places):
        yield from problems_of(places, f"kept.{n}", exclude=["plan"])
        key = (places.by, folded(places.value))
        if key in seen:
            yield KEPT_TWICE(f"kept.{n}.value", value=places.value)
        seen.add(key)
    n_kept = sum(places.places or 0 for places in kept_places)
    if kept_places and (plan.places is None or n_kept > plan.places):
        yield KEPT_MORE_THAN_PLACES("places", kept=n_kept)


def set_questions(
    tournament: Tournament, actor: Actor, questions: Sequence[Question], *, drop_answers: bool = False
) -> list[Question]:
    """Store what is asked besides, in this order. A question that is left out is gone; where people have answered it,
    only with `drop_answers`, and their answers go with it.

    `questions`: new ones, and stored ones with what is to change. Raises `Refused` with every problem, at
    "questions.0.text".
    """
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, actions.REGISTRATION_QUESTIONS_SET) as entry:
        plan = plan_of(entry.tournament)
        if plan is None:
            raise Refused(REGISTRATION_NOT_PLANNED())
        stored = {question.pk: question for question in plan.questions.all()}
        for position, question in enumerate(questions, 1):
            question.plan, question.position = plan, position
        if problems := [*_question_problems(questions, stored)]:
            raise Refused(problems)
        left_out = stored.keys() - {question.pk for question in questions}
        _drop_questions([stored[key] for key in left_out], drop_answers)
        for question in questions:
            question.save()
        entry.data = {"questions": len(questions)}
    return list(questions)


def _question_problems(questions: Sequence[Question], stored: Collection[int]) -> Iterator[Problem]:
    if len(questions) > MOST_QUESTIONS:
        yield QUESTIONS_TOO_MANY(most=MOST_QUESTIONS)
    for n, question in enumerate(questions[:MOST_QUESTIONS]):
        if question.pk is not None and question.pk not in stored:
            yield QUESTION_GONE(f"questions.{n}.text")
        else:
            yield from problems_of(question, f"questions.{n}")


def _drop_questions(left_out: Sequence[Question], drop_answers: bool) -> None:
    """They and what was answered to them; raises Refused with everybody's answers counted unless those may go."""
    in_order = sorted(left_out, key=lambda question: question.position)
    answers = {question: who_answered(question).count() for question in in_order}
    refused = [
        QUESTION_ANSWERED("drop_answers", number=question.position, answers=count)
        for question, count in answers.items()
        if count and not drop_answers
    ]
    if refused:
        raise Refused(refused)
    for question in left_out:
        for registration in who_answered(question):
            del registration.answers[str(question.pk)]
            registration.save(update_fields=["answers"])
        question.delete()


# --- Decisions of the desk ---


DECISIONS: Final = (State.ACCEPTED, State.WAITING, State.DECLINED, State.CANCELLED)


def decide(
    tournament: Tournament, actor: Actor, numbers: Sequence[int], to: Registration.State
) -> list[Registration]:
    """Put registrations into a state, all or none, and tell each of them. In a refusal `where` is the number."""
    access.require(actor, tournament, Right.ADMIT)
    if to not in DECISIONS:
        raise Refused(REGISTRATION_STEP_UNKNOWN("step"))
    with log.write(tournament, actor, actions.REGISTRATIONS_MOVED) as entry:
        people = by_numbers(entry.tournament, list(dict.fromkeys(numbers)))
        missing = sorted(set(numbers) - {registration.number for registration in people})
        problems = [REGISTRATION_UNKNOWN(str(number), number=number) for number in missing]
        moving = [registration for registration in people if registration.state != to]
        if not problems and not moving:
            raise Refused(NOBODY_CHOSEN())
        problems += too_many(entry.tournament, moving, to)
        if problems:
            raise Refused(problems)
        entry.data = {"registrations": [registration.number for registration in moving], "to": to}
        frees = any(registration.state == State.ACCEPTED for registration in moving)
        move(entry, moving, to)
        if frees:
            fill_up(entry)
    return moving


def confirm_registrations(tournament: Tournament, actor: Actor, numbers: Sequence[int]) -> list[Registration]:
    """Confirm for people whom the desk knows, and whom no letter reached; places go in the order they came.

    Who finds neither a place nor room on the waiting list is left to be looked at.
    """
    access.require(actor, tournament, Right.ADMIT)
    with log.write(tournament, actor, actions.REGISTRATIONS_CONFIRMED) as entry:
        people = unconfirmed(entry.tournament, numbers)
        if not people:
            raise Refused(NOBODY_CHOSEN())
        entry.data = {"registrations": [registration.number for registration in people]}
        for state, group in _by_state(entry.tournament, people).items():
            move(entry, group, state)
            entry.data.setdefault("became", {})[state] = [registration.number for registration in group]
    return people


def add_registrations(
    tournament: Tournament, actor: Actor, people: Sequence[Registration], *, tells: bool = False
) -> None:
    """Store people whom the desk enters. They need no confirming; places go in their order.

    Who finds neither a place nor room on the waiting list is left to be looked at. In a refusal `where` is
    "<row>.<field>".
    """
    access.require(actor, tournament, Right.ADMIT)
    with log.write(tournament, actor, actions.REGISTRATIONS_ADDED) as entry:
        plan = plan_of(entry.tournament)
        questions = asked_by(plan) if plan else ()
        problems = [
            problem.at(f"{row}.{problem.where}")
            for row, registration in enumerate(people)
            for problem in problems_with(registration, questions, by_themselves=False)
        ]
        if problems:
            raise Refused(problems)
        store(entry, people)
        entry.data = {"registrations": [registration.number for registration in people]}
        for state, group in _by_state(entry.tournament, people).items():
            move(entry, group, state, tells=tells)
        entry.data.pop("came_from", None)


def _by_state(
    tournament: Tournament, people: Sequence[Registration]
) -> dict[Registration.State, list[Registration]]:
    """State → who comes into it, behind everybody who waits already."""
    plan = plan_of(tournament)
    if plan is None or not plan.accepts_itself:
        return {State.PENDING: list(people)}
    line, limits = line_of(tournament), limits_of(plan)
    moving = set(moving_up(limits, holders(tournament), [*line, *candidates(people)]))
    room = len(people) if limits.waiting is None else max(0, limits.waiting - len(line))
    later = [registration for registration in people if registration.number not in moving]
    by_state = {
        State.ACCEPTED: [registration for registration in people if registration.number in moving],
        State.WAITING: later[:room],
        State.PENDING: later[room:],
    }
    return {state: group for state, group in by_state.items() if group}


def enter_registered(tournament: Tournament, actor: Actor, numbers: Sequence[int]) -> list[Player]:
    """Accepted people become players, with the next numbers. In a refusal `where` is "<number>.<field>"."""
    access.require(actor, tournament, Right.ADMIT)
    with log.write(tournament, actor, actions.REGISTRATIONS_ENTERED) as entry:
        people = by_numbers(entry.tournament, list(dict.fromkeys(numbers)))
        people = [
            registration
            for registration in people
            if registration.state == State.ACCEPTED and registration.player is None
        ]
        if not people:
            raise Refused(NOBODY_CHOSEN())
        entrants = with_numbers(entry.tournament, [entrant_of(registration) for registration in people])
        if problems := problems_of_all(entry.tournament, entrants):
            raise Refused(about_people(problems, people))
        players = Player.objects.bulk_create(
            Player(
                tournament=entry.tournament,
                **{name: getattr(entrant, name) for name in ("number", *PARTICULARS)},
            )
            for entrant in entrants
        )
        for registration, player in zip(people, players, strict=True):
            registration.player = player
        Registration.objects.bulk_update(people, ["player"])
        entry.data = {
            "registrations": [registration.number for registration in people],
            "players": [player.number for player in players],
        }
    return players


def undo_step(tournament: Tournament, actor: Actor, seq: int) -> list[Registration]:
    """Take back the bulk step that was done last (`seq`: its entry in the log): everybody is where they were, and is
    told. Refused once somebody has moved on since."""
    access.require(actor, tournament, Right.ADMIT)
    with log.write(tournament, actor, actions.REGISTRATIONS_UNDONE) as entry:
        step = last_step(entry.tournament)
        if step is None or step.seq != seq:
            raise Refused(REGISTRATION_STEP_GONE())
        entry.data = {"registrations": [registration.number for registration in step.people], "step": seq}
        if step.is_adding:
            entry.tournament.registrations.filter(
                pk__in=[registration.pk for registration in step.people]
            ).delete()
            return list(step.people)
        if step.is_entering:
            _leave_again(entry, step.people)
            return list(step.people)
        for registration in step.people:
            registration.tournament = entry.tournament
        _put_back(entry, step.people, step.before)
    return list(step.people)


def _leave_again(entry: log.Write, people: Sequence[Registration]) -> None:
    players = [registration.player for registration in people if registration.player]
    if problems := [problem for player in players if (problem := what_keeps(player))]:
        raise Refused(problems)
    entry.data["players"] = [player.number for player in players]
    Player.objects.filter(pk__in=[player.pk for player in players]).delete()
    for registration in people:
        registration.player = None


def _put_back(
    entry: log.Write, people: Sequence[Registration], before: Mapping[int, tuple[str, datetime | None]]
) -> None:
    for state in State:
        if group := [registration for registration in people if before[registration.number][0] == state]:
            move(entry, group, state, tells=False)
    entry.data.pop("came_from", None)
    for registration in people:
        registration.waits_since = before[registration.number][1]
    Registration.objects.bulk_update(people, ["waits_since"])
    plan = plan_of(entry.tournament)
    room = plan.places if plan else None
    back = any(before[registration.number][0] == State.ACCEPTED for registration in people)
    if back and room is not None and len(holders(entry.tournament)) > room:
        raise Refused(NO_PLACE_LEFT_FOR_UNDO())
    tell([registration for registration in people if registration.state != State.UNCONFIRMED])
