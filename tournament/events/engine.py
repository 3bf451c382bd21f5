"""Generate a timetable with pauses and lunch, and estimate which tables finish. Times are minutes after midnight."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
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


USUAL_PACES: Final = tuple(
    (7200 / hands, tables / 192) for hands, tables in ((16, 99), (15, 150), (14, 183), (11, 192))
)
"""(seconds of a hand, share of the tables that need no more), in ascending order.

Source: general assembly of the EMA, 2019, item 10: how many hands the 64 tables of the World Mahjong Championship 2019
finished in three sessions of 120 minutes, after which the running hand was not finished. `tables`: those of all three
sessions together with at least so many hands. In the first, 5 had 13 hands or fewer: the document says 3, but also 8 %,
and only with 5 do the counts sum to 64. How fast tables with 16 hands were is not known, nor how many had 12 or 13; the
slowest had 11.
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


def usual_share(minutes: int, *, is_last_finished: bool) -> float:
    """Return the share of the tables that finish, at the usual paces; 0 for fewer than half, who are not told apart.

    >>> [round(usual_share(minutes, is_last_finished=True), 2) for minutes in (110, 120, 125, 130, 170)]
    [0, 0.78, 0.88, 0.96, 1.0]
    >>> [round(usual_share(minutes, is_last_finished=False), 2) for minutes in (115, 120, 128, 137, 180)]
    [0, 0.52, 0.78, 0.95, 1.0]
    """
    pace = minutes * 60 / hands_within(is_last_finished)
    return _interpolate(pace, USUAL_PACES) if pace >= USUAL_PACES[0][0] else 0


def usual_length(share: float, *, is_last_finished: bool) -> int:
    """Return the minutes in which a share of the tables, half or more, finish at the usual paces.

    >>> [usual_length(share, is_last_finished=True) for share in (0.5, MOST_TABLES)]
    [115, 130]
    >>> [usual_length(share, is_last_finished=False) for share in (0.5, MOST_TABLES)]
    [120, 135]
    """
    paces = [(tables, pace) for pace, tables in USUAL_PACES]
    return _length(_interpolate(share, paces), is_last_finished)


def _interpolate(x: float, points: Sequence[tuple[float, float]]) -> float:
    """Interpolate linearly between points, in ascending order; outside them the value of the nearest one holds."""
    for (x0, y0), (x1, y1) in pairwise(points):
        if x <= x1:
            return y0 + (y1 - y0) * max(x - x0, 0) / (x1 - x0)
    return points[-1][1]


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
