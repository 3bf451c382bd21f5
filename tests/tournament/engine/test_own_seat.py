"""A session as one player sits through it, held against the rotation (seed 000, Appendix 2)."""

from itertools import product

import pytest

from tournament.engine.own_seat import own_hands
from tournament.engine.rotation import (
    CHARTS,
    HANDS_PER_SESSION,
    WINDS,
    dealer,
    occupants,
    position,
    prevalent_wind,
    seat_wind,
)

CASES = list(product(CHARTS, WINDS))


def test_every_hand_is_that_of_the_rotation(subtests: pytest.Subtests) -> None:
    for name, start in CASES:
        chart = CHARTS[name]
        hands = own_hands(start, chart)
        with subtests.test(name, start=start):
            assert [hand.number for hand in hands] == list(range(1, HANDS_PER_SESSION + 1))
            for hand in hands:
                assert hand.prevalent == prevalent_wind(hand.number)
                assert hand.seat == seat_wind(start, hand.number, chart)
                assert hand.chair == position(start, hand.number, chart)
                assert hand.dealer == dealer(hand.number, chart)
                assert occupants(hand.number, chart)[hand.seat] == start


def test_the_upper_neighbour_is_the_one_whose_lower_neighbour_one_is(subtests: pytest.Subtests) -> None:
    """South sits to the right of East (000:740), so East is South's upper neighbour, and North East's."""
    for name, start in CASES:
        with subtests.test(name, start=start):
            for hand in own_hands(start, CHARTS[name]):
                seated = occupants(hand.number, CHARTS[name])
                upper = next(wind for wind, who in seated.items() if who == hand.upper)
                assert WINDS[(WINDS.index(upper) + 1) % 4] == hand.seat


def test_one_deals_four_times_and_meets_everybody(subtests: pytest.Subtests) -> None:
    """Appendix 2: "everybody has a chance to be dealer, and to sit in each other player's Upper position"."""
    for start in WINDS:
        hands = own_hands(start)
        with subtests.test(start=start):
            assert [hand.dealer for hand in hands].count(start) == 4
            assert all((hand.seat == "E") == (hand.dealer == start) for hand in hands)
            assert {hand.upper for hand in hands} == set(WINDS) - {start}


def test_there_is_no_fifth_wind() -> None:
    with pytest.raises(ValueError, match="not a wind"):
        own_hands("X")
