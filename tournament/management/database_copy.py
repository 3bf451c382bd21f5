"""The database as it lies there, table by table and byte by byte, for the moment before its layout changes.

A backup (`tournament.backup`) is read through the models, which speak of the new layout while the tables are still the
old one's: the database's own tools know nothing of either.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from django.db import connection
from django.utils import timezone

from tournament.base.database import folder

NAME: Final = "before-upgrade-"
LAST: Final = 3
"""Copies that are kept."""


class NoTool(Exception):
    """The database's own program for this is not installed: its name."""


class Failed(Exception):
    """What the program said."""


def write() -> Path:
    """Copy the database into the folder of backups, whole or not at all. Raises NoTool, Failed, OSError."""
    is_sqlite = connection.vendor == "sqlite"
    path = next(name for name in _names(".sqlite3" if is_sqlite else ".dump") if not name.exists())
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        (_copy_sqlite if is_sqlite else _dump_postgresql)(draft)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    _forget_old()
    return path


def put_back(path: Path) -> None:
    """SQLite: everything as it was in the copy, in one transaction."""
    connection.ensure_connection()
    if connection.in_atomic_block or connection.connection.in_transaction:
        connection.connection.rollback()
    with closing(sqlite3.connect(path)) as source:
        source.backup(connection.connection)


def how_to_put_back(path: Path) -> str:
    """PostgreSQL: the command."""
    name = connection.settings_dict["NAME"]
    return f"pg_restore --clean --if-exists --no-owner --dbname={name} {path}"


def _copy_sqlite(draft: Path) -> None:
    connection.ensure_connection()
    try:
        with closing(sqlite3.connect(draft)) as target:
            connection.connection.backup(target)
    except sqlite3.Error as fault:
        raise Failed(str(fault)) from None


def _dump_postgresql(draft: Path) -> None:
    program = shutil.which("pg_dump")
    if program is None:
        raise NoTool("pg_dump")
    words = ["--format=custom", "--no-password", f"--file={draft}"]
    done = subprocess.run([program, *words], env=os.environ | _place(), capture_output=True, text=True)
    if done.returncode:
        raise Failed(done.stderr.strip())


def _place() -> dict[str, str]:
    """Where the server is, for its own programs: not as words of a command, which everybody on the machine can read."""
    said: dict[str, Any] = connection.settings_dict
    place = {
        "PGDATABASE": "NAME",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGHOST": "HOST",
        "PGPORT": "PORT",
    }
    return {name: str(said[key]) for name, key in place.items() if said[key]}


def _names(suffix: str) -> Iterator[Path]:
    first = f"{NAME}{timezone.localtime(timezone=timezone.get_default_timezone()):%Y-%m-%d-%H%M}"
    yield folder() / f"{first}{suffix}"
    yield from (folder() / f"{first}-{number}{suffix}" for number in range(2, 10_000))


def _forget_old() -> None:
    copies = sorted(folder().glob(f"{NAME}*"), key=lambda path: path.stat().st_mtime_ns)
    for path in copies[:-LAST]:
        path.unlink(missing_ok=True)
