"""Programs of an event; a module says with its own `event` what has been played."""

import pytest

from tests.support.factories import make_organiser, make_tournament, make_umpire
from tests.support.programs import Program, client_of
from tournament.models import Tournament


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
