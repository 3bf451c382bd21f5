"""Create a demonstration tournament."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from tournament.base.access import Actor
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.errors import Forbidden
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.demo.generate import generate
from tournament.demo.trials import LOGINS, ORGANISER, UMPIRE, account
from tournament.demo.upcoming import create_upcoming
from tournament.exchange.transcripts.transcript import Stop, Transcript, load, play
from tournament.management.database import require_migrated
from tournament.seating.engine.plans import SeatingError

EVENING: Final = Path(__file__).parents[2] / "demo" / "data" / "evening.json"
EVENING_STOP: Final = Stop(session=4, hands=(4, 6, 7, 4))
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
        parser.add_argument("--until", type=int, metavar="SESSION", help="stop in the middle of this session")
        parser.add_argument(
            "--evening",
            action="store_true",
            help="a real evening instead, up to the middle of session 4 of 5",
        )
        parser.add_argument(
            "--coming",
            action="store_true",
            help="instead, one that begins in six weeks and takes registrations",
        )
        parser.add_argument(
            "--if-empty", action="store_true", help="do nothing when there is a tournament already"
        )

    def handle(self, *, if_empty: bool, coming: bool, verbosity: int, **options: Any) -> None:
        require_migrated()
        if if_empty and Tournament.objects.exists():
            self.stdout.write("There is a tournament already.")
            return
        report = self.stdout.write if verbosity else lambda line: None
        with _organiser() as organiser:
            if coming:
                tournament = create_upcoming(organiser, timezone.localdate())
            else:
                tournament = _play(organiser, report, **options)
        report(f"{tournament}: /t/{tournament.slug}/")
        for login in LOGINS:
            report(f"  {login.username:10} password {login.password}")


def _play(organiser: Actor, report: Callable[[str], Any], *, evening: bool, **options: Any) -> Tournament:
    transcript, stop = _load_evening() if evening else _generate(**options)
    sessions = len(transcript.sessions)
    return play(
        transcript,
        organiser,
        stop,
        umpire=Actor.of(account(UMPIRE)),
        after_session=lambda number: report(f"Session {number} of {sessions} played."),
    )


@contextmanager
def _organiser() -> Iterator[Actor]:
    try:
        with transaction.atomic():
            yield Actor.of(account(ORGANISER))
    except Forbidden:
        message = f"The account “{ORGANISER.username}” is somebody's who may not make tournaments."
        raise CommandError(message) from None


def _load_evening() -> tuple[Transcript, Stop | None]:
    """Return the evening's transcript with today as its first day, and where it stops."""
    evening = load(EVENING.read_text("utf-8"))
    today = timezone.localdate()
    length = evening.particulars["ends_on"] - evening.particulars["starts_on"]
    days = {**evening.particulars, "starts_on": today, "ends_on": today + length}
    return replace(evening, particulars=days), EVENING_STOP


def _generate(
    *, players: int, sessions: int, seed: str, until: int | None, **options: Any
) -> tuple[Transcript, Stop | None]:
    if players % 4 or not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise CommandError(f"--players must be a multiple of four, {MIN_PLAYERS} to {MAX_PLAYERS}.")
    if sessions < 1 or (until is not None and not 1 <= until <= sessions):
        raise CommandError("--sessions must be at least 1, and --until one of the sessions.")
    try:
        transcript = generate(players, sessions, seed, timezone.localdate(), until)
    except SeatingError as error:
        raise CommandError(sentence(error.problems[0])) from None
    if until is None:
        return transcript, None
    random = Random(f"hule-demo/{seed}/{until}")
    hands = tuple(random.randint(2, HANDS_PER_SESSION // 2) for _ in range(players // 4))
    return transcript, Stop(until, hands)
