"""The classical game over REST: the same question, the same answer as the calculator's."""

from typing import Any

import pytest
from rest_framework.test import APIClient

URL = "/api/v1/score/"
HAND = "234m 678p 345s CCC 3p +3p self-drawn seat=S"
RECORD: dict[str, Any] = {
    "concealed": ["2m", "3m", "4m", "E", "E", "E", "F", "F"],
    "melds": [
        {"type": "pung", "tiles": ["9s", "9s", "9s"]},
        {"type": "chow", "tiles": ["1p", "2p", "3p"]},
    ],
    "winning_tile": "F",
    "self_drawn": True,
    "seat_wind": "E",
    "prevalent_wind": "E",
}


def ask(**question: Any) -> Any:
    return APIClient().post(URL, {"rulebook": "classical", **question}, format="json")


def test_lines_payments_and_names() -> None:
    found = ask(notation=HAND).json()
    assert (found["win"], found["points"], found["added"], found["factor"]) == (True, 64, 32, 2)
    assert found["changes"] == {"E": -128, "S": 256, "W": -64, "N": -64}
    first = found["lines"][0]
    assert (first["key"], first["value"], first["clause"]) == ("pung_of_honours", 8, "001:86")
    assert first["name"] == "Pung of Winds or Dragons"


def test_what_it_asks_besides_stands_in_the_record() -> None:
    plain = ask(hand=RECORD).json()
    more = ask(hand={**RECORD, "named_flowers": ["spring"], "standing": True}).json()
    assert more["added"] == plain["added"] + 104
    assert more["factor"] == plain["factor"] * 2
    assert more["hand"]["named_flowers"] == ["spring"]


def test_thirteen_tiles_wait() -> None:
    waits = ask(notation="234m 678p 345s CCC 3p seat=S").json()["waits"]
    assert waits == [{"tile": "3p", "self_drawn": 64, "by_discard": 60}]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"named_flowers": ["rose"]}, "unknown_flower"),
        ({"named_flowers": "spring"}, "not_a_list"),
        ({"named_flowers": ["spring", "spring"]}, "flower_twice"),
        ({"standing": "yes"}, "not_yes_or_no"),
        ({"wins_in_a_row": 10**15}, "wins_out_of_range"),
        ({"wins_in_a_row": None}, "not_a_number"),
        ({"original": True}, "original_not_dealt"),
        ({"concealed": ["F"]}, "tile_count"),
    ],
)
def test_what_cannot_be_is_refused_with_its_code(change: dict[str, Any], code: str) -> None:
    answer = ask(hand=RECORD | change)
    assert answer.status_code == 422
    assert [problem["code"] for problem in answer.json()["problems"]] == [code]


def test_announcements_are_not_checked() -> None:
    assert ask(notation=HAND, claim={"points": 64}).status_code == 400
