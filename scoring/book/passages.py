"""A passage of the book: a heading, a text and where it is written, in three languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from scoring.book.data import Row
from scoring.book.sources import Cite, cites
from scoring.engine.names import Names

_ITEM: Final = re.compile(r"(?:(-)|\d+\.) ")
_WORD: Final = re.compile(r"\[\[([\w-]+)\|([^\]|]+)\]\]")
"""A word of the glossary in a text: its key there, and how it stands here."""


@dataclass(frozen=True, slots=True)
class Passage:
    key: str
    heading: Names
    text: Names
    sources: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph ("p": one line), or a list with ("ol") or without ("ul") numbers."""

    kind: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a line; `term`: the glossary's key of what it is a word for."""

    text: str
    term: str = ""


def read_passage(row: Row) -> Passage:
    """The fields that every passage has; whoever reads more of the row reads it besides."""
    return Passage(row.word("key"), row.names("heading"), row.names("text"), cites(row))


def blocks(text: str) -> Iterator[Block]:
    """A text as it is laid out: paragraphs stand apart by an empty line, items begin with "- " or "1. "."""
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        items = [_ITEM.match(line) for line in lines]
        if all(items):
            kind = "ul" if items[0] and items[0][1] else "ol"
            yield Block(kind, tuple(_ITEM.sub("", line, count=1) for line in lines))
        else:
            yield Block("p", (" ".join(lines),))


def pieces(line: str) -> Iterator[Piece]:
    """A line taken apart at the words that the glossary explains: "The [[wall|wall]] is" is "The ", "wall", " is"."""
    at = 0
    for word in _WORD.finditer(line):
        yield Piece(line[at : word.start()])
        yield Piece(word[2], word[1])
        at = word.end()
    yield Piece(line[at:])


def plain(text: str) -> str:
    """A text without the marks of its words."""
    return _WORD.sub(r"\2", text)
