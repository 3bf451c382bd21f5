"""What a player needs, checked by trying every hand in the standings; what an unfinished hand can become."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine import MCR
from tournament.play.engine.preview import find_outlook
from tournament.ranking.engine.finals import PlayerTotal, place_needs, rank_needs
from tournament.ranking.engine.standings import Carried, PlayerRow, SeatResult, TableResult, standings

MOST = 40
scores_of_a_table = st.lists(st.integers(-60, 60), min_size=4, max_size=4)


def after(scores: list[int], winner: int, discarder: int | None, points: int) -> list[int]:
    """Return the scores after a hand: 8 from everybody, and the points from the discarder, or from all three."""
    paid = [0 if seat == winner else 8 + (points if discarder in (None, seat) else 0) for seat in range(4)]
    return [
        score - pay + (sum(paid) if seat == winner else 0)
        for seat, (score, pay) in enumerate(zip(scores, paid, strict=True))
    ]


def least_points(result_after, seat: int, discarder: int | None, goal: int) -> int | None:  # type: ignore[no-untyped-def]
    """Return the least points of all hands that reach the goal."""
    return next((points for points in range(8, MOST + 1) if result_after(points, discarder) <= goal), None)


def test_a_lead_is_caught_up_by_points_that_are_more_than_equal() -> None:
    needs = place_needs([-2, 82, -40, -40], 0, MCR)[1]
    assert (needs.self_drawn, needs.discards) == (14, {1: 27, 2: 53, 3: 53})
    assert place_needs([0, 63, -9, -54], 0, MCR)[1].self_drawn == 8
    assert place_needs([0, 64, -10, -54], 0, MCR)[1].self_drawn == 9
    assert place_needs([30, 0, -10, -20], 0, MCR) == {}


@given(scores_of_a_table, st.integers(0, 3))
def test_place_needs_agree_with_trying_every_hand(scores: list[int], seat: int) -> None:
    def place(points: int, discarder: int | None) -> int:
        result = after(scores, seat, discarder, points)
        return 4 - sorted(result).index(result[seat])

    needs_by_place = place_needs(scores, seat, MCR, max_points=MOST)
    assert list(needs_by_place) == list(range(1, 4 - sorted(scores).index(scores[seat])))
    for goal, needs in needs_by_place.items():
        assert needs.self_drawn == least_points(place, seat, None, goal)
        assert needs.discards == {
            payer: least_points(place, seat, payer, goal) for payer in range(4) if payer != seat
        }


@pytest.mark.thorough
@settings(deadline=None, max_examples=25)
@given(
    scores_of_a_table,
    scores_of_a_table,
    st.lists(st.tuples(st.integers(0, 4), st.integers(-60, 60)), min_size=8, max_size=8),
    st.integers(0, 3),
    st.integers(1, 8),
)
def test_rank_needs_agree_with_the_standings_after_every_hand(
    scores: list[int], elsewhere: list[int], before: list[tuple[int, int]], seat: int, goal: int
) -> None:
    players = [
        PlayerRow(number, carried=(Carried(0, Fraction(tp), points),))
        for number, (tp, points) in enumerate(before)
    ]

    def table(number: int, points: list[int]) -> TableResult:
        seats = (SeatResult(4 * number + place, each) for place, each in enumerate(points))
        return TableResult(1, number, tuple(seats))

    def rank(points: int, discarder: int | None) -> int:
        results = [table(0, after(scores, seat, discarder, points)), table(1, elsewhere)]
        return standings(players, results).find(seat).rank or 0

    now = standings(players, [table(1, elsewhere)])
    totals = {row.number: PlayerTotal(row.table_points, int(row.game_points)) for row in now.rows}
    mine, others = {each: totals[each] for each in range(4)}, [totals[each] for each in range(4, 8)]
    needs = rank_needs(scores, seat, mine, others, [goal], MCR, max_points=MOST)[goal]
    assert needs.self_drawn == least_points(rank, seat, None, goal)
    assert needs.discards == {
        payer: least_points(rank, seat, payer, goal) for payer in range(4) if payer != seat
    }


def test_seats_without_a_place_take_no_share_and_are_no_rivals() -> None:
    total = PlayerTotal(Fraction(0), 0)
    needs_by_rank = rank_needs([0, 0, 0, 0], 0, {0: total}, [PlayerTotal(Fraction(3), 0)], [1], MCR)
    assert needs_by_rank[1].self_drawn == 8
    with pytest.raises(KeyError):
        rank_needs([0, 0, 0, 0], 1, {0: total}, [], [1], MCR)
    placed = (True, True, True, False)
    needs = place_needs([0, 50, -20, 90], 0, MCR, placed=placed)
    assert list(needs) == [1]
    assert place_needs([60, 50, -20, 90], 0, MCR, placed=placed) == {}


UNDER_WAY = {"seat_wind": "S", "prevalent_wind": "S", "self_drawn": False}


def under_way(concealed: str, *melds: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"concealed": concealed.split(), "melds": list(melds), **UNDER_WAY, **more}


def test_one_tile_to_go_finds_the_highest_scoring_wait() -> None:
    """1m completes the chow as 4m does, and only 1m makes the straight."""
    ahead = find_outlook(under_way("2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 4p 5s 5s"), MCR)
    assert ahead is not None
    assert ahead.tiles == ("1m",)
    assert ahead.score.points_without_flowers >= 16


def test_two_tiles_to_go_name_the_winning_one_last() -> None:
    """Of the two orders the dearer one: what is won last decides the wait."""
    ahead = find_outlook(under_way("1m 2m 3m 4p 5p 6p 7s 8s N 2m 2m 2m"), MCR)
    assert ahead is not None
    assert sorted(ahead.tiles) == ["9s", "N"]
    won_on = [
        find_outlook(under_way(f"1m 2m 3m 4p 5p 6p 7s 8s N 2m 2m 2m {first}"), MCR) for first in ("9s", "N")
    ]
    assert ahead.score.points == max(result.score.points for result in won_on if result)


def test_no_fifth_tile_is_promised() -> None:
    """7m 8m wait for 6m alone: all 9m lie in a kong."""
    kong = {"type": "kong", "tiles": ["9m"] * 4, "concealed": False}
    ahead = find_outlook(under_way("1m 2m 3m 4p 5p 6p 7m 8m 5s 5s", kong), MCR)
    assert ahead is not None
    assert ahead.tiles == ("6m",)


def test_a_hand_too_far_away_or_contradicted_has_no_outlook() -> None:
    """The last of its kind cannot be won with another one concealed: the pair of 5s is no wait then."""
    hands = {
        "can no longer win": under_way("1m 4m 7m 2p 5p 8p 3s E E S S C F"),
        "three tiles to go are too many to try": under_way("1m 2m 3m 4p 5p 6p 7s 8s 9s 2m 2m"),
        "contradicted": under_way("1m 2m 3m 4p 5p 6p 7s 8s 9s 2m 2m 2m 5s", last_of_kind=True),
    }
    assert [name for name, hand in hands.items() if find_outlook(hand, MCR)] == []
