"""A timetable made in one step: sessions shared among the days, pauses between them, lunch in the middle.

Times are minutes after midnight.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MIDNIGHT: Final = 24 * 60
NEAR_LUNCH: Final = 90
"""Lunch moves by so many minutes at most to the nearest end of a session; a day that offers none has no lunch."""


@dataclass(frozen=True)
class TimetablePattern:
    """When the first session of each day begins, how long the pauses are, and when lunch is wanted. Lunch of no minutes
    is none."""

    first: int = 9 * 60
    pause: int = 15
    lunch_at: int = 12 * 60 + 30
    lunch: int = 60


@dataclass(frozen=True)
class Slot:
    """From when to when on a day (from 0); `session` None is lunch."""

    day: int
    starts: int
    ends: int
    session: int | None


def fill(sessions: int, days: int, minutes: int, pattern: TimetablePattern) -> tuple[Slot, ...]:
    """The slots of sessions of so many `minutes`, in order; the earlier days have one more where it does not come out
    even. ValueError when a day would last past midnight."""
    per_day, more = divmod(sessions, days)
    slots: list[Slot] = []
    first = 1
    for day in range(days):
        count = per_day + (day < more)
        slots += _slots_of_day(day, range(first, first + count), minutes, pattern)
        first += count
    if any(slot.ends > MIDNIGHT for slot in slots):
        raise ValueError("past midnight")
    return tuple(slots)


def _slots_of_day(day: int, sessions: range, minutes: int, pattern: TimetablePattern) -> Iterator[Slot]:
    lunch_after = _lunch_after(len(sessions), minutes, pattern)
    now = pattern.first
    for place, session in enumerate(sessions, 1):
        yield Slot(day, now, now + minutes, session)
        now += minutes
        if place == lunch_after:
            yield Slot(day, now, now + pattern.lunch, None)
            now += max(pattern.lunch, pattern.pause)
        else:
            now += pattern.pause


def _lunch_after(sessions: int, minutes: int, pattern: TimetablePattern) -> int | None:
    """Return after how many sessions of a day lunch comes."""
    ends = {n: pattern.first + n * minutes + (n - 1) * pattern.pause for n in range(1, sessions)}
    near = {n: away for n, end in ends.items() if (away := abs(end - pattern.lunch_at)) <= NEAR_LUNCH}
    return min(near, key=lambda n: near[n]) if near and pattern.lunch else None
