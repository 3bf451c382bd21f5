"""Umpires by REST: named with an account or by one there is, moved, and let go."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of, codes_of
from tests.support.factories import make_organiser, make_tournament, make_umpire, make_user, seats_for
from tournament.access import Actor, can_umpire
from tournament.models import Membership, Table, Tournament
from tournament.services.reseating import put as put_seats

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=2)


@pytest.fixture
def organiser(event: Tournament) -> APIClient:
    return client_of(make_organiser(event))


def address(event: Tournament, umpire: Any = None) -> str:
    return f"{ROOT}{event.slug}/staff/" + (f"{umpire['id']}/" if umpire else "")


def name(client: APIClient, event: Tournament, **body: Any) -> Any:
    return client.post(address(event), {"username": "uma", **body}, format="json")


def may_write_at(username: str, event: Tournament) -> list[tuple[int, int]]:
    actor = Actor.of(User.objects.get(username=username))
    tables = Table.objects.filter(session__tournament=event).order_by("session__number", "number")
    return [(table.session.number, table.number) for table in tables if can_umpire(actor, table)]


def test_a_new_umpire_gets_a_password_that_is_told_once(organiser: APIClient, event: Tournament) -> None:
    answer = name(organiser, event, full_name="Uma Pire")
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    password = answer.json()["password"]
    body = {"username": "uma", "password": password}
    assert "token" in APIClient().post("/api/v1/token/", body, format="json").json()
    _, listed = organiser.get(address(event)).json()
    assert listed == answer.json()["member"]
    assert (listed["username"], listed["full_name"], listed["everywhere"]) == ("uma", "Uma Pire", True)
    assert password not in organiser.get(address(event)).content.decode()


def test_who_has_an_account_is_named_by_it(organiser: APIClient, event: Tournament) -> None:
    make_user("Pia")
    named = name(organiser, event, username="pia", new_account=False, sessions=[2]).json()
    assert (named["password"], named["member"]["username"], named["member"]["sessions"]) == (None, "Pia", [2])
    assert may_write_at("Pia", event) == [(2, 1), (2, 2)]


def test_an_umpire_is_moved_and_let_go(organiser: APIClient, event: Tournament) -> None:
    umpire = name(organiser, event, tables=[2]).json()["member"]
    assert (may_write_at("uma", event), umpire["every_session"]) == ([(1, 2), (2, 2)], True)
    moved = organiser.put(address(event, umpire), {"sessions": [1], "tables": [1]}, format="json").json()
    assert (may_write_at("uma", event), moved["tables"]) == ([(1, 1)], [{"session": 1, "number": 1}])
    assert organiser.delete(address(event, umpire)).status_code == 204
    (left,) = organiser.get(address(event)).json()
    assert (left["username"], may_write_at("uma", event)) == ("olga", [])
    assert organiser.delete(address(event, umpire)).status_code == 404


def test_only_organisers_name_umpires(event: Tournament) -> None:
    umpire = client_of(make_umpire(event))
    own = Membership.objects.get(user__username="uma")
    for answer in (
        umpire.get(address(event)),
        name(umpire, event, username="friend"),
        umpire.put(address(event, {"id": own.pk}), {}, format="json"),
        umpire.delete(address(event, {"id": own.pk})),
    ):
        assert answer.status_code == 403
    assert not User.objects.filter(username="friend").exists()


def test_the_last_organiser_does_not_go(organiser: APIClient, event: Tournament) -> None:
    role = Membership.objects.get(user__username="olga")
    assert codes_of(organiser.delete(address(event, {"id": role.pk}))) == ["last_organiser"]


@pytest.mark.parametrize(
    "wrong",
    [{"username": "u m a"}, {"username": {}}, {"tables": [10**30]}, {"sessions": "1"}, {"new_account": "?"}],
)
def test_what_cannot_be_read_is_refused(organiser: APIClient, event: Tournament, wrong: Any) -> None:
    assert name(organiser, event, **wrong).status_code == 400


@pytest.mark.parametrize(
    ("wrong", "codes"),
    [
        ({"username": "OLGA"}, ["username_taken"]),
        ({"new_account": False}, ["no_such_account"]),
        ({"sessions": [3], "tables": [1, 9]}, ["no_such_session", "no_such_table", "no_such_table"]),
    ],
)
def test_what_cannot_be_done_says_why(
    organiser: APIClient, event: Tournament, wrong: Any, codes: list[str]
) -> None:
    assert codes_of(name(organiser, event, **wrong)) == codes
    assert not User.objects.filter(username="uma").exists()


def test_tables_of_a_session_without_seats_are_not_every_table(organiser: APIClient) -> None:
    event = make_tournament(players=8, sessions=2, drawn=False)
    put_seats(event, {1: seats_for(8, 1)[0], 2: []})
    organiser = client_of(make_organiser(event, "otto"))
    assert codes_of(name(organiser, event, sessions=[2], tables=[1])) == ["no_such_table"]
