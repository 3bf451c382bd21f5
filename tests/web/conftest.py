"""Tournaments the page tests look at. Made once a module, never written to; whoever writes makes their own."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from html import unescape
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests.support.factories import evening, make_tournament
from tournament.models import Tournament

LANGUAGES = ("en", "zh-hans", "zh-hant")


def html_of(client: Client, address: str, language: str = "en", **query: Any) -> str:
    response = client.get(address, query, headers={"accept-language": language})
    assert response.status_code == 200
    return response.content.decode()


def visible_text(html: str) -> str:
    """What a reader sees, without tags and the notes on terms, each run of space as one."""
    without_notes = re.sub(r'<span class="term-note".*?</span>', "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", without_notes)).split())


@pytest.fixture(autouse=True)
def database(db: None) -> None:
    """Every page reads it."""


@pytest.fixture(scope="module")
def kept_for_module(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Callable[..., AbstractContextManager[None]]:
    """The database for the length of a module; what is written in it is taken back at the end."""

    @contextmanager
    def kept() -> Iterator[None]:
        with django_db_blocker.unblock(), transaction.atomic():
            yield
            transaction.set_rollback(True)

    return kept


@pytest.fixture(scope="module")
def spring(kept_for_module: Callable[..., AbstractContextManager[None]]) -> Iterator[Tournament]:
    """16 players, session 1 of 3 closed, session 2 at hands 3, 1, 1 and 0."""
    with kept_for_module():
        yield make_tournament(sessions=3, played=1, running=(3, 1, 1, 0))


@pytest.fixture(scope="module")
def whole_evening(kept_for_module: Callable[..., AbstractContextManager[None]]) -> Iterator[Tournament]:
    """The sample evening, played to its end."""
    with kept_for_module():
        yield evening()
