"""Totals from paper over REST."""

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.support.factories import make_organiser, make_tournament, make_umpire
from tournament.models import Table, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=0)


@pytest.fixture
def client(event: Tournament) -> APIClient:
    client = APIClient()
    client.force_authenticate(make_umpire(event))
    return client


def url(event: Tournament, more: str = "") -> str:
    return f"/api/v1/tournaments/{event.slug}/sessions/1/tables/1/totals/{more}"


def body(*points: int | None, **more: Any) -> dict[str, Any]:
    seats = Table.objects.get(session__number=1, number=1).seats.order_by("id")
    numbers = seats.values_list("player__number", flat=True)
    figures = [{"player": player, "points": total} for player, total in zip(numbers, points, strict=False)]
    return {"uuid": str(uuid4()), "figures": figures} | more


def test_three_totals_are_a_table(client: APIClient, event: Tournament) -> None:
    made = client.post(url(event), body(30, -10, -20), format="json")
    assert made.status_code == 201
    assert [line["points"] for line in made.json()["totals"]["figures"]] == [30, -10, -20, 0]
    table = APIClient().get(url(event).replace("totals/", "")).json()
    assert (table["counts_totals"], table["on_paper"], table["is_in"], table["hands_played"]) == (
        True,
        True,
        True,
        0,
    )


def test_all_that_is_wrong_is_said_at_once(client: APIClient, event: Tournament) -> None:
    refused = client.post(url(event), body(5000, 0, 0, 0, hands=99), format="json")
    assert refused.status_code == 422
    assert [(fault["code"], fault["where"][:6]) for fault in refused.json()["problems"]] == [
        ("total_unlikely", "points"),
        ("totals_not_zero", "points"),
        ("hands_out_of_range", "hands"),
    ]


def test_a_stale_write_is_told_what_changed(client: APIClient, event: Tournament) -> None:
    client.post(url(event), body(30, -10, -20, table_version=0), format="json")
    stale = client.put(url(event), body(20, 0, -20, table_version=0, reason="Misread"), format="json")
    assert stale.status_code == 409
    assert stale.json()["changes"][0]["action"] == "table_totals_entered"
    corrected = client.put(url(event), body(20, 0, -20, table_version=1, reason="Misread"), format="json")
    assert corrected.json()["totals"]["version"] == 2
    assert len(client.get(url(event)).json()["versions"]) == 2


def test_a_second_reading_is_settled(client: APIClient, event: Tournament) -> None:
    client.post(url(event), body(30, -10, -20), format="json")
    other = APIClient()
    other.force_authenticate(make_umpire(event, "una"))
    assert other.post(url(event, "second/"), body(31, -10, -20), format="json").json() == {"settled": None}
    assert client.get(url(event)).json()["differs"] is True
    choice = {"uuid": str(uuid4()), "choice": "typed", "totals": body(32, -10, -20)}
    counts = client.put(url(event, "second/"), choice, format="json").json()["totals"]
    assert counts["figures"][0]["points"] == 32


def test_totals_are_set_aside(client: APIClient, event: Tournament) -> None:
    client.post(url(event), body(30, -10, -20), format="json")
    assert client.delete(url(event), {"reason": "The wrong table"}, format="json").status_code == 200
    assert client.get(url(event)).json()["totals"] is None


def test_the_organiser_says_what_is_on_paper(event: Tournament) -> None:
    client = APIClient()
    client.force_authenticate(make_organiser(event))
    here = f"/api/v1/tournaments/{event.slug}/paper/"
    assert client.put(here, {"on_paper": True}, format="json").json() == {"on_paper": True}
    gone = client.put(here, {"on_paper": True, "session": 1, "table": 99}, format="json")
    assert gone.json()["problems"][0]["code"] == "no_such_table"
