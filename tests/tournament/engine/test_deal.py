"""The deal in 16 steps, and both ways of East's last tiles (seeds 002:114-150, 003:254-287, 001:38)."""

from __future__ import annotations

import pytest

from tournament.engine.deal import JUMPED, STACKED, STEPS, Taken

WAYS = (STACKED, JUMPED)


def test_the_steps_are_those_of_the_list() -> None:
    assert "".join(step.wind for step in STEPS) == "ESWN" * 4
    assert [step.tiles for step in STEPS] == [4] * 12 + [2, 1, 1, 1]


def test_east_holds_14_and_everybody_else_13() -> None:
    assert [(step.wind, step.held) for step in STEPS[-4:]] == [("E", 14), ("S", 13), ("W", 13), ("N", 13)]
    assert sum(step.tiles for step in STEPS) == 14 + 3 * 13


@pytest.mark.parametrize("way", WAYS)
def test_east_has_two_of_the_last_five_tiles(way: tuple[Taken, ...]) -> None:
    assert "".join(one.wind for one in way) == "EESWN"
    assert len({(one.stack, one.level) for one in way}) == len(way)


@pytest.mark.parametrize("way", WAYS)
def test_both_ways_take_the_same_five_tiles_but_one(way: tuple[Taken, ...]) -> None:
    """Two stacks and the top of the third: the wall goes on at the same place."""
    assert {(one.stack, one.level) for one in way} == {(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)}


def test_east_jumps_over_a_stack() -> None:
    """002:146; South then has the bottom of the first (001:38)."""
    assert [(one.stack, one.level) for one in JUMPED if one.wind == "E"] == [(0, 0), (2, 0)]
    assert [(one.stack, one.level) for one in JUMPED if one.wind == "S"] == [(0, 1)]
    assert [(one.stack, one.level) for one in STACKED if one.wind == "E"] == [(0, 0), (0, 1)]
