"""Table points: RULES §8, 4/2/1/0 and the shares of equal scores."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.table_points import STANDARD_SCALE, places, table_points, two_decimals


def test_equal_scores_share_the_sum_of_their_places() -> None:
    half, third, quarter = Fraction(1, 2), Fraction(7, 3), Fraction(7, 4)
    cases: dict[tuple[int, ...], tuple[Fraction | int, ...]] = {
        (10, -20, 30, -20): (2, half, 4, half),
        (40, 10, -10, -40): (4, 2, 1, 0),
        (30, 30, -10, -50): (3, 3, 1, 0),
        (20, 20, 20, -60): (third, third, third, 0),
        (0, 0, 0, 0): (quarter, quarter, quarter, quarter),
        (60, 0, 0, -60): (4, 3 * half, 3 * half, 0),
        (60, -20, -20, -20): (4, 1, 1, 1),
    }
    assert {scores: table_points(scores) for scores in cases} == cases


@given(st.lists(st.integers(-900, 900), min_size=4, max_size=4))
def test_the_four_always_sum_to_seven_and_never_reward_a_lower_score(scores: list[int]) -> None:
    points = table_points(scores)
    assert sum(points) == 7
    by_score = [share for _, share in sorted(zip(scores, points, strict=True))]
    assert by_score == sorted(by_score)


@given(
    st.lists(st.integers(-900, 900), min_size=4, max_size=4),
    st.lists(st.booleans(), min_size=4, max_size=4).filter(any),
)
def test_who_has_no_place_has_nothing_and_the_others_share_the_first_places(
    scores: list[int], placed: list[bool]
) -> None:
    points = table_points(scores, placed=placed)
    taken = [(score, share) for score, share, has in zip(scores, points, placed, strict=True) if has]
    assert sum(points) == sum(STANDARD_SCALE[: len(taken)])
    assert all(share == 0 for share, has in zip(points, placed, strict=True) if not has)
    assert [share for _, share in sorted(taken)] == sorted(share for _, share in taken)
    assert [place is not None for place in places(scores, placed)] == placed


def test_the_scale_belongs_to_the_rulebook() -> None:
    assert table_points([3, 1, 1, -5], scale=(3, 2, 1, 0)) == (3, Fraction(3, 2), Fraction(3, 2), 0)


def test_a_score_is_needed_for_each_place() -> None:
    with pytest.raises(ValueError, match="4 places, 3 scores"):
        table_points([1, 2, 3])


def test_equal_scores_have_the_same_place() -> None:
    assert places([5, 9, 5, 1]) == (2, 1, 2, 4)


def test_points_are_printed_with_two_decimals_half_up() -> None:
    points = [Fraction(*ratio) for ratio in ((23, 2), (7, 3), (14, 3), (3, 8), (16, 1), (-3, 2), (-1, 1000))]
    assert [two_decimals(share) for share in points] == [
        *("11.50", "2.33", "4.67", "0.38", "16.00", "-1.50", "0.00"),
    ]
    assert two_decimals(16) == "16.00"
