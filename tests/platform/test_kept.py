"""What lies in the data folder is the server's user's alone, and whole or not there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from config.kept import kept
from tests.support.processes import Place


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_is_made_once(tmp_path: Path) -> None:
    numbers = count()
    assert [kept(tmp_path / "key", lambda: str(next(numbers))) for _ in range(3)] == ["0", "0", "0"]
    assert mode(tmp_path / "key") == 0o600


def test_those_who_come_together_get_the_same(tmp_path: Path) -> None:
    numbers = count()
    with ThreadPoolExecutor(8) as threads:
        got = set(threads.map(lambda _: kept(tmp_path / "key", lambda: str(next(numbers))), range(64)))
    assert len(got) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_one_who_dies_while_writing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        kept(tmp_path / "key", lambda: "half")
    assert list(tmp_path.iterdir()) == []


def test_what_a_full_disk_left_empty_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "key").touch()
    assert kept(tmp_path / "key", lambda: "whole") == "whole"


def test_without_hard_links_it_is_kept_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stick(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", stick)
    assert kept(tmp_path / "key", lambda: "whole") == "whole"
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


@pytest.mark.thorough
def test_a_start_makes_a_folder_that_nobody_else_looks_into(tmp_path: Path) -> None:
    place = Place(tmp_path / "data", {})
    with umask(0o022):
        done = place.manage("migrate", "--skip-checks", "--verbosity", "0", "contenttypes")
    assert done.returncode == 0, done.stdout
    modes = {path.name: mode(path) for path in (tmp_path / "data", *(tmp_path / "data").glob("*"))}
    assert modes["data"] == 0o700
    assert {name: mode for name, mode in modes.items() if name in ("hule.sqlite3", "secret-key")} == {
        "hule.sqlite3": 0o600,
        "secret-key": 0o600,
    }


@pytest.mark.thorough
def test_django_finds_nothing_to_put_right_before_a_deployment(tmp_path: Path) -> None:
    done = Place(tmp_path, {"HTTPS": "1"}).manage("check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stdout
