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
    build_all,
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
    return build_all(map(read_file, sorted(CHAPTERS.glob("*.toml"))), _chapter)


def _chapter(row: Row) -> Chapter:
    return Chapter(row.word("key"), row.names("heading"), build_all(row.rows("sections"), _section))


def _section(row: Row) -> Section:
    tiles = build_all(row.rows("tiles"), lambda tile: TileRow(tile.words("set"), tile.names("caption")))
    return Section(read_passage(row), tiles, row.word("drawing", ""), row.word("decision", ""))


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
    return build_all(read_rows(FOLDER / "history.toml", "questions"), _history_question)


@cache
def variants() -> tuple[Variant, ...]:
    """Return the competition rules and the nine variants of the source."""
    return build_all(read_rows(FOLDER / "variants.toml", "variants"), _variant)


def _history_question(row: Row) -> HistoryQuestion:
    note = row.names("note") if row.has("note") else None
    claims = build_all(row.rows("claims"), _history_claim)
    return HistoryQuestion(row.word("key"), row.names("heading"), claims, note)


def _history_claim(row: Row) -> HistoryClaim:
    return HistoryClaim(row.word("key"), row.names("text"), read_citations(row))


def _variant(row: Row) -> Variant:
    name, tiles, special, payers = (row.names(field) for field in ("name", "tiles", "special", "payers"))
    return Variant(row.word("key"), name, tiles, special, payers, read_citations(row))
