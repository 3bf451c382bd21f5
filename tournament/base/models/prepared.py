"""Queries that every save asks, written as SQL once and asked again with other values.

Django writes the SQL of a query anew each time, which takes it ten times as long as SQLite takes to answer. For a page
that is nothing, but a hundred tables end their hands in the same minute.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable

Row = TypeVar("Row", bound=Model)
MOST: Final = 2**63 - 1
"""No number in a database is larger, and SQLite cannot be asked for one."""


class Prepared(Generic[Row]):
    """A query for values of these kinds, by which it finds a row or a few.

    `asked` makes it, with everything that `select_related` and annotations bring, but nothing prefetched.
    """

    def __init__(self, asked: Callable[..., QuerySet[Row]], *kinds: type[int] | type[str]) -> None:
        self._asked = asked
        self._stand_ins = tuple(_stand_in(kind, at) for at, kind in enumerate(kinds))

    def __call__(self, *values: int | str) -> list[Row]:
        if any(isinstance(value, int) and abs(value) > MOST for value in values):
            return []
        return list(ModelIterable(self._written.asked(values)))  # type: ignore[arg-type]

    def first(self, *values: int | str) -> Row | None:
        return next(iter(self(*values)), None)

    def get(self, *values: int | str) -> Row:
        """Raises the model's DoesNotExist, as a query set does."""
        found = self.first(*values)
        if found is None:
            raise self._written.model.DoesNotExist
        return found

    @cached_property
    def _written(self) -> _Written:
        return _Written(self._asked(*self._stand_ins), self._stand_ins)


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


def _stand_in(kind: type[int] | type[str], at: int) -> int | str:
    """What no query has by itself, and the smallest column could hold."""
    return 32_001 + at if kind is int else f"stand-in {at}"


class _Written:
    """The SQL, and where in its parameters the values go."""

    def __init__(self, rows: QuerySet[Any], stand_ins: tuple[int | str, ...]) -> None:
        self.model = rows.model
        self._compiler = rows.query.get_compiler(DEFAULT_DB_ALIAS)
        self._sql, self._params = self._compiler.as_sql()
        asked = [column for column, *_how in self._compiler.select[: self._compiler.col_count]]
        converters = self._compiler.get_converters(asked)
        self._compiler.get_converters = lambda _columns: converters
        self._places = [
            (at, stand_ins.index(param)) for at, param in enumerate(self._params) if param in stand_ins
        ]

    def asked(self, values: tuple[int | str, ...]) -> _Asked:
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
