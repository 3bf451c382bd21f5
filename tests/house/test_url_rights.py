"""Every address of an event × every role: who is let in to read and to write, by the table of `url_rights`."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import product

import pytest
from django.db import transaction
from django.test import Client

from tests.house.addresses import ADDRESSES, filled_in, let_go
from tests.house.event import House
from tests.house.url_rights import URL_RIGHTS
from tests.support.sampling import sample
from tournament.access import Right
from tournament.access.rights import RIGHTS
from tournament.models import Role

WRITES = ("post", "put", "patch", "delete")
TURNED_DOWN = (403, 405)
"""Not for who asks, or there is no such step."""


def test_every_address_of_an_event_says_who_is_let_in() -> None:
    """A new one fails here until tests/house/url_rights.py has it."""
    assert {name for name, entry in ADDRESSES if "slug" in filled_in(entry)} == set(URL_RIGHTS)


@pytest.mark.thorough
def test_a_role_is_let_in_where_its_rights_lead_and_nowhere_else(house: House) -> None:
    """At each address a role that is let in and one that is not, other ones each run."""
    urls, wrong = defaultdict(list), []
    for name, url in house.urls(where=lambda name, _: name in URL_RIGHTS):
        urls[name].append(url)
    clients = {role: house.client(str(role.label)) for role in Role}
    for name, (readers, writers) in URL_RIGHTS.items():
        for methods, rights in ((("get",), readers), (WRITES, writers)):
            for role in roles_with_and_without(rights):
                let_in = any(is_let_in(clients[role], *request) for request in product(methods, urls[name]))
                if let_in != bool(rights & RIGHTS[role]):
                    wrong.append(f"{name} {methods}: {role} is {'' if let_in else 'not '}let in")
    assert wrong == []


def roles_with_and_without(rights: frozenset[Right]) -> Iterable[Role]:
    having = [role for role in Role if rights & RIGHTS[role]]
    return sample(having, 1) + sample([role for role in Role if role not in having], 1)


def is_let_in(client: Client, method: str, url: str) -> bool:
    """Whether somebody is let in; what it writes is undone."""
    body = {} if method == "get" else {"data": "{}", "content_type": "application/json"}
    with transaction.atomic():
        response = getattr(client, method)(url, **body)
        transaction.set_rollback(True)
    let_go(response)
    return response.status_code not in TURNED_DOWN
