"""From SQLite into PostgreSQL and back, while people play, and through a crash: real databases, real processes."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import PATIENCE, Place, make_place

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
from tournament.backup import manifest as tables
from tournament.base.models.play import Hand
from tournament.base.models.play import Table
from tournament.base.access import Actor
from tournament.backup.services import make_backup
from tournament.backup.archive import open_archive

saved, read = [], tables.rows

def slow_rows(model):
    if model is Table:
        save = Thread(target=a_save)
        save.start()
        save.join()
    yield from read(model)

def a_save():
    play_hands(Table.objects.get(session__number=2, number=2), 1)
    saved.append(True)
    connection.close()

tables.rows = slow_rows
try:
    with open_archive(make_backup(Actor.system("test"))) as archive:
        archive.check()
        print(archive.manifest.hands, sum(1 for _ in archive.rows(Hand)), bool(saved))
finally:
    tables.rows = read
"""
"""A hand is saved after the manifest's figures were read and before its table is."""
KILLED = """
import os, signal, sys
from pathlib import Path
from tournament.base.access import Actor
from tournament.backup import restoring
from tournament.backup.services import restore_backup

def killed(archive):
    os.kill(os.getpid(), signal.SIGKILL)

restoring._verify = killed
restore_backup(Actor.system("test"), Path(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def club(migrated: Path) -> Iterator[Place]:
    """A place on SQLite whose interpreter all tests use."""
    with make_place(migrated) as place:
        yield place


@pytest.fixture
def small(club: Place, migrated: Path) -> Place:
    """That place with an evening under way."""
    club.renew(migrated)
    club.run(EVENT)
    return club


@pytest.mark.postgres
def test_from_sqlite_into_postgresql_and_back(small: Place, postgres_url: str) -> None:
    """And a backup of PostgreSQL is a snapshot."""
    with make_place(DATABASE_URL=postgres_url) as large:
        file = small.folder / "evening.hule"
        small.command("backup", str(file))
        large.command("restore", str(file))
        assert large.run(DIGEST) == small.run(DIGEST)
        assert "every log is whole" in large.command("check")
        large.run(GOES_ON)  # PostgreSQL's counters go on after the rows that were put in
        assert "every log is whole" in large.command("check")
        later = file.with_name("later.hule")
        large.command("backup", str(later))
        small.command("restore", "--yes", str(later))
        assert large.run(DIGEST) == small.run(DIGEST)
        assert "every log is whole" in small.command("check")
        counted, stored, saved = large.run(SAVES_DURING_A_BACKUP).split()
        assert (counted, saved) == (stored, "True")


def test_a_backup_of_sqlite_is_a_snapshot_and_blocks_no_save(small: Place) -> None:
    counted, stored, saved = small.run(SAVES_DURING_A_BACKUP).split()
    assert (counted, saved) == (stored, "True")


def test_a_killed_restore_changes_nothing(small: Place) -> None:
    """What would be lost is said and asked about."""
    file = small.folder / "evening.hule"
    small.command("backup", str(file))
    small.run(GOES_ON)
    stood = small.run(DIGEST)
    with pytest.raises(AssertionError, match="1 entries of the log would be lost"):
        small.command("restore", str(file))
    process = small.start("-c", f"import django; django.setup()\n{KILLED}", str(file))
    assert process.wait(PATIENCE) == -signal.SIGKILL
    assert process.stdout is not None
    process.stdout.close()
    assert small.run(DIGEST) == stood
    assert "every log is whole" in small.command("check")
    small.command("restore", "--yes", str(file))
    assert small.run(DIGEST) != stood
