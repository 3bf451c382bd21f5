"""Starting winds: everybody has each wind once in every block of four sessions.

The players and tables of a block form a graph, an edge a seat. Walking it in closed trails and giving every
second edge to one side halves the seats of every table exactly and those of every player as evenly as can
be; doing it twice deals out the four winds. Linear in the number of seats.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, cycle
from typing import TypeAlias

from tournament.seating.engine.lots import Lots
from tournament.seating.engine.shapes import Session, Sessions, as_table

Edge: TypeAlias = tuple[int, int]
"""(player, table); the tables of all sessions of a block are numbered through."""

_BLOCK = 4
_NO_TABLE = -1
"""Evens out players with an odd number of seats."""


def with_winds(sessions: Sessions, lots: Lots) -> Sessions:
    """The same tables with their players in the order E, S, W, N.

    Blocks of four are counted from the first session; in a shorter last block nobody has a wind twice, so
    that nobody is ever more than one wind ahead. ``lots`` draws which wind is which in each block.
    """
    blocks = (sessions[first : first + _BLOCK] for first in range(0, len(sessions), _BLOCK))
    return tuple(chain.from_iterable(_seat_block(block, lots) for block in blocks))


def _seat_block(sessions: Sessions, lots: Lots) -> list[Session]:
    tables = [table for session in sessions for table in session]
    edges = [(player, number) for number, table in enumerate(tables) for player in table]
    quarters = [quarter for half in _halves(edges) for quarter in _halves(half)]
    seats = [[0, 0, 0, 0] for _ in tables]
    for wind, quarter in enumerate(lots.shuffled(quarters)):
        for player, number in quarter:
            seats[number][wind] = player
    ordered = iter([as_table(seat) for seat in seats])
    return [tuple(next(ordered) for _ in session) for session in sessions]


def _halves(edges: list[Edge]) -> tuple[list[Edge], list[Edge]]:
    """Split the edges so that every player and table has half of its own on each side, give or take one.

    Tables have an even number of edges; players with an odd number get one more, to no table.
    """
    at_player: defaultdict[int, list[Edge]] = defaultdict(list)
    at_table: defaultdict[int, list[Edge]] = defaultdict(list)
    for edge in edges:
        at_player[edge[0]].append(edge)
        at_table[edge[1]].append(edge)
    for player, mine in at_player.items():
        if len(mine) % 2:
            mine.append((player, _NO_TABLE))
            at_table[_NO_TABLE].append((player, _NO_TABLE))
    sides: tuple[list[Edge], list[Edge]] = ([], [])
    walked: set[Edge] = set()
    for start in at_player:
        while trail := _closed_trail(start, at_player, at_table, walked):
            for edge, side in zip(trail, cycle(sides), strict=False):
                if edge[1] != _NO_TABLE:
                    side.append(edge)
    return sides


def _closed_trail(
    start: int,
    at_player: dict[int, list[Edge]],
    at_table: dict[int, list[Edge]],
    walked: set[Edge],
) -> list[Edge]:
    """Walk unused edges from a player until there are none left there; every trail comes back to its
    start.
    """
    trail: list[Edge] = []
    player = start
    while edge := _next_edge(at_player[player], walked):
        trail.append(edge)
        back = _next_edge(at_table[edge[1]], walked)
        if back is None:
            raise AssertionError("a table has an odd number of seats left")
        trail.append(back)
        player = back[0]
    return trail


def _next_edge(edges: list[Edge], walked: set[Edge]) -> Edge | None:
    while edges:
        edge = edges.pop()
        if edge not in walked:
            walked.add(edge)
            return edge
    return None
