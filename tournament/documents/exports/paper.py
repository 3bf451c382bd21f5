"""Fit tables and texts to a size of paper, measured with the documents' own fonts."""

from __future__ import annotations

import re
import subprocess
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from math import ceil
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders

from tournament.base.models.documents import DocumentJob
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.web.exports.lists import Column, Kind

# --- Sheets ---


MARGIN: Final = 14.0
"""Left and right margin in millimetres; css/paper.css has the same."""
TOP_MARGIN: Final = 20.0
"""Above a table continued from the page before (css/paper-standings.css)."""
BOTTOM_MARGIN: Final = 18.0


@dataclass(frozen=True)
class Sheet:
    """A side of paper, in millimetres."""

    width: float
    height: float

    @property
    def printable_width(self) -> float:
        return self.width - 2 * MARGIN

    @property
    def landscape(self) -> Sheet:
        return Sheet(self.height, self.width)


PAPERS: Final[Mapping[str, Sheet]] = {
    DocumentJob.Paper.A4: Sheet(210, 297),
    DocumentJob.Paper.LETTER: Sheet(215.9, 279.4),
}
"""In portrait orientation."""


def first_page_css(page: str) -> str:
    """Return CSS that omits the running header on the first page of this name (css/paper-standings.css)."""
    header = "@top-left { content: string(unset) }"  # empty, but the event's logo stays
    return f".{page} {{ page: {page} }} @page :nth(1 of {page}) {{ margin-top: 13mm; {header} }}"


def page_css(paper: str) -> str:
    """Return CSS with the size of the page; css/paper.css has the margins."""
    sheet = PAPERS[paper]
    return f"@page {{ size: {sheet.width}mm {sheet.height}mm }}"


# --- Tables ---


MM_PER_POINT: Final = 25.4 / 72
SMALL_RATIO: Final = 0.84
"""The size of headings, tags and game points of a session, as a part of the table's."""
SMALLEST: Final = 6.5
"""Points. Nothing is printed smaller."""
PORTRAIT_SIZES: Final = (9.5, 9.0, 8.5)
LANDSCAPE_SIZES: Final = (9.5, 9.0, 8.5, 8.0, 7.5)
FIRST_PAGE_HEADER: Final = 24.0
HEADING_ROW: Final = 8.0
"""The height of the headings on every page, in millimetres."""


@dataclass(frozen=True)
class Line:
    """A line of a cell."""

    text: str
    is_small: bool = False


@dataclass(frozen=True)
class Cell:
    lines: tuple[Line, ...]
    tags: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: object, *tags: str) -> Cell:
        return cls((Line("" if text is None else str(text)),), tags)


@dataclass(frozen=True)
class PrintedColumn:
    """A column with its cells. `headings`: the lines of its heading."""

    kind: Kind
    headings: tuple[str, ...]
    cells: tuple[Cell, ...]

    @classmethod
    def of(cls, column: Column, rows: Iterable[Any]) -> PrintedColumn:
        """Compute the cells of a list's column; each line of its label becomes a line of the heading."""
        values = map(column.value, rows)
        cells = (value if isinstance(value, Cell) else Cell.of(value) for value in values)
        return cls(column.kind, tuple(str(column.label).split("\n")), tuple(cells))

    @property
    def is_figures(self) -> bool:
        return not self.kind.wraps


@dataclass(frozen=True)
class WrapWidths:
    """The widths, in ems, at which columns of text start to wrap."""

    name: float
    text: float

    def of(self, kind: Kind) -> float:
        return self.name if kind is Kind.NAME else self.text


AMPLE: Final = WrapWidths(name=17, text=9)
NARROW: Final = WrapWidths(name=11, text=6)


@dataclass(frozen=True)
class Layout:
    """A table fitted to a sheet. `size`: of the type, in points; `widths`: of the columns, in millimetres."""

    sheet: Sheet
    size: float
    columns: tuple[PrintedColumn, ...]
    widths: tuple[float, ...]

    @property
    def css(self) -> str:
        return self.css_of(".standings")

    def css_of(self, table: str, page: str = "") -> str:
        """Return the CSS rules of the table with this selector, on pages of this name."""
        small = _small_size(self.size)
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
    def rows(self) -> list[list[tuple[Kind, Cell]]]:
        """The cells of each row with the kind of their column."""
        kinds = [column.kind for column in self.columns]
        rows = zip(*(column.cells for column in self.columns), strict=True)
        return [list(zip(kinds, cells, strict=True)) for cells in rows]

    @property
    def pages(self) -> int:
        """The estimated number of pages."""
        page = self.sheet.height - TOP_MARGIN - BOTTOM_MARGIN - HEADING_ROW
        rows = zip(*(column.cells for column in self.columns), strict=True)
        return ceil((FIRST_PAGE_HEADER + sum(map(self._height, rows))) / page)

    def _height(self, cells: Sequence[Cell]) -> float:
        lines = [
            _cell_lines(column, cell, width, self.size)
            for column, cell, width in zip(self.columns, cells, self.widths, strict=True)
        ]
        return max(lines) * self.size * MM_PER_POINT * 1.2 + 3


def fit_with_folding(
    columns_of: Callable[[int], Sequence[Column]], rows: Sequence[Any], paper: Sheet
) -> Layout:
    """Return the first layout in which nothing is cut off: portrait or landscape, size of type, widths of columns.

    Numbers never wrap; names and teams wrap before the type becomes hard to read. If the sessions of a long event do
    not fit side by side even in the smallest size, they are folded: two, three … sessions share a column.

    `columns_of`: returns the columns for a number of sessions per column.
    """
    for per_column, sheet, size, wrap in _layout_candidates(paper):
        columns = [PrintedColumn.of(column, rows) for column in columns_of(per_column)]
        if (layout := _try_layout(columns, sheet, size, wrap)) is not None:
            return layout
    raise AssertionError("a single column of sessions fits every paper")


def _layout_candidates(paper: Sheet) -> Iterator[tuple[int, Sheet, float, WrapWidths]]:
    """Yield (sessions per column, sheet, size of type, wrap widths), the best layout first."""
    yield from ((1, paper, size, AMPLE) for size in PORTRAIT_SIZES)
    yield from ((1, paper.landscape, size, AMPLE) for size in LANDSCAPE_SIZES)
    yield from ((per_column, paper.landscape, LANDSCAPE_SIZES[-1], NARROW) for per_column in count(1))


def _try_layout(
    columns: Sequence[PrintedColumn], sheet: Sheet, size: float, wrap: WrapWidths
) -> Layout | None:
    """Return the layout, or None if the columns are too wide for the sheet."""
    minimum = [_least_width(column, size, wrap) for column in columns]
    if sum(minimum) > sheet.printable_width:
        return None
    unwrapped = [_unwrapped_width(column, size) for column in columns]
    return Layout(sheet, size, tuple(columns), _distribute(minimum, unwrapped, sheet.printable_width))


def fit_columns(
    columns: Sequence[Column], rows: Sequence[Any], paper: Sheet, can_rotate: bool = True
) -> Layout:
    """Return the first layout in which nothing is cut off; landscape only if `can_rotate`.

    A table that does not fit at all is set in the smallest size, and its words break anywhere.
    """
    printed = [PrintedColumn.of(column, rows) for column in columns]
    sheets = [(paper, PORTRAIT_SIZES), (paper.landscape if can_rotate else paper, LANDSCAPE_SIZES)]
    for sheet, sizes in sheets:
        for size in sizes:
            if (layout := _try_layout(printed, sheet, size, AMPLE)) is not None:
                return layout
    sheet = sheets[-1][0]
    least_widths = [_least_width(column, LANDSCAPE_SIZES[-1], NARROW) for column in printed]
    share = min(1.0, sheet.printable_width / sum(least_widths))
    narrowed = [minimum * share for minimum in least_widths]
    widths = _distribute(narrowed, narrowed, sheet.printable_width)
    return Layout(sheet, LANDSCAPE_SIZES[-1], tuple(printed), widths)


def _small_size(size: float) -> float:
    return max(size * SMALL_RATIO, SMALLEST)


def _padding(size: float) -> float:
    return 1.2 if size > 8.5 else 0.8


def _column_width(ems: float, size: float) -> float:
    """Convert ems to millimetres and add the padding, and a tolerance for rounding."""
    return ems * size * MM_PER_POINT * 1.01 + 2 * _padding(size) + 0.1


def _least_width(column: PrintedColumn, size: float, wrap: WrapWidths) -> float:
    full, small = _full_width(column), _small_size(size) / size
    content = _wrapped_width(column, full, wrap.of(column.kind)) if column.kind.wraps else full
    heading = max(heading_width(heading) for heading in column.headings) * small
    return _column_width(max(content, heading), size)


def _wrapped_width(column: PrintedColumn, full: float, room: float) -> float:
    """Return the width for several lines; up to 40 % more than `room` to keep the longest word whole."""
    words = (widest_word(line.text, column.kind.is_bold) for cell in column.cells for line in cell.lines)
    return min(full, max(room, min(max(words, default=0.0), room * 1.4)))


def _unwrapped_width(column: PrintedColumn, size: float) -> float:
    """Return the width at which neither cells nor heading wrap."""
    heading = max(text_width(heading) for heading in column.headings) * _small_size(size) / size
    return _column_width(max(_full_width(column), heading), size)


def _full_width(column: PrintedColumn) -> float:
    """Return the width of the widest cell without wrapping, in ems."""
    return max((_cell_width(column.kind, cell) for cell in column.cells), default=0.0)


def _cell_width(kind: Kind, cell: Cell) -> float:
    # Small lines are relatively widest in the smallest table.
    small = SMALLEST / LANDSCAPE_SIZES[-1]
    lines = max(text_width(line.text, kind.is_bold) * (small if line.is_small else 1) for line in cell.lines)
    return lines + sum(text_width(tag, kind.is_bold) * small + 1.2 for tag in cell.tags)


def _cell_lines(column: PrintedColumn, cell: Cell, width: float, size: float) -> int:
    room = (width - 2 * _padding(size)) / (size * MM_PER_POINT)
    return (
        max(len(cell.lines), ceil(_cell_width(column.kind, cell) / room))
        if column.kind.wraps
        else len(cell.lines)
    )


def _distribute(needed: Sequence[float], unwrapped: Sequence[float], room: float) -> tuple[float, ...]:
    """Share the width that is left: first among columns that would wrap, then equally among all."""
    left = room - sum(needed)
    # Rounding may make `full` slightly less than `least`.
    lacking = [max(full - minimum, 0.0) for minimum, full in zip(needed, unwrapped, strict=True)]
    share = min(1.0, left / sum(lacking)) if sum(lacking) else 0.0
    extra = (left - share * sum(lacking)) / len(needed)
    return tuple(minimum + share * more + extra for minimum, more in zip(needed, lacking, strict=True))


# --- Texts in a box ---


LINE_HEIGHT: Final = 1.2
SIZE_STEP: Final = 0.5


def largest_size(text: str, width: float, height: float, maximum: float, minimum: float = 5.0) -> float:
    """Return the size in points, from `maximum` down to `minimum`, at which bold text fits a box given in millimetres.

    Text wraps between words; below 40 % of `maximum` long words may break.
    """
    size = maximum
    while size > minimum:
        if _fits(text, size, width, height, keep_words=size > maximum * 0.4):
            return size
        size -= SIZE_STEP
    return minimum


def size_class(size: float) -> str:
    """Return the CSS class of a size: "pt30-5" for 30.5 points."""
    return f"pt{size:.1f}".replace(".", "-")


def sizes_css(sizes: Iterable[float]) -> str:
    """Return the CSS rules of the classes of these sizes."""
    return "\n".join(f".{size_class(size)} {{ font-size: {size:.1f}pt }}" for size in sorted(set(sizes)))


def _fits(text: str, size: float, width: float, height: float, *, keep_words: bool) -> bool:
    room = width / (size * MM_PER_POINT) * 0.98
    if keep_words and widest_word(text, bold=True) > room:
        return False
    return _line_count(text, room) * size * MM_PER_POINT * LINE_HEIGHT <= height


def _line_count(text: str, room: float) -> int:
    """Return an upper bound of the lines that a text takes, in lines `room` ems wide."""
    lines, left = 1, room
    for word in text.split():
        need = text_width(word, bold=True)
        space = text_width(" ", bold=True) if left < room else 0.0
        if need + space <= left:
            left -= need + space
        elif need <= room:
            lines, left = lines + 1, room - need
        else:
            more = ceil(need / room * 1.1)
            lines, left = lines + more, 0.0
    return lines


# --- Width of a text ---


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
"""Bold → the fonts in which a character is looked up, in the order of css/paper.css."""
_WORDS: Final = re.compile("[^\\s\u2e80-\uffff-]+-?|\\S")
"""Parts that no line break divides: a word, a word up to its hyphen, or one Chinese character."""
_CHINESE: Final = re.compile("[\u2e80-\u9fff\uf900-\uffef]+")
CHINESE_UNBROKEN: Final = 4.0
"""Chinese characters that a heading keeps on a line, as many as most headings have (标准分)."""
UNKNOWN_WIDTH: Final = 1.0
"""The assumed width of a character that none of the fonts has."""


@lru_cache(maxsize=2**14)
def text_width(text: str, bold: bool = False) -> float:
    """Return the width of a line of text in ems, by the documents' own fonts (static/fonts), without kerning."""
    widths = [_font_widths(name) for name in FONTS[bold]]
    return sum(_character_width(ord(character), widths) for character in text)


def widest_word(text: str, bold: bool = False) -> float:
    """Return the width in ems of the widest part that no line break divides."""
    return max((text_width(word, bold) for word in _WORDS.findall(text)), default=0.0)


def heading_width(text: str) -> float:
    """Return the least width of a heading in ems: its widest word, or `CHINESE_UNBROKEN` characters."""
    return max(
        widest_word(text), *(min(text_width(part), CHINESE_UNBROKEN) for part in _CHINESE.findall(text)), 0.0
    )


def _character_width(code: int, fonts: list[Callable[[int], float | None]]) -> float:
    return next((advance for font in fonts if (advance := font(code)) is not None), UNKNOWN_WIDTH)


@cache
def _font_widths(name: str) -> Callable[[int], float | None]:
    """Return a function: code point → its width in ems in this font, or None."""
    from fontTools.ttLib import TTFont  # imported here: only the worker makes documents

    file = finders.find(f"fonts/{name}.ttf")
    assert file is not None, "made by bin/make-fonts"
    with TTFont(Path(file), lazy=True) as font:
        names, advances = font.getBestCmap(), font["hmtx"].metrics
        size = font["head"].unitsPerEm
    return lambda code: advances[names[code]][0] / size if code in names else None


# --- Characters without a font ---


USUAL: Final = 0x0590
"""Our fonts have all characters before this: Latin, Greek, Cyrillic and Armenian."""
INVISIBLE: Final = frozenset({"Cc", "Cf", "Mn", "Me", "Zs"})
"""Unicode categories that need no glyph of their own."""


def names_without_font(tournament: Tournament) -> list[tuple[Player, str]]:
    """List players whose names, team or club has characters that are printed as boxes, with these characters."""
    return [
        (player, missing)
        for player in tournament.players.all()
        if (missing := missing_characters(player.full_name + player.second_name + player.team + player.club))
    ]


def missing_characters(text: str) -> str:
    """Return the characters that are printed as boxes: neither our fonts nor the server's have them."""
    return "".join(character for character in dict.fromkeys(text) if not _has_glyph(character))


def _has_glyph(character: str) -> bool:
    code = ord(character)
    if code < USUAL or unicodedata.category(character) in INVISIBLE:
        return True
    return any(_font_widths(name)(code) is not None for name in FONTS[False]) or code in _server_characters()


@cache
def _server_characters() -> frozenset[int]:
    """Return the code points that the fonts of this server have; none without fontconfig."""
    try:
        listed = subprocess.run(
            ["fc-list", "--format", "%{charset}\\n"], capture_output=True, check=False, timeout=10, text=True
        )
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    spans = (span.partition("-") for span in set(listed.stdout.split()))
    return frozenset(
        code for first, _, last in spans for code in range(int(first, 16), int(last or first, 16) + 1)
    )
