"""Temporary databases on the server of TEST_DATABASE_URL."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg


@contextmanager
def new_database() -> Iterator[str]:
    """Create an empty database, yield its URL, and drop it."""
    server = os.environ["TEST_DATABASE_URL"]
    name = f"hule_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        yield server.rpartition("/")[0] + f"/{name}"
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
