"""Checks whether this process can serve requests, for whoever starts it or balances load."""

import fcntl
import logging
import os
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

logger = logging.getLogger(__name__)

DATABASE: Final = "database"
MIGRATIONS: Final = "migrations"
QUEUE: Final = "queue"
RESTORING: Final = ".restoring"
"""The file in the folder of the backups that is locked during a restore."""

_migrated: set[str] = set()
"""Databases that are fully migrated; they stay so while this version runs."""


def missing() -> list[str]:
    """Return which of DATABASE, MIGRATIONS and QUEUE are missing. Reasons, which may name hosts, are only logged."""
    return [*_missing_of_database(), *(() if _queue_answers() else (QUEUE,))]


def _missing_of_database() -> list[str]:
    try:
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return [] if _is_migrated() else [MIGRATIONS]
    except DatabaseError as fault:
        logger.warning("Not ready: the database does not answer: %s", fault)
        return [DATABASE]
    finally:
        connection.close()


def _is_migrated() -> bool:
    name = str(connection.settings_dict["NAME"])
    if name not in _migrated:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return False
        _migrated.add(name)
    return True


def _queue_answers() -> bool:
    if not settings.REDIS_URL:
        return os.access(queue_folder(), os.W_OK)
    from redis import Redis, RedisError

    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1) as redis:
            return bool(redis.ping())
    except RedisError as fault:
        logger.warning("Not ready: Redis does not answer: %s", fault)
        return False


def queue_folder() -> Path:
    """Return the folder of the task queue that is used without Redis."""
    return Path(str(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]))


def is_restoring() -> bool:
    """Return whether a restore is under way. Costs three system calls."""
    try:
        file = os.open(Path(settings.DATA_DIR) / "backups" / RESTORING, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False
