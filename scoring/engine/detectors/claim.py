"""A claim: one fan, seen in certain sets."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from operator import itemgetter
from typing import Final, NamedTuple

from scoring.engine.fans import Fan


class Claim(NamedTuple):
    """A fan a player could point at, with the sets that form it, a bit a set."""

    fan: Fan
    sets: int


def bits(*indices: int) -> int:
    """The bits of some sets, by their place."""
    return sum(1 << index for index in indices)


def claims_among(sets: Sequence[int], relations: Mapping[tuple[int, ...], Fan | None]) -> list[Claim]:
    """A claim for every two, three or four sets that are related by a fan."""
    claims = []
    for chosen, mask in _SEVERAL[len(sets)]:
        if fan := relations[chosen(sets)]:
            claims.append(Claim(fan, mask))
    return claims


_SEVERAL: Final = tuple(
    tuple(
        (itemgetter(*places), bits(*places))
        for several in range(2, many + 1)
        for places in combinations(range(many), several)
    )
    for many in range(5)
)
"""By how many sets there are: how to take every two, three or four of them, and their bits."""


def places_of(sets: int) -> tuple[int, ...]:
    """The places of coded sets."""
    return tuple(place for place in range(sets.bit_length()) if sets >> place & 1)
