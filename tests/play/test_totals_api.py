"""Totals from paper over REST."""

from typing import Any
from uuid import uuid4

from tests.support.factories import make_umpire
from tests.support.programs import ROOT, Program, client_of, codes_of
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament

PATH = "sessions/1/tables/1/totals/"


def body(*points: int | None, **more: Any) -> dict[str, Any]:
    seats = Table.objects.get(session__number=1, number=1).seats.order_by("id")
    numbers = seats.values_list("player__number", flat=True)
    figures = [{"player": player, "points": total} for player, total in zip(numbers, points, strict=False)]
    return {"uuid": str(uuid4()), "figures": figures} | more


def test_three_totals_are_a_table(umpire: Program, at: str, at_table: str) -> None:
    entered = umpire.post(at, body(30, -10, -20))
    assert entered.status_code == 201
    assert [line["points"] for line in entered.json()["totals"]["figures"]] == [30, -10, -20, 0]
    table = Program().get(at_table).json()
    assert (table["counts_totals"], table["on_paper"], table["is_in"]) == (True, True, True)
    assert table["hands_played"] == 0


def test_a_stale_write_is_told_what_changed(umpire: Program, at: str) -> None:
    umpire.post(at, body(30, -10, -20, table_version=0))
    stale = umpire.put(at, body(20, 0, -20, table_version=0, reason="Misread"))
    assert (stale.status_code, stale.json()["changes"][0]["action"]) == (409, "table_totals_entered")
    corrected = umpire.put(at, body(20, 0, -20, table_version=1, reason="Misread"))
    assert corrected.json()["totals"]["version"] == 2
    assert len(umpire.get(at).json()["versions"]) == 2


def test_a_second_reading_is_settled_and_totals_are_set_aside(
    umpire: Program, at: str, event: Tournament
) -> None:
    umpire.post(at, body(30, -10, -20))
    second_reader = client_of(make_umpire(event, "una"))
    assert second_reader.post(at + "second/", body(31, -10, -20)).json() == {"settled": None}
    assert umpire.get(at).json()["differs"] is True
    choice = {"uuid": str(uuid4()), "choice": "typed", "totals": body(32, -10, -20)}
    totals = umpire.put(at + "second/", choice).json()["totals"]
    assert totals["figures"][0]["points"] == 32
    assert umpire.delete(at, {"reason": "The wrong table"}).status_code == 200
    assert umpire.get(at).json()["totals"] is None


def test_the_organiser_says_what_is_on_paper(organiser: Program, event: Tournament) -> None:
    paper = f"{ROOT}{event.slug}/paper/"
    assert organiser.put(paper, {"on_paper": True}).json() == {"on_paper": True}
    assert codes_of(organiser.put(paper, {"on_paper": True, "session": 1, "table": 99})) == ["no_such_table"]
