"""The lines to start from: those there are, and a sensible timetable in one step. Stores nothing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import time, timedelta

from tournament.engine.timetable import MIDNIGHT, Slot, Wish, fill
from tournament.errors import refuse
from tournament.models import TimetableItem, Tournament
from tournament.selectors.timetable import sessions_of
from tournament.services.timetable import Line


def lines_of(tournament: Tournament) -> list[Line]:
    """What is planned, in order, then the sessions that have no time yet."""
    sessions = sessions_of(tournament)
    items = [item for item in tournament.timetable.all() if item.session is None or item.session in sessions]
    planned = {item.session for item in items}
    return [_line(item) for item in items] + [Line(number) for number in sessions if number not in planned]


def filled(tournament: Tournament, wish: Wish, *, lunch: str) -> list[Line]:
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


def _slot(tournament: Tournament, slot: Slot, lunch: str) -> Line:
    day = tournament.starts_on + timedelta(days=slot.day)
    if slot.session is not None:
        return Line(slot.session, day=day, starts=_clock(slot.starts))
    return Line(title=lunch, day=day, starts=_clock(slot.starts), ends=_clock(slot.ends))


def _clock(minute: int) -> time:
    return time(*divmod(minute % MIDNIGHT, 60))


def _line(item: TimetableItem) -> Line:
    return Line(item.session, item.title, item.day, item.starts, item.ends, item.uuid)


def _in_order(lines: Iterable[Line]) -> list[Line]:
    return sorted(lines, key=lambda line: (str(line.day), str(line.starts)))
