"""What the quiz says is right is right by the slow scorer; its five puzzles are the source's; grades, the daily set."""

import re
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine import MCR, TILES, Fan, Hand
from scoring.quiz.deals import SeededRandom
from scoring.quiz.discards import PICTURES, discards, find_discard
from scoring.quiz.questions import (
    BY_HEART,
    FIRST_DAY,
    LEVELS,
    PRINCIPLES,
    HandQuestion,
    Kind,
    Level,
    WaitsQuestion,
    daily,
    grade,
    grade_fans,
    grade_waits,
    grade_worth,
    question,
    result_text,
)
from tests.scoring.reference import reference_score, wins
from tests.support.sampling import examples, sample

SEEDS = range(1112)
"""Of each of the nine kinds and levels: 10,008 hands."""
every_kind = pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
seeds = st.integers(0, 2**31).map(str)

SOURCE = Path(__file__).parents[2] / "data" / "first_discard.txt"
"""000:12-218 without its explanations."""
HEADINGS = {"Best": 100, "Better": 80, "Good": 60, "Not Good": 0}

days = st.dates(FIRST_DAY, FIRST_DAY + timedelta(days=20_000))


def worth_by_the_book(hand: Hand) -> int:
    """Points, with flowers once they stand."""
    points = reference_score(hand, MCR) or 0
    return points + hand.flowers if points >= MCR.minimum else points


def agrees(puzzle: HandQuestion | WaitsQuestion) -> bool:
    if isinstance(puzzle, HandQuestion):
        fans = puzzle.fans | ({Fan.FLOWER_TILES} if puzzle.hand.flowers else set())
        counted = {line.fan for line in puzzle.explanation.score.fans}
        return puzzle.worth == worth_by_the_book(puzzle.hand) and counted == fans
    return (puzzle.completing, puzzle.reaching) == waits_by_the_book(puzzle)


def waits_by_the_book(puzzle: WaitsQuestion) -> tuple[set[str], set[str]]:
    """Every kind of tile tried: those that complete the hand, and those worth the minimum."""
    completing, reaching = set(), set()
    concealed, melds = puzzle.record["concealed"], puzzle.record["melds"]
    tiles = concealed + [tile for meld in melds for tile in meld["tiles"]]
    for tile in TILES:
        if tiles.count(tile) < 4 and wins((*concealed, tile)):
            completing.add(tile)
            last = {"winning_tile": tile, "self_drawn": puzzle.self_drawn}
            hand = Hand.from_json({**puzzle.record, "concealed": [*concealed, tile]} | last)
            if worth_by_the_book(hand) >= MCR.minimum:
                reaching.add(tile)
    return completing, reaching


@every_kind
@pytest.mark.parametrize("seeds_of_each", [4, pytest.param(40, marks=pytest.mark.thorough)])
def test_answers_are_right(kind: Kind, seeds_of_each: int) -> None:
    samples = (
        (level, str(seed)) for level in Level for seed in sample(SEEDS, seeds_of_each, key=level.value)
    )
    assert [(level, seed) for level, seed in samples if not agrees(question(kind, level, seed))] == []


@pytest.mark.thorough
@every_kind
@examples(15)
@given(level=st.sampled_from(Level), seed=seeds)
def test_a_puzzle_follows_from_its_address_and_offers_what_is_right(
    kind: Kind, level: Level, seed: str
) -> None:
    first = question(kind, level, seed)
    question.cache_clear()
    again = question(kind, level, seed)
    assert (first, first.offered) == (again, again.offered)
    if isinstance(first, WaitsQuestion):
        assert len(first.offered) == level.tiles_offered
        assert first.reaching <= first.completing <= set(first.offered)
    else:
        assert first.fans < set(first.offered)
        assert Fan.FLOWER_TILES not in first.offered


@examples(30)
@given(kind=st.sampled_from((Kind.WORTH, Kind.FANS)), seed=seeds)
@pytest.mark.thorough
def test_levels_of_hands_mean_something(kind: Kind, seed: str) -> None:
    hands = [puzzle for level in Level if isinstance(puzzle := question(kind, level, seed), HandQuestion)]
    easy, middle, hard = hands
    reasons = [{rejection.reason for rejection in hand.explanation.rejections} for hand in hands]
    assert len(easy.explanation.score.fans) <= 4
    assert not easy.explanation.others
    assert not reasons[0] & (BY_HEART | PRINCIPLES)
    assert reasons[1] & BY_HEART
    assert not reasons[1] & PRINCIPLES
    assert hard.explanation.others or reasons[2] & PRINCIPLES
    assert min(easy.worth, middle.worth) >= MCR.minimum


@pytest.mark.thorough
@examples(30)
@given(seed=seeds)
def test_levels_of_waits_mean_something(seed: str) -> None:
    puzzles = [question(Kind.WAITS, level, seed) for level in Level]
    easy, middle, hard = [waits for waits in puzzles if isinstance(waits, WaitsQuestion)]
    assert 1 <= len(easy.completing) <= 2
    assert 2 <= len(middle.completing) <= 3
    assert len(hard.completing) >= 3
    assert set() < middle.reaching < middle.completing
    assert set() < hard.reaching < hard.completing


def test_a_puzzle_stays_what_it_is() -> None:
    """An address that somebody has passed on shows the same hand tomorrow; other seeds are other puzzles."""
    puzzles = [question(Kind.WORTH, Level.MIDDLE, str(seed)) for seed in range(10)]
    assert len({other.hand for other in puzzles if isinstance(other, HandQuestion)}) == 10
    puzzle = question(Kind.WORTH, Level.EASY, "1")
    assert isinstance(puzzle, HandQuestion)
    assert (puzzle.explanation.score.summary()["notation"], puzzle.worth) == (
        "23456677889mFF +1m seat=W round=N",
        24,
    )


def as_written() -> list[tuple[list[str], dict[str, int]]]:
    """Each puzzle of the source: the numbers of its pictures, and the grade of each that has one."""
    puzzles: list[tuple[list[str], dict[str, int]]] = []
    under: int | None = None
    for line in SOURCE.read_text("utf-8").splitlines():
        pictures = re.findall(r"tile_(\d\d)", line)
        if line.startswith("The first discard"):
            puzzles.append(([], {}))
            under = None
        elif line in HEADINGS:
            under = HEADINGS[line]
        elif pictures and under is None:
            puzzles[-1][0].extend(pictures)
        elif under is not None:
            puzzles[-1][1].update(dict.fromkeys(pictures, under))
    return puzzles


def test_hands_and_grades_are_the_sources() -> None:
    """Five, of fourteen tiles of a set; only the three of characters of the third is ungraded."""
    assert [puzzle.number for puzzle in discards()] == [1, 2, 3, 4, 5]
    assert find_discard(6) is None
    for puzzle, (pictures, grades) in zip(discards(), as_written(), strict=True):
        assert puzzle.tiles == tuple(PICTURES[picture] for picture in pictures)
        assert puzzle.grades == {PICTURES[picture]: points for picture, points in grades.items()}
        assert len(puzzle.tiles) == 14
        assert all(tile in TILES and puzzle.tiles.count(tile) <= 4 for tile in puzzle.tiles)
        assert set(puzzle.grades) <= set(puzzle.tiles)
        assert sum(points == 100 for points in puzzle.grades.values()) == 1
    assert [puzzle.ungraded for puzzle in discards()] == [(), (), ("3m",), (), ()]
    assert sorted(PICTURES.values()) == sorted(TILES)


def test_the_tiles_fit_what_is_said_of_them() -> None:
    """Straights without their 5 and 6, the winds named, the triple chow of 123, 3 of Bamboos beside 5 and 8 of Dots."""
    first, second, third, fourth, fifth = (set(puzzle.tiles) for puzzle in discards())
    assert {"4m", "8m", "9m", "4s"} <= first
    assert not {"5m", "6m", "5s", "6s"} & first
    assert {"E", "N", "C"} <= second
    assert {"1m", "2m", "3m", "1s", "2s", "2p", "3p"} <= third
    assert {"3s", "5p", "8p"} <= fourth
    assert "2p" not in fourth
    assert {"F", "P"} <= fifth


def test_reasons_are_in_three_languages_and_notes_where_the_source_is_faulty() -> None:
    for puzzle in discards():
        assert puzzle.reason.en != puzzle.reason.zh_hans != puzzle.reason.zh_hant
    assert [puzzle.number for puzzle in discards() if puzzle.note] == [3, 5]
    best = ["5p", "N", "W", "7p", "P"]
    assert [puzzle.by_grade[0] for puzzle in discards()] == [(100, (tile,)) for tile in best]


def worth_question() -> HandQuestion:
    hand = question(Kind.WORTH, Level.EASY, "7")
    assert isinstance(hand, HandQuestion)
    return hand


def test_a_slip_costs_a_step() -> None:
    """Worth is graded by how far off it is."""
    assert [grade(slips) for slips in range(5)] == [100, 80, 60, 0, 0]
    hand = worth_question()
    points = {0: 100, 1: 80, -1: 80, 2: 60, -2: 60, 3: 0, 900: 0}
    assert {off: grade_worth(hand, hand.worth + off) for off in points} == points


def test_fans_are_graded_by_those_left_out_and_those_too_many() -> None:
    hand = worth_question()
    right, wrong = set(hand.fans), [fan for fan in hand.offered if fan not in hand.fans]
    left_out = min(right, key=lambda fan: fan.number)
    assert grade_fans(hand, right) == 100
    assert grade_fans(hand, right - {left_out}) == 80
    assert grade_fans(hand, right - {left_out} | {wrong[0]}) == 60
    assert grade_fans(hand, right | set(wrong[:3])) == 0


def test_waits_are_graded_by_tile() -> None:
    """A tile that reaches the minimum need not be named twice."""
    waits = question(Kind.WAITS, Level.HARD, "7")
    assert isinstance(waits, WaitsQuestion)
    completing, reaching = waits.completing, waits.reaching
    too_little = min(completing - reaching)
    assert grade_waits(waits, completing, reaching) == 100
    assert grade_waits(waits, completing, reaching | {too_little}) == 80
    assert grade_waits(waits, completing - {too_little}, reaching) == 80
    assert grade_waits(waits, set(), set()) == grade(len(completing))
    assert grade_waits(waits, completing - reaching, reaching) == 100


@examples(50)
@given(day=days)
def test_a_day_has_five_puzzles_of_every_kind(day: date) -> None:
    puzzles = daily(day)
    assert [puzzle.level for puzzle in puzzles] == list(LEVELS)
    assert {puzzle.kind for puzzle in puzzles} == set(Kind)
    assert all(puzzle.kind is not following.kind for puzzle, following in pairwise(puzzles))
    assert puzzles == daily(day)
    tomorrow = daily(day + timedelta(days=1))
    assert not {puzzle.seed for puzzle in puzzles} & {puzzle.seed for puzzle in tomorrow}


def test_a_result_is_three_lines() -> None:
    text = result_text(date(2026, 5, 2), [100, 100, 80, 60, 0], "https://hule.test/quiz/daily/2026-05-02/")
    assert text == ("Hule 2026-05-02 · 340/500\n●●◐○×\nhttps://hule.test/quiz/daily/2026-05-02/")


@given(sample=st.lists(st.integers(), unique=True), seed=st.text(max_size=9))
def test_mixing_loses_nothing(sample: list[int], seed: str) -> None:
    assert sorted(SeededRandom(seed).shuffled(sample)) == sorted(sample)
