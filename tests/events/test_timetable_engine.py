"""A timetable made in one step, and the clock of the hall: however often it is paused, as much is played."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.base.models.play import HallClock, Pause
from tournament.events.engine import MIDNIGHT, NEAR_LUNCH, Slot, TimetablePattern, fill


def at(hour: int, minute: int = 0) -> int:
    return hour * 60 + minute


def test_a_usual_day_has_lunch_in_the_middle_and_earlier_days_one_session_more() -> None:
    assert fill(3, 1, 120, TimetablePattern()) == (
        Slot(0, at(9), at(11), 1),
        Slot(0, at(11, 15), at(13, 15), 2),
        Slot(0, at(13, 15), at(14, 15), None),
        Slot(0, at(14, 15), at(16, 15), 3),
    )
    slots = fill(7, 3, 90, TimetablePattern())
    sessions = [[slot.session for slot in slots if slot.day == day and slot.session] for day in range(3)]
    assert sessions == [[1, 2, 3], [4, 5], [6, 7]]


def test_short_days_have_no_lunch_and_none_ends_after_midnight() -> None:
    """Two sessions of 90 minutes are over soon after noon; the only pause between them is at half past ten."""
    assert all(slot.session for slot in fill(2, 1, 120, TimetablePattern(first=at(18))))
    assert all(slot.session for slot in fill(4, 1, 90, TimetablePattern(lunch=0)))
    assert fill(2, 1, 90, TimetablePattern()) == (
        Slot(0, at(9), at(10, 30), 1),
        Slot(0, at(10, 45), at(12, 15), 2),
    )
    assert fill(1, 1, 120, TimetablePattern(first=at(22)))[-1].ends == MIDNIGHT
    with pytest.raises(ValueError, match="midnight"):
        fill(1, 1, 121, TimetablePattern(first=at(22)))


@given(
    sessions=st.integers(1, 16),
    days=st.integers(1, 4),
    minutes=st.integers(30, 120),
    wish=st.builds(
        TimetablePattern,
        first=st.integers(at(6), at(10)),
        pause=st.integers(0, 30),
        lunch_at=st.integers(at(11), at(14)),
        lunch=st.integers(0, 90),
    ),
)
def test_nothing_overlaps_and_every_session_is_there_once(
    sessions: int, days: int, minutes: int, wish: TimetablePattern
) -> None:
    try:
        slots = fill(sessions, days, minutes, wish)
    except ValueError:
        return
    assert [slot.session for slot in slots if slot.session] == list(range(1, sessions + 1))
    for before, after in pairwise(slots):
        assert (before.day, before.ends) <= (after.day, after.starts)
    for slot in slots:
        if slot.session is None:
            assert abs(slot.starts - wish.lunch_at) <= NEAR_LUNCH
        else:
            assert slot.ends - slot.starts == minutes


GONG = datetime(2026, 11, 14, 14, 0, tzinfo=UTC)
seconds = st.integers(0, 20_000).map(lambda n: timedelta(seconds=n))


@st.composite
def paused(draw: st.DrawFn) -> HallClock:
    """A clock with any pauses, one after the other, all of them over."""
    at, pauses = GONG, []
    for between, length in draw(st.lists(st.tuples(seconds, seconds), max_size=5)):
        pauses.append(Pause(at + between, at + between + length))
        at += between + length
    return HallClock(GONG, tuple(pauses))


def after(minutes: float) -> datetime:
    return GONG + timedelta(minutes=minutes)


@given(paused(), seconds, seconds)
def test_pauses_cost_no_time_and_move_the_end(clock: HallClock, span: timedelta, playing: timedelta) -> None:
    """And the time left stays while it lasts."""
    assert clock.played(clock.after(playing)) == playing
    since = GONG + span
    assert clock.played(clock.after(playing, since), since) == playing
    now = max([GONG, *(pause.until for pause in clock.pauses if pause.until)])
    held, longer = (HallClock(GONG, (*clock.pauses, pause)) for pause in (Pause(now), Pause(now, now + span)))
    end = clock.after(playing)
    assert longer.after(playing) == (end + span if now < end else end)
    assert held.shows(now + span) == now
    assert held.played(now + span) == clock.played(now)
    assert held.after(playing) == end


@given(paused(), seconds, seconds)
def test_what_is_due_earlier_comes_no_later(clock: HallClock, one: timedelta, other: timedelta) -> None:
    first, last = sorted((one, other))
    assert clock.after(first) <= clock.after(last)


def test_what_moves_nothing_and_how_it_is_kept() -> None:
    assert HallClock(GONG, (Pause(after(130), after(140)),)).after(timedelta(minutes=120)) == after(120)
    clock = HallClock(GONG, (Pause(after(5), after(20)),))
    assert clock.played(after(40), since=after(10)) == timedelta(minutes=20)
    clock = HallClock(GONG, (Pause(after(5), after(20), "Fire alarm"), Pause(after(30), reason="Light")))
    assert HallClock.from_json(GONG, [pause.to_json() for pause in clock.pauses]) == clock
