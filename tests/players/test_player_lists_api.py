"""Lists of players by REST: looked at, then entered with the differences that were chosen."""

from base64 import b64encode
from typing import Any

import pytest

from tests.support.factories import SYSTEM, make_tournament
from tests.support.programs import Program, codes_of
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players
from tournament.web.exports.sheets import players_sheet

PATH = "players/list/"

LIST = "Open 2026\n\nSurname;First name;Country;EMA;Team\nDupont;Ada;FRA;04000123;Blue\nNowak;Kasia;POL;;\n"
UPDATE = "number,last name,first name,country,EMA number,team\n1,Dupont,Ada,BEL,04000123,\n"


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=0)
    add_players(event, SYSTEM, [Entrant("Dupont", "Ada", "BEL", "04000123", "Red"), Entrant("Lee", "Bo")])
    return event


def differences(organiser_client: Program, base_url: str, **body: Any) -> Any:
    """Of the first row."""
    return organiser_client.post(base_url + "preview/", body).json()["rows"][0]["differences"]


def test_a_list_is_looked_at_and_nothing_is_stored(
    organiser_client: Program, base_url: str, event: Tournament
) -> None:
    seen = organiser_client.post(base_url + "preview/", {"text": LIST}).json()
    counts = {"heading": 3, "known": 1, "new": 1, "changed": 1, "missing": [2], "problems": []}
    assert {name: seen[name] for name in counts} == counts
    assert [(row["row"], row["player"]) for row in seen["rows"]] == [(4, 1), (5, None)]
    changes = seen["rows"][0]["differences"]
    assert [(change["field"], change["before"], change["after"]) for change in changes] == [
        ("country", "BEL", "FRA"),
        ("team", "Red", "Blue"),
    ]
    assert event.players.count() == 2


def test_only_chosen_differences_are_taken(
    organiser_client: Program, base_url: str, event: Tournament
) -> None:
    """Without a choice nobody known is changed; a difference that is none by now is refused."""
    key = differences(organiser_client, base_url, text=LIST)[1]["key"]
    event.players.filter(number=1).update(team="Green")
    answer = organiser_client.post(base_url, {"text": LIST, "take": [key]})
    problems = [(problem["code"], problem["where"]) for problem in answer.json()["problems"]]
    assert (answer.status_code, problems) == (422, [("difference_gone", "take")])
    assert event.players.count() == 2
    event.players.filter(number=1).update(team="Red")
    _country, team = differences(organiser_client, base_url, text=LIST)
    answer = organiser_client.post(base_url, {"text": LIST, "take": [team["key"]]})
    assert answer.status_code == 201
    assert [player["name"] for player in answer.json()["new"]] == ["Kasia Nowak"]
    (ada,) = answer.json()["changed"]
    assert (ada["country"], ada["team"]) == ("BEL", "Blue")
    unchosen = organiser_client.post(base_url, {"text": LIST.replace("Nowak;Kasia", "Lima;Ana")}).json()
    assert (len(unchosen["new"]), unchosen["changed"]) == (1, [])
    assert event.players.get(number=1).country == "BEL"


@pytest.mark.thorough
def test_a_file_comes_in_base64(organiser_client: Program, base_url: str, event: Tournament) -> None:
    file = b64encode(players_sheet(event.players.all())).decode()
    seen = organiser_client.post(base_url + "preview/", {"file": file, "sheet": "players"}).json()
    assert (seen["sheet"], seen["known"], seen["new"], seen["changed"]) == ("players", 2, 0, 0)
    assert codes_of(organiser_client.post(base_url + "preview/", {"file": file, "sheet": "Cover"})) == [
        "sheet_unknown"
    ]
    assert organiser_client.post(base_url + "preview/", {"file": "no*"}).status_code == 400


def test_everything_a_page_can_say_of_a_list(organiser_client: Program, base_url: str) -> None:
    body: dict[str, Any] = {
        "text": "Wer;Nr\nVAN DAM Jan;6000123\nVAN DAM Jan;\nBERG Cai;x\nTotal 3;\n",
        "columns": ["last_name", "ema_number"],
        "heading": 1,
        "split": "capitals",
        "soften": True,
        "zeros": True,
        "apart": [3],
        "cells": [{"row": 4, "field": "ema_number", "text": ""}],
        "leave": [5],
    }
    players = organiser_client.post(base_url, body).json()["new"]
    assert [(player["last_name"], player["first_name"], player["ema_number"]) for player in players] == [
        ("Van Dam", "Jan", "06000123"),
        ("Van Dam", "Jan", ""),
        ("Berg", "Cai", ""),
    ]


def test_an_update_does_only_what_is_named(
    organiser_client: Program, base_url: str, event: Tournament
) -> None:
    """It is taken back."""
    update = {"text": UPDATE, "updates": True}
    seen = organiser_client.post(base_url + "preview/", update).json()
    (emptied,), (absent,) = seen["rows"][0]["differences"], seen["absent"]
    assert (emptied["before"], emptied["after"], absent["player"]) == ("Red", "", 2)
    assert organiser_client.post(base_url, update).status_code == 201
    assert event.log.count() == 2
    done = organiser_client.post(base_url, update | {"take": [emptied["key"], absent["key"]]}).json()
    assert [player["number"] for player in done["changed"]] == [1]
    assert [player["number"] for player in done["left"]] == [2]
    undo = organiser_client.get(base_url + "undo/").json()
    person = next(person for person in undo["people"] if person["player"] == 1)
    assert (person["before"], person["problem"]) == ({"team": "Red"}, None)
    assert organiser_client.post(base_url + "undo/", {"step": undo["step"]}).status_code == 204
    assert event.players.get(number=1).team == "Red"
    assert organiser_client.get(base_url + "undo/").json()["step"] is None
