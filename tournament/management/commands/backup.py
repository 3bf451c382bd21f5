"""`manage.py backup`: write a backup of the whole installation."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.backup.archive import manifest_of
from tournament.backup.dumps import DumpError
from tournament.backup.services import make_backup
from tournament.backup.storage import COMMAND
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.problems import sentence
from tournament.management.database import require_migrated


class Command(BaseCommand):
    help = (
        "Writes everything into one file while people play: tournaments, logs, accounts, documents, the key that "
        "phones know. `restore` puts it back into a database of the same kind."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="where to; default backups/ in the data folder"
        )

    def handle(self, *, file: Path | None, **options: Any) -> None:
        require_migrated()
        try:
            path = make_backup(Actor.system("manage.py backup"), reason=COMMAND, path=file)
        except Refused as refused:
            raise CommandError(sentence(refused.problems[0])) from None
        except (DumpError, OSError) as fault:
            raise CommandError(f"The backup cannot be written: {fault}.") from None
        manifest = manifest_of(path)
        self.stdout.write(
            f"{path}: {len(manifest.tournaments)} tournaments, {manifest.hands} hands, {manifest.accounts} accounts, "
            f"{path.stat().st_size / 1e6:.1f} MB."
        )
