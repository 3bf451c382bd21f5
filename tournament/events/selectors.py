"""Particulars, play settings, page, timetable and calendars of an event: reads and validation."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import pairwise
from typing import Final
from uuid import UUID, uuid5

from django.conf import settings
from django.db.models import Min

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.rules import PlaySettings
from tournament.base.errors import Refused
from tournament.base.models.events import EventDocument, EventPage, TimetableItem
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Seat, Session
from tournament.base.models.tournament import Pass, Tournament
from tournament.base.problems import NO_SUCH_SESSION
from tournament.base.validation import problems_of
from tournament.events.engine import MIDNIGHT, Sheet, Slot, TimetablePattern, generate_slots
from tournament.messages.push.models import Phone
from tournament.play.selectors.timetable import Entry, may_be_seated, sessions_of, timetable

TOO_MANY_LINES = problem_code("too_many_lines", "A timetable has at most {maximum} lines.")
SESSION_PLANNED_TWICE = problem_code("session_planned_twice", "Session {session} already has a time.")
SESSION_BEFORE_THE_LAST_IS_OVER = problem_code(
    "session_before_the_last_is_over", "Session {session} is played until {until}."
)
DAY_PAST_MIDNIGHT = problem_code(
    "day_past_midnight",
    "The sessions of a day would last past midnight. Start earlier or shorten the breaks.",
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
    "foul_book", "appeal_deposit", "is_public", "is_club_evening",
)  # fmt: skip
"""The fields of a tournament that the organiser edits."""
_NOT_PARTICULARS: Final = {field.name for field in Tournament._meta.fields} - set(PARTICULARS)
PARTICULARS_FIXED_BY_THE_DRAW = ("rulebook", "foul_book", "sessions_planned")
"""Particulars that recorded hands may depend on."""
PLAY_FIXED_BY_THE_DRAW = ("chart", "held_out_waits")
"""Settings that are on printed score sheets and on phones from the draw on."""
PLAY_FIXED_BY_THE_START = ("last_hand", "scale", "criteria")
"""Settings that the results depend on from the first session on."""

RESERVED_SLUGS = frozenset({"backups", "new", "people", "setup", "trials"})
"""Slugs that are pages below /organiser/."""


def particulars_problems(tournament: Tournament) -> list[Problem]:
    """Return all problems of the particulars; `where` is the field."""
    return problems_of(tournament, exclude=_NOT_PARTICULARS)


def fixed_play_settings(tournament: Tournament) -> dict[str, Problem]:
    """Return the `PlaySettings` that cannot be changed any more: setting → problem."""
    states = set(tournament.sessions.values_list("state", flat=True))
    fixed = []
    if states:
        fixed += [FIXED_BY_THE_DRAW(name) for name in PLAY_FIXED_BY_THE_DRAW]
    if states - {Session.State.PLANNED}:
        fixed += [FIXED_BY_THE_START(name) for name in PLAY_FIXED_BY_THE_START]
    return {problem.where: problem for problem in fixed}


def fixed_rules(tournament: Tournament) -> dict[str, Problem]:
    """Return these and both books, if they cannot be changed any more: field of the rules → problem."""
    fixed = fixed_play_settings(tournament)
    if tournament.sessions.exists():
        fixed |= {name: FIXED_BY_THE_DRAW(name) for name in ("rulebook", "foul_book")}
    return fixed


def play_settings_problems(tournament: Tournament, play: PlaySettings) -> list[Problem]:
    """Return all problems of new settings; `where` is the setting."""
    changed = play.differing(tournament.rules.play)
    fixed = [problem for name, problem in fixed_play_settings(tournament).items() if name in changed]
    problems = [*fixed, *play.problems()]
    if "warning" in changed and play.warning >= tournament.minutes:
        problems.append(WARNING_TOO_EARLY("warning", minutes=tournament.minutes))
    return problems


# --- The event's page ---


LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES)


@dataclass(frozen=True)
class LocalizedText:
    """A text with its language, which may not be the reader's."""

    text: str
    language: str


def text_in_language(texts: Mapping[str, str], language: str) -> LocalizedText | None:
    """Return the text in the reader's language, a related one, English, or any; None if there is none.

    >>> text_in_language({"en": "Tea", "zh-hans": "茶"}, "zh-hant").text
    '茶'
    """
    near = [code for code in LANGUAGES if code.partition("-")[0] == language.partition("-")[0]]
    best = next((code for code in (language, *near, "en", *LANGUAGES) if texts.get(code)), None)
    return None if best is None else LocalizedText(texts[best], best)


@dataclass(frozen=True)
class LocalizedPage:
    """An event's page for a reader of one language."""

    page: EventPage
    description: LocalizedText | None
    rules_note: LocalizedText | None

    def __bool__(self) -> bool:
        return any(self.page.content().values())


def localize_page(page: EventPage, language: str) -> LocalizedPage:
    return LocalizedPage(
        page,
        text_in_language(page.description, language),
        text_in_language(page.rules_note, language),
    )


def logo_of(tournament: Tournament) -> EventDocument | None:
    return tournament.event_documents.filter(is_logo=True).last()


# --- The timetable ---


MAX_LINES: Final = 200


def timetable_problems(tournament: Tournament, items: Sequence[TimetableItem]) -> list[Problem]:
    """Return all problems of the lines; `where` is "lines.2.starts" for the start of the third line."""
    if len(items) > MAX_LINES:
        return [TOO_MANY_LINES(maximum=MAX_LINES)]
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
    """Return a problem for each further line of the same session."""
    seen: set[int] = set()
    problems = []
    for (where, session), _item in sessions.items():
        if session in seen:
            problems.append(SESSION_PLANNED_TWICE(f"{where}.starts", session=session))
        seen.add(session)
    return problems


def _overlaps(sessions: Mapping[tuple[str, int], TimetableItem], tournament: Tournament) -> list[Problem]:
    """Return a problem for each session that starts before the previous one ends."""
    lines = {session: (item, where) for (where, session), item in sessions.items() if _has_valid_time(item)}
    problems = []
    for before, after in pairwise(sorted(lines)):
        (earlier, _where), (item, where) = lines[before], lines[after]
        end = earlier.ends_at
        if end is not None and item.starts_at < end:
            end = end.astimezone(tournament.zone)
            until = f"{end:%H:%M}" if end.date() == item.day else f"{end:%Y-%m-%d %H:%M}"
            problems.append(SESSION_BEFORE_THE_LAST_IS_OVER(f"{where}.starts", session=before, until=until))
    return problems


def _has_valid_time(item: TimetableItem) -> bool:
    return item.day is not None and item.starts is not None and not item.days_away


def timetable_lines(tournament: Tournament) -> list[TimetableItem]:
    """Return the planned items in order, then the sessions without a time."""
    sessions = sessions_of(tournament)
    items = [item for item in tournament.timetable.all() if item.session is None or item.session in sessions]
    planned = {item.session for item in items}
    return items + [TimetableItem(session=number) for number in sessions if number not in planned]


def day_ends(items: Iterable[TimetableItem], minutes: int) -> list[datetime]:
    """Return when the last session of each day ends, in local time."""
    starts = [datetime.combine(item.day, item.starts) for item in items if item.session and item.starts]
    last = {start.date(): start for start in sorted(starts)}
    return [start + timedelta(minutes=minutes) for start in last.values()]


def propose_timetable(
    tournament: Tournament, pattern: TimetablePattern, *, lunch: str
) -> list[TimetableItem]:
    """Return a timetable of all sessions on the tournament's days, with the other items planned so far.

    `lunch`: the title of lunch. Raises Refused if a day would last past midnight.
    """
    days = (tournament.ends_on - tournament.starts_on).days + 1
    try:
        slots = generate_slots(len(sessions_of(tournament)), days, tournament.minutes, pattern)
    except ValueError:
        raise Refused(DAY_PAST_MIDNIGHT("first")) from None
    others = tournament.timetable.filter(session=None).exclude(title=lunch)
    items = [*(_item_of_slot(tournament, slot, lunch) for slot in slots), *others]
    return sorted(items, key=lambda item: (item.day, item.starts))


MIN_HANDS_MEASURED: Final = 8
"""A sheet with fewer hands says little about the pace of its table."""


def measured_sheets(tournament: Tournament) -> list[Sheet]:
    """Return the sheets whose hands were saved while their session was played, without pauses of the clock."""
    hands = Hand.objects.filter(
        table__session__tournament=tournament, table__counts_totals=False, is_current=True
    )
    saved = hands.order_by().values("table", "table__session", "number").annotate(first=Min("recorded_at"))
    sessions = {session.pk: session for session in tournament.sessions.exclude(started_at=None)}
    moments: defaultdict[tuple[int, int], list[datetime]] = defaultdict(list)
    for row in saved:
        moments[row["table__session"], row["table"]].append(row["first"])
    sheets = []
    for (session, _table), times in moments.items():
        clock = sessions[session].clock
        assert clock is not None, "hands are recorded after the gong"
        if len(times) >= MIN_HANDS_MEASURED:
            seconds = int(clock.played(max(times)).total_seconds())
            sheets.append(Sheet(len(times), seconds))
    return sheets


def _item_of_slot(tournament: Tournament, slot: Slot, lunch: str) -> TimetableItem:
    item = TimetableItem(
        session=slot.session,
        day=tournament.starts_on + timedelta(days=slot.day),
        starts=_time_of_day(slot.starts),
    )
    if slot.session is None:
        item.title, item.ends = lunch, _time_of_day(slot.ends)
    return item


def _time_of_day(minute: int) -> time:
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
class CalendarEvent:
    """An event of a calendar file. `uid` stays the same when the rest changes."""

    uid: UUID
    session: int | None
    title: str
    """Empty for a session."""
    starts_at: datetime
    ends_at: datetime | None
    seat: Seat | None = None
    """The player's seat; None in the calendar of the whole timetable and before the draw."""


def calendar_events(tournament: Tournament) -> tuple[CalendarEvent, ...]:
    """Return all planned items."""
    return tuple(_calendar_event(entry) for entry in timetable(tournament).entries)


def player_calendar_events(player: Player) -> tuple[CalendarEvent, ...]:
    """Return the sessions with the player's seats, those the player may still be seated in, and all other items."""
    seats = {
        seat.table.session.number: seat
        for seat in Seat.objects.filter(player=player)
        .select_related("table__session", "player")
        .prefetch_related("table__seats__player")
    }
    return tuple(_player_events(player, seats))


def _player_events(player: Player, seats: dict[int, Seat]) -> Iterator[CalendarEvent]:
    for entry in timetable(player.tournament).entries:
        seat = seats.get(entry.number or 0)
        if seat is not None:
            has_begun = seat.table.session.started_at is not None
            if has_begun or not player.is_withdrawn:
                yield _calendar_event(entry, player, seat)
        elif entry.number is None or may_be_seated(player, entry):
            yield _calendar_event(entry, player)


def _calendar_event(entry: Entry, player: Player | None = None, seat: Seat | None = None) -> CalendarEvent:
    assert entry.item is not None
    uid = entry.item.uuid if player is None else uuid5(entry.item.uuid, f"player {player.number}")
    return CalendarEvent(uid, entry.number, entry.title, entry.item.starts_at, entry.ends_at, seat)


# --- What a tournament holds ---


@dataclass(frozen=True)
class Contents:
    """Counts of what a tournament contains."""

    players: int
    sessions: int
    """Those begun."""
    hands: int
    penalties: int
    documents: int
    passes: int
    phones: int
    entries: int
    """Of the log."""
    is_running: bool
    """Whether a session is being played."""


def contents_of(tournament: Tournament) -> Contents:
    """Count what is deleted with a tournament."""
    sessions = tournament.sessions.exclude(state=Session.State.PLANNED)
    return Contents(
        players=tournament.players.count(),
        sessions=sessions.count(),
        hands=Hand.objects.filter(table__session__tournament=tournament, is_current=True).count(),
        penalties=tournament.penalties.filter(cancelled_at=None).count(),
        documents=tournament.documents.exclude(file="").count(),
        passes=Pass.objects.filter(membership__tournament=tournament, revoked_at=None).count(),
        phones=Phone.objects.filter(player__tournament=tournament).count(),
        entries=tournament.log.count(),
        is_running=sessions.filter(state=Session.State.RUNNING).exists(),
    )
