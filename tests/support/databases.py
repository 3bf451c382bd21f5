"""Temporary databases on the server of TEST_DATABASE_URL."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

# The processes of pytest-xdist inherit the environment, and with it the name.
MIGRATED = os.environ.setdefault("TEST_MIGRATED_DATABASE", f"hule_{secrets.token_hex(6)}")
"""The database that the fixture `migrated_database` makes once a run, to be copied: migrating takes seconds."""


@contextmanager
def new_database(template: str) -> Iterator[str]:
    """Create a copy of the database `template`, yield its URL, and drop it."""
    name = f"hule_{secrets.token_hex(6)}"
    execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield url_of(name)
    finally:
        execute(f"DROP DATABASE {name} WITH (FORCE)")


def url_of(database: str) -> str:
    return os.environ["TEST_DATABASE_URL"].rpartition("/")[0] + f"/{database}"


def execute(sql: str) -> None:
    with psycopg.connect(os.environ["TEST_DATABASE_URL"], autocommit=True) as connection:
        connection.execute(sql)
