"""Paper: its sizes, how wide a text is, and tables and texts fitted to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from math import ceil
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders

from tournament.base.models.documents import DocumentJob
from tournament.web.exports.lists import Column, Kind

# --- Sheets ---


MARGIN: Final = 14.0
"""Left and right of what is printed, in millimetres; css/paper.css has the same."""
ABOVE: Final = 20.0
"""Above a table that goes on from the page before (css/paper-standings.css)."""
BELOW: Final = 18.0


@dataclass(frozen=True)
class Sheet:
    """A side of paper, in millimetres."""

    width: float
    height: float

    @property
    def room(self) -> float:
        """From margin to margin."""
        return self.width - 2 * MARGIN

    @property
    def turned(self) -> Sheet:
        return Sheet(self.height, self.width)


PAPERS: Final[Mapping[str, Sheet]] = {
    DocumentJob.Paper.A4: Sheet(210, 297),
    DocumentJob.Paper.LETTER: Sheet(215.9, 279.4),
}
"""Each upright."""


def opening_css(page: str) -> str:
    """The first page of this name says itself what it is: nothing runs above it (css/paper-standings.css)."""
    return f".{page} {{ page: {page} }} @page :nth(1 of {page}) {{ margin-top: 13mm; @top-left {{ content: none }} }}"


def page_css(paper: str) -> str:
    """The size of the page; its margins are those of css/paper.css."""
    sheet = PAPERS[paper]
    return f"@page {{ size: {sheet.width}mm {sheet.height}mm }}"


# --- Tables fitted to their paper ---


POINT: Final = 25.4 / 72
"""In millimetres."""
SMALL: Final = 0.84
"""Of the size of a table: headings, game points of a session, tags."""
SMALLEST: Final = 6.5
"""Points; nothing is printed smaller."""
UPRIGHT: Final = (9.5, 9.0, 8.5)
TURNED: Final = (9.5, 9.0, 8.5, 8.0, 7.5)
FIRST_PAGE_HEAD: Final = 24.0
HEAD: Final = 8.0
"""The line of headings on every page, in millimetres."""


@dataclass(frozen=True)
class Line:
    """A line of a cell."""

    text: str
    is_small: bool = False


@dataclass(frozen=True)
class Cell:
    lines: tuple[Line, ...]
    tags: tuple[str, ...] = ()
    may_change: bool = False

    @classmethod
    def of(cls, text: object, *tags: str, may_change: bool = False) -> Cell:
        return cls((Line("" if text is None else str(text)),), tags, may_change)


@dataclass(frozen=True)
class Printed:
    """A column with its cells."""

    kind: Kind
    headings: tuple[str, ...]
    """A line each."""
    cells: tuple[Cell, ...]

    @classmethod
    def of(cls, column: Column, rows: Iterable[Any]) -> Printed:
        """Print a list's column: each line of its label is a heading, and what is no cell yet becomes one."""
        values = map(column.value, rows)
        cells = (value if isinstance(value, Cell) else Cell.of(value) for value in values)
        return cls(column.kind, tuple(str(column.label).split("\n")), tuple(cells))

    @property
    def is_figures(self) -> bool:
        return not self.kind.wraps


@dataclass(frozen=True)
class Room:
    """How wide columns of words become before they wrap, in parts of the size."""

    name: float
    text: float

    def of(self, kind: Kind) -> float:
        return self.name if kind is Kind.NAME else self.text


AMPLE: Final = Room(name=17, text=9)
NARROW: Final = Room(name=11, text=6)


@dataclass(frozen=True)
class Layout:
    """A table that fits: its side of paper, size of type and widths, in millimetres."""

    sheet: Sheet
    size: float
    columns: tuple[Printed, ...]
    widths: tuple[float, ...]

    @property
    def css(self) -> str:
        """What css/paper.css leaves to the table."""
        return self.css_of(".standings")

    def css_of(self, table: str, page: str = "") -> str:
        """The rules of the table of this selector, on pages of this name."""
        small = _small(self.size)
        rules = [
            f"@page {page} {{ size: {self.sheet.width}mm {self.sheet.height}mm; }}",
            f"{table} {{ table-layout: fixed; font-size: {self.size}pt; }}",
            f"{table} :is(th, small, .tag) {{ font-size: {small:.2f}pt; }}",
            f"{table} :is(th, td) {{ padding-inline: {_padding(self.size)}mm; }}",
        ]
        rules += [
            f"{table} col:nth-child({at}) {{ width: {width:.3f}mm; }}"
            for at, width in enumerate(self.widths, 1)
        ]
        return "\n".join(rules)

    @property
    def lines(self) -> list[list[tuple[Kind, Cell]]]:
        """The cells of each line, and what kind each is."""
        kinds = [column.kind for column in self.columns]
        rows = zip(*(column.cells for column in self.columns), strict=True)
        return [list(zip(kinds, cells, strict=True)) for cells in rows]

    @property
    def pages(self) -> int:
        """How many it takes, as far as one can tell beforehand."""
        page = self.sheet.height - ABOVE - BELOW - HEAD
        rows = zip(*(column.cells for column in self.columns), strict=True)
        return ceil((FIRST_PAGE_HEAD + sum(map(self._height, rows))) / page)

    def _height(self, cells: Sequence[Cell]) -> float:
        lines = [
            _cell_lines(column, cell, width, self.size)
            for column, cell, width in zip(self.columns, cells, self.widths, strict=True)
        ]
        return max(lines) * self.size * POINT * 1.2 + 3


def fit(table: Callable[[int], Sequence[Column]], rows: Sequence[Any], paper: Sheet) -> Layout:
    """Give the first layout in which everything has its room. `table`: the columns with so many sessions in each.

    Upright or turned, in which size, each column how wide, so that nothing is cut off. Widths are measured with the
    fonts that are printed. Figures never break; names and teams take a second line before the type becomes smaller
    than is read with ease. Where all sessions of a long event do not fit beside each other at the smallest size, they
    are folded: the table is asked for again with two, three … sessions in a column.
    """
    for folds, sheet, size, room in _ways(paper):
        columns = [Printed.of(column, rows) for column in table(folds)]
        if (layout := _laid_out(columns, sheet, size, room)) is not None:
            return layout
    raise AssertionError("a single column of sessions fits every paper")


def _ways(paper: Sheet) -> Iterator[tuple[int, Sheet, float, Room]]:
    """From the best to the last resort: sessions in a column, the paper, the size, the room for words."""
    yield from ((1, paper, size, AMPLE) for size in UPRIGHT)
    yield from ((1, paper.turned, size, AMPLE) for size in TURNED)
    yield from ((folds, paper.turned, TURNED[-1], NARROW) for folds in count(1))


def _laid_out(columns: Sequence[Printed], sheet: Sheet, size: float, room: Room) -> Layout | None:
    least = [_least_width(column, size, room) for column in columns]
    if sum(least) > sheet.room:
        return None
    unwrapped = [_unwrapped_width(column, size) for column in columns]
    return Layout(sheet, size, tuple(columns), _spread_out(least, unwrapped, sheet.room))


def fit_as_is(table: Sequence[Column], rows: Sequence[Any], paper: Sheet, turns: bool = True) -> Layout:
    """Fit columns that cannot be folded. `turns`: whether the paper may be.

    What fits in no way is set small, and its words break where they must.
    """
    columns = [Printed.of(column, rows) for column in table]
    sheets = [(paper, UPRIGHT), (paper.turned if turns else paper, TURNED)]
    for sheet, sizes in sheets:
        for size in sizes:
            if (layout := _laid_out(columns, sheet, size, AMPLE)) is not None:
                return layout
    sheet = sheets[-1][0]
    least_widths = [_least_width(column, TURNED[-1], NARROW) for column in columns]
    share = min(1.0, sheet.room / sum(least_widths))
    narrowed = [least * share for least in least_widths]
    return Layout(sheet, TURNED[-1], tuple(columns), _spread_out(narrowed, narrowed, sheet.room))


def _small(size: float) -> float:
    return max(size * SMALL, SMALLEST)


def _padding(size: float) -> float:
    return 1.2 if size > 8.5 else 0.8


def _width(ems: float, size: float) -> float:
    """With the space beside it, and a hair for what rounding adds."""
    return ems * size * POINT * 1.01 + 2 * _padding(size) + 0.1


def _least_width(column: Printed, size: float, room: Room) -> float:
    """The least width of a column in which it looks as it should."""
    whole, small = _whole(column), _small(size) / size
    content = _wrapped(column, whole, room.of(column.kind)) if column.kind.wraps else whole
    heading = max(heading_width(heading) for heading in column.headings) * small
    return _width(max(content, heading), size)


def _wrapped(column: Printed, whole: float, room: float) -> float:
    """Room for several lines; somewhat more where a word would break."""
    words = (widest_word(line.text, column.kind.is_bold) for cell in column.cells for line in cell.lines)
    return min(whole, max(room, min(max(words, default=0.0), room * 1.4)))


def _unwrapped_width(column: Printed, size: float) -> float:
    """The width in which nothing of it wraps, its heading neither."""
    heading = max(width(heading) for heading in column.headings) * _small(size) / size
    return _width(max(_whole(column), heading), size)


def _whole(column: Printed) -> float:
    """The width of the widest cell on one line, in parts of the size."""
    return max((_cell_width(column.kind, cell) for cell in column.cells), default=0.0)


def _cell_width(kind: Kind, cell: Cell) -> float:
    # A small line is taken as at its largest: `SMALLEST` of `TURNED[-1]`.
    small = SMALLEST / TURNED[-1]
    lines = max(width(line.text, kind.is_bold) * (small if line.is_small else 1) for line in cell.lines)
    return lines + sum(width(tag, kind.is_bold) * small + 1.2 for tag in cell.tags)


def _cell_lines(column: Printed, cell: Cell, width: float, size: float) -> int:
    room = (width - 2 * _padding(size)) / (size * POINT)
    return (
        max(len(cell.lines), ceil(_cell_width(column.kind, cell) / room))
        if column.kind.wraps
        else len(cell.lines)
    )


def _spread_out(needed: Sequence[float], unwrapped: Sequence[float], room: float) -> tuple[float, ...]:
    """What is left over goes to what would wrap, then to all alike."""
    left = room - sum(needed)
    # What is wished for may be a hair less than what is needed: sums of the same figures in another order.
    lacking = [max(full - least, 0.0) for least, full in zip(needed, unwrapped, strict=True)]
    share = min(1.0, left / sum(lacking)) if sum(lacking) else 0.0
    extra = (left - share * sum(lacking)) / len(needed)
    return tuple(least + share * more + extra for least, more in zip(needed, lacking, strict=True))


# --- Texts fitted to a box ---


LEADING: Final = 1.2
STEP: Final = 0.5


def largest(text: str, wide: float, high: float, most: float, least: float = 5.0) -> float:
    """Give the size in points, from `most` down to `least`, in which bold text fits a box of so many millimetres.

    It breaks between words; where a single word is longer than a line, in it.
    """
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
    return _room_lines(text, room) * size * POINT * LEADING <= high


def _room_lines(text: str, room: float) -> int:
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


# --- How wide a text is ---


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
    """Give the width of a line of text by the documents' own fonts (static/fonts), in parts of its size.

    Kerning, which only narrows it, is left out.
    """
    widths = [_widths(name) for name in FONTS[bold]]
    return sum(_character(ord(character), widths) for character in text)


def widest_word(text: str, bold: bool = False) -> float:
    """The width of the longest part that a line break never divides."""
    return max((width(word, bold) for word in _WORDS.findall(text)), default=0.0)


def heading_width(text: str) -> float:
    """The least width of a heading: its widest word. Chinese breaks anywhere; nobody reads a column of it."""
    return max(widest_word(text), *(min(width(part), CHARACTERS) for part in _CHINESE.findall(text)), 0.0)


def _character(code: int, fonts: list[Callable[[int], float | None]]) -> float:
    return next((advance for font in fonts if (advance := font(code)) is not None), UNKNOWN)


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
