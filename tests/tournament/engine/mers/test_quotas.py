"""Seats of a championship among countries: every rule of it by a small case, and what must hold of any."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.mers import Nation, quotas
from tournament.engine.mers.quotas import shares

FOUR = [Nation("FRA", 60, 6), Nation("ITA", 20, 2), Nation("DNK", 10, 0), Nation("AUT", 10, 0)]

nations = st.lists(
    st.builds(
        Nation,
        st.sampled_from(["FRA", "ITA", "DNK", "AUT", "DEU"]),
        st.integers(0, 200),
        st.integers(0, 30),
        st.none() | st.integers(0, 60),
    ),
    max_size=25,
)


def totals(seats: int, found: list[Nation]) -> list[int]:
    return [quota.total for quota in quotas(seats, found)]


def test_every_country_has_a_seat_the_best_first_then_who_has_a_strong_player_then_the_best_three() -> None:
    assert {seats: totals(seats, FOUR) for seats in (3, 6, 9)} == {
        3: [1, 1, 1, 0],
        6: [2, 2, 1, 1],
        9: [3, 3, 2, 1],
    }


def test_the_rest_goes_by_the_mean_of_two_shares() -> None:
    assert shares(FOUR) == [Fraction(27, 40), Fraction(9, 40), Fraction(1, 20), Fraction(1, 20)]
    assert [quota.rest for quota in quotas(9 + 40, FOUR)] == [27, 9, 2, 2]


def test_with_nobody_strong_the_players_alone_count() -> None:
    assert shares([Nation("FRA", 3, 0), Nation("ITA", 1, 0)]) == [Fraction(3, 4), Fraction(1, 4)]


def test_with_nobody_ranked_all_countries_are_equal() -> None:
    assert totals(8, [Nation("FRA", 0, 0), Nation("ITA", 0, 0)]) == [4, 4]


def test_nobody_has_more_seats_than_players_above_the_mean_and_the_best_others_get_them() -> None:
    found = quotas(12, [Nation("FRA", 60, 6, 4), Nation("ITA", 20, 2, 9), Nation("DNK", 10, 0, 0)])
    assert [quota.total for quota in found] == [4, 7, 1]
    assert [quota.passed_on for quota in found] == [-2, 3, -1]


def test_seats_stay_where_everybody_has_the_most_they_may_have() -> None:
    assert totals(50, [Nation("FRA", 60, 6, 4), Nation("ITA", 20, 2, 3)]) == [4, 3]


def test_without_countries_there_are_no_quotas() -> None:
    assert quotas(70, []) == ()


@given(st.integers(0, 200), nations)
def test_no_seat_is_given_twice_and_none_is_kept_that_somebody_may_have(
    seats: int, found: list[Nation]
) -> None:
    told = quotas(seats, found)
    given = sum(quota.total for quota in told)
    assert given <= seats
    if any(quota.nation.most is None or quota.total < quota.nation.most for quota in told):
        assert given == seats
    assert all(quota.total >= 0 for quota in told)
    assert all(quota.nation.most is None or quota.total <= quota.nation.most for quota in told)


@given(st.integers(0, 100), nations)
def test_one_seat_more_takes_none_from_anybody_without_a_most(seats: int, found: list[Nation]) -> None:
    free = [Nation(one.name, one.players, one.strong) for one in found]
    for before, after in zip(totals(seats, free), totals(seats + 1, free), strict=True):
        assert before <= after
