"""Sessions in which nobody meets twice: the best known for each number of players, ready to be relabelled.

Players are the numbers 0 … N − 1. The data is `designs.json`; sizes that it does not hold come from
`columns`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle, islice
from typing import Final

from tournament.seating.engine.columns import column_sessions
from tournament.seating.engine.data import stored
from tournament.seating.engine.lots import Lots
from tournament.seating.engine.quality import count_repeats, repeats_minimum
from tournament.seating.engine.search import Cooling, SeatSearch
from tournament.seating.engine.shapes import Session, Sessions, Table, as_table

_MOVES: Final = 40_000


@dataclass(frozen=True, slots=True)
class Starter:
    """A base session over ``blocks`` blocks of ``length`` players, the rest fixed.

    Adding 1 modulo ``length`` inside every block develops it into ``length`` sessions without a repeat.
    """

    length: int
    blocks: int
    base: tuple[Table, ...]

    def developed(self, sessions: int) -> Sessions:
        """The first ``sessions`` sessions, or all that there are."""
        return tuple(self._moved(step) for step in range(min(sessions, self.length)))

    def _moved(self, step: int) -> Session:
        turning = self.blocks * self.length

        def move(player: int) -> int:
            if player >= turning:
                return player
            block, place = divmod(player, self.length)
            return block * self.length + (place + step) % self.length

        return tuple((move(a), move(b), move(c), move(d)) for a, b, c, d in self.base)


def without_repeats(players: int, sessions: int) -> Sessions:
    """Up to ``sessions`` sessions without a repeat; fewer when no more are known."""
    started = _starter_sessions(players, sessions)
    return started if len(started) == sessions else max(started, column_design(players, sessions), key=len)


def column_design(players: int, sessions: int) -> Sessions:
    """Sessions over four columns, then, if it takes more, inside the columns where they divide into
    tables.
    """
    across = column_sessions(players, sessions)
    length = players // 4
    missing = sessions - len(across)
    if missing <= 0 or length % 4:
        return across
    inside = without_repeats(length, missing)
    return across + tuple(_in_every_column(session, length) for session in inside)


@lru_cache(maxsize=32)
def with_few_repeats(players: int, sessions: int) -> Sessions:
    """Exactly ``sessions`` sessions: without a repeat; or stored; or found by a search, the same every time."""
    known = without_repeats(players, sessions)
    if len(known) == sessions:
        return known
    best = _stored_with_repeats(players, sessions) or known
    again = tuple(islice(cycle(best), sessions))
    if len(best) == sessions or count_repeats(again) == repeats_minimum(players, sessions):
        return again
    search = SeatSearch(again, range(len(best), sessions), {})
    return search.run(Cooling(_MOVES), Lots(f"{players} players, {sessions} sessions"))


def _in_every_column(session: Session, length: int) -> Session:
    starts = range(0, 4 * length, length)
    return tuple((start + a, start + b, start + c, start + d) for start in starts for a, b, c, d in session)


def _starter_sessions(players: int, sessions: int) -> Sessions:
    if starter := stored()["starters"].get(str(players)):
        base = tuple(as_table(table) for table in starter["base"])
        return Starter(starter["m"], starter["blocks"], base).developed(sessions)
    return _read(stored()["explicit"].get(str(players), ()))[:sessions]


def _stored_with_repeats(players: int, sessions: int) -> Sessions:
    """The stored seating for more sessions than go without a repeat, or for the nearest fewer; or none."""
    table = {int(number): rows for number, rows in stored()["repeating"].get(str(players), {}).items()}
    within = [number for number in table if number <= sessions]
    return _read(table[max(within)]) if within else ()


def _read(rows: Sequence[Sequence[list[int]]]) -> Sessions:
    return tuple(tuple(as_table(table) for table in session) for session in rows)
