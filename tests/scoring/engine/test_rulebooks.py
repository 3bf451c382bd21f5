"""A score explains itself; rulebooks are data: where they differ, what a house rule takes, what a snapshot scores."""

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
    Reason,
    Rejection,
    Rulebook,
    Shape,
    Slip,
    Step,
    differences,
    explain,
    find_rulebook,
    parse,
    score,
)
from scoring.engine import payments as pay
from tests.scoring.golden import golden, lines

F, R = Fan, Reason
P1, P3, P4, P5 = (f"MCR principle {number}" for number in (1, 3, 4, 5))

RULINGS = list(lines("rulings.txt"))


def rejected(text: str, rulebook: Rulebook = MCR) -> dict[Fan, Rejection]:
    return {rejection.fan: rejection for rejection in explain(parse(text), rulebook).rejections}


@pytest.mark.parametrize(
    ("text", "fan", "reason", "clause", "by"),
    [
        ("2s [111p] [222p] [444p] [555p] +2s", F.ONE_VOIDED_SUIT, R.EXCLUDED, "MCR 36", F.REVERSIBLE_TILES),
        ("23m 456p 99s 678s 789p +4m", F.NO_HONORS, R.NON_REPEAT, P1, F.ALL_CHOWS),
        ("12456789m EE 456p +3m", F.SHORT_STRAIGHT, R.NON_REPEAT, P1, F.PURE_STRAIGHT),
        (
            "EEE 23m 456p 99s 678s +1m seat=S",
            F.PUNG_OF_TERMINALS_OR_HONORS,
            R.NON_REPEAT,
            P1,
            F.PREVALENT_WIND,
        ),
        ("234567m 567m EE 23s +1s", F.SHORT_STRAIGHT, R.NON_IDENTICAL, P3, F.SHORT_STRAIGHT),
        ("123m 123p 789m 78p EE +9p", F.TWO_TERMINAL_CHOWS, R.ACCOUNT_ONCE, P5, F.MIXED_DOUBLE_CHOW),
        ("3445566m 456p 678s +3m", F.SINGLE_WAIT, R.OTHER_WAITS, "MCR 11", None),
        ("111m 333m 55p EE [789s] +5p", F.THREE_CONCEALED_PUNGS, R.COMPLETED_BY_DISCARD, "MCR 54", None),
        ("E [123m] [456m] [789p] [111s] +E self-drawn", F.MELDED_HAND, R.NOT_DISCARDED, "MCR 32", None),
        ("112233m 4455667p +7p", F.ALL_CHOWS, R.HIGHEST, P4, None),
    ],
)
def test_why_a_fan_does_not_count(text: str, fan: Fan, reason: Reason, clause: str, by: Fan | None) -> None:
    rejection = rejected(text)[fan]
    assert (rejection.reason, rejection.clause, rejection.by) == (reason, clause, by)


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
    for known in (*golden("contested.txt")[::3], *golden("peers.txt")[::3]):
        explanation = explain(known.hand)
        counted = {(line.fan, groups) for line in explanation.score.fans for groups in line.groups}
        refused = {(line.fan, groups) for line in explanation.rejections for groups in line.groups}
        assert not counted & refused, known.id
        for rejection in explanation.rejections:
            assert rejection.clause or rejection.reason is R.NOT_IN_RULEBOOK, known.id


def test_the_groups_of_each_fan() -> None:
    found = score(parse("23m 123m 55p 456p [9999s] +1m"))
    assert found.reading is not None
    groups = [" ".join(group.tiles) for group in found.reading.groups]
    groups_of = {line.fan: [[groups[at] for at in places] for places in line.groups] for line in found.fans}
    assert groups_of[F.PURE_DOUBLE_CHOW] == [["1m 2m 3m", "1m 2m 3m"]]
    assert groups_of[F.MELDED_KONG] == groups_of[F.PUNG_OF_TERMINALS_OR_HONORS] == [["9s 9s 9s 9s"]]


def test_other_readings_with_their_totals() -> None:
    explanation = explain(parse("112233m 4455667p +7p"))
    assert explanation.score.points == 26
    others = [(other.reading.shape, other.points_without_flowers) for other in explanation.others]
    assert others == [(Shape.SETS, 7)] * 2, "with a pair of fours, or of sevens"


def test_why_not_eight() -> None:
    far, near = (explain(parse(f"23m 456p 99s {chows} +4m")) for chows in ("678s [789p]", "456s 789p"))
    assert (far.score.points, far.missing) == (3, 5)
    assert all(improvement.points >= 8 for improvement in far.improvements)
    assert {improvement.step for improvement in far.improvements} <= set(Step)
    assert (near.score.points, near.missing) == (6, 2)
    assert (near.improvements[0].step, near.improvements[0].points) == (Step.SELF_DRAWN, 8)


def test_a_hand_that_does_not_win_shows_the_nearest_that_do() -> None:
    explanation = explain(parse("1123m 456p 789s EE C +E"))
    assert not explanation.score.win
    assert explanation.rejections == explanation.others == ()
    assert explanation.improvements != ()


def test_an_explanation_is_plain_data() -> None:
    for known in golden("peers.txt")[::20]:
        assert json.loads(json.dumps(explain(known.hand, GUIDE).to_json()))["rulebook"] == "guide"


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
