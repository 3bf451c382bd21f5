"""Every text of the book and its fans: sources, links, layout, what the data may not say; what a fan bars."""

import re
from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise
from pathlib import Path

import pytest
from django.utils.translation import override

import scoring.book
from scoring.book import decisions, rules
from scoring.book.data import (
    Block,
    BookDataError,
    Citation,
    Passage,
    Piece,
    Row,
    blocks,
    books,
    find_citation,
    pieces,
    plain,
    read_file,
    read_rows,
)
from scoring.book.fans import FanEntry, barred_by, bars, entries, points_by_rulebook, principles
from scoring.book.terms import cite_text, cites_text, glossary
from scoring.engine import BOTZONE, FANS, GUIDE, MCR, MWT, RULEBOOKS, Exclusion, Fan, score
from scoring.engine.detectors import chow_claims, number_pung_claims
from scoring.engine.fans import FanType, type_of
from scoring.engine.names import Names
from scoring.engine.notation import to_text
from scoring.texts import clause_text
from tests.house.test_catalogues import LATIN_SIGN, SIMPLIFIED_ONLY, TRADITIONAL_ONLY
from tests.scoring.book.test_terms import text_problems
from tests.scoring.golden import lines
from tests.support.data import read_json

BOOK = Path(scoring.book.__file__).parent
SECTIONS = [section for chapter in rules.chapters() for section in chapter.sections]

THREE = {"en": "Meld", "hans": "副露", "hant": "副露"}

EXAMPLES = [(entry, example) for entry in entries().values() for example in entry.examples]


def passages() -> Iterator[tuple[str, Passage]]:
    yield from ((f"rules {section.key}", section.passage) for section in SECTIONS)
    yield from ((f"decision {key}", passage) for key, passage in decisions.passages().items())


def cited() -> Iterator[tuple[str, tuple[Citation, ...]]]:
    yield from ((where, passage.sources) for where, passage in passages())
    for group in decisions.groups():
        for decision in group.decisions:
            yield from ((decision.passage.key, statement.sources) for statement in decision.statements)
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
        yield from (statement.text for decision in group.decisions for statement in decision.statements)
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
    assert len(rules.chapters()) == 12
    assert len(SECTIONS) > 45
    assert len(TEXTS) > 400
    assert [where for where, citations in cited() if not citations] == [], "without a source"


def test_every_text_is_in_three_languages() -> None:
    """The reader of the data refuses a missing one; here nothing is English that should be Chinese."""
    numbers = re.compile(r"[\d ]+|Botzone")
    in_english = [text.en for text in TEXTS if text.en in (text.zh_hans, text.zh_hant)]
    assert [text for text in in_english if not numbers.fullmatch(text)] == []


def test_each_script_has_its_own_characters_and_signs() -> None:
    assert [text.zh_hans for text in TEXTS if (TRADITIONAL_ONLY | set("「」『』")) & set(text.zh_hans)] == []
    assert [text.zh_hant for text in TEXTS if (SIMPLIFIED_ONLY | set("“”‘’")) & set(text.zh_hant)] == []
    chinese = [plain(text) for names in TEXTS for text in (names.zh_hans, names.zh_hant)]
    assert [text for text in chinese if LATIN_SIGN.search(re.sub(r"(?m)^\d+\. ", "", text))] == []


def test_marks_are_well_formed_and_lead_to_the_glossary() -> None:
    texts = [text for names in TEXTS for text in (names.en, names.zh_hans, names.zh_hant)]
    links = {piece.term for text in texts for piece in pieces(text) if piece.term}
    assert links - glossary().by_key.keys() == set()
    assert [text for text in texts if set("[]`") & set(plain(text))] == []


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
    variants = [
        (variant.key, [citation.reference for citation in variant.sources]) for variant in rules.variants()
    ]
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
    assert [
        (name, line.strip()) for name, read_rows in files.items() for line in read_rows if "筒" in line
    ] == [("d.toml", '{ hans = "筒子", hant = "筒子", pinyin = "tǒng zi" },')]
    assert [word.hans for word in glossary().by_key["dots"].chinese] == ["饼子", "筒子"]


def test_a_row_gives_its_fields() -> None:
    fields = {"key": "meld", "n": 3, "text": THREE, "see": ["set"], "chinese": [{"a": "b"}]}
    with Row("m.toml", fields) as row:
        assert (row.word("key"), row.number("n"), row.words("see")) == ("meld", 3, ("set",))
        assert row.names("text") == Names("Meld", "副露", "副露")
        assert [inner.word("a") for inner in row.rows("chinese")] == ["b"]
        assert (row.word("fan", ""), row.words("aliases"), row.rows("more")) == ("", (), ())


def test_a_fault_names_its_place() -> None:
    for fields, message in read_json("book-faults.json"):
        with pytest.raises(BookDataError) as refused, Row("m.toml", fields) as row:
            assert (row.word("key"), row.names("text")) == ("meld", Names("Meld", "副露", "副露"))
        assert str(refused.value) == message


def test_a_file_is_read_row_by_row_and_holds_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text('[[terms]]\nkey = "meld"\n[[terms]]\nname = "set"\n')
    assert [row.where for row in read_rows(path, "terms")] == ["m.toml, terms meld", "m.toml, terms 2"]
    path.write_text('[[terms]]\nkey = "meld"\n[[words]]\n')
    with pytest.raises(BookDataError, match=r"m\.toml: unknown words"):
        list(read_rows(path, "terms"))
    path.write_text("key =")
    with pytest.raises(BookDataError, match=r"m\.toml: "):
        read_file(path)


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


def test_sources_in_the_readers_language() -> None:
    """One alone is called as in a row; those of the same part share its name."""
    for language, text, expected in read_json("book-sources.json"):
        citations = [find_citation(source) for source in text.split(", ")]
        with override(language):
            assert cites_text(citations) == expected
            assert len(citations) > 1 or cite_text(citations[0]) == expected


def test_what_is_written_nowhere_is_refused() -> None:
    for text in ("005:1", "000:99999", "000:226-300", "000:300-299", "nowhere", "MCR", "MCR x"):
        with pytest.raises(BookDataError, match="no such source"):
            find_citation(text)


def test_the_parts_of_every_text_follow_each_other() -> None:
    parts = {book.key: [(part.first, part.last) for part in book.parts] for book in books().values()}
    assert [key for key, ends in parts.items() if any(first > last for first, last in ends)] == []
    assert [key for key, ends in parts.items() if any(a[1] >= b[0] for a, b in pairwise(ends))] == []


def test_the_guide_counts_nine_types() -> None:
    """Guide, 003:424-434."""
    counts = [sum(type_of(fan) is kind for fan in FANS) for kind in FanType]
    assert counts == [10, 16, 19, 2, 7, 8, 2, 12, 5]
    assert [fan for fan in FANS if type_of(fan) is None] == [Fan.MELDED_KONG_AND_CONCEALED_KONG]


def entry_problems(entry: FanEntry) -> list[str]:
    notations = [example.notation for example in entry.examples]
    points = [(fan_points.rulebook, fan_points.points) for fan_points in points_by_rulebook(entry.fan)]
    clauses = {
        fan_points.rulebook: clause_text(fan_points.clause) for fan_points in points_by_rulebook(entry.fan)
    }
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
        result = score(example.hand)
        if not result.meets_minimum or entry.fan not in {line.fan for line in result.fans}:
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
        for listed_bars in (outwards, inwards):
            of_book = {
                (*fans, bar.clause, bar.at_most) for *fans, bar in listed_bars if book in bar.rulebooks
            }
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
    clauses = {
        fan: fan_points.clause
        for fan in numbers
        for fan_points in points_by_rulebook(fan)
        if fan_points.rulebook is GUIDE
    }
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
    assert 4 in principles(Fan.LAST_TILE)
