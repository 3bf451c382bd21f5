"""What every kind of rule can do, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeAlias

from penalties.engine.facts import Facts, Need, Reason, RepeatScope
from penalties.engine.sanctions import MOST_POINTS, PaidTo, Sanction
from scoring.engine.problems import Problem

Outcome: TypeAlias = tuple[Sanction, Reason]


class Rule(Protocol):
    """What every kind of rule can do. ``occurrence`` is 1 for the first such foul within ``repeats``."""

    kind: ClassVar[str]

    @property
    def needs(self) -> frozenset[Need]: ...

    @property
    def repeats(self) -> RepeatScope | None: ...

    def problems(self, facts: Facts) -> tuple[Problem, ...]: ...

    def outcome(self, facts: Facts, occurrence: int) -> Outcome: ...

    def to_json(self) -> dict[str, Any]: ...


def victim_needed(*sanctions: Sanction) -> frozenset[Need]:
    """A victim must be named when any of the sanctions pays one."""
    paid = any(sanction.points and sanction.points.paid_to is PaidTo.VICTIM for sanction in sanctions)
    return frozenset({Need.VICTIM} if paid else ())


def missing(needs: Iterable[Need], facts: Facts) -> tuple[Problem, ...]:
    """A problem ``<fact>_missing`` for each needed fact that was not said."""
    absent = (need.value for need in Need if need in needs and getattr(facts, need.value) is None)
    return tuple(Problem(f"{name}_missing", name) for name in absent)


def capped(sanction: Sanction, facts: Facts) -> Sanction:
    """Nobody loses more than all of the points held, where players start with points (seed 000, "Being
    late").
    """
    held = facts.points_held
    if held is None or sanction.points is None or sanction.points.total <= held:
        return sanction
    if held <= 0:
        return replace(sanction, points=None)
    share = held * sanction.points.amount // sanction.points.total
    return with_points(sanction, lambda amount: share) if share else replace(sanction, points=None)


def with_points(sanction: Sanction, change: Callable[[int], int]) -> Sanction:
    """The sanction with another amount of points, as far as a sanction goes."""
    if sanction.points is None:
        return sanction
    amount = min(change(sanction.points.amount), MOST_POINTS)
    return replace(sanction, points=replace(sanction.points, amount=amount))
