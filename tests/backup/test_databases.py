"""Backups of SQLite and PostgreSQL while people play, of other versions, and through a crash: real databases."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backup.conftest import packed, parts_of
from tests.platform.next_version import LATER, later_version
from tests.support.processes import PATIENCE, Place, make_place
from tournament.backup import manifest

pytestmark = pytest.mark.thorough

EVENT = """
from tests.support.factories import make_organiser, make_tournament, make_umpire
played = make_tournament(players=8, sessions=2, played=1, running=2)
make_organiser(played, "olga")
make_umpire(played, "uma")
"""
GOES_ON = """
from tests.support.factories import play_hands
from tournament.base.models.play import Hand
from tournament.base.models.play import Table
play_hands(Table.objects.get(session__number=2, number=1), 1)
"""
DIGEST = """
from tournament.backup.manifest import standings_digest
from tournament.base.models.tournament import Tournament
print(standings_digest(Tournament.objects.get()))
"""
SAVES_DURING_A_BACKUP = """
from threading import Thread
from django.db import connection
from tests.support.factories import play_hands
from tournament.backup import archive
from tournament.backup.restoring import losses
from tournament.backup.services import make_backup, restore_backup
from tournament.base.access import Actor
from tournament.base.models.play import Hand, Table

def a_save():
    play_hands(Table.objects.get(session__number=2, number=2), 1)
    connection.close()

def names_after_a_save():
    save = Thread(target=a_save)
    save.start()
    save.join(5)
    return [] if save.is_alive() else names()

names, archive._document_names = archive._document_names, names_after_a_save
try:
    path = make_backup(Actor.system("test"))
finally:
    archive._document_names = names
(loss,) = losses(archive.manifest_of(path))
print(loss.entries)
restore_backup(Actor.system("test"), path)
"""
"""A hand is saved after the manifest's figures were read and before the database is; then what was saved is lost."""
AS_VERSION = """
from django.conf import settings
from django.core.management import call_command
settings.MIGRATION_MODULES = {modules}
try:
    call_command(*{words})
finally:
    settings.MIGRATION_MODULES = {{}}
"""
KILLED_BEFORE = """
import os, signal, sys
from pathlib import Path
from tournament.base.access import Actor
from tournament.backup import restoring
from tournament.backup.services import restore_backup

restoring._verify = lambda contents: os.kill(os.getpid(), signal.SIGKILL)
restore_backup(Actor.system("test"), Path(sys.argv[1]))
"""
KILLED_WITHIN = """
import os, signal, sys, threading
from pathlib import Path
from django.conf import settings
from tournament.base.access import Actor
from tournament.backup import restoring
from tournament.backup.services import restore_backup

journal = Path(f"{settings.DATABASES['default']['NAME']}-wal")
verify = restoring._verify

def kill():
    start = journal.stat().st_size
    while journal.stat().st_size < start + 200_000:
        pass
    os.kill(os.getpid(), signal.SIGKILL)

def verify_and_kill(contents):
    verify(contents)
    threading.Thread(target=kill, daemon=True).start()

restoring._verify = verify_and_kill
restore_backup(Actor.system("test"), Path(sys.argv[1]))
"""
"""Once a part of the pages is in the journal."""


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process of a later version."""
    return later_version(tmp_path_factory.mktemp("versions"))


@pytest.fixture(scope="module")
def club(migrated: Path, versions: dict[str, str]) -> Iterator[Place]:
    """A place on SQLite whose interpreter all tests use."""
    with make_place(migrated, PYTHONPATH=versions["PYTHONPATH"]) as place:
        yield place


@pytest.fixture
def small(club: Place, migrated: Path) -> Place:
    """That place with an evening under way."""
    club.renew(migrated)
    club.run(EVENT)
    return club


def as_version(place: Place, migrations: str, *words: str) -> str:
    """Run a command of the version with this package of migrations."""
    return place.run(AS_VERSION.format(modules={"penalties": migrations}, words=words))


def with_other_standings(file: Path) -> Path:
    parts = parts_of(file)
    contents = json.loads(parts[manifest.NAME])
    contents["tournaments"][0]["standings"] = "others"
    return packed(file.with_name("others.hule"), parts | {manifest.NAME: json.dumps(contents).encode()})


@pytest.mark.postgres
def test_postgresql_there_and_back(
    postgres_url: str, small: Place, versions: dict[str, str], tmp_path: Path
) -> None:
    """It is a snapshot. One of another kind is refused, a wrong one undone, one of an earlier version migrated."""
    with make_place(None, DATABASE_URL=postgres_url, PYTHONPATH=versions["PYTHONPATH"]) as large:
        large.run(EVENT)
        assert large.run(SAVES_DURING_A_BACKUP) == "1\n"
        stood = large.run(DIGEST)
        file = tmp_path / "evening.hule"
        large.command("backup", str(file))
        large.run(GOES_ON)
        later = large.run(DIGEST)
        with pytest.raises(AssertionError, match="does not match what the backup recorded"):
            large.command("restore", "--yes", str(with_other_standings(file)))
        assert large.run(DIGEST) == later
        as_version(large, LATER, "migrate", "penalties", "--verbosity=0")
        as_version(large, LATER, "restore", "--yes", str(file))
        assert large.run(DIGEST) == stood
        large.run(GOES_ON)
        assert "every log is whole" in large.command("check")
        with pytest.raises(AssertionError, match=r"another kind \(postgresql\) .* import it here"):
            small.command("restore", "--yes", str(file))


def test_a_backup_of_sqlite_is_a_snapshot_and_blocks_no_save(small: Place) -> None:
    assert small.run(SAVES_DURING_A_BACKUP) == "1\n"


def test_a_backup_of_an_earlier_version_is_migrated_and_of_a_later_refused(
    small: Place, tmp_path: Path
) -> None:
    earlier, later = tmp_path / "earlier.hule", tmp_path / "later.hule"
    stood = small.run(DIGEST)
    small.command("backup", str(earlier))
    as_version(small, LATER, "migrate", "penalties", "--verbosity=0")
    as_version(small, LATER, "backup", str(later))
    small.run(GOES_ON)
    as_version(small, LATER, "restore", "--yes", str(earlier))
    assert small.run(DIGEST) == stood
    as_version(small, LATER, "migrate", "--check")
    with pytest.raises(AssertionError, match="made by a newer version of Hule"):
        small.command("restore", "--yes", str(later))


@pytest.mark.parametrize("killed", [KILLED_BEFORE, KILLED_WITHIN])
def test_a_killed_restore_changes_nothing(small: Place, tmp_path: Path, killed: str) -> None:
    """What would be lost is said and asked about."""
    file = tmp_path / "evening.hule"
    small.command("backup", str(file))
    small.run(GOES_ON)
    stood = small.run(DIGEST)
    with pytest.raises(AssertionError, match="1 entries of the log would be lost"):
        small.command("restore", str(file))
    process = small.start("-c", f"import django; django.setup()\n{killed}", str(file))
    assert process.wait(PATIENCE) == -signal.SIGKILL
    assert process.stdout is not None
    process.stdout.close()
    assert small.run(DIGEST) == stood
    assert "every log is whole" in small.command("check")
    small.command("restore", "--yes", str(file))
    assert small.run(DIGEST) != stood
