"""One session at a time without standings deciding all of it: by lot, or at intervals of the standings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from tournament.seating.engine.errors import SeatingError
from tournament.seating.engine.lots import Lots
from tournament.seating.engine.plans import Plan, Seats, as_plan, as_sessions
from tournament.seating.engine.requests import size_problems
from tournament.seating.engine.search import SeatSearch
from tournament.seating.engine.shapes import Session, as_table
from tournament.seating.engine.turns import next_winds
from tournament.seating.engine.wishes import HARD, Wishes, wished_apart

_EVALUATIONS: Final = 60_000
_MATES: Final = 0.5
"""What a meeting of team-mates costs beside a repeat, 1, where they may meet."""
_COMPATRIOTS: Final = 0.1
"""The same for compatriots; club-mates cost three times that."""


def random_session(
    players: Sequence[int],
    played: Plan = (),
    *,
    seed: str,
    wishes: Wishes | None = None,
    apart: Collection[tuple[int, int]] = (),
    teams_first: bool = True,
) -> tuple[Seats, ...]:
    """The next session by lot, then changed as little as it takes for nobody to meet again or meet a team-mate,
    and for no pair of ``apart`` to meet; without ``teams_first`` team-mates rather meet than two players again.
    Club-mates and compatriots meet as rarely as goes without either.

    Players at the winds they have started at least. Raises `SeatingError` as `draw` does for the players.
    """
    if problems := [*size_problems(players, 1)]:
        raise SeatingError(problems)
    lots = Lots(seed)
    before = as_sessions(played)
    costs = wished_apart(wishes or Wishes(), apart, HARD if teams_first else _MATES, HARD, _COMPATRIOTS)
    drawn = _in_fours(lots.shuffled(players))
    search = SeatSearch((*before, drawn), [len(before)], costs)
    return _seated(search.mend(_EVALUATIONS, lots)[-1], before)


def interval_session(order: Sequence[int], played: Plan = ()) -> tuple[Seats, ...]:
    """The next session by standing, best first: with 16 players 1-5-9-13 at table 1, 2-6-10-14 at table 2 …

    Raises `SeatingError` as `draw` does for the players.
    """
    if problems := [*size_problems(order, 1)]:
        raise SeatingError(problems)
    tables = len(order) // 4
    ordered = [order[place + quarter * tables] for place in range(tables) for quarter in range(4)]
    return _seated(_in_fours(ordered), as_sessions(played))


def _in_fours(players: Sequence[int]) -> Session:
    return tuple(as_table(list(players[first : first + 4])) for first in range(0, len(players), 4))


def _seated(session: Session, before: Sequence[Session]) -> tuple[Seats, ...]:
    (seats,) = as_plan((next_winds(session, before),))
    return seats
