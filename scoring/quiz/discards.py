"""The five puzzles of the first discard: which tile would you discard, as East in the East round?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from scoring.book.data import BookFault, Row, rows
from scoring.book.sources import Cite, cites
from scoring.engine.names import Names
from scoring.quiz.grading import GRADES
from scoring.quiz.pictures import tiles_of

_ROWS: Final = Path(__file__).parent / "discards.toml"
_GRADED: Final = dict(zip(("best", "better", "good", "not_good"), GRADES, strict=True))
"""The name of a grade in the source → the grade."""


@dataclass(frozen=True, slots=True)
class Discard:
    """A hand of 14 tiles before the first discard."""

    number: int
    tiles: tuple[str, ...]
    """In the source's order; the last one is the one drawn."""
    grades: Mapping[str, int]
    """Tile → its grade; one that the source leaves out is missing."""
    reason: Names
    note: Names | None
    """What the source lacks or contradicts."""
    sources: tuple[Cite, ...]

    @property
    def choices(self) -> tuple[str, ...]:
        """Each kind of tile in the hand once, in its order there."""
        return tuple(dict.fromkeys(self.tiles))

    @property
    def by_grade(self) -> list[tuple[int, tuple[str, ...]]]:
        """Each grade with its tiles, the best first."""
        return [(one, tuple(tile for tile in self.choices if self.grades.get(tile) == one)) for one in GRADES]

    @property
    def ungraded(self) -> tuple[str, ...]:
        return tuple(tile for tile in self.choices if tile not in self.grades)


@cache
def discards() -> tuple[Discard, ...]:
    """All five, in their order."""
    return tuple(map(_discard, rows(_ROWS, "puzzles")))


def find_discard(number: int) -> Discard | None:
    return next((one for one in discards() if one.number == number), None)


def _discard(row: Row) -> Discard:
    with row:
        grades = {tile: points for name, points in _GRADED.items() for tile in _tiles(row, name)}
        note = row.names("note") if row.has("note") else None
        return Discard(
            row.number("number"), _tiles(row, "tiles"), grades, row.names("reason"), note, cites(row)
        )


def _tiles(row: Row, name: str) -> tuple[str, ...]:
    try:
        return tiles_of(row.word(name))
    except KeyError as fault:
        raise BookFault(f"{row.where}: no picture {fault}") from fault
