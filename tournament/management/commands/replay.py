"""Play a transcript through the services and print the standings as CSV."""

import csv
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from tournament.base.access import Actor
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.exchange.transcripts.transcript import TranscriptError, contradictions, load, play
from tournament.management.database import require_migrated
from tournament.ranking.selectors.standings import current_standings


class Command(BaseCommand):
    help = (
        "Plays a transcript (docs/api/transcript.md) through the services, keeps the tournament and prints its "
        "standings as CSV. One that contradicts the rules stops with one line, and nothing of it is kept."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the transcript, a JSON file; - for standard input")
        parser.add_argument("--dry-run", action="store_true", help="only check and print; keep nothing")

    def handle(self, *, file: str, dry_run: bool, **options: Any) -> None:
        try:
            transcript = load(_read(file))
            require_migrated()
            with transaction.atomic():
                tournament = play(transcript, Actor.system("replay"))
                self._print(tournament)
                self._warn(tournament)
                transaction.set_rollback(dry_run)
        except TranscriptError as error:
            raise CommandError(f"{error.where}: {sentence(error.problem)}") from None
        message = "Nothing was kept." if dry_run else f"Kept as “{tournament.slug}”."
        self.stderr.write(message, self.style.SUCCESS)

    def _print(self, tournament: Tournament) -> None:
        names = {player.number: player.name for player in tournament.players.all()}
        lines = csv.writer(self.stdout, lineterminator="\n")
        lines.writerow(["rank", "number", "name", "table_points", "game_points"])
        for row in current_standings(tournament, Audience.STAFF).rows:
            points = two_decimals(row.table_points)
            lines.writerow([row.rank, row.number, names[row.number], points, row.game_points])

    def _warn(self, tournament: Tournament) -> None:
        """Print contradictions that the desk, too, accepts with a warning."""
        for place, problem in contradictions(tournament):
            self.stderr.write(f"To be corrected: {place}: {sentence(problem)}", self.style.WARNING)


def _read(file: str) -> str:
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"{file} cannot be read: it is not text in UTF-8.") from None
