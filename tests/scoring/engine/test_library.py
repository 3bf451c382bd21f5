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
from scoring.engine import (
    BOTZONE,
    FANS,
    GUIDE,
    MCR,
    MWT,
    RULEBOOKS,
    Exclusion,
    Fan,
    Hand,
    Meld,
    find_fan,
    parse,
    score,
)
from scoring.engine.compiled import MAX_RULEBOOKS, compile_rulebook
from scoring.engine.exclusions import NON_REPEAT
from scoring.engine.fans import SYLLABLES, pinyin, spellings
from scoring.engine.memo import Memo
from scoring.engine.reading import SPLITS
from scoring.engine.score import tally_of
from tests.scoring.golden import counts, lines
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
    compiled = compile_rulebook(MCR)
    by_set = [compiled.chows, compiled.pungs, compiled.winds, compiled.dragons]
    random = Random(1)
    for _ in range(500):
        score(Hand.from_json(random_record(random)))
    for memo in (SPLITS, *by_set, compiled.by_traits, compiled.scored):
        assert isinstance(memo, Memo)
        assert len(memo) <= 1 << 16
    # A memo starts over when it is full.
    squares: Memo[int, int] = Memo(lambda number: number * number, maximum=10)
    assert [squares[number] for number in range(25)] == [number * number for number in range(25)]
    assert len(squares) <= 10


def test_rulebooks_made_on_the_way_are_not_kept_for_ever() -> None:
    hand = parse("23m 456p 789s EEE 55p +1m")
    points = {score(hand, replace(MCR, extra=extra)).points for extra in range(3 * MAX_RULEBOOKS)}
    assert points == {score(hand).points}


def test_every_fan_has_a_syllable_a_character() -> None:
    names = {fan.zh_hans: pinyin(fan) for fan in FANS}
    assert [name for name, syllables in names.items() if len(name) != len(syllables)] == []
    assert [name for name, syllables in names.items() if not all(map(str.isalpha, syllables))] == []
    assert len(set(names.values())) == len(names), "no two fans have the same pinyin"
    assert set(SYLLABLES) == set("".join(fan.zh_hans for fan in FANS))


def test_a_name_is_typed_with_and_without_tones_and_spaces_and_by_initials() -> None:
    assert spellings(pinyin(Fan.HALF_FLUSH)) == ("hùn yī sè", "hùnyīsè", "hun yi se", "hunyise", "hys")
    assert "pinghu" in spellings(pinyin(Fan.ALL_CHOWS)), "as it is read at the table"
    assert {"lüyise", "luyise", "lvyise", "lǜyīsè"} < set(spellings(pinyin(Fan.ALL_GREEN)))


BOOKS = {"MCR": MWT, "Botzone": BOTZONE, "Guide": GUIDE}
"""The rulebook that is the text word for word."""
STATED = [
    (clause, find_fan(fan), find_fan(barred), meet == "both", hand)
    for clause, _, fan, barred, meet, hand in lines("clauses.txt")
]
READ_OTHERWISE = {
    (Fan.SEVEN_PAIRS, Fan.ALL_TYPES),
    (Fan.NINE_GATES, Fan.PUNG_OF_TERMINALS_OR_HONORS),
}
"""Where `mcr` follows the public scorers and not the words of the book; docs/rules/decisions.md says why."""


def text_of(clause: str) -> str:
    return clause.replace(",", " ").split()[0]


def bar_problems(clause: str, fan: Fan, barred: Fan, meet: bool, text: str) -> list[str]:
    """What is wrong with a bar that a text states, in the hand that shows it."""
    book = BOOKS[text_of(clause)]
    result = score(parse(text), book)
    assert result.arrangement is not None, text
    compiled = compile_rulebook(book)
    claimed = tally_of(result.hand, result.arrangement, compiled) & 7 * compiled.weight[barred]
    by_mcr = text_of(clause) == "MCR" and (fan, barred) not in READ_OTHERWISE
    checks = {
        "no such bar": Exclusion(fan, barred, clause) in book.exclusions,
        "no such bar in the default": not by_mcr or Exclusion(fan, barred, clause) in MCR.exclusions,
        "the fan does not count": fan in dict(result.counts),
        "the barred fan counts": barred not in dict(result.counts),
        "the two meet otherwise": bool(claimed) == meet,
    }
    return [problem for problem, is_right in checks.items() if not is_right]


def test_what_a_text_bars_is_barred_by_its_clause() -> None:
    """In the rulebook of the text; in the default one, but where it says so."""
    wrong = {(stated[0], stated[1], stated[2]): bar_problems(*stated) for stated in STATED}
    assert {bar: problems for bar, problems in wrong.items() if problems} == {}


def test_no_bar_cites_what_the_text_does_not_say() -> None:
    for text, book in BOOKS.items():
        bars = [bar for bar in book.exclusions if not bar.implied and text_of(bar.clause) == text]
        stated = {line[:3] for line in STATED if text_of(line[0]) == text}
        assert {(bar.clause, bar.fan, bar.bars) for bar in bars} == stated
    # Beside Botzone only the fan that is Botzone's bars by its notes.
    by_a_note = {
        (rulebook.key, bar.fan)
        for rulebook in (MCR, MWT, GUIDE)
        for bar in rulebook.exclusions
        if text_of(bar.clause) == "Botzone"
    }
    assert by_a_note == {("mcr", Fan.MELDED_KONG_AND_CONCEALED_KONG)}


def test_to_the_letter_everything_is_by_the_books_own_text() -> None:
    assert {text_of(bar.clause) for bar in MWT.exclusions} == {"MCR"}
    assert not [clause for clause in MWT.clauses.values() if "Botzone" in clause or "Guide" in clause]
    assert NON_REPEAT in {bar.clause for bar in MWT.exclusions}
    # A bar names only fans of its rulebook.
    for book in RULEBOOKS:
        named = {fan for bar in book.exclusions for fan in (bar.fan, bar.bars)}
        assert named - book.points.keys() == set(), book.key


def test_no_known_hand_counts_what_the_book_bars() -> None:
    """By their answers, which the engine agrees with (test_properties.py)."""
    counted = [counts(choice).keys() for _, _, _, *choices in lines("consensus.txt") for choice in choices]
    bars = {(fan, barred) for clause, fan, barred, *_ in STATED if text_of(clause) == "MCR"}
    assert {bar for bar in bars if any(set(bar) <= fans for fans in counted)} == READ_OTHERWISE


F = Fan
LEFT_ASIDE = {
    *(F.EDGE_WAIT, F.CLOSED_WAIT, F.SINGLE_WAIT),
    *(F.CONCEALED_HAND, F.FULLY_CONCEALED_HAND, F.MELDED_HAND, F.TWO_CONCEALED_PUNGS),
    *(F.SELF_DRAWN, F.LAST_TILE_DRAW, F.LAST_TILE_CLAIM),
}
"""Waits, concealment and circumstances."""
NOT_FOLLOWED = {"1", "46", "49"}


def test_every_example_of_the_book() -> None:
    """The three that are not followed say why, and what counts instead."""
    examples = list(lines("book-examples.txt"))
    assert {line[0] for line in examples if len(line) == 5} == NOT_FOLLOWED
    wrong = {}
    for example, text, combined, *instead in examples:
        expected = counts(instead[0] if example in NOT_FOLLOWED else combined)
        counted = {fan: times for fan, times in score(parse(text)).counts if fan not in LEFT_ASIDE}
        if counted != expected:
            wrong[example, text] = counted
    assert wrong == {}


def test_flowers_do_not_help_a_chicken_hand_nor_take_it_away() -> None:
    """MCR 39 and its example 13: flowers come on top of the 8 points. MCR 19: a kong is no Tile Hog."""
    assert F.TILE_HOG not in dict(score(parse("23m 456p 789s EE [5555s] +1m")).counts)
    result = score(parse("12m 678p EE [345s] [777s] +3m flowers=3 seat=S round=S"))
    assert dict(result.counts) == {F.EDGE_WAIT: 1}
    chicken = score(parse("23m 678p EE [345s] [777s] +4m flowers=3 seat=S round=S"))
    assert dict(chicken.counts) == {F.CHICKEN_HAND: 1}
    assert (chicken.points, chicken.points_without_flowers, chicken.meets_minimum) == (11, 8, True)


def test_botzone_notes() -> None:
    wrong = {}
    for text, counted, left_out, _note in lines("botzone-notes.txt"):
        counts_found = dict(score(parse(text)).counts)
        if (
            not counts(counted).items() <= counts_found.items()
            or counts(left_out).keys() & counts_found.keys()
        ):
            wrong[text] = counts_found
    assert wrong == {}
