"""What holds for every hand of the classical game."""

import doctest
from dataclasses import replace
from pathlib import Path
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

import scoring.classical
from scoring.classical import (
    CLASSICAL,
    Flower,
    Loser,
    Row,
    Score,
    Sort,
    Winner,
    score,
    score_loser,
    score_winner,
)
from scoring.engine import Hand
from tests.scoring.classical.reference import counted, losers, points_by_rulebook, winners

LIMIT_HANDS = frozenset(row for row in Row if row.sort is Sort.LIMIT)
OPEN = replace(CLASSICAL, limit=10**9, without=LIMIT_HANDS, losers_have_limit=False)
"""Every hand at its full value."""


@given(winners(), losers(), st.integers(1, 200) | st.integers(1, 2000))
def test_the_limit_caps(winner: Winner, loser: Loser, limit: int) -> None:
    """Losers too, where it holds for them."""
    rules = replace(CLASSICAL, limit=limit)
    score = score_winner(winner, rules)
    capped = limit if score.of_sort(Sort.LIMIT) else min(score.in_full, limit)
    assert score.points == (capped if score.win else 0)
    assert score_loser(loser, rules).points == min(score_loser(loser, OPEN).points, limit)


@given(winners(), st.sampled_from(Flower))
def test_another_flower_only_adds_and_doubles(winner: Winner, flower: Flower) -> None:
    """Doubling is monotone: for a line more nothing is taken away."""
    assume(flower not in winner.flowers)
    fewer = score_winner(winner, OPEN)
    more = score_winner(replace(winner, flowers=(*winner.flowers, flower)), OPEN)
    assert more.win == fewer.win
    if fewer.win:
        assert more.in_full >= fewer.in_full * more.factor // fewer.factor + 4 * more.factor
        assert more.factor % fewer.factor == 0


@given(losers())
def test_a_wind_that_is_both_scores_no_less_than_as_one(loser: Loser) -> None:
    in_own_round = replace(loser, prevalent_wind=loser.seat_wind)
    as_one = replace(OPEN, both_winds_of_pair=False, both_winds_of_pung=False)
    assert score_loser(in_own_round, OPEN).in_full >= score_loser(in_own_round, as_one).in_full


@given(winners(), losers(), st.integers(0, 2**32))
def test_the_order_of_the_tiles_is_nothing(winner: Winner, loser: Loser, seed: int) -> None:
    random, record = Random(seed), winner.hand.to_json()
    for name in ("concealed", "melds"):
        tiles = list(record[name])  # type: ignore[call-overload]
        random.shuffle(tiles)
        record[name] = tiles
    flowers = tuple(random.sample(winner.flowers, len(winner.flowers)))
    shuffled = replace(winner, hand=Hand.from_json(record), flowers=flowers)
    assert lines_of(score_winner(shuffled)) == lines_of(score_winner(winner))

    concealed = tuple(random.sample(loser.concealed, len(loser.concealed)))
    other = replace(loser, concealed=concealed, melds=tuple(random.sample(loser.melds, len(loser.melds))))
    assert lines_of(score_loser(other)) == lines_of(score_loser(loser))


def lines_of(score: Score) -> tuple[int, list[tuple[str, int]]]:
    return score.points, sorted((line.row.key, line.value) for line in score.lines)


@given(winners())
def test_the_best_reading_is_taken(winner: Winner) -> None:
    """As the slow way finds it; only what sets and pair earn depends on the reading."""
    score = score_winner(winner, OPEN)
    readings = list(points_by_rulebook(winner.hand))
    assume(score.win and readings)
    lines = [line for line in score.lines if line.row in OF_THE_WHOLE]
    adds = sum(line.value for line in lines if line.row.sort in (Sort.POINTS, Sort.BONUS))
    doubles = 1
    for line in lines:
        doubles *= 1 if line.row.sort in (Sort.POINTS, Sort.BONUS) else line.value
    assert score.in_full == max(
        (adds + added + 10 * (not chows) + 10 * (not added)) * factor * doubles
        for added, factor, chows in readings
    )


OF_THE_WHOLE = {
    *(Row.FLOWER, Row.OWN_FLOWER, Row.FOUR_FLOWERS, Row.ROBBED_KONG, Row.ONE_SUIT_AND_HONOURS),
    *(Row.TERMINALS_AND_HONOURS, Row.ONE_SUIT, Row.ORIGINAL_HAND, Row.ALL_HONOURS, Row.WON),
    *(Row.SELF_DRAWN, Row.ONLY_TILE, Row.STANDING_HAND, Row.LAST_TILE, Row.LOOSE_TILE),
}
"""What a hand earns however its tiles are read."""


@given(winners(), losers())
def test_it_wins_as_the_slow_way_finds(winner: Winner, loser: Loser) -> None:
    """001:93, 100: a loser earns nothing for winning."""
    score = score_winner(winner)
    assert score.win == (
        bool(list(points_by_rulebook(winner.hand))) or "limit_thirteen_odd_majors" in counted(score)
    )
    assert {line.row.sort for line in score_loser(loser).lines} <= {Sort.POINTS, Sort.DOUBLES}


@given(st.one_of(winners().map(score_winner), losers().map(score_loser)))
def test_every_line_says_what_earns_it(score: Score) -> None:
    """Points and doubles of sets and flowers name them, by places that are there."""
    for line in score.of_sort(Sort.POINTS, Sort.DOUBLES):
        assert bool(line.groups) != bool(line.flowers)
        assert score.reading
        assert all(0 <= place < len(score.reading.groups) for place in line.groups)


README = Path(scoring.classical.__file__).parent / "README.md"


def test_the_examples_run() -> None:
    for module in (scoring.classical, score):
        tried = doctest.testmod(module)
        assert (tried.failed, tried.attempted > 0) == (0, True), module.__name__
    assert doctest.testfile(str(README), module_relative=False).failed == 0
