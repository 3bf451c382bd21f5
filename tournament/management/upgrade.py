"""Data that an earlier version of Hule left behind: copied first, then brought to this one's layout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tournament.management import database_copy

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
        kept = database_copy.write()
    except database_copy.NoTool as missing:
        say(f"No copy of the old data was made: {missing} is not installed.")
        return None
    except (OSError, database_copy.Failed) as fault:
        raise CommandError(
            f"The old data could not be copied ({fault}). Nothing was changed; `upgrade --no-copy` does without."
        ) from None
    say(f"The data as it was is kept in {kept}")
    return kept


def _migrate(kept: Path | None) -> None:
    try:
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    except Exception as fault:
        said = f"The data could not be brought up to date: {type(fault).__name__}: {fault}\n"
        raise CommandError(said + _as_it_was(kept)) from fault


def _as_it_was(kept: Path | None) -> str:
    """Several migrations may have been made before the one that failed."""
    if kept is None:
        return "No copy was made."
    if connection.vendor == "sqlite":
        database_copy.put_back(kept)
        return "It is as it was before: start the version that you had, and report this."
    return f"{database_copy.how_to_put_back(kept)} brings it back as it was, for the version that you had."
