"""Lists as people send them: CSV in any usual encoding with any usual separator, or an Excel sheet, as lines."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from zipfile import BadZipFile

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from tournament.errors import refuse

MOST_LINES = 2000
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


def read_lines(data: bytes) -> tuple[Line, ...]:
    """The lines of a file. Refused when it is no list at all, is empty, or is longer than MOST_LINES."""
    rows = _sheet_rows(data) if data.startswith(_ZIP) else _text_rows(decoded(data))
    lines = tuple(
        Line(number, cells)
        for number, cells in enumerate((tuple(map(tidy, row)) for row in rows), 1)
        if any(cell.strip("".join(SEPARATORS)) for cell in cells)
    )
    if not lines:
        raise refuse("list_empty")
    if len(lines) > MOST_LINES:
        raise refuse("list_too_long", rows=len(lines), most=MOST_LINES)
    return lines


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


def separator_of(text: str) -> str:
    """The separator that parts the first lines into the same number of cells, the more the better."""

    def fit(separator: str) -> tuple[int, int]:
        widths = [len(row) for row in _parsed(text[:20_000], separator)[:20] if any(row)]
        alike = sum(width == widths[0] for width in widths) if widths and widths[0] > 1 else 0
        return (alike, widths[0] if widths else 0)

    return max(SEPARATORS, key=fit)


def _text_rows(text: str) -> list[list[str]]:
    if told := re.match(r"sep=(.)\r?\n", text):
        # Excel's own way of saying it; the line counts, as it does in the spreadsheet's file.
        return [[], *_parsed(text[told.end() :], told[1])]
    return _parsed(text, separator_of(text))


def _parsed(text: str, separator: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True))
    except csv.Error:
        raise refuse("list_unreadable") from None


def _sheet_rows(data: bytes) -> Iterable[list[str]]:
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        rows = list(book.worksheets[0].iter_rows(values_only=True))
    except (BadZipFile, InvalidFileException, KeyError, IndexError, ValueError, TypeError):
        raise refuse("list_unreadable") from None
    return [[_cell_text(value) for value in row] for row in rows]


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


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
