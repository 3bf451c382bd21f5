"""A tournament that is made once a process and put back as rows whenever a test wants the same one.

Making one through the services costs a fifth of a second and more, putting its rows back a fiftieth of that. Its times
are moved to now, and the log is chained anew over them, so that it cannot be told from one just made.
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
    """What is stored of a kind: the statement that inserts a row, the fields, and row by row their values and what the
    database takes for them."""

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

    def put_back(self, passed: timedelta) -> None:
        rows = [tuple(_moved(value, passed) for value in row) for row in self.rows]
        if self.model is LogEntry:
            rows = list(_chained([field.attname for field in self.fields], rows))
        with connection.cursor() as cursor:
            cursor.executemany(self.insert, list(map(self._prepared_row, rows, self.rows, self.prepared)))

    def _prepared_row(
        self, row: tuple[object, ...], stored: tuple[object, ...], prepared: list[Any]
    ) -> list[Any]:
        """Prepared anew is only what is another value by now."""
        return [
            prepared_value if value is before else field.get_db_prep_save(value, connection)
            for field, value, before, prepared_value in zip(self.fields, row, stored, prepared, strict=True)
        ]


def _with_rows() -> list[type[Model]]:
    models = (model for app in APPS for model in apps.get_app_config(app).get_models(True))
    return [model for model in models if _has_rows(model)]


def _has_rows(model: type[Model]) -> bool:
    """Asked without a query set: there are sixty models, and few have rows."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(model._meta.db_table)} LIMIT 1")
        return cursor.fetchone() is not None


@dataclass(frozen=True)
class Snapshot:
    at: datetime
    stored: tuple[Stored, ...]


SNAPSHOTS: dict[Hashable, Snapshot] = {}


def restore_or_build(key: Hashable, make: Callable[[], Tournament]) -> Tournament:
    """What `make` makes, or the rows it made the last time. With a tournament there already it is made for real.

    It is kept only where nothing else was there before it: somebody's token would be put back without its owner.
    """
    if Tournament.objects.exists():
        return make()
    if key not in SNAPSHOTS:
        others = _with_rows()
        tournament = make()
        if not others:
            SNAPSHOTS[key] = Snapshot(timezone.now(), tuple(map(Stored.of, _with_rows())))
        return tournament
    passed = timezone.now() - SNAPSHOTS[key].at
    for stored in SNAPSHOTS[key].stored:
        stored.put_back(passed)
    _reset_sequences([stored.model for stored in SNAPSHOTS[key].stored])
    newest = LogEntry.objects.order_by("-seq").values_list("hash", flat=True).first() or ""
    Tournament.objects.update(log_head=newest)
    return Tournament.objects.get()


def _reset_sequences(models: list[type[Model]]) -> None:
    """PostgreSQL's counters go on after the rows that were put back; SQLite's do so by themselves."""
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
