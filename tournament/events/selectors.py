"""What is said of an event and what is wrong with it: particulars, page and timetable; and its calendars."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Final
from uuid import UUID, uuid5

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import zones
from tournament.base.engine.rules import PLAYABLE
from tournament.base.errors import refuse
from tournament.base.event_words import EventWords, Texts
from tournament.base.models.events import EventDocument, EventPage, TimetableItem
from tournament.base.models.people import Player
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.ema.engine import Weight
from tournament.ema.selectors import weighed
from tournament.events.engine import MIDNIGHT, Slot, TimetableWish, fill
from tournament.play.selectors.timetable import Entry, may_be_seated, sessions_of, timetable
from tournament.web.texts.words import is_country

# --- Particulars ---


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


# --- The event's page ---


TEXTS: Final = {"description": 20_000, "fee": 500, "rules_note": 5_000}
"""What is told in languages, and how long it may be in each."""
LINES: Final = {"address": 500, "map_url": 500, "website": 500, "referees": 300, "contact": 200}
LINKS: Final = ("map_url", "website")
LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES)
_is_link = URLValidator(schemes=["http", "https"])


def event_page_problems(words: EventWords) -> list[Problem]:
    """Everything wrong; `where` is the field, a text's with its language: description.en."""
    return [*_text_problems(words), *_line_problems(words)]


def _text_problems(words: EventWords) -> Iterator[Problem]:
    for name, most in TEXTS.items():
        for language, text in getattr(words, name).items():
            where = f"{name}.{language}"
            if language not in LANGUAGES:
                yield Problem("unknown_language", name, {"language": language})
            elif len(text) > most:
                yield Problem("text_too_long", where, {"length": len(text), "most": most})
            elif "\0" in text:
                yield Problem("text_unreadable", where)


def _line_problems(words: EventWords) -> Iterator[Problem]:
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
    written = next((code for code in (language, *near, "en", *LANGUAGES) if texts.get(code)), None)
    return None if written is None else Said(texts[written], written)


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


# --- The timetable ---


LONGEST_TITLE: Final = TimetableItem._meta.get_field("title").max_length or 0
MOST_LINES: Final = 200
NEARBY: Final = 31
"""So many days before and after the tournament something may be planned: what is further away is a slip."""


@dataclass(frozen=True)
class TimetableLine:
    """A line as the organiser says it: a session by number, or a title. `uuid`: that of the line it changes."""

    session: int | None = None
    title: str = ""
    day: date | None = None
    starts: time | None = None
    ends: time | None = None
    uuid: UUID | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing: a session not planned, a line not filled in or cleared. A day alone says nothing."""
        return not self.title.strip() and self.starts is None and self.ends is None


def timetable_problems(tournament: Tournament, lines: Sequence[TimetableLine]) -> list[Problem]:
    """Everything wrong with the lines; `where` is "starts 3" for the start of the third line."""
    if len(lines) > MOST_LINES:
        return [Problem("too_many_lines", "", {"most": MOST_LINES})]
    last = len(sessions_of(tournament))
    problems = [
        problem
        for place, line in enumerate(lines, 1)
        if not line.is_empty
        for problem in _problems_of_line(tournament, last, place, line)
    ]
    return problems + _planned_twice(lines) + _overlaps(tournament, lines)


def _problems_of_line(tournament: Tournament, last: int, place: int, line: TimetableLine) -> list[Problem]:
    """What is wrong with a line by itself."""
    problems = []
    if line.session is None and not line.title.strip():
        problems.append(Problem("line_title_missing", f"title {place}"))
    if len(line.title.strip()) > LONGEST_TITLE:
        problems.append(Problem("line_title_too_long", f"title {place}", {"most": LONGEST_TITLE}))
    if line.session is not None and not 1 <= line.session <= last:
        problems.append(Problem("no_such_session", f"starts {place}", {"session": line.session}))
    if line.day is None:
        problems.append(Problem("line_day_missing", f"day {place}"))
    elif line.session is not None and not _on_its_days(tournament, line.day):
        problems.append(Problem("session_outside_the_days", f"day {place}"))
    elif not _on_its_days(tournament, line.day, NEARBY):
        problems.append(Problem("line_far_from_the_days", f"day {place}", {"days": NEARBY}))
    if line.starts is None:
        problems.append(Problem("line_start_missing", f"starts {place}"))
    elif line.ends is not None and line.ends <= line.starts:
        problems.append(Problem("line_ends_before_it_starts", f"ends {place}"))
    return problems


def _planned_twice(lines: Sequence[TimetableLine]) -> list[Problem]:
    """Sessions that have more than one line."""
    seen: set[int] = set()
    problems = []
    for place, line in enumerate(lines, 1):
        if line.session is None or line.is_empty:
            continue
        if line.session in seen:
            problems.append(Problem("session_planned_twice", f"starts {place}", {"session": line.session}))
        seen.add(line.session)
    return problems


def _overlaps(tournament: Tournament, lines: Sequence[TimetableLine]) -> list[Problem]:
    """Sessions planned before the one before them is over."""
    starts: dict[int, tuple[datetime, int]] = {
        line.session: (datetime.combine(line.day, line.starts, tournament.zone).astimezone(UTC), place)
        for place, line in enumerate(lines, 1)
        if line.session is not None and line.day is not None and line.starts is not None
        if _on_its_days(tournament, line.day)
    }
    problems, in_order = [], sorted(starts)
    for before, session in pairwise(in_order):
        over = starts[before][0] + timedelta(minutes=tournament.minutes)
        at, place = starts[session]
        if at < over:
            over, at = over.astimezone(tournament.zone), at.astimezone(tournament.zone)
            until = f"{over:%H:%M}" if over.date() == at.date() else f"{over:%Y-%m-%d %H:%M}"
            params: dict[str, str | int] = {"session": before, "until": until}
            problems.append(Problem("session_before_the_last_is_over", f"starts {place}", params))
    return problems


def _on_its_days(tournament: Tournament, day: date, around: int = 0) -> bool:
    """Whether the tournament is on that day, or so many days from it."""
    return -around <= (day - tournament.starts_on).days and (day - tournament.ends_on).days <= around


def lines_of(tournament: Tournament) -> list[TimetableLine]:
    """What is planned, in order, then the sessions that have no time yet."""
    sessions = sessions_of(tournament)
    items = [item for item in tournament.timetable.all() if item.session is None or item.session in sessions]
    planned = {item.session for item in items}
    return [_line_of_item(item) for item in items] + [
        TimetableLine(number) for number in sessions if number not in planned
    ]


def _line_of_item(item: TimetableItem) -> TimetableLine:
    return TimetableLine(item.session, item.title, item.day, item.starts, item.ends, item.uuid)


def filled(tournament: Tournament, pattern: TimetableWish, *, lunch: str) -> list[TimetableLine]:
    """A timetable for all sessions on the tournament's days, with `lunch` so called; what else was planned stays.

    Refused when a day would last past midnight.
    """
    days = (tournament.ends_on - tournament.starts_on).days + 1
    try:
        slots = fill(len(sessions_of(tournament)), days, tournament.minutes, pattern)
    except ValueError:
        raise refuse("day_past_midnight", "first") from None
    kept = [_line_of_item(item) for item in tournament.timetable.filter(session=None).exclude(title=lunch)]
    lines = [*(_line_of_slot(tournament, slot, lunch) for slot in slots), *kept]
    return sorted(lines, key=lambda line: (str(line.day), str(line.starts)))


def _line_of_slot(tournament: Tournament, slot: Slot, lunch: str) -> TimetableLine:
    day = tournament.starts_on + timedelta(days=slot.day)
    if slot.session is not None:
        return TimetableLine(slot.session, day=day, starts=_clock(slot.starts))
    return TimetableLine(title=lunch, day=day, starts=_clock(slot.starts), ends=_clock(slot.ends))


def _clock(minute: int) -> time:
    return time(*divmod(minute % MIDNIGHT, 60))


def fingerprint(items: Iterable[TimetableItem]) -> str:
    """What lines say, in a short word, whatever their order."""
    lines = sorted(
        (str(item.day), f"{item.starts:%H:%M}", f"{item.ends or ''!s:.5}", item.session or 0, item.title)
        for item in items
    )
    return hashlib.sha256(repr(lines).encode()).hexdigest()[:16]


# --- Calendars ---


@dataclass(frozen=True)
class Event:
    """One entry of a calendar. `uid` stays the same whatever else of it changes."""

    uid: UUID
    session: int | None
    title: str
    """Empty for a session."""
    starts_at: datetime
    ends_at: datetime | None
    seat: Seat | None = None
    """Where the player sits; None for everybody's calendar, and while no seat is drawn."""


def events_of_all(tournament: Tournament) -> tuple[Event, ...]:
    return tuple(_calendar_event(entry) for entry in timetable(tournament).entries)


def events_of(player: Player) -> tuple[Event, ...]:
    """The player's seats, the sessions that the player may still be seated in, and everything else planned."""
    seats = {
        seat.table.session.number: seat
        for seat in Seat.objects.filter(player=player)
        .select_related("table__session", "player")
        .prefetch_related("table__seats__player")
    }
    return tuple(_player_events(player, seats))


def _player_events(player: Player, seats: dict[int, Seat]) -> Iterator[Event]:
    for entry in timetable(player.tournament).entries:
        seat = seats.get(entry.number or 0)
        if seat is not None:
            has_begun = seat.table.session.started_at is not None
            if has_begun or not player.is_withdrawn:
                yield _calendar_event(entry, player, seat)
        elif entry.number is None or may_be_seated(player, entry):
            yield _calendar_event(entry, player)


def _calendar_event(entry: Entry, player: Player | None = None, seat: Seat | None = None) -> Event:
    assert entry.item is not None
    uid = entry.item.uuid if player is None else uuid5(entry.item.uuid, f"player {player.number}")
    return Event(uid, entry.number, entry.title, entry.item.starts_at, entry.ends_at, seat)
