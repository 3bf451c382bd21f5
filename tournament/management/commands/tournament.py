"""Export a whole tournament to a file, import one, or write its public pages as files."""

import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone, translation

from tournament.base.access import Actor
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.site.archive import build_site, zip_files
from tournament.documents.selectors import site_export_problem
from tournament.exchange.event_file.reading import MAX_BYTES, published_schema, schema_text
from tournament.exchange.selectors import serialize_tournament
from tournament.exchange.services import import_tournament
from tournament.exchange.texts import sentence_with_place
from tournament.management.database import require_migrated


class Command(BaseCommand):
    help = (
        "Exports a whole tournament, with its people and its log, as one file (docs/api/tournament-file.md), or "
        "imports such a file: all of it, or nothing. Also exports the public pages of a finished one as a ZIP."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = parser.add_subparsers(dest="what", required=True)
        out = kinds.add_parser("export", help="write a tournament as a file")
        out.add_argument("slug", help="the tournament's address, as in /t/<slug>/")
        out.add_argument("file", nargs="?", default="-", help="where to write it; - for standard output")
        out.add_argument(
            "--contacts",
            action="store_true",
            help="with e-mail addresses, messages, answers and letters",
        )
        into = kinds.add_parser("import", help="take a file in")
        into.add_argument("file", help="the file; - for standard input")
        into.add_argument("--slug", default="", help="another address than its own")
        into.add_argument("--owner", default="", metavar="ACCOUNT", help="whose tournament it is here")
        site = kinds.add_parser(
            "site", help="write the public pages of a tournament that is over as files in a ZIP"
        )
        site.add_argument("slug", help="the tournament's address, as in /t/<slug>/")
        site.add_argument("file", nargs="?", default="-", help="where to write it; - for standard output")
        site.add_argument(
            "--language", default=settings.LANGUAGE_CODE, choices=[code for code, _name in settings.LANGUAGES]
        )
        kinds.add_parser(
            "schema", help="write the JSON Schema into the sources, after a change of the models"
        )

    def handle(self, *, what: str, **options: Any) -> None:
        if what == "schema":
            published_schema().write_text(schema_text(), "utf-8")
            return
        require_migrated()
        if what == "site":
            self._site(options["slug"], options["file"], options["language"])
        elif what == "export":
            self._export(options["slug"], options["file"], contacts=options["contacts"])
        else:
            self._import(options["file"], options["slug"], options["owner"])

    def _export(self, slug: str, file: str, *, contacts: bool) -> None:
        _write(serialize_tournament(_tournament(slug), contacts=contacts), file)

    def _site(self, slug: str, file: str, language: str) -> None:
        tournament = _tournament(slug)
        if problem := site_export_problem(tournament):
            raise CommandError(sentence_with_place(problem))
        with translation.override(language), timezone.override(tournament.zone):
            content = zip_files(build_site(tournament))
        _write(content, file)

    def _import(self, file: str, slug: str, owner: str) -> None:
        actor = Actor.system("import")
        if owner:
            user = User.objects.filter(username=owner, is_active=True).first()
            if user is None:
                raise CommandError(f"There is no account “{owner}”.")
            actor = Actor.of(user)
        try:
            tournament = import_tournament(_read(file), actor, slug)
        except Forbidden:
            raise CommandError(f"The account “{owner}” may not make tournaments.") from None
        except Refused as refused:
            raise CommandError("\n".join(map(sentence_with_place, refused.problems))) from None
        self.stderr.write(
            f"{tournament}: /t/{tournament.slug}/, {tournament.version} entries in its log.",
            self.style.SUCCESS,
        )


def _tournament(slug: str) -> Tournament:
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise CommandError(f"There is no tournament “{slug}”.")
    return tournament


def _write(content: bytes, file: str) -> None:
    if file == "-":
        sys.stdout.buffer.write(content)
        return
    try:
        path = Path(file)
        path.touch(mode=0o600)
        path.write_bytes(content)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}.") from None


def _read(file: str) -> bytes:
    try:
        if file == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with Path(file).open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
