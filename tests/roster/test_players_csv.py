"""Lists of players and plans of seats: what a careful person reads out of them, what they ask about; and by REST."""

from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, list_file, make_tournament
from tests.support.player_lists import bytes_of
from tests.support.programs import Program, codes_of
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.players.exports.lists import PLAYER_LIST
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players
from tournament.roster.exports.list_import import check
from tournament.roster.exports.matching import Row, RowAnswers
from tournament.seating.exports import read_plan, write_plan
from tournament.seating.selectors.draws import stored_plan
from tournament.web.exports.people_lists import read_people
from tournament.web.exports.sheets import MAX_LINES
from tournament.web.exports.whole_names import soften_capitals

DATA = Path(__file__).parents[1] / "data"
CLEAN = (DATA / "players.csv").read_bytes()
MESSY = (DATA / "players-messy.csv").read_bytes()
ELODIE = Entrant("DUPONT", "Élodie", "DEU")
PEOPLE = "Nom,Prénom,Pays\r\nDUPONT,Élodie,Allemagne\r\n"

PATH = "players/list/"

LIST = "Open 2026\n\nSurname;First name;Country;EMA;Team\nDupont;Ada;FRA;04000123;Blue\nNowak;Kasia;POL;;\n"
UPDATE = "number,last name,first name,country,EMA number,team\n1,Dupont,Ada,BEL,04000123,\n"


def faults(rows: list[Row]) -> list[tuple[int, str, str]]:
    """(row of the file, column, what is wrong)."""
    return [(row.number, problem.where, problem.code) for row in rows for problem in row.problems]


def rows_of(text: str | bytes, tournament: Tournament) -> list[Row]:
    return check(read_people(text.encode() if isinstance(text, str) else text), tournament)


def entrants(text: str | bytes, tournament: Tournament) -> list[Entrant]:
    return [row.entrant for row in rows_of(text, tournament)]


# --- the two samples ----------------------------------------------------------------------------------------
def test_a_clean_list_has_no_problem(empty_event: Tournament) -> None:
    rows = rows_of(CLEAN, empty_event)
    assert (len(rows), faults(rows)) == (16, [])
    assert rows[7].entrant == Entrant("VAN DEN BERG", "伟", "CHN", "21308441", "Team 2", 8)


def test_a_messy_list_has_every_problem_and_keeps_valid_values(empty_event: Tournament) -> None:
    player_list = rows_of(MESSY, empty_event)
    assert faults(player_list) == [
        (6, "last_name", "name_missing"),
        (7, "ema_number", "ema_number_lost_zero"),
        (8, "last_name", "row_repeated"),
        (9, "ema_number", "ema_number_not_digits"),
        (12, "last_name", "formula_cell"),
        (13, "country", "unknown_country"),
    ]
    rows = {row.number: row for row in player_list}
    assert 5 not in rows, "a blank line is nobody"
    assert rows[2].entrant == Entrant("DUPONT", "Élodie", "FRA", "04000123", "Team 1")
    assert rows[3].entrant.last_name == "müller", "as it was written"
    assert (rows[9].entrant.country, rows[10].entrant.team) == ("DNK", "")
    assert rows[11].entrant.last_name == "DE LA CRUZ; hijo"
    assert (rows[7].name, rows[13].name) == ("王伟", "Quentin Nguyễn")
    # A row left out troubles nobody.
    left_out = [2, 6, 7, 9, 12, 13]
    without = check(read_people(MESSY), empty_event, RowAnswers(left_out=frozenset(left_out)))
    assert faults(without) == [], "with row 2 left out, row 8 repeats nobody"
    assert [row.number for row in without if row.left_out] == left_out


# --- how lists are written ----------------------------------------------------------------------------------
def test_any_encoding_and_separator_is_read(empty_event: Tournament) -> None:
    encodings = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252")
    written = {encoding: PEOPLE.encode(encoding) for encoding in encodings}
    written |= {separator: PEOPLE.replace(",", separator).encode() for separator in (",", ";", "\t", "|")}
    assert [way for way, data in written.items() if entrants(data, empty_event)[0] != ELODIE] == []


def test_lists_saved_by_excel(empty_event: Tournament) -> None:
    (chinese,) = rows_of("姓,名,国家\n张,伟,中国\n".encode("gb18030"), empty_event)
    assert (chinese.name, chinese.entrant.country) == ("张伟", "CHN")
    (row,) = rows_of("sep=;\r\n" + PEOPLE.replace(",", ";"), empty_event)
    assert (row.number, row.entrant) == (3, ELODIE)
    book = Workbook()
    for cells in (["Number", "Last name", "First name", "EMA"], [1.0, "Đặng", "Fatima", 17303081], []):
        book.active.append(cells)
    assert entrants(bytes_of(book), empty_event) == [Entrant("Đặng", "Fatima", "", "17303081", "", 1)]


def test_headings_and_countries_in_several_languages(empty_event: Tournament) -> None:
    headings = (
        "Last name,First name,Country,EMA number,Team",
        "SURNAME,Given Name,Nation,EMA,Team name",
        "Nom,Prénom,Pays,N° EMA,Équipe",
        "Nachname,Vorname,Land,EMA-Nummer,Mannschaft",
        "Name,Vorname,Nation,EMA Nr.,Team",
        "姓,名,国家,EMA编号,队伍",
        "姓氏,名字,國家,EMA 編號,隊伍",
    )
    columns = ("last_name", "first_name", "country", "ema_number", "team")
    row = "Dupont,Élodie,FRA,04000123,Team 1"
    assert [line for line in headings if read_people(f"{line}\n{row}\n".encode()).columns != columns] == []
    for heading in ("Club", "Verein", "Vereniging", "俱乐部", "所屬俱樂部", "KLUBB"):
        assert entrants(f"Name,{heading}\nAda,Hu Là\n", empty_event) == [Entrant("Ada", club="Hu Là")], (
            heading
        )
    for country in ("DEU", "de", "Germany", "Allemagne", "Deutschland", "德国", "德國", "GER"):
        assert entrants(f"Name,Country\nAda,{country}\n", empty_event) == [Entrant("Ada", country="DEU")], (
            country
        )
    # A list without headings is read by its contents.
    rows = rows_of("7,Dupont,Élodie,France,04000123\n9,Li,芳,China,\n", empty_event)
    assert rows[0].entrant == Entrant("Dupont", "Élodie", "FRA", "04000123", "", 7)
    assert (rows[1].number, rows[1].entrant.number) == (2, 9)


def test_unknown_columns_and_dashes_are_empty(empty_event: Tournament) -> None:
    """A column nobody asked for, and a dash; accents in two pieces are put together."""
    assert read_people(b"Name,Lunch,Country\nAda,vegetarian,FRA\n").columns == ("last_name", "", "country")
    assert entrants("Name,EMA,Team\nAda,–,-\n", empty_event) == [Entrant("Ada")]
    assert entrants("Name,Team\nRene\u0301e,A\n", empty_event)[0].last_name == "Ren\u00e9e"


# --- what is no list ----------------------------------------------------------------------------------------
def test_an_invalid_list_is_refused() -> None:
    refusals = {
        b"%PDF-1.7\0\1\2": "list_unreadable",
        b"PK\x03\x04 torn": "list_unreadable",
        b"": "list_empty",
        b"\n\n;;\n": "list_empty",
        b"Name;Country\n": "list_empty",
        b"Name,Team\n" + b"Ada,A\n" * MAX_LINES: "list_too_long",
    }
    assert {data: refused_codes(read_people, data) for data in refusals} == {
        data: [code] for data, code in refusals.items()
    }


@given(st.binary(max_size=300))
def test_any_file_is_read_or_refused(data: bytes) -> None:
    try:
        player_list = read_people(data)
    except Refused:
        return
    assert player_list.lines


# --- what is wrong with a row -------------------------------------------------------------------------------
def test_questions_of_a_row(empty_event: Tournament) -> None:
    expected = {
        ",Ada,FRA,,A,": ("last_name", "name_missing"),
        "=1+1,Ada,FRA,,A,": ("last_name", "formula_cell"),
        "Dupont,@SUM(1),FRA,,A,": ("first_name", "formula_cell"),
        "Dupont,Ada,FRA,,+49 1,": ("team", "formula_cell"),
        "Dupont,Ada,Atlantis,,A,": ("country", "unknown_country"),
        "Dupont,Ada,FRA,0400012,A,": ("ema_number", "ema_number_lost_zero"),
        "Dupont,Ada,FRA,123,A,": ("ema_number", "ema_number_length"),
        "Dupont,Ada,FRA,04ABC123,A,": ("ema_number", "ema_number_not_digits"),
        "Dupont,Ada,FRA,,A,seven": ("number", "number_not_whole"),
        "Dupont,Ada,FRA,,A,0": ("number", "number_out_of_range"),
        "Dupont,Ada,FRA,,A,99999999999999999999": ("number", "number_not_whole"),
        f"{'D' * 81},Ada,FRA,,A,": ("last_name", "text_too_long"),
    }
    head = "Last name,First name,Country,EMA,Team,Number\n"
    problems_by_row = {row: faults(rows_of(f"{head}{row}\n", empty_event)) for row in expected}
    assert problems_by_row == {row: [(2, *fault)] for row, fault in expected.items()}
    rows = rows_of("Last name,Country,EMA,Number\n,Atlantis,12,x\n", empty_event)
    assert {where for _row, where, _code in faults(rows)} == {"last_name", "country", "ema_number", "number"}


def test_a_number_belongs_to_one_person(empty_event: Tournament) -> None:
    assert faults(rows_of("Number,Name\n7,Ada\n7,Bo\n", empty_event)) == [(3, "number", "number_taken")]
    twice = rows_of("Name,EMA\nAda,04000123\nBo,04000123\n", empty_event)
    assert faults(twice) == [(3, "ema_number", "ema_number_repeated")]
    add_players(empty_event, SYSTEM, [Entrant("Dupont", "Ada", "FRA", "04000123")])
    taken = rows_of("Name,EMA\nBo,04000123\n", empty_event)
    assert faults(taken) == [(2, "ema_number", "ema_number_taken")]


# --- mending ------------------------------------------------------------------------------------------------
def test_a_corrected_cell(empty_event: Tournament) -> None:
    player_list = replace(read_people(MESSY), mended={(7, "ema_number"): "04000124"})
    row = next(row for row in check(player_list, empty_event) if row.number == 7)
    assert (row.entrant.ema_number, row.problems) == ("04000124", ())
    without_column = replace(read_people(b"Name,Team\nAda,A\nBo,B\n"), mended={(3, "country"): "Danmark"})
    assert [row.entrant.country for row in check(without_column, empty_event)] == ["", "DNK"]
    # A list has one column of last names.
    player_list = read_people(b"Team,Country\nA,FRA\n")
    assert [problem.code for problem in player_list.problems()] == ["no_name_column"]
    assert player_list.with_columns(["last_name", "country"]).problems() == []
    twice = read_people(b"Name,Lunch\nAda,vegetarian\n").with_columns(["last_name", "last_name"])
    assert [(problem.code, problem.where) for problem in twice.problems()] == [("column_twice", "column.1")]


# --- capitals -----------------------------------------------------------------------------------------------
def test_capitals_are_softened_on_request(empty_event: Tournament) -> None:
    softened = {
        "DE LA CRUZ": "De la Cruz",
        "O'NEILL": "O'Neill",
        "MÜLLER-LÜDENSCHEIDT": "Müller-Lüdenscheidt",
        "ĐẶNG": "Đặng",
        "McDonald": "McDonald",
        "张": "张",
        "DE LA CRUZ; hijo": "De la Cruz; hijo",
    }
    assert {name: soften_capitals(name) for name in softened} == softened
    player_list = read_people(CLEAN)
    assert check(player_list, empty_event)[4].entrant.last_name == "DE LA CRUZ"
    assert check(player_list, empty_event, RowAnswers(soften=True))[4].entrant.last_name == "De la Cruz"


@pytest.fixture
def people() -> list[Player]:
    return list(make_tournament(players=8, sessions=2).players.all())


def problems(text: str, people: list[Player]) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in read_plan(text.encode(), people).problems]


def test_an_exported_plan_is_read_again_and_may_name_players(people: list[Player]) -> None:
    plan = stored_plan(people[0].tournament)
    assert read_plan(write_plan(plan).encode(), people).tables() == {1: plan[0], 2: plan[1]}
    text = "Session;Tisch;Ost;Süd;West;Nord\n1;2;Mātīss Bērziņš;张静;björn lindqvist;4\n1;1;5;6;7;8\n"
    named = read_plan(text.encode(), people)
    assert not named.problems
    assert named.tables()[1][1] == {"E": 1, "S": 2, "W": 3, "N": 4}


def test_all_problems_have_their_line(people: list[Player]) -> None:
    text = "session,table,E,S,W,N\n1,1,1,2,3,4\n1,2,5,6,7,1\n1,2,8,99,nobody,5\n2,x,1,2,3,4\n2,1,1,2\n"
    assert sorted(problems(text, people)) == [
        ("line 3", "seated_twice_in"),
        ("line 4", "plan_name_unknown"),
        ("line 4", "plan_table_twice"),
        ("line 4", "seated_twice_in"),
        ("line 4", "unknown_player"),
        ("line 5", "plan_not_number"),
        ("line 6", "plan_line_short"),
    ]


def test_missing_tables_and_ambiguous_names_are_reported(people: list[Player]) -> None:
    left_out = read_plan(b"1,1,1,2,3,4\n1,3,5,6,7,8\n2,1,1,2,3,4\n", people).problems
    assert [(problem.code, problem.params.get("table")) for problem in left_out] == [
        ("plan_table_missing", 2)
    ]
    people[1].last_name, people[1].first_name = people[0].last_name, people[0].first_name
    assert ("line 1", "plan_name_shared") in problems("1,1,Mātīss Bērziņš,2,3,4\n", people)


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=0)
    add_players(event, SYSTEM, [Entrant("Dupont", "Ada", "BEL", "04000123", "Red"), Entrant("Lee", "Bo")])
    return event


def differences(organiser_client: Program, base_url: str, **body: Any) -> Any:
    """Of the first row."""
    return organiser_client.post(base_url + "preview/", body).json()["rows"][0]["differences"]


def test_a_preview_stores_nothing(organiser_client: Program, base_url: str, event: Tournament) -> None:
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


def test_only_chosen_differences_are_applied(
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
    file = b64encode(list_file(PLAYER_LIST, event)).decode()
    seen = organiser_client.post(base_url + "preview/", {"file": file, "sheet": "players"}).json()
    assert (seen["sheet"], seen["known"], seen["new"], seen["changed"]) == ("players", 2, 0, 0)
    assert codes_of(organiser_client.post(base_url + "preview/", {"file": file, "sheet": "Cover"})) == [
        "sheet_unknown"
    ]
    assert organiser_client.post(base_url + "preview/", {"file": "no*"}).status_code == 400


def test_the_api_takes_all_choices_of_the_page(organiser_client: Program, base_url: str) -> None:
    body: dict[str, Any] = {
        "text": "Wer;Nr\nVAN DAM Jan;6000123\nVAN DAM Jan;\nBERG Cai;x\nTotal 3;\n",
        "columns": ["last_name", "ema_number"],
        "heading": 1,
        "split": "last_first",
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


def test_an_update_applies_only_the_named_differences(
    organiser_client: Program, base_url: str, event: Tournament
) -> None:
    """Undone."""
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
