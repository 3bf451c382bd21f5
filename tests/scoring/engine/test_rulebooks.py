"""A score explains itself; rulebooks are data: where they differ, what a house rule takes, fans named without tiles."""

import json
from dataclasses import replace
from random import Random
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
    Reason,
    Rejection,
    Rulebook,
    Shape,
    Slip,
    Step,
    check_named,
    differences,
    explain,
    find_fan,
    find_rulebook,
    find_within,
    incompatible_fans,
    parse,
    score,
)
from scoring.engine import payments as pay
from tests.scoring.golden import golden, lines
from tests.support.sampling import SEED

F, R = Fan, Reason
P4 = "MCR principle 4"

RULINGS = list(lines("rulings.txt"))

FILES = ("consensus.txt", "contested.txt", "peers.txt")
every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.key)


def rejected(text: str, rulebook: Rulebook = MCR) -> dict[Fan, Rejection]:
    return {rejection.fan: rejection for rejection in explain(parse(text), rulebook).rejections}


def test_why_a_fan_does_not_count() -> None:
    wrong = {}
    for text, fan, *why in lines("rejections.txt"):
        rejection = rejected(text)[find_fan(fan)]
        explained = [rejection.reason.value, rejection.clause, rejection.by.key if rejection.by else "-"]
        if explained != why:
            wrong[text, fan] = explained
    assert wrong == {}


def test_a_fan_that_counts_and_does_not_is_said_to_be_another_one() -> None:
    """Nine Gates takes away one of its two terminal pungs (MCR 78)."""
    gates, straight = rejected("1112345678999m +5m"), rejected("234567m 567m EE 23s +1s")
    assert [fan for fan, rejection in gates.items() if rejection.also_counted] == [
        F.PUNG_OF_TERMINALS_OR_HONORS
    ]
    assert straight[F.SHORT_STRAIGHT].also_counted


@every_rulebook
def test_the_higher_of_robbing_the_kong_and_last_tile_counts(rulebook: Rulebook) -> None:
    """MCR 27 leaves out Robbing the Kong; principle 4 chooses it (000:390, 676)."""
    rejection = rejected("45999m12344pFFF +3m last-of-kind robbing-kong", rulebook)[F.LAST_TILE]
    assert (rejection.clause, rejection.by) == (P4, F.ROBBING_THE_KONG)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("23m456p99s678s [111m] +1m", 8),
        ("147m258s3779p [666p] +6p self-drawn", 20),
        ("56m99s [456m] [456m] [456m] +4m", 55),
    ],
)
def test_the_last_tile_is_certain_beside_three_in_ones_own_claimed_sets(text: str, points: int) -> None:
    """MCR 27: "used in claimed sets", which everybody sees (000:390, 002:655, 003:593)."""
    assert {score(parse(text), rulebook).points for rulebook in RULEBOOKS} == {points}
    assert parse(text) == parse(f"{text} last-of-kind")


def test_the_last_tile_is_a_question_beside_two_in_ones_own_claimed_sets() -> None:
    assert not parse("56m99s678p [456m] [456m] +4m").last_of_kind
    assert not parse("4m567p678s [456m] [456m] +4m").last_of_kind


def test_a_wait_is_rejected_with_the_tiles_that_would_have_won_too() -> None:
    assert F.CLOSED_WAIT not in rejected("24m 456p 99s 678s 789p +3m")
    assert rejected("3445566m 456p 678s +3m")[F.SINGLE_WAIT].tiles == ("6m",)


def test_a_fan_the_rulebook_lacks() -> None:
    rejection = rejected("23m 456p 99s [1111s] (9999p) +4m", MWT)[F.MELDED_KONG_AND_CONCEALED_KONG]
    assert rejection.reason is R.NOT_IN_RULEBOOK


def test_four_honours_in_pairs_are_said_to_be_no_tile_hog_where_suit_tiles_are_asked_for() -> None:
    rejection = rejected("1m 9999p EEEE CCCC +1m", MWT)[F.TILE_HOG]
    assert (rejection.reason, rejection.clause, rejection.count) == (R.HONOURS, "MCR 19", 2)
    assert F.TILE_HOG not in rejected("1m 9999p EEEE CCCC +1m")


@pytest.mark.thorough
def test_nothing_is_counted_and_rejected_for_the_same_sets() -> None:
    """Every rejection names a clause or a missing fan."""
    for case in (*golden("contested.txt")[::3], *golden("peers.txt")[::3]):
        explanation = explain(case.hand)
        counted = {(line.fan, groups) for line in explanation.score.fans for groups in line.groups}
        refused = {(line.fan, groups) for line in explanation.rejections for groups in line.groups}
        assert not counted & refused, case.id
        for rejection in explanation.rejections:
            assert rejection.clause or rejection.reason is R.NOT_IN_RULEBOOK, case.id


def test_the_groups_of_each_fan() -> None:
    result = score(parse("23m 123m 55p 456p [9999s] +1m"))
    assert result.reading is not None
    groups = [" ".join(group.tiles) for group in result.reading.groups]
    groups_of = {line.fan: [[groups[at] for at in places] for places in line.groups] for line in result.fans}
    assert groups_of[F.PURE_DOUBLE_CHOW] == [["1m 2m 3m", "1m 2m 3m"]]
    assert groups_of[F.MELDED_KONG] == groups_of[F.PUNG_OF_TERMINALS_OR_HONORS] == [["9s 9s 9s 9s"]]


def test_other_readings_with_their_totals() -> None:
    explanation = explain(parse("112233m 4455667p +7p"))
    assert explanation.score.points == 26
    readings = [(other.reading.shape, other.points_without_flowers) for other in explanation.others]
    assert readings == [(Shape.SETS, 7)] * 2, "with a pair of fours, or of sevens"


def test_why_not_eight() -> None:
    far, near = (explain(parse(f"23m 456p 99s {chows} +4m")) for chows in ("678s [789p]", "456s 789p"))
    assert (far.score.points, far.missing) == (3, 5)
    assert all(improvement.points >= 8 for improvement in far.improvements)
    assert {improvement.step for improvement in far.improvements} <= set(Step)
    assert (near.score.points, near.missing) == (6, 2)
    assert (near.improvements[0].step, near.improvements[0].points) == (Step.SELF_DRAWN, 8)


def test_another_winning_tile_is_not_the_last_of_its_kind_because_this_one_is() -> None:
    """5m would make Mixed Shifted Chows, 6 points."""
    explanation = explain(parse("34m 456p EE [567s] [222m] +2m"))
    assert explanation.score.points == 6
    assert Step.WINNING_TILE not in {improvement.step for improvement in explanation.improvements}


def test_a_hand_that_does_not_win_shows_the_nearest_that_do() -> None:
    explanation = explain(parse("1123m 456p 789s EE C +E"))
    assert not explanation.score.win
    assert explanation.rejections == explanation.others == ()
    assert explanation.improvements != ()


def test_an_explanation_is_plain_data() -> None:
    for case in golden("peers.txt")[::20]:
        assert json.loads(json.dumps(explain(case.hand, GUIDE).to_json()))["rulebook"] == "guide"


def test_an_announcement_is_compared_with_what_counts() -> None:
    explanation = explain(parse("123m 456m 789m 123p 5s +5s flowers=1"))
    points = explanation.score.points
    fans = {line.fan: line.count for line in explanation.score.fans}
    assert differences(explanation, fans, points) == ()

    first, *_ = differences(explanation, fans | {F.SHORT_STRAIGHT: 1})
    too_much = (Slip.NOT_COUNTED, F.SHORT_STRAIGHT, 1, 0)
    assert (first.slip, first.fan, first.announced, first.counted) == too_much
    assert first.because is not None
    assert first.because.by is F.PURE_STRAIGHT

    fewer: dict[Fan, int] = {fan: times for fan, times in fans.items() if fan is not F.ALL_CHOWS}
    assert [difference.slip for difference in differences(explanation, fewer)] == [Slip.FORGOTTEN]

    (wrong_sum,) = differences(explanation, points=8)
    assert (wrong_sum.slip, wrong_sum.announced, wrong_sum.counted) == (Slip.WRONG_SUM, 8, points)


def test_every_ruling_and_its_clause() -> None:
    wrong = {}
    for ruling, text, *points in RULINGS:
        scored_points = [score(parse(text), rulebook).points_without_flowers for rulebook in RULEBOOKS]
        if scored_points != list(map(int, points)):
            wrong[ruling, text] = scored_points
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
    points = {fan: fan_points for fan, fan_points in MCR.points.items() if fan is not Fan.SELF_DRAWN}
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
@pytest.mark.parametrize("step", [36, pytest.param(4, marks=pytest.mark.thorough)])
def test_whatever_the_scorer_counts_may_be_named(rulebook: Rulebook, step: int) -> None:
    wrong, first = [], Random(SEED).randrange(step)
    for case in [case for name in FILES for case in golden(name)[first::step]]:
        result = score(case.hand, rulebook)
        fans = {line.fan.key: line.count for line in result.fans}
        named = check_named(fans, rulebook, self_drawn=case.hand.self_drawn)
        points = (result.points, result.points_without_flowers)
        if named.problems or named.doubts or (named.points, named.points_without_flowers) != points:
            wrong.append((case.id, named))
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
    assert [faults(fans, self_drawn=self_drawn) for fans, self_drawn, _ in FAULTS] == [
        expected for *_, expected in FAULTS
    ]
    kongs = {Fan.MELDED_KONG_AND_CONCEALED_KONG: 1}
    assert faults(kongs, MWT) == [("unknown_fan", "fans.melded_kong_and_concealed_kong")]


def test_nine_gates_leaves_one_of_its_two_terminal_pungs() -> None:
    both = {Fan.NINE_GATES: 1, Fan.PUNG_OF_TERMINALS_OR_HONORS: 2}
    single = both | {Fan.PUNG_OF_TERMINALS_OR_HONORS: 1}
    excluded = ("fan_excluded", "fans.pung_of_terminals_or_honors")
    assert (excluded in faults(single), excluded in faults(both)) == (False, True)
    assert excluded in faults(single, MWT)


@every_rulebook
def test_no_hand_has_both(rulebook: Rulebook) -> None:
    """Of many fans those two are named that stand apart."""
    for named, expected in lines("apart.txt"):
        ((code, names),) = doubts({find_fan(key): 1 for key in named.split()}, rulebook)
        if expected == "-":
            assert names == dict(zip(("by", "fan"), named.split(), strict=True))
        else:
            assert set(names.values()) == set(expected.split())
        assert code == "fans_apart", named


def test_three_are_named_where_any_two_of_them_stand_together() -> None:
    three = {Fan.TWO_DRAGONS: 1, Fan.PREVALENT_WIND: 1, Fan.MIXED_DOUBLE_CHOW: 1}
    ((code, names),) = doubts(three | {Fan.CONCEALED_HAND: 1})
    assert (code, set(names.values())) == ("fans_apart_three", {fan.key for fan in three})
    for removed in three:
        pair = {fan: 1 for fan in three if fan is not removed}
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


def incompatible(*fans: Fan, self_drawn: bool = False) -> dict[Fan, Fan | None]:
    return incompatible_fans(dict.fromkeys(fans, 1), MCR, self_drawn=self_drawn)


def test_what_cannot_be_added_is_told_with_what_it_does_not_stand_beside() -> None:
    """But not a fan that takes the place of another; one that counts once only is struck the second time."""
    struck = incompatible(Fan.ALL_TYPES, Fan.DRAGON_PUNG)
    assert struck[Fan.ALL_CHOWS] is Fan.ALL_TYPES
    assert Fan.PREVALENT_WIND not in struck
    assert (incompatible(), incompatible(Fan.FLOWER_TILES)) == ({}, {})
    barred = incompatible(Fan.SELF_DRAWN, Fan.MIXED_SHIFTED_CHOWS, self_drawn=True)
    assert Fan.FULLY_CONCEALED_HAND not in barred
    assert barred[Fan.ALL_PUNGS] is Fan.MIXED_SHIFTED_CHOWS
    assert (
        incompatible(Fan.MIXED_STRAIGHT, Fan.MIXED_DOUBLE_CHOW)[Fan.MIXED_DOUBLE_CHOW] is Fan.MIXED_STRAIGHT
    )


def test_everything_wrong_comes_at_once() -> None:
    wrong = {"royal_flush": 1, "all_chows": 2, "seat_wind": 1, "no_honors": 1, "flower_tiles": 9}
    places = {problem.where for problem in check_named(wrong, MCR, self_drawn=False).problems}
    assert places == {"fans.all_chows", "fans.flower_tiles", "fans.no_honors", "fans.royal_flush"}
    named = check_named({"royal_flush": 1, "mixed_straight": 1, "full_flush": 1}, MCR, self_drawn=False)
    assert [problem.code for problem in (*named.problems, *named.doubts)] == ["unknown_fan", "fans_apart"]


def test_flowers_are_worth_a_point_each_and_stand_apart() -> None:
    named = check_named({"flower_tiles": 3, "mixed_straight": 1}, MCR, self_drawn=False)
    assert (named.points, named.points_without_flowers) == (11, 8)
