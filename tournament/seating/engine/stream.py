"""Players at the table that is filmed: tables change numbers, and players their labels, so that nobody meets again."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scoring.engine.problems import Problem
from tournament.seating.engine.compare import places
from tournament.seating.engine.errors import SeatingError
from tournament.seating.engine.numbers import at_their_tables
from tournament.seating.engine.plans import Plan, Seats, as_plan, as_sessions
from tournament.seating.engine.quality import count_repeats
from tournament.seating.engine.swap import swapped


def at_stream_table(
    plan: Plan, players: Sequence[int], table: int, sessions: Collection[int], *, begun: int = 0
) -> tuple[tuple[Seats, ...], ...]:
    """The plan with the players at the table (from 1) in the sessions (from 1) named; the first ``begun`` stay.

    One player in any number of sessions: tables exchange numbers. Several meet there in one session: each exchanges
    all seats still to come with somebody who was to sit there, which brings no repeat before the event has begun.
    Raises `SeatingError`: ``table_unknown`` {table, tables}, ``stream_players`` {most}, ``stream_one_session``,
    ``player_twice`` {player}, ``no_seat_in_session`` {player, session}.
    """
    if problems := _problems(plan, players, table, sessions):
        raise SeatingError(problems)
    first, *others = players
    for player in others:
        (session,) = sessions
        plan = _together(plan, [*players[: players.index(player)]], player, session, begun)
    numbered = [
        at_their_tables(seats, {first: table}) if number in sessions else seats
        for number, seats in enumerate(as_sessions(plan), 1)
    ]
    return as_plan(tuple(numbered))


def _problems(plan: Plan, players: Sequence[int], table: int, sessions: Collection[int]) -> list[Problem]:
    found = []
    if not 1 <= len(players) <= 4:
        found.append(Problem("stream_players", "players", {"most": 4}))
    if len(players) > 1 and len(sessions) != 1:
        found.append(Problem("stream_one_session", "sessions"))
    found += [Problem("player_twice", "players", {"player": p}) for p in set(players) if players.count(p) > 1]
    seated = places(plan)
    for session in sorted(sessions):
        tables = len(plan[session - 1]) if session <= len(plan) else 0
        if not 1 <= table <= tables:
            found.append(Problem("table_unknown", "table", {"table": table, "tables": tables}))
        found += [
            Problem("no_seat_in_session", "players", {"player": player, "session": session})
            for player in players
            if (session, player) not in seated
        ]
    return found


def _together(plan: Plan, there: Sequence[int], player: int, session: int, begun: int) -> Plan:
    """The plan with the player at the table of those who are ``there``, at the price of the fewest repeats."""
    four = next(seats for seats in plan[session - 1] if there[0] in seats.values())
    if player in four.values():
        return plan
    ahead = range(begun + 1, len(plan) + 1)
    offers = [swapped(plan, player, other, ahead) for other in four.values() if other not in there]
    return min(offers, key=lambda offer: count_repeats(as_sessions(offer)))
