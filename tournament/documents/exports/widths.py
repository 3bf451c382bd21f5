"""How wide a text is on paper, by the documents' own fonts (static/fonts)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders

FONTS: Final = {
    False: (
        "noto-sans-regular",
        "noto-sans-chinese-regular",
        "noto-sans-korean-regular",
        "noto-sans-symbols-2-regular",
    ),
    True: (
        "noto-sans-bold",
        "noto-sans-chinese-bold",
        "noto-sans-korean-bold",
        "noto-sans-symbols-2-regular",
    ),
}
"""Bold → the fonts a character is looked for in, in the order of css/paper.css."""
_WORDS: Final = re.compile("[^\\s\u2e80-\uffff-]+-?|\\S")
"""What a line break leaves whole: up to a space, or a hyphen and with it; of Chinese, a character."""
_CHINESE: Final = re.compile("[\u2e80-\u9fff\uf900-\uffef]+")
CHARACTERS: Final = 4.0
"""Of Chinese in a heading, so many stay on a line: "table points" and its like have three or four."""
UNKNOWN: Final = 1.0
"""Of a character in none of them, which the system's fonts draw: few are wider."""


@lru_cache(maxsize=2**14)
def width(text: str, bold: bool = False) -> float:
    """The width of a line of text, in parts of its size. Kerning, which only narrows it, is left out."""
    widths = [_widths(name) for name in FONTS[bold]]
    return sum(_character(ord(character), widths) for character in text)


def widest_word(text: str, bold: bool = False) -> float:
    """The width of the longest part that a line break never divides."""
    return max((width(word, bold) for word in _WORDS.findall(text)), default=0.0)


def heading_width(text: str) -> float:
    """The least width of a heading: its widest word. Chinese breaks anywhere; nobody reads a column of it."""
    return max(widest_word(text), *(min(width(part), CHARACTERS) for part in _CHINESE.findall(text)), 0.0)


def _character(code: int, fonts: list[Callable[[int], float | None]]) -> float:
    return next((found for font in fonts if (found := font(code)) is not None), UNKNOWN)


@cache
def _widths(name: str) -> Callable[[int], float | None]:
    """Character → its width in this font, or None where the font lacks it."""
    from fontTools.ttLib import TTFont  # as WeasyPrint: only the worker makes documents

    file = finders.find(f"fonts/{name}.ttf")
    assert file is not None, "bin/make-fonts made it"
    with TTFont(Path(file), lazy=True) as font:
        names, advances = font.getBestCmap(), font["hmtx"].metrics
        size = font["head"].unitsPerEm
    return lambda code: advances[names[code]][0] / size if code in names else None
