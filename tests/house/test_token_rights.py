"""A token × every step of the schema: it opens what its role opens, and nothing that its account does not."""

from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern

from tests.house.addresses import route_of
from tests.house.event import House, client_for, status_of
from tests.support.factories import make_member
from tests.support.sampling import sample
from tournament.base import access
from tournament.base.access import RIGHTS, Actor
from tournament.base.models.people import ApiToken
from tournament.base.models.tournament import Role, Tournament

pytestmark = pytest.mark.django_db

METHODS = ("get", "post", "put", "patch", "delete")
SHUT = (401, 403, 404, 405)
"""Not for who asks, or there is no such step."""
OF_ACCOUNTS = ("api_token", "api_invitation_accept")
"""By a password, and by an invitation: tests/accounts/test_tokens.py."""


def is_a_step(name: str, entry: URLPattern) -> bool:
    return route_of(entry).startswith("api/v1/") and name not in OF_ACCOUNTS


def open_steps(client: Client, house: House, event: Tournament) -> set[str]:
    """The steps, of 200 that are drawn, at which somebody is let in; what they write there is undone."""
    steps = [(method, url) for (_, url), method in product(house.urls(event, where=is_a_step), METHODS)]
    drawn = sample(steps, 200, key=event.slug)
    return {f"{method} {url}" for method, url in drawn if status_of(client, method, url) not in SHUT}


def program(user: Any, scope: str, *events: Tournament) -> Client:
    """One with a token of that account: for these events, or for everything."""
    token, text = ApiToken.objects.create(user=user, scope=scope, everywhere=not events)
    token.tournaments.set(events)
    return Client(headers={"Authorization": f"Bearer {text}"})


@pytest.mark.parametrize("role", sample(Role, 1))
@pytest.mark.thorough
def test_an_owner_s_token_for_a_role_opens_what_that_role_opens(house: House, role: Role) -> None:
    owner, other = house.people[str(Role.OWNER.label)], make_member(house.public, role, "somebody-else")
    by_token = open_steps(program(owner, role, house.public), house, house.public)
    assert by_token == open_steps(client_for(other), house, house.public)


@pytest.mark.parametrize("role", sample(Role, 1))
@pytest.mark.thorough
def test_a_token_for_everything_opens_what_its_account_opens(house: House, role: Role) -> None:
    user = house.people[str(role.label)]
    by_token = open_steps(program(user, ApiToken.ALL), house, house.public)
    assert by_token == open_steps(client_for(user), house, house.public)


@pytest.mark.thorough
def test_a_token_passes_on_what_its_account_and_its_role_share(house: House) -> None:
    for role, scope in product(Role, Role):
        user = house.people[str(role.label)]
        token, _ = ApiToken.objects.create(user=user, scope=scope)
        passed_on = access.rights_in(Actor.of(user, access.grant_of(token)), house.public)
        assert passed_on == RIGHTS[role] & RIGHTS[scope], (role, scope)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("role", "scope"),
    sample([(Role.UMPIRE, Role.CHIEF), (Role.DESK, Role.ORGANISER), (Role.SCORER, Role.UMPIRE)], 1),
)
def test_a_token_for_more_than_its_account_opens_no_more(house: House, role: Role, scope: Role) -> None:
    user = house.people[str(role.label)]
    by_token = open_steps(program(user, scope, house.public), house, house.public)
    assert by_token == open_steps(client_for(user), house, house.public)


@pytest.mark.thorough
def test_a_token_opens_nothing_of_an_event_that_it_does_not_name(house: House) -> None:
    owner = house.people[str(Role.OWNER.label)]
    house.private.memberships.create(user=owner, role=Role.OWNER)
    of_the_other = open_steps(program(owner, ApiToken.ALL, house.private), house, house.public)
    assert of_the_other == open_steps(client_for(house.people["player"]), house, house.public)
    elsewhere = open_steps(program(owner, ApiToken.ALL, house.public), house, house.private)
    assert not any("/private/" in step for step in elsewhere)
