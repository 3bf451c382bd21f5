"""Being late: a sanction by minutes (seed 000, "Being late")."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from typing import Any, ClassVar

from penalties.engine.facts import Facts, Need, Reason
from penalties.engine.rules.base import Outcome, capped, missing, with_points
from penalties.engine.sanctions import Sanction
from scoring.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class Step:
    """From minute ``low`` to ``high``, both counted in; ``high`` 0: without end."""

    low: int
    high: int
    sanction: Sanction


@dataclass(frozen=True, slots=True)
class Late:
    """By minutes: ``bands`` are (up to and including this minute, sanction), in order.

    After the last band either ``beyond`` applies, or its points grow by ``further_points`` for each
    ``further_minutes`` begun. ``others_start_after`` minutes the rest of the table begins.
    """

    kind: ClassVar[str] = "late"
    bands: tuple[tuple[int, Sanction], ...]
    further_minutes: int = 5
    further_points: int = 20
    beyond: Sanction | None = None
    others_start_after: int = 15
    repeats: ClassVar[None] = None
    needs: ClassVar[frozenset[Need]] = frozenset({Need.MINUTES})

    def __post_init__(self) -> None:
        limits = [0, *(limit for limit, _ in self.bands)]
        if len(limits) == 1 or any(limit <= before for before, limit in pairwise(limits)):
            raise ValueError(f"bands of minutes must grow: {limits[1:]}")
        if self.beyond is None and (self.bands[-1][1].points is None or self.further_minutes <= 0):
            raise ValueError("points can only grow from points, by a number of minutes")

    def steps(self, until: int, held: int | None = None) -> tuple[Step, ...]:
        """What lateness costs minute by minute, in order, until a step reaches minute ``until`` or has no end.

        For a player who holds ``held`` points the last step is the one that docks them all.
        """
        found: list[Step] = []
        low = 1
        while not found or (found[-1].high and found[-1].high < until):
            sanction, reason = self.outcome(Facts(minutes=low, points_held=held), 1)
            found.append(Step(low, int(reason.params["to"]), sanction))
            low = found[-1].high + 1
        if held is None or self.beyond is not None:
            return tuple(found)
        docked = [step for step in found if _total(step.sanction) >= held]
        return (*found[: -len(docked)], replace(docked[0], high=0)) if docked else tuple(found)

    def problems(self, facts: Facts) -> tuple[Problem, ...]:
        if facts.minutes is not None and facts.minutes <= 0:
            return (Problem("minutes_not_positive", "minutes", {"minutes": facts.minutes}),)
        return missing(self.needs, facts)

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        minutes = facts.minutes or 0
        low = 1
        for limit, sanction in self.bands:
            if minutes <= limit:
                return capped(sanction, facts), _minutes(minutes, low, limit)
            low = limit + 1
        if self.beyond is not None:
            return capped(self.beyond, facts), _minutes(minutes, low, 0)
        return self._grown(facts, minutes)

    def _grown(self, facts: Facts, minutes: int) -> Outcome:
        last, sanction = self.bands[-1]
        steps = -(-(minutes - last) // self.further_minutes)
        high = last + steps * self.further_minutes
        grown = with_points(sanction, lambda amount: amount + steps * self.further_points)
        return capped(grown, facts), _minutes(minutes, high - self.further_minutes + 1, high)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "bands": [[limit, sanction.to_json()] for limit, sanction in self.bands],
            "further_minutes": self.further_minutes,
            "further_points": self.further_points,
            "beyond": self.beyond.to_json() if self.beyond else None,
            "others_start_after": self.others_start_after,
        }


def minutes_late(seconds: float) -> int:
    """The minute of lateness that is running: 1 at once, 11 as soon as ten minutes are over."""
    return max(1, ceil(seconds / 60))


def _total(sanction: Sanction) -> int:
    return sanction.points.total if sanction.points else 0


def _minutes(minutes: int, low: int, high: int) -> Reason:
    return Reason("minutes", {"minutes": minutes, "from": low, "to": high})
