"""The deal in 16 steps, and both ways of East's last tiles (seeds 002:114-150, 003:254-287, 001:38)."""

from tournament.engine.deal import JUMPED, STACKED, STEPS


def test_the_steps_are_those_of_the_list() -> None:
    assert "".join(step.wind for step in STEPS) == "ESWN" * 4
    assert [step.tiles for step in STEPS] == [4] * 12 + [2, 1, 1, 1]


def test_east_holds_14_and_everybody_else_13() -> None:
    assert [(step.wind, step.held) for step in STEPS[-4:]] == [("E", 14), ("S", 13), ("W", 13), ("N", 13)]
    assert sum(step.tiles for step in STEPS) == 14 + 3 * 13


def test_east_has_two_of_the_same_last_five_tiles_either_way() -> None:
    """Two stacks and the top of the third: the wall goes on at the same place."""
    for way in (STACKED, JUMPED):
        assert "".join(taken.wind for taken in way) == "EESWN"
        places = sorted((taken.stack, taken.level) for taken in way)
        assert places == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]


def test_east_jumps_over_a_stack() -> None:
    """002:146; South then has the bottom of the first (001:38)."""
    assert [(taken.stack, taken.level) for taken in JUMPED if taken.wind == "E"] == [(0, 0), (2, 0)]
    assert [(taken.stack, taken.level) for taken in JUMPED if taken.wind == "S"] == [(0, 1)]
    assert [(taken.stack, taken.level) for taken in STACKED if taken.wind == "E"] == [(0, 0), (0, 1)]
