"""Seat rotation inside a session (seed 000, Appendix 2), and a session as one player sits through it."""

import json
from itertools import product
from pathlib import Path

import pytest

from tournament.engine.own_seat import own_hands
from tournament.engine.rotation import (
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

EVENING = json.loads((Path(__file__).parents[2] / "data" / "evening.json").read_text(encoding="utf-8"))
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
        own_hands("X")


def test_charts_are_found_by_name_and_one_that_leaves_somebody_out_is_refused() -> None:
    with pytest.raises(ValueError, match="once in every chair"):
        Chart("wrong", ("ESWN", "SENW", "WNES", "NWES"))
    with pytest.raises(ValueError, match="starting seats"):
        Chart("shifted", ("SENW", "ESWN", "WNSE", "NWES"))
    assert find_chart("appendix2") is APPENDIX_2


def test_every_hand_is_that_of_the_rotation(subtests: pytest.Subtests) -> None:
    """South sits to the right of East (000:740), so East is South's upper neighbour, and North East's."""
    for (name, chart), start in product(CHARTS.items(), WINDS):
        hands = own_hands(start, chart)
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


def test_one_deals_four_times_and_meets_everybody(subtests: pytest.Subtests) -> None:
    """Appendix 2: "everybody has a chance to be dealer, and to sit in each other player's Upper position"."""
    for start in WINDS:
        hands = own_hands(start)
        with subtests.test(start=start):
            assert [hand.dealer for hand in hands].count(start) == 4
            assert all((hand.seat == "E") == (hand.dealer == start) for hand in hands)
            assert {hand.upper for hand in hands} == set(WINDS) - {start}
