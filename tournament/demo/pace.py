"""When everything at a generated tournament happens: planned times, and the moments of its hands and sheets."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from enum import IntEnum
from itertools import accumulate
from math import ceil
from random import Random
from typing import Final, NamedTuple

from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.exchange.transcripts.reading import Transcript, TranscriptSession
from tournament.exchange.transcripts.score_sheet import Sheet

SESSIONS_A_DAY: Final = 4
FIRST_SESSION: Final = time(10)
EARLIEST: Final = time(7)
BREAK: Final = timedelta(minutes=30)
LUNCH: Final = timedelta(minutes=90)
RUNNING_FOR: Final = timedelta(minutes=43)
"""How long the running session has been played."""
MIN_HAND_MINUTES: Final = 5.0
MAX_HAND_MINUTES: Final = 9.0
"""Minutes."""
GRID: Final = 5
"""Minutes that planned times are multiples of."""


# --- The plan ---


def days_of(sessions: int) -> int:
    """Return on how many days so many sessions are played."""
    return ceil(sessions / SESSIONS_A_DAY)


def planned_starts(sessions: int, minutes: int, now: datetime, running: int | None) -> list[datetime]:
    """Return the planned start of each session, in local time without a zone, as `now` is.

    The session `running` is under way now, whatever the hour (`is_daytime`); without one the event ended last Sunday.
    Other days begin at FIRST_SESSION.
    """
    days = days_of(sessions)
    a_day = ceil(sessions / days)
    offsets = [place * (timedelta(minutes=minutes) + BREAK) for place in range(a_day)]
    offsets = [offset + (LUNCH - BREAK if place else timedelta()) for place, offset in enumerate(offsets)]
    if running is None:
        today, begins = days - 1, None
        first = last = now.date() - timedelta(days=now.weekday() + 1)
    else:
        today, place = divmod(running - 1, a_day)
        begins = _on_grid(now - RUNNING_FOR) - offsets[place]
        first, last = begins.date(), (begins + offsets[-1]).date()
    starts = []
    for session in range(sessions):
        day, place = divmod(session, a_day)
        begin = begins if day == today else None
        if begin is None:
            date = (first if day <= today else last) + timedelta(days=day - today)
            begin = datetime.combine(date, FIRST_SESSION)
        starts.append(begin + offsets[place])
    return starts


def is_daytime(starts: list[datetime], minutes: int) -> bool:
    """Return whether every session begins and ends on one day, none before EARLIEST."""
    length = timedelta(minutes=minutes)
    return all(start.time() >= EARLIEST and (start + length).date() == start.date() for start in starts)


def _on_grid(moment: datetime) -> datetime:
    """Round down to GRID minutes."""
    return moment.replace(minute=moment.minute // GRID * GRID, second=0, microsecond=0)


# --- What happens ---


class Kind(IntEnum):
    """What a step does. At the same moment they come in this order."""

    START = 1
    FOUL = 2
    HAND = 3
    SIGN = 4
    HAND_IN = 5
    CLOSE = 6
    PUBLISH = 7


class Step(NamedTuple):
    """One write. `number`: of a hand; of a penalty of the table, from 1; of the player who signs."""

    at: datetime
    kind: Kind
    session: int
    table: int = 0
    number: int = 0


def minutes_of_hands(seed: str, session: int, table: int, minutes: int) -> list[float]:
    """Return how long each hand of a table takes, as many as fit into the session's minutes; tables differ."""
    random = Random(f"hule-demo/pace/{seed}/{session}/{table}")
    usual = random.triangular(5.6, 8.4, 6.9)
    hands = [
        min(max(random.gauss(usual, 0.9), MIN_HAND_MINUTES), MAX_HAND_MINUTES)
        for _ in range(HANDS_PER_SESSION)
    ]
    return [length for length, end in zip(hands, accumulate(hands), strict=True) if end <= minutes]


def steps_of(transcript: Transcript, seed: str, starts: list[datetime], now: datetime) -> list[Step]:
    """Return everything that has happened by now, in order; `starts`: the planned starts, with a zone."""
    steps = [
        step
        for number, (session, start) in enumerate(zip(transcript.sessions, starts, strict=True), 1)
        if start <= now
        for step in _session(session, number, seed, start, transcript.particulars["minutes"])
    ]
    return sorted(step for step in steps if step.at <= now)


def _session(
    session: TranscriptSession, number: int, seed: str, start: datetime, minutes: int
) -> Iterator[Step]:
    random = Random(f"hule-demo/course/{seed}/{number}")
    gong = start + timedelta(seconds=random.randint(20, 200))
    yield Step(gong, Kind.START, number)
    over = gong
    for table, sheet in enumerate(session.sheets, 1):
        lengths = minutes_of_hands(seed, number, table, minutes)
        ends = [gong + timedelta(minutes=end) for end in accumulate(lengths)]
        for step in _table(random, sheet, number, table, gong, ends):
            yield step
            over = max(over, step.at)
    closed = over + timedelta(seconds=random.randint(40, 200))
    yield Step(closed, Kind.CLOSE, number)
    yield Step(closed + timedelta(seconds=random.randint(40, 200)), Kind.PUBLISH, number)


def _table(
    random: Random, sheet: Sheet, session: int, table: int, gong: datetime, ends: list[datetime]
) -> Iterator[Step]:
    for hand, end in enumerate(ends, 1):
        yield Step(end, Kind.HAND, session, table, hand)
    for n, penalty in enumerate(sheet.penalties, 1):
        foul = penalty.foul
        if foul.hand_number:
            begin = ends[foul.hand_number - 2] if foul.hand_number > 1 else gong
            at = begin + (ends[foul.hand_number - 1] - begin) * random.uniform(0.3, 0.9)
        else:
            at = gong + timedelta(minutes=foul.details["minutes"])
        yield Step(at, Kind.FOUL, session, table, n)
    at = ends[-1]
    for player in sheet.seats.values():
        at += timedelta(seconds=random.randint(10, 45))
        yield Step(at, Kind.SIGN, session, table, player)
    yield Step(at + timedelta(seconds=random.randint(10, 60)), Kind.HAND_IN, session, table)
