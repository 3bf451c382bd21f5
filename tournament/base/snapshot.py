"""Reading everything as it stands at one moment, while others go on writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


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
