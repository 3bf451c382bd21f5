"""The database beyond models: queries prepared once, reading at one moment, and taking turns at writing."""

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
from scoring.engine.problems import problem_code
from tournament.base.errors import Refused

BACKUP_UNDER_WAY = problem_code(
    "backup_under_way", "Another backup or restore is under way. Try again when it is done."
)

Row = TypeVar("Row", bound=Model)
MOST: Final = 2**63 - 1
"""No number in a database is larger, and SQLite cannot be asked for one."""


class Prepared(Generic[Row]):
    """A query for values of these kinds, by which it finds a row or a few.

    `query` makes it, with everything that `select_related` and annotations bring, but nothing prefetched. Its SQL is
    written once and asked again with other values: Django writes it anew each time, which takes it ten times as long
    as SQLite takes to answer. For a page that is nothing, but a hundred tables end their hands in the same minute.
    """

    def __init__(self, query: Callable[..., QuerySet[Row]], *kinds: type[int] | type[str]) -> None:
        self._query = query
        self._stand_ins = tuple(_stand_in(kind, at) for at, kind in enumerate(kinds))

    def __call__(self, *values: int | str) -> list[Row]:
        if any(isinstance(value, int) and abs(value) > MOST for value in values):
            return []
        return list(ModelIterable(self._written.with_values(values)))  # type: ignore[arg-type]

    def first(self, *values: int | str) -> Row | None:
        return next(iter(self(*values)), None)

    def get(self, *values: int | str) -> Row:
        """Raises the model's DoesNotExist, as a query set does."""
        row = self.first(*values)
        if row is None:
            raise self._written.model.DoesNotExist
        return row

    @cached_property
    def _written(self) -> _Written:
        return _Written(self._query(*self._stand_ins), self._stand_ins)


def _stand_in(kind: type[int] | type[str], at: int) -> int | str:
    """What no query has by itself, and the smallest column could hold."""
    return 32_001 + at if kind is int else f"stand-in {at}"


class PreparedUpdate(Generic[Row]):
    """Writes these fields of rows of a model as they are now, one statement a row. Nobody is told (no signals)."""

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
        *written, key = (f"{quoted(field.column)} = %s" for field in self._fields)
        return f"UPDATE {quoted(self._model._meta.db_table)} SET {', '.join(written)} WHERE {key}"


class _Written:
    """The SQL, and where in its parameters the values go."""

    def __init__(self, rows: QuerySet[Any], stand_ins: tuple[int | str, ...]) -> None:
        self.model = rows.model
        self._compiler = rows.query.get_compiler(DEFAULT_DB_ALIAS)
        self._sql, self._params = self._compiler.as_sql()
        columns = [column for column, *_how in self._compiler.select[: self._compiler.col_count]]
        converters = self._compiler.get_converters(columns)
        self._compiler.get_converters = lambda _columns: converters
        self._places = [
            (at, stand_ins.index(param)) for at, param in enumerate(self._params) if param in stand_ins
        ]

    def with_values(self, values: tuple[int | str, ...]) -> _Asked:
        params = list(self._params)
        for at, which in self._places:
            params[at] = values[which]
        return _Asked(self._compiler, self._sql, tuple(params))


class _Asked:
    """As much of a query set and its query as `ModelIterable` looks at; a request has a thread and a connection of its
    own."""

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
def one_moment() -> Iterator[None]:
    """A transaction that sees one state of the database and stops nobody.

    SQLite begins its transactions as writers here, which would keep saves waiting: this one begins as a reader, and WAL
    lets the others write. PostgreSQL shows each statement a newer state unless it is told to keep to the first.
    Inside a transaction, as in a restore, that one is what is read.
    """
    if connection.in_atomic_block:
        yield
        return
    usual: Any = getattr(connection, "transaction_mode", None)
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        usual, connection.transaction_mode = connection.transaction_mode, "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        if connection.vendor == "sqlite":
            connection.transaction_mode = usual  # type: ignore[attr-defined]


def folder() -> Path:
    """Where backups are kept."""
    return private_folder(Path(settings.DATA_DIR) / "backups")


@contextmanager
def alone() -> Iterator[None]:
    """Let one in at a time: raises Refused while another backup or restore is under way.

    By locks of the system on files in the data folder, which every process sees: they end with whoever holds them,
    however that one ends.
    """
    with _locked("turn"):
        yield


@contextmanager
def replacing() -> Iterator[None]:
    """Replace what stands: from here on `is_replaced` is true for everybody, and nobody else writes."""
    with alone(), _locked("restoring", patient=True):
        yield


@contextmanager
def _locked(name: str, *, patient: bool = False) -> Iterator[None]:
    """Hold a lock; `patient`: wait for it, since whoever looks holds it for a moment."""
    file = os.open(folder() / f".{name}", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if patient else fcntl.LOCK_NB))
    except OSError:
        os.close(file)
        raise Refused(BACKUP_UNDER_WAY()) from None
    try:
        yield
    finally:
        os.close(file)


def is_replaced() -> bool:
    """Whether a restore is under way; costs three calls of the system."""
    try:
        file = os.open(Path(settings.DATA_DIR) / "backups" / ".restoring", os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def era() -> str:
    """Changes whenever everything was replaced: whoever remembers what was read before forgets it then."""
    try:
        return (Path(settings.DATA_DIR) / "backups" / ".restored").read_text()
    except OSError:
        return ""


def begin_era() -> None:
    """Note that everything was replaced."""
    draft = folder() / f".restored-{secrets.token_hex(4)}"
    draft.write_text(secrets.token_hex(8))
    draft.replace(folder() / ".restored")
