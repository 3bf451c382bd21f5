"""What people say at a table or to the hall, before it is checked: an accusation, an objection, a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from penalties.engine import Sanction


@dataclass(frozen=True)
class Objection:
    """Who objects, to which hand or which penalty, if to one, and what they say. Players by number."""

    player: int
    text: str
    hand_number: int | None = None
    penalty: UUID | None = None


@dataclass(frozen=True)
class Accusation:
    """What the umpire states: who did what, in which hand, and what this foul needs to be known.

    `details`: those of `penalties.engine.facts.DETAILS` that apply; `victim` a player number.
    `imposed` is a sanction of the umpire's own instead of the foul book's, `because` why.
    """

    player: int
    foul: str
    hand_number: int | None = None
    victim: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    imposed: Sanction | None = None
    because: str = ""


@dataclass(frozen=True)
class Message:
    """What is said. No `tables`: to everybody; no `minutes`: until it is withdrawn."""

    text: str
    translations: Mapping[str, str] = field(default_factory=dict)
    """Language → the same in that language."""
    tables: Sequence[int] = ()
    minutes: int | None = None

    def tidy(self) -> Message:
        """The same on one line, without what is empty or said twice."""
        told = {language: " ".join(text.split()) for language, text in self.translations.items()}
        return Message(
            " ".join(self.text.split()),
            {language: text for language, text in told.items() if text},
            sorted(set(self.tables)),
            self.minutes,
        )
