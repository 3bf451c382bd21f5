"""The rules step by step, and the history of the game.

Rules are chapters of passages, in the order of the file names; the history is claims with their sources, and a table
of variants.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from scoring.book.data import (
    FOLDER,
    Citation,
    Passage,
    Row,
    read_citations,
    read_file,
    read_passage,
    read_rows,
)
from scoring.engine.names import Names

CHAPTERS: Final = FOLDER / "rules"


@dataclass(frozen=True, slots=True)
class TileRow:
    """Tiles to show, by their codes, with a caption."""

    tiles: tuple[str, ...]
    caption: Names


@dataclass(frozen=True, slots=True)
class Section:
    """One step of the rules."""

    passage: Passage
    tiles: tuple[TileRow, ...]
    drawing: str
    """The name of the drawing beside it, empty for none."""
    decision: str
    """The key of the disputed rule behind it; empty for none."""

    @property
    def key(self) -> str:
        return self.passage.key


@dataclass(frozen=True, slots=True)
class Chapter:
    key: str
    heading: Names
    sections: tuple[Section, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return the chapters of the rules, in order."""
    return tuple(_chapter(read_file(path)) for path in sorted(CHAPTERS.glob("*.toml")))


def _chapter(row: Row) -> Chapter:
    with row:
        return Chapter(row.word("key"), row.names("heading"), tuple(map(_section, row.rows("sections"))))


def _section(row: Row) -> Section:
    with row:
        tiles = tuple(map(_tile_row, row.rows("tiles")))
        drawing, decision = row.word("drawing", ""), row.word("decision", "")
        return Section(read_passage(row), tiles, drawing, decision)


def _tile_row(row: Row) -> TileRow:
    with row:
        return TileRow(row.words("set"), row.names("caption"))


@dataclass(frozen=True, slots=True)
class HistoryClaim:
    """The claim of one source; the book does not confirm it."""

    key: str
    text: Names
    sources: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class HistoryQuestion:
    key: str
    heading: Names
    claims: tuple[HistoryClaim, ...]
    note: Names | None
    """A note on all claims together."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way of playing: its tiles, its special hands, and who pays."""

    key: str
    name: Names
    tiles: Names
    special: Names
    payers: Names
    sources: tuple[Citation, ...]


@cache
def history_questions() -> tuple[HistoryQuestion, ...]:
    return tuple(map(_history_question, read_rows(FOLDER / "history.toml", "questions")))


@cache
def variants() -> tuple[Variant, ...]:
    """Return the competition rules and the nine variants of the source."""
    return tuple(map(_variant, read_rows(FOLDER / "variants.toml", "variants")))


def _history_question(row: Row) -> HistoryQuestion:
    with row:
        note = row.names("note") if row.has("note") else None
        return HistoryQuestion(
            row.word("key"), row.names("heading"), tuple(map(_history_claim, row.rows("claims"))), note
        )


def _history_claim(row: Row) -> HistoryClaim:
    with row:
        return HistoryClaim(row.word("key"), row.names("text"), read_citations(row))


def _variant(row: Row) -> Variant:
    with row:
        name, tiles, special, payers = (row.names(field) for field in ("name", "tiles", "special", "payers"))
        return Variant(row.word("key"), name, tiles, special, payers, read_citations(row))
