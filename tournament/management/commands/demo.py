"""Create a demonstration tournament."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from tournament.base.access import Actor
from tournament.base.errors import Forbidden
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.demo.pace import Kind
from tournament.demo.playing import Play, create_event, demo_event
from tournament.demo.trials import LOGINS, ORGANISER, UMPIRE, account
from tournament.demo.upcoming import create_upcoming
from tournament.management.database import require_migrated
from tournament.management.shell import in_shell_language, shell_language
from tournament.seating.engine.plans import SeatingError

MIN_PLAYERS: Final = 8
MAX_PLAYERS: Final = 4000


class Command(BaseCommand):
    help = (
        "Makes a believable tournament through the services: real names, real scoring hands, fouls; the same seed "
        "gives the same one. Makes an organiser's and an umpire's account whose passwords everybody knows: "
        "for demonstrations only."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, default=16, help="a multiple of four; default 16")
        parser.add_argument("--sessions", type=int, default=5, help="default 5")
        parser.add_argument("--seed", default="1", help="any word; default 1")
        parser.add_argument(
            "--until",
            type=int,
            metavar="SESSION",
            help="stop in the middle of this session, which is being played now; otherwise it ended last Sunday",
        )
        parser.add_argument(
            "--coming",
            action="store_true",
            help="instead, one that begins in six weeks and takes registrations",
        )
        parser.add_argument(
            "--if-empty", action="store_true", help="do nothing when there is a tournament already"
        )
        parser.add_argument(
            "--language",
            default=shell_language(),
            choices=[code for code, _name in settings.LANGUAGES],
            help="of its timetable, prices and prizes; default: that of LANG",
        )

    def handle(self, *, if_empty: bool, coming: bool, language: str, verbosity: int, **options: Any) -> None:
        require_migrated()
        if if_empty and Tournament.objects.exists():
            with in_shell_language():
                self.stdout.write(_("There is a tournament already."))
            return
        report = self.stdout.write if verbosity else lambda line: None
        with translation.override(language), _organiser() as organiser:
            tournament = (
                create_upcoming(organiser, timezone.now()) if coming else _play(organiser, report, **options)
            )
        report(f"{tournament}: /t/{tournament.slug}/")
        for login in LOGINS:
            report(_("  {name:10} password {password}").format(name=login.username, password=login.password))


@contextmanager
def _organiser() -> Iterator[Actor]:
    try:
        with transaction.atomic():
            yield Actor.of(account(ORGANISER))
    except Forbidden:
        message = f"The account “{ORGANISER.username}” is somebody's who may not make tournaments."
        raise CommandError(message) from None


def _play(
    organiser: Actor,
    report: Callable[[str], Any],
    *,
    players: int,
    sessions: int,
    seed: str,
    until: int | None,
    **options: Any,
) -> Tournament:
    if players % 4 or not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise CommandError(f"--players must be a multiple of four, {MIN_PLAYERS} to {MAX_PLAYERS}.")
    if sessions < 1 or (until is not None and not 1 <= until <= sessions):
        raise CommandError("--sessions must be at least 1, and --until one of the sessions.")
    try:
        event = demo_event(players, sessions, seed, timezone.now(), until)
    except SeatingError as error:
        raise CommandError(sentence(error.problems[0])) from None
    umpire = Actor.of(account(UMPIRE))
    tournament = create_event(event, organiser, umpire)
    play = Play(event, tournament, organiser, umpire)
    for step in event.steps:
        play.take(step)
        if step.kind is Kind.CLOSE:
            report(
                _("Session {session} of {sessions} played.").format(session=step.session, sessions=sessions)
            )
    tournament.refresh_from_db()
    return tournament
