"""Sessions without repeats for four columns of players: the construction that works at every size.

Players 0 … 4n − 1 stand in four columns of n. In a session the t-th of the first column meets one player from
each other column, shifted by (a, b, c); two sessions have no pair in common when their a, b, c, b − a, c −
a and c − b all differ. Players of one column never meet.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TypeAlias

from tournament.seating.engine.data import stored
from tournament.seating.engine.groups import Group
from tournament.seating.engine.shapes import Session, Sessions

Triple: TypeAlias = tuple[int, int, int]

_TRIES = 60
_SEED = 8128


def column_sessions(players: int, sessions: int) -> Sessions:
    """Up to ``sessions`` sessions in which nobody meets twice and nobody meets a player of the same column.

    As many as a column is long where a group allows it (see `groups`), else as many as a search finds: at
    least 12 from 64 players on.
    """
    length = players // 4
    group = Group.of_order(length)
    if group is not None:
        shifts = [group.multiples(element) for element in range(min(sessions, length))]
        return tuple(_session(length, shift, group) for shift in shifts)
    return tuple(_session(length, shift, None) for shift in difference_triples(length, sessions))


def _session(length: int, shift: Triple, group: Group | None) -> Session:
    def moved(position: int, by: int) -> int:
        return group.add(position, by) if group else (position + by) % length

    return tuple(
        (
            position,
            length + moved(position, shift[0]),
            2 * length + moved(position, shift[1]),
            3 * length + moved(position, shift[2]),
        )
        for position in range(length)
    )


@lru_cache(maxsize=64)
def difference_triples(modulus: int, wanted: int) -> tuple[Triple, ...]:
    """Up to ``wanted`` triples of which all entries and all differences are different modulo ``modulus``.

    The stored list, or the longest of a fixed number of random greedy runs: always the same one.
    """
    if known := stored()["triples"].get(str(modulus)):
        return tuple((a, b, c) for a, b, c in known[:wanted])
    random = Random(_SEED)
    longest: tuple[Triple, ...] = ()
    for _ in range(_TRIES):
        found = _greedy(modulus, wanted, random)
        longest = max(longest, found, key=len)
        if len(longest) == wanted:
            break
    return longest


def _greedy(modulus: int, wanted: int, random: Random) -> tuple[Triple, ...]:
    free = [set(range(modulus)) for _ in range(5)]
    free_b, free_c, free_ba, free_ca, free_cb = free
    triples: list[Triple] = []
    for a in range(modulus):
        if len(triples) == wanted:
            break
        choices_b = [b for b in free_b if (b - a) % modulus in free_ba]
        choices_c = [c for c in free_c if (c - a) % modulus in free_ca]
        pairs = ((b, c) for b in _mixed(choices_b, random) for c in _mixed(choices_c, random))
        b, c = next(((b, c) for b, c in pairs if (c - b) % modulus in free_cb), (None, None))
        if b is None or c is None:
            continue
        triples.append((a, b, c))
        used = (b, c, (b - a) % modulus, (c - a) % modulus, (c - b) % modulus)
        for values, value in zip(free, used, strict=True):
            values.discard(value)
    return tuple(triples)


def _mixed(values: list[int], random: Random) -> list[int]:
    """The values in random order, from ``random()`` alone: the only part of the generator that never
    changes.
    """
    return sorted(values, key=lambda _: random.random())
