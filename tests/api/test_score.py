"""Scoring over REST: for anybody, storing nothing, refusing with every problem."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from scoring.engine import parse

URL = "/api/v1/score/"
CHOWS = "123m 123p 12s 789s 99m +3s seat=W round=S"


def ask(**question: Any) -> Any:
    return APIClient().post(URL, question, format="json")


def answer(**question: Any) -> dict[str, Any]:
    response = ask(**question)
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()
    return found


@pytest.fixture
def chows() -> dict[str, Any]:
    return answer(notation=CHOWS)


def test_the_score_with_its_fans_and_the_tiles_that_make_them(chows: dict[str, Any]) -> None:
    assert (chows["win"], chows["points"], chows["rulebook"], chows["problems"]) == (True, 18, "mcr", [])
    first = chows["fans"][0]
    assert (first["key"], first["points"], first["clause"]) == ("mixed_triple_chow", 8, "MCR 37")
    groups = chows["reading"]["groups"]
    made_of = [groups[place]["tiles"] for place in first["groups"][0]]
    assert made_of == [["1m", "2m", "3m"], ["1p", "2p", "3p"], ["1s", "2s", "3s"]]


def test_what_was_not_counted_has_its_reason(chows: dict[str, Any]) -> None:
    no_honors = next(fan for fan in chows["rejected"] if fan["key"] == "no_honors")
    assert (no_honors["by"], no_honors["clause"]) == ("all_chows", "MCR principle 1")
    assert "All Chows" in no_honors["message"]


def test_both_ways_are_paid(chows: dict[str, Any]) -> None:
    by_discard, self_drawn = chows["ways"]
    assert (by_discard["points"], self_drawn["points"]) == (18, 20)
    assert by_discard["payments"] == {"winner": 42, "discarder": -26, "others": -8}
    assert self_drawn["payments"] == {"winner": 84, "others": -28}


def test_a_record_and_its_text_have_the_same_answer(chows: dict[str, Any]) -> None:
    assert answer(hand=parse(CHOWS).to_json()) == chows
    assert answer(notation=chows["notation"])["points"] == 18


def test_a_rulebook_may_be_chosen_and_the_others_are_compared() -> None:
    here = answer(notation="1133m5577p22s EE C +C", rulebook="mwt")
    mcr = next(one for one in here["rulebooks"] if one["rulebook"] == "mcr")
    assert here["points"] + 6 == mcr["points"]
    assert [fan["key"] for fan in mcr["more"]] == ["all_types"]


def test_a_claim_is_checked() -> None:
    assert answer(notation=CHOWS, claim={"points": 18})["differences"] == []
    (wrong,) = answer(notation=CHOWS, claim={"points": 24})["differences"]
    assert wrong["message"] == "24 points were announced; the hand is worth 18."
    assert answer(notation=CHOWS)["differences"] is None


def test_too_little_comes_with_what_would_do() -> None:
    found = answer(notation="123m 678p 345s 78s 99m +6s")
    assert not found["meets_minimum"]
    assert found["missing"]
    assert found["improvements"][0]["message"]
    assert found["ways"][0]["payments"] == {}


def test_thirteen_tiles_are_answered_with_the_waits() -> None:
    found = answer(notation="34m 456p 789s EEE 55p")
    assert [(wait["tile"], wait["left"]) for wait in found["waits"]] == [("2m", 4), ("5m", 4)]
    by_discard = found["waits"][0]["by_discard"]
    assert (by_discard["points"], by_discard["meets_minimum"]) == (6, False)


def test_tiles_that_do_not_win_are_a_hand_all_the_same() -> None:
    assert not answer(notation="19m19p19sESWNCF E +2s")["win"]


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ({"notation": "123m 456p"}, ["tile_count"]),
        ({"notation": "12x [EEE"}, ["unreadable", "unreadable", "unreadable", "meld_not_closed"]),
        ({"hand": [1]}, ["not_a_hand"]),
        ({"hand": None}, ["not_a_hand"]),
        ({"hand": parse(CHOWS).to_json() | {"winning_tile": "E"}}, ["winning_tile_not_held"]),
        (
            {"hand": parse(CHOWS).to_json() | {"seat_wind": "X", "flowers": 9}},
            ["unknown_wind", "flowers_out_of_range"],
        ),
    ],
)
def test_what_is_no_hand_is_refused_with_every_problem(question: dict[str, Any], codes: list[str]) -> None:
    response = ask(**question)
    assert response.status_code == 422
    found = response.json()
    assert found["win"] is False
    assert [problem["code"] for problem in found["problems"]] == codes
    assert all(problem["message"] for problem in found["problems"])


@pytest.mark.parametrize(
    "question",
    [
        {},
        {"hand": {}, "notation": CHOWS},
        {"notation": CHOWS, "rulebook": "poker"},
        {"notation": CHOWS, "claim": {"fans": {"royal_flush": 1}}},
        {"notation": CHOWS, "claim": {"points": -1}},
    ],
)
def test_a_question_of_the_wrong_form_is_400(question: dict[str, Any]) -> None:
    assert ask(**question).status_code == 400


def test_json_nested_beyond_reading_is_400() -> None:
    body = '{"hand":' + "[" * 100_000
    assert APIClient().post(URL, body, content_type="application/json").status_code == 400


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=4)
    | st.sampled_from(["1m", "E", "chow", "kong"]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from([*parse(CHOWS).to_json(), "type", "tiles", "concealed"]), inner, max_size=6
        )
    ),
    max_leaves=20,
)


@given(ANYTHING)
def test_no_record_is_answered_with_a_crash(record: object) -> None:
    assert ask(hand=record).status_code in (200, 422)


@given(st.text(max_size=40) | st.text("123456789mpsESWNCFP[]()+ ", max_size=40).filter(str.strip))
def test_no_text_is_answered_with_a_crash(text: str) -> None:
    assert ask(notation=text).status_code in (200, 400, 422)
