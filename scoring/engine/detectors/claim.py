"""A claim: one fan, seen in certain sets."""

from collections.abc import Mapping, Sequence
from itertools import combinations
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
    bits_of_sets = _PLACES[: len(sets)]
    for several in range(2, len(sets) + 1):
        for some, places in zip(
            combinations(sets, several), combinations(bits_of_sets, several), strict=True
        ):
            if fan := relations[some]:
                claims.append(Claim(fan, sum(places)))
    return claims


_PLACES: Final = (1, 2, 4, 8)
"""The bits of four sets."""


def places_of(sets: int) -> tuple[int, ...]:
    """The places of coded sets."""
    return tuple(place for place in range(sets.bit_length()) if sets >> place & 1)
