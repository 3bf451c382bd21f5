"""What .ci/run repeats on PostgreSQL and Redis: all that may come out otherwise there, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.processes import ROOT
from tests.servers import READ_SETTINGS, depends_on_servers


@dataclass(frozen=True)
class Test:
    """As much of a test as is asked of it."""

    __test__ = False
    folder: str
    fixturenames: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return ROOT / "tests" / self.folder / "test_something.py"

    def get_closest_marker(self, name: str) -> bool:
        return name in self.markers


@pytest.mark.parametrize(
    ("test", "depends"),
    [
        (Test("scoring"), False),
        (Test("live"), True),
        (Test("scoring", markers=("django_db",)), True),
        (Test("documents", fixturenames=("evening_paper", "django_db_setup")), True),
        (Test("platform", fixturenames=("place", "migrated")), False),
        (Test("platform", fixturenames=("migrated",), markers=("django_db",)), True),
        (Test("platform", markers=("postgres", "redis", "nginx")), False),
    ],
)
def test_a_test_is_repeated_where_its_servers_are_those_of_the_settings(test: Any, depends: bool) -> None:
    assert depends_on_servers(test) is depends


def test_the_folders_are_there() -> None:
    assert {name for name in READ_SETTINGS if not (ROOT / "tests" / name).is_dir()} == set()


def test_faults_are_repeated() -> None:
    """They kill a server of each kind, which one they see by DATABASE_URL."""
    assert depends_on_servers(Test("platform", fixturenames=("tmp_path",)))  # type: ignore[arg-type]
    assert "fixture" not in (ROOT / "tests" / "platform" / "test_faults.py").read_text("utf-8")


def test_what_is_left_out_by_name_is_there() -> None:
    named = [
        word for word in (ROOT / ".ci" / "run").read_text("utf-8").split() if word.startswith("--ignore=")
    ]
    assert len(named) >= 5
    assert [name for name in named if not (ROOT / name.removeprefix("--ignore=")).is_file()] == []
