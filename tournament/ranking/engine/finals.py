"""Finals as data: who goes on, with which points, in which groups (RULES §8)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import floor
from typing import Any, Final

from tournament.ranking.engine.results import Carried, PlayerRow
from tournament.ranking.engine.standings import Standing, Standings

MOST_SESSIONS: Final = 16
SIZES: Final = {"4": (4, 4), "8": (8, 8), "16": (16, 16), "16/4": (16, 4)}
"""What may be wished: how many go on, and how large their groups are."""


class Carry(StrEnum):
    """What a finalist keeps of the points so far."""

    FULL = "full"
    HALF = "half"
    NOTHING = "dropped"


_SHARES: Final = {Carry.FULL: Fraction(1), Carry.HALF: Fraction(1, 2), Carry.NOTHING: Fraction(0)}


@dataclass(frozen=True, slots=True)
class FinalStage:
    """A further stage for the best ``top`` players, playing in groups of ``group_size``, four or a multiple.

    Raises ValueError when that does not come out even.
    """

    top: int
    group_size: int
    carry: Carry = Carry.FULL

    def __post_init__(self) -> None:
        if self.top <= 0 or self.group_size <= 0 or self.group_size % 4 or self.top % self.group_size:
            raise ValueError(f"groups of {self.group_size} do not make a final of {self.top}")


@dataclass(frozen=True, slots=True)
class Cut:
    """A stage as it was set up after session ``after``: its groups of player numbers, the best group first."""

    after: int
    groups: tuple[tuple[int, ...], ...]
    carry: Carry = Carry.FULL


def finalists(standings: Standings, stage: FinalStage, first: Collection[int] = ()) -> tuple[int, ...]:
    """The numbers of the players of the stage, best first.

    Withdrawn players and those without a rank make room for the next. On a shared place those of ``first`` go
    before the others, then the order of the standings decides: see `straddling`. Raises ValueError when there are
    not enough players.
    """
    available = sorted(_available(standings), key=lambda row: (row.rank, row.number not in first))
    if len(available) < stage.top:
        raise ValueError(f"a final of {stage.top} needs as many players, not {len(available)}")
    return tuple(row.number for row in available[: stage.top])


def straddling(standings: Standings, stage: FinalStage) -> tuple[int, ...]:
    """The players who share the last place that goes on with somebody who does not; the organiser must decide."""
    available = _available(standings)
    if len(available) <= stage.top or available[stage.top - 1].rank != available[stage.top].rank:
        return ()
    return tuple(row.number for row in available if row.rank == available[stage.top].rank)


def groups(numbers: Sequence[int], stage: FinalStage) -> tuple[tuple[int, ...], ...]:
    """Consecutive groups of the stage's size: the best play each other."""
    starts = range(0, len(numbers), stage.group_size)
    return tuple(tuple(numbers[start : start + stage.group_size]) for start in starts)


def after_cuts(
    players: Iterable[PlayerRow],
    cuts: Iterable[Cut],
    standings_after: Callable[[Sequence[PlayerRow], int], Standings],
) -> list[PlayerRow]:
    """The players as they are ranked once the cuts count: finalists before everybody else, the best group first, and
    without the points that they do not carry. ``standings_after`` ranks players on the sessions up to one.
    """
    rows = list(players)
    for cut in sorted(cuts, key=lambda cut: cut.after):
        group = {number: place for place, members in enumerate(cut.groups) for number in members}
        before = {row.number: row for row in standings_after(rows, cut.after).rows}
        rows = [_into(row, cut, group.get(row.number, len(cut.groups)), before[row.number]) for row in rows]
    return rows


def _into(row: PlayerRow, cut: Cut, group: int, before: Standing) -> PlayerRow:
    """The player in the tier of a group; one after the last group is not a finalist, and keeps all points."""
    tier = (*row.tier, group)
    if group == len(cut.groups):
        return replace(row, tier=tier)
    share = _SHARES[cut.carry]
    carried = Carried(
        after=cut.after,
        table_points=share * before.table_points,
        # Nobody has half a game point: half of an odd score is rounded down.
        game_points=floor(share * before.game_points),
        had_table_points=before.table_points,
        had_game_points=before.game_points,
    )
    return replace(row, tier=tier, carried=(*row.carried, carried))


def _available(standings: Standings) -> list[Standing]:
    return [row for row in standings.rows if row.rank is not None and not row.withdrawn]


@dataclass(frozen=True)
class FinalsWish:
    """`first`: who of those that share the last place goes on; the others follow by number."""

    stage: FinalStage
    sessions: int
    seed: str
    first: tuple[int, ...] = ()


def chosen(said: Mapping[str, Any]) -> FinalsWish:
    """The wish as a form and the API both ask for it: size (of SIZES), carry, sessions, seed, first."""
    stage = FinalStage(*SIZES[said["size"]], Carry(said["carry"]))
    return FinalsWish(stage, said["sessions"], said["seed"], tuple(said["first"]))
