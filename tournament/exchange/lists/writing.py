"""A list as a file: typed cells for people, plain text for programs, JSON with keys that stay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Final

from django.utils import timezone

from tournament.base.selectors.embargo import version_for
from tournament.exchange.lists.table import Asked, Listed, Table, Value
from tournament.web.exports.spreadsheets import CONTENT_TYPE, CSV_TYPE, Cell, csv_of, workbook_of

TYPES: Final = {"xlsx": CONTENT_TYPE, "csv": CSV_TYPE, "json": "application/json"}
LONGEST_TITLE: Final = 31
"""Characters of a sheet's name."""


def written(listed: Listed, asked: Asked, kind: str) -> bytes:
    table = listed.table(asked)
    if kind == "json":
        return _json(listed, asked, table)
    headings = [str(column.label) for column in table.columns]
    if kind == "csv":
        return csv_of(headings, (list(map(_plain, row)) for row in table.rows))
    title = re.sub(r"[\[\]:*?/\\]", " ", _title(listed, table))[:LONGEST_TITLE]
    return workbook_of(title, headings, (list(map(_cell, row)) for row in table.rows))


def _title(listed: Listed, table: Table) -> str:
    return table.title or str(listed.title)


def _json(listed: Listed, asked: Asked, table: Table) -> bytes:
    keys = [column.key for column in table.columns]
    said = {
        "list": listed.name,
        "title": _title(listed, table),
        "version": version_for(asked.audience, asked.tournament),
        "columns": [{"key": one.key, "label": str(one.label)} for one in table.columns],
        "rows": list(_objects(keys, table.rows)),
    }
    return (json.dumps(said, ensure_ascii=False, indent=1) + "\n").encode()


def _objects(keys: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterable[dict[str, Any]]:
    for row in rows:
        yield {key: _told(value) for key, value in zip(keys, row, strict=True)}


def _told(value: Value) -> Any:
    match value:
        case datetime() | date():
            return value.isoformat()
        case None | bool() | int() | str():
            return value
    return str(value)


def _plain(value: Value) -> Cell:
    match value:
        case bool():
            return "true" if value else "false"
        case datetime() | date():
            return value.isoformat()
    return value


def _cell(value: Value) -> Cell:
    """By the clock of the hall, as its page tells it, to the second: a sheet knows no time zones."""
    return timezone.make_naive(value).replace(microsecond=0) if isinstance(value, datetime) else value
