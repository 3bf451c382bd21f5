"""Every text of the rules, the decisions and the history: in three languages, with a source, leading somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import scoring.book
from scoring.book import decisions, rules
from scoring.book.data import Cite, Passage, blocks, books, pieces, plain
from scoring.book.terms import glossary
from scoring.engine import FANS, MCR, RULEBOOKS
from scoring.engine.names import Names
from tests.house.test_catalogues import LATIN_SIGN, SIMPLIFIED_ONLY, TRADITIONAL_ONLY

BOOK = Path(scoring.book.__file__).parent
SECTIONS = [section for chapter in rules.chapters() for section in chapter.sections]


def passages() -> Iterator[tuple[str, Passage]]:
    yield from ((f"rules {section.key}", section.passage) for section in SECTIONS)
    yield from ((f"decision {key}", passage) for key, passage in decisions.passages().items())


def cited() -> Iterator[tuple[str, tuple[Cite, ...]]]:
    yield from ((where, passage.sources) for where, passage in passages())
    for group in decisions.groups():
        for decision in group.decisions:
            yield from ((decision.passage.key, saying.sources) for saying in decision.says)
    yield from (
        (claim.key, claim.sources) for question in rules.history_questions() for claim in question.claims
    )
    yield from ((variant.key, variant.sources) for variant in rules.variants())


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
    for question in rules.history_questions():
        yield from (question.heading, *(claim.text for claim in question.claims))
        yield from [question.note] if question.note else []
    for variant in rules.variants():
        yield from (variant.name, variant.tiles, variant.special, variant.payers)
    for text in books().values():
        yield from (text.name, text.full, *(part.name for part in text.parts))


TEXTS = list(texts())


def test_there_is_what_the_rules_need() -> None:
    assert len(rules.chapters()) == 11
    assert len(SECTIONS) > 45
    assert len(TEXTS) > 400
    assert [where for where, cites in cited() if not cites] == [], "without a source"


def test_every_text_is_in_three_languages() -> None:
    """The reader of the data refuses a missing one; here nothing is English that should be Chinese."""
    numbers = re.compile(r"[\d ]+|Botzone")
    in_english = [text.en for text in TEXTS if text.en in (text.zh_hans, text.zh_hant)]
    assert [text for text in in_english if not numbers.fullmatch(text)] == []


def test_each_script_has_its_own_characters_and_signs() -> None:
    assert [text.zh_hans for text in TEXTS if (TRADITIONAL_ONLY | set("「」『』")) & set(text.zh_hans)] == []
    assert [text.zh_hant for text in TEXTS if (SIMPLIFIED_ONLY | set("“”‘’")) & set(text.zh_hant)] == []
    chinese = [plain(written) for text in TEXTS for written in (text.zh_hans, text.zh_hant)]
    assert [text for text in chinese if LATIN_SIGN.search(re.sub(r"(?m)^\d+\. ", "", text))] == []


def test_marks_are_well_formed_and_lead_to_the_glossary() -> None:
    written = [language for text in TEXTS for language in (text.en, text.zh_hans, text.zh_hant)]
    links = {piece.term for text in written for piece in pieces(text) if piece.term}
    assert links - glossary().by_key.keys() == set()
    assert [text for text in written if set("[]`") & set(plain(text))] == []


def test_the_layout_is_the_same_in_every_language() -> None:
    def layout(text: str) -> list[tuple[str, int]]:
        return [(block.kind, len(block.lines)) for block in blocks(text)]

    texts = {where: passage.text for where, passage in passages()}
    differing = [
        where
        for where, text in texts.items()
        if not layout(text.en) == layout(text.zh_hans) == layout(text.zh_hant)
    ]
    assert differing == []


def test_keys_are_places_on_a_page() -> None:
    pages = [[section.key for section in chapter.sections] for chapter in rules.chapters()]
    decided = [decision.passage.key for group in decisions.groups() for decision in group.decisions]
    pages.append([passage.key for passage in decisions.rules()] + decided)
    assert [keys for keys in pages if len(set(keys)) != len(keys)] == []
    assert [key for key in pages[-1] if not re.fullmatch(r"[a-z_]+", key)] == []
    # A section leads to a decision that is there.
    assert {section.decision or "" for section in SECTIONS} - decisions.passages().keys() == {""}


def test_disputed_rules_and_clauses_are_those_of_the_rulebooks() -> None:
    assert {passage.key for passage in decisions.rules()} == MCR.clauses.keys()
    assert [book.key for book in RULEBOOKS if not MCR.clauses.keys() <= book.clauses.keys()] == []
    assert decisions.clauses().keys() == {clause for book in RULEBOOKS for clause in book.clauses.values()}


def test_the_variants_are_those_of_the_source() -> None:
    """001:9-17, one a line, and the competition rules before them."""
    variants = [(variant.key, [cite.written for cite in variant.sources]) for variant in rules.variants()]
    key, sources_of_competition = variants[0]
    assert key == "competition"
    assert not [source for source in sources_of_competition if source.startswith("001")]
    assert [sources for _, sources in variants[1:]] == [[f"001:{line}"] for line in range(9, 18)]


def test_the_number_of_fans_is_the_rules_own() -> None:
    """Of 82 one is no fan of MCR but of Botzone: Melded Kong and Concealed Kong (000:341)."""
    assert len(FANS) - 1 == 81
    (sums,) = [section.passage.text.en for section in SECTIONS if section.key == "sums"]
    assert "81 [[fan|fans]]" in sums or "81 fans" in sums


def test_dots_are_bing_wherever_the_book_speaks_of_them() -> None:
    """The suits are 万, 条 and 饼; the glossary keeps 筒 as the other word for Dots."""
    files = {path.name: path.read_text("utf-8").splitlines() for path in BOOK.rglob("*.toml")}
    assert [(name, line.strip()) for name, rows in files.items() for line in rows if "筒" in line] == [
        ("d.toml", '{ hans = "筒子", hant = "筒子", pinyin = "tǒng zi" },')
    ]
    assert [word.hans for word in glossary().by_key["dots"].chinese] == ["饼子", "筒子"]
