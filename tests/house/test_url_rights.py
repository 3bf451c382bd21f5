"""Every address of an event × every role: who is let in to read and to write, by the table of `url_rights`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from tests.house.addresses import ADDRESSES, addresses, filled_in, let_go
from tests.house.event import House
from tests.house.url_rights import URL_RIGHTS
from tournament.access.rights import RIGHTS
from tournament.models import Role

pytestmark = pytest.mark.django_db

WRITES = ("post", "put", "patch", "delete")
OF_EVENTS = [(name, entry) for name, entry in ADDRESSES if "slug" in filled_in(entry)]
TURNED_DOWN = (403, 405)
"""Not for who asks, or there is no such step."""


def test_every_address_of_an_event_says_who_is_let_in() -> None:
    """A new one fails here until tests/house/url_rights.py has it."""
    assert {name for name, _ in OF_EVENTS} == set(URL_RIGHTS)


@pytest.mark.thorough
@pytest.mark.parametrize("role", list(Role))
def test_a_role_is_let_in_where_its_rights_lead_and_nowhere_else(role: Role) -> None:
    house, wrong = House(), {}
    client = house.client(str(role.label))
    for name, urls in _urls(house):
        reads, writes = (bool(asked & RIGHTS[role]) for asked in URL_RIGHTS[name])
        got = (
            any(_asked(client, "get", url) for url in urls),
            any(_asked(client, method, url) for url, method in product(urls, WRITES)),
        )
        if got != (reads, writes):
            wrong[name] = f"reads, writes: {got}, should be {(reads, writes)}"
    assert wrong == {}


def _urls(house: House) -> Iterator[tuple[str, list[str]]]:
    for name, entry in OF_EVENTS:
        yield name, addresses(entry, name, house.kwargs(house.public))


def _asked(client: Client, method: str, url: str) -> bool:
    """Whether somebody is let in; what it writes is undone."""
    body = {} if method == "get" else {"data": "{}", "content_type": "application/json"}
    with transaction.atomic():
        answer: HttpResponse = getattr(client, method)(url, **body)
        transaction.set_rollback(True)
    let_go(answer)
    return answer.status_code not in TURNED_DOWN
