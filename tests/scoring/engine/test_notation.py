"""Hands as other programs and people write them."""

import pytest

from scoring.engine import InvalidHand, parse
from scoring.engine.notation import EXAMPLE, parse_record, parse_tiles, without_circumstances


def test_honours_are_numbered_as_riichi_programs_number_them() -> None:
    assert parse_tiles("1234567z")[0] == ("E", "S", "W", "N", "P", "F", "C")
    assert parse("123m456p789s11z22z +2z") == parse("123m456p789sEESS +S")


def test_the_last_of_fourteen_tiles_wins_where_none_is_marked() -> None:
    assert parse("[NNN]78889m11888p8m") == parse("78889m11888p [NNN] +8m")
    assert parse("123m456p55sEE5s [CCC]") == parse("123m456p55sEE [CCC] +5s")


def test_thirteen_tiles_have_no_winning_tile() -> None:
    assert "winning_tile" not in parse_record("[NNN]78889m11888p", partial=True)


@pytest.mark.parametrize(
    "text",
    [
        "１２３ｍ　４５６ｐ　７８９ｓ　［ＥＥＥ］　５ｐ　＋５ｐ",
        "一二三万 456饼 789条 【東东東】 5筒 +5筒",
        "🀇🀈🀉 🀜🀝🀞 🀖🀗🀘 [🀀🀀🀀] 🀝\ufe0f +🀝\ufe0e",
    ],
)
def test_full_width_signs_and_chinese_characters_are_read(text: str) -> None:
    assert parse(text) == parse("123m 456p 789s [EEE] 5p +5p")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("11123456789999m|EE1000", "1112345678999m +9m self-drawn"),
        ("345s3p55p5567p[7777s]4p|EE0100|cbaghdfe", "345s3555567p (7777s) +4p last-of-kind flowers=8"),
        (
            "[1111s,1][2222m,2][3333p,7][4444p]88s|EE0000|2",
            "8s [1111s] [2222m] [3333p] (4444p) +8s flowers=2",
        ),
        ("345s345m55567p[789m]|NE1010|", "345s345m5556p [789m] +7p round=N self-drawn last-tile-of-wall"),
        (
            "[FFFF,6]345s35567p11m4p | SW1001",
            "345s35567p11m [FFFF] +4p round=S seat=W self-drawn replacement",
        ),
        ("[FFF,2]345s35567p11m4p|EE0001", "345s35567p11m [FFF] +4p robbing-kong"),
        ("[123m,1][123p,1]123m12p44s3p", "123m12p44s [123m] [123p] +3p"),
    ],
)
def test_the_notation_of_gb_mahjong_is_read(text: str, same: str) -> None:
    """The first three, and the last, are examples of its README (github.com/zheng-fan/GB-Mahjong)."""
    assert parse(text) == parse(same)


def test_a_kong_is_claimed_but_in_the_notation_of_gb_mahjong() -> None:
    assert not parse("55p 123m 78s [EEE] [CCCC] +9s").melds[1].concealed
    assert parse("55p 123m 78s [EEE,1] [CCCC] 9s").melds[1].concealed


def test_the_tiles_of_a_text_stay_as_typed_but_for_gb_mahjong() -> None:
    assert without_circumstances("seat=W  9m 123m self-drawn [EEE]  +9m") == "9m 123m [EEE] +9m"
    assert without_circumstances("[4444p]88s[EEE,1]|EE1000") == "88s (4444p) [EEE]"


def test_what_cannot_be_read_is_named_with_an_example_once() -> None:
    with pytest.raises(InvalidHand) as refused:
        parse("123m 8z EE (CCCC) hello")
    problems = [(problem.code, dict(problem.params)) for problem in refused.value.problems]
    assert problems == [
        ("unreadable", {"text": "8z", "position": 6, "example": EXAMPLE}),
        ("also_unreadable", {"text": "hello", "position": 19}),
    ]
    parse(EXAMPLE)
