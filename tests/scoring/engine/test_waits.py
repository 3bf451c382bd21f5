"""What 13 tiles wait for, and the wait that counts."""

from typing import Any

import pytest

from scoring.engine import BOTZONE, MCR, Fan, InvalidHand, find_fan, parse, score, waits
from scoring.engine.notation import parse_record
from tests.scoring.golden import lines

WAITS = {Fan.EDGE_WAIT, Fan.CLOSED_WAIT, Fan.SINGLE_WAIT}


def thirteen(text: str, **circumstances: Any) -> dict[str, Any]:
    record = parse_record(f"{text} +1m")
    concealed = record["concealed"]
    assert isinstance(concealed, list)
    return record | {"concealed": concealed[:-1]} | circumstances


def test_every_tile_that_completes_the_hand() -> None:
    tiles = {
        "34m 456p 789s EEE 55p": "2m 5m",
        "1112345678999s": "1s 2s 3s 4s 5s 6s 7s 8s 9s",
        "19m19p19sESWNCFP": "1m 9m 1p 9p 1s 9s E S W N C F P",
        "112233m 445566p 7s": "7s",
        "147m258p369sESWN": "C F P",
        "147m258p36sEE 234m": "9s",
        "123m 456p 789s EE CF": "",
        "111m1m 456p 789s EEE": "",  # a tile held four times cannot come
    }
    assert {text: " ".join(wait.tile for wait in waits(thirteen(text))) for text in tiles} == tiles


def test_each_tile_has_its_score_both_ways() -> None:
    (low, high) = waits(thirteen("34m 456p 789s EEE 55p"))
    assert (low.tile, low.left, high.tile) == ("2m", 4, "5m")
    assert low.self_drawn.points > low.by_discard.points
    assert low.by_discard.points == 6
    assert low.reaches_minimum
    assert low.self_drawn.hand.self_drawn
    assert not low.by_discard.hand.self_drawn


@pytest.mark.parametrize("change", [{"concealed": ["1m"]}, {"concealed": None}, {"concealed": ["x"] * 13}])
def test_what_is_no_hand_of_thirteen_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InvalidHand):
        waits(thirteen("23m 456p 789s EEE 55p") | change)


def test_a_lone_wait_counts() -> None:
    expected = {
        text: {find_fan(fan)} if fan != "-" else set() for text, fan, _note in lines("lone-waits.txt")
    }
    assert {text: WAITS & dict(score(parse(text)).counts).keys() for text in expected} == expected


def test_a_wait_that_the_player_holds_out() -> None:
    """The winning tile itself may be held four times."""
    hand = parse("444p 1113s (2222s) (8888s) +3s self-drawn")
    assert Fan.SINGLE_WAIT not in dict(score(hand, MCR).counts)
    assert Fan.SINGLE_WAIT in dict(score(hand, BOTZONE).counts)
    all_held = parse("1233p [123m] [123p] [222m] +3p")
    assert all(Fan.EDGE_WAIT in dict(score(all_held, rulebook).counts) for rulebook in (MCR, BOTZONE))
