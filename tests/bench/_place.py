"""A demonstration tournament to measure on, and the command that serves it."""

from tests.support.processes import Place

SERVER = ("-m", "tests.support.asgi_server", "{port}")
"""To be followed by the name of the application."""
ONE_ADDRESS = {"CONNECTIONS_PER_ADDRESS": "0", "STREAMS_PER_ADDRESS": "0", "CONNECTIONS_PER_ACCOUNT": "0"}
"""Environment variables that lift the limits of one address and account: all clients are on this machine."""
_TOKEN = """
from django.contrib.auth.models import User
from tournament.base.models.tournament import Tournament
from tournament.accounts.services import make_token
print(Tournament.objects.get().slug, make_token(User.objects.get(username={name!r}))[1])
"""


def prepare_demonstration(place: Place, players: int, sessions: int) -> list[str]:
    """Create a demonstration in the middle of its last session; return its slug and a token of its umpire."""
    place.migrate()
    options = ("--players", str(players), "--sessions", str(sessions), "--until", str(sessions))
    for command in (("collectstatic", "--noinput", "--verbosity", "0"), ("demo", *options)):
        place.command(*command)
    return slug_and_token(place, "umpire")


def slug_and_token(place: Place, name: str) -> list[str]:
    """Return the demonstration's slug and a new token of the account with this name."""
    return place.run(_TOKEN.format(name=name)).split()
