"""The fans of the book: each is told, its examples count it, and what it bars is what the engine bars."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from scoring.book import decisions
from scoring.book.fans import FanEntry, barred_by, bars, entries, principles, worths
from scoring.engine import BOTZONE, FANS, GUIDE, MCR, MWT, RULEBOOKS, Exclusion, Fan, score
from scoring.engine.detectors import chow_claims, number_pung_claims
from scoring.engine.fans import FanType, type_of
from scoring.engine.notation import to_text
from scoring.texts import clause_text
from tests.scoring.book.test_terms import text_problems
from tests.scoring.golden import lines

EXAMPLES = [(entry, example) for entry in entries().values() for example in entry.examples]


def test_the_guide_counts_nine_types() -> None:
    """Guide, 003:424-434."""
    counts = [sum(type_of(fan) is kind for fan in FANS) for kind in FanType]
    assert counts == [10, 16, 19, 2, 7, 8, 2, 12, 5]
    assert [fan for fan in FANS if type_of(fan) is None] == [Fan.MELDED_KONG_AND_CONCEALED_KONG]


def entry_problems(entry: FanEntry) -> list[str]:
    notations = [example.notation for example in entry.examples]
    points = [(worth.rulebook, worth.points) for worth in worths(entry.fan)]
    clauses = {worth.rulebook: clause_text(worth.clause) for worth in worths(entry.fan)}
    of_mcr = (f"MCR {entry.fan.number}",) * 2 + (f"Botzone, {entry.fan.en}",)
    checks = {
        "no examples": notations,
        "an example twice": len(set(notations)) == len(notations),
        "an example in another notation": all(
            to_text(example.hand) == example.notation for example in entry.examples if not example.ruling
        ),
        "not the engine's points": points == [(book, book.points.get(entry.fan)) for book in RULEBOOKS],
        "a clause without words": all(clauses.values()),
        "not the rule book's clauses": entry.fan.number > 81
        or (clauses[MCR], clauses[MWT], clauses[BOTZONE]) == of_mcr,
    }
    return text_problems(entry.text) + [problem for problem, is_right in checks.items() if not is_right]


def test_every_fan_is_told_with_examples_points_and_clauses() -> None:
    assert list(entries()) == list(FANS)
    assert {entry.key: problems for entry in entries().values() if (problems := entry_problems(entry))} == {}


def test_every_example_counts_its_fan() -> None:
    wrong = []
    for entry, example in EXAMPLES:
        found = score(example.hand)
        if not found.meets_minimum or entry.fan not in {line.fan for line in found.fans}:
            wrong.append((entry.key, example.notation))
    assert wrong == []


def test_the_rule_books_examples_are_its_own() -> None:
    """Those that Hule follows, each under the fan that it illustrates."""
    cited = {
        (f"MCR {fans.split()[0].partition('x')[0]}, example {number}", text)
        for number, text, fans, *instead in lines("book-examples.txt")
        if not instead and number != "1"
    }
    ours = {(example.source, example.notation) for _, example in EXAMPLES if example.source}
    assert ours <= cited
    assert {source for source, _ in cited} - {source for source, _ in ours} == set()


def test_every_source_and_ruling_is_known() -> None:
    rulings = {example.ruling for _, example in EXAMPLES if example.ruling}
    assert rulings - decisions.passages().keys() == set()
    sources = [(entry.fan.clause, example.source) for entry, example in EXAMPLES if example.source]
    assert [source for clause, source in sources if source.partition(",")[0] != clause] == []


def test_what_bars_what_is_the_engines() -> None:
    """Told twice, from either fan, and nothing else."""
    outwards = [(fan, bar.other, bar) for fan in FANS for bar in bars(fan)]
    inwards = [(bar.other, fan, bar) for fan in FANS for bar in barred_by(fan)]
    for book in RULEBOOKS:
        engine = {(bar.fan, bar.bars, bar.clause, bar.at_most) for bar in book.exclusions}
        for told in (outwards, inwards):
            of_book = {(*fans, bar.clause, bar.at_most) for *fans, bar in told if book in bar.rulebooks}
            assert of_book == engine, book.key
    # A line a clause, the rulebooks that have it together.
    clauses = {(bar.clause, bar.rulebooks) for bar in bars(Fan.SEVEN_PAIRS) if bar.other is Fan.ALL_TYPES}
    assert clauses == {("MCR 55", (MWT,)), ("Guide 31", (GUIDE,))}
    assert Exclusion(Fan.SEVEN_PAIRS, Fan.ALL_TYPES, "MCR 55") in MWT.exclusions


def test_the_guide_numbers_some_fans_otherwise() -> None:
    """Its headings, 003:552-689; those it has twice or not at all are from its table."""
    numbers = {
        Fan.ALL_SIMPLES: 24,
        Fan.TWO_CONCEALED_KONGS: 42,
        Fan.REVERSIBLE_TILES: 35,
        Fan.LAST_TILE_DRAW: 39,
        Fan.ROBBING_THE_KONG: 43,
    }
    clauses = {fan: worth.clause for fan in numbers for worth in worths(fan) if worth.rulebook is GUIDE}
    assert clauses == {fan: f"Guide {number}" for fan, number in numbers.items()}


@pytest.mark.thorough
def test_the_principles_of_choice_are_behind_what_one_chooses_among() -> None:
    """All that the engine hands to principles 3 to 5: fans of some chows or pungs of a hand."""
    chows = [9 * suit + low for suit in range(3) for low in range(7)]
    fours = combinations_with_replacement(chows, 4)
    chosen = {claim.fan for four in fours for claim in chow_claims(four, pair=4)}
    fours = combinations_with_replacement(range(27), 4)
    chosen |= {claim.fan for four in fours for claim in number_pung_claims(four)}
    assert {fan for fan in FANS if 5 in principles(fan)} == chosen
    # The first is behind what is implied.
    assert principles(Fan.ALL_SIMPLES)[0] == 1
    assert 1 not in principles(Fan.MIXED_STRAIGHT)
    assert principles(Fan.TWO_TERMINAL_CHOWS) == (2, 3, 4, 5)
