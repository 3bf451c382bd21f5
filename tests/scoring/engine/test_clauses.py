"""Every bar is written in the text that is cited for it, and every bar that a text writes is there."""

from scoring.engine import BOTZONE, GUIDE, MCR, MWT, RULEBOOKS, Exclusion, Fan, find_fan, parse, score
from scoring.engine.exclusions import NON_REPEAT
from scoring.engine.score import tally_of
from scoring.engine.tallies import tallies_of
from tests.scoring.golden import counts, lines

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
    found = score(parse(text), book)
    assert found.arrangement is not None, text
    tallies = tallies_of(book)
    claimed = tally_of(found.hand, found.arrangement, tallies) & 7 * tallies.one[barred]
    by_mcr = text_of(clause) == "MCR" and (fan, barred) not in READ_OTHERWISE
    checks = {
        "no such bar": Exclusion(fan, barred, clause) in book.exclusions,
        "no such bar in the default": not by_mcr or Exclusion(fan, barred, clause) in MCR.exclusions,
        "the fan does not count": fan in dict(found.counts),
        "the barred fan counts": barred not in dict(found.counts),
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
