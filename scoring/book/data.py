"""Read the book's TOML data field by field, and fail on missing, misspelt or wrongly typed fields.

    [[terms]]
    key = "meld"
    term = { en = "Meld", hans = "副露", hant = "副露" }

    build_all(read_rows(FOLDER / "m.toml", "terms"), lambda row: Term(row.word("key"), row.names("term")))

Also here: the texts that the book cites by line ("000:271" is line 271 of the text that docs/rules/sources.md calls
000), and passages, which all its parts are made of.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar

from scoring.engine.names import Names

T = TypeVar("T")

LANGUAGES: Final = ("en", "hans", "hant")
"""Every text in the data has all three."""
BROKEN_CHARACTERS: Final = ("\ufffd", "搈", "抯")
"""Traces of text decoded in the wrong encoding."""


class BookDataError(ValueError):
    """Raised for wrong data of the book, with its place."""


class Row:
    """A table of the data. Used as a context manager, it raises for fields that were not read."""

    def __init__(self, where: str, fields: Mapping[str, Any]) -> None:
        self.where = where
        self._fields = fields
        self._unread = set(fields)

    def __enter__(self) -> Row:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: object, trace: TracebackType | None) -> None:
        if kind is None and self._unread:
            raise BookDataError(f"{self.where}: unknown {', '.join(sorted(self._unread))}")

    def has(self, name: str) -> bool:
        return name in self._fields

    def word(self, name: str, default: str | None = None) -> str:
        """Return a non-empty string. Required without a default."""
        return self._checked(name, self._get(name, str, default))

    def number(self, name: str, default: int | None = None) -> int:
        value: int = self._get(name, int, default)
        return value

    def words(self, name: str) -> tuple[str, ...]:
        """Return a list of strings, empty when the field is missing."""
        texts = self._get(name, list, [])
        return tuple(self._checked(name, text) for text in texts)

    def names(self, name: str) -> Names:
        """Return a text in the three languages, none of them empty."""
        with self.row(name) as texts:
            return Names(*(texts.word(language) for language in LANGUAGES))

    def row(self, name: str) -> Row:
        """Return a table inside this one."""
        return Row(f"{self.where}, {name}", self._get(name, dict, None))

    def rows(self, name: str) -> tuple[Row, ...]:
        """Return a list of tables, empty when the field is missing."""
        tables = self._get(name, list, [])
        return tuple(
            Row(f"{self.where}, {name} {table.get('key', at)}", table) for at, table in enumerate(tables, 1)
        )

    def _get(self, name: str, kind: type, default: Any) -> Any:
        self._unread.discard(name)
        value = self._fields.get(name, default)
        if value is None:
            raise BookDataError(f"{self.where}: {name} is missing")
        if not isinstance(value, kind):
            raise BookDataError(f"{self.where}: {name} is {value!r}")
        return value

    def _checked(self, name: str, text: Any) -> str:
        is_empty = not text and name in self._fields
        if not isinstance(text, str) or text != text.strip() or is_empty:
            raise BookDataError(f"{self.where}: {name} is {text!r}")
        if any(sign in text for sign in BROKEN_CHARACTERS):
            raise BookDataError(f"{self.where}: {name} is damaged: {text!r}")
        return text


def read_file(path: Path) -> Row:
    """Return the root table of a file."""
    try:
        return Row(path.name, tomllib.loads(path.read_text("utf-8")))
    except tomllib.TOMLDecodeError as fault:
        raise BookDataError(f"{path.name}: {fault}") from fault


def read_rows(path: Path, name: str) -> Iterator[Row]:
    """Yield the tables `[[name]]` of a file that has no other fields."""
    with read_file(path) as root:
        yield from root.rows(name)


def build_all(rows: Iterable[Row], build: Callable[[Row], T]) -> tuple[T, ...]:
    """Return what `build` makes of each table. Raises BookDataError for fields that it does not read."""
    results = []
    for row in rows:
        with row:
            results.append(build(row))
    return tuple(results)


FOLDER: Final = Path(__file__).parent / "pages"
_LINES: Final = re.compile(r"(\d{3}):(\d+)(?:-(\d+))?")
_CLAUSE: Final = re.compile(r"MCR \d+|Botzone note \d+|Guide \d+")


@dataclass(frozen=True, slots=True)
class Part:
    """A titled part of a source: its first and last line."""

    first: int
    last: int
    name: Names


@dataclass(frozen=True, slots=True)
class Book:
    """A source text, or what serves as one: practice, Hule's own decision."""

    key: str
    name: Names
    full: Names
    parts: tuple[Part, ...]

    def part(self, first: int, last: int) -> Part:
        """Return the part with these lines. Raises KeyError when no part has them."""
        for part in self.parts:
            if part.first <= first <= last <= part.last:
                return part
        raise KeyError(f"{self.key}:{first}-{last}")


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a source. Either `clause` or `book` is set, and `part` where the reference has lines."""

    reference: str
    """As in the data: "000:271", "practice", "MCR 39"."""
    book: Book | None = None
    part: Part | None = None
    clause: str = ""
    """A clause as the engine cites it; `scoring.texts.clause_text` translates it."""

    @property
    def lines(self) -> str:
        """ "270–271"; "" for what has no lines."""
        return self.reference.partition(":")[2].replace("-", "–")


def find_citation(reference: str) -> Citation:
    """Return the citation for a reference. Raises BookDataError for unknown texts or lines."""
    if _CLAUSE.fullmatch(reference):
        return Citation(reference, clause=reference)
    lines = _LINES.fullmatch(reference)
    try:
        book = books()[lines[1] if lines else reference]
        return Citation(
            reference, book, book.part(int(lines[2]), int(lines[3] or lines[2])) if lines else None
        )
    except KeyError as fault:
        raise BookDataError(f"no such source: {reference}") from fault


def read_citations(row: Row, name: str = "sources") -> tuple[Citation, ...]:
    """Return the citations of an entry. Raises BookDataError when it has none."""
    sources = tuple(find_citation(reference) for reference in row.words(name))
    if not sources:
        raise BookDataError(f"{row.where}: no source")
    return sources


@cache
def books() -> Mapping[str, Book]:
    """Return every source text by its key."""
    return {book.key: book for book in build_all(read_rows(FOLDER / "sources.toml", "books"), _book)}


def _book(row: Row) -> Book:
    parts = build_all(
        row.rows("sections"), lambda part: Part(part.number("from"), part.number("to"), part.names("name"))
    )
    return Book(row.word("key"), row.names("name"), row.names("full"), parts)


_ITEM: Final = re.compile(r"(?:(-)|\d+\.) ")
_WORD: Final = re.compile(r"\[\[([\w-]+)\|([^\]|]+)\]\]")
"""A word of the glossary in a text: its key and its form in the text."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A heading and a text in three languages, with their sources."""

    key: str
    heading: Names
    text: Names
    sources: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph ("p": one line), or a list with ("ol") or without ("ul") numbers."""

    kind: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a line; `term`: the glossary key of the word, if it is explained there."""

    text: str
    term: str = ""


def read_passage(row: Row) -> Passage:
    """Return the passage of a row; other fields of the row are left to the caller."""
    return Passage(row.word("key"), row.names("heading"), row.names("text"), read_citations(row))


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a text. Empty lines separate paragraphs; list items begin with "- " or "1. "."""
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        items = [_ITEM.match(line) for line in lines]
        if all(items):
            kind = "ul" if items[0] and items[0][1] else "ol"
            yield Block(kind, tuple(_ITEM.sub("", line, count=1) for line in lines))
        else:
            yield Block("p", (" ".join(lines),))


def pieces(line: str) -> Iterator[Piece]:
    """Yield the pieces of a line, split at words of the glossary: "The [[wall|wall]] is" is "The ", "wall", " is"."""
    at = 0
    for word in _WORD.finditer(line):
        yield Piece(line[at : word.start()])
        yield Piece(word[2], word[1])
        at = word.end()
    yield Piece(line[at:])


def plain(text: str) -> str:
    """Return a text without glossary marks."""
    return _WORD.sub(r"\2", text)
