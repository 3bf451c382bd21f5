"""A score explains itself."""

import json

import pytest

from scoring.engine import (
    GUIDE,
    MCR,
    MWT,
    Fan,
    Reason,
    Rejection,
    Rulebook,
    Shape,
    Slip,
    Step,
    differences,
    explain,
    parse,
    score,
)
from tests.scoring.golden import golden

P1, P3, P4, P5 = (f"MCR principle {number}" for number in (1, 3, 4, 5))


def rejected(text: str, rulebook: Rulebook = MCR) -> dict[Fan, Rejection]:
    return {rejection.fan: rejection for rejection in explain(parse(text), rulebook).rejections}


@pytest.mark.parametrize(
    ("text", "fan", "reason", "clause", "by"),
    [
        (
            "2s [111p] [222p] [444p] [555p] +2s",
            Fan.ONE_VOIDED_SUIT,
            Reason.EXCLUDED,
            "MCR 36",
            Fan.REVERSIBLE_TILES,
        ),
        ("23m 456p 99s 678s 789p +4m", Fan.NO_HONORS, Reason.NON_REPEAT, P1, Fan.ALL_CHOWS),
        (
            "12456789m EE 456p +3m",
            Fan.SHORT_STRAIGHT,
            Reason.NON_REPEAT,
            P1,
            Fan.PURE_STRAIGHT,
        ),
        (
            "EEE 23m 456p 99s 678s +1m seat=S",
            Fan.PUNG_OF_TERMINALS_OR_HONORS,
            Reason.NON_REPEAT,
            P1,
            Fan.PREVALENT_WIND,
        ),
        (
            "234567m 567m EE 23s +1s",
            Fan.SHORT_STRAIGHT,
            Reason.NON_IDENTICAL,
            P3,
            Fan.SHORT_STRAIGHT,
        ),
        (
            "123m 123p 789m 78p EE +9p",
            Fan.TWO_TERMINAL_CHOWS,
            Reason.ACCOUNT_ONCE,
            P5,
            Fan.MIXED_DOUBLE_CHOW,
        ),
        ("3445566m 456p 678s +3m", Fan.SINGLE_WAIT, Reason.OTHER_WAITS, "MCR 11", None),
        (
            "111m 333m 55p EE [789s] +5p",
            Fan.THREE_CONCEALED_PUNGS,
            Reason.COMPLETED_BY_DISCARD,
            "MCR 54",
            None,
        ),
        (
            "E [123m] [456m] [789p] [111s] +E self-drawn",
            Fan.MELDED_HAND,
            Reason.NOT_DISCARDED,
            "MCR 32",
            None,
        ),
        ("112233m 4455667p +7p", Fan.ALL_CHOWS, Reason.HIGHEST, P4, None),
    ],
)
def test_why_a_fan_does_not_count(text: str, fan: Fan, reason: Reason, clause: str, by: Fan | None) -> None:
    found = rejected(text)[fan]
    assert (found.reason, found.clause, found.by) == (reason, clause, by)


def test_a_lone_wait_is_counted_and_not_rejected() -> None:
    assert Fan.CLOSED_WAIT not in rejected("24m 456p 99s 678s 789p +3m")


def test_a_fan_the_rulebook_lacks() -> None:
    found = rejected("23m 456p 99s [1111s] (9999p) +4m", MWT)[Fan.MELDED_KONG_AND_CONCEALED_KONG]
    assert found.reason is Reason.NOT_IN_RULEBOOK


def test_four_honours_in_pairs_are_said_to_be_no_tile_hog_where_suit_tiles_are_asked_for() -> None:
    found = rejected("1m 9999p EEEE CCCC +1m", MWT)[Fan.TILE_HOG]
    assert (found.reason, found.clause, found.count) == (Reason.HONOURS, "MCR 19", 2)
    assert Fan.TILE_HOG not in rejected("1m 9999p EEEE CCCC +1m")


def test_the_tiles_that_would_have_won_too() -> None:
    assert rejected("3445566m 456p 678s +3m")[Fan.SINGLE_WAIT].tiles == ("6m",)


@pytest.mark.parametrize("name", ["contested.txt", "peers.txt"])
def test_nothing_is_counted_and_rejected_for_the_same_sets(name: str) -> None:
    for known in golden(name)[::3]:
        explanation = explain(known.hand)
        counted = {(line.fan, groups) for line in explanation.score.fans for groups in line.groups}
        refused = {
            (rejection.fan, groups) for rejection in explanation.rejections for groups in rejection.groups
        }
        assert not counted & refused, known.id


def test_every_rejection_names_a_clause_or_a_missing_fan() -> None:
    for known in golden("consensus.txt")[::25]:
        for rejection in explain(known.hand).rejections:
            assert rejection.clause or rejection.reason is Reason.NOT_IN_RULEBOOK


def test_the_groups_of_each_fan() -> None:
    found = score(parse("23m 123m 55p 456p [9999s] +1m"))
    assert found.reading is not None
    groups = [" ".join(group.tiles) for group in found.reading.groups]
    made_of = {
        line.fan: [[groups[place] for place in places] for places in line.groups] for line in found.fans
    }
    assert made_of[Fan.PURE_DOUBLE_CHOW] == [["1m 2m 3m", "1m 2m 3m"]]
    assert made_of[Fan.MELDED_KONG] == [["9s 9s 9s 9s"]]
    assert made_of[Fan.PUNG_OF_TERMINALS_OR_HONORS] == [["9s 9s 9s 9s"]]


def test_other_readings_with_their_totals() -> None:
    explanation = explain(parse("112233m 4455667p +7p"))
    assert explanation.score.points == 26
    assert [(other.reading.shape, other.points_without_flowers) for other in explanation.others] == [
        (Shape.SETS, 7),  # with a pair of fours
        (Shape.SETS, 7),  # with a pair of sevens
    ]


def test_why_not_eight() -> None:
    explanation = explain(parse("23m 456p 99s 678s [789p] +4m"))
    assert (explanation.score.points, explanation.missing) == (3, 5)
    assert all(improvement.points >= 8 for improvement in explanation.improvements)
    assert {improvement.step for improvement in explanation.improvements} <= set(Step)


def test_self_drawn_would_have_been_enough() -> None:
    explanation = explain(parse("23m 456p 99s 456s 789p +4m"))
    assert (explanation.score.points, explanation.missing) == (6, 2)
    first = explanation.improvements[0]
    assert (first.step, first.points) == (Step.SELF_DRAWN, 8)


def test_a_hand_that_does_not_win_shows_the_nearest_that_do() -> None:
    explanation = explain(parse("1123m 456p 789s EE C +E"))
    assert not explanation.score.win
    assert explanation.rejections == explanation.others == ()
    assert explanation.improvements != ()


def test_an_explanation_is_plain_data() -> None:
    for known in golden("peers.txt")[::20]:
        assert json.loads(json.dumps(explain(known.hand, GUIDE).to_json()))["rulebook"] == "guide"


class TestAnnouncements:
    explanation = explain(parse("123m 456m 789m 123p 5s +5s flowers=1"))
    fans = {line.fan: line.count for line in explanation.score.fans}

    def test_agreed(self) -> None:
        assert differences(self.explanation, self.fans, self.explanation.score.points) == ()

    def test_too_much(self) -> None:
        first, *_ = differences(self.explanation, self.fans | {Fan.SHORT_STRAIGHT: 1})
        assert (first.slip, first.fan, first.announced, first.counted) == (
            Slip.NOT_COUNTED,
            Fan.SHORT_STRAIGHT,
            1,
            0,
        )
        assert first.because is not None
        assert first.because.by is Fan.PURE_STRAIGHT

    def test_forgotten(self) -> None:
        announced: dict[Fan, int] = {fan: n for fan, n in self.fans.items() if fan is not Fan.ALL_CHOWS}
        assert [d.slip for d in differences(self.explanation, announced)] == [Slip.FORGOTTEN]

    def test_the_sum(self) -> None:
        found = differences(self.explanation, points=8)
        assert [(d.slip, d.announced, d.counted) for d in found] == [
            (Slip.WRONG_SUM, 8, self.explanation.score.points)
        ]
