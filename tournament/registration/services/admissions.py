"""What the organiser plans and the desk decides: who has a place, who waits, who is declined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Final

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.registration import KeptPlaces, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.players import problems_of_all, what_keeps, with_numbers
from tournament.registration.engine import Candidate, moving_up
from tournament.registration.selectors.plan import (
    PlanWish,
    QuestionWish,
    asked_by,
    holders,
    limits_of,
    line_of,
    plan_of,
    plan_problems,
    questions_problems,
    who_answered,
    wish_of,
)
from tournament.registration.selectors.registrations import (
    PARTICULARS,
    Applicant,
    about_people,
    applicant_problems,
    by_numbers,
    entrant_of,
    last_step,
    too_many,
)
from tournament.registration.services.registrations import State, fill_up, move, store, tell

# --- The plan ---


def set_plan(tournament: Tournament, actor: Actor, wanted: PlanWish, *, site: str = "") -> RegistrationPlan:
    """Say what registration is to be; more places are given to who waits, if the plan says so.

    `site`: what links in letters begin with; left out, it stays.
    """
    access.require(actor, tournament, Right.ORGANISE)
    if problems := plan_problems(wanted):
        raise Refused(problems)
    with log.write(tournament, actor, "registration_plan_set") as entry:
        old = plan_of(entry.tournament)
        if old and wish_of(old) == wanted and site in ("", old.site):
            entry.unchanged()
            return old
        plan = old or RegistrationPlan(tournament=entry.tournament)
        plan.tournament = entry.tournament
        values = asdict(wanted)
        kept = values.pop("kept")
        for name, value in values.items():
            setattr(plan, name, value)
        plan.site = site or plan.site
        plan.save()
        plan.kept.all().delete()
        KeptPlaces.objects.bulk_create(KeptPlaces(plan=plan, **places) for places in kept)
        entry.data = {"places": plan.places, "waiting_places": plan.waiting_places, "is_open": plan.is_open}
        fill_up(entry)
    return plan


def set_questions(
    tournament: Tournament, actor: Actor, all_wanted: Sequence[QuestionWish], *, drop_answers: bool = False
) -> list[Question]:
    """What is asked besides, in this order. A question that is left out is gone; where people have answered it, only
    with `drop_answers`, and their answers go with it."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "registration_questions_set") as entry:
        plan = plan_of(entry.tournament)
        if plan is None:
            raise refuse("registration_not_planned")
        known = {question.pk: question for question in plan.questions.all()}
        if problems := questions_problems(all_wanted, known):
            raise Refused(problems)
        left_out = known.keys() - {wanted.key for wanted in all_wanted}
        _drop_questions([known[key] for key in left_out], drop_answers)
        questions = []
        for position, wanted in enumerate(all_wanted, 1):
            question = known.get(wanted.key or 0, Question(plan=plan))
            question.position, question.kind, question.is_required = position, wanted.kind, wanted.is_required
            question.text, question.choices = dict(wanted.text), [dict(choice) for choice in wanted.choices]
            question.save()
            questions.append(question)
        entry.data = {"questions": len(questions)}
    return questions


def _drop_questions(left_out: Sequence[Question], drop_answers: bool) -> None:
    """They and what was answered to them; raises Refused with everybody's answers counted unless those may go."""
    in_order = sorted(left_out, key=lambda question: question.position)
    answers = {question: who_answered(question).count() for question in in_order}
    refused = [
        Problem("question_answered", "drop_answers", {"number": question.position, "answers": count})
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
        raise refuse("registration_step_unknown", "step")
    with log.write(tournament, actor, "registrations_moved") as entry:
        people = by_numbers(entry.tournament, list(dict.fromkeys(numbers)))
        missing = sorted(set(numbers) - {registration.number for registration in people})
        problems = [Problem("registration_unknown", str(number), {"number": number}) for number in missing]
        moving = [registration for registration in people if registration.state != to]
        if not problems and not moving:
            raise refuse("nobody_chosen")
        problems += too_many(entry.tournament, moving, to)
        if problems:
            raise Refused(problems)
        entry.data = {"registrations": [registration.number for registration in moving], "to": to}
        frees = any(registration.state == State.ACCEPTED for registration in moving)
        move(entry, moving, to)
        if frees:
            fill_up(entry)
    return moving


def add_registrations(
    tournament: Tournament, actor: Actor, applicants: Sequence[Applicant], *, tells: bool = False
) -> list[Registration]:
    """People whom the desk enters: by hand, or a list. They need no confirming; places go in the order of the list.

    Who finds neither a place nor room on the waiting list is left to be looked at. In a refusal `where` is
    "<row>.<field>".
    """
    access.require(actor, tournament, Right.ADMIT)
    with log.write(tournament, actor, "registrations_added") as entry:
        plan = plan_of(entry.tournament)
        questions = asked_by(plan) if plan else ()
        problems = [
            Problem(problem.code, f"{row}.{problem.where}", problem.params)
            for row, applicant in enumerate(applicants)
            for problem in applicant_problems(applicant, questions, by_themselves=False)
        ]
        if problems:
            raise Refused(problems)
        people = store(entry, applicants)
        entry.data = {"registrations": [registration.number for registration in people]}
        for state, group in _by_state(entry.tournament, people).items():
            move(entry, group, state, tells=tells)
        entry.data.pop("came_from", None)
    return people


def _by_state(
    tournament: Tournament, people: Sequence[Registration]
) -> dict[Registration.State, list[Registration]]:
    """State → who comes into it, behind everybody who waits already."""
    plan = plan_of(tournament)
    if plan is None or not plan.accepts_itself:
        return {State.PENDING: list(people)}
    line, limits = line_of(tournament), limits_of(plan)
    newcomers = [
        Candidate(registration.number, registration.country, registration.club) for registration in people
    ]
    moving = set(moving_up(limits, holders(tournament), [*line, *newcomers]))
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
    with log.write(tournament, actor, "registrations_entered") as entry:
        people = by_numbers(entry.tournament, list(dict.fromkeys(numbers)))
        people = [
            registration
            for registration in people
            if registration.state == State.ACCEPTED and registration.player is None
        ]
        if not people:
            raise refuse("nobody_chosen")
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
    with log.write(tournament, actor, "registrations_undone") as entry:
        step = last_step(entry.tournament)
        if step is None or step.seq != seq:
            raise refuse("registration_step_gone")
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
        raise refuse("no_place_left_for_undo")
    tell([registration for registration in people if registration.state != State.UNCONFIRMED])
