"""How a text of the book is laid out, and where it is written."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.utils.translation import override

from scoring.book.data import Block, BookFault, Piece, blocks, books, cite, pieces, plain
from scoring.book.texts import cite_text, cites_text


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
