"""Starting winds one session at a time, when the ones before are played and cannot change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Final, TypeAlias

from tournament.seating.engine.shapes import Session, Sessions, Table

Counts: TypeAlias = defaultdict[int, list[int]]
"""Player → how often at E, S, W, N."""

_ORDERS: Final = tuple(permutations(range(4)))
_SWEEPS: Final = 6


def wind_counts(sessions: Iterable[Session]) -> Counts:
    """How often everybody has started at each wind."""
    counts: Counts = defaultdict(lambda: [0, 0, 0, 0])
    for session in sessions:
        for table in session:
            _count(table, counts, 1)
    return counts


def next_winds(session: Session, played: Sequence[Session]) -> Session:
    """The tables with their players at the winds that they have had least; ties keep the order given."""
    counts = wind_counts(played)
    return tuple(_turned(table, counts) for table in session)


def balanced(sessions: Sessions, played: Sequence[Session], turnable: Iterable[tuple[int, int]]) -> Sessions:
    """Sessions in which the tables of ``turnable``, (session, table) from 0, are turned to even out the winds."""
    seated = [list(session) for session in sessions]
    counts = wind_counts([*played, *sessions])
    tables = sorted(turnable)
    for _ in range(_SWEEPS):
        turned = False
        for session, number in tables:
            table = seated[session][number]
            _count(table, counts, -1)
            seated[session][number] = _turned(table, counts)
            _count(seated[session][number], counts, 1)
            turned |= seated[session][number] != table
        if not turned:
            break
    return tuple(tuple(session) for session in seated)


def _turned(table: Table, counts: Counts) -> Table:
    """The order with the smallest sum of squares of what everybody then has."""
    best = min(_ORDERS, key=lambda order: sum(counts[table[seat]][wind] for wind, seat in enumerate(order)))
    east, south, west, north = (table[seat] for seat in best)
    return east, south, west, north


def _count(table: Table, counts: Counts, step: int) -> None:
    for wind, player in enumerate(table):
        counts[player][wind] += step
