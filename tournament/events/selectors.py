"""What is said of an event and what is wrong with it: particulars, page and timetable; and its calendars."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import pairwise
from typing import Final
from uuid import UUID, uuid5

from django.conf import settings

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.rules import PlaySettings
from tournament.base.errors import Refused
from tournament.base.models.events import EventDocument, EventPage, TimetableItem
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.problems import NO_SUCH_SESSION
from tournament.base.validation import problems_of
from tournament.ema.engine import Weight
from tournament.ema.selectors import weighed
from tournament.events.engine import MIDNIGHT, Slot, TimetablePattern, fill
from tournament.play.selectors.timetable import Entry, may_be_seated, sessions_of, timetable

TOO_MANY_LINES = problem_code("too_many_lines", "A timetable has at most {most} lines.")
SESSION_PLANNED_TWICE = problem_code("session_planned_twice", "Session {session} has a time already.")
SESSION_BEFORE_THE_LAST_IS_OVER = problem_code(
    "session_before_the_last_is_over", "Session {session} is played until {until}."
)
DAY_PAST_MIDNIGHT = problem_code(
    "day_past_midnight",
    "The sessions of a day would last past midnight. Begin earlier or make the pauses shorter.",
)
FIXED_BY_THE_DRAW = problem_code("fixed_by_the_draw", "This is fixed once the seats are drawn.")
FIXED_BY_THE_START = problem_code("fixed_by_the_start", "This is fixed once the first session has begun.")
WARNING_TOO_EARLY = problem_code(
    "warning_too_early",
    "A session lasts only {minutes} minute: give less than that.",
    "A session lasts only {minutes} minutes: give fewer than that.",
    by="minutes",
)

# --- Particulars ---


PARTICULARS: Final = (
    "name", "venue", "starts_on", "ends_on", "sessions_planned", "minutes", "appeal_minutes", "time_zone", "rulebook",
    "is_public",
)  # fmt: skip
"""What the organiser says of a tournament. What hands are scored by stays as it is once seats are drawn."""
_NOT_PARTICULARS: Final = {field.name for field in Tournament._meta.fields} - set(PARTICULARS)
PARTICULARS_FIXED_BY_THE_DRAW = ("rulebook", "sessions_planned")
"""Particulars that hands already recorded may rest on."""
PLAY_FIXED_BY_THE_DRAW = ("chart", "held_out_waits")
"""Settings that papers with the seats, and tables opened on phones, carry from the draw on."""
PLAY_FIXED_BY_THE_START = ("last_hand", "scale", "criteria")
"""Settings that everybody plays for once the first session has begun."""

RESERVED = frozenset({"backups", "new", "people", "setup", "trials"})
"""Addresses below /organiser/ that are pages of their own."""


def particulars_problems(tournament: Tournament) -> list[Problem]:
    """Return everything that is wrong with the particulars of a tournament; `where` is the particular."""
    return problems_of(tournament, exclude=_NOT_PARTICULARS)


def fixed_play_settings(tournament: Tournament) -> dict[str, Problem]:
    """Find which of the `PlaySettings` can be changed no more, and why: setting → what is wrong with a change."""
    states = set(tournament.sessions.values_list("state", flat=True))
    fixed = []
    if states:
        fixed += [FIXED_BY_THE_DRAW(name) for name in PLAY_FIXED_BY_THE_DRAW]
    if states - {Session.State.PLANNED}:
        fixed += [FIXED_BY_THE_START(name) for name in PLAY_FIXED_BY_THE_START]
    return {problem.where: problem for problem in fixed}


def play_settings_problems(tournament: Tournament, play: PlaySettings) -> list[Problem]:
    """Find everything that is wrong with new settings; `where` is the setting."""
    changed = play.differing(tournament.rules.play)
    fixed = [problem for name, problem in fixed_play_settings(tournament).items() if name in changed]
    problems = [*fixed, *play.problems()]
    if "warning" in changed and play.warning >= tournament.minutes:
        problems.append(WARNING_TOO_EARLY("warning", minutes=tournament.minutes))
    return problems


# --- The event's page ---


LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES)


@dataclass(frozen=True)
class Said:
    """A text, and the language it is in: not always the reader's."""

    text: str
    language: str


def in_language(texts: Mapping[str, str], language: str) -> Said | None:
    """Return the text in the reader's language, a related one, English, or any; None if there is none.

    >>> in_language({"en": "Tea", "zh-hans": "茶"}, "zh-hant").text
    '茶'
    """
    near = [code for code in LANGUAGES if code.partition("-")[0] == language.partition("-")[0]]
    written = next((code for code in (language, *near, "en", *LANGUAGES) if texts.get(code)), None)
    return None if written is None else Said(texts[written], written)


@dataclass(frozen=True)
class Told:
    """An event's page for a reader of one language."""

    words: EventPage
    description: Said | None
    fee: Said | None
    rules_note: Said | None

    def __bool__(self) -> bool:
        return any(self.words.content().values())


def told_in(words: EventPage, language: str) -> Told:
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
    counted_countries: int
    """How many of them the weight counts: guests count for the country of the event."""
    days: int
    weight: Weight | None
    """None where the European ranking does not count it."""


def coming(tournament: Tournament, words: EventPage) -> Coming:
    now = weighed(tournament, words)
    return Coming(
        now.players,
        now.substitutes,
        now.countries,
        now.counted_countries,
        now.days,
        now.weight if words.mers else None,
    )


SIGNS: Final = {
    EventDocument.Kind.PDF: b"%PDF-",
    EventDocument.Kind.PNG: b"\x89PNG\r\n\x1a\n",
    EventDocument.Kind.JPEG: b"\xff\xd8\xff",
}
"""How a file of each kind begins."""


def kind_of(content: bytes) -> str | None:
    """Detect a file's kind by its first bytes; None for kinds not allowed. SVG and HTML can hold scripts."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return EventDocument.Kind.WEBP
    return next((kind for kind, sign in SIGNS.items() if content.startswith(sign)), None)


# --- The timetable ---


MOST_LINES: Final = 200


def timetable_problems(tournament: Tournament, items: Sequence[TimetableItem]) -> list[Problem]:
    """Return everything that is wrong with the lines; `where` is "lines.2.starts" for the start of the third."""
    if len(items) > MOST_LINES:
        return [TOO_MANY_LINES(most=MOST_LINES)]
    last = len(sessions_of(tournament))
    lines = {f"lines.{n}": item for n, item in enumerate(items) if not item.is_empty}
    problems = []
    for where, item in lines.items():
        item.tournament = tournament
        problems += problems_of(item, where, exclude=("tournament", "uuid"))
        if item.session is not None and not 1 <= item.session <= last:
            problems.append(NO_SUCH_SESSION(f"{where}.starts", session=item.session))
    sessions = {(where, item.session): item for where, item in lines.items() if item.session is not None}
    return problems + _planned_twice(sessions) + _overlaps(sessions, tournament)


def _planned_twice(sessions: Mapping[tuple[str, int], TimetableItem]) -> list[Problem]:
    """Return a problem for each session that has a line before."""
    seen: set[int] = set()
    problems = []
    for (where, session), _item in sessions.items():
        if session in seen:
            problems.append(SESSION_PLANNED_TWICE(f"{where}.starts", session=session))
        seen.add(session)
    return problems


def _overlaps(sessions: Mapping[tuple[str, int], TimetableItem], tournament: Tournament) -> list[Problem]:
    """Return a problem for each session planned before the one before it is over."""
    lines = {session: (item, where) for (where, session), item in sessions.items() if _has_its_time(item)}
    problems = []
    for before, after in pairwise(sorted(lines)):
        (earlier, _where), (item, where) = lines[before], lines[after]
        over = earlier.ends_at
        if over is not None and item.starts_at < over:
            over = over.astimezone(tournament.zone)
            until = f"{over:%H:%M}" if over.date() == item.day else f"{over:%Y-%m-%d %H:%M}"
            problems.append(SESSION_BEFORE_THE_LAST_IS_OVER(f"{where}.starts", session=before, until=until))
    return problems


def _has_its_time(item: TimetableItem) -> bool:
    return item.day is not None and item.starts is not None and not item.days_away


def lines_of(tournament: Tournament) -> list[TimetableItem]:
    """Return the planned items in order, then the sessions without a time."""
    sessions = sessions_of(tournament)
    items = [item for item in tournament.timetable.all() if item.session is None or item.session in sessions]
    planned = {item.session for item in items}
    return items + [TimetableItem(session=number) for number in sessions if number not in planned]


def filled(tournament: Tournament, pattern: TimetablePattern, *, lunch: str) -> list[TimetableItem]:
    """A timetable for all sessions on the tournament's days, with `lunch` so called; what else was planned stays.

    Refused when a day would last past midnight.
    """
    days = (tournament.ends_on - tournament.starts_on).days + 1
    try:
        slots = fill(len(sessions_of(tournament)), days, tournament.minutes, pattern)
    except ValueError:
        raise Refused(DAY_PAST_MIDNIGHT("first")) from None
    others = tournament.timetable.filter(session=None).exclude(title=lunch)
    items = [*(_item_of_slot(tournament, slot, lunch) for slot in slots), *others]
    return sorted(items, key=lambda item: (item.day, item.starts))


def _item_of_slot(tournament: Tournament, slot: Slot, lunch: str) -> TimetableItem:
    item = TimetableItem(
        session=slot.session, day=tournament.starts_on + timedelta(days=slot.day), starts=_clock(slot.starts)
    )
    if slot.session is None:
        item.title, item.ends = lunch, _clock(slot.ends)
    return item


def _clock(minute: int) -> time:
    return time(*divmod(minute % MIDNIGHT, 60))


def fingerprint(items: Iterable[TimetableItem]) -> str:
    """Return a short hash of lines, whatever their order."""
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
    """Return the player's seats, sessions the player may still be seated in, and all other items."""
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
