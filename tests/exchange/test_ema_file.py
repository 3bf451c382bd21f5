"""The results file for the EMA, read back as it would be there."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime
from typing import Any

import pytest
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

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    made = make_tournament(players=8, sessions=1, played=1, days=WEEKEND)
    set_event_page(made, SYSTEM, EventWords(country="FRA", mers="ranked"))
    return made


def lines(event: Tournament) -> list[dict[str, Any]]:
    """Each as heading → value."""
    sheet = ema_file.workbook(ema_results(Tournament.objects.get(pk=event.pk)))
    (found,) = load_workbook(io.BytesIO(sheet)).worksheets
    headings, *rows = found.values
    return [dict(zip(headings, row, strict=True)) for row in rows]


def line(event: Tournament, number: int, *columns: Column) -> dict[str, Any]:
    set_ema_columns(event, SYSTEM, [Column("No.", "number"), *columns])
    (found,) = (one for one in lines(event) if one["No."] == number)
    return found


def test_has_the_usual_columns_in_their_order(event: Tournament) -> None:
    assert list(lines(event)[0]) == [column.heading for column in DEFAULT]


def test_has_the_event_in_every_line(event: Tournament) -> None:
    told = {
        tuple(one[name] for name in ("Number of participants", "Country court", "Rules", "Period", "NbDays"))
        for one in lines(event)
    }
    assert told == {(8, "FRA", "Chinese official", "14-15 Nov 2026", 2)}


def test_has_numbers_as_numbers_a_day_as_a_day_and_an_ema_number_as_a_text(event: Tournament) -> None:
    event.players.update(ema_number="04000123")
    (first, *_) = lines(event)
    assert first["EMA number"] == "04000123"
    assert first["Date"] == datetime(2026, 11, 15)
    assert {type(first[name]) for name in ("Place", "Score", "Number of participants")} == {int}
    assert type(first["Table points"]) in (int, float)


def test_has_no_formulas_not_even_where_a_name_begins_as_one(event: Tournament) -> None:
    event.players.update(last_name='=HYPERLINK("x")')
    set_ema_columns(event, SYSTEM, [Column("=1+1", "last_name"), Column("B", "text", "=2+2")])
    (sheet,) = load_workbook(io.BytesIO(ema_file.workbook(ema_results(event)))).worksheets
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} == {"s"}


def test_has_the_places_of_the_evening() -> None:
    told = lines(evening())
    assert [one["Place"] for one in told] == sorted(one["Place"] for one in told)
    assert len(told) == 16


def test_says_who_is_a_member(event: Tournament) -> None:
    event.players.filter(number=1).update(ema_number="04000123")
    event.players.filter(number=2).update(ema_number="123")
    said = [line(event, number, Column("EMA", "ema_member"))["EMA"] for number in (1, 2, 3)]
    assert said == ["YES", "NO", "NO"]


def test_remarks_who_withdrew(event: Tournament) -> None:
    withdraw_player(event.players.get(number=4), SYSTEM)
    assert line(event, 4, Column("Extra", "remark"))["Extra"] == "withdrawn"


def test_leaves_substitutes_out(event: Tournament) -> None:
    event.players.filter(number=4).update(is_substitute=True)
    assert len(lines(event)) == 7


def test_writes_a_last_name_in_capitals_with_its_accents(event: Tournament) -> None:
    event.players.filter(number=1).update(last_name="Bērziņš")
    assert line(event, 1, Column("NAME", "last_name_capitals"))["NAME"] == "BĒRZIŅŠ"


def test_names_countries_in_english_whoever_reads(event: Tournament) -> None:
    from django.utils.translation import override

    with override("zh-hans"):
        told = line(event, 2, Column("Nation", "country_name"))
    assert told["Nation"] == "China"


@pytest.mark.parametrize("field", FIELDS)
def test_can_have_every_field(event: Tournament, field: str) -> None:
    set_ema_columns(event, SYSTEM, [Column("X", field, "said")])
    assert len(lines(event)) == 8


def test_is_the_same_as_csv(event: Tournament) -> None:
    text = ema_file.csv_file(ema_results(event)).decode("utf-8-sig")
    told = list(csv.DictReader(io.StringIO(text)))
    assert [one["Place"] for one in told] == [str(one["Place"]) for one in lines(event)]
    assert told[0]["Date"] == date(2026, 11, 15).isoformat()


def test_csv_has_no_formulas_either(event: Tournament) -> None:
    event.players.update(last_name="=1+1")
    set_ema_columns(event, SYSTEM, [Column("+A", "last_name")])
    text = ema_file.csv_file(ema_results(event)).decode("utf-8-sig")
    assert set(text.split()) == {"'+A", "'=1+1"}


def test_is_the_same_to_the_byte_when_made_again(event: Tournament) -> None:
    assert ema_file.workbook(ema_results(event)) == ema_file.workbook(ema_results(event))


def test_of_nobody_has_its_headings_alone() -> None:
    assert lines(make_tournament(players=8, drawn=False)) == []
