"""What a player needs: the hand that would bring them to a place at the table or to a rank overall, by who pays for it.

Everything is as if the session ended after that one hand. Scores are the table's game points, penalties included.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from scoring.engine import Rulebook
from scoring.engine.payments import SEATS, payments
from tournament.base.engine.table_points import STANDARD_SCALE, table_points

MOST: Final = 200
"""Two of the dearest fans and some more: nobody counts on a dearer hand."""
EVERYBODY: Final = (True,) * len(SEATS)
"""Each seat has a place at the table."""


@dataclass(frozen=True, slots=True)
class Needs:
    """The least points of a hand, flowers included, that reach a goal: self-drawn, and by the discard of each other
    seat. None where no hand does.
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
    elsewhere = sorted((each.table_points, each.game_points) for each in others)

    def rank(after: Sequence[int]) -> int:
        shares = table_points(after, scale, placed)
        totals = {
            each: (total.table_points + shares[each], total.game_points + after[each])
            for each, total in at_the_table.items()
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
