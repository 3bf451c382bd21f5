"""The fast scorer finds the highest legal total: it agrees with the slow, literal one."""

import pytest
from hypothesis import given

from scoring.engine import RULEBOOKS, Hand, Rulebook, score
from tests.scoring.golden import golden
from tests.scoring.reference import reference_score
from tests.scoring.strategies import hands
from tests.support.sampling import examples

every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.key)


@every_rulebook
@examples(200)
@given(hand=hands())
def test_random_hands(hand: Hand, rulebook: Rulebook) -> None:
    assert score(hand, rulebook).points_without_flowers == reference_score(hand, rulebook)


@every_rulebook
def test_hands_of_every_kind(rulebook: Rulebook) -> None:
    sample = [*golden("consensus.txt")[::40], *golden("contested.txt")[::15]]
    found = {known.id: score(known.hand, rulebook).points_without_flowers or None for known in sample}
    assert found == {known.id: reference_score(known.hand, rulebook) for known in sample}
