"""Generate a timetable with pauses and lunch. Times are minutes after midnight."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MIDNIGHT: Final = 24 * 60
NEAR_LUNCH: Final = 90
"""The most minutes between the preferred time of lunch and the end of a session; without one there is no lunch."""


@dataclass(frozen=True)
class TimetablePattern:
    """Start of the first session of each day, length of pauses, and preferred time and length of lunch (0: none)."""

    first: int = 9 * 60
    pause: int = 15
    lunch_at: int = 12 * 60 + 30
    lunch: int = 60


@dataclass(frozen=True)
class Slot:
    """A session, or lunch if `session` is None. `day`: counted from 0."""

    day: int
    starts: int
    ends: int
    session: int | None


def generate_slots(sessions: int, days: int, minutes: int, pattern: TimetablePattern) -> tuple[Slot, ...]:
    """Return the slots of sessions of `minutes` each, in order; earlier days may have one session more.

    Raises ValueError if a day would last past midnight.
    """
    per_day, extra = divmod(sessions, days)
    slots: list[Slot] = []
    first = 1
    for day in range(days):
        count = per_day + (day < extra)
        slots += _slots_of_day(day, range(first, first + count), minutes, pattern)
        first += count
    if any(slot.ends > MIDNIGHT for slot in slots):
        raise ValueError("past midnight")
    return tuple(slots)


def _slots_of_day(day: int, sessions: range, minutes: int, pattern: TimetablePattern) -> Iterator[Slot]:
    lunch_after = _lunch_after(len(sessions), minutes, pattern)
    now = pattern.first
    for played, session in enumerate(sessions, 1):
        yield Slot(day, now, now + minutes, session)
        now += minutes
        if played == lunch_after:
            yield Slot(day, now, now + pattern.lunch, None)
            now += max(pattern.lunch, pattern.pause)
        else:
            now += pattern.pause


def _lunch_after(sessions: int, minutes: int, pattern: TimetablePattern) -> int | None:
    """Return the number of a day's sessions before lunch; None for no lunch."""
    ends = {n: pattern.first + n * minutes + (n - 1) * pattern.pause for n in range(1, sessions)}
    distances = {n: abs(end - pattern.lunch_at) for n, end in ends.items()}
    near = {n: distance for n, distance in distances.items() if distance <= NEAR_LUNCH}
    return min(near, key=lambda n: near[n]) if near and pattern.lunch else None
