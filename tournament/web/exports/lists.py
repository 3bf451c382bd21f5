"""Lists, declared once by their columns: drawn on pages, written as XLSX, CSV and JSON, and printed on papers."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from itertools import chain
from typing import Any, Final, Self, TypeAlias, TypedDict
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils import timezone
from django.utils.functional import Promise
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font

from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import version_for

# --- Columns and lists ---


Value = str | int | float | Decimal | bool | date | datetime | None
TYPES: Final = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
"""Format → the content type of its files."""
FORMATS: Final = tuple(TYPES)


class ColumnOfList(TypedDict):
    key: str
    label: str


_Columns: TypeAlias = list[ColumnOfList]
_Rows: TypeAlias = list[dict[str, Any]]


class ListAsJson(TypedDict):
    """A list as a file for programs: each row by the keys of the columns."""

    list: str
    title: str
    version: int
    columns: _Columns
    rows: _Rows


class Kind(Enum):
    """What a column holds. The value is the CSS class of its cells on paper."""

    NAME = "who"
    TEXT = ""
    FIGURE = "num cell"
    TOTAL = "num total"
    CONTROL = "control"
    """Ticks and buttons, only on a page; its heading is read out, not seen."""

    @property
    def is_bold(self) -> bool:
        return self in (Kind.NAME, Kind.TOTAL)

    @property
    def wraps(self) -> bool:
        return self in (Kind.NAME, Kind.TEXT)

    @property
    def is_number(self) -> bool:
        return self in (Kind.FIGURE, Kind.TOTAL)


class Place(Enum):
    """Where a column is."""

    EVERYWHERE = "everywhere"
    PAGE = "page"
    FILES = "files"


@dataclass(frozen=True)
class Column:
    """A column. `name` is for programs and never changes; `label` is for people.

    `value` takes a row; `code` is the value for programs, if it differs. On a page the template `cell` draws it, with
    `row`, `value` and the page's context; it sorts by `sort`, or by the code. An optional column is hidden until the
    reader chooses it; a wide one is hidden on phones.
    """

    name: str
    label: str | Promise
    value: Callable[[Any], Any]
    kind: Kind = Kind.TEXT
    code: Callable[[Any], Value] | None = None
    cell: str = ""
    sort: Callable[[Any], Any] | None = None
    place: Place = Place.EVERYWHERE
    is_optional: bool = False
    is_wide: bool = False

    def coded(self, row: Any) -> Value:
        """Return a row's value for programs."""
        value: Value = (self.code or self.value)(row)
        return value


@dataclass(frozen=True)
class Reader:
    """The reader of a list: it shows what the pages show them."""

    tournament: Tournament
    audience: Audience
    actor: Actor

    @classmethod
    def of(cls, tournament: Tournament, actor: Actor) -> Self:
        return cls(tournament, access.audience_of(actor, tournament), actor)


@dataclass(frozen=True)
class ListTable:
    """A list for download, by its name in URLs.

    `right`: needed to read it; None for everybody who sees the event. `read`: returns the source of columns, rows
    and title; default: the reader. `path`: its URL among the organiser's pages, if it is not `lists/<name>`.
    `is_coded`: its CSV is for programs, with names and codes, as JSON is. On a page: `row_id` and `is_off`, whether a
    row is drawn faint; `layout`: CSS classes of the table.
    """

    name: str
    title: str | Promise
    columns: Sequence[Column] | Callable[[Any], Sequence[Column]]
    rows: Callable[[Any], Iterable[Any]]
    right: Right | None = None
    may_read: Callable[[Reader], bool] = lambda reader: True
    read: Callable[[Reader], Any] = lambda reader: reader
    title_now: Callable[[Any], str] = lambda source: ""
    path: str = ""
    file: str = ""
    sheet: str = ""
    is_coded: bool = False
    row_id: Callable[[Any], str] = lambda row: ""
    is_off: Callable[[Any], bool] = lambda row: False
    layout: str = "stacked"
    is_sortable: bool = True

    def is_for(self, reader: Reader) -> bool:
        """Return whether the reader may have it."""
        has_right = self.right is None or self.right in access.rights_in(reader.actor, reader.tournament)
        return has_right and self.may_read(reader)

    def file_name(self, tournament: Tournament, form: str) -> str:
        return f"{tournament.slug}-{self.file or self.name}.{form}"

    def column(self, name: str) -> Column:
        """Return a fixed column, to be printed on a paper too."""
        assert not callable(self.columns), "columns that depend on the rows have no place of their own"
        return next(column for column in self.columns if column.name == name)

    def columns_at(self, place: Place, source: Any) -> list[Column]:
        """Return the columns on a page or in a file."""
        columns = self.columns(source) if callable(self.columns) else self.columns
        return [column for column in columns if column.place in (Place.EVERYWHERE, place)]

    def render(self, reader: Reader, form: str) -> bytes:
        """Return it as a file: typed cells for people, plain text for programs, or JSON."""
        source = self.read(reader)
        columns = self.columns_at(Place.FILES, source)
        title, rows = self.title_now(source) or str(self.title), self.rows(source)
        if form == "json":
            return self._json(reader, title, columns, rows)
        labels = [str(column.label) for column in columns]
        if form == "csv" and self.is_coded:
            names = [column.name for column in columns]
            return csv_of(names, ([column.coded(row) for column in columns] for row in rows))
        cells = ([column.value(row) for column in columns] for row in rows)
        return csv_of(labels, cells) if form == "csv" else _workbook(self.sheet or title, labels, cells)

    def _json(self, reader: Reader, title: str, columns: Sequence[Column], rows: Iterable[Any]) -> bytes:
        data: ListAsJson = {
            "list": self.name,
            "title": title,
            "version": version_for(reader.audience, reader.tournament),
            "columns": [{"key": column.name, "label": str(column.label)} for column in columns],
            "rows": [{column.name: _json_value(column.coded(row)) for column in columns} for row in rows],
        }
        return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def points(value: Fraction | int) -> Decimal | int:
    """Return an integer if it is one: points carried into a final may be halves."""
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else Decimal(two_decimals(exact))


def table_points(value: Fraction | int) -> Decimal:
    return Decimal(two_decimals(Fraction(value)))


def _json_value(value: Value) -> Any:
    match value:
        case datetime() | date():
            return value.isoformat()
        case None | bool() | int() | str():
            return value
    return str(value)


# --- CSV ---


def csv_of(headings: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """Return a CSV file that spreadsheets open correctly: UTF-8 with a byte-order mark."""
    return csv_text(headings, rows).encode("utf-8-sig")


def csv_text(headings: Sequence[str], rows: Iterable[Sequence[Value]], end: str = "\r\n") -> str:
    output = io.StringIO()
    csv.writer(output, lineterminator=end).writerows(
        [_csv_value(value) for value in row] for row in chain([headings], rows)
    )
    return output.getvalue()


def _csv_value(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case datetime() | date():
            return value.isoformat()
        case str():
            return escape_formula(value)
    return str(value)


def escape_formula(text: str) -> str:
    """Quote a text that a spreadsheet would evaluate as a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


# --- XLSX ---


MAX_TITLE_LENGTH: Final = 31
"""Of a sheet, in characters."""
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time of a ZIP entry."""
_TIMESTAMPS: Final = re.compile(rb"<dcterms:(created|modified).*?</dcterms:\1>")


def _workbook(title: str, headings: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """Return a workbook of one sheet with bold, frozen headings.

    The same contents give the same bytes, so that files can be cached and compared.
    """
    book = Workbook(write_only=True)
    sheet = book.create_sheet(re.sub(r"[\[\]:*?/\\]", " ", title)[:MAX_TITLE_LENGTH])
    sheet.freeze_panes = "A2"
    bold = Font(bold=True)
    heading_cells = [_text_cell(sheet, heading) for heading in headings]
    for cell in heading_cells:
        cell.font = bold
    sheet.append(heading_cells)
    for row in rows:
        sheet.append([_cell(sheet, value) for value in row])
    output = io.BytesIO()
    book.save(output)
    return _without_times(output.getvalue())


def _cell(sheet: object, value: Value) -> Any:
    """Return a value for a cell; times in the active time zone, as sheets have none."""
    if isinstance(value, datetime):
        return timezone.make_naive(value).replace(microsecond=0)
    return _text_cell(sheet, value) if isinstance(value, str) else value


def _text_cell(sheet: object, text: str) -> WriteOnlyCell:
    """Return a text cell, never a formula, without characters that sheets cannot hold."""
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", text))
    cell.data_type = "s"
    return cell


def _without_times(book: bytes) -> bytes:
    """Return the workbook without its timestamps."""
    output = io.BytesIO()
    with ZipFile(io.BytesIO(book)) as old, ZipFile(output, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = ZipInfo(name, _EARLIEST)
            part.compress_type = ZIP_DEFLATED
            new.writestr(part, _TIMESTAMPS.sub(b"", old.read(name)))
    return output.getvalue()
