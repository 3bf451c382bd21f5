"""The ten limit hands (001:111-120), and what is none."""

from dataclasses import replace
from typing import Any

import pytest

from scoring.classical import CLASSICAL, Row, Sort, score_winner
from tests.scoring.classical.hands import counted, winner

ORIGINAL = {"original": True}
LIMIT_HANDS: list[tuple[str, Row, str, dict[str, Any]]] = [
    ("A", Row.LIMIT_ALL_HONOURS, "[SSS] [WWW] [CCC] FF PP +P", {}),
    ("B", Row.LIMIT_THREE_WINDS, "[EEE] [SSS] [WWWW] 34m NN +5m", {}),
    ("B", Row.LIMIT_THREE_WINDS, "[EEE] SSS WW 555m NN +W", {}),
    ("C", Row.LIMIT_ORIGINAL_HAND, "234m 234p 678s 678m 9p +9p self-drawn", ORIGINAL),
    ("D", Row.LIMIT_FIRST_DISCARD, "234m 234p 678s 678m 9p +9p seat=W", {"first_discard": True}),
    ("E", Row.LIMIT_TERMINALS, "[111m] [999m] [1111p] 99s 99p +9s", {}),
    ("F", Row.LIMIT_THREE_DRAGONS, "[CCC] [FFF] (PPPP) 34m 99p +5m", {}),
    ("G", Row.LIMIT_CONCEALED_PUNGS, "222m 666p (4444s) 888s 3p +3p self-drawn", {}),
    ("G", Row.LIMIT_CONCEALED_PUNGS, "222m 666p 444s 88s 33p +8s self-drawn", {}),
    ("H", Row.LIMIT_THIRTEEN_ODD_MAJORS, "19m19p19sESWNCFP +1m", {}),
    ("I", Row.LIMIT_CALLING_NINE_TILE, "1112345678999s +5s", {}),
    ("J", Row.LIMIT_THIRTEENTH_WIN, "234m 234p 678s 678m 9p +9p", {"wins_in_a_row": 13}),
]


def test_every_limit_hand_scores_the_limit() -> None:
    """001:110: irrespective of what its value may be."""
    for letter, row, text, besides in LIMIT_HANDS:
        score = score_winner(winner(text, **besides))
        found = [(line.row, line.value) for line in score.of_sort(Sort.LIMIT)]
        assert (found, score.points) == ([(row, 500)], 500), text
        assert row.clause == f"001:{111 + ord(letter) - ord('A')}"


NONE = [
    ("A: a pair of suit tiles", "[SSS] [WWW] [CCC] FF 11m +F", {}),
    ("B: the pair is no wind", "[EEE] [SSS] [WWW] 34m CC +5m", {}),
    ("B: four winds are not three and a pair", "[EEE] [SSS] [WWW] NN 11m +N", {}),
    ("E: a pair of honours", "[111m] [999m] [111p] 99s CC +9s", {}),
    ("F: a pair of the third", "[CCC] [FFF] PP 234m 66m +6m", {}),
    ("G: one is claimed", "222m 666p [444s] 888s 3p +3p self-drawn", {}),
    ("G: completed by a discard", "222m 666p 444s 88s 33p +8s", {}),
    ("G: won by discard", "222m 666p 444s 888s 3p +3p", {}),
    ("I: it waited for one tile", "1112345567899s +9s", {}),
    ("J: the twelfth", "234m 234p 678s 678m 9p +9p", {"wins_in_a_row": 12}),
    ("J: not East", "234m 234p 678s 678m 9p +9p seat=S", {"wins_in_a_row": 13}),
]


def test_no_limit_hand() -> None:
    scores = {why: score_winner(winner(text, **besides)) for why, text, besides in NONE}
    assert [why for why, score in scores.items() if not score.win or score.of_sort(Sort.LIMIT)] == []


def test_a_limit_hand_says_what_it_would_have_come_to() -> None:
    """20 for winning, 2 for drawing the tile, 2 for the only one and 10 for no value; 8-fold as an Original Hand."""
    score = score_winner(winner("234m 234p 678s 678m 9p +9p self-drawn", original=True))
    assert (score.added, score.factor, score.in_full, score.points) == (34, 8, 272, 500)


def test_g_by_discard_and_i_by_its_tiles_where_the_club_plays_so() -> None:
    by_discard = replace(CLASSICAL, concealed_pungs_drawn=False)
    assert score_winner(winner("222m 666p 444s 888s 3p +3p"), by_discard).points == 500
    assert not score_winner(winner("222m 666p 444s 88s 33p +8s"), by_discard).of_sort(Sort.LIMIT)
    by_tiles = replace(CLASSICAL, nine_tiles_called=False)
    assert "limit_calling_nine_tile" in counted(score_winner(winner("1112345567899s +9s"), by_tiles))
    assert not score_winner(winner("[111s] 2345567899s +9s"), by_tiles).of_sort(Sort.LIMIT)


@pytest.mark.parametrize(
    ("limit", "doubles", "text", "besides", "points"),
    [
        # 4 a wind, 8 and 2 for dragons, 20, 10 without chows, 2 for the only tile; doubled for the dragons
        (Row.LIMIT_ALL_HONOURS, Row.ALL_HONOURS, "[SSS] [NNN] [WWW] PPP F +F round=E", {}, 864),
        (Row.LIMIT_ORIGINAL_HAND, Row.ORIGINAL_HAND, "234m 234p 678s 678m 9p +9p self-drawn", ORIGINAL, 272),
    ],
)
def test_where_the_limit_hand_is_not_played_it_is_8_fold(
    limit: Row, doubles: Row, text: str, besides: dict[str, Any], points: int
) -> None:
    """001:98-99 beside 001:111, 113."""
    rules = replace(CLASSICAL, without=frozenset({limit}), limit=10_000)
    score = score_winner(winner(text, **besides), rules)
    assert {limit.key, doubles.key} & counted(score) == {doubles.key}
    assert score.points == points
    without_either = replace(rules, without=frozenset({limit, doubles}))
    assert 8 * score_winner(winner(text, **besides), without_either).points == points
