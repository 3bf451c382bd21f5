"""What places and results come to in the European ranking, by its published example and by what must hold of any."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.mers import Result, age_factor, base, score
from tournament.engine.mers.score import PART_STEP, in_all, nation_score

EXAMPLE = [Result(1000, 1), Result(1000, 1), Result(1000, 1), Result(501, 6), Result(500, 1)]
"""tomp31, mers-vs-rukrs.md: parts 650.6 and 667.33, "for a MERS ranking of 658.95"."""

bases = st.integers(0, 1000)
weights = st.sampled_from([Fraction(n, 2) for n in range(1, 13)])
results = st.lists(st.builds(Result, bases, weights), min_size=2, max_size=20)


def said(found: list[Result]) -> Fraction:
    told = score(found)
    assert told is not None
    return told.rounded


class TestBase:
    @pytest.mark.parametrize(
        ("place", "players", "worth"),
        [
            (1, 2, 1000),
            (2, 2, 0),
            (32, 60, 475),
            (75, 100, 253),
            (16, 17, 63),
            (10, 17, 438),
            (8, 8, 0),
            (200, 400, 501),
        ],
    )
    def test_of_a_place_is_rounded_and_not_cut(self, place: int, players: int, worth: int) -> None:
        assert base(place, players) == worth

    @pytest.mark.parametrize(("place", "players"), [(1, 1), (1, 0), (0, 8), (9, 8), (-1, 8)])
    def test_there_is_none_for_a_place_that_is_none(self, place: int, players: int) -> None:
        with pytest.raises(ValueError, match="no place"):
            base(place, players)

    @given(st.integers(2, 400))
    def test_falls_evenly_from_the_first_to_the_last(self, players: int) -> None:
        worth = [base(place, players) for place in range(1, players + 1)]
        assert (worth[0], worth[-1]) == (1000, 0)
        steps = {before - after for before, after in pairwise(worth)}
        assert max(steps) - min(steps) <= 1

    @given(st.integers(2, 400), st.data())
    def test_of_a_place_and_of_its_mirror_come_to_a_thousand(self, players: int, data: st.DataObject) -> None:
        place = data.draw(st.integers(1, players))
        assert base(place, players) + base(players + 1 - place, players) in (1000, 1001)


class TestTheExample:
    def test_has_its_parts(self) -> None:
        told = score(EXAMPLE)
        assert told is not None
        assert (told.all.mean, told.best.mean) == (Fraction(6506, 10), Fraction(6006, 9))

    def test_comes_to_the_score_that_was_published(self) -> None:
        assert said(EXAMPLE) == Fraction("658.95")

    def test_comes_to_more_without_rounding(self) -> None:
        told = score(EXAMPLE)
        assert told is not None
        assert told.exact == Fraction(19769, 30)

    def test_is_better_with_the_worse_of_two_places(self) -> None:
        """The same text: the player would rather have the light 500 among the best four, for a score of 762.8."""
        assert said([*EXAMPLE[:3], Result(499, 6), Result(500, 1)]) > said(EXAMPLE)


class TestScore:
    def test_begins_with_two_results(self) -> None:
        assert score([Result(1000, 3)]) is None
        assert score([]) is None

    def test_has_last_places_for_the_results_that_are_missing(self) -> None:
        assert said([Result(1000, 1), Result(1000, 1)]) == (Fraction(400) + Fraction(500)) / 2

    def test_leaves_out_the_worst_of_ten(self) -> None:
        told = score([Result(500, 1)] * 9 + [Result(0, 6)])
        assert told is not None
        assert len(told.all.counted) == 9
        assert told.exact == 500

    def test_takes_the_weightier_of_equal_results_for_the_better(self) -> None:
        told = score([Result(500, weight) for weight in (1, 2, 3, 4, 5)])
        assert told is not None
        assert [one.weight for one in told.best.counted] == [5, 4, 3, 2]

    @given(results, st.randoms(use_true_random=False))
    def test_does_not_depend_on_the_order(self, found: list[Result], chance: object) -> None:
        shuffled = list(found)
        chance.shuffle(shuffled)  # type: ignore[attr-defined]
        assert score(shuffled) == score(found)

    @given(results)
    def test_lies_between_nothing_and_a_thousand_and_the_best_four_are_no_worse(
        self, found: list[Result]
    ) -> None:
        told = score([Result(one.base, 1) for one in found])
        assert told is not None
        assert 0 <= told.all.mean <= told.best.mean <= 1000
        assert abs(told.exact - told.rounded) <= PART_STEP / 2

    @given(st.lists(bases, min_size=2, max_size=20), st.data())
    def test_no_better_place_makes_it_worse_where_all_weigh_the_same(
        self, found: list[int], data: st.DataObject
    ) -> None:
        at = data.draw(st.integers(0, len(found) - 1))
        better = [*found[:at], data.draw(st.integers(found[at], 1000)), *found[at + 1 :]]
        assert said([Result(one, 1) for one in better]) >= said([Result(one, 1) for one in found])

    @given(results, st.integers(2, 5))
    def test_does_not_change_where_five_or_more_all_weigh_so_many_times_as_much(
        self, found: list[Result], times: int
    ) -> None:
        found = found + [Result(0, 1)] * 3
        assert said([Result(one.base, one.weight * times) for one in found]) == said(found)


class TestAge:
    @pytest.mark.parametrize(
        ("ended", "factor"),
        [
            ((2026, 11, 22), 1),
            ((2025, 11, 22), 1),
            ((2025, 11, 21), Fraction(1, 2)),
            ((2024, 11, 22), Fraction(1, 2)),
            ((2024, 11, 21), 0),
            ((2026, 11, 23), 0),
        ],
    )
    def test_halves_after_a_year_and_ends_after_two(
        self, ended: tuple[int, int, int], factor: Fraction
    ) -> None:
        assert age_factor(ended, (2026, 11, 22)) == factor

    def test_takes_results_out_of_the_score(self) -> None:
        found = [Result(1000, 2, (2026, 1, 1)), Result(1000, 2, (2025, 1, 1)), Result(0, 2, (2020, 1, 1))]
        told = score(found, on=(2026, 11, 22))
        assert told is not None
        assert [one.weight for one in told.all.counted] == [2, 1, 1, 1, 1]

    def test_leaves_nobody_in_the_ranking_whose_results_are_all_old(self) -> None:
        assert score([Result(1000, 3, (2020, 1, 1))] * 5, on=(2026, 11, 22)) is None


@given(st.integers(1, 200))
def test_part_a_leaves_out_a_fifth_of_what_goes_beyond_five(results: int) -> None:
    if results <= 5:
        assert in_all(results) == 5
    else:
        assert 0 <= in_all(results) - (5 + Fraction(4, 5) * (results - 5)) < 1


def test_a_country_has_the_mean_of_its_best_three() -> None:
    assert nation_score([Fraction(n) for n in (100, 900, 600, 300)]) == 600
