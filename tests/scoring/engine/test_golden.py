"""The engine agrees with every hand whose answer is known."""

import pytest

from scoring.engine.score import score
from tests.scoring.golden import golden


@pytest.mark.parametrize(
    ("name", "size"), [("consensus.txt", 6400), ("contested.txt", 611), ("peers.txt", 352)]
)
def test_every_known_hand_is_scored_as_known(name: str, size: int) -> None:
    """Its points without flowers, one of the equally valued choices of fans, and a sum that is right."""
    assert len(golden(name)) == size
    points, fans, sums = [], [], []
    for known in golden(name):
        found = score(known.hand)
        if (found.points_without_flowers if found.win else None) != known.points:
            points.append((known.id, known.points, found.points_without_flowers))
        if known.choices and dict(found.counts) not in known.choices:
            fans.append((known.id, found.counts))
        if sum(line.total for line in found.fans) != found.points:
            sums.append((known.id, found.points))
    assert (points, fans, sums) == ([], [], [])
