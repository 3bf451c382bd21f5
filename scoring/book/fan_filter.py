"""Which fans a reader asks for: a plain form's query, read forgivingly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import QueryDict

from scoring.book.fans import FanEntry, entries
from scoring.book.search import fits
from scoring.engine.fans import FANS, FanType

POINTS: Final = sorted({fan.points for fan in FANS})
CONCEALED, ANY_HAND = "concealed", "any"
LONGEST: Final = 60
"""Characters of a search that are read."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; what is empty asks for all."""

    words: str = ""
    points: int | None = None
    type: FanType | None = None
    hand: str = ""
    """CONCEALED: fans that only a concealed hand makes; ANY_HAND: all others."""

    @classmethod
    def asked(cls, query: QueryDict) -> Wanted:
        """From ?q=hun yi se&points=6&type=suits&hand=any; what is no choice is none."""
        points = {str(one): one for one in POINTS}.get(query.get("points", ""))
        kind = {one.value: one for one in FanType}.get(query.get("type", ""))
        hand = query.get("hand", "")
        words = " ".join(query.get("q", "")[:LONGEST].split())
        return cls(words, points, kind, hand if hand in (CONCEALED, ANY_HAND) else "")

    @property
    def narrows(self) -> bool:
        return self != Wanted()

    def found(self) -> list[FanEntry]:
        """The fans that fit, in the order of the rule book."""
        return [entry for entry in entries().values() if self._fits(entry)]

    def _fits(self, entry: FanEntry) -> bool:
        return (
            self.points in (None, entry.fan.points)
            and self.type in (None, entry.type)
            and self.hand in ("", CONCEALED if entry.fan.concealed else ANY_HAND)
            and fits(entry, self.words)
        )
