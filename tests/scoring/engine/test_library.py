"""The engine as a library: pure, documented by examples that run, bounded in memory."""

import ast
import doctest
import importlib
import pickle
import pkgutil
from collections import Counter
from copy import copy
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import scoring.engine
from scoring.engine import FANS, MCR, Fan, Hand, Meld, find_fan, parse, score
from scoring.engine.memo import Memo
from scoring.engine.reading import SPLITS
from scoring.engine.tallies import MOST_RULEBOOKS, tallies_of
from tests.scoring.random_hands import random_record

ROOT = Path(scoring.engine.__file__).parent
MODULES = [name for _, name, _ in pkgutil.walk_packages(scoring.engine.__path__, "scoring.engine.")]
ALLOWED = {
    *("collections", "dataclasses", "enum", "functools", "itertools"),
    *("math", "operator", "re", "typing", "unicodedata"),
}


def imported_by(path: Path) -> set[str]:
    """Every module that a file imports."""
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    return imported


def test_imports_nothing_but_itself_and_pure_parts_of_the_library() -> None:
    foreign = [
        (path.name, name)
        for path in ROOT.rglob("*.py")
        for name in imported_by(path)
        if name.partition(".")[0] not in ALLOWED and not name.startswith("scoring.engine")
    ]
    assert foreign == []


def test_the_examples_run() -> None:
    """Those of the docstrings and of the page."""
    modules = map(importlib.import_module, ["scoring.engine", *MODULES])
    assert [module.__name__ for module in modules if doctest.testmod(module).failed] == []
    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False).failed == 0


def test_the_fan_table_is_the_rule_books() -> None:
    assert [fan.number for fan in FANS] == list(range(1, 83))
    by_points = Counter(fan.points for fan in FANS[:81])
    assert by_points == {1: 13, 2: 10, 4: 4, 6: 7, 8: 9, 12: 5, 16: 6, 24: 9, 32: 3, 48: 2, 64: 6, 88: 7}
    assert find_fan("all_chows") is Fan.ALL_CHOWS is Fan(18)


def test_a_hand_can_be_copied_but_not_changed() -> None:
    text = "23m 456p (9999s) EEE 55p +1m self-drawn"
    hand = parse(text)
    with pytest.raises(AttributeError):
        hand.self_drawn = False  # type: ignore[misc]
    assert len({hand, parse(text)}) == 1
    for copied in (copy(hand), pickle.loads(pickle.dumps(hand))):
        assert (copied, score(copied)) == (hand, score(hand))
    assert Meld("chow", ("3m", "1m", "2m")) == Meld("chow", ("1m", "2m", "3m")), "in order"


def test_what_strangers_send_fills_no_more_than_so_much_memory() -> None:
    of_mcr = tallies_of(MCR)
    by_set = [of_mcr.chows, of_mcr.pungs, of_mcr.winds, of_mcr.dragons]
    random = Random(1)
    for _ in range(500):
        score(Hand.from_json(random_record(random)))
    for memo in (SPLITS, *by_set, of_mcr.whole, of_mcr.counted):
        assert isinstance(memo, Memo)
        assert len(memo) <= 1 << 16
    # A memo starts over when it is full.
    squares: Memo[int, int] = Memo(lambda number: number * number, most=10)
    assert [squares[number] for number in range(25)] == [number * number for number in range(25)]
    assert len(squares) <= 10


def test_rulebooks_made_on_the_way_are_not_kept_for_ever() -> None:
    hand = parse("23m 456p 789s EEE 55p +1m")
    points = {score(hand, replace(MCR, extra=extra)).points for extra in range(3 * MOST_RULEBOOKS)}
    assert points == {score(hand).points}
