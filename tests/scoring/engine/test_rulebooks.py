"""Rulebooks are data: where they differ, what a house rule takes, and that a snapshot scores the same."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine import (
    BOTZONE,
    GUIDE,
    MCR,
    MWT,
    RULEBOOKS,
    Exclusion,
    Fan,
    Hand,
    Rulebook,
    find_rulebook,
    parse,
    score,
)
from scoring.engine import payments as pay
from tests.scoring.golden import lines
from tests.scoring.strategies import hands

RULINGS = list(lines("rulings.txt"))


@pytest.mark.parametrize(
    ("ruling", "text", "points"), [(ruling, text, points) for ruling, text, *points in RULINGS]
)
def test_ruling(ruling: str, text: str, points: list[str]) -> None:
    found = {rulebook.key: score(parse(text), rulebook).points_without_flowers for rulebook in RULEBOOKS}
    assert found == dict(zip(("mcr", "mwt", "botzone", "guide"), map(int, points), strict=True))


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.key)
def test_every_disputed_rule_has_its_clause(rulebook: Rulebook) -> None:
    refused_by_validation = {"robbing_with_last_tile"}
    assert {line[0] for line in RULINGS} | refused_by_validation == set(rulebook.clauses)


def test_rulebooks_are_found_by_key() -> None:
    assert [find_rulebook(key) for key in ("mcr", "mwt", "botzone", "guide")] == [MCR, MWT, BOTZONE, GUIDE]
    with pytest.raises(KeyError):
        find_rulebook("riichi")


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.key)
def test_a_snapshot_is_the_same_rulebook(rulebook: Rulebook) -> None:
    assert Rulebook.from_json(json.loads(json.dumps(rulebook.to_json()))) == rulebook


@settings(max_examples=50, deadline=None)
@given(hand=hands(), rulebook=st.sampled_from(RULEBOOKS))
def test_a_snapshot_scores_the_same(hand: Hand, rulebook: Rulebook) -> None:
    again = Rulebook.from_json(rulebook.to_json())
    assert score(hand, again).counts == score(hand, rulebook).counts


def test_a_snapshot_from_before_tile_hogs_were_asked_about_counts_honours() -> None:
    """What a tournament began to play by it plays by to the end."""
    before = {key: value for key, value in MWT.to_json().items() if key != "honour_hogs"}
    hand = parse("11p 2s 3344s EEEE CC +2s")
    assert score(hand, Rulebook.from_json(before)).points == score(hand, MWT).points + 2


class TestHouseRules:
    """A few lines of data each, no code."""

    hand = parse("23m 456p 99s 678s [999m] +4m self-drawn flowers=5")

    def test_a_fan_has_other_points(self) -> None:
        house = replace(MCR, key="house", points=MCR.points | {Fan.SELF_DRAWN: 3})
        assert score(self.hand, house).points == score(self.hand).points + 2

    def test_a_fan_does_not_exist(self) -> None:
        house = replace(
            MCR, key="house", points={f: p for f, p in MCR.points.items() if f is not Fan.SELF_DRAWN}
        )
        assert Fan.SELF_DRAWN not in dict(score(self.hand, house).counts)

    def test_one_more_exclusion(self) -> None:
        more = Exclusion(Fan.PUNG_OF_TERMINALS_OR_HONORS, Fan.SELF_DRAWN, "House rule 1")
        house = replace(MCR, key="house", exclusions=(*MCR.exclusions, more))
        assert Fan.PUNG_OF_TERMINALS_OR_HONORS in dict(score(self.hand, house).counts)
        # Self-Drawn is worth as much and stands later in the book, so it is taken first and survives.
        assert Fan.SELF_DRAWN in dict(score(self.hand, house).counts)
        dearer = replace(house, points=MCR.points | {Fan.PUNG_OF_TERMINALS_OR_HONORS: 2})
        assert Fan.SELF_DRAWN not in dict(score(self.hand, dearer).counts)

    def test_another_minimum(self) -> None:
        assert not score(self.hand).meets_minimum
        assert score(self.hand, replace(MCR, key="house", minimum=3)).meets_minimum

    def test_flowers_reach_the_minimum(self) -> None:
        assert score(self.hand, replace(MCR, key="house", flowers_reach_minimum=True)).meets_minimum

    def test_another_extra(self) -> None:
        assert pay(10, 0, 1, replace(MCR, key="house", extra=5)) == (25, -15, -5, -5)


def test_payments_of_the_guide() -> None:
    """Guide: 12 points by discard give the winner 36; self-drawn 60."""
    assert pay(12, winner=0, discarder=1) == (36, -20, -8, -8)
    assert pay(12, winner=2, discarder=None) == (-20, -20, 60, -20)


@pytest.mark.parametrize(("points", "winner", "discarder"), [(-1, 0, 1), (8, 4, 1), (8, 0, 4), (8, 1, 1)])
def test_payments_refuse_what_is_no_hand(points: int, winner: int, discarder: int) -> None:
    with pytest.raises(ValueError, match="must"):
        pay(points, winner, discarder)
