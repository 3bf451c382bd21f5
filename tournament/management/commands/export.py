"""Write a tournament as a transcript, which `replay` plays again."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.exchange.transcripts.writing import transcript_of, transcript_warnings
from tournament.management.database import require_migrated


class Command(BaseCommand):
    help = (
        "Writes the closed sessions of a tournament as a transcript (docs/api/transcript.md). What a transcript cannot "
        "hold is said on standard error."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the tournament's address, as in /t/<slug>/")
        parser.add_argument("file", nargs="?", default="-", help="where to write it; - for standard output")

    def handle(self, *, slug: str, file: str, **options: Any) -> None:
        require_migrated()
        try:
            tournament = Tournament.objects.get(slug=slug)
            text = transcript_of(tournament)
        except Tournament.DoesNotExist:
            raise CommandError(f"There is no tournament “{slug}”.") from None
        except Refused as refused:
            raise CommandError(sentence(refused.problems[0])) from None
        _write(file, text)
        for problem in transcript_warnings(tournament):
            self.stderr.write(sentence(problem))


def _write(file: str, text: str) -> None:
    if file == "-":
        sys.stdout.buffer.write(text.encode())
        return
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
