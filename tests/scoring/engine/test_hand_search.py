"""A hand for some fans: whatever is counted is found, and whatever is found counts so."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine import MCR, RULEBOOKS, Fan, Hand, Rulebook, find_exactly, find_within, score
from scoring.engine.tiles import TILES
from tests.scoring.random_hands import random_record
from tests.scoring.strategies import hands
from tests.support.sampling import EXHAUSTIVE, SEED, examples

many = examples(100)
FEW_FANS = [fan for fan in Fan if fan not in (Fan.FLOWER_TILES, Fan.CHICKEN_HAND)]
rulebooks = st.sampled_from(RULEBOOKS)


def check_found(hand: Hand, rulebook: Rulebook) -> None:
    """What this hand counts is found, and the hand found counts the same."""
    fans = dict(score(hand, rulebook).counts)
    example = find_exactly(fans, rulebook, self_drawn=hand.self_drawn)
    assert example is not None, fans
    assert (dict(score(example, rulebook).counts), example.self_drawn) == (fans, hand.self_drawn)


@many
@given(hand=hands(), rulebook=rulebooks)
def test_what_a_hand_counts_some_hand_counts(hand: Hand, rulebook: Rulebook) -> None:
    check_found(hand, rulebook)


@many
@given(data=st.data(), rulebook=rulebooks)
def test_what_seven_pairs_of_few_kinds_count_some_hand_counts(
    data: st.DataObject, rulebook: Rulebook
) -> None:
    """Where pairs lie close, sets are read in most of them."""
    low = data.draw(st.integers(0, 5))
    suits = data.draw(st.sampled_from([(0,), (0, 1), (2,), (1, 2)]))
    kinds = [9 * suit + low + step for suit in suits for step in range(4)] + [31]
    pairs = data.draw(st.lists(st.sampled_from(kinds * 2), min_size=7, max_size=7))
    if all(pairs.count(kind) <= 2 for kind in pairs):
        tiles = tuple(TILES[kind] for kind in pairs for _ in range(2))
        self_drawn = data.draw(st.booleans())
        check_found(Hand(tiles, (), data.draw(st.sampled_from(tiles)), self_drawn, "E", "E"), rulebook)


@many
@given(
    fans=st.dictionaries(st.sampled_from(FEW_FANS), st.integers(1, 2), min_size=1, max_size=4),
    self_drawn=st.booleans(),
    rulebook=rulebooks,
)
def test_what_is_found_counts_exactly_what_was_wanted(
    fans: dict[Fan, int], self_drawn: bool, rulebook: Rulebook
) -> None:
    example = find_exactly(fans, rulebook, self_drawn=self_drawn)
    assert example is None or (dict(score(example, rulebook).counts), example.self_drawn) == (
        fans,
        self_drawn,
    )
    within = find_within(fans, rulebook, self_drawn=self_drawn)
    counts = dict(score(within, rulebook).counts) if within else {}
    assert within is None or all(counts.get(fan, 0) >= times for fan, times in fans.items())
    assert within is not None or example is None


@pytest.mark.thorough
@many
@given(hand=hands(), data=st.data())
def test_fans_that_a_hand_counts_stand_together(hand: Hand, data: st.DataObject) -> None:
    counts = dict(score(hand).counts)
    chosen = data.draw(st.sets(st.sampled_from(list(counts)), min_size=1))
    fans = {fan: counts[fan] for fan in chosen}
    assert find_within(fans, MCR, self_drawn=hand.self_drawn) is not None


def test_flowers_go_with_every_hand_and_nothing_with_a_chicken_hand() -> None:
    fans = {Fan.MIXED_STRAIGHT: 1}
    with_flowers = find_exactly(fans | {Fan.FLOWER_TILES: 8}, MCR, self_drawn=False)
    assert with_flowers == find_exactly(fans, MCR, self_drawn=False)
    assert find_exactly({Fan.CHICKEN_HAND: 1}, MCR, self_drawn=False) is not None
    assert find_within({Fan.CHICKEN_HAND: 1, Fan.ALL_TYPES: 1}, MCR, self_drawn=False) is None


@pytest.mark.thorough
@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.key)
def test_what_many_hands_count_some_hand_counts(rulebook: Rulebook) -> None:
    """Other hands each run."""
    random, checked = Random(SEED), set()
    for _ in range(40_000 if EXHAUSTIVE else 3_000):
        hand = Hand.from_json(random_record(random))
        counted = (score(hand, rulebook).counts, hand.self_drawn)
        if counted not in checked:
            checked.add(counted)
            check_found(hand, rulebook)
