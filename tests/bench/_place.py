"""A demonstration to measure on, and the server that serves it."""

from tests.support.processes import Place

SERVER = ("-m", "tests.support.asgi_server", "{port}")
"""To be followed by the application."""
ONE_ADDRESS = {"CONNECTIONS_PER_ADDRESS": "0", "STREAMS_PER_ADDRESS": "0"}
"""The environment in which a whole hall may come from one address, which is this machine's."""
_TOKEN = """
from django.contrib.auth.models import User
from tournament.base.models.tournament import Tournament
from tournament.accounts.services import make_token
print(Tournament.objects.get().slug, make_token(User.objects.get(username={name!r}))[1])
"""


def prepared(place: Place, players: int, sessions: int) -> list[str]:
    """A demonstration in the middle of its last session; its slug, and its umpire's token."""
    place.migrate()
    words = ("--players", str(players), "--sessions", str(sessions), "--until", str(sessions))
    for command in (("collectstatic", "--noinput", "--verbosity", "0"), ("demo", *words)):
        done = place.manage(*command, patience=1800)
        assert done.returncode == 0, done.stdout
    return slug_and_token(place, "umpire")


def slug_and_token(place: Place, name: str) -> list[str]:
    """The demonstration's slug, and a new token of who has this name."""
    return place.python(_TOKEN.format(name=name)).split()
