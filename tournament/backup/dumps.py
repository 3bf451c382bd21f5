"""Dump the database, and put a dump in its place, with the tools of the database itself."""

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

OUR_APPS: Final = ("tournament", "penalties", "scoring")
Prepare = Callable[[], object]


class DumpError(Exception):
    """A tool of the database failed; the message is its own."""


class ToolMissing(OSError):
    """A program of the database is not installed."""


class Sqlite:
    """A copy of the database file, by SQLite's online backup: nobody waits for it."""

    part: Final = "database.sqlite3"
    checks: Final[tuple[tuple[str, list[tuple[str, ...]]], ...]] = (
        ("PRAGMA integrity_check(1)", [("ok",)]),
        ("PRAGMA foreign_key_check", []),
        ("SELECT name FROM pragma_table_list WHERE type <> 'table'", []),
        ("SELECT name FROM sqlite_master WHERE type = 'trigger'", []),
        ("SELECT t.name FROM sqlite_master t, pragma_table_xinfo(t.name) WHERE hidden", []),
    )
    """Queries, and what they return for a database as Hule makes it."""

    def write(self, path: Path, *, without: Iterable[str] = ()) -> None:
        """Write a dump without the rows of some tables. Within `read_snapshot` it is of that moment."""
        connection.ensure_connection()
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as copy:
                connection.connection.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
                for table in without:
                    copy.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
                copy.execute("VACUUM")
        except sqlite3.Error as fault:
            raise DumpError(str(fault)) from None

    def check(self, path: Path) -> None:
        """Check a dump from an untrusted source. Raises DumpError."""
        try:
            with closing(sqlite3.connect(path)) as database:
                database.execute("PRAGMA cell_size_check = ON")
                for query, expected in self.checks:
                    if (rows := database.execute(query).fetchall()) != expected:
                        raise DumpError(f"{query}: {rows[0]}")
        except sqlite3.Error as fault:
            raise DumpError(str(fault)) from None

    def replace(self, path: Path, prepare: Prepare) -> None:
        """Put a dump in the place of the database in one transaction, after `prepare` has changed and checked it.

        While it runs, the queries of this thread go to the dump.
        """
        live = connections[DEFAULT_DB_ALIAS]
        live.ensure_connection()
        with closing(DatabaseWrapper({**live.settings_dict, "NAME": str(path)}, DEFAULT_DB_ALIAS)) as dump:
            connections[DEFAULT_DB_ALIAS] = dump
            try:
                prepare()
            finally:
                connections[DEFAULT_DB_ALIAS] = live
            try:
                dump.connection.backup(live.connection)
            except sqlite3.Error as fault:
                raise DumpError(str(fault)) from None


class Postgresql:
    """What pg_dump writes and pg_restore reads, which must not be older than the server."""

    part: Final = "database.dump"

    def write(self, path: Path, *, without: Iterable[str] = ()) -> None:
        """Write a dump without the rows of some tables. Within `read_snapshot` it is of that moment."""
        options = [f"--exclude-table-data={table}" for table in without]
        if connection.in_atomic_block:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_export_snapshot()")
                options.append(f"--snapshot={cursor.fetchone()[0]}")
        _run("pg_dump", "--format=custom", f"--file={path}", *options)

    def check(self, path: Path) -> None:
        """Check that a dump can be read. Raises DumpError."""
        _run("pg_restore", "--list", str(path))

    def replace(self, path: Path, prepare: Prepare) -> None:
        """Put a dump in the place of the database in one transaction; undo it if `prepare` then fails."""
        before = path.with_name("before.dump")
        self.write(before)
        self._load(path)
        try:
            prepare()
        except BaseException:
            self._load(before)
            raise

    def _load(self, path: Path) -> None:
        listed = _run("pg_restore", "--list", str(path))
        dumped = re.findall(r"^\d+; \d+ \d+ TABLE \S+ (\S+) ", listed, re.MULTILINE)
        prefixes = tuple(f"{app.label}_" for app in apps.get_app_configs())
        with connection.cursor() as cursor:
            # A table of a later version would keep others from being dropped, and a migration from creating it.
            for table in {*connection.introspection.table_names()} - {*dumped}:
                if table.startswith(prefixes):
                    cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)} CASCADE")
        options = ("--clean", "--if-exists", "--no-owner", "--single-transaction", "--exit-on-error")
        _run("pg_restore", *options, f"--dbname={connection.settings_dict['NAME']}", str(path))


def _run(program: str, *options: str) -> str:
    """Run a program of PostgreSQL; return its output. Raises DumpError."""
    if shutil.which(program) is None:
        raise ToolMissing(f"{program} is not installed (Debian package postgresql-client)")
    process = subprocess.run(
        [program, "--no-password", *options], env=os.environ | _address(), capture_output=True, text=True
    )
    if process.returncode:
        raise DumpError(process.stderr.strip())
    return process.stdout


def _address() -> dict[str, str]:
    """Return the connection as environment variables; arguments would be visible to everybody on the machine."""
    variables = {
        "PGDATABASE": "NAME",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGHOST": "HOST",
        "PGPORT": "PORT",
    }
    database = connection.settings_dict
    return {name: str(database[key]) for name, key in variables.items() if database[key]}


def tools() -> Sqlite | Postgresql:
    """Return the tools of the current database."""
    return Sqlite() if connection.vendor == "sqlite" else Postgresql()


def applied_migrations() -> list[str]:
    """Return the migrations of the current database: tournament.0001_initial …"""
    return sorted(map(".".join, MigrationRecorder(connection).applied_migrations()))


def later_migrations(names: Iterable[str]) -> list[str]:
    """Return those of our migrations that only a later version has."""
    known = set(map(".".join, MigrationLoader(None).disk_migrations))
    return [name for name in names if name not in known and name.partition(".")[0] in OUR_APPS]
