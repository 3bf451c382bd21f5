"""Lateness by minutes, as a clock shows it: the steps are the rule, and they only climb."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalties.engine import FOUL_BOOKS, Facts
from penalties.engine.rules import Late, Step, minutes_late


def rule_of(book: str) -> Late:
    foul = FOUL_BOOKS[book].find("late")
    assert foul is not None
    assert isinstance(foul.rule, Late)
    return foul.rule


@pytest.mark.parametrize("book", FOUL_BOOKS)
@given(minute=st.integers(1, 600), held=st.none() | st.integers(0, 500))
def test_the_steps_say_what_the_rule_imposes_in_every_minute(
    book: str, minute: int, held: int | None
) -> None:
    """Also where players start with points, of which no more is taken."""
    rule = rule_of(book)
    steps = [s for s in rule.steps(600, held) if s.low <= minute and (minute <= s.high or not s.high)]
    imposed = rule.outcome(Facts(minutes=minute, points_held=held), 1)[0]
    assert steps[0].sanction.points == imposed.points
    assert held is not None or steps[0].sanction == imposed


def points(steps: Iterable[Step]) -> list[int]:
    return [step.sanction.points.total for step in steps if step.sanction.points]


@pytest.mark.parametrize("book", FOUL_BOOKS)
def test_steps_follow_each_other_and_never_cost_less(book: str) -> None:
    steps = rule_of(book).steps(120)
    assert [step.low for step in steps[1:]] == [step.high + 1 for step in steps[:-1]]
    assert points(steps) == sorted(set(points(steps)))


def test_the_mcr_clock_climbs_10_20_40_60_and_then_by_20() -> None:
    """It stops once all points that a player started with are docked."""
    assert points(rule_of("mcr").steps(35)) == [10, 20, 40, 60, 80, 100]
    steps = rule_of("mcr").steps(120, 70)
    assert (points(steps), steps[-1].high) == ([10, 20, 40, 60, 70], 0)


def test_a_minute_begun_counts() -> None:
    assert [minutes_late(seconds) for seconds in (0, 60, 60.5, 600, 601)] == [1, 1, 2, 10, 11]
