"""Seats of sessions not yet begun as they would be: after a swap, with somebody filmed, from a plan. Stores nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scoring.engine.problems import Problem
from tournament.base.errors import Refused, refuse
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.seating.engine import Plan, SeatingError
from tournament.seating.engine.plans import plan_problems
from tournament.seating.engine.stream import at_stream_table
from tournament.seating.engine.swap import swapped
from tournament.seating.selectors.finals import players_in
from tournament.seating.selectors.seatings import Reseating, refuse_begun, seats_of_all
from tournament.seating.selectors.session_seats import Tables

PlannedSessions = Mapping[int, Tables]
"""Session number → its tables in order."""


def streamed(
    tournament: Tournament, players: Sequence[int], table: int, sessions: Sequence[int]
) -> Reseating:
    """The seats as they would be; stores nothing. Refused as `seat_at_stream`."""
    if not sessions:
        raise refuse("nothing_left_to_play", "sessions")
    refuse_begun(tournament, sessions)
    before = seats_of_all(tournament)
    begun = tournament.sessions.exclude(state=Session.State.PLANNED).count()
    try:
        after = at_stream_table(before, players, table, sessions, begun=begun)
    except SeatingError as error:
        raise Refused(error.problems) from None
    changed = tuple(n for n, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != list(new))
    if not changed:
        raise refuse("plan_changes_nothing")
    return Reseating(before, after, changed)


def exchanged(tournament: Tournament, one: int, other: int, sessions: Sequence[int]) -> Reseating:
    """The seats as they would be; stores nothing. Refused as `swap_players`."""
    if not sessions:
        raise refuse("nothing_left_to_play")
    refuse_begun(tournament, sessions)
    before = seats_of_all(tournament)
    try:
        return Reseating(before, swapped(before, one, other, set(sessions)), tuple(sorted(sessions)))
    except SeatingError as error:
        raise Refused(error.problems) from None


def planned(tournament: Tournament, sessions: PlannedSessions) -> Reseating:
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
    return Reseating(before, after, changed)


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
