"""The texts that the book cites, by line: "000:271" is line 271 of the text that docs/rules/sources.md calls 000."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from scoring.book.data import BookFault, Row, rows
from scoring.engine.names import Names

FOLDER: Final = Path(__file__).parent / "pages"
_LINES: Final = re.compile(r"(\d{3}):(\d+)(?:-(\d+))?")
_CLAUSE: Final = re.compile(r"MCR \d+|Botzone note \d+|Guide \d+")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text under its own heading: its first and last line."""

    first: int
    last: int
    name: Names


@dataclass(frozen=True, slots=True)
class Book:
    """A text, or what stands for one: practice, Hule's own decision."""

    key: str
    name: Names
    full: Names
    parts: tuple[Part, ...]

    def part(self, first: int, last: int) -> Part:
        """The part with these lines; KeyError when they lie in none."""
        for part in self.parts:
            if part.first <= first <= last <= part.last:
                return part
        raise KeyError(f"{self.key}:{first}-{last}")


@dataclass(frozen=True, slots=True)
class Cite:
    """Where something is written. Of the fields below those are filled that it has."""

    written: str
    """As the data writes it: "000:271", "practice", "MCR 39"."""
    book: Book | None = None
    part: Part | None = None
    clause: str = ""
    """A clause as the engine cites it (`scoring.texts.clause_text` says it)."""

    @property
    def lines(self) -> str:
        """ "270–271"; "" for what has no lines."""
        return self.written.partition(":")[2].replace("-", "–")


def cite(written: str) -> Cite:
    """What the data writes, looked up; `BookFault` for lines that no part of the text has, or an unknown text."""
    if _CLAUSE.fullmatch(written):
        return Cite(written, clause=written)
    lines = _LINES.fullmatch(written)
    try:
        book = books()[lines[1] if lines else written]
        return Cite(written, book, book.part(int(lines[2]), int(lines[3] or lines[2])) if lines else None)
    except KeyError as fault:
        raise BookFault(f"no such source: {written}") from fault


def cites(row: Row, name: str = "sources") -> tuple[Cite, ...]:
    """The cites of an entry; `BookFault` when it has none."""
    found = tuple(cite(written) for written in row.words(name))
    if not found:
        raise BookFault(f"{row.where}: no source")
    return found


@cache
def books() -> Mapping[str, Book]:
    """Every text by its key."""
    return {book.key: book for book in map(_book, rows(FOLDER / "sources.toml", "books"))}


def _book(row: Row) -> Book:
    with row:
        parts = tuple(map(_part, row.rows("sections")))
        return Book(row.word("key"), row.names("name"), row.names("full"), parts)


def _part(row: Row) -> Part:
    with row:
        return Part(row.number("from"), row.number("to"), row.names("name"))
