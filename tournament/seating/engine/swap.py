"""Two players exchange seats, in some sessions of a plan."""

from __future__ import annotations

from collections.abc import Collection

from scoring.engine.problems import Problem
from tournament.seating.engine.compare import places
from tournament.seating.engine.errors import SeatingError
from tournament.seating.engine.plans import Plan, Seats


def swapped(plan: Plan, one: int, other: int, sessions: Collection[int]) -> tuple[tuple[Seats, ...], ...]:
    """The plan with the two in each other's seats in the sessions (from 1) named.

    In all sessions that is an exchange of names, and brings no repeat. Raises `SeatingError`: ``swap_with_self``
    {player}, ``no_seat_in_session`` {player, session}.
    """
    if one == other:
        raise SeatingError([Problem("swap_with_self", "other", {"player": one})])
    seated = places(plan)
    if missing := [
        Problem("no_seat_in_session", where, {"player": player, "session": session})
        for session in sorted(sessions)
        for where, player in (("one", one), ("other", other))
        if (session, player) not in seated
    ]:
        raise SeatingError(missing)
    turned = {one: other, other: one}
    return tuple(
        tuple(
            {
                wind: turned.get(player, player) if number in sessions else player
                for wind, player in table.items()
            }
            for table in session
        )
        for number, session in enumerate(plan, 1)
    )
