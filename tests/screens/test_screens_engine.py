"""A screen's slide depends on its rotation, its steering and the time only; a ceremony announces every line once."""

from operator import attrgetter

from hypothesis import given
from hypothesis import strategies as st

from scoring.engine import TILES
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


def shown_at(programme: Programme, steering: Steering, now: int) -> ShownSlide:
    shown = screens_engine.slide_at(programme, steering, now)
    assert shown is not None
    return shown


def pages_seen(steering: Steering, *seconds: int) -> list[str]:
    slides = [shown_at(EVENING, steering, 1000 * at).slide for at in seconds]
    return [f"{slide.kind.value} {slide.page}" for slide in slides]


def test_a_rotation_shows_page_after_page_and_starts_again() -> None:
    assert pages_seen(Steering(0), 0, 19, 20, 30, 40, 50, 70, 75) == [
        *("clock 1", "clock 1", "ranking 1", "ranking 2", "ranking 3", "clock 1", "teams 1", "clock 1")
    ]


def test_a_single_kind_is_shown_even_if_the_rotation_does_not_have_it() -> None:
    pages = pages_seen(Steering(0, Kind.RANKING), 0, 10, 20, 30)
    assert pages == ["ranking 1", "ranking 2", "ranking 3", "ranking 1"]
    programme = Programme((Turn(Kind.RANKING, 10),), {Kind.RANKING: 1})
    assert shown_at(programme, Steering(0, Kind.CLOCK), 5) == ShownSlide(Slide(Kind.CLOCK, 1, 1, 20), None)


def test_a_page_is_held_in_its_turn_and_the_rotation_starts_again_if_it_has_no_such_page() -> None:
    second = screens_engine.hold(shown_at(EVENING, Steering(0), 55_000).slide, 0)
    assert shown_at(EVENING, second, 0).slide.turn == 2
    assert shown_at(EVENING, screens_engine.step(EVENING, second, 0, 1), 0).slide.kind is Kind.TEAMS
    back = screens_engine.resume_rotation(EVENING, Steering(0, Kind.BEST), 33_000)
    assert pages_seen(back, 33, 53) == ["clock 1", "ranking 1"]


def test_every_phase_has_a_rotation_and_every_kind_a_default() -> None:
    assert [phase for phase in screens_engine.Phase if not screens_engine.AUTOMATIC_ROTATIONS[phase]] == []
    assert set(screens_engine.DEFAULT_SECONDS) == set(Kind)


@given(PROGRAMMES, STEERINGS, TIMES)
def test_a_slide_is_shown_until_its_end(programme: Programme, steering: Steering, now: int) -> None:
    shown = screens_engine.slide_at(programme, steering, now)
    if shown is None:
        assert not programme.slides
        assert steering.only is None
        return
    only = programme.slides_of(steering.only) if steering.only else ()
    assert shown.slide in (*programme.slides, *only)
    if shown.until is None:
        assert screens_engine.slide_at(programme, steering, now + 10**6) == shown
        return
    assert now < shown.until <= now + 1000 * shown.slide.seconds
    assert shown_at(programme, steering, shown.until - 1) == shown
    assert shown_at(programme, steering, shown.until).slide != shown.slide


@given(FULL, TIMES)
def test_a_rotation_shows_every_page_in_order_for_its_seconds(programme: Programme, since: int) -> None:
    at = since
    for slide in (*programme.slides, programme.slides[0]):
        assert shown_at(programme, Steering(since), at).slide == slide
        at += 1000 * slide.seconds


@given(PROGRAMMES, STEERINGS, TIMES, st.integers(1, 5))
def test_stepping_forward_and_back_shows_the_same_page(
    programme: Programme, steering: Steering, now: int, by: int
) -> None:
    stepped = screens_engine.step(programme, steering, now, by)
    back = screens_engine.step(programme, stepped, now, -by)
    before, after = (
        screens_engine.slide_at(programme, steering, now),
        screens_engine.slide_at(programme, back, now),
    )
    assert (before and before.slide) == (after and after.slide)


@given(FULL, TIMES, TIMES)
def test_stepping_through_a_rotation_shows_every_page_once(
    programme: Programme, since: int, now: int
) -> None:
    steering, shown = Steering(since), []
    for _slide in programme.slides:
        steering = screens_engine.step(programme, steering, now, 1)
        shown.append(shown_at(programme, steering, now).slide)
    in_order = attrgetter("turn", "page")
    assert sorted(shown, key=in_order) == sorted(programme.slides, key=in_order)


@given(FULL, TIMES, TIMES, TIMES)
def test_a_held_page_stays_and_the_rotation_resumes_there(
    programme: Programme, since: int, now: int, later: int
) -> None:
    page = shown_at(programme, Steering(since), now).slide
    steering = screens_engine.hold(page, since)
    assert shown_at(programme, steering, now + later) == ShownSlide(page, None)
    assert (
        shown_at(
            programme, screens_engine.resume_rotation(programme, steering, now + later), now + later
        ).slide
        == page
    )


@given(st.lists(TIMES, max_size=5), TIMES)
def test_an_announcement_interrupts_the_rotation_while_it_is_fresh(created_at: list[int], now: int) -> None:
    interrupting = screens_engine.interrupting_announcement(created_at, now)
    fresh = {
        index for index, at in enumerate(created_at) if at <= now < at + 1000 * screens_engine.FRESH_SECONDS
    }
    if interrupting is None:
        assert not fresh
        return
    index, until = interrupting
    assert index in fresh
    assert now < until <= created_at[index] + 1000 * screens_engine.FRESH_SECONDS


def test_several_fresh_announcements_take_turns_from_the_newest() -> None:
    created_at = [4_000, 0]
    interruptions = [
        screens_engine.interrupting_announcement(created_at, 1000 * at)
        for at in (3, 4, 13, 14, 24, 60, 63, 64)
    ]
    assert [interruption and interruption[0] for interruption in interruptions] == [1, 0, 0, 1, 0, 0, 0, None]


CODES = st.sampled_from(sorted(TILES))
MELDS = st.builds(
    lambda code, size, concealed: {"tiles": [code] * size, "concealed": concealed and size == 4},
    CODES,
    st.sampled_from([3, 4]),
    st.booleans(),
)


@given(st.integers(0, 4), st.booleans(), st.data())
def test_two_rows_have_all_tiles_and_the_winning_tile_is_last(
    count: int, won: bool, data: st.DataObject
) -> None:
    melds = data.draw(st.lists(MELDS, min_size=count, max_size=count))
    size = 14 - 3 * count if won else 13 - 3 * count
    concealed = sorted(data.draw(st.lists(CODES, min_size=size, max_size=size)))
    record = {"concealed": concealed, "melds": melds} | ({"winning_tile": concealed[0]} if won else {})
    first, second = screens_engine.split_hand(record).rows
    assert first["melds"] + second["melds"] == melds
    assert sorted(first["concealed"] + second["concealed"]) == concealed
    assert "winning_tile" not in first
    assert second.get("winning_tile") == record.get("winning_tile")


def test_a_hand_is_split_between_two_suits_unless_a_row_becomes_long() -> None:
    concealed = ["1m", "2m", "3m", "4m", "5m", "6m", "3p", "3p", "1s", "2s", "3s", "7s", "8s", "9s"]
    split = screens_engine.split_hand({"concealed": concealed, "winning_tile": "9s"})
    assert (split.rows[0]["concealed"], split.half_tiles) == (concealed[:8], 16)
    pure = [f"{number}m" for number in (1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9)]
    split = screens_engine.split_hand({"concealed": pure, "winning_tile": "9m"})
    assert (len(split.rows[0]["concealed"]), split.half_tiles) == (7, 15)


def line(rank: int, name: str = "") -> Line:
    return Line(rank, name, country="", about="", table_points="0.00", game_points=0)


def ranked(sizes: list[int]) -> list[Line]:
    """Return `sizes[n]` lines at each place; the rank after a shared place skips as many."""
    lines: list[Line] = []
    for size in sizes:
        lines += [line(len(lines) + 1, f"{len(lines)}-{n}") for n in range(size)]
    return lines


PLACES = st.lists(st.integers(1, 4), max_size=12).map(ranked)


@given(PLACES, st.none() | st.integers(1, 20))
def test_every_line_up_to_the_limit_is_announced_once(lines: list[Line], first: int | None) -> None:
    expected = [line for line in lines if first is None or line.rank <= first]
    announced = [line for place in ceremony_steps(lines, first) for line in place]
    assert sorted(announced, key=lambda line: line.name) == sorted(expected, key=lambda line: line.name)


@given(PLACES, st.integers(0, 20))
def test_steps_go_from_the_last_rank_to_the_first_and_the_newest_place_comes_first(
    lines: list[Line], count: int
) -> None:
    places = ceremony_steps(lines)
    assert all(len({line.rank for line in place}) == 1 for place in places)
    ranks = [place[0].rank for place in places]
    assert ranks == sorted(set(ranks), reverse=True)
    assert announced_places(places, count) == tuple(reversed(places[:count]))


def test_a_shared_tenth_place_is_among_the_best_ten() -> None:
    lines = [*(line(n) for n in range(1, 10)), line(10, "a"), line(10, "b"), line(12)]
    assert ceremony_steps(lines, 10)[0] == (line(10, "a"), line(10, "b"))
