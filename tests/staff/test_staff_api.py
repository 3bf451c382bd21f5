"""Umpires by REST: named with an account or by one there is, moved, and let go."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.support.factories import make_organiser, make_tournament, make_user, seats_for
from tests.support.programs import ROOT, Program, client_of, codes_of
from tournament.base.access import Actor, can_umpire
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.seating.services.seatings import put as put_seats

PATH = "staff/"


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=2)


def name(client: Program, base_url: str, **body: Any) -> Any:
    return client.post(base_url, {"username": "uma", **body})


def may_write_at(username: str, event: Tournament) -> list[tuple[int, int]]:
    actor = Actor.of(User.objects.get(username=username))
    tables = Table.objects.filter(session__tournament=event).order_by("session__number", "number")
    return [(table.session.number, table.number) for table in tables if can_umpire(actor, table)]


def test_a_new_umpire_gets_a_password_that_is_told_once(organiser_client: Program, base_url: str) -> None:
    answer = name(organiser_client, base_url, full_name="Uma Pire")
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    password = answer.json()["password"]
    assert "token" in Program().post("/api/v1/token/", {"username": "uma", "password": password}).json()
    listing = organiser_client.get(base_url)
    _, listed = listing.json()
    assert listed == answer.json()["member"]
    assert (listed["username"], listed["full_name"], listed["everywhere"]) == ("uma", "Uma Pire", True)
    assert password not in listing.text


def test_who_has_an_account_is_named_by_it(
    organiser_client: Program, base_url: str, event: Tournament
) -> None:
    make_user("Pia")
    named = name(organiser_client, base_url, username="pia", new_account=False, sessions=[2]).json()
    assert (named["password"], named["member"]["username"], named["member"]["sessions"]) == (None, "Pia", [2])
    assert may_write_at("Pia", event) == [(2, 1), (2, 2)]


def test_an_umpire_is_moved_and_let_go(organiser_client: Program, base_url: str, event: Tournament) -> None:
    umpire_client = name(organiser_client, base_url, tables=[2]).json()["member"]
    assert (may_write_at("uma", event), umpire_client["every_session"]) == ([(1, 2), (2, 2)], True)
    url = f"{base_url}{umpire_client['id']}/"
    moved = organiser_client.put(url, {"sessions": [1], "tables": [1]}).json()
    assert (may_write_at("uma", event), moved["tables"]) == ([(1, 1)], [{"session": 1, "number": 1}])
    assert organiser_client.delete(url).status_code == 204
    (left,) = organiser_client.get(base_url).json()
    assert (left["username"], may_write_at("uma", event)) == ("olga", [])
    assert organiser_client.delete(url).status_code == 404


def test_what_cannot_be_read_or_done_is_refused(organiser_client: Program, base_url: str) -> None:
    for body in ({"username": "u m a"}, {"tables": [10**30]}, {"sessions": "1"}):
        assert name(organiser_client, base_url, **body).status_code == 400, body
    assert codes_of(name(organiser_client, base_url, username="OLGA")) == ["username_taken"]
    assert codes_of(name(organiser_client, base_url, new_account=False)) == ["no_such_account"]
    beyond = name(organiser_client, base_url, sessions=[3], tables=[1, 9])
    assert codes_of(beyond) == ["no_such_session", "no_such_table", "no_such_table"]
    assert not User.objects.filter(username="uma").exists()


def test_tables_of_a_session_without_seats_are_not_every_table() -> None:
    event = make_tournament(players=8, sessions=2, drawn=False)
    put_seats(event, {1: seats_for(8, 1)[0], 2: []})
    organiser_client = client_of(make_organiser(event))
    answer = name(organiser_client, f"{ROOT}{event.slug}/staff/", sessions=[2], tables=[1])
    assert codes_of(answer) == ["no_such_table"]
