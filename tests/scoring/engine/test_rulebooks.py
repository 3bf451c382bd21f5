"""Rulebooks are data: where they differ, what a house rule takes, and that a snapshot scores the same."""

import json
from dataclasses import replace
from typing import Any

import pytest

from scoring.engine import (
    BOTZONE,
    GUIDE,
    MCR,
    MWT,
    RULEBOOKS,
    Exclusion,
    Fan,
    Rulebook,
    find_rulebook,
    parse,
    score,
)
from scoring.engine.score import payments as pay
from tests.scoring.golden import lines

RULINGS = list(lines("rulings.txt"))


def test_every_ruling_and_its_clause() -> None:
    wrong = {}
    for ruling, text, *points in RULINGS:
        found = [score(parse(text), rulebook).points_without_flowers for rulebook in RULEBOOKS]
        if found != list(map(int, points)):
            wrong[ruling, text] = found
    assert wrong == {}
    refused_by_validation = {"robbing_with_last_tile"}
    rulings = {line[0] for line in RULINGS} | refused_by_validation
    assert [rulebook.key for rulebook in RULEBOOKS if rulebook.clauses.keys() != rulings] == []


def test_rulebooks_are_found_by_key() -> None:
    assert [find_rulebook(key) for key in ("mcr", "mwt", "botzone", "guide")] == [MCR, MWT, BOTZONE, GUIDE]
    with pytest.raises(KeyError):
        find_rulebook("riichi")


def test_a_snapshot_is_the_same_rulebook() -> None:
    """So it scores the same."""
    snapshots = [json.loads(json.dumps(rulebook.to_json())) for rulebook in RULEBOOKS]
    assert list(map(Rulebook.from_json, snapshots)) == list(RULEBOOKS)


def test_a_snapshot_from_before_tile_hogs_were_asked_about_counts_honours() -> None:
    """What a tournament began to play by it plays by to the end."""
    before = {key: value for key, value in MWT.to_json().items() if key != "honour_hogs"}
    hand = parse("11p 2s 3344s EEEE CC +2s")
    assert score(hand, Rulebook.from_json(before)).points == score(hand, MWT).points + 2


HAND = parse("23m 456p 99s 678s [999m] +4m self-drawn flowers=5")


def house(**changes: Any) -> Rulebook:
    """A house rule: a few lines of data, no code."""
    return replace(MCR, key="house", **changes)


def test_a_house_changes_and_drops_fans() -> None:
    dearer = house(points=MCR.points | {Fan.SELF_DRAWN: 3})
    assert score(HAND, dearer).points == score(HAND).points + 2
    points = {fan: worth for fan, worth in MCR.points.items() if fan is not Fan.SELF_DRAWN}
    assert Fan.SELF_DRAWN not in dict(score(HAND, house(points=points)).counts)


def test_a_house_adds_an_exclusion() -> None:
    more = Exclusion(Fan.PUNG_OF_TERMINALS_OR_HONORS, Fan.SELF_DRAWN, "House rule 1")
    stricter = house(exclusions=(*MCR.exclusions, more))
    # Self-Drawn is worth as much and stands later in the book, so it is taken first and survives.
    both = {Fan.PUNG_OF_TERMINALS_OR_HONORS, Fan.SELF_DRAWN}
    assert both <= dict(score(HAND, stricter).counts).keys()
    dearer = replace(stricter, points=MCR.points | {Fan.PUNG_OF_TERMINALS_OR_HONORS: 2})
    assert Fan.SELF_DRAWN not in dict(score(HAND, dearer).counts)


def test_a_house_has_another_minimum_and_extra() -> None:
    assert not score(HAND).meets_minimum
    assert score(HAND, house(minimum=3)).meets_minimum
    assert score(HAND, house(flowers_reach_minimum=True)).meets_minimum
    assert pay(10, 0, 1, house(extra=5)) == (25, -15, -5, -5)


def test_payments_of_the_guide() -> None:
    """Guide: 12 points by discard give the winner 36; self-drawn 60. What is no hand is refused."""
    assert pay(12, winner=0, discarder=1) == (36, -20, -8, -8)
    assert pay(12, winner=2, discarder=None) == (-20, -20, 60, -20)
    for points, winner, discarder in ((-1, 0, 1), (8, 4, 1), (8, 0, 4), (8, 1, 1)):
        with pytest.raises(ValueError, match="must"):
            pay(points, winner, discarder)
