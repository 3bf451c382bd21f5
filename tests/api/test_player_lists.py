"""Lists of players by REST: looked at, then entered with the differences that were chosen."""

from base64 import b64encode
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of
from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire
from tournament.exchange.spreadsheets import players_sheet
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant
from tournament.services.players import add_players

pytestmark = pytest.mark.django_db
LIST = "Open 2026\n\nSurname;First name;Country;EMA;Team\nDupont;Ada;FRA;04000123;Blue\nNowak;Kasia;POL;;\n"


@pytest.fixture
def entered() -> Tournament:
    event = make_tournament(players=0)
    add_players(event, SYSTEM, [Entrant("Dupont", "Ada", "BEL", "04000123", "Red"), Entrant("Lee", "Bo")])
    return event


@pytest.fixture
def organiser(entered: Tournament) -> APIClient:
    return client_of(make_organiser(entered))


def post(client: APIClient, event: Tournament, step: str = "", **body: Any) -> Any:
    return client.post(f"{ROOT}{event.slug}/players/list/{step}", body, format="json")


def test_a_list_is_looked_at_and_nothing_is_stored(organiser: APIClient, entered: Tournament) -> None:
    seen = post(organiser, entered, "preview/", text=LIST).json()
    assert {name: seen[name] for name in ("heading", "known", "new", "changed", "missing", "problems")} == {
        "heading": 3, "known": 1, "new": 1, "changed": 1, "missing": [2], "problems": [],
    }  # fmt: skip
    assert [(row["row"], row["player"]) for row in seen["rows"]] == [(4, 1), (5, None)]
    assert [(one["field"], one["before"], one["after"]) for one in seen["rows"][0]["differences"]] == [
        ("country", "BEL", "FRA"),
        ("team", "Red", "Blue"),
    ]
    assert entered.players.count() == 2


def test_only_chosen_differences_are_taken(organiser: APIClient, entered: Tournament) -> None:
    differences = post(organiser, entered, "preview/", text=LIST).json()["rows"][0]["differences"]
    answer = post(organiser, entered, text=LIST, take=[differences[1]["key"]])
    assert answer.status_code == 201
    assert [player["name"] for player in answer.json()["new"]] == ["Kasia Nowak"]
    (ada,) = answer.json()["changed"]
    assert (ada["country"], ada["team"]) == ("BEL", "Blue")


def test_without_a_choice_nobody_known_is_changed(organiser: APIClient, entered: Tournament) -> None:
    answer = post(organiser, entered, text=LIST)
    assert (len(answer.json()["new"]), answer.json()["changed"]) == (1, [])
    assert entered.players.get(number=1).team == "Red"


def test_a_difference_that_is_none_by_now_is_refused(organiser: APIClient, entered: Tournament) -> None:
    key = post(organiser, entered, "preview/", text=LIST).json()["rows"][0]["differences"][1]["key"]
    entered.players.filter(number=1).update(team="Green")
    answer = post(organiser, entered, text=LIST, take=[key])
    assert answer.status_code == 422
    assert [(one["code"], one["where"]) for one in answer.json()["problems"]] == [("difference_gone", "take")]
    assert entered.players.count() == 2


def test_a_file_comes_in_base64(organiser: APIClient, entered: Tournament) -> None:
    file = b64encode(players_sheet(entered.players.all())).decode()
    seen = post(organiser, entered, "preview/", file=file, sheet="players").json()
    assert (seen["sheet"], seen["known"], seen["new"], seen["changed"]) == ("players", 2, 0, 0)
    assert (
        post(organiser, entered, "preview/", file=file, sheet="Cover").json()["problems"][0]["code"]
        == "sheet_unknown"
    )
    assert post(organiser, entered, "preview/", file="no*").status_code == 400


def test_everything_a_page_can_say_of_a_list(organiser: APIClient, entered: Tournament) -> None:
    text = "Wer;Nr\nVAN DAM Jan;6000123\nVAN DAM Jan;\nBERG Cai;x\nTotal 3;\n"
    said: dict[str, Any] = {
        "columns": ["last_name", "ema_number"],
        "heading": 1,
        "split": "capitals",
        "soften": True,
        "zeros": True,
        "apart": [3],
        "cells": [{"row": 4, "field": "ema_number", "text": ""}],
        "leave": [5],
    }
    answer = post(organiser, entered, text=text, **said)
    people = [(one["last_name"], one["first_name"], one["ema_number"]) for one in answer.json()["new"]]
    assert people == [("Van Dam", "Jan", "06000123"), ("Van Dam", "Jan", ""), ("Berg", "Cai", "")]


def test_every_problem_by_row_and_field(organiser: APIClient, entered: Tournament) -> None:
    text = "Surname;First name;EMA\n;Ada;1\nJansen;Jan;\nJansen;Jan;\n"
    answer = post(organiser, entered, text=text)
    assert answer.status_code == 422
    assert [(one["where"], one["code"]) for one in answer.json()["problems"]] == [
        ("2.last_name", "name_missing"),
        ("2.ema_number", "ema_number_length"),
        ("4.last_name", "namesake"),
    ]


@pytest.mark.parametrize("step", ["", "preview/"])
def test_only_for_organisers(step: str, entered: Tournament) -> None:
    assert post(client_of(make_umpire(entered)), entered, step, text=LIST).status_code == 403


UPDATE = "number,last name,first name,country,EMA number,team\n1,Dupont,Ada,BEL,04000123,\n"


def test_an_update_empties_and_withdraws_only_what_is_named(
    organiser: APIClient, entered: Tournament
) -> None:
    seen = post(organiser, entered, "preview/", text=UPDATE, updates=True).json()
    (emptied,), (absent,) = seen["rows"][0]["differences"], seen["absent"]
    assert (emptied["before"], emptied["after"], absent["player"]) == ("Red", "", 2)
    assert post(organiser, entered, text=UPDATE, updates=True).status_code == 201
    assert entered.log.count() == 2
    done = post(organiser, entered, text=UPDATE, updates=True, take=[emptied["key"], absent["key"]]).json()
    assert ([one["number"] for one in done["changed"]], [one["number"] for one in done["left"]]) == ([1], [2])


def test_an_update_is_taken_back(organiser: APIClient, entered: Tournament) -> None:
    seen = post(organiser, entered, "preview/", text=UPDATE, updates=True).json()
    post(organiser, entered, text=UPDATE, updates=True, take=[seen["rows"][0]["differences"][0]["key"]])
    step = organiser.get(f"{ROOT}{entered.slug}/players/list/undo/").json()
    assert [(one["player"], one["before"], one["problem"]) for one in step["people"]] == [
        (1, {"team": "Red"}, None)
    ]
    url = f"{ROOT}{entered.slug}/players/list/undo/"
    assert organiser.post(url, {"step": step["step"]}, format="json").status_code == 204
    assert entered.players.get(number=1).team == "Red"
    assert organiser.get(f"{ROOT}{entered.slug}/players/list/undo/").json()["step"] is None
