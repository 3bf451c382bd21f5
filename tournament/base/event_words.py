"""What the organiser tells about an event, as values."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tournament.base.models.events import EventPage
from tournament.base.models.tournament import Tournament

Texts = Mapping[str, str]


@dataclass(frozen=True)
class EventWords:
    """All that a page says. Where a language has no text, it is left out."""

    description: Texts = field(default_factory=dict)
    fee: Texts = field(default_factory=dict)
    rules_note: Texts = field(default_factory=dict)
    address: str = ""
    country: str = ""
    map_url: str = ""
    website: str = ""
    referees: str = ""
    contact: str = ""
    mers: str = ""

    def trimmed(self) -> EventWords:
        """Without spaces around and without empty texts; line ends as they are everywhere."""
        values: dict[str, Any] = {
            name: {lang: _trimmed_text(value[lang]) for lang in sorted(value) if _trimmed_text(value[lang])}
            if isinstance(value, Mapping)
            else _trimmed_text(value)
            for name, value in asdict(self).items()
        }
        return EventWords(**values)

    def fingerprint(self) -> str:
        return hashlib.sha256(repr(sorted(asdict(self).items())).encode()).hexdigest()[:16]


def _trimmed_text(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def words_of(tournament: Tournament) -> EventWords:
    """Read what is told of a tournament; empty where nothing was."""
    page = EventPage.objects.filter(tournament=tournament).first()
    if page is None:
        return EventWords()
    return EventWords(**{name: getattr(page, name) for name in EventWords.__dataclass_fields__})
