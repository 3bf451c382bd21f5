"""Django's SQLite backend, whose connections go from one request to the next instead of being opened and closed.

Under ASGI every request has a thread, and so a connection, of its own. When the last one closes, SQLite copies the
whole journal into the database and removes it; each new one waits once more for the disk when it writes, and makes
files before it reads, which a full disk does not let it. With connections that are kept a save waits for the disk
once, and whoever only reads writes nothing.
"""

import os
import sqlite3
from pathlib import Path
from threading import Lock
from typing import Any, Final

from django.db.backends.sqlite3 import base

from config.kept import private_file

MOST_IDLE: Final = 8
"""Connections kept while nobody uses them: as many as write and read in the same moment, more or less."""


class Idle:
    """The connections of this process that nobody uses at the moment, by database file."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[str, list[tuple[int, sqlite3.Connection]]] = {}
        self._inherited: list[Any] = []

    def take(self, name: str) -> sqlite3.Connection | None:
        """One of them; None when there is none. What belongs to a file that was replaced meanwhile is closed."""
        now = _file(name)
        with self._lock:
            waiting = self._waiting.get(name, [])
            while waiting:
                file, connection = waiting.pop()
                if file == now:
                    return connection
                connection.close()
        return None

    def put(self, name: str, connection: sqlite3.Connection) -> bool:
        """Keep it; False when enough are kept."""
        with self._lock:
            waiting = self._waiting.setdefault(name, [])
            if len(waiting) >= MOST_IDLE:
                return False
            waiting.append((_file(name), connection))
            return True

    def close(self) -> None:
        """Close all of them: the last one to go copies the journal into the database."""
        with self._lock:
            for waiting in self._waiting.values():
                for _its_file, connection in waiting:
                    connection.close()
            self._waiting.clear()

    def leave_to_parent(self) -> None:
        """In a forked child: no connection may cross a fork, not even to be closed (sqlite.org/howtocorrupt.html)."""
        self._inherited.append(self._waiting)
        self._waiting, self._lock = {}, Lock()


idle = Idle()
os.register_at_fork(after_in_child=idle.leave_to_parent)


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes a connection that is idle, and gives it back when Django closes it."""

    _opened = -1

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        connection = idle.take(self._name) if self._is_kept else None
        if connection is None:
            if self._is_kept:
                private_file(Path(self._name))
            connection = super().get_new_connection(conn_params)
        else:
            connection.execute("PRAGMA foreign_keys = ON")  # whoever had it may have ended in between
        self._opened = _file(self._name)
        return connection

    def _close(self) -> None:
        connection = self.connection
        if connection is None or not self._is_kept or self._opened != _file(self._name):
            super()._close()  # type: ignore[misc]  # the stubs leave it out
            return
        with self.wrap_database_errors:
            if connection.in_transaction:
                connection.rollback()
            connection.isolation_level = None
            if not idle.put(self._name, connection):
                connection.close()

    @property
    def _name(self) -> str:
        return str(self.settings_dict["NAME"])

    @property
    def _is_kept(self) -> bool:
        return not self.is_in_memory_db()


def _file(name: str) -> int:
    """Which file has the name now: a backup that is put back is another one."""
    try:
        return Path(name).stat().st_ino
    except OSError:
        return -1
