"""Totals from paper over REST."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import make_umpire
from tests.support.programs import ROOT, Program, client_of, codes_of
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament

PATH = "sessions/1/tables/1/totals/"


@pytest.fixture
def event(running_event: Tournament) -> Tournament:
    return running_event


def body(*points: int | None, **more: Any) -> dict[str, Any]:
    seats = Table.objects.get(session__number=1, number=1).seats.order_by("id")
    numbers = seats.values_list("player__number", flat=True)
    figures = [{"player": player, "points": total} for player, total in zip(numbers, points, strict=False)]
    return {"uuid": str(uuid4()), "figures": figures} | more


def test_three_totals_are_a_table(umpire_client: Program, base_url: str, table_url: str) -> None:
    entered = umpire_client.post(base_url, body(30, -10, -20))
    assert entered.status_code == 201
    assert [line["points"] for line in entered.json()["totals"]["figures"]] == [30, -10, -20, 0]
    table = Program().get(table_url).json()
    assert (table["counts_totals"], table["on_paper"], table["is_in"]) == (True, True, True)
    assert table["hands_played"] == 0


def test_a_stale_write_is_told_what_changed(umpire_client: Program, base_url: str) -> None:
    umpire_client.post(base_url, body(30, -10, -20, table_version=0))
    stale = umpire_client.put(base_url, body(20, 0, -20, table_version=0, reason="Misread"))
    assert (stale.status_code, stale.json()["changes"][0]["action"]) == (409, "table_totals_entered")
    corrected = umpire_client.put(base_url, body(20, 0, -20, table_version=1, reason="Misread"))
    assert corrected.json()["totals"]["version"] == 2
    assert len(umpire_client.get(base_url).json()["versions"]) == 2


def test_a_second_reading_is_settled_and_totals_are_set_aside(
    umpire_client: Program, base_url: str, event: Tournament
) -> None:
    umpire_client.post(base_url, body(30, -10, -20))
    second_reader = client_of(make_umpire(event, "una"))
    assert second_reader.post(base_url + "second/", body(31, -10, -20)).json() == {"settled": None}
    assert umpire_client.get(base_url).json()["differs"] is True
    choice = {"uuid": str(uuid4()), "choice": "typed", "totals": body(32, -10, -20)}
    totals = umpire_client.put(base_url + "second/", choice).json()["totals"]
    assert totals["figures"][0]["points"] == 32
    assert umpire_client.delete(base_url, {"reason": "The wrong table"}).status_code == 200
    assert umpire_client.get(base_url).json()["totals"] is None


def test_the_organiser_says_what_is_on_paper(organiser_client: Program, event: Tournament) -> None:
    paper = f"{ROOT}{event.slug}/paper/"
    assert organiser_client.put(paper, {"on_paper": True}).json() == {"on_paper": True}
    assert codes_of(organiser_client.put(paper, {"on_paper": True, "session": 1, "table": 99})) == [
        "no_such_table"
    ]
