"""What the desk decides: who has a place, who waits, who is declined; many at once, and undone in one step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.access.rights import Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.entrants import problems_of_all, with_numbers
from tournament.players.selectors.roll import what_keeps
from tournament.registration.engine import Candidate, moving_up
from tournament.registration.selectors.applicants import (
    PARTICULARS,
    Applicant,
    applicant_problems,
    entrant_of,
)
from tournament.registration.selectors.registration_plan import asked_by, holders, limits_of, line_of, plan_of
from tournament.registration.selectors.registration_steps import about_people, too_many
from tournament.registration.selectors.registrations import by_numbers, last_step
from tournament.registration.services.letters import tell
from tournament.registration.services.registration_moves import State, fill_up, move
from tournament.registration.services.registrations import store

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
        missing = sorted(set(numbers) - {one.number for one in people})
        found = [Problem("registration_unknown", str(number), {"number": number}) for number in missing]
        moving = [one for one in people if one.state != to]
        if not found and not moving:
            raise refuse("nobody_chosen")
        found += too_many(entry.tournament, moving, to)
        if found:
            raise Refused(found)
        entry.data = {"registrations": [one.number for one in moving], "to": to}
        frees = any(one.state == State.ACCEPTED for one in moving)
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
        found = [
            Problem(problem.code, f"{row}.{problem.where}", problem.params)
            for row, applicant in enumerate(applicants)
            for problem in applicant_problems(applicant, questions, by_themselves=False)
        ]
        if found:
            raise Refused(found)
        people = store(entry, applicants)
        entry.data = {"registrations": [one.number for one in people]}
        for state, group in _sorted(entry.tournament, people).items():
            move(entry, group, state, tells=tells)
        entry.data.pop("came_from", None)
    return people


def _sorted(
    tournament: Tournament, people: Sequence[Registration]
) -> dict[Registration.State, list[Registration]]:
    """State → who comes into it, behind everybody who waits already."""
    plan = plan_of(tournament)
    if plan is None or not plan.accepts_itself:
        return {State.PENDING: list(people)}
    line, limits = line_of(tournament), limits_of(plan)
    news = [Candidate(one.number, one.country, one.club) for one in people]
    up = set(moving_up(limits, holders(tournament), [*line, *news]))
    room = len(people) if limits.waiting is None else max(0, limits.waiting - len(line))
    later = [one for one in people if one.number not in up]
    sorted_ = {
        State.ACCEPTED: [one for one in people if one.number in up],
        State.WAITING: later[:room],
        State.PENDING: later[room:],
    }
    return {state: group for state, group in sorted_.items() if group}


def enter_registered(tournament: Tournament, actor: Actor, numbers: Sequence[int]) -> list[Player]:
    """Accepted people become players, with the next numbers. In a refusal `where` is "<number>.<field>"."""
    access.require(actor, tournament, Right.ADMIT)
    with log.write(tournament, actor, "registrations_entered") as entry:
        people = by_numbers(entry.tournament, list(dict.fromkeys(numbers)))
        people = [one for one in people if one.state == State.ACCEPTED and one.player is None]
        if not people:
            raise refuse("nobody_chosen")
        entrants = with_numbers(entry.tournament, [entrant_of(one) for one in people])
        if found := problems_of_all(entry.tournament, entrants):
            raise Refused(about_people(found, people))
        players = Player.objects.bulk_create(
            Player(
                tournament=entry.tournament,
                **{name: getattr(entrant, name) for name in ("number", *PARTICULARS)},
            )
            for entrant in entrants
        )
        for one, player in zip(people, players, strict=True):
            one.player = player
        Registration.objects.bulk_update(people, ["player"])
        entry.data = {
            "registrations": [one.number for one in people],
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
        entry.data = {"registrations": [one.number for one in step.people], "step": seq}
        if step.is_adding:
            entry.tournament.registrations.filter(pk__in=[one.pk for one in step.people]).delete()
            return list(step.people)
        if step.is_entering:
            _leave_again(entry, step.people)
            return list(step.people)
        for one in step.people:
            one.tournament = entry.tournament
        _put_back(entry, step.people, step.before)
    return list(step.people)


def _leave_again(entry: log.Write, people: Sequence[Registration]) -> None:
    players = [one.player for one in people if one.player]
    if found := [problem for player in players if (problem := what_keeps(player))]:
        raise Refused(found)
    entry.data["players"] = [player.number for player in players]
    Player.objects.filter(pk__in=[player.pk for player in players]).delete()
    for one in people:
        one.player = None


def _put_back(
    entry: log.Write, people: Sequence[Registration], before: Mapping[int, tuple[str, datetime | None]]
) -> None:
    for state in State:
        if group := [one for one in people if before[one.number][0] == state]:
            move(entry, group, state, tells=False)
    entry.data.pop("came_from", None)
    for one in people:
        one.waits_since = before[one.number][1]
    Registration.objects.bulk_update(people, ["waits_since"])
    plan = plan_of(entry.tournament)
    room = plan.places if plan else None
    back = any(before[one.number][0] == State.ACCEPTED for one in people)
    if back and room is not None and len(holders(entry.tournament)) > room:
        raise refuse("no_place_left_for_undo")
    tell([one for one in people if one.state != State.UNCONFIRMED])
