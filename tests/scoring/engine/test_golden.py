"""The engine agrees with every hand whose answer is known."""

import pytest

from scoring.engine import score
from tests.scoring.golden import golden

FILES = ("consensus.txt", "contested.txt", "peers.txt")
SIZES = {"consensus.txt": 6400, "contested.txt": 611, "peers.txt": 352}


@pytest.mark.parametrize("name", FILES)
def test_every_hand_is_read(name: str) -> None:
    assert len(golden(name)) == SIZES[name]


@pytest.mark.parametrize("name", FILES)
def test_points_without_flowers(name: str) -> None:
    scored = [(known, score(known.hand)) for known in golden(name)]
    wrong = [
        (known.id, known.points, found.points_without_flowers)
        for known, found in scored
        if (found.points_without_flowers if found.win else None) != known.points
    ]
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_fans_are_one_of_the_equally_valued_choices(name: str) -> None:
    scored = [(known, dict(score(known.hand).counts)) for known in golden(name) if known.choices]
    assert [(known.id, found) for known, found in scored if found not in known.choices] == []


@pytest.mark.parametrize("name", FILES)
def test_fans_add_up_to_the_points_with_flowers(name: str) -> None:
    for known in golden(name):
        found = score(known.hand)
        assert sum(line.total for line in found.fans) == found.points, known.id
