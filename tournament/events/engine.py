"""Generate a timetable with pauses and lunch, and estimate which tables finish. Times are minutes after midnight."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from tournament.base.engine.rules import HANDS_PER_SESSION

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


# --- Which tables finish ---


USUAL_PACES: Final = (470, 480)
"""Seconds of a hand at half of the tables, from and to: 7:50–8:00 minutes.

Source: the World Mahjong Championship 2019, where about half of the tables finished 16 hands in two hours. Fifteen
hands of 8:00 minutes take two hours, and the running hand was finished. How the other tables were spread is not known.
"""
LENGTH_STEP: Final = 5
"""Minutes to which a proposed length is rounded up."""
MOST_TABLES: Final = 0.9


@dataclass(frozen=True)
class Sheet:
    """A sheet whose hands were saved as they were played: their number, and the seconds until the last one."""

    hands: int
    seconds: int

    @property
    def pace(self) -> float:
        """Seconds of a hand."""
        return self.seconds / self.hands


@dataclass(frozen=True)
class Finish:
    """How many tables finish, of those measured. `for_half`, `for_most`: minutes in which half and 9 of 10 do."""

    finished: int
    tables: int
    pace: int
    """The median, in seconds."""
    for_half: int
    for_most: int


def hands_within(is_last_finished: bool) -> int:
    """Return how many hands end within the time of a session; the one running at its end may be finished after it."""
    return HANDS_PER_SESSION - 1 if is_last_finished else HANDS_PER_SESSION


def usual_finish(minutes: int, *, is_last_finished: bool) -> int:
    """Return whether fewer (-1), about as many (0), or more (1) than half of the tables finish, at the usual paces.

    >>> [usual_finish(minutes, is_last_finished=True) for minutes in (110, 120, 130)]
    [-1, 0, 1]
    >>> [usual_finish(minutes, is_last_finished=False) for minutes in (120, 126, 130)]
    [-1, 0, 1]
    """
    pace = minutes * 60 / hands_within(is_last_finished)
    return (pace > USUAL_PACES[1]) - (pace < USUAL_PACES[0])


def usual_length(*, is_last_finished: bool) -> int:
    """Return the minutes in which about half of the tables finish, at the usual paces.

    >>> usual_length(is_last_finished=True), usual_length(is_last_finished=False)
    (120, 130)
    """
    return _length(USUAL_PACES[1], is_last_finished)


def measured_finish(sheets: Sequence[Sheet], minutes: int, *, is_last_finished: bool) -> Finish | None:
    """Return how many tables finish at the measured paces; None without any.

    >>> sheets = [Sheet(16, 16 * seconds) for seconds in (400, 450, 500, 600)]
    >>> measured_finish(sheets, 120, is_last_finished=True)
    Finish(finished=2, tables=4, pace=450, for_half=115, for_most=150)
    """
    if not sheets:
        return None
    paces = sorted(sheet.pace for sheet in sheets)
    half, most = (paces[ceil(share * len(paces)) - 1] for share in (0.5, MOST_TABLES))
    finished = sum(pace * hands_within(is_last_finished) <= minutes * 60 for pace in paces)
    lengths = (_length(pace, is_last_finished) for pace in (half, most))
    return Finish(finished, len(paces), round(half), *lengths)


def _length(pace: float, is_last_finished: bool) -> int:
    return ceil(pace * hands_within(is_last_finished) / 60 / LENGTH_STEP) * LENGTH_STEP
