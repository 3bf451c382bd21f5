"""The five puzzles of the first discard, as East in the East round."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from scoring.book.data import BookDataError, Citation, Row, build_all, read_citations, read_rows
from scoring.engine.names import Names
from scoring.quiz.questions import GRADES

_NUMBERS: Final = {
    "m": "01 04 05 23 24 25 26 27 28",
    "s": "14 15 16 17 18 19 20 21 22",
    "p": "06 07 02 09 10 11 12 13 08",
}
_HONOURS: Final = {"29": "E", "30": "S", "31": "W", "32": "N", "33": "C", "34": "F", "44": "P"}
PICTURES: Final = {
    picture: f"{number}{suit}"
    for suit, pictures in _NUMBERS.items()
    for number, picture in enumerate(pictures.split(), 1)
} | _HONOURS
"""Tiles by picture number, as the source writes them (000:17): "tile_01" is 1 of Characters.

tests/scoring/quiz/test_questions.py checks this table against the explanations of each hand.
"""


def tiles_of(pictures: str) -> tuple[str, ...]:
    """Return the tiles of picture numbers.

    >>> tiles_of("10 44")
    ('5p', 'P')
    """
    return tuple(PICTURES[picture] for picture in pictures.split())


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
    sources: tuple[Citation, ...]

    @property
    def choices(self) -> tuple[str, ...]:
        """Each kind of tile in the hand once, in its order there."""
        return tuple(dict.fromkeys(self.tiles))

    @property
    def by_grade(self) -> list[tuple[int, tuple[str, ...]]]:
        """Each grade with its tiles, the best first."""
        return [
            (grade, tuple(tile for tile in self.choices if self.grades.get(tile) == grade))
            for grade in GRADES
        ]

    @property
    def ungraded(self) -> tuple[str, ...]:
        return tuple(tile for tile in self.choices if tile not in self.grades)


@cache
def discards() -> tuple[Discard, ...]:
    """Return all five puzzles in order."""
    return build_all(read_rows(_ROWS, "puzzles"), _discard)


def find_discard(number: int) -> Discard | None:
    return next((puzzle for puzzle in discards() if puzzle.number == number), None)


def _discard(row: Row) -> Discard:
    grades = {tile: points for name, points in _GRADED.items() for tile in _tiles(row, name)}
    note = row.names("note") if row.has("note") else None
    return Discard(
        row.number("number"), _tiles(row, "tiles"), grades, row.names("reason"), note, read_citations(row)
    )


def _tiles(row: Row, name: str) -> tuple[str, ...]:
    try:
        return tiles_of(row.word(name))
    except KeyError as fault:
        raise BookDataError(f"{row.where}: no picture {fault}") from fault
