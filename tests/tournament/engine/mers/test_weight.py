"""The weight of a tournament in the European ranking, by each of its steps (mahjong-portal, calculation/ema.py)."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.mers import weight

HALF = Fraction(1, 2)


def test_a_day_weighs_one_and_more_than_three_weigh_three() -> None:
    assert [weight(days, 16, 1).days for days in (1, 2, 3, 4, 10)] == [1, 2, 3, 3, 3]


def test_players_weigh_from_41_and_from_81_on() -> None:
    weights = [weight(1, players, 1).players for players in (0, 40, 41, 80, 81, 400)]
    assert weights == [0, 0, HALF, HALF, 1, 1]


def test_countries_weigh_from_six_and_from_ten_on() -> None:
    weights = [weight(1, 16, countries).countries for countries in (0, 5, 6, 9, 10, 30)]
    assert weights == [0, 0, HALF, HALF, 1, 1]


def test_a_championship_with_qualification_weighs_one_more() -> None:
    assert weight(2, 60, 8, is_championship=True).total - weight(2, 60, 8).total == 1


@given(st.integers(1, 20), st.integers(0, 500), st.integers(0, 60), st.booleans())
def test_a_larger_event_never_weighs_less(
    days: int, players: int, countries: int, is_championship: bool
) -> None:
    now = weight(days, players, countries, is_championship=is_championship).total
    more = weight(days + 1, players + 1, countries + 1, is_championship=is_championship).total
    assert 1 <= now <= more <= 6
