"""Fixtures for every subject: an event, its tables and its people. A module may override them."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests.support.closing import table_of
from tests.support.factories import evening, make_card, make_organiser, make_tournament, make_umpire
from tests.support.programs import ROOT, Program, client_of
from tournament.base.access import Actor
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament


@pytest.fixture
def event(request: pytest.FixtureRequest) -> Tournament:
    """An event of 16 players drawn into 2 sessions; a module's `EVENT_WITH = {"players": 8}` changes it."""
    return make_tournament(**getattr(request.module, "EVENT_WITH", {}))


@pytest.fixture
def empty_event() -> Tournament:
    """An event without players."""
    return make_tournament(players=0)


@pytest.fixture
def running_event() -> Tournament:
    """An event whose session 1 is running, without hands."""
    return make_tournament(running=0)


# --- Actors, for services ---
@pytest.fixture
def table(running_event: Tournament) -> Table:
    """Table 1 of a session that has just begun: players 1, 5, 9, 13 start as E, S, W, N."""
    return table_of(running_event.sessions.get(number=1))


@pytest.fixture
def umpire(table: Table) -> Actor:
    return Actor.of(make_umpire(table.session.tournament))


@pytest.fixture
def card(table: Table) -> Actor:
    """The pass of the table, which its players use."""
    return Actor.of(make_card(table.session.tournament, 1))


# --- Browsers, for pages ---
@pytest.fixture
def olga(client: Client, event: Tournament) -> Client:
    """A browser with an organiser of the event signed in."""
    client.force_login(make_organiser(event))
    return client


# --- Programs, for the API ---
@pytest.fixture
def organiser_client(event: Tournament) -> Program:
    return client_of(make_organiser(event))


@pytest.fixture
def umpire_client(event: Tournament) -> Program:
    return client_of(make_umpire(event))


@pytest.fixture
def event_url(event: Tournament) -> str:
    return f"{ROOT}{event.slug}/"


@pytest.fixture
def table_url(event_url: str) -> str:
    return f"{event_url}sessions/1/tables/1/"


@pytest.fixture
def base_url(request: pytest.FixtureRequest, event_url: str) -> str:
    """The URL of the endpoints that the module tests, from its `PATH`."""
    return f"{event_url}{request.module.PATH}"


@pytest.fixture(scope="module")
def module_transaction(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Callable[..., AbstractContextManager[None]]:
    """Return a context manager that rolls the database back at the end of a module."""

    @contextmanager
    def transaction_for_module() -> Iterator[None]:
        with django_db_blocker.unblock(), transaction.atomic():
            yield
            transaction.set_rollback(True)

    return transaction_for_module


@pytest.fixture(scope="module")
def spring(module_transaction: Callable[..., AbstractContextManager[None]]) -> Iterator[Tournament]:
    """An event of 16 players: session 1 of 3 is closed, session 2 has 3, 1, 1 and 0 hands at its tables."""
    with module_transaction():
        yield make_tournament(sessions=3, played=1, running=(3, 1, 1, 0))


@pytest.fixture(scope="module")
def whole_evening(module_transaction: Callable[..., AbstractContextManager[None]]) -> Iterator[Tournament]:
    """The sample evening, played to its end."""
    with module_transaction():
        yield evening()
