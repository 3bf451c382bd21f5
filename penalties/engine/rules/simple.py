"""Rules without cases: one sanction, a ladder of repeats, points the umpire chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from penalties.engine.facts import Facts, Need, Reason, RepeatScope
from penalties.engine.rules.amounts import Amounts, amounts_text, amounts_to_json
from penalties.engine.rules.base import Outcome, capped, missing, victim_needed
from penalties.engine.sanctions import NO_SANCTION, PaidTo, Points, PointScope, Sanction
from scoring.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class Fixed:
    """Always the same sanction; an empty one is left to the umpire's discretion."""

    kind: ClassVar[str] = "fixed"
    sanction: Sanction = NO_SANCTION
    repeats: ClassVar[None] = None

    @property
    def needs(self) -> frozenset[Need]:
        return victim_needed(self.sanction)

    def problems(self, facts: Facts) -> tuple[Problem, ...]:
        return missing(self.needs, facts)

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        code = "fixed" if self.sanction != NO_SANCTION else "discretion"
        return capped(self.sanction, facts), Reason(code)

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "sanction": self.sanction.to_json()}


@dataclass(frozen=True, slots=True)
class Ladder:
    """A sanction a repeat, the last one from then on; ``if_seen`` comes on top when the tile was seen."""

    kind: ClassVar[str] = "ladder"
    steps: tuple[Sanction, ...]
    repeats: RepeatScope = RepeatScope.SESSION
    if_seen: Sanction = NO_SANCTION

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a ladder has at least one step")

    @property
    def needs(self) -> frozenset[Need]:
        return victim_needed(*self.steps, self.if_seen)

    def problems(self, facts: Facts) -> tuple[Problem, ...]:
        found = missing(self.needs, facts)
        if self.repeats in (RepeatScope.HAND, RepeatScope.WIND_ROUND) and facts.hand_number is None:
            return (*found, Problem("hand_number_missing", "hand_number"))
        return found

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        sanction = self.steps[min(occurrence, len(self.steps)) - 1]
        if facts.tile_seen:
            sanction |= self.if_seen
        seen = int(facts.tile_seen and self.if_seen != NO_SANCTION)
        params = {"occurrence": occurrence, "scope": self.repeats.value, "tile_seen": seen}
        return capped(sanction, facts), Reason("ladder", params)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "steps": [step.to_json() for step in self.steps],
            "repeats": self.repeats.value,
            "if_seen": self.if_seen.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Choice:
    """The umpire chooses the points from ``amounts``: figures of a scale, or any of a range."""

    kind: ClassVar[str] = "choice"
    amounts: Amounts
    scope: PointScope = PointScope.SESSION
    paid_to: PaidTo = PaidTo.NOBODY
    repeats: ClassVar[None] = None

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({Need.POINTS, Need.VICTIM} if self.paid_to is PaidTo.VICTIM else {Need.POINTS})

    def problems(self, facts: Facts) -> tuple[Problem, ...]:
        found = missing(self.needs, facts)
        if facts.points is None or facts.points in self.amounts:
            return found
        params: dict[str, str | int] = {
            "points": facts.points,
            "allowed": amounts_text(self.amounts),
        }
        return (*found, Problem("points_not_on_scale", "points", params))

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        amount = facts.points or 0
        sanction = Sanction(points=Points(amount, self.scope, self.paid_to))
        return capped(sanction, facts), Reason("chosen", {"points": amount})

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "amounts": amounts_to_json(self.amounts),
            "scope": self.scope.value,
            "paid_to": self.paid_to.value,
        }
