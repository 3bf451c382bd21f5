"""Django's SQLite backend with a connection pool.

Under ASGI every request has a thread, and so a connection, of its own. When the last connection closes, SQLite copies
the whole journal into the database and removes it; the next one creates it again, which fails on a full disk even for
a read. With pooled connections a save waits for the disk once, and a read writes nothing.
"""

import os
import sqlite3
from pathlib import Path
from threading import Lock
from typing import Any, Final

from django.db.backends.sqlite3 import base

from config.private_files import private_file

MAX_IDLE: Final = 8
"""Idle connections kept: about as many as are used at the same moment."""


class ConnectionPool:
    """The idle connections of this process, by database file."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._idle: dict[str, list[tuple[int, sqlite3.Connection]]] = {}
        self._inherited: list[Any] = []

    def take(self, name: str) -> sqlite3.Connection | None:
        """Return an idle connection, or None. Closes those of a file that was replaced meanwhile."""
        inode = _inode(name)
        with self._lock:
            waiting = self._idle.get(name, [])
            while waiting:
                file, connection = waiting.pop()
                if file == inode:
                    return connection
                connection.close()
        return None

    def give_back(self, name: str, connection: sqlite3.Connection) -> bool:
        """Keep the connection; return False if enough are idle."""
        with self._lock:
            waiting = self._idle.setdefault(name, [])
            if len(waiting) >= MAX_IDLE:
                return False
            waiting.append((_inode(name), connection))
            return True

    def close(self) -> None:
        """Close all idle connections; closing the last one copies the journal into the database."""
        with self._lock:
            for waiting in self._idle.values():
                for _key, connection in waiting:
                    connection.close()
            self._idle.clear()

    def forget_in_child(self) -> None:
        """Drop all connections after a fork, unclosed: SQLite forbids both (sqlite.org/howtocorrupt.html)."""
        self._inherited.append(self._idle)
        self._idle, self._lock = {}, Lock()


pool = ConnectionPool()
os.register_at_fork(after_in_child=pool.forget_in_child)


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes an idle connection from the pool, and returns it when Django closes it."""

    _opened = -1

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        connection = pool.take(self._name) if self._is_pooled else None
        if connection is None:
            if self._is_pooled:
                private_file(Path(self._name))
            connection = super().get_new_connection(conn_params)
        else:
            connection.execute("PRAGMA foreign_keys = ON")  # the last user may have died before resetting it
        self._opened = _inode(self._name)
        return connection

    def close(self) -> None:
        """Return the connection to the pool; close it within a transaction, or if its file was replaced."""
        self.validate_thread_sharing()
        connection = self.connection
        is_poolable = self._is_pooled and self._opened == _inode(self._name) and not self.in_atomic_block
        if connection is None or not is_poolable:
            super().close()
            return
        with self.wrap_database_errors:
            if connection.in_transaction:
                connection.rollback()
            connection.isolation_level = None
        if pool.give_back(self._name, connection):
            self.connection, self.run_on_commit = None, []
        else:
            super().close()

    @property
    def _name(self) -> str:
        return str(self.settings_dict["NAME"])

    @property
    def _is_pooled(self) -> bool:
        return not self.is_in_memory_db()


def _inode(name: str) -> int:
    """Return the inode of this file, which changes when a backup is restored; -1 if there is none."""
    try:
        return Path(name).stat().st_ino
    except OSError:
        return -1
