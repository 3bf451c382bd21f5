"""Migrates the data of an earlier version, after a copy that can be restored."""

import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from tournament.backup.dumps import DumpError, ToolMissing, applied_migrations, later_migrations, tools
from tournament.backup.storage import new_path
from tournament.base.database import backup_folder

Report = Callable[[str], object]


def migrate_data(report: Report, *, copy: bool = True) -> bool:
    """Migrate the database and report each step. Return False if there was nothing to do.

    With `copy` the data is copied first. Raises CommandError when a later version wrote the data, when it could not
    be copied, or when a migration failed: SQLite then has the old data again, PostgreSQL what the last whole
    migration left.
    """
    executor = MigrationExecutor(connection)
    _refuse_later_data()
    steps = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if not steps:
        return False
    if not executor.loader.applied_migrations:
        report(_("Preparing the database …"))
        copy_path = None
    else:
        report(f"This data is an earlier version's: bringing it up to date ({steps} migrations).")
        copy_path = _copy_data(report) if copy else None
    _migrate(copy_path)
    if executor.loader.applied_migrations:
        report("The data is up to date.")
    return True


def _refuse_later_data() -> None:
    if later := later_migrations(applied_migrations()):
        raise CommandError(
            f"This data was written by a later version of Hule ({', '.join(later)}). Nothing was changed: start that "
            "version."
        )


def _copy_data(report: Report) -> Path | None:
    try:
        copy_path = write_copy()
    except ToolMissing as fault:
        report(f"No copy of the old data was made: {fault}.")
        return None
    except (OSError, DumpError) as fault:
        raise CommandError(
            f"The old data could not be copied ({fault}). Nothing was changed; `upgrade --no-copy` does without."
        ) from None
    report(f"The data as it was is kept in {copy_path}")
    return copy_path


def _migrate(copy_path: Path | None) -> None:
    try:
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    except Exception as fault:
        message = f"The data could not be brought up to date: {type(fault).__name__}: {fault}\n"
        raise CommandError(message + _restore_or_explain(copy_path)) from fault


def _restore_or_explain(copy_path: Path | None) -> str:
    """Restore the copy (SQLite) or return how to: several migrations may have run before the one that failed."""
    if copy_path is None:
        return "No copy was made."
    if connection.vendor == "sqlite":
        restore_copy(copy_path)
        return "It is as it was before: start the version that you had, and report this."
    return f"{restore_command(copy_path)} brings it back as it was, for the version that you had."


NAME: Final = "before-upgrade-"
COPIES_KEPT: Final = 3
"""Copies in the folder; older ones are deleted."""


def write_copy() -> Path:
    """Copy the database into the folder of backups, atomically. Raises DumpError and OSError."""
    path = new_path(prefix=NAME, suffix=Path(tools().part).suffix)
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        tools().write(draft)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    _delete_old_copies()
    return path


def restore_copy(path: Path) -> None:
    """Restore a copy of SQLite in one transaction."""
    connection.ensure_connection()
    if connection.in_atomic_block or connection.connection.in_transaction:
        connection.connection.rollback()
    with closing(sqlite3.connect(path)) as source:
        source.backup(connection.connection)


def restore_command(path: Path) -> str:
    """Return the command that restores a copy of PostgreSQL."""
    name = connection.settings_dict["NAME"]
    return f"pg_restore --clean --if-exists --no-owner --dbname={name} {path}"


def _delete_old_copies() -> None:
    copies = sorted(backup_folder().glob(f"{NAME}*"), key=lambda path: path.stat().st_mtime_ns)
    for path in copies[:-COPIES_KEPT]:
        path.unlink(missing_ok=True)
