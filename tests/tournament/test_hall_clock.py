"""The clock of the hall: however often it is paused, as much is played."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tournament.models.hall_clock import HallClock, Pause

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
def test_no_pause_takes_or_gives_playing_time(clock: HallClock, late: timedelta, playing: timedelta) -> None:
    assert clock.played(clock.after(playing)) == playing
    since = GONG + late
    assert clock.played(clock.after(playing, since), since) == playing


@given(paused(), seconds, seconds)
def test_what_is_due_earlier_comes_no_later(clock: HallClock, one: timedelta, other: timedelta) -> None:
    first, last = sorted((one, other))
    assert clock.after(first) <= clock.after(last)


@given(paused(), seconds, seconds)
def test_a_pause_moves_the_end_by_its_length(clock: HallClock, playing: timedelta, length: timedelta) -> None:
    """And the time left stays while it lasts."""
    now = max([GONG, *(pause.until for pause in clock.pauses if pause.until)])
    held, longer = (
        HallClock(GONG, (*clock.pauses, pause)) for pause in (Pause(now), Pause(now, now + length))
    )
    end = clock.after(playing)
    assert longer.after(playing) == (end + length if now < end else end)
    assert held.shows(now + length) == now
    assert held.played(now + length) == clock.played(now)
    assert held.after(playing) == end


def test_what_moves_nothing_and_how_it_is_kept() -> None:
    assert HallClock(GONG, (Pause(after(130), after(140)),)).after(timedelta(minutes=120)) == after(120)
    clock = HallClock(GONG, (Pause(after(5), after(20)),))
    assert clock.played(after(40), since=after(10)) == timedelta(minutes=20)
    clock = HallClock(GONG, (Pause(after(5), after(20), "Fire alarm"), Pause(after(30), reason="Light")))
    assert HallClock.from_json(GONG, [pause.to_json() for pause in clock.pauses]) == clock
