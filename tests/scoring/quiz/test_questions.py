"""What the quiz says is right is right: held against the slow scorer that follows the rule book word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine import MCR, TILES, Fan, Hand
from scoring.quiz.questions import BY_HEART, PRINCIPLES, HandQuestion, Kind, Level, WaitsQuestion, question
from tests.scoring.reference import reference_score, wins
from tests.support.sampling import examples, sample

SEEDS = range(1112)
"""Of each of the nine kinds and levels: 10,008 hands."""
every_kind = pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
seeds = st.integers(0, 2**31).map(str)


def worth_by_the_book(hand: Hand) -> int:
    """Points, with flowers once they stand."""
    points = reference_score(hand, MCR) or 0
    return points + hand.flowers if points >= MCR.minimum else points


def agrees(asked: HandQuestion | WaitsQuestion) -> bool:
    if isinstance(asked, HandQuestion):
        fans = asked.fans | ({Fan.FLOWER_TILES} if asked.hand.flowers else set())
        counted = {line.fan for line in asked.found.score.fans}
        return asked.worth == worth_by_the_book(asked.hand) and counted == fans
    return (asked.completing, asked.reaching) == waits_by_the_book(asked)


def waits_by_the_book(asked: WaitsQuestion) -> tuple[set[str], set[str]]:
    """Every kind of tile tried: those that complete the hand, and those worth the minimum."""
    completing, reaching = set(), set()
    concealed, melds = asked.record["concealed"], asked.record["melds"]
    held = concealed + [tile for meld in melds for tile in meld["tiles"]]
    for tile in TILES:
        if held.count(tile) < 4 and wins((*concealed, tile)):
            completing.add(tile)
            last = {"winning_tile": tile, "self_drawn": asked.self_drawn}
            hand = Hand.from_json({**asked.record, "concealed": [*concealed, tile]} | last)
            if worth_by_the_book(hand) >= MCR.minimum:
                reaching.add(tile)
    return completing, reaching


@every_kind
@pytest.mark.parametrize("seeds_of_each", [4, pytest.param(150, marks=pytest.mark.thorough)])
def test_answers_are_right(kind: Kind, seeds_of_each: int) -> None:
    asked = ((level, str(seed)) for level in Level for seed in sample(SEEDS, seeds_of_each, key=level.value))
    assert [(level, seed) for level, seed in asked if not agrees(question(kind, level, seed))] == []


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
    hands = [asked for level in Level if isinstance(asked := question(kind, level, seed), HandQuestion)]
    easy, middle, hard = hands
    reasons = [{rejection.reason for rejection in hand.found.rejections} for hand in hands]
    assert len(easy.found.score.fans) <= 4
    assert not easy.found.others
    assert not reasons[0] & (BY_HEART | PRINCIPLES)
    assert reasons[1] & BY_HEART
    assert not reasons[1] & PRINCIPLES
    assert hard.found.others or reasons[2] & PRINCIPLES
    assert min(easy.worth, middle.worth) >= MCR.minimum


@pytest.mark.thorough
@examples(30)
@given(seed=seeds)
def test_levels_of_waits_mean_something(seed: str) -> None:
    asked = [question(Kind.WAITS, level, seed) for level in Level]
    easy, middle, hard = [waits for waits in asked if isinstance(waits, WaitsQuestion)]
    assert 1 <= len(easy.completing) <= 2
    assert 2 <= len(middle.completing) <= 3
    assert len(hard.completing) >= 3
    assert set() < middle.reaching < middle.completing
    assert set() < hard.reaching < hard.completing


def test_a_puzzle_stays_what_it_is() -> None:
    """An address that somebody has passed on shows the same hand tomorrow; other seeds are other puzzles."""
    others = [question(Kind.WORTH, Level.MIDDLE, str(seed)) for seed in range(10)]
    assert len({other.hand for other in others if isinstance(other, HandQuestion)}) == 10
    asked = question(Kind.WORTH, Level.EASY, "1")
    assert isinstance(asked, HandQuestion)
    assert (asked.found.score.worth()["notation"], asked.worth) == ("23456677889mFF +1m seat=W round=N", 24)
