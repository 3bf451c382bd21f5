"""What a draw is made of. Inside the engine players are labels 0 … N − 1, seated in the order E, S, W, N."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TypeAlias

Table: TypeAlias = tuple[int, int, int, int]
Session: TypeAlias = tuple[Table, ...]
Sessions: TypeAlias = tuple[Session, ...]


def as_table(players: list[int]) -> Table:
    """Four players as a table; ValueError for any other number."""
    east, south, west, north = players
    return east, south, west, north


def meetings(sessions: Sessions) -> Iterator[tuple[int, int, int]]:
    """(session from 0, one player, another) for everybody who sits together."""
    for number, session in enumerate(sessions):
        for table in session:
            for one, other in combinations(table, 2):
                yield number, one, other
