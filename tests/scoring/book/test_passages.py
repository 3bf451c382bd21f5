"""How a text of the book is laid out, and where it is written."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.utils.translation import override

from scoring.book.data import BookFault
from scoring.book.passages import Block, Piece, blocks, pieces, plain
from scoring.book.sources import books, cite
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


@pytest.mark.parametrize(
    ("language", "written", "said"),
    [
        ("en", "000:270-271", "MCR, “Breaking the Wall” (000:270–271)"),
        ("zh-hans", "000:270-271", "《麻将竞赛规则》“开牌”（000:270–271）"),
        ("zh-hant", "000:270-271", "《麻將競賽規則》「開牌」（000:270–271）"),
        ("en", "practice", "Tournament practice"),
        ("en", "MCR 43", "MCR 43"),
        ("zh-hans", "MCR 43", "《麻将竞赛规则》第 43 项"),
    ],
)
def test_a_source_is_said(language: str, written: str, said: str) -> None:
    with override(language):
        assert cite_text(cite(written)) == said


def test_several_sources_stand_in_a_row() -> None:
    with override("en"):
        assert cites_text([cite("practice"), cite("MCR 1")]) == "Tournament practice; MCR 1"
        same_part = [cite("000:738"), cite("000:740-742"), cite("004:140")]
        assert (
            cites_text(same_part)
            == "MCR, “Appendix 1” (000:738, 740–742); Overview, “A brief overview” (004:140)"
        )


@pytest.mark.parametrize(
    "written", ["005:1", "000:99999", "000:226-300", "000:300-299", "nowhere", "MCR", "MCR x"]
)
def test_what_is_written_nowhere_is_refused(written: str) -> None:
    with pytest.raises(BookFault, match="no such source"):
        cite(written)


@pytest.mark.parametrize("book", books().values(), ids=lambda book: book.key)
def test_the_parts_of_a_text_follow_each_other(book: object) -> None:
    ends = [(part.first, part.last) for part in book.parts]  # type: ignore[attr-defined]
    assert ends == sorted(ends)
    assert all(first <= last for first, last in ends)
    assert all(one[1] < other[0] for one, other in pairwise(ends))
