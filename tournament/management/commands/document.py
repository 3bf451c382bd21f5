"""Write a document of a tournament to a file, without the worker."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tournament.base.errors import Refused
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.documents.exports.drafts import Progress, override_languages
from tournament.documents.exports.jobs import render
from tournament.documents.services import PAPER_UNFIT
from tournament.management.database import require_migrated


class Command(BaseCommand):
    help = (
        "Writes a document of a tournament as a PDF (docs/organisers/printing.md). It does not "
        "enter the list of documents."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        languages = [code for code, _name in settings.LANGUAGES]
        parser.add_argument("slug", help="the tournament's address, as in /t/<slug>/")
        parser.add_argument("kind", choices=DocumentJob.Kind.values, help="which document")
        parser.add_argument("file", help="where to write it")
        parser.add_argument("--language", choices=languages, default="en")
        parser.add_argument(
            "--second", choices=languages, default="", help="the language beside it in headings and labels"
        )
        parser.add_argument("--paper", choices=DocumentJob.Paper.values, default=DocumentJob.Paper.A4)
        parser.add_argument("--session", type=int, help="its number, for the papers of a session")
        parser.add_argument("--site", default="", help="https://hall.example/: where the codes on it lead")

    def handle(self, *, slug: str, kind: str, file: str, **options: Any) -> None:
        require_migrated()
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            raise CommandError(f"There is no tournament “{slug}”.")
        option_names = ("language", "second", "paper", "session", "site")
        job = DocumentJob(tournament=tournament, kind=kind, **{name: options[name] for name in option_names})
        if job.paper not in DocumentJob.papers_of(kind):
            raise CommandError(sentence(PAPER_UNFIT()))
        with override_languages(job.language, job.second), timezone.override(tournament.zone):
            try:
                content = render(job, Progress(job))
            except Refused as refused:
                raise CommandError(sentence(refused.problems[0])) from None
        try:
            Path(file).write_bytes(content)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
