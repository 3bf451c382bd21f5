"""Generated timetables, and the clock of the hall with pauses."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.base.models.play import HallClock, Pause
from tournament.events.engine import MIDNIGHT, NEAR_LUNCH, Slot, TimetablePattern, generate_slots


def at(hour: int, minute: int = 0) -> int:
    return hour * 60 + minute


def test_a_day_has_lunch_in_the_middle_and_earlier_days_have_more_sessions() -> None:
    assert generate_slots(3, 1, 120, TimetablePattern()) == (
        Slot(0, at(9), at(11), 1),
        Slot(0, at(11, 15), at(13, 15), 2),
        Slot(0, at(13, 15), at(14, 15), None),
        Slot(0, at(14, 15), at(16, 15), 3),
    )
    slots = generate_slots(7, 3, 90, TimetablePattern())
    sessions = [[slot.session for slot in slots if slot.day == day and slot.session] for day in range(3)]
    assert sessions == [[1, 2, 3], [4, 5], [6, 7]]


def test_short_days_have_no_lunch_and_no_day_ends_after_midnight() -> None:
    """The only pause of two sessions of 90 minutes is at half past ten, too early for lunch."""
    assert all(slot.session for slot in generate_slots(2, 1, 120, TimetablePattern(first=at(18))))
    assert all(slot.session for slot in generate_slots(4, 1, 90, TimetablePattern(lunch=0)))
    assert generate_slots(2, 1, 90, TimetablePattern()) == (
        Slot(0, at(9), at(10, 30), 1),
        Slot(0, at(10, 45), at(12, 15), 2),
    )
    assert generate_slots(1, 1, 120, TimetablePattern(first=at(22)))[-1].ends == MIDNIGHT
    with pytest.raises(ValueError, match="midnight"):
        generate_slots(1, 1, 121, TimetablePattern(first=at(22)))


@given(
    sessions=st.integers(1, 16),
    days=st.integers(1, 4),
    minutes=st.integers(30, 120),
    pattern=st.builds(
        TimetablePattern,
        first=st.integers(at(6), at(10)),
        pause=st.integers(0, 30),
        lunch_at=st.integers(at(11), at(14)),
        lunch=st.integers(0, 90),
    ),
)
def test_slots_do_not_overlap_and_contain_every_session_once(
    sessions: int, days: int, minutes: int, pattern: TimetablePattern
) -> None:
    try:
        slots = generate_slots(sessions, days, minutes, pattern)
    except ValueError:
        return
    assert [slot.session for slot in slots if slot.session] == list(range(1, sessions + 1))
    for before, after in pairwise(slots):
        assert (before.day, before.ends) <= (after.day, after.starts)
    for slot in slots:
        if slot.session is None:
            assert abs(slot.starts - pattern.lunch_at) <= NEAR_LUNCH
        else:
            assert slot.ends - slot.starts == minutes


GONG = datetime(2026, 11, 14, 14, 0, tzinfo=UTC)
seconds = st.integers(0, 20_000).map(lambda n: timedelta(seconds=n))


@st.composite
def paused(draw: st.DrawFn) -> HallClock:
    """Draw a clock with any pauses, one after the other, all of them over."""
    at, pauses = GONG, []
    for between, length in draw(st.lists(st.tuples(seconds, seconds), max_size=5)):
        pauses.append(Pause(at + between, at + between + length))
        at += between + length
    return HallClock(GONG, tuple(pauses))


def after(minutes: float) -> datetime:
    return GONG + timedelta(minutes=minutes)


@given(paused(), seconds, seconds)
def test_pauses_do_not_count_as_played_and_move_the_end(
    clock: HallClock, span: timedelta, playing: timedelta
) -> None:
    """The time left does not change during a pause."""
    assert clock.played(clock.after(playing)) == playing
    since = GONG + span
    assert clock.played(clock.after(playing, since), since) == playing
    now = max([GONG, *(pause.until for pause in clock.pauses if pause.until)])
    paused_clock, resumed = (
        HallClock(GONG, (*clock.pauses, pause)) for pause in (Pause(now), Pause(now, now + span))
    )
    end = clock.after(playing)
    assert resumed.after(playing) == (end + span if now < end else end)
    assert paused_clock.shows(now + span) == now
    assert paused_clock.played(now + span) == clock.played(now)
    assert paused_clock.after(playing) == end


@given(paused(), seconds, seconds)
def test_the_clock_is_monotonic(clock: HallClock, first: timedelta, second: timedelta) -> None:
    shorter, longer = sorted((first, second))
    assert clock.after(shorter) <= clock.after(longer)


def test_a_pause_after_the_end_moves_nothing() -> None:
    assert HallClock(GONG, (Pause(after(130), after(140)),)).after(timedelta(minutes=120)) == after(120)
    clock = HallClock(GONG, (Pause(after(5), after(20)),))
    assert clock.played(after(40), since=after(10)) == timedelta(minutes=20)
    clock = HallClock(GONG, (Pause(after(5), after(20), "Fire alarm"), Pause(after(30), reason="Light")))
    assert HallClock.from_json(GONG, [pause.to_json() for pause in clock.pauses]) == clock
