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

from tests.platform.next_version import FAILS, LATER, NOW, later_version
from tests.support.processes import ROOT, Place, make_place, serving, status
from tournament.management import static

pytestmark = pytest.mark.thorough
OLD = (ROOT / "tests" / "data" / "hule-0.1.0.sql").read_text("utf-8")
SPRING = "from tournament.base.models.tournament import Tournament; print(Tournament.objects.get().slug)"
UPGRADE = """
import os, sys
from django.conf import settings
from django.core.management import call_command
settings.MIGRATION_MODULES = {modules}
os.environ |= {environment}
call_command("upgrade")
"""


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process of a later version."""
    return later_version(tmp_path_factory.mktemp("versions"))


@pytest.fixture(scope="module")
def data_0_1_0(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder that 0.1.0 left, to be copied."""
    folder = tmp_path_factory.mktemp("old")
    with closing(sqlite3.connect(folder / "hule.sqlite3")) as database:
        database.executescript(OLD)
    return folder


@pytest.fixture(scope="module")
def any_version(data_0_1_0: Path, versions: dict[str, str], collected: Path) -> Iterator[Place]:
    """A place whose interpreter is of the version that each `upgrade` names."""
    settings = {"PYTHONPATH": versions["PYTHONPATH"], "STATIC_ROOT": str(collected)}
    with make_place(data_0_1_0, **settings) as place:
        yield place


@pytest.fixture
def old(any_version: Place, data_0_1_0: Path) -> Place:
    """That place with the data that 0.1.0 left."""
    any_version.renew(data_0_1_0)
    backups = any_version.folder / "backups"
    if backups.is_dir():
        shutil.rmtree(backups)
    return any_version


def upgrade(place: Place, migrations: str = "", **environment: str) -> str:
    """Run `upgrade` of the version with this package of migrations; none is this version."""
    modules = {"penalties": migrations} if migrations else {}
    return place.run(UPGRADE.format(modules=modules, environment=environment))


def dumped(path: Path) -> str:
    with closing(sqlite3.connect(path)) as database:
        return "\n".join(database.iterdump())


def copies(place: Place) -> list[Path]:
    return sorted((place.folder / "backups").glob("before-upgrade-*"))


def test_a_copy_of_the_old_data_is_made_and_said_before_it_is_changed(old: Place) -> None:
    """Where nothing is to be done no copy is made."""
    file = old.folder / "hule.sqlite3"
    before = dumped(file)
    output = upgrade(old, LATER)
    (copy,) = copies(old)
    assert "an earlier version's: bringing it up to date" in output
    assert f"The data as it was is kept in {copy}\n" in output
    assert dumped(copy) == before
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert "penalties_later" in dumped(file)
    assert upgrade(old, LATER).startswith("The data is up to date already.\n")
    assert len(copies(old)) == 1


def test_data_of_a_later_version_is_left_alone(old: Place) -> None:
    upgrade(old, LATER)
    before = dumped(old.folder / "hule.sqlite3")
    with pytest.raises(AssertionError, match=r"written by a later version of Hule \(penalties\.0100_later\)"):
        upgrade(old)
    assert dumped(old.folder / "hule.sqlite3") == before


def test_when_a_migration_fails_the_old_version_goes_on(old: Place) -> None:
    before = dumped(old.folder / "hule.sqlite3")
    with pytest.raises(AssertionError, match="RuntimeError: the disk broke\nIt is as it was before"):
        upgrade(old, FAILS)
    assert dumped(old.folder / "hule.sqlite3") == before
    assert old.run(SPRING) == "spring-open\n"


def test_without_room_for_the_copy_nothing_is_changed(old: Place) -> None:
    before = dumped(old.folder / "hule.sqlite3")
    (old.folder / "backups").write_text("a file where the folder should be")
    try:
        with pytest.raises(AssertionError, match=r"could not be copied .* Nothing was changed"):
            upgrade(old, LATER)
    finally:
        (old.folder / "backups").unlink()
    assert dumped(old.folder / "hule.sqlite3") == before


def test_a_start_on_the_data_of_0_1_0_serves_it(
    data_0_1_0: Path, versions: dict[str, str], collected: Path
) -> None:
    with (
        make_place(data_0_1_0, STATIC_ROOT=str(collected), **versions) as place,
        serving(place) as (_process, output),
    ):
        address = re.search(r"http://127\.0\.0\.1:\d+/", output)
        assert address
        assert status(f"{address[0]}t/spring-open/") == 200
        assert "kept in" in output
        assert copies(place)


@pytest.mark.postgres
def test_postgresql_is_dumped_by_its_own_program(
    postgres_url: str, versions: dict[str, str], collected: Path, tmp_path: Path
) -> None:
    """Without that program it is said that there is no copy."""
    settings = {"PYTHONPATH": versions["PYTHONPATH"], "STATIC_ROOT": str(collected)}
    with make_place(None, DATABASE_URL=postgres_url, **settings) as place:
        output = upgrade(place, LATER)
        (copy,) = copies(place)
        assert copy.read_bytes().startswith(b"PGDMP")
        assert f"kept in {copy}\n" in output
        place.command("migrate", "penalties", NOW, "--verbosity=0")
        output = upgrade(place, LATER, PATH=str(tmp_path))
        assert "No copy of the old data was made: pg_dump is not installed" in output
        assert copies(place) == [copy]
        assert shutil.which("pg_dump")


@pytest.fixture
def joining(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The joining as it was at the last start; nothing is collected here."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    sources = tuple(tmp_path / "config" / path.name for path in static.SOURCES)
    sources[0].parent.mkdir()
    for path in sources:
        path.write_text("# how files are joined, or kept")
    monkeypatch.setattr(static, "SOURCES", sources)
    monkeypatch.setattr(static, "call_command", lambda *_, **__: None)
    static.collect()
    return tmp_path / "config"


@pytest.mark.thorough
def test_what_is_as_it_was_is_left(joining: Path) -> None:
    assert not static.has_changed()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["storage.py", "bundles.py"])
def test_what_is_joined_otherwise_is_collected_anew(joining: Path, name: str) -> None:
    (joining / name).write_text("# in another way")
    assert static.has_changed()


def test_the_joining_is_where_it_is_looked_for() -> None:
    assert [path for path in static.SOURCES if not path.exists()] == []
