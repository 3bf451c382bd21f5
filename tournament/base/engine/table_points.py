"""Table points: what the places at one table are worth (RULES §8: 4/2/1/0, equal scores share)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

STANDARD_SCALE: Final = (4, 2, 1, 0)
_HUNDREDTHS: Final = 100


def table_points(
    game_points: Sequence[int],
    scale: Sequence[Fraction | int] = STANDARD_SCALE,
    placed: Sequence[bool] | None = None,
) -> tuple[Fraction, ...]:
    """The table points for game points given in seat order; equal scores share the sum of their places
    exactly.

    ``table_points([30, 10, 10, -50])`` is ``(4, 3/2, 3/2, 0)``. Seats that are not ``placed`` have 0, and the others
    the first places: the last ones, as many as there are such seats, are nobody's. The parts sum to what the places
    taken are worth. Raises ValueError when there are not as many scores as places.
    """
    if len(game_points) != len(scale):
        raise ValueError(f"{len(scale)} places, {len(game_points)} scores")
    return _shares(_better(game_points, placed), tuple(scale))


def places(game_points: Sequence[int], placed: Sequence[bool] | None = None) -> tuple[int | None, ...]:
    """The place of each score at its table, 1 the best; equal scores have the same place (1, 2, 2, 4). None for seats
    that are not ``placed``.
    """
    return tuple(None if better is None else 1 + better for better in _better(game_points, placed))


def _better(game_points: Sequence[int], placed: Sequence[bool] | None) -> tuple[int | None, ...]:
    """How many scored better, for each seat with a place."""
    if placed is None or all(placed):
        return tuple(sum(other > mine for other in game_points) for mine in game_points)
    counted = [points for points, has_place in zip(game_points, placed, strict=True) if has_place]
    return tuple(
        sum(other > mine for other in counted) if has_place else None
        for mine, has_place in zip(game_points, placed, strict=True)
    )


@lru_cache(maxsize=1024)
def _shares(better: tuple[int | None, ...], scale: tuple[Fraction | int, ...]) -> tuple[Fraction, ...]:
    """Share the scale, knowing for each player how many scored better. A table has only 75 such patterns."""
    shares = []
    for first in better:
        if first is None:
            shares.append(Fraction(0))
            continue
        tied = better.count(first)
        shares.append(Fraction(sum(scale[first : first + tied])) / tied)
    return tuple(shares)


def two_decimals(points: Fraction | int) -> str:
    """Points as they are printed: two decimals, half up (away from zero): ``7/3`` is ``2.33``, ``3/8``
    ``0.38``.
    """
    hundredths = int(abs(Fraction(points)) * _HUNDREDTHS + Fraction(1, 2))
    sign = "-" if points < 0 and hundredths else ""
    return f"{sign}{hundredths // _HUNDREDTHS}.{hundredths % _HUNDREDTHS:02d}"
