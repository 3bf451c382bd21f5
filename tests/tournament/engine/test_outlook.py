"""What a hand under way can become."""

from typing import Any

from scoring.engine import MCR
from tournament.engine.outlook import outlook

WINDS = {"seat_wind": "S", "prevalent_wind": "S", "self_drawn": False}


def under_way(concealed: str, *melds: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"concealed": concealed.split(), "melds": list(melds), **WINDS, **more}


def test_one_tile_to_go_finds_the_dearest_wait() -> None:
    """1m completes the chow as 4m does, and only 1m makes the straight."""
    ahead = outlook(under_way("2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 4p 5s 5s"), MCR)
    assert ahead is not None
    assert ahead.tiles == ("1m",)
    assert ahead.score.points_without_flowers >= 16


def test_two_tiles_to_go_name_the_winning_one_last() -> None:
    """Of the two orders the dearer one: what is won last decides the wait."""
    ahead = outlook(under_way("1m 2m 3m 4p 5p 6p 7s 8s N 2m 2m 2m"), MCR)
    assert ahead is not None
    assert sorted(ahead.tiles) == ["9s", "N"]
    won_on = [outlook(under_way(f"1m 2m 3m 4p 5p 6p 7s 8s N 2m 2m 2m {first}"), MCR) for first in ("9s", "N")]
    assert ahead.score.points == max(one.score.points for one in won_on if one)


def test_no_fifth_tile_is_promised() -> None:
    """7m 8m wait for 6m alone: all 9m lie in a kong."""
    kong = {"type": "kong", "tiles": ["9m"] * 4, "concealed": False}
    ahead = outlook(under_way("1m 2m 3m 4p 5p 6p 7m 8m 5s 5s", kong), MCR)
    assert ahead is not None
    assert ahead.tiles == ("6m",)


def test_a_hand_too_far_away_or_contradicted_has_no_outlook() -> None:
    """The last of its kind cannot be won with another one concealed: the pair of 5s is no wait then."""
    hands = {
        "can no longer win": under_way("1m 4m 7m 2p 5p 8p 3s E E S S C F"),
        "three tiles to go are too many to try": under_way("1m 2m 3m 4p 5p 6p 7s 8s 9s 2m 2m"),
        "contradicted": under_way("1m 2m 3m 4p 5p 6p 7s 8s 9s 2m 2m 2m 5s", last_of_kind=True),
    }
    assert [name for name, hand in hands.items() if outlook(hand, MCR)] == []
