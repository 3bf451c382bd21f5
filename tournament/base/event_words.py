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
        said: dict[str, Any] = {
            name: {lang: text for lang, text in _clean(value).items() if text}
            if isinstance(value, Mapping)
            else _line(value)
            for name, value in asdict(self).items()
        }
        return EventWords(**said)

    def fingerprint(self) -> str:
        return hashlib.sha256(repr(sorted(asdict(self).items())).encode()).hexdigest()[:16]


def words_of(tournament: Tournament) -> EventWords:
    """What is told of a tournament; empty where nothing was."""
    page = EventPage.objects.filter(tournament=tournament).first()
    if page is None:
        return EventWords()
    return EventWords(**{name: getattr(page, name) for name in EventWords.__dataclass_fields__})


def _clean(texts: Texts) -> dict[str, str]:
    return {lang: _line(texts[lang]) for lang in sorted(texts)}


def _line(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
