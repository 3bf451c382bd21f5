"""Registration for programs: the public addresses within limits, the desk's for who may admit people."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import PASSWORD, make_organiser, make_tournament
from tests.support.registrations import confirmed, make_plan, states
from tournament.access.registration_link import token_of
from tournament.api import paging
from tournament.models import Tournament
from tournament.services import registrations
from tournament.services.limits import Limit

pytestmark = pytest.mark.django_db
SAID = {"last_name": "Nowak", "email": "anna@example.org", "privacy_read": True}


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=0, drawn=False)
    make_plan(event, places=1)
    return event


@pytest.fixture
def desk(event: Tournament) -> Client:
    client = Client()
    assert client.login(username=make_organiser(event).username, password=PASSWORD)
    return client


def send(
    client: Client, method: str, event: Tournament, address: str, body: Any = None, *more: object
) -> Any:
    url = reverse(f"api_{address}", args=[event.slug, *more])
    return getattr(client, method)(url, data=body or {}, content_type="application/json")


def test_a_program_registers_somebody_who_then_confirms(client: Client, event: Tournament) -> None:
    assert send(client, "post", event, "registrations", SAID).status_code == 202
    token = token_of(event.registrations.get())
    assert send(client, "post", event, "own_registration", None, token).json()["state"] == "accepted"
    assert (
        client.get(reverse("api_own_registration", args=[event.slug, token])).json()["email"] == SAID["email"]
    )
    changed = send(client, "put", event, "own_registration", SAID | {"club": "Wien"}, token).json()
    assert changed["club"] == "Wien"
    assert send(client, "delete", event, "own_registration", None, token).json()["state"] == "cancelled"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"last_name": ""},
        SAID | {"privacy_read": False},
        SAID | {"answers": {"7": "x"}},
        SAID | {"answers": {"x\x00": [1]}},
        SAID | {"last_name": "x" * 299},
        SAID | {"email": "x\x00@example.org"},
        SAID | {"name_shown": "perhaps"},
    ],
)
def test_what_is_wrong_is_said(client: Client, event: Tournament, body: Any) -> None:
    assert send(client, "post", event, "registrations", body).status_code in (400, 409, 422)
    assert states(event) == {}


def test_a_script_is_slowed_down(client: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registrations, "FROM_ONE_ADDRESS", Limit("registrations", most=1, within=60))
    send(client, "post", event, "registrations", SAID)
    assert send(client, "post", event, "registrations", SAID | {"email": "b@example.org"}).status_code == 429


def test_a_list_is_for_the_desk(client: Client, desk: Client, event: Tournament) -> None:
    confirmed(event, 1)
    url = reverse("api_registrations", args=[event.slug])
    assert client.get(url).status_code in (401, 403)
    (one,) = desk.get(url).json()
    assert (one["number"], one["state"]) == (1, "accepted")
    assert "/registration/" in one["link"]


def test_the_waiting_list_is_read_once_however_many_wait(desk: Client, event: Tournament) -> None:
    url = reverse("api_registrations", args=[event.slug])
    asked = []
    for many in (3, 9):
        for number in range(event.registrations.count() + 1, many + 1):
            confirmed(event, number)
        with CaptureQueriesContext(connection) as statements:
            told = desk.get(url).json()
        assert [one["position"] for one in told] == [None, *range(1, many)]
        asked.append(len(statements))
    assert asked[0] == asked[1]


def test_the_next_page_is_of_the_same_state(
    desk: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "A_PAGE", 2)
    for number in range(1, 7):
        confirmed(event, number)
    here, seen = reverse("api_registrations", args=[event.slug]) + "?state=waiting", []
    while here:
        answer = desk.get(here)
        seen += [(one["number"], one["state"]) for one in answer.json()]
        here = answer.headers.get("Link", "").partition(">")[0].removeprefix("<http://testserver")
    assert seen == [(number, "waiting") for number in range(2, 7)]


def test_a_state_that_there_is_not_is_said_to_be_none(desk: Client, event: Tournament) -> None:
    answer = desk.get(reverse("api_registrations", args=[event.slug]) + "?state=wating")
    assert (answer.status_code, "wating" in answer.text) == (400, True)


def test_steps_are_done_and_undone(desk: Client, event: Tournament) -> None:
    confirmed(event, 1), confirmed(event, 2)
    done = send(desk, "post", event, "registration_steps", {"step": "decline", "registrations": [1]})
    assert states(event) == {1: "declined", 2: "accepted"}
    send(desk, "post", event, "registration_undo", {"step": done.json()["undo"]})
    assert states(event) == {1: "accepted", 2: "waiting"}
    send(desk, "post", event, "registration_steps", {"step": "enter", "registrations": [1]})
    assert event.players.count() == 1


def test_a_step_that_cannot_be_done_moves_nobody(desk: Client, event: Tournament) -> None:
    confirmed(event, 1), confirmed(event, 2)
    for body in (
        {"step": "accept", "registrations": [2]},
        {"step": "wait", "registrations": []},
        {"step": "x"},
    ):
        assert 400 <= send(desk, "post", event, "registration_steps", body).status_code < 500
    assert states(event) == {1: "accepted", 2: "waiting"}


def test_the_desk_enters_a_list_and_changes_one(desk: Client, event: Tournament) -> None:
    body = {"registrations": [{"last_name": "Nowak"}, {"last_name": "Lima", "country": "PRT"}]}
    assert send(desk, "post", event, "registration_list", body).status_code == 201
    send(desk, "put", event, "registration", {"last_name": "Lima", "club": "Porto"}, 2)
    url = reverse("api_registration", args=[event.slug, 2])
    assert (desk.get(url).json()["club"], desk.get(url).json()["position"]) == ("Porto", 1)


def test_a_plan_is_read_by_all_and_written_by_organisers(
    client: Client, desk: Client, event: Tournament
) -> None:
    wish = {"places": 5, "kept": [{"by": "country", "value": "FRA", "places": 2}]}
    assert send(client, "put", event, "registration_plan", wish).status_code in (401, 403)
    assert send(desk, "put", event, "registration_plan", wish).status_code == 200
    asked = [{"kind": "yes_no", "text": {"en": "Lunch?"}}]
    send(desk, "put", event, "registration_questions", {"questions": asked})
    said = client.get(reverse("api_registration_plan", args=[event.slug])).json()
    assert (said["phase"], said["left"], said["plan"]["kept"]) == ("open", 5, wish["kept"])
    assert said["questions"][0]["text"] == {"en": "Lunch?"}
    assert client.get(reverse("api_registration_questions", args=[event.slug])).status_code == 200
