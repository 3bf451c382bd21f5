"""The lines of a timetable as an organiser edits them, and calendars."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Final
from uuid import UUID, uuid5

from scoring.engine.problems import Problem
from tournament.base.errors import refuse
from tournament.base.models.events import TimetableItem
from tournament.base.models.people import Player
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.events.engine import MIDNIGHT, Slot, TimetableWish, fill
from tournament.play.selectors.participants import may_be_seated
from tournament.play.selectors.timetable import Entry, sessions_of, timetable


def fingerprint(items: Iterable[TimetableItem]) -> str:
    """What lines say, in a short word, whatever their order."""
    said = sorted(
        (str(item.day), f"{item.starts:%H:%M}", f"{item.ends or ''!s:.5}", item.session or 0, item.title)
        for item in items
    )
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


# --- The lines of a timetable as an organiser says them: those to start from, and what is wrong with them ---


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
    found = [
        problem
        for place, line in enumerate(lines, 1)
        if not line.is_empty
        for problem in _faults(tournament, last, place, line)
    ]
    return found + _twice(lines) + _overlaps(tournament, lines)


def _faults(tournament: Tournament, last: int, place: int, line: TimetableLine) -> list[Problem]:
    """What is wrong with a line by itself."""
    found = []
    if line.session is None and not line.title.strip():
        found.append(Problem("line_title_missing", f"title {place}"))
    if len(line.title.strip()) > LONGEST_TITLE:
        found.append(Problem("line_title_too_long", f"title {place}", {"most": LONGEST_TITLE}))
    if line.session is not None and not 1 <= line.session <= last:
        found.append(Problem("no_such_session", f"starts {place}", {"session": line.session}))
    if line.day is None:
        found.append(Problem("line_day_missing", f"day {place}"))
    elif line.session is not None and not _on_its_days(tournament, line.day):
        found.append(Problem("session_outside_the_days", f"day {place}"))
    elif not _on_its_days(tournament, line.day, NEARBY):
        found.append(Problem("line_far_from_the_days", f"day {place}", {"days": NEARBY}))
    if line.starts is None:
        found.append(Problem("line_start_missing", f"starts {place}"))
    elif line.ends is not None and line.ends <= line.starts:
        found.append(Problem("line_ends_before_it_starts", f"ends {place}"))
    return found


def _on_its_days(tournament: Tournament, day: date, around: int = 0) -> bool:
    """Whether the tournament is on that day, or so many days from it."""
    return -around <= (day - tournament.starts_on).days and (day - tournament.ends_on).days <= around


def _twice(lines: Sequence[TimetableLine]) -> list[Problem]:
    """Sessions that have more than one line."""
    seen: set[int] = set()
    found = []
    for place, line in enumerate(lines, 1):
        if line.session is None or line.is_empty:
            continue
        if line.session in seen:
            found.append(Problem("session_planned_twice", f"starts {place}", {"session": line.session}))
        seen.add(line.session)
    return found


def _overlaps(tournament: Tournament, lines: Sequence[TimetableLine]) -> list[Problem]:
    """Sessions planned before the one before them is over."""
    starts: dict[int, tuple[datetime, int]] = {
        line.session: (datetime.combine(line.day, line.starts, tournament.zone).astimezone(UTC), place)
        for place, line in enumerate(lines, 1)
        if line.session is not None and line.day is not None and line.starts is not None
        if _on_its_days(tournament, line.day)
    }
    found, in_order = [], sorted(starts)
    for before, session in pairwise(in_order):
        over = starts[before][0] + timedelta(minutes=tournament.minutes)
        at, place = starts[session]
        if at < over:
            params: dict[str, str | int] = {
                "session": before,
                "until": _until(over.astimezone(tournament.zone), at.astimezone(tournament.zone)),
            }
            found.append(Problem("session_before_the_last_is_over", f"starts {place}", params))
    return found


def _until(over: datetime, at: datetime) -> str:
    """When the one before is over: 13:15, with the day where it is another one."""
    return f"{over:%H:%M}" if over.date() == at.date() else f"{over:%Y-%m-%d %H:%M}"


def lines_of(tournament: Tournament) -> list[TimetableLine]:
    """What is planned, in order, then the sessions that have no time yet."""
    sessions = sessions_of(tournament)
    items = [item for item in tournament.timetable.all() if item.session is None or item.session in sessions]
    planned = {item.session for item in items}
    return [_line(item) for item in items] + [
        TimetableLine(number) for number in sessions if number not in planned
    ]


def filled(tournament: Tournament, wish: TimetableWish, *, lunch: str) -> list[TimetableLine]:
    """A timetable for all sessions on the tournament's days, with `lunch` so called; what else was planned stays.

    Refused when a day would last past midnight.
    """
    days = (tournament.ends_on - tournament.starts_on).days + 1
    try:
        slots = fill(len(sessions_of(tournament)), days, tournament.minutes, wish)
    except ValueError:
        raise refuse("day_past_midnight", "first") from None
    kept = [_line(item) for item in tournament.timetable.filter(session=None).exclude(title=lunch)]
    return _in_order([*(_slot(tournament, slot, lunch) for slot in slots), *kept])


def _slot(tournament: Tournament, slot: Slot, lunch: str) -> TimetableLine:
    day = tournament.starts_on + timedelta(days=slot.day)
    if slot.session is not None:
        return TimetableLine(slot.session, day=day, starts=_clock(slot.starts))
    return TimetableLine(title=lunch, day=day, starts=_clock(slot.starts), ends=_clock(slot.ends))


def _clock(minute: int) -> time:
    return time(*divmod(minute % MIDNIGHT, 60))


def _line(item: TimetableItem) -> TimetableLine:
    return TimetableLine(item.session, item.title, item.day, item.starts, item.ends, item.uuid)


def _in_order(lines: Iterable[TimetableLine]) -> list[TimetableLine]:
    return sorted(lines, key=lambda line: (str(line.day), str(line.starts)))


# --- Calendars ---
# What belongs into a calendar: everything of the timetable that has a time, for everybody or for one player.


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
    return tuple(_event(entry) for entry in timetable(tournament).entries)


def events_of(player: Player) -> tuple[Event, ...]:
    """The player's seats, the sessions that the player may still be seated in, and everything else planned."""
    seats = {
        seat.table.session.number: seat
        for seat in Seat.objects.filter(player=player)
        .select_related("table__session", "player")
        .prefetch_related("table__seats__player")
    }
    return tuple(_of_player(player, seats))


def _of_player(player: Player, seats: dict[int, Seat]) -> Iterator[Event]:
    for entry in timetable(player.tournament).entries:
        seat = seats.get(entry.number or 0)
        if seat is not None:
            has_begun = seat.table.session.started_at is not None
            if has_begun or not player.is_withdrawn:
                yield _event(entry, player, seat)
        elif entry.number is None or may_be_seated(player, entry):
            yield _event(entry, player)


def _event(entry: Entry, player: Player | None = None, seat: Seat | None = None) -> Event:
    assert entry.item is not None
    uid = entry.item.uuid if player is None else uuid5(entry.item.uuid, f"player {player.number}")
    return Event(uid, entry.number, entry.title, entry.item.starts_at, entry.ends_at, seat)
