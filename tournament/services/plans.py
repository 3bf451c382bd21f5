"""Taking a plan of seats from a file, for the sessions not yet begun."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoring.engine.problems import Problem
from tournament import access, log
from tournament.access import Actor
from tournament.engine.seating import Plan
from tournament.errors import Refused, refuse
from tournament.models import Session, Tournament
from tournament.selectors.finals import players_in
from tournament.selectors.seatings import seats_of_all
from tournament.services.draw import plan_problems
from tournament.services.reseating import Again, reseat
from tournament.services.seatings import Tables

PlannedSessions = Mapping[int, Tables]
"""Session number → its tables in order."""


def planned(tournament: Tournament, sessions: PlannedSessions) -> Again:
    """The seats as they would be; stores nothing. Sessions that have begun may be in the plan as they are.

    Refused with everything that is wrong: `where` is "session <n>, table <m>" where it is about one table.
    """
    before = seats_of_all(tournament)
    if not sessions:
        raise refuse("no_seats")
    if problems := [*_problems(tournament, before, sessions)]:
        raise Refused(problems)
    last = max(len(before), *sessions)
    now = {number: before[number - 1] if number <= len(before) else [] for number in range(1, last + 1)}
    after = [sessions.get(number, now[number]) for number in range(1, last + 1)]
    changed = tuple(number for number in sorted(sessions) if list(sessions[number]) != now[number])
    if not changed:
        raise refuse("plan_changes_nothing")
    return Again(before, after, changed)


def take_plan(tournament: Tournament, actor: Actor, sessions: PlannedSessions, *, seen: str = "") -> None:
    """Put the planned seats in place of those there are. `seen`: as `reseat` has it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_planned") as entry:
        again = planned(entry.tournament, sessions)
        entry.data = reseat(entry.tournament, again, seen)
        entry.tournament.sessions_planned = max(entry.tournament.sessions_planned, len(again.after))
        entry.tournament.save(update_fields=["sessions_planned"])
        for number in range(1, entry.tournament.sessions_planned + 1):
            Session.objects.get_or_create(tournament=entry.tournament, number=number)


def _left_out(tournament: Tournament, session: int, tables: Tables) -> Iterator[Problem]:
    seated = {player for table in tables for player in table.values()}
    for player in sorted(set(players_in(tournament, session).values_list("number", flat=True)) - seated):
        yield Problem("no_seat_in_session", "", {"player": player, "session": session})


def _problems(tournament: Tournament, before: Plan, sessions: PlannedSessions) -> Iterator[Problem]:
    here = set(tournament.players.filter(withdrawn_at=None).values_list("number", flat=True))
    begun = set(tournament.sessions.exclude(state=Session.State.PLANNED).values_list("number", flat=True))
    for number, tables in sorted(sessions.items()):
        if number not in begun:
            yield from plan_problems([tables], here, number)
            yield from _left_out(tournament, number, tables)
        elif list(tables) != list(before[number - 1]):
            yield Problem("session_already_begun", "", {"session": number})
    for number in range(len(before) + 1, max(sessions)):
        if number not in sessions:
            yield Problem("earlier_session_unseated", "", {"session": number})
