"""Putting a backup in the place of what stands, and what would be lost by it."""

import logging
import secrets
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.core.management.color import no_style
from django.db import DataError, IntegrityError, connection, transaction

from config.private_files import private_folder
from scoring.engine.problems import problem_code
from tournament.backup import manifest
from tournament.backup.archive import Archive, Step
from tournament.backup.manifest import Event, Manifest, events
from tournament.base import database, log
from tournament.base.errors import Refused
from tournament.base.models.people import Visit
from tournament.base.models.tournament import Tournament
from tournament.fouls.texts import PENALTY_GIVEN
from tournament.play.texts import log as play

BACKUP_TABLE = problem_code(
    "backup_table", "The rows of {table} in this backup do not fit into the database."
)
BACKUP_TIES = problem_code("backup_ties", "Rows in this backup name others that are not in it.")
BACKUP_DIFFERS = problem_code(
    "backup_differs", "What came back is not what the backup says of itself: versions or standings differ."
)
BACKUP_CHAIN = problem_code("backup_chain", "The log of {name} does not hold together at entry {entry}.")

logger = logging.getLogger(__name__)


def restore(
    archive: Archive,
    *,
    step: Step = lambda done, of: None,
    first: Callable[[], object] = lambda: None,
    then: Callable[[], object] = lambda: None,
) -> None:
    """Replace what stands by a backup that was checked, with everybody else's writes kept out meanwhile.

    `first` and `then` are done in the same transaction. Raises Refused, OSError and the database's errors;
    then nothing has changed.
    """
    with database.replacing():
        unpacked = Path(mkdtemp(prefix=".files-", dir=database.folder()))
        try:
            for number, name in enumerate(archive.files()):
                archive.unpack(name, unpacked / str(number))
            with transaction.atomic():
                _keep_writers_out()
                first()
                _replace_rows(archive, step)
                _verify(archive)
                then()
            _put_back_files(archive, unpacked)
        finally:
            rmtree(unpacked, ignore_errors=True)


def _keep_writers_out() -> None:
    """Make whoever is about to lock a tournament find the restored one.

    SQLite's writers wait anyway, PostgreSQL's at a row that would be gone.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                f"LOCK TABLE {connection.ops.quote_name(Tournament._meta.db_table)} IN EXCLUSIVE MODE"
            )


def _replace_rows(archive: Archive, step: Step) -> None:
    models = manifest.models()
    with connection.cursor() as cursor:
        for model in manifest.emptied():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")
    for done, model in enumerate(models):
        step(done, len(models) + 1)
        try:
            with closing(archive.rows(model)) as rows:
                manifest.store(model, rows)
        except (ValidationError, ValueError, TypeError, OverflowError, DataError, IntegrityError):
            raise Refused(BACKUP_TABLE(table=manifest.label(model))) from None
    Visit.objects.filter(user__isnull=False).exclude(user__in=User.objects.values("pk")).delete()
    try:
        connection.check_constraints()
    except IntegrityError:
        raise Refused(BACKUP_TIES()) from None
    _reset_sequences()
    _renew_created_at()
    step(len(models), len(models) + 1)


def _reset_sequences() -> None:
    """PostgreSQL's counters go on after the rows that were put in; SQLite's do so by themselves."""
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), manifest.models()):
            cursor.execute(sql)


def _renew_created_at() -> None:
    """Change by when each tournament was made what is cached of a version, to the microsecond (`base.selectors`).

    So nothing kept of the time that is taken back is taken for the time to come.
    """
    for tournament in Tournament.objects.all():
        moment = tournament.created_at.replace(microsecond=secrets.randbelow(1_000_000))
        Tournament.objects.filter(pk=tournament.pk).update(created_at=moment)


def _verify(archive: Archive) -> None:
    """Every log is whole and ends as it did, and the standings derived anew are those that were noted."""
    stands = {event.slug: event for event in events()}
    if stands != {event.slug: event for event in archive.manifest.tournaments}:
        raise Refused(BACKUP_DIFFERS())
    for tournament in Tournament.objects.all():
        if (broken := log.first_broken_link(tournament)) is not None:
            raise Refused(BACKUP_CHAIN(name=tournament.name, entry=broken))


def _put_back_files(archive: Archive, unpacked: Path) -> None:
    """Put back what lies beside the database.

    That is replaced by now, so what goes wrong here is logged and undoes nothing: a document can be made anew.
    """
    try:
        database.begin_era()
        _put_files(archive, unpacked)
    except OSError:
        logger.exception("Files of the backup could not be put back")


def _put_files(archive: Archive, unpacked: Path) -> None:
    """Documents, each as a whole, and the key that phones know."""
    for number, name in enumerate(archive.files()):
        at = Path(default_storage.path(name))
        private_folder(at.parent)
        (unpacked / str(number)).replace(at)
    key, at = archive.push_key, Path(settings.DATA_DIR) / "push-key"
    if key and not settings.PUSH_KEY and (not at.exists() or at.read_text().strip() != key):
        draft = unpacked / "push-key"
        draft.touch(mode=0o600)
        draft.write_text(key + "\n")
        draft.replace(at)


RECORDED = (
    play.HAND_RECORDED,
    play.HAND_CORRECTED,
    PENALTY_GIVEN,
    play.TABLE_TOTALS_ENTERED,
    play.TABLE_TOTALS_CORRECTED,
)
"""Actions of the log by which a table's play is on record."""


@dataclass(frozen=True)
class Loss:
    """One tournament. `entries` of its log would be gone, `hands` of them recorded or corrected at a table.

    kind: `same` (nothing), `back` (goes back to how it stood), `other` (another course of it comes), `gone` (is not in
    the backup), `comes` (is in it alone).
    """

    name: str
    slug: str
    kind: str
    entries: int = 0
    hands: int = 0

    @property
    def is_loss(self) -> bool:
        return self.kind in ("back", "other", "gone")


def losses(backup: Manifest) -> list[Loss]:
    """Compare the tournaments of now with those of a backup, entry by entry; those that lose something come first."""
    then = {event.slug: event for event in backup.tournaments}
    now = list(Tournament.objects.order_by("pk"))
    changes = [_loss(tournament, then.get(tournament.slug)) for tournament in now]
    comes = then.keys() - {tournament.slug for tournament in now}
    changes += [Loss(event.name, slug, "comes") for slug, event in then.items() if slug in comes]
    return sorted(changes, key=lambda loss: not loss.is_loss)


def _loss(now: Tournament, then: Event | None) -> Loss:
    if then is None:
        return _loss_of_entries(now, "gone", 0)
    if _last_hash(now, then.version) != then.last_hash:
        # Where the two part is not known from the backup's last entry: all of it counts as lost.
        return _loss_of_entries(now, "other", 0)
    return _loss_of_entries(now, "back" if now.version > then.version else "same", then.version)


def _loss_of_entries(now: Tournament, kind: str, after: int) -> Loss:
    hands = now.log.of(*RECORDED).filter(seq__gt=after).count()
    return Loss(now.name, now.slug, kind, now.version - after, hands)


def _last_hash(now: Tournament, version: int) -> str:
    return now.log.filter(seq=version).values_list("hash", flat=True).first() or ""
