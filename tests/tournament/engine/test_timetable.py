"""A timetable made in one step."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.timetable import MIDNIGHT, NEAR_LUNCH, Slot, TimetableWish, fill


def at(hour: int, minute: int = 0) -> int:
    return hour * 60 + minute


def test_a_usual_day_has_lunch_in_the_middle_and_earlier_days_one_session_more() -> None:
    assert fill(3, 1, 120, TimetableWish()) == (
        Slot(0, at(9), at(11), 1),
        Slot(0, at(11, 15), at(13, 15), 2),
        Slot(0, at(13, 15), at(14, 15), None),
        Slot(0, at(14, 15), at(16, 15), 3),
    )
    slots = fill(7, 3, 90, TimetableWish())
    sessions = [[slot.session for slot in slots if slot.day == day and slot.session] for day in range(3)]
    assert sessions == [[1, 2, 3], [4, 5], [6, 7]]


def test_short_days_have_no_lunch_and_none_ends_after_midnight() -> None:
    """Two sessions of 90 minutes are over soon after noon; the only pause between them is at half past ten."""
    assert all(slot.session for slot in fill(2, 1, 120, TimetableWish(first=at(18))))
    assert all(slot.session for slot in fill(4, 1, 90, TimetableWish(lunch=0)))
    assert fill(2, 1, 90, TimetableWish()) == (
        Slot(0, at(9), at(10, 30), 1),
        Slot(0, at(10, 45), at(12, 15), 2),
    )
    assert fill(1, 1, 120, TimetableWish(first=at(22)))[-1].ends == MIDNIGHT
    with pytest.raises(ValueError, match="midnight"):
        fill(1, 1, 121, TimetableWish(first=at(22)))


@given(
    sessions=st.integers(1, 16),
    days=st.integers(1, 4),
    minutes=st.integers(30, 120),
    wish=st.builds(
        TimetableWish,
        first=st.integers(at(6), at(10)),
        pause=st.integers(0, 30),
        lunch_at=st.integers(at(11), at(14)),
        lunch=st.integers(0, 90),
    ),
)
def test_nothing_overlaps_and_every_session_is_there_once(
    sessions: int, days: int, minutes: int, wish: TimetableWish
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
