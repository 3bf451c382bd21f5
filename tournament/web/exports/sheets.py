"""Reading of imported lists: CSV and XLSX files as sheets of lines."""

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
from itertools import islice
from statistics import median
from typing import IO, Any, Protocol
from xml.etree.ElementTree import ParseError, iterparse
from xml.parsers.expat import ExpatError, ParserCreate
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from openpyxl import load_workbook
from openpyxl.utils.cell import range_boundaries
from openpyxl.utils.exceptions import InvalidFileException

from scoring.engine.problems import problem_code
from tournament.base.engine.text import tidy
from tournament.base.errors import Refused
from tournament.base.problems import LIST_EMPTY
from tournament.web.exports.encodings import ENCODINGS, decode, encoding_of
from tournament.web.exports.headings import (
    are_headings,
    columns_by_heading,
    field_by_contents,
    known_headings,
)

LIST_UNREADABLE = problem_code(
    "list_unreadable", "This file is not a list that can be read. Save it as CSV or XLSX and try again."
)
LIST_TOO_LONG = problem_code(
    "list_too_long", "The list has more than {maximum} rows; no more can be read at once."
)

# --- Files of rows ---


MAX_BYTES = 2 * 1024 * 1024
"""A list of two thousand players has a tenth of this."""
MAX_LINES = 2000
MAX_ROWS = 10_000
"""Rows of a sheet, empty ones included; further ones are ignored."""
MAX_CHARACTERS = 500
"""Of a cell."""
HEAD_ROWS = 30
"""Rows in which a list's headings are looked for."""
SEPARATORS = (";", "\t", ",", "|")
_NO_SEPARATOR = "\x1f"
"""A character that no list has."""
_ZIP = b"PK\x03\x04"


@dataclass(frozen=True)
class Line:
    """A non-empty line. `number` counts all lines of the file from 1, as a spreadsheet does."""

    number: int
    cells: tuple[str, ...]

    @property
    def filled_cells(self) -> int:
        """Number of non-empty cells."""
        return sum(map(bool, self.cells))


class Sheet(Protocol):
    """A sheet of a file; a CSV file is one sheet without a name."""

    @property
    def name(self) -> str: ...

    @property
    def is_hidden(self) -> bool: ...

    def rows(self, maximum: int, *, merged: bool) -> Iterable[Sequence[str]]: ...


def read_sheets(data: bytes, encoding: str = "") -> Sequence[Sheet]:
    """Return the sheets of a CSV file, or of an XLSX file; raise Refused for other files.

    `encoding`: one of the ENCODINGS; "" to detect it.
    """
    if data.startswith(_ZIP):
        return worksheets(data)
    encoding = text_encoding(data, encoding)
    if not encoding:
        raise Refused(LIST_UNREADABLE())
    return [_Text(decode(data, encoding))]


def text_encoding(data: bytes, chosen: str = "") -> str:
    """Return the encoding of a text: the chosen one, else the likeliest; "" for workbooks and other binary data."""
    if data.startswith(_ZIP):
        return ""
    return chosen if chosen in ENCODINGS and b"\0" not in data else encoding_of(data)


def head_of(sheet: Sheet) -> tuple[Line, ...]:
    """Return the lines among a sheet's first rows."""
    return tuple(_lines(sheet.rows(HEAD_ROWS, merged=False)))


def lines_of(sheet: Sheet, maximum: int = MAX_LINES) -> tuple[Line, ...]:
    """Return the lines of a sheet; raise Refused if there are none, or more than `maximum`."""
    lines = tuple(islice(_lines(sheet.rows(MAX_ROWS, merged=True)), maximum + 1))
    if not lines:
        raise Refused(LIST_EMPTY())
    if len(lines) > maximum:
        raise Refused(LIST_TOO_LONG(maximum=maximum))
    return lines


def read_lines(data: bytes) -> tuple[Line, ...]:
    """Return the lines of the first sheet that is not empty."""
    sheets = read_sheets(data)
    return lines_of(next((sheet for sheet in sheets if head_of(sheet)), sheets[0]))


def _lines(rows: Iterable[Sequence[str]]) -> Iterator[Line]:
    for number, row in enumerate(rows, 1):
        cells = tuple(tidy(cell[:MAX_CHARACTERS]) for cell in row[:MAX_COLUMNS])
        if any(cell.strip("".join(SEPARATORS)) for cell in cells):
            yield Line(number, cells)


def separator_of(text: str) -> str:
    """Return the separator that splits most of the first lines into the same number of cells."""

    def fit(separator: str) -> tuple[int, int]:
        # Several lines, as a title above the list has no separator, or one by chance.
        widths = Counter(len(row) for row in islice(_parsed(text[:20_000], separator), 40) if len(row) > 1)
        return max(((lines, width) for width, lines in widths.items()), default=(0, 0))

    separator = max(SEPARATORS, key=fit)
    if separator == ",":
        rows = [row for row in _parsed(text[:20_000], separator) if row]
        second = [row[1].strip() for row in rows if len(row) > 1]
        # Commas inside names, in some lines only: "Lindqvist, Erik" above "Anna-Karin SVENSSON".
        if {*map(len, rows)} == {1, 2} and not field_by_contents(second):
            return _NO_SEPARATOR
    return separator


@dataclass(frozen=True)
class _Text:
    text: str
    name: str = ""
    is_hidden: bool = False

    def rows(self, maximum: int, *, merged: bool) -> Iterator[list[str]]:
        return islice(self._rows(), maximum)

    def _rows(self) -> Iterator[list[str]]:
        if declared := re.match(r"sep=(.)\r?\n", self.text):
            yield []  # Excel's own declaration; its line counts
            yield from _parsed(self.text[declared.end() :], declared[1])
        else:
            yield from _parsed(self.text, separator_of(self.text))


def _parsed(text: str, separator: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    except csv.Error:
        raise Refused(LIST_UNREADABLE()) from None


# --- XLSX ---


MAX_SHEETS = 20
MAX_COLUMNS = 60
MAX_UNPACKED_BYTES = 32 * 1024 * 1024
"""Bytes of all parts; a list of two thousand players has a fiftieth of this."""
MAX_MARKS = 800_000
"""Elements and attributes of all parts: each takes memory, however small the file. Two thousand players in a dozen
columns have a quarter of this."""
MAX_TAG_LENGTH = 64 * 1024
"""Bytes: parsers scan an unfinished tag again with each piece they read."""
MAX_MERGED = 5_000
"""Merged cells of a sheet; further ones stay as they are."""
MAX_FILLED = 20_000
"""Cells filled from the merged cell above them."""

_UNREADABLE = (
    *(BadZipFile, zlib.error, EOFError, InvalidFileException, ParseError),
    *(KeyError, IndexError, AttributeError, ValueError, TypeError, OverflowError),
    *(RuntimeError, NotImplementedError),  # a password, an unknown compression
)


class Worksheet:
    """One sheet, read anew at each call."""

    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet
        self.name: str = sheet.title
        self.is_hidden: bool = sheet.sheet_state != "visible"

    def rows(self, maximum: int, *, merged: bool) -> Iterator[list[str]]:
        """Yield the first rows. `merged`: repeat a cell merged over rows in each of them."""
        with _readable():
            merged_cells = self._merged_cells() if merged else {}
            texts: dict[tuple[int, int], str] = {}
            # With explicit limits openpyxl ignores a wrong size stated in the file.
            all_values = self._sheet.iter_rows(max_col=MAX_COLUMNS, max_row=maximum, values_only=True)
            for number, values in enumerate(islice(all_values, maximum), 1):
                row = [_cell_text(value) for value in values]
                if any(row):
                    _fill(row, number, merged_cells, texts)
                yield _without_end(row)

    def _merged_cells(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Map (row, column) below the top of a merged cell to its top. Only rows, so a title across columns stays
        one cell."""
        tops: dict[tuple[int, int], tuple[int, int]] = {}
        with self._sheet._get_source() as source:
            for ref in islice(_merged(source), MAX_MERGED):
                left, top, _right, bottom = range_boundaries(ref)
                rows = range(top + 1, min(bottom, top + MAX_FILLED - len(tops)) + 1)
                tops |= {(row, left): (top, left) for row in rows if left <= MAX_COLUMNS}
        return tops


def _merged(source: IO[bytes]) -> Iterator[str]:
    for _event, element in iterparse(source):
        if element.tag.endswith("}mergeCell"):
            yield element.get("ref", "")
        element.clear()


def _fill(
    row: list[str],
    number: int,
    merged_cells: dict[tuple[int, int], tuple[int, int]],
    texts: dict[tuple[int, int], str],
) -> None:
    for index, text in enumerate(row):
        at = (number, index + 1)
        texts[at] = text
        if at in merged_cells and not text:
            row[index] = texts.get(merged_cells[at], "")


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _without_end(row: Iterable[str]) -> list[str]:
    """Remove trailing empty cells."""
    cells = list(row)
    while cells and not cells[-1]:
        cells.pop()
    return cells


def worksheets(data: bytes) -> list[Worksheet]:
    """Return the sheets of an XLSX file, without charts; raise Refused for other files."""
    with _readable():
        _check_size(ZipFile(io.BytesIO(data)))
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        return [Worksheet(sheet) for sheet in book.worksheets[:MAX_SHEETS]]


def _check_size(parts: ZipFile) -> None:
    """Refuse a small file that would be enormous once it is read."""
    if sum(part.file_size for part in parts.infolist()) > MAX_UNPACKED_BYTES:
        raise Refused(LIST_UNREADABLE())
    marks = 0
    for part in parts.infolist():
        # With other methods zipfile unpacks a whole block at a time, however large.
        if part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise Refused(LIST_UNREADABLE())
        with parts.open(part) as unpacked:
            for count in _count_marks(unpacked):
                marks += count
                if marks > MAX_MARKS:
                    raise Refused(LIST_UNREADABLE())


def _count_marks(part: IO[bytes]) -> Iterator[int]:
    """Yield the elements and attributes of each piece of an XML part; refuse an overlong tag."""
    parser, bytes_read = ParserCreate(), 0
    marks: list[int] = []
    parser.StartElementHandler = lambda _name, attributes: marks.append(1 + len(attributes))
    while piece := part.read(MAX_TAG_LENGTH):
        try:
            parser.Parse(piece)
        except ExpatError:  # a picture, or not read any further
            return
        bytes_read += len(piece)
        if bytes_read - parser.CurrentByteIndex > MAX_TAG_LENGTH:
            raise Refused(LIST_UNREADABLE())
        yield sum(marks)
        marks.clear()


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except _UNREADABLE:
        raise Refused(LIST_UNREADABLE()) from None


# --- Where the list stands ---


def heading_row(lines: Sequence[Line]) -> int:
    """Return the number of the line with the most known headings; 0 if there is none.

    Titles may be above it.
    """
    number, maximum = 0, 0
    for index, line in enumerate(head_lines(lines)):
        widths_below = [other.filled_cells for other in lines[index + 1 : index + 1 + HEAD_ROWS]]
        known = known_headings(line.cells)
        # A single heading stands over one column, or over both parts of a name: over more, "Player" is a title.
        is_title = known == line.filled_cells == 1 and widths_below and median(widths_below) > 2
        if not are_headings(line.cells) or is_title:
            continue
        # Of headings in two lines the lower one is more exact.
        if known > maximum or (known == maximum and line.number == number + 1):
            number, maximum = line.number, known
    return number


def head_lines(lines: Iterable[Line]) -> list[Line]:
    """Return the lines in which headings are looked for."""
    return [line for line in lines if line.number <= HEAD_ROWS]


def likely_sheet(sheets: Sequence[Sheet]) -> Sheet:
    """Return the sheet that is most likely a list of players: by headings with names, lines, then order."""
    return max(sheets, key=_likelihood)


def _likelihood(sheet: Sheet) -> tuple[bool, int, int]:
    lines = head_of(sheet)
    heading = heading_row(lines)
    columns = [columns_by_heading(line.cells, []) for line in lines if line.number == heading]
    has_names = bool(columns) and bool({"last_name", "whole_name"} & {*columns[0]})
    fields = sum(map(bool, columns[0])) if has_names else 0
    return (bool(lines) and not sheet.is_hidden, fields, sum(line.filled_cells > 1 for line in lines))


_TOTALS = (
    "totals|totaal|totale|totalt|total|antal|anzahl|count|ukupno|kokku|kopa|is viso|toplam|συνολο|разом|усього|"
    "합계|계|人数|人數|"
    "summe|summa|suma|sum|somme|gesamt|insgesamt|razem|celkem|spolu|osszesen|yhteensa|"
    "i alt|итого|всего|合计|合計|总计|總計|总数|總數|共计|共計|共"
)
_PEOPLE = "players|participants|joueurs|spieler|teilnehmer|giocatori|jugadores|deelnemers|人|名"
_TOTAL = re.compile(rf"({_TOTALS})\W*({_PEOPLE})?\W*\d+\W*({_PEOPLE})?\W*")


def is_total(line: Line) -> bool:
    """Return whether a line counts those above it: "Total 24", in one cell or several, or "合计：24 人"."""
    text = unicodedata.normalize("NFKD", " ".join(filter(None, line.cells)).casefold())
    return bool(_TOTAL.fullmatch("".join(char for char in text if not unicodedata.combining(char))))


def is_remark(line: Line) -> bool:
    """Return whether a line has one cell with what no name has: "12 players", "* = vegetarian", "Reserve:"."""
    return line.filled_cells == 1 and bool(re.search(r"^[*†(]|[=\d]|[:：]$", "".join(line.cells)))


def notes_in(lines: Sequence[Line], names: Sequence[int], heading: int) -> frozenset[int]:
    """Return the lines that are not people: totals, remarks, and single cells in a wide list.

    `names`: the columns of names. A single cell in one of them, among others, is a person.
    """
    remarks = {line.number for line in lines if is_remark(line)}
    if len(remarks) * 2 > len(lines):
        remarks = set()  # names such as "Player 7"
    totals = {line.number for line in lines if is_total(line)} | remarks
    if not lines or median(line.filled_cells for line in lines) < 3:
        return frozenset(totals)
    notes: set[int] = set()
    before = heading or -1
    for line in lines:
        is_apart = before != line.number - 1 or before in notes
        is_name = any(index < len(line.cells) and line.cells[index] for index in names)
        if line.number in totals or (line.filled_cells == 1 and (is_apart or not is_name)):
            notes.add(line.number)
        before = line.number
    return frozenset(notes)
