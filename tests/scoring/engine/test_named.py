"""Fans named without tiles: what an umpire may write down, and what no hand can have."""

import pytest

from scoring.engine import MCR, MWT, RULEBOOKS, Fan, Rulebook, check_named, score
from tests.scoring.golden import golden

FILES = ("consensus.txt", "contested.txt", "peers.txt")


def faults(fans: dict[Fan, int], rulebook: Rulebook = MCR, self_drawn: bool = False) -> list[tuple[str, str]]:
    named = check_named({fan.key: times for fan, times in fans.items()}, rulebook, self_drawn=self_drawn)
    return [(problem.code, problem.where) for problem in named.problems]


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.key)
@pytest.mark.parametrize("name", FILES)
def test_whatever_the_scorer_counts_may_be_named(name: str, rulebook: Rulebook) -> None:
    for case in golden(name):
        found = score(case.hand, rulebook)
        named = {line.fan.key: line.count for line in found.fans}
        checked = check_named(named, rulebook, self_drawn=case.hand.self_drawn)
        assert (case.id, checked.problems) == (case.id, ())
        assert (checked.points, checked.points_without_flowers) == (
            found.points,
            found.points_without_flowers,
        )


def test_a_dearer_fan_bars_the_cheaper_one() -> None:
    assert faults({Fan.TWO_DRAGONS: 1, Fan.DRAGON_PUNG: 1}) == [("fan_excluded", "fans.dragon_pung")]


def test_a_fan_that_is_itself_barred_bars_nothing() -> None:
    hand = {Fan.FOUR_CONCEALED_PUNGS: 1, Fan.FULLY_CONCEALED_HAND: 1, Fan.SELF_DRAWN: 1}
    assert faults(hand, self_drawn=True) == [("fan_excluded", "fans.fully_concealed_hand")]


def test_nine_gates_leaves_one_of_its_two_terminal_pungs() -> None:
    both = {Fan.NINE_GATES: 1, Fan.PUNG_OF_TERMINALS_OR_HONORS: 2}
    one = both | {Fan.PUNG_OF_TERMINALS_OR_HONORS: 1}
    assert (faults(one), faults(both)) == ([], [("fan_excluded", "fans.pung_of_terminals_or_honors")])
    assert faults(one, MWT) == [("fan_excluded", "fans.pung_of_terminals_or_honors")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Fan.ALL_TYPES, Fan.NO_HONORS),
        (Fan.ALL_PUNGS, Fan.MIXED_STRAIGHT),
        (Fan.SEVEN_PAIRS, Fan.SHORT_STRAIGHT),
    ],
)
def test_no_hand_has_both(one: Fan, other: Fan) -> None:
    assert [code for code, _where in faults({one: 1, other: 1})] == ["fan_excluded"]


def test_the_way_of_winning_rules_fans_out() -> None:
    assert faults({Fan.SELF_DRAWN: 1}) == [("fan_needs_self_draw", "fans.self_drawn")]
    assert faults({Fan.MELDED_HAND: 1}, self_drawn=True) == [("fan_needs_discard", "fans.melded_hand")]


def test_everything_wrong_comes_at_once() -> None:
    named = {"royal_flush": 1, "dragon_pung": 2, "all_types": 1, "no_honors": 1, "flower_tiles": 9}
    found = [problem.where for problem in check_named(named, MCR, self_drawn=False).problems]
    assert sorted(found) == [
        "fans.dragon_pung", "fans.flower_tiles", "fans.no_honors", "fans.royal_flush",
    ]  # fmt: skip


def test_a_fan_the_rulebook_lacks_is_unknown_there() -> None:
    kongs = {Fan.MELDED_KONG_AND_CONCEALED_KONG: 1}
    assert (faults(kongs), faults(kongs, MWT)) == (
        [],
        [("unknown_fan", "fans.melded_kong_and_concealed_kong")],
    )


def test_flowers_are_worth_a_point_each_and_stand_apart() -> None:
    named = check_named({"flower_tiles": 3, "mixed_straight": 1}, MCR, self_drawn=False)
    assert (named.points, named.points_without_flowers) == (11, 8)
