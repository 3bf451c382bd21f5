"""How a session ends, in minutes and in a rule (RULES §7, §8: every line is a rulebook setting)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class LastHand(Enum):
    """What becomes of the hand under way when the time is up. A new one never begins."""

    VOID = "void"
    """It is not finished and does not count (Overview of the rules, 004)."""
    FINISHED = "finished"
    """It is finished and counts (European practice)."""


@dataclass(frozen=True)
class Timing:
    """`warning`: so many minutes before the end the hall is told."""

    warning: int = 15
    last_hand: LastHand = LastHand.VOID

    def to_json(self) -> dict[str, Any]:
        return {"warning": self.warning, "last_hand": self.last_hand.value}

    @classmethod
    def from_json(cls, snapshot: Mapping[str, Any]) -> Timing:
        return cls(snapshot["warning"], LastHand(snapshot["last_hand"]))


USUAL = Timing()
