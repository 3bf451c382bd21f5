"""What follows for the standings when a player is not there (RULES §8: the absent one's result is the rulebook's)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final


class Credit(StrEnum):
    """Whose a seat's result is while a stand-in plays it."""

    NOBODY = "nobody"
    """The stand-in takes no place; the absent player has 0 table points and what they owe themselves."""
    PLAYER = "player"
    """The stand-in plays for the absent player, and takes the place for them."""


@dataclass(frozen=True)
class Attendance:
    """`stand_in`: whose the result is where one plays to the end; `withdrawn_ranked`: who withdrew keeps a rank.

    `starting_points`: what a player holds when a session begins, so that lateness docks no more (seed 000, "Being
    late"); 0 where nobody starts with points.
    """

    stand_in: Credit = Credit.NOBODY
    withdrawn_ranked: bool = True
    starting_points: int = 0

    def has_place(self, *, stand_in: bool, empty: bool) -> bool:
        """Whether a seat takes one of its table's places; the absent player's result is then the seat's."""
        return not empty and (not stand_in or self.stand_in is Credit.PLAYER)

    def to_json(self) -> dict[str, Any]:
        return {
            "stand_in": self.stand_in.value,
            "withdrawn_ranked": self.withdrawn_ranked,
            "starting_points": self.starting_points,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Attendance:
        # snapshots made before it could be said started nobody with points
        points = int(data.get("starting_points", 0))
        return cls(Credit(data["stand_in"]), bool(data["withdrawn_ranked"]), points)


USUAL_ATTENDANCE: Final = Attendance()
