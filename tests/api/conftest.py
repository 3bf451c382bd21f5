"""Programs of an event; a module says with its own `event` what has been played, with `PATH` what it asks of it."""

import pytest

from tests.support.factories import make_organiser, make_tournament, make_umpire
from tests.support.programs import ROOT, Program, client_of
from tournament.base.models.tournament import Tournament


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Every program asks about what is stored."""


@pytest.fixture
def event() -> Tournament:
    """Session 1 is being played, without a hand yet."""
    return make_tournament(running=0)


@pytest.fixture
def organiser(event: Tournament) -> Program:
    return client_of(make_organiser(event))


@pytest.fixture
def umpire(event: Tournament) -> Program:
    return client_of(make_umpire(event))


@pytest.fixture
def home(event: Tournament) -> str:
    return f"{ROOT}{event.slug}/"


@pytest.fixture
def at_table(home: str) -> str:
    return f"{home}sessions/1/tables/1/"


@pytest.fixture
def at(request: pytest.FixtureRequest, home: str) -> str:
    """The addresses that the module is about."""
    return f"{home}{request.module.PATH}"
