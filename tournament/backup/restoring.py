"""Restoring a backup, and what would be lost by it."""

import logging
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection, transaction

from config.private_files import private_folder
from scoring.engine.problems import problem_code
from tournament.backup.archive import BACKUP_DATABASE, FILES, PUSH_KEY, VERSION
from tournament.backup.dumps import applied_migrations, tools
from tournament.backup.manifest import Event, Manifest, events
from tournament.base import database, log
from tournament.base.errors import Refused
from tournament.base.models.people import Visit
from tournament.base.models.tournament import Tournament
from tournament.fouls.texts import PENALTY_CREATED
from tournament.play.texts import log as play

BACKUP_DIFFERS = problem_code(
    "backup_differs",
    "The restored data does not match what the backup recorded: versions or standings differ.",
)
BACKUP_CHAIN = problem_code("backup_chain", "The log of {name} has been altered at entry {entry}.")

logger = logging.getLogger(__name__)


def restore(contents: Manifest, folder: Path, *, after: Callable[[], object] = lambda: None) -> None:
    """Replace everything by an unpacked backup; the caller holds the lock. `after` runs on the data of the backup.

    Raises Refused, DumpError, OSError and the database's errors; then nothing has changed.
    """
    prepare = partial(_prepare, contents, list(Visit.objects.all()), after)
    tools().replace(folder / tools().part, prepare)
    try:
        database.mark_restored()
        _move_files(folder)
    except OSError:
        logger.exception("Files of the backup could not be put back")


def _prepare(contents: Manifest, visits: Iterable[Visit], after: Callable[[], object]) -> None:
    """Migrate the data of a backup and check it. Raises Refused, whatever is wrong with it."""
    try:
        if tuple(applied_migrations()) != contents.migrations:
            raise Refused(BACKUP_DIFFERS())
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
        _check_columns()
        with transaction.atomic():
            _keep_signed_in(visits)
            _renew_created_at()
            _verify(contents)
            after()
    except Refused:
        raise
    except Exception as fault:
        logger.exception("The data of a backup cannot be used")
        raise Refused(BACKUP_DATABASE(fault=str(fault))) from None


def _check_columns() -> None:
    """Check that the tables are those of this version. Raises Refused."""
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            columns = {
                column.name for column in connection.introspection.get_table_description(cursor, table)
            }
            if columns != {field.column for field in model._meta.local_concrete_fields}:
                raise Refused(BACKUP_DATABASE(fault=table))


def _keep_signed_in(visits: Iterable[Visit]) -> None:
    """Keep the sign-ins of the accounts in the backup. Django ends those whose account has another password."""
    accounts = {None, *User.objects.values_list("pk", flat=True)}
    Visit.objects.all().delete()
    Visit.objects.bulk_create(visit for visit in visits if visit.user_id in accounts)


def _renew_created_at() -> None:
    """Change the microseconds of each tournament's `created_at`, which is part of cache keys (`base.selectors`).

    So no cached page of an undone version is shown for a later version with the same number.
    """
    for tournament in Tournament.objects.all():
        moment = tournament.created_at.replace(microsecond=secrets.randbelow(1_000_000))
        Tournament.objects.filter(pk=tournament.pk).update(created_at=moment)


def _verify(contents: Manifest) -> None:
    """Check that every log is whole and that versions and standings are those of the manifest. Raises Refused."""
    current, recorded = events(), contents.tournaments
    if contents.version != VERSION:  # which may have computed standings otherwise
        current, recorded = (
            tuple(replace(event, standings="") for event in them) for them in (current, recorded)
        )
    if current != recorded:
        raise Refused(BACKUP_DIFFERS())
    for tournament in Tournament.objects.all():
        if (broken := log.first_broken_link(tournament)) is not None:
            raise Refused(BACKUP_CHAIN(name=tournament.name, entry=broken))


def _move_files(folder: Path) -> None:
    """Move each document into place, and the key for web push."""
    for document in (folder / FILES).glob("documents/*"):
        target = Path(default_storage.path(f"documents/{document.name}"))
        private_folder(target.parent)
        document.replace(target)
    key = folder / PUSH_KEY
    if key.exists() and not settings.PUSH_KEY:
        key.chmod(0o600)
        key.replace(Path(settings.DATA_DIR) / "push-key")


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
