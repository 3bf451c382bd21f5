"""What a backup holds of the database: our tables and the accounts, row by row, in a form that no database owns.

Left out: sign-ins (`Visit`), limits, the queue, and Django's groups and permissions, which Hule does not ask.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Field, Model

from tournament.base.models.signed_in import Visit

APPS: Final = ("otp_totp", "otp_static", "tournament", "penalties")
"""The second factors of accounts, and all that is ours."""
CHUNK: Final = 1000
"""Rows held at a time."""


def models() -> list[type[Model]]:
    """Every table that is backed up. What names rows of others comes in any order: the database looks at the end."""
    own = [model for app in APPS for model in apps.get_app_config(app).get_models(include_auto_created=True)]
    return [User, *(model for model in own if model is not Visit)]


def emptied() -> list[type[Model]]:
    """The tables that are emptied before a restore: those, and what only ties accounts to groups and permissions."""
    ties = [User._meta.get_field(name).remote_field.through for name in ("groups", "user_permissions")]  # type: ignore[union-attr]
    return [*ties, *reversed(models())]


def label(model: type[Model]) -> str:
    return model._meta.label


def fields(model: type[Model]) -> list[Field[Any, Any]]:
    return list(model._meta.concrete_fields)


def layout() -> str:
    """A fingerprint of the tables: a backup fits into an installation that has the same."""
    kinds = {
        label(model): [(field.attname, field.get_internal_type()) for field in fields(model)]
        for model in models()
    }
    return hashlib.sha256(json.dumps(kinds, sort_keys=True).encode()).hexdigest()[:16]


def rows(model: type[Model]) -> Iterator[bytes]:
    """A line of JSON with the names of the columns, then a line a row, ordered by its key."""
    names = [field.attname for field in fields(model)]
    yield _line(names)
    found = model._base_manager.order_by("pk").values_list(*names)
    yield from map(_line, found.iterator(chunk_size=CHUNK))


def store(model: type[Model], lines: Iterable[list[Any]]) -> None:
    """Insert rows as they were read, `CHUNK` at a time. Raises what the fields and the database raise."""
    columns, quote = fields(model), connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in columns)
    places = ", ".join(["%s"] * len(columns))
    insert = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({places})"
    with connection.cursor() as cursor:
        for chunk in _chunks(_prepared(columns, line) for line in lines):
            cursor.executemany(insert, chunk)


def _prepared(columns: list[Field[Any, Any]], line: list[Any]) -> list[Any]:
    return [
        field.get_db_prep_save(field.to_python(value), connection)
        for field, value in zip(columns, line, strict=True)
    ]


def _chunks(found: Iterable[list[Any]]) -> Iterator[list[list[Any]]]:
    chunk: list[list[Any]] = []
    for row in found:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _line(values: Iterable[Any]) -> bytes:
    # To the microsecond: the log's chain is made over the times as they are.
    return (
        json.dumps(list(values), ensure_ascii=False, separators=(",", ":"), default=_plain).encode() + b"\n"
    )


def _plain(value: object) -> str:
    match value:
        case datetime() | date() | time():
            return value.isoformat()
        case UUID() | Decimal():
            return str(value)
    raise TypeError(f"a backup cannot hold {type(value)}")
