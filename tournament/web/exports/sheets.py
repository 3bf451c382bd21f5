"""Files of rows, CSV and XLSX: read as sheets of lines, and written."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import chain, islice
from statistics import median
from typing import IO, Any, Protocol
from xml.etree.ElementTree import ParseError, iterparse
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils.cell import range_boundaries
from openpyxl.utils.exceptions import InvalidFileException

from tournament.base.errors import refuse
from tournament.base.models.people import Player
from tournament.web.exports.headings import are_headings, columns_by_heading, known_headings

# --- Files of rows ---


MOST_BYTES = 2 * 1024 * 1024
"""A list of two thousand players is a tenth of this."""
MOST_LINES = 2000
MOST_ROWS = 10_000
"""Of a sheet, empty ones counted; what stands further down is not looked for."""
MOST_CHARACTERS = 500
"""Of a cell: a name has 80."""
LOOKED_AT = 30
"""Lines of a sheet in which a list begins, if it has one."""
SEPARATORS = (";", "\t", ",", "|")
_ZIP = b"PK\x03\x04"
_BLANK = ("Cc", "Zs", "Zl", "Zp")
_UNSEEN = dict.fromkeys([0xFEFF, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Byte-order marks and the marks that turn the direction of what follows, names beside it included."""
_UTF_16 = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


@dataclass(frozen=True)
class Line:
    """A line with something in it. `number` counts every line of the file from 1, as a spreadsheet does."""

    number: int
    cells: tuple[str, ...]

    @property
    def said(self) -> int:
        """How many cells say something."""
        return sum(map(bool, self.cells))


class Sheet(Protocol):
    """What a file holds under one name; a text is a sheet without a name."""

    @property
    def name(self) -> str: ...

    @property
    def is_hidden(self) -> bool: ...

    def rows(self, most: int, *, merged: bool) -> Iterable[Sequence[str]]: ...


def read_sheets(data: bytes) -> Sequence[Sheet]:
    """Open the sheets of a file, CSV or XLSX in whatever encoding; refused when it is no list at all."""
    return worksheets(data) if data.startswith(_ZIP) else [_Text(decoded(data))]


def head_of(sheet: Sheet) -> tuple[Line, ...]:
    """The lines among a sheet's first rows: enough to see what it holds."""
    return tuple(_lines(sheet.rows(LOOKED_AT, merged=False)))


def lines_of(sheet: Sheet, most: int = MOST_LINES) -> tuple[Line, ...]:
    """The lines of a sheet; refused when there are none, or more than `most`."""
    lines = tuple(islice(_lines(sheet.rows(MOST_ROWS, merged=True)), most + 1))
    if not lines:
        raise refuse("list_empty")
    if len(lines) > most:
        raise refuse("list_too_long", most=most)
    return lines


def read_lines(data: bytes) -> tuple[Line, ...]:
    """The lines of the first sheet that has any."""
    sheets = read_sheets(data)
    return lines_of(next((sheet for sheet in sheets if head_of(sheet)), sheets[0]))


def _lines(rows: Iterable[Sequence[str]]) -> Iterator[Line]:
    for number, row in enumerate(rows, 1):
        cells = tuple(tidy(cell[:MOST_CHARACTERS]) for cell in row[:MOST_COLUMNS])
        if any(cell.strip("".join(SEPARATORS)) for cell in cells):
            yield Line(number, cells)


def decoded(data: bytes) -> str:
    """The text, whichever of the usual encodings it is in: UTF-8, UTF-16, GB 18030 or Windows-1252."""
    if encoding := _UTF_16.get(data[:2]) or _unmarked_utf_16(data):
        return data.decode(encoding, "replace").removeprefix("\ufeff")
    if b"\0" in data:
        raise refuse("list_unreadable")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gb18030" if _looks_chinese(data) else "cp1252", "replace")


def _unmarked_utf_16(data: bytes) -> str:
    """UTF-16 without its mark: every other byte of Latin text is zero."""
    head = data[:400]
    if len(head) >= 8 and head[1::2].count(0) > len(head) // 4 and not head[::2].count(0):
        return "utf-16-le"
    if len(head) >= 8 and head[::2].count(0) > len(head) // 4 and not head[1::2].count(0):
        return "utf-16-be"
    return ""


def _looks_chinese(data: bytes) -> bool:
    """Read as GB 18030, nearly every character beyond ASCII is a common Han one; accents never come out so."""
    try:
        beyond = [char for char in data.decode("gb18030") if not char.isascii()]
    except UnicodeDecodeError:
        return False
    common = sum(_is_common(char) for char in beyond)
    return common >= 0.7 * len(beyond)


def _is_common(char: str) -> bool:
    try:
        return len(char.encode("gb2312")) == 2
    except UnicodeEncodeError:
        return False


def tidy(text: str) -> str:
    """A cell without what nobody means: spaces around it, doubled or odd ones, control marks, loose accents."""
    composed = unicodedata.normalize("NFC", text).translate(_UNSEEN)
    seen = (" " if unicodedata.category(char) in _BLANK else char for char in composed)
    return " ".join("".join(seen).split())


def no_formula(text: str) -> str:
    """A spreadsheet that opens a CSV would reckon with what begins as a formula does: there it is a text."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def separator_of(text: str) -> str:
    """The separator that parts the most of the first lines into the same number of cells, the more the better."""

    def fit(separator: str) -> tuple[int, int]:
        # Of all the lines and not the first: a title above the list has no separator, or one by chance.
        widths = Counter(len(row) for row in islice(_parsed(text[:20_000], separator), 40) if len(row) > 1)
        return max(((lines, width) for width, lines in widths.items()), default=(0, 0))

    return max(SEPARATORS, key=fit)


@dataclass(frozen=True)
class _Text:
    text: str
    name: str = ""
    is_hidden: bool = False

    def rows(self, most: int, *, merged: bool) -> Iterator[list[str]]:
        return islice(self._rows(), most)

    def _rows(self) -> Iterator[list[str]]:
        if declared := re.match(r"sep=(.)\r?\n", self.text):
            # Excel's own way of saying it; the line counts, as it does in the spreadsheet's file.
            yield []
            yield from _parsed(self.text[declared.end() :], declared[1])
        else:
            yield from _parsed(self.text, separator_of(self.text))


def _parsed(text: str, separator: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    except csv.Error:
        raise refuse("list_unreadable") from None


# --- XLSX ---


MOST_SHEETS = 20
MOST_COLUMNS = 60
MOST_UNPACKED = 32 * 1024 * 1024
"""Bytes of all parts together; a list of two thousand players is a fiftieth of this."""
MOST_MARKS = 600_000
"""Tags of all parts together, closing ones counted: each costs memory when it is read, however few bytes it has in the
file. Two thousand players in a dozen columns are a quarter of this."""
MOST_MERGED = 5_000
"""Merged cells of a sheet; further ones stay as they are."""
MOST_FILLED = 20_000
"""Cells that are filled from the merged cell above them."""

_PIECE = 1024 * 1024
_UNREADABLE = (
    *(BadZipFile, zlib.error, EOFError, InvalidFileException, ParseError),
    *(KeyError, IndexError, AttributeError, ValueError, TypeError, OverflowError),
    *(RuntimeError, NotImplementedError),  # a password, an unknown compression
)


class Worksheet:
    """One sheet, read anew each time it is asked."""

    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet
        self.name: str = sheet.title
        self.is_hidden: bool = sheet.sheet_state != "visible"

    def rows(self, most: int, *, merged: bool) -> Iterator[list[str]]:
        """The first rows. `merged`: a cell merged over rows says the same in each row that says anything."""
        with _readable():
            below = self._below() if merged else {}
            texts: dict[tuple[int, int], str] = {}
            # Told how many columns and rows, openpyxl does not believe a size that the file states wrongly.
            read = self._sheet.iter_rows(max_col=MOST_COLUMNS, max_row=most, values_only=True)
            for number, values in enumerate(islice(read, most), 1):
                row = [_cell_text(value) for value in values]
                if any(row):
                    _fill(row, number, below, texts)
                yield _without_end(row)

    def _below(self) -> dict[tuple[int, int], tuple[int, int]]:
        """(row, column) under the top of a merged cell → that of its top. A title across columns stays one cell."""
        tops: dict[tuple[int, int], tuple[int, int]] = {}
        with self._sheet._get_source() as source:
            for ref in islice(_merged(source), MOST_MERGED):
                left, top, _right, bottom = range_boundaries(ref)
                rows = range(top + 1, min(bottom, top + MOST_FILLED - len(tops)) + 1)
                tops |= {(row, left): (top, left) for row in rows if left <= MOST_COLUMNS}
        return tops


def _merged(source: IO[bytes]) -> Iterator[str]:
    for _event, element in iterparse(source):
        if element.tag.endswith("}mergeCell"):
            yield element.get("ref", "")
        element.clear()


def _fill(
    row: list[str],
    number: int,
    below: dict[tuple[int, int], tuple[int, int]],
    texts: dict[tuple[int, int], str],
) -> None:
    for index, text in enumerate(row):
        at = (number, index + 1)
        texts[at] = text
        if at in below and not text:
            row[index] = texts.get(below[at], "")


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _without_end(row: Iterable[str]) -> list[str]:
    """Cut off the empty cells behind the last that says something."""
    cells = list(row)
    while cells and not cells[-1]:
        cells.pop()
    return cells


def worksheets(data: bytes) -> list[Worksheet]:
    """Open the sheets of an XLSX file, without charts; refused when it is no workbook."""
    with _readable():
        _weigh(ZipFile(io.BytesIO(data)))
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        return [Worksheet(sheet) for sheet in book.worksheets[:MOST_SHEETS]]


def _weigh(parts: ZipFile) -> None:
    """Refuse a file that is small by itself and enormous once it is read."""
    if sum(part.file_size for part in parts.infolist()) > MOST_UNPACKED:
        raise refuse("list_unreadable")
    marks = 0
    for part in parts.infolist():
        # Of the other ways to pack, zipfile unpacks a whole block at a time, whatever it comes to.
        if part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise refuse("list_unreadable")
        with parts.open(part) as unpacked:
            while piece := unpacked.read(_PIECE):
                marks += piece.count(b"<")
                if marks > MOST_MARKS:
                    raise refuse("list_unreadable")


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except _UNREADABLE:
        raise refuse("list_unreadable") from None


# --- Where the list stands ---


def heading_row(lines: Sequence[Line]) -> int:
    """Find the number of the line with the most headings that are known; 0 when there is none.

    Titles stand above it.
    """
    number, most = 0, 0
    for index, line in enumerate(beginning(lines)):
        below = [other.said for other in lines[index + 1 : index + 1 + LOOKED_AT]]
        known = known_headings(line.cells)
        # One alone stands over one column, or over both parts of a name: over more, "Player" is a title.
        is_title = known == line.said == 1 and below and median(below) > 2
        if not are_headings(line.cells) or is_title:
            continue
        # Headings in two lines, one below the other: the lower says more exactly what stands under it.
        if known > most or (known == most and line.number == number + 1):
            number, most = line.number, known
    return number


def beginning(lines: Iterable[Line]) -> list[Line]:
    """The lines among which headings are looked for."""
    return [line for line in lines if line.number <= LOOKED_AT]


def likely_sheet(sheets: Sequence[Sheet]) -> Sheet:
    """The sheet that looks most like players: names among the most headings, then the most lines, then the first."""
    return max(sheets, key=_likeness)


def _likeness(sheet: Sheet) -> tuple[bool, int, int]:
    lines = head_of(sheet)
    heading = heading_row(lines)
    columns = [columns_by_heading(line.cells, []) for line in lines if line.number == heading]
    fields = len([name for name in columns[0] if name]) if columns and "last_name" in columns[0] else 0
    return (bool(lines) and not sheet.is_hidden, fields, sum(line.said > 1 for line in lines))


def notes_in(lines: Sequence[Line], names: Sequence[int], heading: int) -> frozenset[int]:
    """Lines of one cell in a list of many: titles, "* = vegetarian", "Total 24". `names`: the columns of names.

    One that stands in a column of names, among the others, is somebody of whom no more is known.
    """
    if not lines or median(line.said for line in lines) < 3:
        return frozenset()
    notes: set[int] = set()
    before = heading or -1
    for line in lines:
        is_apart = before != line.number - 1 or before in notes
        is_name = any(index < len(line.cells) and line.cells[index] for index in names)
        if line.said == 1 and (is_apart or not is_name):
            notes.add(line.number)
        before = line.number
    return frozenset(notes)


# --- Writing ---


CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV_TYPE = "text/csv; charset=utf-8"
PLAYER_HEADINGS = ("number", "last name", "first name", "country", "EMA number", "team", "club")
"""Headings that the import reads (`tournament.web.exports.headings`)."""

Cell = str | int | float | Decimal | date | None
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first moment a ZIP can tell."""
_WRITTEN_AT = re.compile(rb"<dcterms:(created|modified).*?</dcterms:\1>")


def players_sheet(players: Iterable[Player]) -> bytes:
    """Write the players, in the form that can be imported again."""
    return workbook_of("players", PLAYER_HEADINGS, map(_player, players))


def players_csv(players: Iterable[Player]) -> bytes:
    return csv_of(PLAYER_HEADINGS, map(_player, players))


def _player(player: Player) -> list[Cell]:
    names: tuple[Cell, ...] = (player.number, player.last_name, player.first_name)
    return [*names, player.country, player.ema_number, player.team, player.club]


def workbook_of(title: str, headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Write one sheet, its headings bold and always in sight.

    The same contents are the same bytes, so that a sheet can be kept and compared like any page.
    """
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    bold = Font(bold=True)
    first = [_text_cell(sheet, heading) for heading in headings]
    for cell in first:
        cell.font = bold
    sheet.append(first)
    for row in rows:
        sheet.append([_cell(sheet, value) for value in row])
    written = io.BytesIO()
    book.save(written)
    return _without_times(written.getvalue())


def csv_of(headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Write the same for programs, as spreadsheets open it without asking: UTF-8 with its mark, days as 2027-03-14."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\r\n")
    lines.writerows([_plain(cell) for cell in row] for row in chain([headings], rows))
    return written.getvalue().encode("utf-8-sig")


def _plain(cell: Cell) -> str:
    if not isinstance(cell, str):
        return "" if cell is None else str(cell)
    return no_formula(cell)


def _cell(sheet: object, value: Cell) -> Cell | WriteOnlyCell:
    return _text_cell(sheet, value) if isinstance(value, str) else value


def _text_cell(sheet: object, text: str) -> WriteOnlyCell:
    """A text stays a text: a name may begin as a formula does. Signs that no sheet can hold are left out."""
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", text))
    cell.data_type = "s"
    return cell


def _without_times(book: bytes) -> bytes:
    """The same workbook without the moment of its writing."""
    settled = io.BytesIO()
    with ZipFile(io.BytesIO(book)) as old, ZipFile(settled, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = ZipInfo(name, _EARLIEST)
            part.compress_type = ZIP_DEFLATED
            new.writestr(part, _WRITTEN_AT.sub(b"", old.read(name)))
    return settled.getvalue()
