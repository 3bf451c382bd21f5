"""Rows as an Excel sheet or as CSV, for whoever works on with them, and the players as they are imported again.

The same contents are the same bytes, so that a sheet can be kept and compared like any page.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from itertools import chain
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font

from tournament.base.models.people import Player
from tournament.web.exports.sheets import no_formula

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV_TYPE = "text/csv; charset=utf-8"
PLAYER_HEADINGS = ("number", "last name", "first name", "country", "EMA number", "team", "club")
"""Headings that the import reads (`tournament.web.exports.headings`)."""

Cell = str | int | float | Decimal | date | None
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first moment a ZIP can tell."""
_WRITTEN_AT = re.compile(rb"<dcterms:(created|modified).*?</dcterms:\1>")


def players_sheet(players: Iterable[Player]) -> bytes:
    """The players, in the form that can be imported again."""
    return workbook_of("players", PLAYER_HEADINGS, map(_player, players))


def players_csv(players: Iterable[Player]) -> bytes:
    return csv_of(PLAYER_HEADINGS, map(_player, players))


def _player(player: Player) -> list[Cell]:
    names: tuple[Cell, ...] = (player.number, player.last_name, player.first_name)
    return [*names, player.country, player.ema_number, player.team, player.club]


def workbook_of(title: str, headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """One sheet, its headings bold and always in sight."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    bold = Font(bold=True)
    first = [_text(sheet, heading) for heading in headings]
    for cell in first:
        cell.font = bold
    sheet.append(first)
    for row in rows:
        sheet.append([_cell(sheet, value) for value in row])
    written = io.BytesIO()
    book.save(written)
    return _without_times(written.getvalue())


def csv_of(headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """The same for programs, as spreadsheets open it without asking: UTF-8 with its mark, days as 2027-03-14."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\r\n")
    lines.writerows([_plain(cell) for cell in row] for row in chain([headings], rows))
    return written.getvalue().encode("utf-8-sig")


def _plain(cell: Cell) -> str:
    if not isinstance(cell, str):
        return "" if cell is None else str(cell)
    return no_formula(cell)


def _cell(sheet: object, value: Cell) -> Cell | WriteOnlyCell:
    return _text(sheet, value) if isinstance(value, str) else value


def _text(sheet: object, text: str) -> WriteOnlyCell:
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
