"""The fans of the book: each is told, its examples count it, and what it bars is what the engine bars."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from scoring.book import decisions
from scoring.book.fans import FanEntry, barred_by, bars, entries, principles, worths
from scoring.engine import BOTZONE, FANS, GUIDE, MCR, MWT, RULEBOOKS, Exclusion, Fan, Rulebook, score
from scoring.engine.detectors.chows import chow_claims
from scoring.engine.detectors.pungs import number_pung_claims
from scoring.engine.fan_types import FanType, type_of
from scoring.engine.notation import to_text
from scoring.texts import clause_text
from tests.scoring.book.test_terms import SIMPLIFIED, TRADITIONAL
from tests.scoring.golden import lines

EXAMPLES = [(entry, example) for entry in entries().values() for example in entry.examples]
every_entry = pytest.mark.parametrize("entry", entries().values(), ids=lambda entry: entry.key)
every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.key)


def test_the_guide_counts_nine_types() -> None:
    """Guide, 003:424-434."""
    counts = [sum(type_of(fan) is kind for fan in FANS) for kind in FanType]
    assert counts == [10, 16, 19, 2, 7, 8, 2, 12, 5]
    assert [fan for fan in FANS if type_of(fan) is None] == [Fan.MELDED_KONG_AND_CONCEALED_KONG]


def test_every_fan_is_there() -> None:
    assert list(entries()) == list(FANS)


@every_entry
def test_a_fan_is_told_in_a_sentence_or_two(entry: FanEntry) -> None:
    assert entry.text.en.endswith(".")
    assert 1 <= entry.text.zh_hans.count("。") <= 2
    assert entry.text.zh_hans.count("。") == entry.text.zh_hant.count("。")
    assert not (TRADITIONAL - SIMPLIFIED) & set(entry.text.zh_hans)
    assert not (SIMPLIFIED - TRADITIONAL - set("番")) & set(entry.text.zh_hant)


@pytest.mark.parametrize(("entry", "example"), EXAMPLES, ids=[one.notation for _, one in EXAMPLES])
def test_an_example_counts_the_fan(entry: FanEntry, example: object) -> None:
    found = score(example.hand)  # type: ignore[attr-defined]
    assert found.meets_minimum
    assert entry.key in {line["key"] for line in found.to_json()["fans"]}  # type: ignore[attr-defined]


def test_the_rule_books_examples_are_its_own() -> None:
    """Those that Hule follows, each under the fan that it illustrates."""
    cited = {
        (f"MCR {fans.split()[0].partition('x')[0]}, example {number}", text)
        for number, text, fans, *instead in lines("book-examples.txt")
        if not instead and number != "1"
    }
    ours = {(one.source, one.notation) for _, one in EXAMPLES if one.source}
    assert ours <= cited
    assert {source for source, _ in cited} - {source for source, _ in ours} == set()


def test_a_source_is_said_and_a_ruling_is_known() -> None:
    assert [one.ruling for _, one in EXAMPLES if one.ruling and one.ruling not in decisions.passages()] == []
    assert all(entry.fan.clause == one.source.partition(",")[0] for entry, one in EXAMPLES if one.source)


@every_entry
def test_every_fan_has_examples(entry: FanEntry) -> None:
    notations = [one.notation for one in entry.examples]
    assert notations
    assert len(set(notations)) == len(notations)
    assert [to_text(one.hand) for one in entry.examples if not one.ruling] == [
        one.notation for one in entry.examples if not one.ruling
    ]


@every_rulebook
def test_what_bars_what_is_the_engines(rulebook: Rulebook) -> None:
    """Told twice, from either fan, and nothing else."""
    engine = {(bar.fan, bar.bars, bar.clause, bar.at_most) for bar in rulebook.exclusions}
    outwards = {
        (fan, bar.other, bar.clause, bar.at_most)
        for fan in FANS
        for bar in bars(fan)
        if rulebook in bar.rulebooks
    }
    inwards = {
        (bar.other, fan, bar.clause, bar.at_most)
        for fan in FANS
        for bar in barred_by(fan)
        if rulebook in bar.rulebooks
    }
    assert outwards == inwards == engine


def test_a_bar_is_known_by_its_clause() -> None:
    """A line a clause, the rulebooks that have it together."""
    told = {(bar.clause, bar.rulebooks) for bar in bars(Fan.SEVEN_PAIRS) if bar.other is Fan.ALL_TYPES}
    assert told == {("MCR 55", (MWT,)), ("Guide 31", (GUIDE,))}
    assert Exclusion(Fan.SEVEN_PAIRS, Fan.ALL_TYPES, "MCR 55") in MWT.exclusions


@every_entry
def test_points_are_the_engines(entry: FanEntry) -> None:
    assert [(worth.rulebook, worth.points) for worth in worths(entry.fan)] == [
        (book, book.points.get(entry.fan)) for book in RULEBOOKS
    ]


@every_entry
def test_every_clause_can_be_said(entry: FanEntry) -> None:
    said = {worth.rulebook: clause_text(worth.clause) for worth in worths(entry.fan)}
    assert all(said.values())
    if entry.fan.number <= 81:
        assert said[MCR] == said[MWT] == f"MCR {entry.fan.number}"
        assert said[BOTZONE] == f"Botzone, {entry.fan.en}"


def test_the_guide_numbers_some_fans_otherwise() -> None:
    """Its headings, 003:552-689; those it has twice or not at all are from its table."""
    said = {fan: worth.clause for fan in FANS for worth in worths(fan) if worth.rulebook is GUIDE}
    assert said[Fan.ALL_SIMPLES] == "Guide 24"
    assert said[Fan.TWO_CONCEALED_KONGS] == "Guide 42"
    assert said[Fan.REVERSIBLE_TILES] == "Guide 35"
    assert said[Fan.LAST_TILE_DRAW] == "Guide 39"
    assert said[Fan.ROBBING_THE_KONG] == "Guide 43"


def test_the_principles_of_choice_are_behind_what_one_chooses_among() -> None:
    """All that the engine hands to principles 3 to 5: fans of some chows or pungs of a hand."""
    chows = [9 * suit + low for suit in range(3) for low in range(7)]
    pungs = list(range(27))
    chosen = {
        claim.fan for some in combinations_with_replacement(chows, 4) for claim in chow_claims(some, pair=4)
    } | {claim.fan for some in combinations_with_replacement(pungs, 4) for claim in number_pung_claims(some)}
    assert {fan for fan in FANS if 5 in principles(fan)} == chosen


def test_the_first_principle_is_behind_what_is_implied() -> None:
    assert principles(Fan.ALL_SIMPLES)[0] == 1
    assert 1 not in principles(Fan.MIXED_STRAIGHT)
    assert principles(Fan.TWO_TERMINAL_CHOWS) == (2, 3, 4, 5)
