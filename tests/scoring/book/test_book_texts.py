"""Every text of the rules, the decisions and the history: in three languages, with a source, leading somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from scoring.book import decisions, history, rules, sources
from scoring.book.passages import Passage, blocks, pieces, plain
from scoring.book.sources import Cite
from scoring.book.terms import glossary
from scoring.engine import FANS, MCR, RULEBOOKS
from scoring.engine.names import Names
from tests.house.test_catalogues import LATIN_SIGN, SIMPLIFIED_ONLY, TRADITIONAL_ONLY

SECTIONS = [section for chapter in rules.chapters() for section in chapter.sections]


def passages() -> Iterator[tuple[str, Passage]]:
    yield from ((f"rules {section.key}", section.passage) for section in SECTIONS)
    yield from ((f"decision {key}", passage) for key, passage in decisions.passages().items())


def cited() -> Iterator[tuple[str, tuple[Cite, ...]]]:
    yield from ((where, passage.sources) for where, passage in passages())
    for group in decisions.groups():
        for decision in group.decisions:
            yield from ((decision.passage.key, saying.sources) for saying in decision.says)
    yield from ((claim.key, claim.sources) for question in history.questions() for claim in question.claims)
    yield from ((variant.key, variant.sources) for variant in history.variants())


def texts() -> Iterator[Names]:
    """Every text there is."""
    for _where, passage in passages():
        yield from (passage.heading, passage.text)
    for chapter in rules.chapters():
        yield chapter.heading
    for section in SECTIONS:
        yield from (row.caption for row in section.tiles)
    for group in decisions.groups():
        yield group.heading
        yield from (saying.text for decision in group.decisions for saying in decision.says)
    for book in decisions.rulebooks():
        yield from (book.name, book.fans, book.fouls, book.tournaments)
    yield from decisions.clauses().values()
    for question in history.questions():
        yield from (question.heading, *(claim.text for claim in question.claims))
        yield from [question.note] if question.note else []
    for variant in history.variants():
        yield from (variant.name, variant.tiles, variant.special, variant.payers)
    for text in sources.books().values():
        yield from (text.name, text.full, *(part.name for part in text.parts))


TEXTS = list(texts())


def test_there_is_what_the_rules_need() -> None:
    assert len(rules.chapters()) == 11
    assert len(SECTIONS) > 45
    assert len(TEXTS) > 400


def test_every_text_is_in_three_languages() -> None:
    """The reader of the data refuses a missing one; here nothing is English that should be Chinese."""
    numbers = re.compile(r"[\d ]+|Botzone")
    untranslated = [
        text.en
        for text in TEXTS
        if text.en in (text.zh_hans, text.zh_hant) and not numbers.fullmatch(text.en)
    ]
    assert untranslated == []


def test_every_passage_has_a_source() -> None:
    assert [where for where, found in cited() if not found] == []


def test_neither_script_has_strayed_into_the_other() -> None:
    assert [text.zh_hans for text in TEXTS if TRADITIONAL_ONLY & set(text.zh_hans)] == []
    assert [text.zh_hant for text in TEXTS if SIMPLIFIED_ONLY & set(text.zh_hant)] == []


def test_a_chinese_sentence_has_chinese_signs() -> None:
    latin = [
        chinese
        for text in TEXTS
        for chinese in (plain(text.zh_hans), plain(text.zh_hant))
        if LATIN_SIGN.search(re.sub(r"(?m)^\d+\. ", "", chinese))
    ]
    assert latin == []
    assert [text.zh_hant for text in TEXTS if set("“”‘’") & set(text.zh_hant)] == []
    assert [text.zh_hans for text in TEXTS if set("「」『』") & set(text.zh_hans)] == []


def test_marks_are_well_formed_and_lead_to_the_glossary() -> None:
    known = glossary().by_key
    for text in TEXTS:
        for said in (text.en, text.zh_hans, text.zh_hant):
            assert {piece.term for piece in pieces(said) if piece.term} - known.keys() == set()
            assert not set("[]`") & set(plain(said))


def test_the_layout_is_the_same_in_every_language() -> None:
    for where, passage in passages():
        text = passage.text
        shapes = [
            [(block.kind, len(block.lines)) for block in blocks(said)]
            for said in (text.en, text.zh_hans, text.zh_hant)
        ]
        assert shapes[0] == shapes[1] == shapes[2], where


def test_keys_are_places_on_a_page() -> None:
    for chapter in rules.chapters():
        keys = [section.key for section in chapter.sections]
        assert len(set(keys)) == len(keys)
    keys = [passage.key for passage in decisions.rules()]
    keys += [decision.passage.key for group in decisions.groups() for decision in group.decisions]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"[a-z_]+", key) for key in keys)


def test_a_section_leads_to_a_decision_that_is_there() -> None:
    assert {
        section.decision for section in SECTIONS if section.decision
    } - decisions.passages().keys() == set()


def test_every_disputed_rule_is_there_row_by_row() -> None:
    assert {passage.key for passage in decisions.rules()} == MCR.clauses.keys()
    for rule in MCR.clauses:
        for book in RULEBOOKS:
            assert book.clauses[rule] in decisions.clauses()


def test_no_clause_is_left_that_no_rulebook_has() -> None:
    said = {clause for book in RULEBOOKS for clause in book.clauses.values()}
    assert decisions.clauses().keys() - said == set()


@pytest.mark.parametrize("variant", history.variants(), ids=lambda variant: variant.key)
def test_the_variants_are_those_of_the_source(variant: history.Variant) -> None:
    """001:9-17, one a line, and the competition rules before them."""
    (number,) = {cite.written for cite in variant.sources if cite.written.startswith("001")} or {""}
    assert (variant.key == "competition") == (number == "")
    lines = [cite.written for one in history.variants()[1:] for cite in one.sources]
    assert lines == [f"001:{line}" for line in range(9, 18)]


def test_the_number_of_fans_is_the_rules_own() -> None:
    """Of 82 one is no fan of MCR but of Botzone: Melded Kong and Concealed Kong (000:341)."""
    assert len(FANS) - 1 == 81
    (sums,) = [section.passage.text.en for section in SECTIONS if section.key == "sums"]
    assert "81 [[fan|fans]]" in sums or "81 fans" in sums
