"""The European ranking: scores, weights of tournaments, and seats of a championship."""

from datetime import date
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.ema.engine.mers import (
    PART_STEP,
    WHOLE_WEEKS,
    Nation,
    Result,
    Score,
    age_factor,
    base,
    part_a_count,
    quotas,
    score,
    shares,
    weight,
)

EXAMPLE = [Result(1000, 1), Result(1000, 1), Result(1000, 1), Result(501, 6), Result(500, 1)]
"""tomp31, mers-vs-rukrs.md: parts 650.6 and 667.33, "for a MERS ranking of 658.95"."""

HALF = Fraction(1, 2)

bases = st.integers(0, 1000)
weights = st.sampled_from([Fraction(n, 2) for n in range(1, 13)])
results = st.lists(st.builds(Result, bases, weights), min_size=2, max_size=20)


def score_of(rows: list[Result], on: int | None = None) -> Score:
    result = score(rows, on=on)
    assert result is not None
    return result


def rounded_score(rows: list[Result]) -> Fraction:
    return score_of(rows).rounded


class TestBase:
    def test_is_rounded(self) -> None:
        worth = {(1, 2): 1000, (2, 2): 0, (32, 60): 475, (75, 100): 253, (16, 17): 63, (10, 17): 438}
        worth |= {(8, 8): 0, (200, 400): 501}
        assert {place: base(*place) for place in worth} == worth

    @pytest.mark.parametrize(("place", "players"), [(1, 1), (1, 0), (0, 8), (9, 8), (-1, 8)])
    def test_of_an_impossible_place_is_an_error(self, place: int, players: int) -> None:
        with pytest.raises(ValueError, match="no place"):
            base(place, players)

    @given(st.integers(2, 400), st.data())
    def test_falls_evenly_and_mirrored_places_sum_to_a_thousand(
        self, players: int, data: st.DataObject
    ) -> None:
        worth = [base(place, players) for place in range(1, players + 1)]
        assert (worth[0], worth[-1]) == (1000, 0)
        steps = {before - after for before, after in pairwise(worth)}
        assert max(steps) - min(steps) <= 1
        place = data.draw(st.integers(1, players))
        assert base(place, players) + base(players + 1 - place, players) in (1000, 1001)


class TestPublishedExample:
    def test_has_the_published_parts_and_score(self) -> None:
        result = score_of(EXAMPLE)
        assert (result.part_a.mean, result.part_b.mean) == (Fraction(6506, 10), Fraction(6006, 9))
        assert (result.rounded, result.exact) == (Fraction("658.95"), Fraction(19769, 30))
        # By the same text the score would rise to 762.8 with the result of weight 1 among the best four.
        assert rounded_score([*EXAMPLE[:3], Result(499, 6), Result(500, 1)]) > rounded_score(EXAMPLE)


class TestScore:
    def test_needs_two_results_and_is_padded_with_last_places(self) -> None:
        assert score([Result(1000, 3)]) is None
        assert score([]) is None
        assert rounded_score([Result(1000, 1), Result(1000, 1)]) == (Fraction(400) + Fraction(500)) / 2

    def test_leaves_out_the_worst_of_ten_and_prefers_more_weight(self) -> None:
        result = score_of([Result(500, 1)] * 9 + [Result(0, 6)])
        assert len(result.part_a.counted) == 9
        assert result.exact == 500
        result = score_of([Result(500, weight) for weight in (1, 2, 3, 4, 5)])
        assert [counted.weight for counted in result.part_b.counted] == [5, 4, 3, 2]

    @given(results, st.randoms(use_true_random=False))
    def test_ignores_the_order_and_lies_within_a_thousand(self, rows: list[Result], random: Random) -> None:
        shuffled = list(rows)
        random.shuffle(shuffled)
        assert score(shuffled) == score(rows)
        result = score_of([Result(row.base, 1) for row in rows])
        assert 0 <= result.part_a.mean <= result.part_b.mean <= 1000
        assert abs(result.exact - result.rounded) <= PART_STEP / 2

    @given(st.lists(bases, min_size=2, max_size=20), st.data())
    def test_a_better_base_never_lowers_it_at_equal_weights(
        self, points: list[int], data: st.DataObject
    ) -> None:
        at = data.draw(st.integers(0, len(points) - 1))
        better = [*points[:at], data.draw(st.integers(points[at], 1000)), *points[at + 1 :]]
        assert rounded_score([Result(base, 1) for base in better]) >= rounded_score(
            [Result(base, 1) for base in points]
        )

    @given(results, st.integers(2, 5))
    def test_does_not_change_if_all_weights_are_scaled(self, rows: list[Result], times: int) -> None:
        rows = rows + [Result(0, 1)] * 3
        assert rounded_score([Result(row.base, row.weight * times) for row in rows]) == rounded_score(rows)


SUNDAY = date(2026, 3, 1).toordinal()
MONDAY = SUNDAY + 1


class TestAge:
    """“The Mahjong Europe Ranking System”: whole for 52 weeks from the Monday after the event's week, then half."""

    @pytest.mark.parametrize(
        ("weeks", "factor"), [(-1, 0), (0, 1), (51, 1), (52, HALF), (103, HALF), (104, 0)]
    )
    def test_is_counted_in_weeks_of_the_ranking(self, weeks: int, factor: Fraction | int) -> None:
        days = [MONDAY + 7 * weeks + day for day in range(7)]
        assert {age_factor(ended, on) for ended in (SUNDAY - 6, SUNDAY) for on in days} == {factor}

    def test_takes_results_out_of_the_score(self) -> None:
        year = 7 * WHOLE_WEEKS
        rows = [Result(1000, 2, SUNDAY), Result(1000, 2, SUNDAY - year), Result(0, 2, SUNDAY - 3 * year)]
        counted = score_of(rows, on=MONDAY).part_a.counted
        assert [result.weight for result in counted] == [2, 1, 1, 1, 1]
        assert score([Result(1000, 3, SUNDAY - 3 * year)] * 5, on=MONDAY) is None


@given(st.integers(1, 200))
def test_part_a_leaves_out_a_fifth_of_the_results_beyond_five(results: int) -> None:
    if results <= 5:
        assert part_a_count(results) == 5
    else:
        assert 0 <= part_a_count(results) - (5 + Fraction(4, 5) * (results - 5)) < 1


def test_the_weight_adds_days_players_countries_and_championship() -> None:
    assert [weight(days, 16, 1).days for days in (1, 2, 3, 4, 10)] == [1, 2, 3, 3, 3]
    weights = [weight(1, players, 1).players for players in (0, 40, 41, 80, 81, 400)]
    assert weights == [0, 0, HALF, HALF, 1, 1]
    weights = [weight(1, 16, countries).countries for countries in (0, 5, 6, 9, 10, 30)]
    assert weights == [0, 0, HALF, HALF, 1, 1]
    assert weight(2, 60, 8, is_championship=True).total - weight(2, 60, 8).total == 1


@given(st.integers(1, 20), st.integers(0, 500), st.integers(0, 60), st.booleans())
def test_a_larger_event_never_weighs_less(
    days: int, players: int, countries: int, is_championship: bool
) -> None:
    smaller = weight(days, players, countries, is_championship=is_championship).total
    larger = weight(days + 1, players + 1, countries + 1, is_championship=is_championship).total
    assert 1 <= smaller <= larger <= 6


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


def totals(seats: int, entries: list[Nation]) -> list[int]:
    return [quota.total for quota in quotas(seats, entries)]


def test_every_country_gets_a_seat_and_the_rest_is_shared() -> None:
    assert {seats: totals(seats, FOUR) for seats in (3, 6, 9)} == {
        3: [1, 1, 1, 0],
        6: [2, 2, 1, 1],
        9: [3, 3, 2, 1],
    }
    assert shares(FOUR) == [Fraction(27, 40), Fraction(9, 40), Fraction(1, 20), Fraction(1, 20)]
    assert [quota.rest for quota in quotas(9 + 40, FOUR)] == [27, 9, 2, 2]


def test_shares_without_strong_or_ranked_players() -> None:
    assert shares([Nation("FRA", 3, 0), Nation("ITA", 1, 0)]) == [Fraction(3, 4), Fraction(1, 4)]
    assert totals(8, [Nation("FRA", 0, 0), Nation("ITA", 0, 0)]) == [4, 4]
    assert quotas(70, []) == ()


def test_seats_above_a_maximum_are_passed_on() -> None:
    assert totals(50, [Nation("FRA", 60, 6, 4), Nation("ITA", 20, 2, 3)]) == [4, 3]
    result = quotas(12, [Nation("FRA", 60, 6, 4), Nation("ITA", 20, 2, 9), Nation("DNK", 10, 0, 0)])
    assert [quota.total for quota in result] == [4, 7, 1]
    assert [quota.passed_on for quota in result] == [-2, 3, -1]


@settings(max_examples=12)
@given(st.integers(0, 200), nations)
def test_quotas_sum_to_the_seats_and_never_fall_with_one_more(seats: int, entries: list[Nation]) -> None:
    result = quotas(seats, entries)
    total = sum(quota.total for quota in result)
    assert total <= seats
    if any(quota.nation.maximum is None or quota.total < quota.nation.maximum for quota in result):
        assert total == seats
    assert all(quota.total >= 0 for quota in result)
    assert all(quota.nation.maximum is None or quota.total <= quota.nation.maximum for quota in result)
    free = [Nation(nation.name, nation.players, nation.strong) for nation in entries]
    for before, after in zip(totals(seats, free), totals(seats + 1, free), strict=True):
        assert before <= after
