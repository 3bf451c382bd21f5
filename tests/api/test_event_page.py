"""An event's page for programs."""

from __future__ import annotations

from base64 import b64encode
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import make_organiser, make_tournament
from tournament.models import EventDocument, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Tournament:
    return make_tournament(players=8, drawn=False)


def address(tournament: Tournament, more: str = "") -> str:
    return f"/api/v1/tournaments/{tournament.slug}/page/{more}"


def put(client: Client, tournament: Tournament, **said: Any) -> Any:
    return client.put(address(tournament), said, content_type="application/json")


def test_is_read_by_anybody(client: Client, spring: Tournament) -> None:
    assert client.get(address(spring)).json()["description"] == {}


def test_is_written_as_it_is_read(client: Client, spring: Tournament) -> None:
    client.force_login(make_organiser(spring))
    answer = put(client, spring, description={"en": "Hello"}, mers="ranked", country="FRA").json()
    assert (answer["description"], answer["mers_weight"]) == ({"en": "Hello"}, 2.5)
    again = {name: answer[name] for name in ("description", "mers", "country", "seen")}
    assert put(client, spring, **again).json() == answer


def test_is_refused_with_its_places(client: Client, spring: Tournament) -> None:
    client.force_login(make_organiser(spring))
    answer = put(client, spring, website="nowhere", country="XX")
    assert answer.status_code == 422
    assert {problem["where"] for problem in answer.json()["problems"]} == {"website", "country"}


def test_is_not_written_by_anybody(client: Client, spring: Tournament) -> None:
    assert put(client, spring, contact="x").status_code in (401, 403)


def test_takes_files_and_gives_them_up(client: Client, spring: Tournament) -> None:
    client.force_login(make_organiser(spring))
    sent = {"uuid": str(uuid4()), "title": "Way", "file": b64encode(b"%PDF-1").decode()}
    first = client.post(address(spring, "files/"), sent, content_type="application/json")
    assert (first.status_code, first.json()["kind"]) == (201, "pdf")
    assert client.get(address(spring)).json()["documents"][0]["title"] == "Way"
    assert client.delete(address(spring, f"files/{sent['uuid']}/")).status_code == 204
    assert not EventDocument.objects.exists()


def test_refuses_what_is_no_base64(client: Client, spring: Tournament) -> None:
    client.force_login(make_organiser(spring))
    sent = {"uuid": str(uuid4()), "title": "Way", "file": "%%%"}
    answer = client.post(address(spring, "files/"), sent, content_type="application/json")
    assert answer.json()["problems"][0]["code"] == "file_unreadable"
