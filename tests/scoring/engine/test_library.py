"""The engine as a library: pure, documented by examples that run, bounded in memory."""

import ast
import doctest
import importlib
import pickle
import pkgutil
from copy import copy
from pathlib import Path
from random import Random

import pytest

import scoring.engine
from scoring.engine import FANS, MCR, Fan, Hand, Meld, find_fan, parse, score
from scoring.engine.arrangements import SPLITS
from scoring.engine.memo import Memo
from scoring.engine.tallies import MOST_RULEBOOKS, tallies_of
from tests.scoring.random_hands import random_record

ROOT = Path(scoring.engine.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
NAMES = [name for _, name, _ in pkgutil.walk_packages(scoring.engine.__path__, "scoring.engine.")]
ALLOWED = {
    "scoring",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "math",
    "operator",
    "re",
    "typing",
    "unicodedata",
}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_imports_nothing_but_itself_and_pure_parts_of_the_library(path: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    assert {name.partition(".")[0] for name in imported} <= ALLOWED
    assert all(name.startswith("scoring.engine") for name in imported if name.startswith("scoring"))


@pytest.mark.parametrize("name", ["scoring.engine", *NAMES])
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_in_the_readme() -> None:
    readme = ROOT / "README.md"
    assert doctest.testfile(str(readme), module_relative=False).failed == 0


def test_the_fan_table_is_the_rule_books() -> None:
    assert [fan.number for fan in FANS] == list(range(1, 83))
    by_points: dict[int, int] = {}
    for fan in FANS[:81]:
        by_points[fan.points] = by_points.get(fan.points, 0) + 1
    assert by_points == {1: 13, 2: 10, 4: 4, 6: 7, 8: 9, 12: 5, 16: 6, 24: 9, 32: 3, 48: 2, 64: 6, 88: 7}
    assert find_fan("all_chows") is Fan.ALL_CHOWS is Fan(18)


def test_a_hand_cannot_be_changed() -> None:
    hand = parse("23m 456p 789s EEE 55p +1m")
    with pytest.raises(AttributeError):
        hand.self_drawn = True  # type: ignore[misc]
    assert len({hand, parse("23m 456p 789s EEE 55p +1m")}) == 1


def test_a_hand_can_be_copied() -> None:
    hand = parse("23m 456p (9999s) EEE 55p +1m self-drawn")
    for copied in (copy(hand), pickle.loads(pickle.dumps(hand))):
        assert (copied, score(copied)) == (hand, score(hand))


def test_a_meld_puts_its_tiles_in_order() -> None:
    assert Meld("chow", ("3m", "1m", "2m")) == Meld("chow", ("1m", "2m", "3m"))


def test_what_strangers_send_fills_no_more_than_so_much_memory() -> None:
    tallies = tallies_of(MCR)
    memos = [
        SPLITS,
        tallies.chows,
        tallies.pungs,
        tallies.winds,
        tallies.dragons,
        tallies.whole,
        tallies.counted,
    ]
    random = Random(1)
    for _ in range(500):
        score(Hand.from_json(random_record(random)))
    assert all(isinstance(memo, Memo) and len(memo) <= 1 << 16 for memo in memos)


def test_a_memo_starts_over_when_it_is_full() -> None:
    squares: Memo[int, int] = Memo(lambda number: number * number, most=10)
    assert [squares[number] for number in range(25)] == [number * number for number in range(25)]
    assert len(squares) <= 10


def test_rulebooks_made_on_the_way_are_not_kept_for_ever() -> None:
    from dataclasses import replace

    hand = parse("23m 456p 789s EEE 55p +1m")
    points = {score(hand, replace(MCR, extra=extra)).points for extra in range(3 * MOST_RULEBOOKS)}
    assert points == {score(hand).points}
