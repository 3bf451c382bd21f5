"""Finals as data: who goes on, with which points, in which groups (RULES §8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from tournament.engine.results import PlayerRow
from tournament.engine.standings import Standing, Standings


class Carry(StrEnum):
    """What a finalist keeps of the points so far."""

    FULL = "full"
    HALF = "half"
    NOTHING = "dropped"


_SHARES: Final = {Carry.FULL: Fraction(1), Carry.HALF: Fraction(1, 2), Carry.NOTHING: Fraction(0)}


@dataclass(frozen=True, slots=True)
class Stage:
    """A further stage for the best ``top`` players, playing in groups of ``group_size``, four or a multiple.

    Raises ValueError when that does not come out even.
    """

    top: int
    group_size: int
    carry: Carry = Carry.FULL

    def __post_init__(self) -> None:
        if self.top <= 0 or self.group_size <= 0 or self.group_size % 4 or self.top % self.group_size:
            raise ValueError(f"groups of {self.group_size} do not make a final of {self.top}")


TOP_16: Final = Stage(16, 16)
TOP_8: Final = Stage(8, 8)
TOP_4: Final = Stage(4, 4)
WORLD_CHAMPIONSHIP_2019: Final = (Stage(16, 16), Stage(16, 4, Carry.NOTHING))
"""The best sixteen together, then by their places in groups of four."""


def finalists(standings: Standings, stage: Stage) -> tuple[PlayerRow, ...]:
    """The players of the stage, best first, with the points they carry into it.

    Withdrawn players and those without a rank make room for the next. On a shared place that straddles the cut
    the order of the standings decides: see `straddling`. Raises ValueError when there are not enough players.
    """
    going = _available(standings)[: stage.top]
    if len(going) < stage.top:
        raise ValueError(f"a final of {stage.top} needs as many players, not {len(going)}")
    share = _SHARES[stage.carry]
    return tuple(
        PlayerRow(
            row.number,
            carried_table_points=row.table_points * share,
            carried_game_points=_whole(row.game_points * share),
        )
        for row in going
    )


def straddling(standings: Standings, stage: Stage) -> tuple[int, ...]:
    """The players who share the last place that goes on with somebody who does not; the organiser must decide."""
    available = _available(standings)
    if len(available) <= stage.top or available[stage.top - 1].rank != available[stage.top].rank:
        return ()
    return tuple(row.number for row in available if row.rank == available[stage.top].rank)


def groups(numbers: Sequence[int], stage: Stage) -> tuple[tuple[int, ...], ...]:
    """Consecutive groups of the stage's size: the best play each other."""
    starts = range(0, len(numbers), stage.group_size)
    return tuple(tuple(numbers[start : start + stage.group_size]) for start in starts)


def _available(standings: Standings) -> list[Standing]:
    return [row for row in standings.rows if row.rank is not None and not row.withdrawn]


def _whole(points: Fraction) -> Fraction | int:
    """Half of an odd score stays a fraction; everything else is a whole number again."""
    return points.numerator if points.denominator == 1 else points
