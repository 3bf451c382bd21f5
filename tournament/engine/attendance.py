"""What follows for the standings when a player is not there (RULES §8: the absent one's result is the rulebook's)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final


class Credit(StrEnum):
    """Whose a seat's result is while a stand-in plays it."""

    NOBODY = "nobody"
    """The stand-in takes a place at the table; the absent player gets neither table points nor game points."""
    PLAYER = "player"
    """The stand-in plays for the absent player."""


@dataclass(frozen=True)
class Attendance:
    """`stand_in`: whose the result is where one plays to the end; `withdrawn_ranked`: who withdrew keeps a rank."""

    stand_in: Credit = Credit.NOBODY
    withdrawn_ranked: bool = True

    def to_json(self) -> dict[str, Any]:
        return {"stand_in": self.stand_in.value, "withdrawn_ranked": self.withdrawn_ranked}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Attendance:
        return cls(Credit(data["stand_in"]), bool(data["withdrawn_ranked"]))


USUAL_ATTENDANCE: Final = Attendance()
