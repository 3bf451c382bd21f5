"""What an organiser says of a tournament and tells about it, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import zones
from tournament.base.engine.rules import PLAYABLE
from tournament.base.event_words import EventWords, Texts
from tournament.base.models.events import EventDocument, EventPage
from tournament.base.models.tournament import Tournament
from tournament.ema.engine import Weight
from tournament.ema.selectors.mers import weighed
from tournament.web.texts.words import is_country

# --- What an organiser says of a tournament, and what is wrong with it ---


FIXED_BY_THE_DRAW = ("rulebook", "held_out_waits", "sessions_planned")
"""Particulars that hands already recorded may rest on."""

RESERVED = frozenset({"backups", "new", "people", "setup", "trials"})
"""Addresses below /organiser/ that are pages of their own."""

APPEAL_MINUTES: Final = 30
"""How long after a session's end appeals are taken, by practice."""
RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "sessions_planned": (1, 40),
    "minutes": (10, 600),
    "appeal_minutes": (0, 24 * 60),
}
"""Particular → the least and the most it may be."""


@dataclass(frozen=True)
class Particulars:
    """What the organiser says of a tournament. What hands are scored by stays as it is once seats are drawn.

    `held_out_waits`: whether a tile whose four copies one holds oneself is a wait; None leaves it as it is, or,
    with another rulebook, as that says. `appeal_minutes`: so long after a session's end appeals are taken; 0: settled
    at once, at the table.
    """

    name: str
    venue: str
    starts_on: date
    ends_on: date
    rulebook: str = "mcr"
    sessions_planned: int = 5
    minutes: int = 120
    is_public: bool = True
    appeal_minutes: int = APPEAL_MINUTES
    time_zone: str = field(default_factory=timezone.get_default_timezone_name)
    held_out_waits: bool | None = None


def particulars_problems(particulars: Particulars) -> list[Problem]:
    """Everything wrong with them; `where` is the particular."""
    problems = []
    if particulars.ends_on < particulars.starts_on:
        problems.append(Problem("ends_before_it_starts", "ends_on"))
    if particulars.time_zone not in zones.known():
        problems.append(Problem("unknown_time_zone", "time_zone", {"name": particulars.time_zone}))
    if particulars.rulebook not in PLAYABLE:
        known = {"rulebook": particulars.rulebook, "playable": ", ".join(PLAYABLE)}
        problems.append(Problem("unknown_rulebook", "rulebook", known))
    for name, (least, most) in RANGES.items():
        if not least <= getattr(particulars, name) <= most:
            problems.append(Problem("particular_out_of_range", name, {"least": least, "most": most}))
    return problems


# --- Event page ---
# What an organiser tells about an event, what is wrong with it, and what a reader is told in their language.


TEXTS: Final = {"description": 20_000, "fee": 500, "rules_note": 5_000}
"""What is told in languages, and how long it may be in each."""
LINES: Final = {"address": 500, "map_url": 500, "website": 500, "referees": 300, "contact": 200}
LINKS: Final = ("map_url", "website")
LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES)
_is_link = URLValidator(schemes=["http", "https"])


def event_page_problems(words: EventWords) -> list[Problem]:
    """Everything wrong; `where` is the field, a text's with its language: description.en."""
    return [*_of_texts(words), *_of_lines(words)]


def _of_texts(words: EventWords) -> Iterator[Problem]:
    for name, most in TEXTS.items():
        for language, text in getattr(words, name).items():
            where = f"{name}.{language}"
            if language not in LANGUAGES:
                yield Problem("unknown_language", name, {"language": language})
            elif len(text) > most:
                yield Problem("text_too_long", where, {"length": len(text), "most": most})
            elif "\0" in text:
                yield Problem("text_unreadable", where)


def _of_lines(words: EventWords) -> Iterator[Problem]:
    for name, most in LINES.items():
        text = getattr(words, name)
        if len(text) > most:
            yield Problem("text_too_long", name, {"length": len(text), "most": most})
        elif "\0" in text:
            yield Problem("text_unreadable", name)
        elif name in LINKS and text and not _leads_somewhere(text):
            yield Problem("link_unreadable", name)
    if words.country and not is_country(words.country):
        yield Problem("unknown_country", "country", {"country": words.country})
    if words.mers not in EventPage.Mers.values:
        yield Problem("mers_unknown", "mers", {"mers": words.mers})


def _leads_somewhere(link: str) -> bool:
    try:
        _is_link(link)
    except ValidationError:
        return False
    return True


# --- what a reader is told -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Said:
    """A text, and the language it is in: not always the reader's."""

    text: str
    language: str


def in_language(texts: Texts, language: str) -> Said | None:
    """The reader's, else a near one's, else English, else what there is. None where nothing is said.

    >>> in_language({"en": "Tea", "zh-hans": "茶"}, "zh-hant").text
    '茶'
    """
    near = [code for code in LANGUAGES if code.partition("-")[0] == language.partition("-")[0]]
    found = next((code for code in (language, *near, "en", *LANGUAGES) if texts.get(code)), None)
    return None if found is None else Said(texts[found], found)


@dataclass(frozen=True)
class Told:
    """An event's page for a reader of one language."""

    words: EventWords
    description: Said | None
    fee: Said | None
    rules_note: Said | None

    def __bool__(self) -> bool:
        return self.words != EventWords()


def told_in(words: EventWords, language: str) -> Told:
    return Told(
        words,
        in_language(words.description, language),
        in_language(words.fee, language),
        in_language(words.rules_note, language),
    )


@dataclass(frozen=True)
class Coming:
    """Who takes part, as it stands, and what the event weighs with them."""

    players: int
    substitutes: int
    """Those who count as players in the weight."""
    countries: tuple[tuple[str, int], ...]
    """(alpha-3, how many), the most first."""
    days: int
    weight: Weight | None
    """None where the European ranking does not count it."""


def coming(tournament: Tournament, words: EventWords) -> Coming:
    now = weighed(tournament, is_championship=words.mers == EventPage.Mers.CHAMPIONSHIP)
    return Coming(now.players, now.substitutes, now.countries, now.days, now.weight if words.mers else None)


SIGNS: Final = {
    EventDocument.Kind.PDF: b"%PDF-",
    EventDocument.Kind.PNG: b"\x89PNG\r\n\x1a\n",
    EventDocument.Kind.JPEG: b"\xff\xd8\xff",
}
"""How a file of each kind begins."""


def kind_of(content: bytes) -> str | None:
    """What a file is, by how it begins; None for anything that is not shown here. SVG and HTML can hold scripts."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return EventDocument.Kind.WEBP
    return next((kind for kind, sign in SIGNS.items() if content.startswith(sign)), None)
