"""Where the wall is broken (seeds 000, 002 and 003), and the deal in 16 steps (002:114-150, 003:254-287, 001:38)."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.display.wall_picture import DEEP, LONG, SIZE, wall_picture
from tournament.engine.deal import JUMPED, STACKED, STEPS
from tournament.engine.rotation import WINDS
from tournament.engine.wall import STACKS, THROWS, Stack, break_by_both, break_by_second, broken_side

throws = st.sampled_from(THROWS)
ALL = [Stack(side, number) for side in WINDS for number in range(1, STACKS + 1)]


def test_the_wall_is_broken_where_the_rules_say() -> None:
    """000:271: 5, then 8, is the 13th of East; 002 would count the 8 alone. 000:270: beyond 18 it runs on."""
    assert "".join(broken_side(throw) for throw in THROWS) == "SWNESWNESWN", "5 is East's, 7 West's (002:95)"
    assert break_by_both(5, 8).last == Stack("E", 13)
    assert break_by_second(5, 8).last == Stack("E", 8)
    assert break_by_both(9, 9).last == Stack("E", 18)
    assert break_by_both(9, 9).first == Stack("N", 1), "North sits to the dealer's left"
    assert break_by_both(9, 10).last == Stack("N", 1)
    assert break_by_both(12, 12).last == Stack("W", 6)


@given(throws, throws)
def test_the_break_is_always_inside_the_wall(first: int, second: int) -> None:
    for broken in (break_by_both(first, second), break_by_second(first, second)):
        assert {broken.last, broken.first} <= set(ALL)
        assert broken.first == broken.last.next


@given(throws, throws)
def test_the_two_readings_differ_by_the_first_throw(first: int, second: int) -> None:
    both, alone = break_by_both(first, second), break_by_second(first, second)
    assert (both.counted, alone.counted) == (first + second, second)
    assert alone.last.side == broken_side(first)
    on = alone.last
    for _ in range(first):
        on = on.next
    assert on == both.last != alone.last


@given(throws, throws)
def test_a_side_is_counted_from_its_right_hand_end(first: int, second: int) -> None:
    broken = break_by_both(first, second)
    assert (broken.last.side == broken_side(first)) == (broken.counted <= STACKS)
    assert broken.last.number == broken.counted - (STACKS if broken.counted > STACKS else 0)


def test_the_wall_is_one_round_of_72_stacks() -> None:
    round_of = [ALL[0]]
    while round_of[-1].next != ALL[0]:
        round_of.append(round_of[-1].next)
    assert sorted(round_of, key=ALL.index) == ALL
    sides = [one.side for one, other in pairwise(round_of) if one.side != other.side]
    assert sides == ["E", "N", "W"]


def test_two_dice_show_2_to_12(subtests: pytest.Subtests) -> None:
    for throw, count in product((1, 13, 0, -5), (break_by_both, break_by_second)):
        for throws_of_two in ((throw, 7), (7, throw)):
            with subtests.test(throws=throws_of_two), pytest.raises(ValueError, match="two dice"):
                count(*throws_of_two)


@given(throws, throws)
def test_the_drawing_marks_what_was_counted(first: int, second: int) -> None:
    broken = break_by_both(first, second)
    drawn = wall_picture(broken).stacks
    kinds = [stack.kind for stack in drawn]
    assert len(drawn) == len(ALL) == len({(stack.x, stack.y) for stack in drawn})
    assert (kinds.count("last"), kinds.count("first"), kinds.count("counted")) == (1, 1, broken.counted - 1)
    assert {ALL[kinds.index("last")], ALL[kinds.index("first")]} == {broken.last, broken.first}
    assert all(0 <= stack.x <= SIZE - stack.width and 0 <= stack.y <= SIZE - stack.height for stack in drawn)


def test_stacks_that_follow_each_other_lie_beside_each_other() -> None:
    """Clockwise on the picture too; only round a corner there is a gap."""
    place = dict(zip(ALL, wall_picture(break_by_both(5, 8)).stacks, strict=True))
    for stack in ALL:
        here, there = place[stack], place[stack.next]
        apart = abs(here.x - there.x) + abs(here.y - there.y)
        assert apart == LONG if stack.side == stack.next.side else apart <= 2 * (LONG + DEEP)


def test_the_steps_are_those_of_the_list_and_east_holds_14() -> None:
    assert "".join(step.wind for step in STEPS) == "ESWN" * 4
    assert [step.tiles for step in STEPS] == [4] * 12 + [2, 1, 1, 1]
    assert [(step.wind, step.held) for step in STEPS[-4:]] == [("E", 14), ("S", 13), ("W", 13), ("N", 13)]
    assert sum(step.tiles for step in STEPS) == 14 + 3 * 13


def test_east_has_two_of_the_last_five_tiles_and_jumps_over_a_stack() -> None:
    """Two stacks and the top of the third: the wall goes on at the same place."""
    for way in (STACKED, JUMPED):
        assert "".join(taken.wind for taken in way) == "EESWN"
        places = sorted((taken.stack, taken.level) for taken in way)
        assert places == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
    # 002:146: East jumps over a stack; South then has the bottom of the first (001:38).
    assert [(taken.stack, taken.level) for taken in JUMPED if taken.wind == "E"] == [(0, 0), (2, 0)]
    assert [(taken.stack, taken.level) for taken in JUMPED if taken.wind == "S"] == [(0, 1)]
    assert [(taken.stack, taken.level) for taken in STACKED if taken.wind == "E"] == [(0, 0), (0, 1)]
