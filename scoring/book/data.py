"""How the book's data is read: TOML, a field at a time, and loud about what is missing, misspelt or of another kind.

[[terms]]
key = "meld"
term = { en = "Meld", hans = "副露", hant = "副露" }

for row in rows(FOLDER / "m.toml", "terms"):
    with row:
        Term(row.word("key"), row.names("term"))

What is common to its parts is here too: the texts that it cites, by line ("000:271" is line 271 of the text that
docs/rules/sources.md calls 000), and its passages.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from scoring.engine.names import Names

LANGUAGES: Final = ("en", "hans", "hant")
"""A text in the data has all three."""
DAMAGE: Final = ("\ufffd", "搈", "抯")
"""What text looks like that was read in the wrong encoding once; no text of ours has it."""


class BookFault(ValueError):
    """The book's own data is wrong: where, and how."""


class Row:
    """A table of the data. Left as a context, it refuses fields that nobody has asked for."""

    def __init__(self, where: str, fields: Mapping[str, Any]) -> None:
        self.where = where
        self._fields = fields
        self._left = set(fields)

    def __enter__(self) -> Row:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: object, trace: TracebackType | None) -> None:
        if kind is None and self._left:
            raise BookFault(f"{self.where}: unknown {', '.join(sorted(self._left))}")

    def has(self, name: str) -> bool:
        return name in self._fields

    def word(self, name: str, default: str | None = None) -> str:
        """A string that says something; without a default it has to be there."""
        return self._sound(name, self._take(name, str, default))

    def number(self, name: str, default: int | None = None) -> int:
        value: int = self._take(name, int, default)
        return value

    def words(self, name: str) -> tuple[str, ...]:
        """A list of strings; none when the field is missing."""
        texts = self._take(name, list, [])
        return tuple(self._sound(name, text) for text in texts)

    def names(self, name: str) -> Names:
        """A text in the three languages, none of them empty."""
        with self.row(name) as texts:
            return Names(*(texts.word(language) for language in LANGUAGES))

    def row(self, name: str) -> Row:
        """A table inside this one."""
        return Row(f"{self.where}, {name}", self._take(name, dict, None))

    def rows(self, name: str) -> tuple[Row, ...]:
        """The tables in a list; none when the field is missing."""
        tables = self._take(name, list, [])
        return tuple(
            Row(f"{self.where}, {name} {_called(table, at)}", table) for at, table in enumerate(tables, 1)
        )

    def _take(self, name: str, kind: type, default: Any) -> Any:
        self._left.discard(name)
        value = self._fields.get(name, default)
        if value is None:
            raise BookFault(f"{self.where}: {name} is missing")
        if not isinstance(value, kind):
            raise BookFault(f"{self.where}: {name} is {value!r}")
        return value

    def _sound(self, name: str, text: Any) -> str:
        is_empty = not text and name in self._fields
        if not isinstance(text, str) or text != text.strip() or is_empty:
            raise BookFault(f"{self.where}: {name} is {text!r}")
        if any(sign in text for sign in DAMAGE):
            raise BookFault(f"{self.where}: {name} is damaged: {text!r}")
        return text


def _called(fields: Mapping[str, Any], at: int) -> str:
    return str(fields.get("key", at))


def read(path: Path) -> Row:
    """A whole file."""
    try:
        return Row(path.name, tomllib.loads(path.read_text("utf-8")))
    except tomllib.TOMLDecodeError as fault:
        raise BookFault(f"{path.name}: {fault}") from fault


def rows(path: Path, name: str) -> Iterator[Row]:
    """The tables `[[name]]` of a file that has nothing else; each is called by its key where it has one."""
    with read(path) as whole:
        yield from whole.rows(name)


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
    sources = tuple(cite(written) for written in row.words(name))
    if not sources:
        raise BookFault(f"{row.where}: no source")
    return sources


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


_ITEM: Final = re.compile(r"(?:(-)|\d+\.) ")
_WORD: Final = re.compile(r"\[\[([\w-]+)\|([^\]|]+)\]\]")
"""A word of the glossary in a text: its key there, and how it stands here."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A heading, a text and where it is written, in three languages."""

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
