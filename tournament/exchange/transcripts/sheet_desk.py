"""A table at which a written sheet is played: by whom, and how far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournament.base.access import Actor
from tournament.base.engine.entry import HandEntry
from tournament.base.models.play import Table
from tournament.exchange.transcripts.score_sheet import Sheet

AS_WRITTEN: Final = "As it was written down."
"""Why, where a service asks for it and a transcript does not say."""


@dataclass(frozen=True)
class SheetDesk:
    """`limit`: so many hands at most, and what was between them; None for all of the sheet."""

    table: Table
    sheet: Sheet
    umpire: Actor
    organiser: Actor
    limit: int | None = None

    @property
    def hands(self) -> tuple[HandEntry, ...]:
        return self.sheet.hands[: self.limit]

    def count(self, after: int | None) -> int:
        """After how many hands, where it may be after all of them."""
        return len(self.hands) if after is None else after

    def is_due(self, after: int | None, recorded: int) -> bool:
        """Whether it is time for what was `after` so many hands; after all of them, only where all are played."""
        return self.count(after) == recorded and (after is not None or self.limit is None)
