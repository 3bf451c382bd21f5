"""The sheets of an XLSX file as rows of text: streamed, and never more of them than a list has."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import IO, Any
from xml.etree.ElementTree import ParseError, iterparse
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from openpyxl import load_workbook
from openpyxl.utils.cell import range_boundaries
from openpyxl.utils.exceptions import InvalidFileException

from tournament.base.errors import refuse

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
_TORN = (
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
            said: dict[tuple[int, int], str] = {}
            # Told how many columns and rows, openpyxl does not believe a size that the file states wrongly.
            read = self._sheet.iter_rows(max_col=MOST_COLUMNS, max_row=most, values_only=True)
            for number, values in enumerate(islice(read, most), 1):
                row = [_text(value) for value in values]
                if any(row):
                    _fill(row, number, below, said)
                yield _without_end(row)

    def _below(self) -> dict[tuple[int, int], tuple[int, int]]:
        """(row, column) under the top of a merged cell → that of its top. A title across columns stays one cell."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        with self._sheet._get_source() as source:
            for ref in islice(_merged(source), MOST_MERGED):
                left, top, _right, bottom = range_boundaries(ref)
                rows = range(top + 1, min(bottom, top + MOST_FILLED - len(found)) + 1)
                found |= {(row, left): (top, left) for row in rows if left <= MOST_COLUMNS}
        return found


def worksheets(data: bytes) -> list[Worksheet]:
    """The sheets of a file, without charts; refused when it is no workbook."""
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
    except _TORN:
        raise refuse("list_unreadable") from None


def _merged(source: IO[bytes]) -> Iterator[str]:
    for _event, element in iterparse(source):
        if element.tag.endswith("}mergeCell"):
            yield element.get("ref", "")
        element.clear()


def _fill(
    row: list[str],
    number: int,
    below: dict[tuple[int, int], tuple[int, int]],
    said: dict[tuple[int, int], str],
) -> None:
    for index, text in enumerate(row):
        at = (number, index + 1)
        said[at] = text
        if at in below and not text:
            row[index] = said.get(below[at], "")


def _text(value: object) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _without_end(row: Iterable[str]) -> list[str]:
    """Without the empty cells behind the last that says something."""
    cells = list(row)
    while cells and not cells[-1]:
        cells.pop()
    return cells
