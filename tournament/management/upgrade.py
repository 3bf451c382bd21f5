"""Data of an earlier version: copied first, then brought to this layout; the copy can be put back."""

import os
import secrets
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from tournament.base.database import folder

OURS: Final = ("tournament", "penalties", "scoring")
Say = Callable[[str], object]


def bring_up_to_date(say: Say, *, copy: bool = True) -> bool:
    """Migrate what is to be migrated, and say what is done; False when nothing was. `copy`: keep the data as it was.

    Raises CommandError when the data is a later version's, when no copy could be written, or when a migration failed:
    the data is then as it was with SQLite, and as the last whole migration left it with PostgreSQL.
    """
    executor = MigrationExecutor(connection)
    _refuse_later_data(executor)
    steps = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if not steps:
        return False
    if not executor.loader.applied_migrations:
        say("Preparing the database …")
        kept = None
    else:
        say(f"This data is an earlier version's: bringing it up to date ({steps} migrations).")
        kept = _kept(say) if copy else None
    _migrate(kept)
    if executor.loader.applied_migrations:
        say("The data is up to date.")
    return True


def _refuse_later_data(executor: MigrationExecutor) -> None:
    known = executor.loader.disk_migrations
    later = [name for name in executor.loader.applied_migrations if name[0] in OURS and name not in known]
    if later:
        names = ", ".join(sorted(".".join(name) for name in later))
        raise CommandError(
            f"This data was written by a later version of Hule ({names}). Nothing was changed: start that version."
        )


def _kept(say: Say) -> Path | None:
    try:
        kept = write()
    except NoTool as missing:
        say(f"No copy of the old data was made: {missing} is not installed.")
        return None
    except (OSError, Failed) as fault:
        raise CommandError(
            f"The old data could not be copied ({fault}). Nothing was changed; `upgrade --no-copy` does without."
        ) from None
    say(f"The data as it was is kept in {kept}")
    return kept


def _migrate(kept: Path | None) -> None:
    try:
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    except Exception as fault:
        message = f"The data could not be brought up to date: {type(fault).__name__}: {fault}\n"
        raise CommandError(message + _as_it_was(kept)) from fault


def _as_it_was(kept: Path | None) -> str:
    """Several migrations may have been made before the one that failed."""
    if kept is None:
        return "No copy was made."
    if connection.vendor == "sqlite":
        put_back(kept)
        return "It is as it was before: start the version that you had, and report this."
    return f"{how_to_put_back(kept)} brings it back as it was, for the version that you had."


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
