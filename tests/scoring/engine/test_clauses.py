"""Every bar is written in the text that is cited for it, and every bar that a text writes is there."""

import pytest

from scoring.engine import BOTZONE, GUIDE, MCR, MWT, Exclusion, Fan, Rulebook, find_fan, parse, score
from scoring.engine.exclusions import NON_REPEAT
from scoring.engine.score import tally_of
from scoring.engine.tallies import tallies_of
from tests.scoring.golden import golden, lines

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


@pytest.mark.parametrize(("clause", "fan", "barred", "meet", "hand"), STATED)
def test_what_a_text_bars_is_barred_by_its_clause(
    clause: str, fan: Fan, barred: Fan, meet: bool, hand: str
) -> None:
    book = BOOKS[text_of(clause)]
    assert Exclusion(fan, barred, clause) in book.exclusions
    found = score(parse(hand), book)
    assert found.arrangement is not None
    assert fan in dict(found.counts)
    assert barred not in dict(found.counts)
    tallies = tallies_of(book)
    claimed = tally_of(found.hand, found.arrangement, tallies) & 7 * tallies.one[barred]
    assert bool(claimed) == meet


@pytest.mark.parametrize(("clause", "fan", "barred", "meet", "hand"), STATED)
def test_the_default_follows_the_book_but_where_it_says_so(
    clause: str, fan: Fan, barred: Fan, meet: bool, hand: str
) -> None:
    if text_of(clause) == "MCR" and (fan, barred) not in READ_OTHERWISE:
        assert Exclusion(fan, barred, clause) in MCR.exclusions


@pytest.mark.parametrize("text", BOOKS)
def test_no_bar_cites_what_the_text_does_not_say(text: str) -> None:
    cited = {
        (one.clause, one.fan, one.bars)
        for one in BOOKS[text].exclusions
        if not one.implied and text_of(one.clause) == text
    }
    assert cited == {line[:3] for line in STATED if text_of(line[0]) == text}


def test_beside_botzone_only_the_fan_that_is_botzones_bars_by_its_notes() -> None:
    by_a_note = {
        (rulebook.key, one.fan)
        for rulebook in (MCR, MWT, GUIDE)
        for one in rulebook.exclusions
        if text_of(one.clause) == "Botzone"
    }
    assert by_a_note == {("mcr", Fan.MELDED_KONG_AND_CONCEALED_KONG)}


def test_to_the_letter_everything_is_by_the_books_own_text() -> None:
    assert {text_of(one.clause) for one in MWT.exclusions} == {"MCR"}
    assert not [clause for clause in MWT.clauses.values() if "Botzone" in clause or "Guide" in clause]
    assert NON_REPEAT in {one.clause for one in MWT.exclusions}


@pytest.mark.parametrize("rulebook", [MCR, MWT, BOTZONE, GUIDE], ids=lambda rulebook: rulebook.key)
def test_a_bar_names_only_fans_of_its_rulebook(rulebook: Rulebook) -> None:
    assert {fan for one in rulebook.exclusions for fan in (one.fan, one.bars)} <= rulebook.points.keys()


def test_no_known_hand_counts_what_the_book_bars() -> None:
    counted = [dict(score(known.hand).counts).keys() for known in golden("consensus.txt")]
    both = {
        (fan, barred)
        for clause, fan, barred, *_ in STATED
        if text_of(clause) == "MCR" and any({fan, barred} <= fans for fans in counted)
    }
    assert both == READ_OTHERWISE
