"""Grades by slips, the daily set, and the result that is passed on."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scoring.quiz.deals import Dice
from scoring.quiz.questions import (
    FIRST_DAY,
    LEVELS,
    HandQuestion,
    Kind,
    Level,
    WaitsQuestion,
    daily,
    grade,
    grade_fans,
    grade_waits,
    grade_worth,
    question,
    result_text,
)
from tests.support.sampling import examples

days = st.dates(FIRST_DAY, FIRST_DAY + timedelta(days=20_000))


def worth_question() -> HandQuestion:
    hand = question(Kind.WORTH, Level.EASY, "7")
    assert isinstance(hand, HandQuestion)
    return hand


def test_a_slip_costs_a_step() -> None:
    """Worth is graded by how far off it is."""
    assert [grade(slips) for slips in range(5)] == [100, 80, 60, 0, 0]
    hand = worth_question()
    points = {0: 100, 1: 80, -1: 80, 2: 60, -2: 60, 3: 0, 900: 0}
    assert {off: grade_worth(hand, hand.worth + off) for off in points} == points


def test_fans_are_graded_by_those_left_out_and_those_too_many() -> None:
    hand = worth_question()
    right, wrong = set(hand.fans), [fan for fan in hand.offered if fan not in hand.fans]
    left_out = min(right, key=lambda fan: fan.number)
    assert grade_fans(hand, right) == 100
    assert grade_fans(hand, right - {left_out}) == 80
    assert grade_fans(hand, right - {left_out} | {wrong[0]}) == 60
    assert grade_fans(hand, right | set(wrong[:3])) == 0


def test_waits_are_graded_by_tile() -> None:
    """A tile that reaches the minimum need not be named twice."""
    waits = question(Kind.WAITS, Level.HARD, "7")
    assert isinstance(waits, WaitsQuestion)
    completing, reaching = waits.completing, waits.reaching
    too_little = min(completing - reaching)
    assert grade_waits(waits, completing, reaching) == 100
    assert grade_waits(waits, completing, reaching | {too_little}) == 80
    assert grade_waits(waits, completing - {too_little}, reaching) == 80
    assert grade_waits(waits, set(), set()) == grade(len(completing))
    assert grade_waits(waits, completing - reaching, reaching) == 100


@examples(50)
@given(day=days)
def test_a_day_has_five_puzzles_of_every_kind(day: date) -> None:
    puzzles = daily(day)
    assert [puzzle.level for puzzle in puzzles] == list(LEVELS)
    assert {puzzle.kind for puzzle in puzzles} == set(Kind)
    assert all(puzzle.kind is not following.kind for puzzle, following in pairwise(puzzles))
    assert puzzles == daily(day)
    tomorrow = daily(day + timedelta(days=1))
    assert not {puzzle.seed for puzzle in puzzles} & {puzzle.seed for puzzle in tomorrow}


def test_a_result_is_three_lines() -> None:
    text = result_text(date(2026, 5, 2), [100, 100, 80, 60, 0], "https://hule.test/quiz/daily/2026-05-02/")
    assert text == ("Hule 2026-05-02 · 340/500\n●●◐○×\nhttps://hule.test/quiz/daily/2026-05-02/")


@given(some=st.lists(st.integers(), unique=True), seed=st.text(max_size=9))
def test_mixing_loses_nothing(some: list[int], seed: str) -> None:
    assert sorted(Dice(seed).mixed(some)) == sorted(some)
