"""Seat rotation inside a session (seed 000, Appendix 2); the wall, its break, and the deal in 16 steps.

Where it is broken: seeds 000, 002 and 003; the deal: 002:114-150, 003:254-287, 001:38."""

import json
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.base.engine.rules import (
    APPENDIX_2,
    CHARTS,
    HANDS_PER_SESSION,
    WINDS,
    Chart,
    dealer,
    find_chart,
    occupants,
    position,
    prevalent_wind,
    seat_wind,
)
from tournament.play.display import PICTURE_SIZE, STACK_DEPTH, STACK_LENGTH, wall_picture
from tournament.play.engine.wall import (
    DEAL_STEPS,
    JUMPED_DEAL,
    STACKED_DEAL,
    STACKS,
    THROWS,
    Stack,
    break_by_both,
    break_by_second,
    broken_side,
)
from tournament.seating.engine.numbers import hand_positions

EVENING = json.loads((Path(__file__).parents[1] / "data" / "evening.json").read_text(encoding="utf-8"))
HANDS = range(1, HANDS_PER_SESSION + 1)


def test_rounds_deals_winds_and_chairs_are_those_of_appendix_2() -> None:
    names = dict(zip(WINDS, "ABCD", strict=True))
    rounds = ["".join(names[start] for start in occupants(hand).values()) for hand in (1, 5, 9, 13)]
    assert rounds == ["ABCD", "BADC", "CDBA", "DCAB"]
    assert "".join(dealer(hand) for hand in HANDS) == "ESWNSENWWNSENWES"
    assert "".join(prevalent_wind(hand) for hand in HANDS) == "EEEESSSSWWWWNNNN"
    assert [position("S", hand) for hand in HANDS] == list("SSSSEEEEWWWWNNNN")
    assert [seat_wind("S", hand) for hand in (1, 2, 3, 4)] == list("SENW")


def test_everybody_deals_in_every_round_and_has_every_chair_and_neighbour(subtests: pytest.Subtests) -> None:
    for name, chart in CHARTS.items():
        with subtests.test(name):
            for first in HANDS[::4]:
                assert sorted(dealer(hand, chart) for hand in range(first, first + 4)) == sorted(WINDS)
            for start in WINDS:
                assert {position(start, hand, chart) for hand in HANDS} == set(WINDS)
                winds = [seat_wind(start, hand, chart) for hand in HANDS]
                uppers = {
                    occupants(hand, chart)[WINDS[WINDS.index(wind) - 1]]
                    for hand, wind in zip(HANDS, winds, strict=True)
                }
                assert uppers == set(WINDS) - {start}
            for hand in HANDS:
                assert {seat_wind(start, hand, chart): start for start in WINDS} == occupants(hand, chart)


def test_every_winning_hand_of_the_evening_names_the_winds_the_chart_gives() -> None:
    checked = 0
    for table in (table for session in EVENING["sessions"] for table in session["tables"]):
        start = {player: wind for wind, player in table["seats"].items()}
        for hand in (hand for hand in table["hands"] if hand["outcome"] == "win"):
            assert hand["hand"]["seat_wind"] == seat_wind(start[hand["winner"]], hand["number"])
            assert hand["hand"]["prevalent_wind"] == prevalent_wind(hand["number"])
            checked += 1
    assert checked > 200


def test_a_session_has_sixteen_hands_and_four_winds() -> None:
    for hand in (0, 17):
        with pytest.raises(ValueError, match="hands 1 to 16"):
            prevalent_wind(hand)
    with pytest.raises(ValueError, match="not a wind"):
        hand_positions("X")


def test_charts_are_found_by_name_and_one_that_leaves_somebody_out_is_refused() -> None:
    with pytest.raises(ValueError, match="once in every chair"):
        Chart("wrong", ("ESWN", "SENW", "WNES", "NWES"))
    with pytest.raises(ValueError, match="starting seats"):
        Chart("shifted", ("SENW", "ESWN", "WNSE", "NWES"))
    assert find_chart("appendix2") is APPENDIX_2


def test_every_hand_is_that_of_the_rotation(subtests: pytest.Subtests) -> None:
    """South sits to the right of East (000:740), so East is South's upper neighbour, and North East's."""
    for (name, chart), start in product(CHARTS.items(), WINDS):
        hands = hand_positions(start, chart)
        with subtests.test(name, start=start):
            assert [hand.number for hand in hands] == list(range(1, HANDS_PER_SESSION + 1))
            for hand in hands:
                assert hand.prevalent == prevalent_wind(hand.number)
                assert hand.seat == seat_wind(start, hand.number, chart)
                assert hand.chair == position(start, hand.number, chart)
                assert hand.dealer == dealer(hand.number, chart)
                seated = occupants(hand.number, chart)
                assert seated[hand.seat] == start
                upper = next(wind for wind, who in seated.items() if who == hand.upper)
                assert WINDS[(WINDS.index(upper) + 1) % 4] == hand.seat


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
def test_the_break_is_inside_the_wall_and_the_drawing_marks_what_was_counted(first: int, second: int) -> None:
    for broken in (break_by_both(first, second), break_by_second(first, second)):
        assert {broken.last, broken.first} <= set(ALL)
        assert broken.first == broken.last.next
    broken = break_by_both(first, second)
    drawn = wall_picture(broken).stacks
    kinds = [stack.kind for stack in drawn]
    assert len(drawn) == len(ALL) == len({(stack.x, stack.y) for stack in drawn})
    assert (kinds.count("last"), kinds.count("first"), kinds.count("counted")) == (1, 1, broken.counted - 1)
    assert {ALL[kinds.index("last")], ALL[kinds.index("first")]} == {broken.last, broken.first}
    assert all(
        0 <= stack.x <= PICTURE_SIZE - stack.width and 0 <= stack.y <= PICTURE_SIZE - stack.height
        for stack in drawn
    )


@given(throws, throws)
def test_the_readings_differ_by_the_first_throw_and_sides_run_from_the_right(first: int, second: int) -> None:
    both, alone = break_by_both(first, second), break_by_second(first, second)
    assert (both.counted, alone.counted) == (first + second, second)
    assert alone.last.side == broken_side(first)
    on = alone.last
    for _ in range(first):
        on = on.next
    assert on == both.last != alone.last
    assert (both.last.side == broken_side(first)) == (both.counted <= STACKS)
    assert both.last.number == both.counted - (STACKS if both.counted > STACKS else 0)


def test_the_wall_is_one_round_of_72_stacks() -> None:
    round_of = [ALL[0]]
    while round_of[-1].next != ALL[0]:
        round_of.append(round_of[-1].next)
    assert sorted(round_of, key=ALL.index) == ALL
    sides = [stack.side for stack, other in pairwise(round_of) if stack.side != other.side]
    assert sides == ["E", "N", "W"]


def test_two_dice_show_2_to_12(subtests: pytest.Subtests) -> None:
    for throw, count in product((1, 13, 0, -5), (break_by_both, break_by_second)):
        for throws_of_two in ((throw, 7), (7, throw)):
            with subtests.test(throws=throws_of_two), pytest.raises(ValueError, match="two dice"):
                count(*throws_of_two)


def test_stacks_that_follow_each_other_lie_beside_each_other() -> None:
    """Clockwise on the picture too; only round a corner there is a gap."""
    place = dict(zip(ALL, wall_picture(break_by_both(5, 8)).stacks, strict=True))
    for stack in ALL:
        here, there = place[stack], place[stack.next]
        apart = abs(here.x - there.x) + abs(here.y - there.y)
        assert (
            apart == STACK_LENGTH
            if stack.side == stack.next.side
            else apart <= 2 * (STACK_LENGTH + STACK_DEPTH)
        )


def test_the_steps_are_those_of_the_list_and_east_holds_14() -> None:
    assert "".join(step.wind for step in DEAL_STEPS) == "ESWN" * 4
    assert [step.tiles for step in DEAL_STEPS] == [4] * 12 + [2, 1, 1, 1]
    assert [(step.wind, step.total) for step in DEAL_STEPS[-4:]] == [
        ("E", 14),
        ("S", 13),
        ("W", 13),
        ("N", 13),
    ]
    assert sum(step.tiles for step in DEAL_STEPS) == 14 + 3 * 13


def test_east_has_two_of_the_last_five_tiles_and_jumps_over_a_stack() -> None:
    """Two stacks and the top of the third: the wall goes on at the same place."""
    for way in (STACKED_DEAL, JUMPED_DEAL):
        assert "".join(taken.wind for taken in way) == "EESWN"
        places = sorted((taken.stack, taken.level) for taken in way)
        assert places == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
    # 002:146: East jumps over a stack; South then has the bottom of the first (001:38).
    assert [(taken.stack, taken.level) for taken in JUMPED_DEAL if taken.wind == "E"] == [(0, 0), (2, 0)]
    assert [(taken.stack, taken.level) for taken in JUMPED_DEAL if taken.wind == "S"] == [(0, 1)]
    assert [(taken.stack, taken.level) for taken in STACKED_DEAL if taken.wind == "E"] == [(0, 0), (0, 1)]
