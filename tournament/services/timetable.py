"""Writing the timetable: all of it at once, every mistake said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any, Final
from uuid import UUID, uuid4

from scoring.engine.problems import Problem
from tournament import access, log
from tournament.access import Actor
from tournament.errors import Refused, refuse
from tournament.models import TimetableItem, Tournament
from tournament.selectors.timetable import fingerprint, sessions_of

LONGEST_TITLE: Final = TimetableItem._meta.get_field("title").max_length or 0
MOST_LINES: Final = 200
NEARBY: Final = 31
"""So many days before and after the tournament something may be planned: what is further away is a slip."""


@dataclass(frozen=True)
class Line:
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


def set_timetable(
    tournament: Tournament, actor: Actor, lines: Sequence[Line], *, seen: str = ""
) -> list[TimetableItem]:
    """The timetable is these lines, empty ones left out. `seen`: the fingerprint of the timetable they were made from;
    refused when it is another by now. The same timetable again writes nothing."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "timetable_set") as entry:
        before = list(entry.tournament.timetable.all())
        if seen and seen != fingerprint(before):
            raise refuse("timetable_changed_meanwhile")
        if problems := timetable_problems(entry.tournament, lines):
            raise Refused(problems)
        items = _items(entry.tournament, before, [line for line in lines if not line.is_empty])
        if fingerprint(items) == fingerprint(before):
            entry.unchanged()
            return before
        entry.tournament.timetable.all().delete()
        TimetableItem.objects.bulk_create(items)
        entry.data = {"lines": [_as_data(item) for item in items]}
    return items


def timetable_problems(tournament: Tournament, lines: Sequence[Line]) -> list[Problem]:
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


def _faults(tournament: Tournament, last: int, place: int, line: Line) -> list[Problem]:
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


def _twice(lines: Sequence[Line]) -> list[Problem]:
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


def _overlaps(tournament: Tournament, lines: Sequence[Line]) -> list[Problem]:
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


def _items(
    tournament: Tournament, before: Sequence[TimetableItem], lines: Sequence[Line]
) -> list[TimetableItem]:
    """The rows for lines without faults; what is changed keeps its UUID."""
    sessions = {item.session: item.uuid for item in before if item.session is not None}
    others = {item.uuid for item in before if item.session is None}
    return [_item(tournament, line, _uuid(line, sessions, others)) for line in lines]


def _item(tournament: Tournament, line: Line, uuid: UUID) -> TimetableItem:
    assert line.day is not None
    assert line.starts is not None
    item = TimetableItem(
        tournament=tournament, uuid=uuid, session=line.session, day=line.day, starts=line.starts
    )
    if line.session is None:
        item.title, item.ends = line.title.strip(), line.ends
    return item


def _uuid(line: Line, sessions: Mapping[int, UUID], others: set[UUID]) -> UUID:
    """A session's is that of the session, whoever sent the line; another's that of the line changed, once."""
    if line.session is not None:
        return sessions.get(line.session) or uuid4()
    if line.uuid is not None and line.uuid in others:
        others.remove(line.uuid)
        return line.uuid
    return uuid4()


def move_timetable(tournament: Tournament, days: int) -> None:
    """All lines move by so many days, as the tournament does. Call with its row locked."""
    for item in tournament.timetable.all():
        item.day += timedelta(days=days)
        item.save(update_fields=["day"])


def _as_data(item: TimetableItem) -> dict[str, Any]:
    return {
        "session": item.session,
        "title": item.title,
        "day": str(item.day),
        "starts": f"{item.starts:%H:%M}",
        "ends": f"{item.ends:%H:%M}" if item.ends else None,
    }
