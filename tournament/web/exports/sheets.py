"""A file of rows, CSV or XLSX in whatever encoding, as sheets of lines."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from tournament.base.errors import refuse
from tournament.web.exports.workbooks import MOST_COLUMNS, worksheets

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
    """The sheets of a file; refused when it is no list at all."""
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
        if told := re.match(r"sep=(.)\r?\n", self.text):
            # Excel's own way of saying it; the line counts, as it does in the spreadsheet's file.
            yield []
            yield from _parsed(self.text[told.end() :], told[1])
        else:
            yield from _parsed(self.text, separator_of(self.text))


def _parsed(text: str, separator: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    except csv.Error:
        raise refuse("list_unreadable") from None


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
