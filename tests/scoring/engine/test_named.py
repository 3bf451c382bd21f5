"""Fans named without tiles: what an umpire may write down, and what no hand can have."""

import pytest

from scoring.engine import (
    MCR,
    MWT,
    RULEBOOKS,
    Fan,
    Rulebook,
    apart_from,
    check_named,
    find_fan,
    find_within,
    score,
)
from tests.scoring.golden import golden

FILES = ("consensus.txt", "contested.txt", "peers.txt")
every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.key)


def faults(fans: dict[Fan, int], rulebook: Rulebook = MCR, self_drawn: bool = False) -> list[tuple[str, str]]:
    named = check_named({fan.key: times for fan, times in fans.items()}, rulebook, self_drawn=self_drawn)
    return [(problem.code, problem.where) for problem in (*named.problems, *named.doubts)]


def doubts(
    fans: dict[Fan, int], rulebook: Rulebook = MCR, self_drawn: bool = False
) -> list[tuple[str, dict[str, object]]]:
    named = check_named({fan.key: times for fan, times in fans.items()}, rulebook, self_drawn=self_drawn)
    assert named.problems == ()
    return [(problem.code, dict(problem.params)) for problem in named.doubts]


@every_rulebook
@pytest.mark.parametrize("every", [36, pytest.param(1, marks=pytest.mark.thorough)])
def test_whatever_the_scorer_counts_may_be_named(rulebook: Rulebook, every: int) -> None:
    wrong = []
    for known in [known for name in FILES for known in golden(name)[::every]]:
        found = score(known.hand, rulebook)
        fans = {line.fan.key: line.count for line in found.fans}
        named = check_named(fans, rulebook, self_drawn=known.hand.self_drawn)
        points = (found.points, found.points_without_flowers)
        if named.problems or named.doubts or (named.points, named.points_without_flowers) != points:
            wrong.append((known.id, named))
    assert wrong == []


FAULTS: list[tuple[dict[Fan, int], bool, list[tuple[str, str]]]] = [
    ({Fan.TWO_DRAGONS: 1, Fan.DRAGON_PUNG: 1}, False, [("fan_excluded", "fans.dragon_pung")]),
    # A fan that is itself barred bars nothing.
    (
        {Fan.FOUR_CONCEALED_PUNGS: 1, Fan.FULLY_CONCEALED_HAND: 1, Fan.SELF_DRAWN: 1},
        True,
        [("fan_excluded", "fans.fully_concealed_hand")],
    ),
    ({Fan.SELF_DRAWN: 1}, False, [("fan_needs_self_draw", "fans.self_drawn")]),
    ({Fan.MELDED_HAND: 1}, True, [("fan_needs_discard", "fans.melded_hand")]),
    ({Fan.FLOWER_TILES: 2}, False, []),
    ({Fan.MELDED_KONG_AND_CONCEALED_KONG: 1}, False, []),
]


def test_what_the_rules_bar_is_told_by_its_fan() -> None:
    assert [faults(fans, self_drawn=drawn) for fans, drawn, _ in FAULTS] == [told for *_, told in FAULTS]
    kongs = {Fan.MELDED_KONG_AND_CONCEALED_KONG: 1}
    assert faults(kongs, MWT) == [("unknown_fan", "fans.melded_kong_and_concealed_kong")]


def test_nine_gates_leaves_one_of_its_two_terminal_pungs() -> None:
    both = {Fan.NINE_GATES: 1, Fan.PUNG_OF_TERMINALS_OR_HONORS: 2}
    single = both | {Fan.PUNG_OF_TERMINALS_OR_HONORS: 1}
    excluded = ("fan_excluded", "fans.pung_of_terminals_or_honors")
    assert (excluded in faults(single), excluded in faults(both)) == (False, True)
    assert excluded in faults(single, MWT)


# What no rule says, but every hand shows.
APART = [
    ("full_flush", "mixed_straight"),
    ("mixed_triple_chow", "half_flush"),
    ("big_four_winds", "big_three_dragons"),
    ("all_types", "two_dragons"),
    ("all_pungs", "tile_hog"),
    ("all_types", "no_honors"),
    ("mixed_straight", "all_pungs"),
    ("seven_pairs", "short_straight"),
]
AMONG_MANY = [
    ("full_flush mixed_straight pure_straight one_voided_suit", {"full_flush", "mixed_straight"}),
    ("thirteen_orphans big_three_dragons big_four_winds", {"big_four_winds", "big_three_dragons"}),
    ("half_flush mixed_triple_chow", {"half_flush", "mixed_triple_chow"}),
]


@every_rulebook
def test_no_hand_has_both(rulebook: Rulebook) -> None:
    """Of many fans those two are named that stand apart."""
    for fan, other in APART:
        found = doubts({find_fan(fan): 1, find_fan(other): 1}, rulebook)
        assert found == [("fans_apart", {"fan": other, "by": fan})]
    for keys, apart in AMONG_MANY:
        ((code, names),) = doubts({find_fan(key): 1 for key in keys.split()}, rulebook)
        assert (code, set(names.values())) == ("fans_apart", apart)


def test_three_are_named_where_any_two_of_them_stand_together() -> None:
    three = {Fan.TWO_DRAGONS: 1, Fan.PREVALENT_WIND: 1, Fan.MIXED_DOUBLE_CHOW: 1}
    ((code, names),) = doubts(three | {Fan.CONCEALED_HAND: 1})
    assert (code, set(names.values())) == ("fans_apart_three", {fan.key for fan in three})
    for left in three:
        pair = {fan: 1 for fan in three if fan is not left}
        assert find_within(pair, MCR, self_drawn=False) is not None


def test_what_every_hand_with_these_counts_is_asked_for() -> None:
    flush = {Fan.FULL_FLUSH: 1, Fan.PURE_STRAIGHT: 1}
    assert doubts(flush) == [("fan_lacking_either", {"fan": "all_chows", "by": "tile_hog"})]
    winds = {Fan.BIG_FOUR_WINDS: 1}
    assert doubts(winds) == [("fan_lacking_either", {"fan": "half_flush", "by": "all_honors"})]


def test_self_drawn_asks_for_what_follows_from_it() -> None:
    """It is named first where more is missing."""
    straight = {Fan.MIXED_STRAIGHT: 1, Fan.ALL_CHOWS: 1}
    ((code, names),) = doubts(straight, self_drawn=True)
    lacking = ("fan_lacking_for_instance", "self_drawn", "fully_concealed_hand")
    assert (code, names["fan"], names["by"]) == lacking
    for won in (Fan.SELF_DRAWN, Fan.FULLY_CONCEALED_HAND):
        assert doubts(straight | {won: 1}, self_drawn=True) == []
    flush = {Fan.FULL_FLUSH: 1, Fan.PURE_STRAIGHT: 1}
    assert doubts(flush, self_drawn=True) == [("fans_lacking", {"fan": "self_drawn"})]


def apart(*fans: Fan, self_drawn: bool = False) -> dict[Fan, Fan | None]:
    return apart_from(dict.fromkeys(fans, 1), MCR, self_drawn=self_drawn)


def test_what_cannot_be_added_is_told_with_what_it_does_not_stand_beside() -> None:
    """But not a fan that takes the place of another; one that counts once only is struck the second time."""
    struck = apart(Fan.ALL_TYPES, Fan.DRAGON_PUNG)
    assert struck[Fan.ALL_CHOWS] is Fan.ALL_TYPES
    assert Fan.PREVALENT_WIND not in struck
    assert (apart(), apart(Fan.FLOWER_TILES)) == ({}, {})
    drawn = apart(Fan.SELF_DRAWN, Fan.MIXED_SHIFTED_CHOWS, self_drawn=True)
    assert Fan.FULLY_CONCEALED_HAND not in drawn
    assert drawn[Fan.ALL_PUNGS] is Fan.MIXED_SHIFTED_CHOWS
    assert apart(Fan.MIXED_STRAIGHT, Fan.MIXED_DOUBLE_CHOW)[Fan.MIXED_DOUBLE_CHOW] is Fan.MIXED_STRAIGHT


def test_everything_wrong_comes_at_once() -> None:
    wrong = {"royal_flush": 1, "all_chows": 2, "seat_wind": 1, "no_honors": 1, "flower_tiles": 9}
    places = {problem.where for problem in check_named(wrong, MCR, self_drawn=False).problems}
    assert places == {"fans.all_chows", "fans.flower_tiles", "fans.no_honors", "fans.royal_flush"}
    named = check_named({"royal_flush": 1, "mixed_straight": 1, "full_flush": 1}, MCR, self_drawn=False)
    assert [problem.code for problem in (*named.problems, *named.doubts)] == ["unknown_fan", "fans_apart"]


def test_flowers_are_worth_a_point_each_and_stand_apart() -> None:
    named = check_named({"flower_tiles": 3, "mixed_straight": 1}, MCR, self_drawn=False)
    assert (named.points, named.points_without_flowers) == (11, 8)
