"""A timetable made in one step: sessions shared among the days, pauses between them, lunch in the middle.

Times are minutes after midnight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MIDNIGHT: Final = 24 * 60
NEAR_LUNCH: Final = 90
"""Lunch moves by so many minutes at most to the nearest end of a session; a day that offers none has no lunch."""


@dataclass(frozen=True)
class TimetableWish:
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


def fill(sessions: int, days: int, minutes: int, wish: TimetableWish) -> tuple[Slot, ...]:
    """The slots of sessions of so many `minutes`, in order; the earlier days have one more where it does not come out
    even. ValueError when a day would last past midnight."""
    each, more = divmod(sessions, days)
    found: list[Slot] = []
    first = 1
    for day in range(days):
        count = each + (day < more)
        found += _day(day, range(first, first + count), minutes, wish)
        first += count
    if any(slot.ends > MIDNIGHT for slot in found):
        raise ValueError("past midnight")
    return tuple(found)


def _day(day: int, sessions: range, minutes: int, wish: TimetableWish) -> Iterator[Slot]:
    lunch_after = _lunch_after(len(sessions), minutes, wish)
    now = wish.first
    for place, session in enumerate(sessions, 1):
        yield Slot(day, now, now + minutes, session)
        now += minutes
        if place == lunch_after:
            yield Slot(day, now, now + wish.lunch, None)
            now += max(wish.lunch, wish.pause)
        else:
            now += wish.pause


def _lunch_after(sessions: int, minutes: int, wish: TimetableWish) -> int | None:
    """After how many sessions of a day lunch comes: at the end nearest to the wish that has a session behind it."""
    ends = {n: wish.first + n * minutes + (n - 1) * wish.pause for n in range(1, sessions)}
    near = {n: away for n, end in ends.items() if (away := abs(end - wish.lunch_at)) <= NEAR_LUNCH}
    return min(near, key=lambda n: near[n]) if near and wish.lunch else None
