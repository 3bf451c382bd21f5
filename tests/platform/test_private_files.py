"""What lies in the data folder is the server's user's alone, whole or not there; a save is on the disk."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from config.private_files import read_or_create
from config.sqlite.base import MAX_IDLE, ConnectionPool
from tests.support.processes import Place, make_place

VISITS = """
import os, sqlite3
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

def visit(key):
    Session.objects.update_or_create(session_key=key, defaults={"session_data": "", "expire_date": timezone.now()})

for number in range(20):
    visit(f"key{number}")
    connection.close()
"""
"""Twenty requests that write."""

BACKUP = """
name = str(connection.settings_dict["NAME"])
copy = sqlite3.connect(name + ".copy")
sqlite3.connect(name).backup(copy)
copy.execute("DELETE FROM django_session WHERE session_key <> 'key1'")
copy.commit()
copy.close()
for ending in ("-wal", "-shm"):
    os.unlink(name + ending)
os.replace(name + ".copy", name)
print(Session.objects.count())
"""


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_file_is_created_once(tmp_path: Path) -> None:
    numbers = count()
    assert [read_or_create(tmp_path / "key", lambda: str(next(numbers))) for _ in range(3)] == ["0", "0", "0"]
    assert mode(tmp_path / "key") == 0o600


def test_concurrent_processes_get_the_same_text(tmp_path: Path) -> None:
    numbers = count()
    with ThreadPoolExecutor(8) as threads:
        got = set(
            threads.map(lambda _: read_or_create(tmp_path / "key", lambda: str(next(numbers))), range(64))
        )
    assert len(got) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_killed_writer_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        read_or_create(tmp_path / "key", lambda: "half")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_created_anew(tmp_path: Path) -> None:
    (tmp_path / "key").touch()
    assert read_or_create(tmp_path / "key", lambda: "whole") == "whole"


def test_the_file_is_created_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stick(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", stick)
    assert read_or_create(tmp_path / "key", lambda: "whole") == "whole"
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


@pytest.mark.thorough
def test_a_start_creates_private_folders_and_the_deployment_check_passes(
    tmp_path: Path, migrated: Path
) -> None:
    """In a data folder that was there before, too."""
    data = tmp_path / "data"
    with umask(0o022):
        done = Place(data, {"HTTPS": "1"}).manage("check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stdout
    assert mode(data) == mode(data / "queue") == mode(migrated / "queue") == 0o700
    private = (data / "secret-key", migrated / "secret-key", migrated / "hule.sqlite3")
    assert [mode(file) for file in private] == [0o600] * 3


@pytest.fixture(scope="module")
def place(migrated: Path) -> Iterator[Place]:
    with make_place(migrated) as place:
        yield place


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "one").touch()
    return str(tmp_path / "one")


@pytest.mark.thorough
def test_a_save_is_on_the_disk_before_it_is_answered(place: Place) -> None:
    script = """
from django.db import connection
with connection.cursor() as cursor:
    print([cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")])
"""
    full = 2
    assert place.run(script).strip() == str([full, "wal"])


@pytest.mark.thorough
def test_one_connection_and_one_journal_serve_one_request_after_the_other(place: Place) -> None:
    script = """
seen = set()
for _ in range(5):
    connection.ensure_connection()
    seen.add(id(connection.connection))
    connection.close()
print(len(seen), os.path.exists(str(connection.settings_dict['NAME']) + '-wal'))
"""
    assert place.run(VISITS + script).strip() == "1 True"


@pytest.mark.thorough
def test_an_open_transaction_is_rolled_back(place: Place) -> None:
    script = """
connection.ensure_connection()
connection.connection.execute("BEGIN IMMEDIATE")
connection.connection.execute("UPDATE django_session SET session_key = 'half' WHERE session_key = 'key1'")
connection.close()
print(Session.objects.filter(session_key="half").exists(), connection.connection.in_transaction)
"""
    assert place.run(VISITS + script).strip() == "False False"


@pytest.mark.thorough
def test_a_replaced_database_is_read_from_then_on(place: Place) -> None:
    assert place.run(VISITS + BACKUP).strip() == "1"


def test_the_pool_has_a_maximum(file: str) -> None:
    pool = ConnectionPool()
    connections = [sqlite3.connect(file, check_same_thread=False) for _ in range(MAX_IDLE + 2)]
    assert [pool.give_back(file, connection) for connection in connections] == [True] * MAX_IDLE + [False] * 2
    pool.close()
    assert pool.take(file) is None
    for connection in connections:
        connection.close()


def test_a_forked_child_drops_its_parents_connections(file: str) -> None:
    pool = ConnectionPool()
    connection = sqlite3.connect(file, check_same_thread=False)
    pool.give_back(file, connection)
    pool.forget_in_child()
    assert pool.take(file) is None
    assert connection.execute("SELECT 1").fetchone() == (1,)
    connection.close()


def test_connections_of_a_replaced_file_are_closed(file: str) -> None:
    pool = ConnectionPool()
    old = sqlite3.connect(file, check_same_thread=False)
    pool.give_back(file, old)
    os.replace(file, file + ".old")
    Path(file).touch()
    assert pool.take(file) is None
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        old.execute("SELECT 1")
