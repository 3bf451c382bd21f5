"""A token × every step of the schema: it opens what its role opens, and nothing that its account does not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from tests.house.addresses import ADDRESSES, addresses, let_go, route_of
from tests.house.event import House
from tests.support.factories import make_member
from tests.support.sampling import sample
from tournament import access
from tournament.access import Actor
from tournament.access.rights import RIGHTS
from tournament.models import ApiToken, Role, Tournament

pytestmark = pytest.mark.django_db

METHODS = ("get", "post", "put", "patch", "delete")
SHUT = (401, 403, 404, 405)
"""Not for who asks, or there is no such step."""
OF_ACCOUNTS = ("api_token", "api_invitation_accept")
"""By a password, and by an invitation: tests/web/test_tokens.py."""


def urls(house: House, event: Tournament) -> Iterator[str]:
    for name, entry in ADDRESSES:
        if route_of(entry).startswith("api/v1/") and name not in OF_ACCOUNTS:
            yield from addresses(entry, name, house.kwargs(event))


def let_in(client: Client, house: House, event: Tournament) -> set[str]:
    """The steps at which somebody is; what they write there is undone."""
    return {
        f"{method} {url}"
        for url, method in product(urls(house, event), METHODS)
        if _asked(client, method, url) not in SHUT
    }


def _asked(client: Client, method: str, url: str) -> int:
    body = {} if method == "get" else {"data": "{}", "content_type": "application/json"}
    with transaction.atomic():
        answer = getattr(client, method)(url, **body)
        transaction.set_rollback(True)
    let_go(answer)
    return int(answer.status_code)


def program(user: Any, scope: str, *events: Tournament) -> Client:
    """One with a token of that account: for these events, or for everything."""
    token, told = ApiToken.objects.create(user=user, scope=scope, everywhere=not events)
    token.tournaments.set(events)
    return Client(headers={"Authorization": f"Bearer {told}"})


def in_person(user: Any) -> Client:
    """Somebody who is signed in."""
    found = Client()
    found.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return found


@pytest.mark.parametrize("role", sample(Role, 2))
def test_an_owner_s_token_for_a_role_opens_what_that_role_opens(role: Role) -> None:
    house = House()
    owner, other = house.people[str(Role.OWNER.label)], make_member(house.public, role, "somebody-else")
    here = program(owner, role, house.public)
    assert let_in(here, house, house.public) == let_in(in_person(other), house, house.public)


@pytest.mark.parametrize("role", sample(Role, 2))
def test_a_token_for_everything_opens_what_its_account_opens(role: Role) -> None:
    house = House()
    user = house.people[str(role.label)]
    got = let_in(program(user, ApiToken.ALL), house, house.public)
    assert got == let_in(in_person(user), house, house.public)


@pytest.mark.parametrize("mine", sample(Role, 1, always=[Role.UMPIRE, Role.OBSERVER]))
def test_a_token_passes_on_what_its_account_and_its_role_share(mine: Role) -> None:
    house = House()
    user = house.people[str(mine.label)]
    for scope in Role:
        token, _ = ApiToken.objects.create(user=user, scope=scope)
        passed_on = access.rights_in(Actor.of(user, access.grant_of(token)), house.public)
        assert passed_on == RIGHTS[mine] & RIGHTS[scope], scope


@pytest.mark.parametrize(
    ("mine", "scope"),
    [
        pytest.param(Role.UMPIRE, Role.CHIEF, marks=pytest.mark.thorough),
        pytest.param(Role.DESK, Role.ORGANISER, marks=pytest.mark.thorough),
        pytest.param(Role.SCORER, Role.UMPIRE, marks=pytest.mark.thorough),
    ],
)
def test_a_token_for_more_than_its_account_opens_no_more(mine: Role, scope: Role) -> None:
    house = House()
    user = house.people[str(mine.label)]
    got = let_in(program(user, scope, house.public), house, house.public)
    assert got == let_in(in_person(user), house, house.public)


@pytest.mark.thorough
def test_a_token_opens_nothing_of_an_event_that_it_does_not_name() -> None:
    house = House()
    owner = house.people[str(Role.OWNER.label)]
    house.private.memberships.create(user=owner, role=Role.OWNER)
    assert let_in(program(owner, ApiToken.ALL, house.private), house, house.public) == let_in(
        in_person(house.people["player"]), house, house.public
    )
    elsewhere = let_in(program(owner, ApiToken.ALL, house.public), house, house.private)
    assert not any("/private/" in step for step in elsewhere)
