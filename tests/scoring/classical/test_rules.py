"""The settings: each has its clause, and does what it says."""

from dataclasses import fields, replace

import pytest

from scoring.classical import CLASSICAL, FLOWERS, Flower, Row, Rules, score_loser, score_winner
from tests.scoring.classical.hands import counted, lines, loser, winner


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
