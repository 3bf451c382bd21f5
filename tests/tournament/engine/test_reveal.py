"""A ceremony tells every line once, from the last place to the first, and those of one rank together."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.reveal import steps, told


@dataclass(frozen=True)
class Line:
    rank: int
    name: str = ""


def ranked(sizes: list[int]) -> list[Line]:
    """So many at each place: the next place is counted past those who share one."""
    lines: list[Line] = []
    for size in sizes:
        lines += [Line(len(lines) + 1, f"{len(lines)}-{n}") for n in range(size)]
    return lines


PLACES = st.lists(st.integers(1, 4), max_size=12).map(ranked)


@given(PLACES, st.none() | st.integers(1, 20))
def test_everybody_wanted_is_told_once(lines: list[Line], first: int | None) -> None:
    wanted = [line for line in lines if first is None or line.rank <= first]
    found = [line for step in steps(lines, first) for line in step]
    assert sorted(found, key=lambda line: line.name) == sorted(wanted, key=lambda line: line.name)


@given(PLACES)
def test_ranks_fall_from_step_to_step_and_are_shared_within_one(lines: list[Line]) -> None:
    ranks = [{line.rank for line in step} for step in steps(lines)]
    assert all(len(shared) == 1 for shared in ranks)
    flat = [min(shared) for shared in ranks]
    assert flat == sorted(set(flat), reverse=True)


@given(PLACES, st.integers(0, 20))
def test_what_has_been_told_is_the_first_steps_the_newest_first(lines: list[Line], count: int) -> None:
    every = steps(lines)
    assert told(every, count) == tuple(reversed(every[:count]))


def test_a_shared_tenth_place_is_among_the_best_ten() -> None:
    lines = [*(Line(n) for n in range(1, 10)), Line(10, "a"), Line(10, "b"), Line(12)]
    assert steps(lines, 10)[0] == (Line(10, "a"), Line(10, "b"))
