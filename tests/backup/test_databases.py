"""From SQLite into PostgreSQL and back, while people play, and through a crash: real databases, real processes."""

import signal
from pathlib import Path

import pytest

from tests.support.processes import PATIENCE, Place, make_place, until

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
with open_archive(make_backup(Actor.system("test"))) as archive:
    archive.check()
    print(archive.manifest.hands, sum(1 for _ in archive.rows(Hand)), bool(saved))
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


@pytest.mark.postgres
def test_from_sqlite_into_postgresql_and_back(migrated: Path, postgres_url: str) -> None:
    with make_place(migrated) as small, make_place(DATABASE_URL=postgres_url) as large:
        small.run(EVENT)
        large.migrate()
        file = small.folder / "evening.hule"
        done(small, "backup", str(file))
        done(large, "restore", str(file))
        assert large.python(DIGEST) == small.python(DIGEST)
        assert "every log is whole" in done(large, "check")
        large.python(GOES_ON)  # PostgreSQL's counters go on after the rows that were put in
        assert "every log is whole" in done(large, "check")
        done(large, "backup", str(file.with_name("later.hule")))
        done(small, "restore", "--yes", str(file.with_name("later.hule")))
        assert large.python(DIGEST) == small.python(DIGEST)
        assert "every log is whole" in done(small, "check")


@pytest.mark.postgres
def test_a_backup_of_postgresql_is_a_snapshot(postgres_url: str) -> None:
    with make_place(DATABASE_URL=postgres_url) as place:
        place.migrate()
        place.run(EVENT)
        counted, stored, saved = place.python(SAVES_DURING_A_BACKUP).split()
        assert (counted, saved) == (stored, "True")


def test_a_backup_of_sqlite_is_a_snapshot_and_blocks_no_save(migrated: Path) -> None:
    with make_place(migrated) as place:
        place.run(EVENT)
        counted, stored, saved = place.python(SAVES_DURING_A_BACKUP).split()
        assert (counted, saved) == (stored, "True")


def test_a_killed_restore_changes_nothing(migrated: Path) -> None:
    """What would be lost is said and asked about."""
    with make_place(migrated) as place:
        place.run(EVENT)
        file = place.folder / "evening.hule"
        done(place, "backup", str(file))
        place.run(GOES_ON)
        stood = place.run(DIGEST)
        refused = place.manage("restore", str(file))
        assert refused.returncode != 0
        assert "1 entries of the log would be lost" in refused.stdout
        process = place.start("-c", f"import django; django.setup()\n{KILLED}", str(file))
        assert process.wait(PATIENCE) == -signal.SIGKILL
        assert process.stdout is not None
        process.stdout.close()
        assert place.python(DIGEST) == stood
        assert "every log is whole" in done(place, "check")
        done(place, "restore", "--yes", str(file))


def test_the_worker_makes_a_backup_by_itself(migrated: Path) -> None:
    with make_place(migrated, BACKUP_MINUTES="0.02") as place:
        place.run(EVENT)
        with place.web("manage.py", "serve", "--no-demo", "--port", "{port}") as site:
            until(lambda: any((place.folder / "backups").glob("hule-*.hule")), site.process)


def done(place: Place, *command: str) -> str:
    answer = place.manage(*command)
    assert answer.returncode == 0, answer.stdout
    return answer.stdout
