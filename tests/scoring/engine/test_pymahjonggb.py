"""PyMahjongGB agrees under Botzone's rulebook, but for the differences written in docs/rules/pymahjonggb.md.

Each accepted difference is one change of the rulebook, so that both scorers are asked the same; a difference of another
origin, or one that is no longer there, fails.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from scoring.engine import BOTZONE, TILES, Hand, Rulebook, find_problems, parse, score
from tests.scoring.golden import lines
from tests.scoring.pymahjonggb import NAMES, Record, scorer
from tests.scoring.random_hands import random_record
from tests.support.sampling import EXHAUSTIVE, SEED

HANDS = 6_000 if EXHAUSTIVE else 1_500
PAGE = Path(__file__).parents[3] / "docs" / "rules" / "pymahjonggb.md"

RULES: dict[str, Callable[[Rulebook], Rulebook]] = {
    "held_out_waits": lambda rulebook: replace(rulebook, held_out_waits=True),
}
"""Differences that are a rule, as the change that turns Botzone's text into what the program does."""
ALIGNED = RULES["held_out_waits"](BOTZONE)


def accepted(record: Record) -> Iterator[str]:
    """The differences that change the points of a hand."""
    hand = Hand.from_json(record)
    points = score(hand, BOTZONE).points
    for key, change in RULES.items():
        if score(hand, change(BOTZONE)).points != points:
            yield key


def random_records() -> list[Record]:
    random = Random(SEED)
    return [random_record(random) for _ in range(HANDS)]


def altered(record: Record, random: Random) -> Record:
    """The hand with another tile in place of the winning one: mostly it wins no more."""
    while True:
        tile = random.choice(TILES)
        concealed = list(record["concealed"])
        concealed[concealed.index(record["winning_tile"])] = tile
        plain = {"last_of_kind": False, "robbing_kong": False}
        changed = record | {"concealed": concealed, "winning_tile": tile} | plain
        if not find_problems(changed):
            return changed


def wins_there(record: Record) -> bool:
    try:
        scorer()(record)
    except TypeError as error:
        if str(error) != "ERROR_NOT_WIN":
            raise
        return False
    return True


@pytest.mark.thorough
@pytest.mark.pymahjonggb
def test_points_agree_once_the_accepted_differences_are_set_aside() -> None:
    """Fans agree too, but where others are worth the same."""
    their_score = scorer()
    wrong, other_fans, accepted_differences = [], 0, Counter[str]()
    for record in random_records():
        result = score(Hand.from_json(record), ALIGNED)
        fans, points = their_score(record)
        if result.points != points:
            wrong.append((record, result.points, points))
        accepted_differences.update(accepted(record))
        other_fans += {NAMES.get(line.fan.en, line.fan.en): line.count for line in result.fans} != fans
    assert wrong == []
    assert other_fans < HANDS / 150
    assert accepted_differences.total() < HANDS / 50


@pytest.mark.thorough
@pytest.mark.pymahjonggb
def test_both_say_which_hands_win() -> None:
    random = Random(SEED)
    records = [altered(record, random) for record in random_records()]
    won = [score(Hand.from_json(record), BOTZONE).win for record in records]
    assert won == [wins_there(record) for record in records]
    assert 0 < sum(won) < HANDS


@pytest.mark.pymahjonggb
def test_every_hand_that_shows_a_difference() -> None:
    for key, _, text, our_points, their_points in lines("pymahjonggb.txt"):
        record = parse(text).to_json()
        assert (score(parse(text), BOTZONE).points, scorer()(record)[1]) == (
            int(our_points),
            int(their_points),
        ), key
        assert list(accepted(record)) == [key]


def test_every_accepted_difference_is_written_down() -> None:
    rows = [(key, clause) for key, clause, *_ in lines("pymahjonggb.txt")]
    assert {key for key, _ in rows} == set(RULES)
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line.split("`")[1] for line in page if line.startswith("| `")] == [key for key, _ in rows]
    assert {clause for _, clause in rows} <= {"-", *BOTZONE.clauses}
