"""Snapshots of tournaments: created once per process, and restored as rows whenever a test needs the same one.

Restoring takes a fiftieth of the time of creating, which is a fifth of a second or more. Times are shifted to now, and
the hashes of the log are computed again, so that a restored tournament does not differ from a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection
from django.db.models import Field, Model
from django.utils import timezone

from tournament.base.engine.entries import text_hashes
from tournament.base.log import entry_hash
from tournament.base.models.log import LogEntry
from tournament.base.models.tournament import Tournament

APPS = ("tournament", "penalties")


@dataclass(frozen=True)
class Stored:
    """The rows of a model, the statement that inserts one, and the values prepared for the database."""

    model: type[Model]
    insert: str
    fields: tuple[Field[Any, Any], ...]
    rows: list[tuple[object, ...]]
    prepared: list[list[Any]]

    @classmethod
    def of(cls, model: type[Model]) -> Stored:
        fields = tuple(model._meta.concrete_fields)
        quoted = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
        places = ", ".join(["%s"] * len(fields))
        table = connection.ops.quote_name(model._meta.db_table)
        names = [field.attname for field in fields]
        rows = list(model._base_manager.order_by("pk").values_list(*names))
        prepared = [
            [field.get_db_prep_save(value, connection) for field, value in zip(fields, row, strict=True)]
            for row in rows
        ]
        return cls(model, f"INSERT INTO {table} ({quoted}) VALUES ({places})", fields, rows, prepared)

    def restore(self, passed: timedelta) -> None:
        rows = [tuple(_moved(value, passed) for value in row) for row in self.rows]
        if self.model is LogEntry:
            rows = list(_chained([field.attname for field in self.fields], rows))
        with connection.cursor() as cursor:
            cursor.executemany(self.insert, list(map(self._prepared_row, rows, self.rows, self.prepared)))

    def _prepared_row(
        self, row: tuple[object, ...], stored: tuple[object, ...], prepared: list[Any]
    ) -> list[Any]:
        """Return the row's values for the database; only changed values are prepared again."""
        return [
            prepared_value if value is before else field.get_db_prep_save(value, connection)
            for field, value, before, prepared_value in zip(self.fields, row, stored, prepared, strict=True)
        ]


def _with_rows() -> list[type[Model]]:
    models = (model for app in APPS for model in apps.get_app_config(app).get_models(True))
    return [model for model in models if _has_rows(model)]


def _has_rows(model: type[Model]) -> bool:
    """Return whether a model has rows. Plain SQL, because there are sixty models."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(model._meta.db_table)} LIMIT 1")
        return cursor.fetchone() is not None


@dataclass(frozen=True)
class Snapshot:
    at: datetime
    stored: tuple[Stored, ...]


SNAPSHOTS: dict[Hashable, Snapshot] = {}


def restore_or_build(key: Hashable, build: Callable[[], Tournament]) -> Tournament:
    """Return the tournament of `build`, restored from the snapshot `key` if there is one and no other tournament.

    A snapshot is taken only of a database without other rows, on which the tournament's might depend.
    """
    if Tournament.objects.exists():
        return build()
    if key not in SNAPSHOTS:
        others = _with_rows()
        tournament = build()
        if not others:
            SNAPSHOTS[key] = Snapshot(timezone.now(), tuple(map(Stored.of, _with_rows())))
        return tournament
    passed = timezone.now() - SNAPSHOTS[key].at
    for stored in SNAPSHOTS[key].stored:
        stored.restore(passed)
    _reset_sequences([stored.model for stored in SNAPSHOTS[key].stored])
    newest = LogEntry.objects.order_by("-seq").values_list("hash", flat=True).first() or ""
    Tournament.objects.update(log_head=newest)
    return Tournament.objects.get()


def _reset_sequences(models: list[type[Model]]) -> None:
    """Set PostgreSQL's sequences after the restored rows; SQLite does so by itself."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for sql in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(sql)


def _moved(value: object, passed: timedelta) -> object:
    return value + passed if isinstance(value, datetime) else value


def _chained(names: list[str], rows: list[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
    previous_hash = ""
    for row in rows:
        entry = dict(zip(names, row, strict=True))
        texts: Any = entry["texts"]
        content: Any = [entry[name] for name in ("seq", "at", "actor_code", "action", "data")]
        content.append(text_hashes(texts))
        entry["previous_hash"] = previous_hash
        entry["hash"] = previous_hash = entry_hash(previous_hash, *content)
        yield tuple(entry.values())
