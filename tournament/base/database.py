"""Database tools beyond models: snapshot reads, and locks for backup and restore."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from config.private_files import private_folder
from config.readiness import RESTORING
from scoring.engine.problems import problem_code
from tournament.base.errors import Refused

BACKUP_UNDER_WAY = problem_code(
    "backup_under_way", "Another backup or restore is under way. Try again when it is done."
)


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


def can_restore_in_browser() -> bool:
    """Return whether the worker can restore a backup; PostgreSQL's own program needs the administrator."""
    return connection.vendor == "sqlite"


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
