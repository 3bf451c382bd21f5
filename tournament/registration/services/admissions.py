"""Store the plan of registration and its questions, and the decisions of the desk."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from scoring.engine.problems import Problem, problem_code
from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.engine.names import name_key
from tournament.base.errors import Refused
from tournament.base.models.log import Write
from tournament.base.models.people import Player
from tournament.base.models.registration import PlaceReservation, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.validation import changed_fields, problems_of
from tournament.dues.models import Fee
from tournament.dues.services import create_due_at_registration
from tournament.players.selectors.doubles import double_problem, doubles_by_row
from tournament.players.selectors.players import removal_blocker
from tournament.players.services.players import NOBODY_CHOSEN, mark_namesakes
from tournament.registration import texts as actions
from tournament.registration.engine import promotable
from tournament.registration.selectors.entering import (
    doubles_of_entering,
    plan_entering,
)
from tournament.registration.selectors.plan import (
    answered_registrations,
    candidates,
    gives_places,
    holders,
    limits_of,
    plan_of,
    questions_of,
    reserved_places_of,
    waiting_list,
)
from tournament.registration.selectors.registrations import (
    SHARED_FIELDS,
    capacity_problems,
    last_step,
    new_states,
    registration_problems,
    registrations_by_number,
    unconfirmed,
)
from tournament.registration.services.linking import complete_linked, unlink_players
from tournament.registration.services.registrations import (
    State,
    promote_from_waiting_list,
    send_letters,
    set_state,
    store_registrations,
)

QUESTION_ANSWERED = problem_code(
    "question_answered", "Question {number} has answers ({answers}). Confirm that they may be deleted."
)
REGISTRATION_NOT_PLANNED = problem_code(
    "registration_not_planned", "First set the number of places and the deadline."
)
REGISTRATION_UNKNOWN = problem_code("registration_unknown", "There is no registration {number}.")
REGISTRATION_STEP_UNKNOWN = problem_code("registration_step_unknown", "Choose an action.")
REGISTRATION_STEP_GONE = problem_code(
    "registration_step_gone", "You can no longer undo this: someone’s status has changed since."
)
NO_PLACE_LEFT_FOR_UNDO = problem_code(
    "no_place_left_for_undo",
    "The places have gone to others in the meantime, so this cannot be undone.",
)

RESERVED_TWICE = problem_code("reserved_twice", "Places for {value} are reserved twice. Write one line.")
RESERVED_MORE_THAN_PLACES = problem_code(
    "reserved_more_than_places",
    "{reserved} place is reserved, but there are fewer in total.",
    "{reserved} places are reserved, but there are fewer in total.",
    by="reserved",
)
QUESTIONS_TOO_MANY = problem_code("questions_too_many", "At most {maximum} questions can be asked.")
QUESTION_GONE = problem_code("question_gone", "Someone else has removed this question in the meantime.")
MAX_QUESTIONS: Final = 20

# --- The plan ---


def set_plan(plan: RegistrationPlan, actor: Actor, reserved: Sequence[PlaceReservation] = ()) -> None:
    """Store the plan with all its reserved places, and promote from the waiting list if the plan does.

    Raises Refused with every problem, of reserved places at "reserved_places.0.value".
    """
    with log.write(plan.tournament, actor, actions.REGISTRATION_PLAN_SET, Right.ORGANISE) as entry:
        old = plan_of(entry.tournament)
        plan.tournament, plan.pk = entry.tournament, old.pk if old else None
        if problems := [
            *problems_of(plan, exclude=["id", "tournament"]),
            *_reservation_problems(plan, reserved),
        ]:
            raise Refused(problems)
        if (
            old
            and not changed_fields(plan)
            and {*limits_of(old).reserved} == {*map(reserved_places_of, reserved)}
        ):
            entry.mark_unchanged()
            return
        plan.save()
        plan.reservations.all().delete()
        for places in reserved:
            places.plan = plan
        PlaceReservation.objects.bulk_create(reserved)
        entry.data = {"places": plan.places, "waiting_places": plan.waiting_places, "is_open": plan.is_open}
        promote_from_waiting_list(entry)


def _reservation_problems(plan: RegistrationPlan, reserved: Sequence[PlaceReservation]) -> Iterator[Problem]:
    seen = set()
    for n, places in enumerate(reserved):
        yield from problems_of(places, f"reserved_places.{n}", exclude=["plan"])
        key = (places.by, name_key(places.value))
        if key in seen:
            yield RESERVED_TWICE(f"reserved_places.{n}.value", value=places.value)
        seen.add(key)
    n_reserved = sum(places.places or 0 for places in reserved)
    if reserved and (plan.places is None or n_reserved > plan.places):
        yield RESERVED_MORE_THAN_PLACES("places", reserved=n_reserved)


def set_questions(
    tournament: Tournament, actor: Actor, questions: Sequence[Question], *, drop_answers: bool = False
) -> list[Question]:
    """Store all questions in this order, and delete the others.

    `questions`: new ones, and stored ones with changed values. Answered questions are only deleted with `drop_answers`,
    and their answers with them. Raises Refused with every problem, at "questions.0.text".
    """
    with log.write(tournament, actor, actions.REGISTRATION_QUESTIONS_SET, Right.ORGANISE) as entry:
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
    if len(questions) > MAX_QUESTIONS:
        yield QUESTIONS_TOO_MANY(maximum=MAX_QUESTIONS)
    for n, question in enumerate(questions[:MAX_QUESTIONS]):
        if question.pk is not None and question.pk not in stored:
            yield QUESTION_GONE(f"questions.{n}.text")
        else:
            yield from problems_of(question, f"questions.{n}")


def _drop_questions(left_out: Sequence[Question], drop_answers: bool) -> None:
    """Delete questions with their answers. Raises Refused when there are answers and not `drop_answers`."""
    in_order = sorted(left_out, key=lambda question: question.position)
    answers = {question: answered_registrations(question).count() for question in in_order}
    refused = [
        QUESTION_ANSWERED("drop_answers", number=question.position, answers=count)
        for question, count in answers.items()
        if count and not drop_answers
    ]
    if refused:
        raise Refused(refused)
    for question in left_out:
        for registration in answered_registrations(question):
            del registration.answers[str(question.pk)]
            registration.save(update_fields=["answers"])
        question.delete()


# --- Decisions of the desk ---


DECISIONS: Final = (State.ACCEPTED, State.WAITING, State.DECLINED, State.CANCELLED)


def decide(
    tournament: Tournament, actor: Actor, numbers: Sequence[int], to: Registration.State
) -> list[Registration]:
    """Set the state of registrations and notify each. In a refusal `where` is the number.

    Places are given in this order; who finds none waits. Refused as a whole if nobody finds one, or the waiting list is
    too short for the others.
    """
    with log.write(tournament, actor, actions.REGISTRATIONS_MOVED, Right.ADMIT) as entry:
        if to not in DECISIONS:
            raise Refused(REGISTRATION_STEP_UNKNOWN("step"))
        people = registrations_by_number(entry.tournament, list(dict.fromkeys(numbers)))
        missing = sorted(set(numbers) - {registration.number for registration in people})
        problems = [REGISTRATION_UNKNOWN(str(number), number=number) for number in missing]
        moving = [registration for registration in people if registration.state != to]
        if not problems and not moving:
            raise Refused(NOBODY_CHOSEN())
        problems += capacity_problems(entry.tournament, moving, to)
        if problems:
            raise Refused(problems)
        groups = new_states(entry.tournament, moving, to)
        moved = [registration for group in groups.values() for registration in group]
        entry.data = {"registrations": [registration.number for registration in moved], "to": to}
        frees = any(registration.state == State.ACCEPTED for registration in moved)
        _set_states(entry, groups)
        if frees:
            promote_from_waiting_list(entry)
    return moved


def _set_states(
    entry: Write, groups: Mapping[Registration.State, list[Registration]], *, notify: bool = True
) -> None:
    """Set the state of each group, and log who has which."""
    for state, group in groups.items():
        if group:
            set_state(entry, group, state, notify=notify)
            entry.data.setdefault("became", {})[state] = [registration.number for registration in group]


def confirm_registrations(tournament: Tournament, actor: Actor, numbers: Sequence[int]) -> list[Registration]:
    """Confirm registrations for people; places are given in order of registration.

    Without a place and room on the waiting list the state is PENDING.
    """
    with log.write(tournament, actor, actions.REGISTRATIONS_CONFIRMED, Right.ADMIT) as entry:
        people = unconfirmed(entry.tournament, numbers)
        if not people:
            raise Refused(NOBODY_CHOSEN())
        entry.data = {"registrations": [registration.number for registration in people]}
        _set_states(entry, _group_by_new_state(entry.tournament, people))
    return people


def add_registrations(
    tournament: Tournament,
    actor: Actor,
    people: Sequence[Registration],
    *,
    notify: bool = False,
    apart: Collection[int] = (),
    fee: Fee | None = None,
    is_accepting: bool = False,
) -> None:
    """Store registrations that the desk adds, already confirmed; places are given in this order.

    Without a place and room on the waiting list the state is PENDING. `apart`: rows of those who are other people than
    the players, registrations and rows of the same name. `fee`: the price category; None: the proposed one.
    `is_accepting`: give places even if the plan leaves that to the organiser. In a refusal `where` is "<row>.<field>".
    """
    with log.write(tournament, actor, actions.REGISTRATIONS_ADDED, Right.ADMIT) as entry:
        plan = plan_of(entry.tournament)
        questions = questions_of(plan) if plan else ()
        problems = [
            problem.at(f"{row}.{problem.where}")
            for row, registration in enumerate(people)
            for problem in registration_problems(registration, questions, is_self_service=False)
        ]
        problems += [
            double_problem(people[row], double, f"{row}.last_name")
            for row, double in doubles_by_row(entry.tournament, people).items()
            if row not in apart
        ]
        if problems:
            raise Refused(problems)
        store_registrations(entry, people)
        if fee is not None:
            for registration in people:
                create_due_at_registration(registration, fee)
        entry.data = {"registrations": [registration.number for registration in people]}
        groups = _group_by_new_state(entry.tournament, people, is_accepting=is_accepting)
        _set_states(entry, groups, notify=notify)
        entry.data.pop("came_from", None)


def _group_by_new_state(
    tournament: Tournament, people: Sequence[Registration], *, is_accepting: bool = False
) -> dict[Registration.State, list[Registration]]:
    """Return new state → its registrations, after everybody who waits already."""
    plan = plan_of(tournament)
    if plan is None:
        return {State.ACCEPTED if is_accepting else State.PENDING: list(people)}
    if not (is_accepting or gives_places(plan)):
        return {State.PENDING: list(people)}
    waiting, limits = waiting_list(tournament), limits_of(plan)
    accepted = set(promotable(limits, holders(tournament), [*waiting, *candidates(people)]))
    room = len(people) if limits.waiting is None else max(0, limits.waiting - len(waiting))
    others = [registration for registration in people if registration.number not in accepted]
    return {
        State.ACCEPTED: [registration for registration in people if registration.number in accepted],
        State.WAITING: others[:room],
        State.PENDING: others[room:],
    }


def enter_registered(
    tournament: Tournament,
    actor: Actor,
    numbers: Sequence[int],
    *,
    same: Collection[int] = (),
    apart: Collection[int] = (),
) -> list[Player]:
    """Enter accepted people as players, with the next numbers. In a refusal `where` is "<number>.<field>".

    Refused for those who are probably players already, or twice among these people, unless they are in `same` or in
    `apart` (`plan_entering`). A player keeps their own fields; only empty ones are filled from the registration.
    """
    with log.write(tournament, actor, actions.REGISTRATIONS_ENTERED, Right.ADMIT) as entry:
        people = registrations_by_number(entry.tournament, list(dict.fromkeys(numbers)))
        people = [
            registration
            for registration in people
            if registration.state == State.ACCEPTED and registration.player is None
        ]
        doubles = doubles_of_entering(entry.tournament, people)
        entering = plan_entering(entry.tournament, people, doubles, same=same, apart=apart)
        if entering.problems:
            raise Refused(entering.problems)
        if not entering.people:
            raise Refused(NOBODY_CHOSEN())
        n_linked = len(entering.players)
        new = Player.objects.bulk_create(
            Player(
                tournament=entry.tournament,
                **{name: getattr(entrant, name) for name in ("number", *SHARED_FIELDS)},
            )
            for entrant in entering.entrants[n_linked:]
        )
        players = [*entering.players, *new]
        for registration, player in zip(entering.people, players, strict=True):
            registration.player = player
        Registration.objects.bulk_update(entering.people, ["player"])
        mark_namesakes(entry.tournament)
        entry.data = {
            "registrations": [registration.number for registration in entering.people],
            "players": [player.number for player in players],
        }
        complete_linked(entry, entering)
    return players


def undo_step(tournament: Tournament, actor: Actor, seq: int) -> list[Registration]:
    """Undo the last step of the desk and notify everybody. `seq`: the number of its log entry.

    Raises Refused when it is no longer the last step, or somebody has moved on since.
    """
    with log.write(tournament, actor, actions.REGISTRATIONS_UNDONE, Right.ADMIT) as entry:
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
            _delete_players(entry, unlink_players(entry, step))
            return list(step.people)
        for registration in step.people:
            registration.tournament = entry.tournament
        _put_back(entry, step.people, step.before)
    return list(step.people)


def _delete_players(entry: Write, people: Sequence[Registration]) -> None:
    players = [registration.player for registration in people if registration.player]
    if problems := [problem for player in players if (problem := removal_blocker(player))]:
        raise Refused(problems)
    entry.data["players"] = [player.number for player in players]
    Player.objects.filter(pk__in=[player.pk for player in players]).delete()
    mark_namesakes(entry.tournament)
    for registration in people:
        registration.player = None


def _put_back(
    entry: Write, people: Sequence[Registration], before: Mapping[int, tuple[str, datetime | None]]
) -> None:
    for state in State:
        if group := [registration for registration in people if before[registration.number][0] == state]:
            set_state(entry, group, state, notify=False)
    entry.data.pop("came_from", None)
    for registration in people:
        registration.waits_since = before[registration.number][1]
    Registration.objects.bulk_update(people, ["waits_since"])
    plan = plan_of(entry.tournament)
    room = plan.places if plan else None
    has_accepted = any(before[registration.number][0] == State.ACCEPTED for registration in people)
    if has_accepted and room is not None and len(holders(entry.tournament)) > room:
        raise Refused(NO_PLACE_LEFT_FOR_UNDO())
    send_letters([registration for registration in people if registration.state != State.UNCONFIRMED])
