"""How the game goes, step by step: chapters of passages, in the order of the file names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from scoring.book.data import Row, read
from scoring.book.passages import Passage, read_passage
from scoring.book.sources import FOLDER
from scoring.engine.names import Names

CHAPTERS: Final = FOLDER / "rules"


@dataclass(frozen=True, slots=True)
class TileRow:
    """Tiles to look at, by their codes, and what they are."""

    tiles: tuple[str, ...]
    caption: Names


@dataclass(frozen=True, slots=True)
class Section:
    """One step of the rules."""

    passage: Passage
    tiles: tuple[TileRow, ...]
    drawing: str
    """What is drawn or worked out beside it; the page knows how. Empty for nothing."""
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
    """The whole of the rules."""
    return tuple(_chapter(read(path)) for path in sorted(CHAPTERS.glob("*.toml")))


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
