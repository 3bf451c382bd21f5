"""The largest size in which a text fits a box: nothing is cut, whatever it says."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Final

from tournament.documents.exports.columns import POINT
from tournament.documents.exports.widths import widest_word, width

LEADING: Final = 1.2
STEP: Final = 0.5


def largest(text: str, wide: float, high: float, most: float, least: float = 5.0) -> float:
    """The size in points, from `most` down to `least`, in which bold text fits a box of so many millimetres, breaking
    between words; where a single word is longer than a line, in it."""
    size = most
    while size > least:
        if _fits(text, size, wide, high, whole=size > most * 0.4):
            return size
        size -= STEP
    return least


def size_class(size: float) -> str:
    """The class of what is set in this size: "pt30-5" for 30.5 points."""
    return f"pt{size:.1f}".replace(".", "-")


def sizes_css(sizes: Iterable[float]) -> str:
    """The rules of these classes."""
    return "\n".join(f".{size_class(size)} {{ font-size: {size:.1f}pt }}" for size in sorted(set(sizes)))


def _fits(text: str, size: float, wide: float, high: float, *, whole: bool) -> bool:
    room = wide / (size * POINT) * 0.98
    if whole and widest_word(text, bold=True) > room:
        return False
    return _lines(text, room) * size * POINT * LEADING <= high


def _lines(text: str, room: float) -> int:
    """How many lines it takes at most, a word longer than a line broken where it must."""
    lines, left = 1, room
    for word in text.split():
        need = width(word, bold=True)
        space = width(" ", bold=True) if left < room else 0.0
        if need + space <= left:
            left -= need + space
        elif need <= room:
            lines, left = lines + 1, room - need
        else:
            more = ceil(need / room * 1.1)
            lines, left = lines + more, 0.0
    return lines
