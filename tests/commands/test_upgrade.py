"""A new version on old data: a copy first, then the migrations, and nothing lost when one of them fails."""

import re
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.platform.next_version import later_version
from tests.support.processes import ROOT, Place, make_place, serving, status
from tournament.management import static

pytestmark = pytest.mark.thorough
OLD = (ROOT / "tests" / "data" / "hule-0.1.0.sql").read_text("utf-8")
SPRING = "from tournament.base.models.tournament import Tournament; print(Tournament.objects.get().slug)"


@pytest.fixture
def old(collected: Path) -> Iterator[Place]:
    """The data folder that 0.1.0 left."""
    with make_place(STATIC_ROOT=str(collected)) as place:
        with closing(sqlite3.connect(place.folder / "hule.sqlite3")) as database:
            database.executescript(OLD)
        yield place


@pytest.fixture
def later(old: Place, tmp_path: Path) -> Place:
    """That folder, and a later version that is to work on it."""
    old.environment |= later_version(tmp_path)
    return old


def dumped(path: Path) -> str:
    with closing(sqlite3.connect(path)) as database:
        return "\n".join(database.iterdump())


def copies(place: Place) -> list[Path]:
    return sorted((place.folder / "backups").glob("before-upgrade-*"))


def test_a_copy_of_the_old_data_is_made_and_said_before_it_is_changed(later: Place) -> None:
    """Where nothing is to be done no copy is made."""
    before = dumped(later.folder / "hule.sqlite3")
    done = later.manage("upgrade")
    assert done.returncode == 0, done.stdout
    (copy,) = copies(later)
    assert "an earlier version's: bringing it up to date" in done.stdout
    assert f"The data as it was is kept in {copy}\n" in done.stdout
    assert dumped(copy) == before
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert "penalties_later" in dumped(later.folder / "hule.sqlite3")
    again = later.manage("upgrade")
    assert again.stdout.startswith("The data is up to date already.\n")
    assert len(copies(later)) == 1


def test_an_empty_folder_has_nothing_to_copy(tmp_path: Path, collected: Path) -> None:
    place = Place(tmp_path / "new", {"STATIC_ROOT": str(collected)})
    done = place.manage("upgrade")
    assert done.stdout.startswith("Preparing the database …\n")
    assert copies(place) == []


def test_when_a_migration_fails_the_old_version_goes_on(old: Place, tmp_path: Path) -> None:
    before = dumped(old.folder / "hule.sqlite3")
    ours = dict(old.environment)
    old.environment |= later_version(tmp_path, fails=True)
    done = old.manage("upgrade")
    assert done.returncode == 1
    assert "RuntimeError: the disk broke" in done.stdout
    assert "It is as it was before" in done.stdout
    assert dumped(old.folder / "hule.sqlite3") == before
    old.environment = ours
    assert old.python(SPRING) == "spring-open\n"


def test_without_room_for_the_copy_nothing_is_changed(later: Place) -> None:
    before = dumped(later.folder / "hule.sqlite3")
    (later.folder / "backups").write_text("a file where the folder should be")
    done = later.manage("upgrade")
    assert done.returncode == 1
    assert "could not be copied" in done.stdout
    assert "Nothing was changed" in done.stdout
    assert dumped(later.folder / "hule.sqlite3") == before


def test_data_of_a_later_version_is_left_alone(later: Place) -> None:
    assert later.manage("upgrade").returncode == 0
    before = dumped(later.folder / "hule.sqlite3")
    later.environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    done = later.manage("upgrade")
    assert done.returncode == 1
    assert "written by a later version of Hule (penalties.0100_later)" in done.stdout
    assert dumped(later.folder / "hule.sqlite3") == before


@pytest.mark.parametrize("version", ["this", "later"])
def test_a_start_on_the_data_of_0_1_0_serves_it(old: Place, tmp_path: Path, version: str) -> None:
    if version == "later":
        old.environment |= later_version(tmp_path)
    with serving(old) as (_process, output):
        address = re.search(r"http://127\.0\.0\.1:\d+/", output)
        assert address
        assert status(f"{address[0]}t/spring-open/") == 200
        assert ("kept in" in output) == bool(copies(old))
        assert bool(copies(old)) or version == "this"


@pytest.mark.postgres
def test_postgresql_is_dumped_by_its_own_program(postgres_url: str, tmp_path: Path, collected: Path) -> None:
    with make_place(DATABASE_URL=postgres_url, STATIC_ROOT=str(collected)) as place:
        place.migrate()
        place.environment |= later_version(tmp_path)
        done = place.manage("upgrade")
        assert done.returncode == 0, done.stdout
        (copy,) = copies(place)
        assert copy.read_bytes().startswith(b"PGDMP")
        assert f"kept in {copy}\n" in done.stdout


@pytest.mark.postgres
def test_without_that_program_it_is_said_that_there_is_no_copy(
    postgres_url: str, tmp_path: Path, collected: Path
) -> None:
    with make_place(DATABASE_URL=postgres_url, STATIC_ROOT=str(collected)) as place:
        place.migrate()
        place.environment |= later_version(tmp_path) | {"PATH": str(tmp_path)}
        done = place.manage("upgrade")
        assert done.returncode == 0, done.stdout
        assert "No copy of the old data was made: pg_dump is not installed." in done.stdout
        assert copies(place) == []
        assert shutil.which("pg_dump")


@pytest.fixture
def collected(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The joining as it was at the last start; nothing is collected here."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    joining = tuple(tmp_path / "config" / path.name for path in static.SOURCES)
    joining[0].parent.mkdir()
    for path in joining:
        path.write_text("# how files are joined, or kept")
    monkeypatch.setattr(static, "SOURCES", joining)
    monkeypatch.setattr(static, "call_command", lambda *_, **__: None)
    static.collect()
    return tmp_path / "config"


@pytest.mark.thorough
def test_what_is_as_it_was_is_left(collected: Path) -> None:
    assert not static.has_changed()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["storage.py", "bundles.py"])
def test_what_is_joined_otherwise_is_collected_anew(collected: Path, name: str) -> None:
    (collected / name).write_text("# in another way")
    assert static.has_changed()


def test_the_joining_is_where_it_is_looked_for() -> None:
    assert [path for path in static.SOURCES if not path.exists()] == []
