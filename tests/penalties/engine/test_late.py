"""Lateness by minutes, as a clock shows it: the steps are the rule, and they only climb."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalties.engine import FOUL_BOOKS, Facts
from penalties.engine.rules import Late, minutes_late


def rule_of(book: str) -> Late:
    foul = FOUL_BOOKS[book].find("late")
    assert foul is not None
    assert isinstance(foul.rule, Late)
    return foul.rule


@pytest.mark.parametrize("book", FOUL_BOOKS)
@given(minute=st.integers(1, 600))
def test_the_steps_say_what_the_rule_imposes_in_every_minute(book: str, minute: int) -> None:
    rule = rule_of(book)
    step = next(
        step for step in rule.steps(600) if step.low <= minute and (minute <= step.high or not step.high)
    )
    assert step.sanction == rule.outcome(Facts(minutes=minute), 1)[0]


@pytest.mark.parametrize("book", FOUL_BOOKS)
def test_steps_follow_each_other_and_never_cost_less(book: str) -> None:
    steps = rule_of(book).steps(120)
    assert [step.low for step in steps[1:]] == [step.high + 1 for step in steps[:-1]]
    amounts = [step.sanction.points.total for step in steps if step.sanction.points]
    assert amounts == sorted(set(amounts))


def test_the_mcr_clock_climbs_10_20_40_60_and_then_by_20() -> None:
    amounts = [step.sanction.points.total for step in rule_of("mcr").steps(35) if step.sanction.points]
    assert amounts == [10, 20, 40, 60, 80, 100]


@pytest.mark.parametrize(("seconds", "minute"), [(0, 1), (60, 1), (60.5, 2), (600, 10), (601, 11)])
def test_a_minute_begun_counts(seconds: float, minute: int) -> None:
    assert minutes_late(seconds) == minute


@pytest.mark.parametrize("book", FOUL_BOOKS)
@given(minute=st.integers(1, 240), held=st.integers(0, 500))
def test_where_players_start_with_points_the_clock_says_what_is_imposed(
    book: str, minute: int, held: int
) -> None:
    rule = rule_of(book)
    step = next(
        step
        for step in rule.steps(240, held)
        if step.low <= minute and (minute <= step.high or not step.high)
    )
    assert step.sanction.points == rule.outcome(Facts(minutes=minute, points_held=held), 1)[0].points


def test_the_clock_stops_once_all_points_are_docked() -> None:
    steps = rule_of("mcr").steps(120, 70)
    amounts = [step.sanction.points.total for step in steps if step.sanction.points]
    assert (amounts, steps[-1].high) == ([10, 20, 40, 60, 70], 0)
