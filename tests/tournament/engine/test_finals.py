"""Finals: RULES §8, cut to the top 16/8/4 with points carried in full, halved or dropped."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tournament.engine.finals import TOP_4, Carry, Stage, finalists, groups, straddling
from tournament.engine.results import PlayerRow
from tournament.engine.standings import Standings, standings


def ranking(*points: int, withdrawn: int = 0) -> Standings:
    """Players 1, 2, … with these game points, the best first; ``withdrawn`` is the number of one who left."""
    return standings(
        [
            PlayerRow(number, number == withdrawn, carried_table_points=3, carried_game_points=score)
            for number, score in enumerate(points, start=1)
        ],
        [],
    )


@pytest.mark.parametrize(
    ("carry", "table_points", "game_points"),
    [(Carry.FULL, 3, 51), (Carry.HALF, Fraction(3, 2), Fraction(51, 2)), (Carry.NOTHING, 0, 0)],
)
def test_points_are_carried_in_full_halved_or_dropped(
    carry: Carry, table_points: Fraction | int, game_points: Fraction | int
) -> None:
    best = finalists(ranking(51, 40, 30, 20, 10), Stage(4, 4, carry))[0]
    assert best == PlayerRow(1, carried_table_points=table_points, carried_game_points=game_points)


def test_the_best_go_on_and_who_left_makes_room() -> None:
    going = finalists(ranking(50, 40, 30, 20, 10, withdrawn=2), TOP_4)
    assert [row.number for row in going] == [1, 3, 4, 5]


def test_a_shared_last_place_is_the_organisers_to_decide() -> None:
    assert straddling(ranking(50, 40, 30, 20, 20, 10), TOP_4) == (4, 5)
    assert straddling(ranking(50, 40, 20, 20, 10), TOP_4) == ()


def test_groups_are_consecutive_places() -> None:
    assert groups(range(1, 17), Stage(16, 4))[1] == (5, 6, 7, 8)


def test_a_final_needs_enough_players() -> None:
    with pytest.raises(ValueError, match="needs as many"):
        finalists(ranking(1, 2, 3), TOP_4)


@pytest.mark.parametrize(("top", "size"), [(16, 6), (12, 8), (0, 4), (4, 0)])
def test_groups_must_come_out_even(top: int, size: int) -> None:
    with pytest.raises(ValueError, match="do not make"):
        Stage(top, size)
