"""Database tools beyond models: prepared queries, snapshot reads, and locks for backup and restore."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable

from config.private_files import private_folder
from config.readiness import RESTORING
from scoring.engine.problems import problem_code
from tournament.base.errors import Refused

BACKUP_UNDER_WAY = problem_code(
    "backup_under_way", "Another backup or restore is under way. Try again when it is done."
)

Row = TypeVar("Row", bound=Model)
MAX_INTEGER: Final = 2**63 - 1
"""The largest integer that SQLite accepts."""


class PreparedQuery(Generic[Row]):
    """A query whose SQL is compiled once and run again with other values of these types.

    `query` builds it from the values; `select_related` and annotations work, `prefetch_related` does not. Django
    compiles a query anew each time, which takes ten times as long as SQLite takes to answer: it matters when a
    hundred tables end their hands in the same minute.
    """

    def __init__(self, query: Callable[..., QuerySet[Row]], *kinds: type[int] | type[str]) -> None:
        self._query = query
        self._placeholders = tuple(_placeholder(kind, at) for at, kind in enumerate(kinds))

    def __call__(self, *values: int | str) -> list[Row]:
        if any(isinstance(value, int) and abs(value) > MAX_INTEGER for value in values):
            return []
        return list(ModelIterable(self._compiled.bind(values)))  # type: ignore[arg-type]

    def first(self, *values: int | str) -> Row | None:
        return next(iter(self(*values)), None)

    def get(self, *values: int | str) -> Row:
        """Return the row; raise the model's DoesNotExist if there is none."""
        row = self.first(*values)
        if row is None:
            raise self._compiled.model.DoesNotExist
        return row

    @cached_property
    def _compiled(self) -> _CompiledQuery:
        return _CompiledQuery(self._query(*self._placeholders), self._placeholders)


def _placeholder(kind: type[int] | type[str], at: int) -> int | str:
    """Return a value that no query contains otherwise, and that the smallest column can hold."""
    return 32_001 + at if kind is int else f"stand-in {at}"


class PreparedUpdate(Generic[Row]):
    """An UPDATE of these fields, one statement for each row. It sends no signals."""

    def __init__(self, model: type[Row], *names: str) -> None:
        self._model, self._names = model, names

    def __call__(self, *rows: Row) -> None:
        connection = connections[DEFAULT_DB_ALIAS]
        values = [
            [field.get_db_prep_save(getattr(row, field.attname), connection) for field in self._fields]
            for row in rows
        ]
        with connection.cursor() as cursor:
            cursor.executemany(self._sql, values)

    @cached_property
    def _fields(self) -> list[Any]:
        meta = self._model._meta
        return [*map(meta.get_field, self._names), meta.pk]

    @cached_property
    def _sql(self) -> str:
        quoted = connections[DEFAULT_DB_ALIAS].ops.quote_name
        *assignments, key = (f"{quoted(field.column)} = %s" for field in self._fields)
        return f"UPDATE {quoted(self._model._meta.db_table)} SET {', '.join(assignments)} WHERE {key}"


class _CompiledQuery:
    """The compiled SQL, and the positions of the values in its parameters."""

    def __init__(self, rows: QuerySet[Any], placeholders: tuple[int | str, ...]) -> None:
        self.model = rows.model
        self._compiler = rows.query.get_compiler(DEFAULT_DB_ALIAS)
        self._sql, self._params = self._compiler.as_sql()
        columns = [column for column, *_rest in self._compiler.select[: self._compiler.col_count]]
        converters = self._compiler.get_converters(columns)
        self._compiler.get_converters = lambda _columns: converters
        self._places = [
            (at, placeholders.index(param)) for at, param in enumerate(self._params) if param in placeholders
        ]

    def bind(self, values: tuple[int | str, ...]) -> _BoundQuery:
        params = list(self._params)
        for at, index in self._places:
            params[at] = values[index]
        return _BoundQuery(self._compiler, self._sql, tuple(params))


class _BoundQuery:
    """The part of a query set and of its query that `ModelIterable` uses; one per thread and connection."""

    db = DEFAULT_DB_ALIAS
    _known_related_objects: Final[dict[Any, Any]] = {}

    def __init__(self, compiler: Any, sql: str, params: tuple[Any, ...]) -> None:
        self.query = self
        self._compiler = copy(compiler)
        self._compiler.connection = connections[self.db]
        self._compiler.as_sql = lambda: (sql, params)

    def get_compiler(self, using: str) -> Any:
        return self._compiler


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Read one consistent state of the database without blocking writers.

    SQLite transactions begin as writers here, which would block saves: this one begins as a reader. PostgreSQL
    needs REPEATABLE READ, as each statement would see a newer state. Within a transaction it does nothing.
    """
    if connection.in_atomic_block:
        yield
        return
    previous_mode: Any = getattr(connection, "transaction_mode", None)
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        previous_mode, connection.transaction_mode = connection.transaction_mode, "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        if connection.vendor == "sqlite":
            connection.transaction_mode = previous_mode  # type: ignore[attr-defined]


def backup_folder() -> Path:
    """Return the folder of the backups."""
    return private_folder(Path(settings.DATA_DIR) / "backups")


@contextmanager
def backup_lock() -> Iterator[None]:
    """Hold the lock for backup and restore; raise Refused if another process holds it.

    It is a lock on a file in the data folder: the system frees it when its process ends.
    """
    with _file_lock(".turn"):
        yield


@contextmanager
def restore_lock() -> Iterator[None]:
    """Hold the locks of a restore: `is_restoring` is true for all processes, and nobody else writes."""
    with backup_lock(), _file_lock(RESTORING, wait=True):
        yield


@contextmanager
def _file_lock(name: str, *, wait: bool = False) -> Iterator[None]:
    """Hold the lock of a file. `wait`: wait for readers, who hold it only for a moment."""
    file = os.open(backup_folder() / name, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(file)
        raise Refused(BACKUP_UNDER_WAY()) from None
    try:
        yield
    finally:
        os.close(file)


def restore_id() -> str:
    """Return an id that changes with every restore; caches of the database depend on it."""
    try:
        return (Path(settings.DATA_DIR) / "backups" / ".restored").read_text()
    except OSError:
        return ""


def mark_restored() -> None:
    """Record that a restore has replaced the data."""
    draft = backup_folder() / f".restored-{secrets.token_hex(4)}"
    draft.write_text(secrets.token_hex(8))
    draft.replace(backup_folder() / ".restored")
