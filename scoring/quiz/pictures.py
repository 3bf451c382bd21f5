"""The tiles of the five puzzles, which their text has as numbers of pictures (000:17): "tile_01" is 1 of Characters.

What the explanations say of each hand fits this table; tests/scoring/quiz/test_discards.py holds it to them.
"""

from __future__ import annotations

from typing import Final

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


def tiles_of(pictures: str) -> tuple[str, ...]:
    """
    >>> tiles_of("10 44")
    ('5p', 'P')
    """
    return tuple(PICTURES[picture] for picture in pictures.split())
