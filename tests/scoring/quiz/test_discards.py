"""The five puzzles are those of the source: hands, grades, and tiles that fit what is said of them."""

from __future__ import annotations

import re
from pathlib import Path

from scoring.engine import TILES
from scoring.quiz.discards import PICTURES, discards, find_discard

SOURCE = Path(__file__).parents[2] / "data" / "first_discard.txt"
"""000:12-218 without its explanations."""
HEADINGS = {"Best": 100, "Better": 80, "Good": 60, "Not Good": 0}


def as_written() -> list[tuple[list[str], dict[str, int]]]:
    """Each puzzle of the source: the numbers of its pictures, and the grade of each that has one."""
    puzzles: list[tuple[list[str], dict[str, int]]] = []
    under: int | None = None
    for line in SOURCE.read_text("utf-8").splitlines():
        pictures = re.findall(r"tile_(\d\d)", line)
        if line.startswith("The first discard"):
            puzzles.append(([], {}))
            under = None
        elif line in HEADINGS:
            under = HEADINGS[line]
        elif pictures and under is None:
            puzzles[-1][0].extend(pictures)
        elif under is not None:
            puzzles[-1][1].update(dict.fromkeys(pictures, under))
    return puzzles


def test_hands_and_grades_are_the_sources() -> None:
    """Five, of fourteen tiles of a set; only the three of characters of the third is ungraded."""
    assert [puzzle.number for puzzle in discards()] == [1, 2, 3, 4, 5]
    assert find_discard(6) is None
    for puzzle, (pictures, grades) in zip(discards(), as_written(), strict=True):
        assert puzzle.tiles == tuple(PICTURES[picture] for picture in pictures)
        assert puzzle.grades == {PICTURES[picture]: points for picture, points in grades.items()}
        assert len(puzzle.tiles) == 14
        assert all(tile in TILES and puzzle.tiles.count(tile) <= 4 for tile in puzzle.tiles)
        assert set(puzzle.grades) <= set(puzzle.tiles)
        assert sum(points == 100 for points in puzzle.grades.values()) == 1
    assert [puzzle.ungraded for puzzle in discards()] == [(), (), ("3m",), (), ()]
    assert sorted(PICTURES.values()) == sorted(TILES)


def test_the_tiles_fit_what_is_said_of_them() -> None:
    """Straights without their 5 and 6, the winds named, the triple chow of 123, 3 of Bamboos beside 5 and 8 of Dots."""
    first, second, third, fourth, fifth = (set(puzzle.tiles) for puzzle in discards())
    assert {"4m", "8m", "9m", "4s"} <= first
    assert not {"5m", "6m", "5s", "6s"} & first
    assert {"E", "N", "C"} <= second
    assert {"1m", "2m", "3m", "1s", "2s", "2p", "3p"} <= third
    assert {"3s", "5p", "8p"} <= fourth
    assert "2p" not in fourth
    assert {"F", "P"} <= fifth


def test_reasons_are_in_three_languages_and_notes_where_the_source_is_faulty() -> None:
    for puzzle in discards():
        assert puzzle.reason.en != puzzle.reason.zh_hans != puzzle.reason.zh_hant
    assert [puzzle.number for puzzle in discards() if puzzle.note] == [3, 5]
    best = ["5p", "N", "W", "7p", "P"]
    assert [puzzle.by_grade[0] for puzzle in discards()] == [(100, (tile,)) for tile in best]
