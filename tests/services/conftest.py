"""Every service stores something; many do so at a table that has just begun to play."""

import pytest

from tests.support.closing import table_of
from tests.support.factories import make_card, make_tournament, make_umpire
from tournament.base.access import Actor
from tournament.base.models.play import Table


@pytest.fixture(autouse=True)
def database(db: None) -> None:
    """Tests of services need no mark for the database."""


@pytest.fixture
def table() -> Table:
    """Table 1 of a session that has just begun: players 1, 5, 9, 13 start E, S, W, N."""
    return table_of(make_tournament(running=0).sessions.get(number=1))


@pytest.fixture
def umpire(table: Table) -> Actor:
    return Actor.of(make_umpire(table.session.tournament))


@pytest.fixture
def card(table: Table) -> Actor:
    """The card that lies on the table, in the hands of its players."""
    return Actor.of(make_card(table.session.tournament, 1))
