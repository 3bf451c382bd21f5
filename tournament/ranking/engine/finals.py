"""Finals as data (RULES §8), and the hand that a player needs for a place."""

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

MAX_SESSIONS: Final = 16
SIZES: Final = {"4": (4, 4), "8": (8, 8), "16": (16, 16), "16/4": (16, 4)}
"""Choice of an organiser → (number of finalists, size of their groups)."""


@dataclass(frozen=True, slots=True)
class FinalStage:
    """A further stage for the best ``top`` players, playing in groups of ``group_size``, a multiple of four.

    Raises ValueError when ``top`` is no multiple of ``group_size``.
    """

    top: int
    group_size: int
    carry: Carry = Carry.FULL

    def __post_init__(self) -> None:
        if self.top <= 0 or self.group_size <= 0 or self.group_size % 4 or self.top % self.group_size:
            raise ValueError(f"groups of {self.group_size} do not make a final of {self.top}")


def finalists(standings: Standings, stage: FinalStage, first: Collection[int] = ()) -> tuple[int, ...]:
    """Return the numbers of the players of the stage, best first.

    Withdrawn players and those without a rank make room for the next. On a shared place those of ``first`` go
    before the others, then the order of the standings decides: see `tied_at_cutoff`. Raises ValueError when there are
    not enough players.
    """
    available = _by_merit(standings, first)
    if len(available) < stage.top:
        raise ValueError(f"a final of {stage.top} needs as many players, not {len(available)}")
    return available[: stage.top]


def qualified_groups(standings: Standings, cut: Cut) -> tuple[tuple[int, ...], ...]:
    """Return the groups that a final like this one has by these standings; smaller ones where players are missing.

    Its finalists go before others on a shared place.
    """
    finalists = [number for group in cut.groups for number in group]
    stage = FinalStage(len(finalists), len(cut.groups[0]), cut.carry)
    return split_into_groups(_by_merit(standings, finalists)[: stage.top], stage)


def _by_merit(standings: Standings, first: Collection[int]) -> tuple[int, ...]:
    rows = sorted(_available(standings), key=lambda row: (row.rank, row.number not in first))
    return tuple(row.number for row in rows)


def tied_at_cutoff(standings: Standings, stage: FinalStage) -> tuple[int, ...]:
    """Return the players who share the last place that goes on with somebody who does not; the organiser decides."""
    available = _available(standings)
    if len(available) <= stage.top or available[stage.top - 1].rank != available[stage.top].rank:
        return ()
    return tuple(row.number for row in available if row.rank == available[stage.top].rank)


def _available(standings: Standings) -> list[Standing]:
    return [
        row for row in standings.rows if row.rank is not None and not (row.withdrawn or row.unranked_because)
    ]


def split_into_groups(numbers: Sequence[int], stage: FinalStage) -> tuple[tuple[int, ...], ...]:
    """Return consecutive groups of the stage's size: the best play each other."""
    starts = range(0, len(numbers), stage.group_size)
    return tuple(tuple(numbers[start : start + stage.group_size]) for start in starts)


def apply_cuts(
    players: Iterable[PlayerRow],
    cuts: Iterable[Cut],
    standings_after: Callable[[Sequence[PlayerRow], int], Standings],
) -> list[PlayerRow]:
    """Return the players with the tiers and carried points of the cuts: finalists before others, the best group first.

    ``standings_after`` ranks players on the sessions up to one.
    """
    rows = list(players)
    for cut in sorted(cuts, key=lambda cut: cut.after):
        group_of = {number: place for place, members in enumerate(cut.groups) for number in members}
        before = {row.number: row for row in standings_after(rows, cut.after).rows}
        last = len(cut.groups)
        rows = [_with_tier(row, cut, group_of.get(row.number, last), before[row.number]) for row in rows]
    return rows


def _with_tier(row: PlayerRow, cut: Cut, group: int, before: Standing) -> PlayerRow:
    """Return the player in the tier of a group; one after the last group is no finalist and keeps all points."""
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
    """What an organiser chooses for a final.

    `first`: who of those that share the last place goes on; `replace`: whether a final that is set up gives way.
    """

    stage: FinalStage
    sessions: int
    seed: str
    first: tuple[int, ...] = ()
    replace: bool = False


def finals_options(data: Mapping[str, Any]) -> FinalsOptions:
    """Read the data of the form or the API: size (of SIZES), carry, sessions, seed, first, replace."""
    stage = FinalStage(*SIZES[data["size"]], Carry(data["carry"]))
    return FinalsOptions(stage, data["sessions"], data["seed"], tuple(data["first"]), data["replace"])


MAX_POINTS: Final = 200
"""Two of the highest-scoring fans and some more: no player plans for a higher hand."""
ALL_PLACED: Final = (True,) * len(SEATS)
"""Each seat takes a place at the table."""


@dataclass(frozen=True, slots=True)
class NeededPoints:
    """The least points of a hand, flowers included, that reach a goal: self-drawn, and by each other seat's discard.

    None where no hand does. Everything is as if the session ended after that one hand. Scores are the table's game
    points, penalties included.
    """

    self_drawn: int | None
    discards: Mapping[int, int | None]

    @property
    def possible(self) -> bool:
        return any(points is not None for points in (self.self_drawn, *self.discards.values()))


@dataclass(frozen=True, slots=True)
class PlayerTotal:
    """A player's total without the table in question: table points, then game points, which is how they are ranked."""

    table_points: Fraction
    game_points: int


def place_needs(
    scores: Sequence[int],
    seat: int,
    rulebook: Rulebook,
    max_points: int = MAX_POINTS,
    placed: Sequence[bool] = ALL_PLACED,
) -> dict[int, NeededPoints]:
    """Return what seat `seat` needs for each better place at its table: place → needs, the first place first.

    The place is reached when its table points are not shared with a worse one: equal scores are not enough. Seats
    that are not `placed` take none.
    """

    def place(scores: Sequence[int]) -> int:
        return sum(
            score >= scores[seat] for score, has_place in zip(scores, placed, strict=True) if has_place
        )

    return _needs(place, range(1, place(scores)), scores, seat, rulebook, max_points)


def rank_needs(
    scores: Sequence[int],
    seat: int,
    at_the_table: Mapping[int, PlayerTotal],
    others: Sequence[PlayerTotal],
    goals: Sequence[int],
    rulebook: Rulebook,
    scale: Sequence[Fraction | int] = STANDARD_SCALE,
    max_points: int = MAX_POINTS,
    placed: Sequence[bool] = ALL_PLACED,
) -> dict[int, NeededPoints]:
    """Return what seat `seat` needs for each of the ranks `goals` or better, all other tables staying as they are.

    A shared rank is enough. `at_the_table`: seat → total of those who are credited with this table's result, the seat
    itself among them; `others`: everybody else who is ranked. More points are not always better here: a discarder who
    falls lets another player rise.
    """
    elsewhere = sorted((total.table_points, total.game_points) for total in others)

    def rank(scores_after: Sequence[int]) -> int:
        shares = table_points(scores_after, scale, placed)
        totals = {
            rival: (total.table_points + shares[rival], total.game_points + scores_after[rival])
            for rival, total in at_the_table.items()
        }
        own_total = totals[seat]
        ahead = len(elsewhere) - bisect_right(elsewhere, own_total)
        return 1 + ahead + sum(total > own_total for total in totals.values())

    return _needs(rank, goals, scores, seat, rulebook, max_points)


def _needs(
    reached_with: Callable[[Sequence[int]], int],
    goals: Sequence[int],
    scores: Sequence[int],
    seat: int,
    rulebook: Rulebook,
    max_points: int,
) -> dict[int, NeededPoints]:
    """Return goal → needs. `reached_with`: the place or rank that the scores after a hand give."""
    if not goals:
        return {}
    by_payer = {
        payer: _least_points(reached_with, goals, scores, seat, payer, rulebook, max_points)
        for payer in (None, *SEATS)
        if payer != seat
    }
    return {
        goal: NeededPoints(
            by_payer[None][goal], {seat: by_payer[seat][goal] for seat in by_payer if seat is not None}
        )
        for goal in goals
    }


def _least_points(
    reached_with: Callable[[Sequence[int]], int],
    goals: Sequence[int],
    scores: Sequence[int],
    seat: int,
    discarder: int | None,
    rulebook: Rulebook,
    max_points: int,
) -> dict[int, int | None]:
    """Return goal → the least points that reach it when `discarder` pays; None for a self-draw."""
    minimum: dict[int, int | None] = dict.fromkeys(goals)
    open_goals = set(goals)
    for points in range(rulebook.minimum, max_points + 1):
        changes = payments(points, seat, discarder, rulebook)
        result = reached_with([score + change for score, change in zip(scores, changes, strict=True)])
        met = {goal for goal in open_goals if result <= goal}
        minimum.update(dict.fromkeys(met, points))
        open_goals -= met
        if not open_goals:
            break
    return minimum
