"""What a command asks of the database before it writes."""

from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def require_migrated() -> None:
    """Raise CommandError, with what to do, when the database has not got every table and column yet."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError("The database is not prepared. Run first: python manage.py upgrade")
