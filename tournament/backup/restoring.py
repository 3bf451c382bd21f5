"""Restoring a backup, and what would be lost by it."""

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
from tournament.backup.archive import Archive, Progress
from tournament.backup.manifest import Event, Manifest, events
from tournament.base import database, log
from tournament.base.errors import Refused
from tournament.base.models.people import Visit
from tournament.base.models.tournament import Tournament
from tournament.fouls.texts import PENALTY_CREATED
from tournament.play.texts import log as play

BACKUP_TABLE = problem_code(
    "backup_table", "The rows of {table} in this backup do not fit into the database."
)
BACKUP_TIES = problem_code("backup_ties", "Rows in this backup refer to rows that are missing from it.")
BACKUP_DIFFERS = problem_code(
    "backup_differs",
    "The restored data does not match what the backup recorded: versions or standings differ.",
)
BACKUP_CHAIN = problem_code("backup_chain", "The log of {name} has been altered at entry {entry}.")

logger = logging.getLogger(__name__)


def restore(
    archive: Archive,
    *,
    progress: Progress = lambda done, of: None,
    before: Callable[[], object] = lambda: None,
    after: Callable[[], object] = lambda: None,
) -> None:
    """Replace everything by a checked backup, while other writes are refused.

    `before` and `after` run in the same transaction. Raises Refused, OSError and the database's errors; then nothing
    has changed.
    """
    with database.restore_lock():
        unpacked_folder = Path(mkdtemp(prefix=".files-", dir=database.backup_folder()))
        try:
            for number, name in enumerate(archive.files()):
                archive.unpack(name, unpacked_folder / str(number))
            with transaction.atomic():
                _lock_out_writers()
                before()
                _replace_rows(archive, progress)
                _verify(archive)
                after()
            _restore_files(archive, unpacked_folder)
        finally:
            rmtree(unpacked_folder, ignore_errors=True)


def _lock_out_writers() -> None:
    """Lock the tournaments in PostgreSQL, so that a waiting write finds the restored rows, not deleted ones."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                f"LOCK TABLE {connection.ops.quote_name(Tournament._meta.db_table)} IN EXCLUSIVE MODE"
            )


def _replace_rows(archive: Archive, progress: Progress) -> None:
    models = manifest.models()
    with connection.cursor() as cursor:
        for model in manifest.tables_to_empty():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")
    for done, model in enumerate(models):
        progress(done, len(models) + 1)
        try:
            with closing(archive.rows(model)) as rows:
                manifest.insert_rows(model, rows)
        except (ValidationError, ValueError, TypeError, OverflowError, DataError, IntegrityError):
            raise Refused(BACKUP_TABLE(table=manifest.label(model))) from None
    Visit.objects.filter(user__isnull=False).exclude(user__in=User.objects.values("pk")).delete()
    try:
        connection.check_constraints()
    except IntegrityError:
        raise Refused(BACKUP_TIES()) from None
    _reset_sequences()
    _renew_created_at()
    progress(len(models), len(models) + 1)


def _reset_sequences() -> None:
    """Set PostgreSQL's sequences after the inserted rows; SQLite does so by itself."""
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), manifest.models()):
            cursor.execute(sql)


def _renew_created_at() -> None:
    """Change the microseconds of each tournament's `created_at`, which is part of cache keys (`base.selectors`).

    So no cached page of an undone version is shown for a later version with the same number.
    """
    for tournament in Tournament.objects.all():
        moment = tournament.created_at.replace(microsecond=secrets.randbelow(1_000_000))
        Tournament.objects.filter(pk=tournament.pk).update(created_at=moment)


def _verify(archive: Archive) -> None:
    """Check that every log is whole and that versions and standings are those of the manifest. Raises Refused."""
    current = {event.slug: event for event in events()}
    if current != {event.slug: event for event in archive.manifest.tournaments}:
        raise Refused(BACKUP_DIFFERS())
    for tournament in Tournament.objects.all():
        if (broken := log.first_broken_link(tournament)) is not None:
            raise Refused(BACKUP_CHAIN(name=tournament.name, entry=broken))


def _restore_files(archive: Archive, unpacked_folder: Path) -> None:
    """Restore the files beside the database. Errors are only logged: the database is already replaced."""
    try:
        database.mark_restored()
        _move_files(archive, unpacked_folder)
    except OSError:
        logger.exception("Files of the backup could not be put back")


def _move_files(archive: Archive, unpacked_folder: Path) -> None:
    """Move each document into place, and the key for web push."""
    for number, name in enumerate(archive.files()):
        target = Path(default_storage.path(name))
        private_folder(target.parent)
        (unpacked_folder / str(number)).replace(target)
    key, target = archive.push_key, Path(settings.DATA_DIR) / "push-key"
    if key and not settings.PUSH_KEY and (not target.exists() or target.read_text().strip() != key):
        draft = unpacked_folder / "push-key"
        draft.touch(mode=0o600)
        draft.write_text(key + "\n")
        draft.replace(target)


RECORDED = (
    play.HAND_RECORDED,
    play.HAND_CORRECTED,
    PENALTY_CREATED,
    play.TABLE_TOTALS_ENTERED,
    play.TABLE_TOTALS_CORRECTED,
)
"""Actions that record play at a table."""


@dataclass(frozen=True)
class Loss:
    """What a restore would do to one tournament: `entries` of its log would be lost, `hands` of them recorded at a
    table.

    kind: `same` (nothing changes), `back` (goes back to an earlier version), `other` (replaced by another course of
    the tournament), `gone` (not in the backup), `comes` (only in the backup).
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
    """Compare the current tournaments with those of a backup; those that lose something come first."""
    backup_events = {event.slug: event for event in backup.tournaments}
    tournaments = list(Tournament.objects.order_by("pk"))
    changes = [_loss(tournament, backup_events.get(tournament.slug)) for tournament in tournaments]
    only_in_backup = backup_events.keys() - {tournament.slug for tournament in tournaments}
    changes += [
        Loss(event.name, slug, "comes") for slug, event in backup_events.items() if slug in only_in_backup
    ]
    return sorted(changes, key=lambda loss: not loss.is_loss)


def _loss(tournament: Tournament, event: Event | None) -> Loss:
    if event is None:
        return _loss_of_entries(tournament, "gone", 0)
    if _last_hash(tournament, event.version) != event.last_hash:
        # The backup does not tell where the two logs diverge, so all entries count as lost.
        return _loss_of_entries(tournament, "other", 0)
    return _loss_of_entries(
        tournament, "back" if tournament.version > event.version else "same", event.version
    )


def _loss_of_entries(tournament: Tournament, kind: str, after: int) -> Loss:
    hands = tournament.log.of(*RECORDED).filter(seq__gt=after).count()
    return Loss(tournament.name, tournament.slug, kind, tournament.version - after, hands)


def _last_hash(tournament: Tournament, version: int) -> str:
    return tournament.log.filter(seq=version).values_list("hash", flat=True).first() or ""
