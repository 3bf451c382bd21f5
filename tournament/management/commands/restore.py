"""`manage.py restore`: replace everything by a backup."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.backup.archive import unpacked
from tournament.backup.restoring import losses
from tournament.backup.services import restore_backup
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.problems import sentence
from tournament.management.database import require_migrated


class Command(BaseCommand):
    help = (
        "Puts a backup in the place of everything that stands, in one transaction; of what stands a backup is made "
        "first. A backup of an earlier version is brought up to date. Says what would be lost, and asks."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *, file: Path, yes: bool, **options: Any) -> None:
        require_migrated()
        try:
            with unpacked(file) as (about, _folder):
                lost = [loss for loss in losses(about) if loss.is_loss]
            for loss in lost:
                self.stdout.write(
                    f"{loss.slug}: {loss.entries} entries of the log would be lost, {loss.hands} of them hands."
                )
            if lost and not yes and input("Go on? Type yes: ").strip() != "yes":
                raise CommandError("Nothing was changed.")
            manifest = restore_backup(Actor.system("manage.py restore"), file)
        except Refused as refused:
            raise CommandError(sentence(refused.problems[0])) from None
        except OSError as fault:
            raise CommandError(f"The backup cannot be read: {fault}.") from None
        tournaments = len(manifest.tournaments)
        self.stdout.write(
            f"Everything is as it stood at {manifest.made_at:%Y-%m-%d %H:%M} UTC: {tournaments} tournaments, "
            f"{manifest.accounts} accounts; every log is whole, the standings are the same."
        )
