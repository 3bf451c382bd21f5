"""Lists on pages: sorted by a heading, with the columns that the reader chose, page by page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.template import RequestContext
from django.utils import formats, timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.texts import folded
from tournament.web.exports.lists import Column, Kind, ListTable, Place, Reader
from tournament.web.texts.words import amount_text

EMPTY: Final = "–"


@dataclass(frozen=True)
class Heading:
    """The heading of a column. `order`: ascending or descending, if the list is sorted by it; `query`: sorts by it.

    `is_shown`: whether the page has the column; `can_be_hidden`: whether the reader decides that.
    """

    column: Column
    order: str
    query: str
    is_shown: bool
    can_be_hidden: bool


@dataclass(frozen=True)
class ListPage:
    """What `{% list_table %}` draws: a list with the headings of all columns, and the rows of one page."""

    table: ListTable
    every_heading: Sequence[Heading]
    rows: Page[Any]
    sort: str
    has_files: bool
    """Whether the reader may download the list."""

    @property
    def headings(self) -> list[Heading]:
        return [heading for heading in self.every_heading if heading.is_shown]


def list_page(
    request: HttpRequest,
    table: ListTable,
    reader: Reader,
    rows: Iterable[Any] | None = None,
    *,
    page_size: int = 10_000,
) -> ListPage:
    """Return a list for a page: `?sort=name` or `-name`, `?columns=` (stored in the session) and `?page=`.

    `rows`: those that a filter of the page has left; default: all.
    """
    source = table.read(reader)
    columns = table.columns_at(Place.PAGE, source)
    chosen = _chosen_names(request, table, columns)
    every_row: Any = table.rows(source) if rows is None else rows
    sort = request.GET.get("sort", "") if table.is_sortable else ""
    by = next(
        (column for column in columns if column.name == sort.removeprefix("-") and _can_sort(column)), None
    )
    if by is None:
        sort = ""
    else:
        every_row = _sorted(every_row, by, is_descending=sort.startswith("-"))
    return ListPage(
        table,
        [_heading(request, table, column, sort, chosen) for column in columns],
        Paginator(every_row, page_size).get_page(request.GET.get("page")),
        sort,
        table.is_for(reader),
    )


def _chosen_names(request: HttpRequest, table: ListTable, columns: Iterable[Column]) -> set[str]:
    key = f"columns_{table.name}"
    if "columns" in request.GET:
        request.session[key] = request.GET.getlist("columns")
    usual = [column.name for column in columns if not column.is_optional]
    return set(request.session.get(key, usual))


def _can_be_hidden(column: Column) -> bool:
    return column.kind not in (Kind.NAME, Kind.CONTROL)


def _can_sort(column: Column) -> bool:
    return column.kind is not Kind.CONTROL


def _heading(request: HttpRequest, table: ListTable, column: Column, sort: str, chosen: set[str]) -> Heading:
    can_be_hidden = _can_be_hidden(column)
    is_shown = column.name in chosen or not can_be_hidden
    if not table.is_sortable or not _can_sort(column):
        return Heading(column, "", "", is_shown, can_be_hidden)
    query = request.GET.copy()
    for name in ("page", "columns"):
        query.pop(name, None)
    query["sort"] = f"-{column.name}" if sort == column.name else column.name
    order = {column.name: "ascending", f"-{column.name}": "descending"}.get(sort, "")
    return Heading(column, order, query.urlencode(), is_shown, can_be_hidden)


def _sorted(rows: Iterable[Any], column: Column, *, is_descending: bool) -> list[Any]:
    """Return the rows sorted by a column, those without a value last."""
    keyed = [((column.sort or column.coded)(row), row) for row in rows]
    present = [
        (folded(key) if isinstance(key, str) else key, row) for key, row in keyed if key not in (None, "")
    ]
    absent = [row for key, row in keyed if key in (None, "")]
    present.sort(key=lambda pair: pair[0], reverse=is_descending)
    return [row for _key, row in present] + absent


def cells(page: ListPage, row: Any, context: RequestContext) -> list[tuple[Column, SafeString | str]]:
    """Return the HTML of a row's cells, in the context of the page."""
    assert context.template is not None, "rows are drawn while a template is rendered"
    engine = context.template.engine
    drawn: list[tuple[Column, SafeString | str]] = []
    for column in (heading.column for heading in page.headings):
        value = column.value(row)
        if column.cell:
            with context.push(row=row, value=value):
                drawn.append((column, engine.get_template(column.cell).render(context)))
        else:
            drawn.append((column, _text(value)))
    return drawn


def _text(value: Any) -> str:
    """Return a value as people read it."""
    match value:
        case None | "":
            return EMPTY
        case bool():
            return _("yes") if value else EMPTY
        case datetime():
            return formats.date_format(timezone.localtime(value), "SHORT_DATETIME_FORMAT")
        case date():
            return formats.date_format(value, "SHORT_DATE_FORMAT")
        case Decimal():
            return amount_text(value)
    return str(value)
