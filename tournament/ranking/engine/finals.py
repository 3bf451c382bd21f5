"""Finals as data (RULES §8), and what hand a player needs for a place."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any, Final

from scoring.engine import Rulebook, payments
from scoring.engine.score import SEATS
from tournament.base.engine.finals import Carry, Cut
from tournament.base.engine.rules import STANDARD_SCALE, table_points
from tournament.ranking.engine.standings import Carried, PlayerRow, Standing, Standings

MOST_SESSIONS: Final = 16
SIZES: Final = {"4": (4, 4), "8": (8, 8), "16": (16, 16), "16/4": (16, 4)}
"""What may be wished: how many go on, and how large their groups are."""


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


def tied_at_cutoff(standings: Standings, stage: FinalStage) -> tuple[int, ...]:
    """The players who share the last place that goes on with somebody who does not; the organiser must decide."""
    available = _available(standings)
    if len(available) <= stage.top or available[stage.top - 1].rank != available[stage.top].rank:
        return ()
    return tuple(row.number for row in available if row.rank == available[stage.top].rank)


def _available(standings: Standings) -> list[Standing]:
    return [row for row in standings.rows if row.rank is not None and not row.withdrawn]


def split_into_groups(numbers: Sequence[int], stage: FinalStage) -> tuple[tuple[int, ...], ...]:
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
        rows = [
            _with_tier(row, cut, group.get(row.number, len(cut.groups)), before[row.number]) for row in rows
        ]
    return rows


def _with_tier(row: PlayerRow, cut: Cut, group: int, before: Standing) -> PlayerRow:
    """The player in the tier of a group; one after the last group is not a finalist, and keeps all points."""
    tier = (*row.tier, group)
    if group == len(cut.groups):
        return replace(row, tier=tier)
    share = cut.carry.share
    carried = Carried(
        after=cut.after,
        table_points=share * before.table_points,
        # Nobody has half a game point: half of an odd score is rounded down.
        game_points=floor(share * before.game_points),
        had_table_points=before.table_points,
        had_game_points=before.game_points,
    )
    return replace(row, tier=tier, carried=(*row.carried, carried))


@dataclass(frozen=True)
class FinalsOptions:
    """`first`: who of those that share the last place goes on; the others follow by number."""

    stage: FinalStage
    sessions: int
    seed: str
    first: tuple[int, ...] = ()


def finals_options(data: Mapping[str, Any]) -> FinalsOptions:
    """Read a wish as a form and the API both ask for it: size (of SIZES), carry, sessions, seed, first."""
    stage = FinalStage(*SIZES[data["size"]], Carry(data["carry"]))
    return FinalsOptions(stage, data["sessions"], data["seed"], tuple(data["first"]))


MOST: Final = 200
"""Two of the dearest fans and some more: nobody counts on a dearer hand."""
EVERYBODY: Final = (True,) * len(SEATS)
"""Each seat has a place at the table."""


@dataclass(frozen=True, slots=True)
class Needs:
    """The least points of a hand, flowers included, that reach a goal: self-drawn, and by the discard of each other
    seat. None where no hand does.

    Everything is as if the session ended after that one hand. Scores are the table's game points, penalties included.
    """

    self_drawn: int | None
    discards: Mapping[int, int | None]

    @property
    def possible(self) -> bool:
        return any(points is not None for points in (self.self_drawn, *self.discards.values()))


@dataclass(frozen=True, slots=True)
class Total:
    """What a player has but for the table looked at: table points, then game points, which is how they are ranked."""

    table_points: Fraction
    game_points: int


def place_needs(
    scores: Sequence[int],
    seat: int,
    rulebook: Rulebook,
    most: int = MOST,
    placed: Sequence[bool] = EVERYBODY,
) -> dict[int, Needs]:
    """What seat `seat` needs for each better place at its table: place → needs, the first place first.

    The place is reached when its table points need not be shared with a worse one: equal scores are not enough. Seats
    that are not `placed` take none.
    """

    def place(after: Sequence[int]) -> int:
        return sum(score >= after[seat] for score, has_place in zip(after, placed, strict=True) if has_place)

    return _needs(place, range(1, place(scores)), scores, seat, rulebook, most)


def rank_needs(
    scores: Sequence[int],
    seat: int,
    at_the_table: Mapping[int, Total],
    others: Sequence[Total],
    goals: Sequence[int],
    rulebook: Rulebook,
    scale: Sequence[Fraction | int] = STANDARD_SCALE,
    most: int = MOST,
    placed: Sequence[bool] = EVERYBODY,
) -> dict[int, Needs]:
    """What seat `seat` needs for each of the ranks `goals` or better, everybody elsewhere staying as they are.

    A shared rank is enough. `at_the_table`: seat → total of those who are credited with this table's result, the seat
    itself among them; `others`: everybody else who is ranked. More points are not always better here: a discarder who
    falls lets another one rise.
    """
    elsewhere = sorted((total.table_points, total.game_points) for total in others)

    def rank(after: Sequence[int]) -> int:
        shares = table_points(after, scale, placed)
        totals = {
            rival: (total.table_points + shares[rival], total.game_points + after[rival])
            for rival, total in at_the_table.items()
        }
        mine = totals[seat]
        ahead = len(elsewhere) - bisect_right(elsewhere, mine)
        return 1 + ahead + sum(total > mine for total in totals.values())

    return _needs(rank, goals, scores, seat, rulebook, most)


def _needs(
    reached: Callable[[Sequence[int]], int],
    goals: Sequence[int],
    scores: Sequence[int],
    seat: int,
    rulebook: Rulebook,
    most: int,
) -> dict[int, Needs]:
    """Goal → needs. `reached`: the place or rank that the scores after a hand give."""
    if not goals:
        return {}
    ways = {
        way: _least(reached, goals, scores, seat, way, rulebook, most)
        for way in (None, *SEATS)
        if way != seat
    }
    return {
        goal: Needs(ways[None][goal], {way: least[goal] for way, least in ways.items() if way is not None})
        for goal in goals
    }


def _least(
    reached: Callable[[Sequence[int]], int],
    goals: Sequence[int],
    scores: Sequence[int],
    seat: int,
    discarder: int | None,
    rulebook: Rulebook,
    most: int,
) -> dict[int, int | None]:
    """Goal → the least points that reach it when `discarder` pays."""
    least: dict[int, int | None] = dict.fromkeys(goals)
    open_goals = set(goals)
    for points in range(rulebook.minimum, most + 1):
        changes = payments(points, seat, discarder, rulebook)
        now = reached([score + change for score, change in zip(scores, changes, strict=True)])
        met = {goal for goal in open_goals if now <= goal}
        least.update(dict.fromkeys(met, points))
        open_goals -= met
        if not open_goals:
            break
    return least
