"""What a screen shows follows from its rotation, the steering and the time alone; a ceremony tells every line once."""

from operator import attrgetter

from hypothesis import given
from hypothesis import strategies as st

from tournament.screens import engine as screens_engine
from tournament.screens.engine import (
    Kind,
    Line,
    Programme,
    ShownSlide,
    Slide,
    Steering,
    Turn,
    announced_places,
    ceremony_steps,
)

KINDS = st.sampled_from(Kind)
TURNS = st.lists(st.builds(Turn, KINDS, st.integers(5, 60)), max_size=6).map(tuple)
PAGES = st.dictionaries(KINDS, st.integers(0, 4))
PROGRAMMES = st.builds(Programme, TURNS, PAGES)
FULL = PROGRAMMES.filter(lambda programme: bool(programme.slides))
TIMES = st.integers(0, 10**7)
STEERINGS = st.one_of(
    st.builds(Steering, TIMES),
    st.builds(Steering, TIMES, KINDS),
    st.builds(Steering, TIMES, KINDS, st.integers(1, 5), st.integers(-1, 6)),
)

EVENING = Programme(
    (Turn(Kind.CLOCK, 20), Turn(Kind.RANKING, 10), Turn(Kind.CLOCK, 20), Turn(Kind.TEAMS, 5)),
    {Kind.CLOCK: 1, Kind.RANKING: 3, Kind.TEAMS: 1, Kind.BEST: 1},
)
"""Clock 20 s, three pages of ranking 10 s each, the clock again, teams 5 s: 75 s in all."""


def on(programme: Programme, steering: Steering, now: int) -> ShownSlide:
    found = screens_engine.slide_at(programme, steering, now)
    assert found is not None
    return found


def seen(steering: Steering, *seconds: int) -> list[str]:
    slides = [on(EVENING, steering, 1000 * at).slide for at in seconds]
    return [f"{slide.kind.value} {slide.page}" for slide in slides]


def test_kinds_take_turns_page_by_page_and_begin_again() -> None:
    assert seen(Steering(0), 0, 19, 20, 30, 40, 50, 70, 75) == [
        *("clock 1", "clock 1", "ranking 1", "ranking 2", "ranking 3", "clock 1", "teams 1", "clock 1")
    ]


def test_only_one_kind_goes_through_its_own_pages_even_where_the_rotation_has_none() -> None:
    pages = seen(Steering(0, Kind.RANKING), 0, 10, 20, 30)
    assert pages == ["ranking 1", "ranking 2", "ranking 3", "ranking 1"]
    programme = Programme((Turn(Kind.RANKING, 10),), {Kind.RANKING: 1})
    assert on(programme, Steering(0, Kind.CLOCK), 5) == ShownSlide(Slide(Kind.CLOCK, 1, 1, 20), None)


def test_a_kind_is_held_at_its_own_place_and_afterwards_the_rotation_begins_anew() -> None:
    second = screens_engine.hold(on(EVENING, Steering(0), 55_000).slide, 0)
    assert on(EVENING, second, 0).slide.turn == 2
    assert on(EVENING, screens_engine.step(EVENING, second, 0, 1), 0).slide.kind is Kind.TEAMS
    back = screens_engine.resume_rotation(EVENING, Steering(0, Kind.BEST), 33_000)
    assert seen(back, 33, 53) == ["clock 1", "ranking 1"]


def test_every_stage_has_something_to_show() -> None:
    assert [stage for stage in screens_engine.Phase if not screens_engine.AUTOMATIC_ROTATIONS[stage]] == []
    assert set(screens_engine.DEFAULT_SECONDS) == set(Kind)


@given(PROGRAMMES, STEERINGS, TIMES)
def test_what_is_shown_is_a_page_until_it_turns(programme: Programme, steering: Steering, now: int) -> None:
    found = screens_engine.slide_at(programme, steering, now)
    if found is None:
        assert not programme.slides
        assert steering.only is None
        return
    alone = programme.alone(steering.only) if steering.only else ()
    assert found.slide in (*programme.slides, *alone)
    if found.until is None:
        assert screens_engine.slide_at(programme, steering, now + 10**6) == found
        return
    assert now < found.until <= now + 1000 * found.slide.seconds
    assert on(programme, steering, found.until - 1) == found
    assert on(programme, steering, found.until).slide != found.slide


@given(FULL, TIMES)
def test_in_a_round_every_page_has_its_seconds_in_order(programme: Programme, since: int) -> None:
    at = since
    for slide in (*programme.slides, programme.slides[0]):
        assert on(programme, Steering(since), at).slide == slide
        at += 1000 * slide.seconds


@given(PROGRAMMES, STEERINGS, TIMES, st.integers(1, 5))
def test_on_and_back_is_the_same_page(programme: Programme, steering: Steering, now: int, by: int) -> None:
    there = screens_engine.step(programme, steering, now, by)
    back = screens_engine.step(programme, there, now, -by)
    before, after = (
        screens_engine.slide_at(programme, steering, now),
        screens_engine.slide_at(programme, back, now),
    )
    assert (before and before.slide) == (after and after.slide)


@given(FULL, TIMES, TIMES)
def test_step_by_step_every_page_comes_once(programme: Programme, since: int, now: int) -> None:
    steering, found = Steering(since), []
    for _slide in programme.slides:
        steering = screens_engine.step(programme, steering, now, 1)
        found.append(on(programme, steering, now).slide)
    in_order = attrgetter("turn", "page")
    assert sorted(found, key=in_order) == sorted(programme.slides, key=in_order)


@given(FULL, TIMES, TIMES, TIMES)
def test_a_page_that_is_held_stays_and_the_rotation_goes_on_from_it(
    programme: Programme, since: int, now: int, later: int
) -> None:
    page = on(programme, Steering(since), now).slide
    steering = screens_engine.hold(page, since)
    assert on(programme, steering, now + later) == ShownSlide(page, None)
    assert (
        on(programme, screens_engine.resume_rotation(programme, steering, now + later), now + later).slide
        == page
    )


@given(st.lists(TIMES, max_size=5), TIMES)
def test_an_announcement_takes_the_screen_while_it_is_fresh(made: list[int], now: int) -> None:
    taken = screens_engine.interrupting_announcement(made, now)
    fresh = {place for place, at in enumerate(made) if at <= now < at + 1000 * screens_engine.FRESH_SECONDS}
    if taken is None:
        assert not fresh
        return
    place, until = taken
    assert place in fresh
    assert now < until <= made[place] + 1000 * screens_engine.FRESH_SECONDS


def test_several_fresh_ones_share_the_screen_and_the_newest_begins() -> None:
    made = [4_000, 0]
    announced_places = [
        screens_engine.interrupting_announcement(made, 1000 * at) for at in (3, 4, 13, 14, 24, 60, 63, 64)
    ]
    assert [one and one[0] for one in announced_places] == [1, 0, 0, 1, 0, 0, 0, None]


def line(rank: int, name: str = "") -> Line:
    return Line(rank, name, country="", about="", table_points="0.00", game_points=0)


def ranked(sizes: list[int]) -> list[Line]:
    """So many at each place: the next place is counted past those who share one."""
    lines: list[Line] = []
    for size in sizes:
        lines += [line(len(lines) + 1, f"{len(lines)}-{n}") for n in range(size)]
    return lines


PLACES = st.lists(st.integers(1, 4), max_size=12).map(ranked)


@given(PLACES, st.none() | st.integers(1, 20))
def test_everybody_wanted_is_told_once(lines: list[Line], first: int | None) -> None:
    wanted = [line for line in lines if first is None or line.rank <= first]
    found = [line for step in ceremony_steps(lines, first) for line in step]
    assert sorted(found, key=lambda line: line.name) == sorted(wanted, key=lambda line: line.name)


@given(PLACES, st.integers(0, 20))
def test_ranks_fall_by_steps_and_the_newest_told_comes_first(lines: list[Line], count: int) -> None:
    ranks = [{line.rank for line in step} for step in ceremony_steps(lines)]
    assert all(len(shared) == 1 for shared in ranks)
    flat = [min(shared) for shared in ranks]
    assert flat == sorted(set(flat), reverse=True)
    every = ceremony_steps(lines)
    assert announced_places(every, count) == tuple(reversed(every[:count]))


def test_a_shared_tenth_place_is_among_the_best_ten() -> None:
    lines = [*(line(n) for n in range(1, 10)), line(10, "a"), line(10, "b"), line(12)]
    assert ceremony_steps(lines, 10)[0] == (line(10, "a"), line(10, "b"))
