"""What a hand of the classical game may be and how it is read; its limit hands (001:111-120); its settings."""

from dataclasses import fields, replace
from typing import Any

import pytest

from scoring.classical import (
    CLASSICAL,
    FLOWERS,
    Flower,
    Row,
    Rules,
    Sort,
    Winner,
    find_row,
    score_loser,
    score_winner,
)
from scoring.engine import InvalidHand
from tests.scoring.classical.reference import circumstances, counted, lines, loser, winner
from tests.scoring.golden import lines as table

PLAIN = "234m 678p 345s 777s 3p +3p"
CONTRADICTIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("flower_twice", PLAIN, {"flowers": (Flower.PLUM, Flower.PLUM)}),
    ("flowers_differ", PLAIN + " flowers=2", {"flowers": (Flower.PLUM,)}),
    ("original_not_dealt", PLAIN, {"original": True}),
    ("original_not_dealt", PLAIN + " self-drawn seat=S", {"original": True}),
    ("original_not_dealt", "[234m] 678p 345s 777s 3p +3p self-drawn", {"original": True}),
    ("not_easts_first_discard", PLAIN, {"first_discard": True}),
    ("not_easts_first_discard", PLAIN + " self-drawn seat=S", {"first_discard": True}),
    ("not_easts_first_discard", "[234m] 678p 345s 777s 3p +3p seat=S", {"first_discard": True}),
    ("standing_too_early", PLAIN + " seat=S", {"first_discard": True, "standing": True}),
    ("first_and_last_tile", PLAIN + " seat=S last-tile-of-wall", {"first_discard": True}),
]

LIMITS = list(table("classical-limits.txt"))


def test_what_cannot_go_together_is_refused() -> None:
    for code, text, extras in CONTRADICTIONS:
        with pytest.raises(InvalidHand) as refused:
            winner(text, **extras)
        assert [problem.code for problem in refused.value.problems] == [code], text


def test_a_losers_hand_that_cannot_be_is_refused() -> None:
    twice = (Flower.PLUM, Flower.PLUM)
    impossible = {"55555m 123p": "five_of_a_kind", "123m seat=C": "unknown_wind", "123m": "flower_twice"}
    for text, code in impossible.items():
        with pytest.raises(InvalidHand) as refused:
            loser(text, *(twice if code == "flower_twice" else ()))
        assert code in [problem.code for problem in refused.value.problems], text


def test_what_wins_only_elsewhere_or_nowhere_wins_nothing() -> None:
    """001:29 knows four sets and a pair and two hands extras."""
    elsewhere = ("1122m 3344p 5566s C +C", "147m 258p 369s EEE N +N", "147m 258p 369s ESWN +C")
    for text in (*elsewhere, "234m 678p 345s 777s 3p +4p"):
        score = score_winner(winner(text))
        assert (score.win, score.points, score.lines) == (False, 0, ()), text


def test_a_discard_exposes_the_pung_it_completes() -> None:
    """001:55: concealed is what was dealt or drawn."""
    claimed, self_drawn = (winner("234m 678p 345s 77s 33p +7s" + how) for how in ("", " self-drawn"))
    assert [line.value for line in lines(score_winner(claimed), Row.PUNG_OF_SIMPLES)] == [2]
    assert [line.value for line in lines(score_winner(self_drawn), Row.PUNG_OF_SIMPLES)] == [4]
    # Where it does least harm: the nine completes the chow, and the pung of nines stays concealed.
    score = score_winner(winner("78s 999s 123p 345m 66p +9s"))
    assert [line.value for line in lines(score, Row.PUNG_OF_TERMINALS)] == [8]
    assert score.reading
    assert [group.tiles for group in score.reading.groups if not group.concealed] == [("7s", "8s", "9s")]


def test_three_equal_chows_are_read_as_pungs() -> None:
    score = score_winner(winner("222333444m CCC 9p +9p"))
    assert len(lines(score, Row.PUNG_OF_SIMPLES)) == 3
    assert "no_chows" in counted(score)


def test_a_kong_that_was_not_laid_out_is_a_pung() -> None:
    """001:60."""
    score = score_loser(loser("5555m 147p 258s ESW"))
    assert [(line.row, line.value) for line in score.lines] == [(Row.PUNG_OF_SIMPLES, 4)]


def test_a_loser_has_one_pair_the_dearest() -> None:
    """001:87: the pair completing the hand; 001:92: for losers alike."""
    score = score_loser(loser("147m 147p 3s CC SS EE seat=S round=S"))
    assert {line.row for line in score.lines} == {Row.PAIR_OF_OWN_WIND, Row.PAIR_OF_ROUND_WIND}


def test_too_many_tiles_score_nothing_and_too_few_their_worth() -> None:
    """001:75: who has too many cannot deduct their own score, who has too few does."""
    many, few = (score_loser(loser(f"[CCC] 147m 147p {rest}")) for rest in ("147s E +E", "14s"))
    assert (many.points, few.points) == (0, 8)
    assert many.of_sort(Sort.DEAD)


def test_the_score_as_plain_data() -> None:
    score = score_winner(Winner(winner("234m 678p 345s CCC 3p +3p").hand, (Flower.SPRING,)))
    data: dict[str, Any] = score.to_json()
    assert (data["points"], data["added"], data["factor"], data["limit"]) == (136, 34, 4, 500)
    dragon = {"key": "dragon", "sort": "doubles", "value": 2, "clause": "001:96"}
    assert dragon | {"groups": [3], "flowers": []} in data["lines"]


def test_every_setting_has_its_clause() -> None:
    settings = {field.name for field in fields(Rules)} - {"key", "clauses"}
    assert settings == set(CLASSICAL.clauses)


def test_a_pair_or_pung_of_both_winds_scores_as_both() -> None:
    """001:89 and 90, a line each; 001:94 and 95, a line each: 4-fold."""
    pair, pung = (loser(f"147m 147p 147s {honours}") for honours in ("EE CF", "[EEE] C"))
    assert score_loser(pair).added == 4
    assert score_loser(pair, replace(CLASSICAL, both_winds_of_pair=False)).added == 2
    assert (score_loser(pung).factor, score_loser(pung).points) == (4, 16)
    assert score_loser(pung, replace(CLASSICAL, both_winds_of_pung=False)).points == 8


def test_ones_own_flower_among_all_four_and_a_hand_without_value() -> None:
    four = loser("147m 147p 147s ESWN", *FLOWERS, Flower.SPRING)
    assert score_loser(four).factor == 2 * 8 * 2
    assert score_loser(four, replace(CLASSICAL, own_flower_in_four=False)).factor == 8 * 2
    hand = winner("234m 678p 345s 67s 33p +5s", flowers=(Flower.SUMMER,))
    assert "no_value" in counted(score_winner(hand))
    assert "no_value" not in counted(score_winner(hand, replace(CLASSICAL, flowers_are_value=True)))


def test_every_pair_of_a_loser_and_the_limit_for_losers() -> None:
    pairs = loser("147m 147p 3s CC SS EE seat=S")
    assert score_loser(pairs).added == 2
    assert score_loser(pairs, replace(CLASSICAL, every_pair_of_losers=True)).added == 6
    hand = loser("[EEEE] [CCCC] [FFFF] 4m 7p 1s 9s")
    assert score_loser(hand).points == 500
    assert score_loser(hand, replace(CLASSICAL, losers_have_limit=False)).points == 48 * 16


def test_a_row_that_is_not_played_earns_nothing() -> None:
    hand = winner("234m 678p 345s 777s 3p +3p", standing=True)
    rules = replace(CLASSICAL, without=frozenset({Row.STANDING_HAND}))
    assert lines(score_winner(hand, rules), Row.STANDING_HAND) == []
    assert score_winner(hand).points - score_winner(hand, rules).points == 100


def test_what_no_rules_can_be() -> None:
    with pytest.raises(ValueError, match="positive"):
        replace(CLASSICAL, limit=0)
    with pytest.raises(ValueError, match="positive"):
        replace(CLASSICAL, east_factor=0)


def test_every_limit_hand_scores_the_limit() -> None:
    """001:110: irrespective of what its value may be."""
    for letter, key, text, extras in (limit for limit in LIMITS if limit[0] != "-"):
        score = score_winner(winner(text, **circumstances(extras)))
        limits = [(line.row.key, line.value) for line in score.of_sort(Sort.LIMIT)]
        assert (limits, score.points) == ([(key, 500)], 500), text
        assert find_row(key).clause == f"001:{111 + ord(letter) - ord('A')}"


def test_no_limit_hand() -> None:
    scores = {
        why: score_winner(winner(text, **circumstances(extras)))
        for letter, why, text, extras in LIMITS
        if letter == "-"
    }
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
    ("limit", "doubles", "text", "extras", "points"),
    [
        # 4 a wind, 8 and 2 for dragons, 20, 10 without chows, 2 for the only tile; doubled for the dragons
        (Row.LIMIT_ALL_HONOURS, Row.ALL_HONOURS, "[SSS] [NNN] [WWW] PPP F +F round=E", {}, 864),
        (
            Row.LIMIT_ORIGINAL_HAND,
            Row.ORIGINAL_HAND,
            "234m 234p 678s 678m 9p +9p self-drawn",
            {"original": True},
            272,
        ),
    ],
)
def test_where_the_limit_hand_is_not_played_it_is_8_fold(
    limit: Row, doubles: Row, text: str, extras: dict[str, Any], points: int
) -> None:
    """001:98-99 beside 001:111, 113."""
    rules = replace(CLASSICAL, without=frozenset({limit}), limit=10_000)
    score = score_winner(winner(text, **extras), rules)
    assert {limit.key, doubles.key} & counted(score) == {doubles.key}
    assert score.points == points
    without_either = replace(rules, without=frozenset({limit, doubles}))
    assert 8 * score_winner(winner(text, **extras), without_either).points == points
