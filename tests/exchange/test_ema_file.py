"""The results file for the EMA, read back as it would be there."""

import csv
import io
from datetime import date, datetime
from typing import Any

import pytest
from django.utils.translation import override
from openpyxl import load_workbook

from tests.support.factories import SYSTEM, WEEKEND, evening, make_tournament
from tournament.engine.ema_columns import DEFAULT, FIELDS, Column
from tournament.exchange import ema_file
from tournament.models import Tournament
from tournament.selectors.ema_results import ema_results
from tournament.selectors.event_page import EventWords
from tournament.services.ema_columns import set_ema_columns
from tournament.services.event_page import set_event_page
from tournament.services.players import withdraw_player


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=8, sessions=1, played=1, days=WEEKEND)
    set_event_page(event, SYSTEM, EventWords(country="FRA", mers="ranked"))
    return event


def lines(event: Tournament) -> list[dict[str, Any]]:
    """Each as heading → value."""
    content = ema_file.workbook(ema_results(Tournament.objects.get(pk=event.pk)))
    (sheet,) = load_workbook(io.BytesIO(content)).worksheets
    headings, *rows = sheet.values
    return [dict(zip(headings, row, strict=True)) for row in rows]


def column(event: Tournament, field: str) -> dict[int, Any]:
    """Player → value of the field."""
    set_ema_columns(event, SYSTEM, [Column("No.", "number"), Column("X", field)])
    return {line["No."]: line["X"] for line in lines(event)}


def csv_text(event: Tournament) -> str:
    return ema_file.csv_file(ema_results(event)).decode("utf-8-sig")


def test_has_the_usual_columns_with_the_event_in_every_line(event: Tournament) -> None:
    """Numbers as numbers, a day as a day, an EMA number as a text; the same as CSV and to the byte when made again."""
    event.players.update(ema_number="04000123")
    rows = lines(event)
    assert list(rows[0]) == [column.heading for column in DEFAULT]
    names = ("Number of participants", "Country court", "Rules", "Period", "NbDays")
    of_event = {tuple(row[name] for name in names) for row in rows}
    assert of_event == {(8, "FRA", "Chinese official", "14-15 Nov 2026", 2)}
    first = rows[0]
    assert (first["EMA number"], first["Date"]) == ("04000123", datetime(2026, 11, 15))
    assert {type(first[name]) for name in ("Place", "Score", "Number of participants")} == {int}
    assert type(first["Table points"]) in (int, float)
    in_csv = list(csv.DictReader(io.StringIO(csv_text(event))))
    assert [row["Place"] for row in in_csv] == [str(row["Place"]) for row in rows]
    assert in_csv[0]["Date"] == date(2026, 11, 15).isoformat()
    assert ema_file.workbook(ema_results(event)) == ema_file.workbook(ema_results(event))


def test_has_no_formulas_not_even_where_a_name_begins_as_one(event: Tournament) -> None:
    event.players.update(last_name='=HYPERLINK("x")')
    set_ema_columns(event, SYSTEM, [Column("=1+1", "last_name"), Column("B", "text", "=2+2")])
    (sheet,) = load_workbook(io.BytesIO(ema_file.workbook(ema_results(event)))).worksheets
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} == {"s"}
    event.players.update(last_name="=1+1")
    set_ema_columns(event, SYSTEM, [Column("+A", "last_name")])
    assert set(csv_text(event).split()) == {"'+A", "'=1+1"}


@pytest.mark.thorough
def test_has_the_places_of_the_evening() -> None:
    places = [line["Place"] for line in lines(evening())]
    assert (len(places), places) == (16, sorted(places))


def test_says_who_is_a_member_who_withdrew_and_from_where(event: Tournament) -> None:
    """Substitutes are left out, names are in capitals with their accents, countries in English whoever reads."""
    players = event.players.filter
    players(number=1).update(ema_number="04000123", last_name="Bērziņš")
    players(number=2).update(ema_number="123")
    players(number=5).update(is_substitute=True)
    withdraw_player(event.players.get(number=4), SYSTEM)
    members = column(event, "ema_member")
    assert sorted(members) == [1, 2, 3, 4, 6, 7, 8]
    assert [members[number] for number in (1, 2, 3)] == ["YES", "NO", "NO"]
    assert column(event, "remark")[4] == "withdrawn"
    assert column(event, "last_name_capitals")[1] == "BĒRZIŅŠ"
    with override("zh-hans"):
        assert column(event, "country_name")[2] == "China"


def test_can_have_every_field(event: Tournament) -> None:
    set_ema_columns(event, SYSTEM, [Column(field, field, "text") for field in FIELDS])
    assert [len(line) for line in lines(event)] == [len(FIELDS)] * 8


def test_of_nobody_has_its_headings_alone() -> None:
    assert lines(make_tournament(players=8, drawn=False)) == []
