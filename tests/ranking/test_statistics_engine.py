"""What hands add up to, and what can stand at the foot of a sheet kept on paper."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.play.engine.statements import (
    MAX_LIKELY_TOTAL,
    MAX_TOTAL,
    BestHand,
    TotalsEntry,
    find_totals_problems,
)
from tournament.ranking.engine.statistics import MAX_BEST, Figures, PlayedHand, figures, sum_figures

FANS = ("all_pungs", "half_flush", "seven_pairs", "dragon_pung")


@st.composite
def hands(draw: st.DrawFn) -> list[PlayedHand]:
    """Some hands of three sessions; each with its own place."""
    place = st.tuples(st.integers(1, 3), st.integers(1, 16), st.integers(1, 4))
    won = st.tuples(
        st.just(True), st.booleans(), st.integers(8, 30), st.sets(st.sampled_from(FANS)).map(tuple)
    )
    endings = st.one_of(st.just((False,)), won)
    places = draw(st.lists(place, unique=True, max_size=40))
    return [PlayedHand(number, place, *draw(endings)) for number, place in enumerate(places)]


def test_a_hand_ends_in_one_of_three_ways_and_no_hands_give_zero() -> None:
    totals = figures(
        [
            PlayedHand(1, (1, 1, 1), won=True, points=20),
            PlayedHand(2, (1, 2, 1), won=True, self_drawn=True, points=31),
            PlayedHand(3, (1, 3, 1), won=False),
            PlayedHand(4, (1, 4, 1), won=False),
        ]
    )
    assert (totals.hands, totals.by_discard, totals.self_drawn, totals.wash_outs) == (4, 1, 1, 2)
    assert totals.average == 25.5
    assert figures([]) == Figures()
    assert figures([]).average is None


def test_known_fans_are_counted_and_of_equals_the_earlier_hand_is_best() -> None:
    totals = figures(
        [
            PlayedHand(1, (1, 1, 1), won=True, points=24, fans=("seven_pairs",)),
            PlayedHand(2, (1, 2, 1), won=True, points=30, fans=("seven_pairs", "half_flush")),
            PlayedHand(3, (1, 3, 1), won=True, points=12),
        ]
    )
    assert totals.known == 2
    assert totals.fans_by_frequency == (("seven_pairs", 2), ("half_flush", 1))
    later, earlier = (2, 1, 1), (1, 16, 4)
    totals = figures([PlayedHand(1, later, True, points=88), PlayedHand(2, earlier, True, points=88)])
    assert totals.best_ids == (2, 1)


@given(hands())
def test_added_sessions_are_the_event_and_the_best_hands_score_most(played: list[PlayedHand]) -> None:
    by_session = [[hand for hand in played if hand.place[0] == session] for session in (1, 2, 3)]
    assert sum_figures(map(figures, by_session)) == figures(played)
    points = {hand.id: hand.points for hand in played if hand.won}
    best = figures(played).best_ids
    assert [points[id] for id in best] == sorted(points.values(), reverse=True)[:MAX_BEST]


FOUR = (1, 5, 9, 13)
SHEET = {1: 120, 5: -40, 9: -50, 13: -30}


def codes(entry: TotalsEntry, unpaid: int = 0) -> list[tuple[str, str]]:
    return [(problem.code, problem.where) for problem in find_totals_problems(entry, FOUR, unpaid)]


@given(st.lists(st.integers(-900, 900), min_size=3, max_size=3), st.integers(0, 60), st.integers(0, 3))
def test_the_fourth_total_follows_from_any_three(three: list[int], unpaid: int, which: int) -> None:
    players = [player for at, player in enumerate(FOUR) if at != which]
    whole = TotalsEntry(dict(zip(players, three, strict=True)), sure=True).complete_points(FOUR, unpaid)
    assert sum(whole.values()) == -unpaid
    assert codes(TotalsEntry(whole, sure=True), unpaid) == []


@given(st.permutations([200, -20, -80, -100]), st.integers(1, 400))
def test_a_sum_that_no_penalty_explains_is_reported(four: list[int], off: int) -> None:
    points = dict(zip(FOUR, four, strict=True)) | {1: four[0] + off}
    assert codes(TotalsEntry(points)) == [("totals_not_zero", "points")]


def test_only_penalties_to_nobody_explain_a_sum_and_what_is_missing_is_said_there() -> None:
    assert codes(TotalsEntry(SHEET)) == []
    assert codes(TotalsEntry(SHEET | {1: 100}), unpaid=20) == []
    assert codes(TotalsEntry(SHEET), unpaid=20) == [("totals_sum", "points")]
    assert codes(TotalsEntry(SHEET | {1: SHEET[1] - 40})) == [("totals_too_low", "points")]
    entry = TotalsEntry({1: 120, 5: None, 9: -50})
    assert codes(entry) == [("total_missing", "points.5"), ("total_missing", "points.13")]


def test_what_is_unlikely_is_asked_about_and_the_impossible_refused() -> None:
    big = TotalsEntry({1: 5000, 5: -4000, 9: -500, 13: -500})
    assert codes(big) == [("total_unlikely", "points.1"), ("total_unlikely", "points.5")]
    assert codes(TotalsEntry(big.points, sure=True)) == []
    beyond = {1: MAX_TOTAL + 1, 5: -MAX_LIKELY_TOTAL, 9: 0, 13: MAX_LIKELY_TOTAL - MAX_TOTAL - 1}
    assert codes(TotalsEntry(beyond, sure=True)) == [("total_too_large", "points.1")]
    assert codes(TotalsEntry(SHEET | {2: 0})) == [("not_at_this_table", "points.2")]
    none = dict.fromkeys(FOUR, 0)
    assert codes(TotalsEntry(SHEET, best=BestHand(2, 88))) == [("not_at_this_table", "best.player")]
    assert codes(TotalsEntry(SHEET, none, best=BestHand(1, 88))) == [("best_without_win", "best.player")]
    assert codes(TotalsEntry(SHEET, best=BestHand(1, 4000))) == [("best_out_of_range", "best.points")]


def test_a_hand_has_one_winner_and_a_deal_in_a_win(subtests: pytest.Subtests) -> None:
    def counts(*four: int) -> Mapping[int, int]:
        return dict(zip(FOUR, four, strict=False))

    cases: list[tuple[TotalsEntry, list[tuple[str, str]]]] = [
        (TotalsEntry(SHEET, counts(9, 3, 1, 2), counts(1, 4, 5, 3)), []),
        (TotalsEntry(SHEET, counts(9, 3)), [("count_missing", "wins.9"), ("count_missing", "wins.13")]),
        (TotalsEntry(SHEET, counts(9, 8, 0, 0)), [("wins_too_many", "wins")]),
        (TotalsEntry(SHEET, counts(3, 2, 0, 0), hands=4), [("wins_too_many", "wins")]),
        (TotalsEntry(SHEET, counts(1, 0, 0, -1)), [("count_out_of_range", "wins.13")]),
        (TotalsEntry(SHEET, counts(2, 0, 0, 0), counts(0, 3, 0, 0)), [("deal_ins_too_many", "deal_ins")]),
        (TotalsEntry(SHEET, hands=17), [("hands_out_of_range", "hands")]),
    ]
    for entry, problems in cases:
        with subtests.test(entry=entry):
            assert codes(entry) == problems
