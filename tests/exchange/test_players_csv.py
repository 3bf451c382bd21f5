"""Lists of players: what a careful person would read out of them, and what they would ask about."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from tests.support.factories import make_tournament
from tournament.access import Actor
from tournament.errors import Refused
from tournament.exchange.capitals import soften_capitals
from tournament.exchange.players_check import check
from tournament.exchange.players_csv import read_list
from tournament.exchange.players_rows import Row, Said
from tournament.exchange.sheets import MOST_LINES
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant
from tournament.services.players import add_players

DATA = Path(__file__).parents[1] / "data"
CLEAN = (DATA / "players.csv").read_bytes()
MESSY = (DATA / "players-messy.csv").read_bytes()


@pytest.fixture
def empty(db: None) -> Tournament:
    return make_tournament(players=0)


def faults(rows: list[Row]) -> list[tuple[int, str, str]]:
    """(row of the file, column, what is wrong)."""
    return [(row.number, problem.where, problem.code) for row in rows for problem in row.problems]


def of(text: str, tournament: Tournament) -> list[Row]:
    return check(read_list(text.encode()), tournament)


def refusal(data: bytes) -> list[str]:
    with pytest.raises(Refused) as refused:
        read_list(data)
    return [problem.code for problem in refused.value.problems]


@pytest.mark.parametrize("heading", ["Club", "Verein", "Vereniging", "俱乐部", "所屬俱樂部", "KLUBB"])
def test_clubs_under_the_headings_people_write(heading: str, empty: Tournament) -> None:
    row = of(f"Name,{heading}\nAda,Hu Là\n", empty)[0]
    assert (row.entrant.last_name, row.entrant.club) == ("Ada", "Hu Là")


# --- the two samples ----------------------------------------------------------------------------------------
def test_a_clean_list_has_no_problem(empty: Tournament) -> None:
    rows = check(read_list(CLEAN), empty)
    assert faults(rows) == []
    assert len(rows) == 16
    assert rows[7].entrant == Entrant("VAN DEN BERG", "伟", "CHN", "21308441", "Team 2", 8)


def test_a_messy_list_shows_every_problem_by_row_and_column(empty: Tournament) -> None:
    assert faults(check(read_list(MESSY), empty)) == [
        (6, "last_name", "name_missing"),
        (7, "ema_number", "ema_number_lost_zero"),
        (8, "last_name", "row_repeated"),
        (9, "ema_number", "ema_number_not_digits"),
        (12, "last_name", "formula_cell"),
        (13, "country", "unknown_country"),
    ]


def test_a_messy_list_loses_nothing_of_what_is_right(empty: Tournament) -> None:
    rows = {row.number: row for row in check(read_list(MESSY), empty)}
    assert 5 not in rows, "a blank line is nobody"
    assert rows[2].entrant == Entrant("DUPONT", "Élodie", "FRA", "04000123", "Team 1")
    assert rows[3].entrant.last_name == "müller", "as it was written"
    assert rows[9].entrant.country == "DNK"
    assert rows[10].entrant.team == ""
    assert rows[11].entrant.last_name == "DE LA CRUZ; hijo"
    assert rows[7].name == "王伟"
    assert rows[13].name == "Quentin Nguyễn"


# --- how lists are written ----------------------------------------------------------------------------------
PEOPLE = "Nom,Prénom,Pays\r\nDUPONT,Élodie,Allemagne\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_encodings(encoding: str, empty: Tournament) -> None:
    row = check(read_list(PEOPLE.encode(encoding)), empty)[0]
    assert row.entrant == Entrant("DUPONT", "Élodie", "DEU")


def test_a_list_saved_by_excel_in_china(empty: Tournament) -> None:
    row = check(read_list("姓,名,国家\n张,伟,中国\n".encode("gb18030")), empty)[0]
    assert (row.name, row.entrant.country) == ("张伟", "CHN")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators(separator: str, empty: Tournament) -> None:
    row = of(PEOPLE.replace(",", separator), empty)[0]
    assert row.entrant == Entrant("DUPONT", "Élodie", "DEU")


def test_excel_says_its_separator_itself(empty: Tournament) -> None:
    row = of("sep=;\r\n" + PEOPLE.replace(",", ";"), empty)[0]
    assert (row.number, row.entrant.last_name) == (3, "DUPONT")


@pytest.mark.parametrize(
    "headings",
    [
        "Last name,First name,Country,EMA number,Team",
        "SURNAME,Given Name,Nation,EMA,Team name",
        "Nom,Prénom,Pays,N° EMA,Équipe",
        "Nachname,Vorname,Land,EMA-Nummer,Mannschaft",
        "Name,Vorname,Nation,EMA Nr.,Team",
        "姓,名,国家,EMA编号,队伍",
        "姓氏,名字,國家,EMA 編號,隊伍",
    ],
)
def test_headings_in_several_languages(headings: str) -> None:
    listed = read_list(f"{headings}\nDupont,Élodie,FRA,04000123,Team 1\n".encode())
    assert listed.columns == ("last_name", "first_name", "country", "ema_number", "team")


@pytest.mark.parametrize(
    "country", ["DEU", "de", "Germany", "Allemagne", "Deutschland", "德国", "德國", "GER"]
)
def test_countries_in_any_language(country: str, empty: Tournament) -> None:
    assert of(f"Name,Country\nAda,{country}\n", empty)[0].entrant.country == "DEU"


def test_a_list_without_headings_is_read_by_its_contents(empty: Tournament) -> None:
    rows = of("7,Dupont,Élodie,France,04000123\n9,Li,芳,China,\n", empty)
    assert rows[0].entrant == Entrant("Dupont", "Élodie", "FRA", "04000123", "", 7)
    assert (rows[1].number, rows[1].entrant.number) == (2, 9)


def test_columns_nobody_asked_for_are_left_unread() -> None:
    listed = read_list(b"Name,Lunch,Country\nAda,vegetarian,FRA\n")
    assert listed.columns == ("last_name", "", "country")


def test_an_excel_sheet(empty: Tournament) -> None:
    book = Workbook()
    for cells in (["Number", "Last name", "First name", "EMA"], [1.0, "Đặng", "Fatima", 17303081], []):
        book.active.append(cells)
    kept = io.BytesIO()
    book.save(kept)
    rows = check(read_list(kept.getvalue()), empty)
    assert [row.entrant for row in rows] == [Entrant("Đặng", "Fatima", "", "17303081", "", 1)]


def test_accents_in_two_pieces_are_put_together(empty: Tournament) -> None:
    assert of("Name,Team\nRene\u0301e,A\n", empty)[0].entrant.last_name == "Ren\u00e9e"


def test_a_dash_says_that_nothing_is_known(empty: Tournament) -> None:
    assert of("Name,EMA,Team\nAda,–,-\n", empty)[0].entrant == Entrant("Ada")


# --- what is no list ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("data", [b"%PDF-1.7\0\1\2", b"PK\x03\x04 torn", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"])
def test_a_file_that_is_no_list(data: bytes) -> None:
    assert refusal(data) == ["list_unreadable"]


@pytest.mark.parametrize("data", [b"", b"\n\n;;\n", b"Name;Country\n"])
def test_a_list_of_nobody(data: bytes) -> None:
    assert refusal(data) == ["list_empty"]


def test_a_list_without_end() -> None:
    assert refusal(b"Name,Team\n" + b"Ada,A\n" * MOST_LINES) == ["list_too_long"]


@given(st.binary(max_size=300))
def test_any_file_is_read_or_refused(data: bytes) -> None:
    try:
        listed = read_list(data)
    except Refused:
        return
    assert listed.lines


# --- what is wrong with a row -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("row", "where", "code"),
    [
        (",Ada,FRA,,A,", "last_name", "name_missing"),
        ("=1+1,Ada,FRA,,A,", "last_name", "formula_cell"),
        ("Dupont,@SUM(1),FRA,,A,", "first_name", "formula_cell"),
        ("Dupont,Ada,FRA,,+49 1,", "team", "formula_cell"),
        ("Dupont,Ada,Atlantis,,A,", "country", "unknown_country"),
        ("Dupont,Ada,FRA,0400012,A,", "ema_number", "ema_number_lost_zero"),
        ("Dupont,Ada,FRA,123,A,", "ema_number", "ema_number_length"),
        ("Dupont,Ada,FRA,04ABC123,A,", "ema_number", "ema_number_not_digits"),
        ("Dupont,Ada,FRA,,A,seven", "number", "number_not_whole"),
        ("Dupont,Ada,FRA,,A,0", "number", "number_out_of_range"),
        ("Dupont,Ada,FRA,,A,99999999999999999999", "number", "number_not_whole"),
        (f"{'D' * 81},Ada,FRA,,A,", "last_name", "text_too_long"),
    ],
)
def test_what_a_row_is_asked_about(row: str, where: str, code: str, empty: Tournament) -> None:
    rows = of(f"Last name,First name,Country,EMA,Team,Number\n{row}\n", empty)
    assert faults(rows) == [(2, where, code)]


def test_every_problem_of_a_row_at_once(empty: Tournament) -> None:
    rows = of("Last name,Country,EMA,Number\n,Atlantis,12,x\n", empty)
    assert {where for _row, where, _code in faults(rows)} == {"last_name", "country", "ema_number", "number"}


def test_the_same_number_twice(empty: Tournament) -> None:
    assert faults(of("Number,Name\n7,Ada\n7,Bo\n", empty)) == [(3, "number", "number_taken")]


def test_one_ema_number_for_two_people(empty: Tournament) -> None:
    assert faults(of("Name,EMA\nAda,04000123\nBo,04000123\n", empty)) == [
        (3, "ema_number", "ema_number_repeated")
    ]


def test_an_ema_number_of_somebody_else(empty: Tournament) -> None:
    add_players(empty, Actor.system("tests"), [Entrant("Dupont", "Ada", "FRA", "04000123")])
    assert faults(of("Name,EMA\nBo,04000123\n", empty)) == [(2, "ema_number", "ema_number_taken")]


def test_a_row_left_out_troubles_nobody(empty: Tournament) -> None:
    listed = read_list(MESSY)
    rows = check(listed, empty, Said(left_out=frozenset([2, 6, 7, 9, 12, 13])))
    assert faults(rows) == [], "with row 2 left out, row 8 repeats nobody"
    assert [row.number for row in rows if row.left_out] == [2, 6, 7, 9, 12, 13]


# --- mending ------------------------------------------------------------------------------------------------
def test_a_mended_cell(empty: Tournament) -> None:
    listed = read_list(MESSY).with_cell(7, "ema_number", " 04000124 ")
    row = next(row for row in check(listed, empty) if row.number == 7)
    assert (row.entrant.ema_number, row.problems) == ("04000124", ())


def test_a_cell_of_a_field_that_had_no_column(empty: Tournament) -> None:
    listed = read_list(b"Name,Team\nAda,A\nBo,B\n").with_cell(3, "country", "Danmark")
    assert [row.entrant.country for row in check(listed, empty)] == ["", "DNK"]


def test_a_list_needs_a_column_of_last_names() -> None:
    listed = read_list(b"Team,Country\nA,FRA\n")
    assert [problem.code for problem in listed.problems()] == ["no_name_column"]
    assert listed.with_columns(["last_name", "country"]).problems() == []


def test_two_columns_cannot_be_one_field() -> None:
    listed = read_list(b"Name,Lunch\nAda,vegetarian\n").with_columns(["last_name", "last_name"])
    assert [(problem.code, problem.where) for problem in listed.problems()] == [("column_twice", "column.1")]


# --- capitals -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("shouted", "written"),
    [
        ("DE LA CRUZ", "De la Cruz"),
        ("VAN DEN BERG", "Van den Berg"),
        ("O'NEILL", "O'Neill"),
        ("MÜLLER-LÜDENSCHEIDT", "Müller-Lüdenscheidt"),
        ("ĐẶNG", "Đặng"),
        ("ØSTERGAARD", "Østergaard"),
        ("McDonald", "McDonald"),
        ("张", "张"),
        ("DE LA CRUZ; hijo", "De la Cruz; hijo"),
    ],
)
def test_capitals_taken_back(shouted: str, written: str) -> None:
    assert soften_capitals(shouted) == written


def test_capitals_stay_unless_asked(empty: Tournament) -> None:
    listed = read_list(CLEAN)
    assert check(listed, empty)[4].entrant.last_name == "DE LA CRUZ"
    assert check(listed, empty, Said(soften=True))[4].entrant.last_name == "De la Cruz"
