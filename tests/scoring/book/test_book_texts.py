"""Every text of the rules, the decisions and the history: sources, links, layout; and what the data may not say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from django.utils.translation import override

import scoring.book
from scoring.book import decisions, history, rules, sources
from scoring.book.data import (
    Block,
    BookFault,
    Cite,
    Passage,
    Piece,
    Row,
    blocks,
    books,
    cite,
    pieces,
    plain,
    read,
    rows,
)
from scoring.book.terms import glossary
from scoring.book.texts import cite_text, cites_text
from scoring.engine import FANS, MCR, RULEBOOKS
from scoring.engine.names import Names
from tests.house.test_catalogues import LATIN_SIGN, SIMPLIFIED_ONLY, TRADITIONAL_ONLY

BOOK = Path(scoring.book.__file__).parent
SECTIONS = [section for chapter in rules.chapters() for section in chapter.sections]

THREE = {"en": "Meld", "hans": "副露", "hant": "副露"}


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
    variants = [(variant.key, [cite.written for cite in variant.sources]) for variant in history.variants()]
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


def test_a_row_gives_its_fields() -> None:
    fields = {"key": "meld", "n": 3, "text": THREE, "see": ["set"], "chinese": [{"a": "b"}]}
    with Row("m.toml", fields) as row:
        assert (row.word("key"), row.number("n"), row.words("see")) == ("meld", 3, ("set",))
        assert row.names("text") == Names("Meld", "副露", "副露")
        assert [inner.word("a") for inner in row.rows("chinese")] == ["b"]
        assert (row.word("fan", ""), row.words("aliases"), row.rows("more")) == ("", (), ())


FAULTS: list[tuple[dict[str, object], str]] = [
    ({}, "m.toml: key is missing"),
    ({"key": 3}, "m.toml: key is 3"),
    ({"key": ""}, "m.toml: key is ''"),
    ({"key": " meld"}, "m.toml: key is ' meld'"),
    ({"key": "the\ufffdlimit"}, "m.toml: key is damaged: 'the\ufffdlimit'"),
    ({"key": "搈elding"}, "m.toml: key is damaged: '搈elding'"),
    ({"key": "meld", "text": THREE, "kez": "meld"}, "m.toml: unknown kez"),
    ({"key": "meld", "text": THREE | {"hant": ""}}, "m.toml, text: hant is ''"),
    ({"key": "meld", "text": {"en": "Meld", "hans": "副露"}}, "m.toml, text: hant is missing"),
    ({"key": "meld", "text": THREE | {"zh": "副露"}}, "m.toml, text: unknown zh"),
    ({"key": "meld", "text": "Meld"}, "m.toml: text is 'Meld'"),
]


def test_a_fault_names_its_place() -> None:
    for fields, message in FAULTS:
        with pytest.raises(BookFault) as refused, Row("m.toml", fields) as row:
            assert (row.word("key"), row.names("text")) == ("meld", Names("Meld", "副露", "副露"))
        assert str(refused.value) == message


def test_a_file_is_read_row_by_row_and_holds_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text('[[terms]]\nkey = "meld"\n[[terms]]\nname = "set"\n')
    assert [row.where for row in rows(path, "terms")] == ["m.toml, terms meld", "m.toml, terms 2"]
    path.write_text('[[terms]]\nkey = "meld"\n[[words]]\n')
    with pytest.raises(BookFault, match=r"m\.toml: unknown words"):
        list(rows(path, "terms"))
    path.write_text("key =")
    with pytest.raises(BookFault, match=r"m\.toml: "):
        read(path)


def test_paragraphs_and_lists() -> None:
    text = "One line\nand its end.\n\n- a\n- b\n\n1. first\n2. second"
    assert list(blocks(text)) == [
        Block("p", ("One line and its end.",)),
        Block("ul", ("a", "b")),
        Block("ol", ("first", "second")),
    ]


def test_words_of_the_glossary() -> None:
    line = "The [[wall|wall]] and the [[kong|kongs]]."
    assert [piece for piece in pieces(line) if piece.text] == [
        Piece("The "),
        Piece("wall", "wall"),
        Piece(" and the "),
        Piece("kongs", "kong"),
        Piece("."),
    ]
    assert plain(line) == "The wall and the kongs."


SOURCES = [
    ("en", "000:270-271", "MCR, “Breaking the Wall” (000:270–271)"),
    ("zh-hans", "000:270-271", "《麻将竞赛规则》“开牌”（000:270–271）"),
    ("zh-hant", "000:270-271", "《麻將競賽規則》「開牌」（000:270–271）"),
    ("zh-hans", "MCR 43", "《麻将竞赛规则》第 43 项"),
    ("en", "practice, MCR 1", "Tournament practice; MCR 1"),
    (
        "en",
        "000:738, 000:740-742, 004:140",
        "MCR, “Appendix 1” (000:738, 740–742); Overview, “A brief overview” (004:140)",
    ),
]


def test_sources_in_the_readers_language() -> None:
    """One alone is called as in a row; those of the same part share its name."""
    for language, written, expected in SOURCES:
        cites = [cite(source) for source in written.split(", ")]
        with override(language):
            assert cites_text(cites) == expected
            assert len(cites) > 1 or cite_text(cites[0]) == expected


def test_what_is_written_nowhere_is_refused() -> None:
    for written in ("005:1", "000:99999", "000:226-300", "000:300-299", "nowhere", "MCR", "MCR x"):
        with pytest.raises(BookFault, match="no such source"):
            cite(written)


def test_the_parts_of_every_text_follow_each_other() -> None:
    parts = {book.key: [(part.first, part.last) for part in book.parts] for book in books().values()}
    assert [key for key, ends in parts.items() if any(first > last for first, last in ends)] == []
    assert [key for key, ends in parts.items() if any(a[1] >= b[0] for a, b in pairwise(ends))] == []
