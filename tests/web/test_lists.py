"""Lists to take away: the same rows in three formats, for whoever is shown the page, as far as they are told."""

import csv
import io
import itertools
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from tests.support.factories import make_member, make_organiser, make_tournament
from tests.support.sampling import sample
from tournament.exchange.lists import FORMATS, LISTS, OPEN, STAFF
from tournament.models import Role, Tournament


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=2, played=2, hands=1)


def address(event: Tournament, name: str, form: str) -> str:
    at = f"/t/{event.slug}" if name in OPEN else f"/organiser/{event.slug}"
    return f"{at}/lists/{name}.{form}"


def rows(client: Client, event: Tournament, name: str) -> list[dict[str, Any]]:
    return list(client.get(address(event, name, "json")).json()["rows"])


@pytest.mark.thorough
def test_the_three_formats_say_the_same(olga: Client, event: Tournament, subtests: pytest.Subtests) -> None:
    for name in sorted(LISTS):
        with subtests.test(name):
            files = {form: olga.get(address(event, name, form)) for form in FORMATS}
            assert {file.status_code for file in files.values()} == {200}
            listed = files["json"].json()
            text = list(csv.reader(io.StringIO(files["csv"].content.decode("utf-8-sig"))))
            sheet = load_workbook(io.BytesIO(files["xlsx"].content)).active
            assert text[0] == [column["label"] for column in listed["columns"]]
            assert text[0] == [cell.value for cell in sheet[1]]
            assert len(listed["rows"]) == len(text) - 1 == sheet.max_row - 1
            keys = {column["key"] for column in listed["columns"]}
            assert all(set(row) == keys for row in listed["rows"])
            assert olga.get(address(event, name, "xlsx")).content == files["xlsx"].content


def test_cells_have_types_and_texts_are_never_formulas(olga: Client, event: Tournament) -> None:
    event.players.filter(number=1).update(last_name="=1+1", team="@x", club="-2", first_name="+3")
    sheet = load_workbook(io.BytesIO(olga.get(address(event, "players", "xlsx")).content)).active
    row = next(row for row in sheet.iter_rows(min_row=2) if row[0].value == 1)
    assert [cell.data_type for cell in row[:3]] == ["n", "s", "s"]
    assert row[1].value == "=1+1"
    text = olga.get(address(event, "players", "csv")).content.decode("utf-8-sig")
    assert "'=1+1,'+3" in text
    assert rows(olga, event, "players")[0]["last_name"] == "=1+1"
    ranked = load_workbook(io.BytesIO(olga.get(address(event, "ranking", "xlsx")).content)).active
    assert {cell.data_type for cell in ranked[2] if cell.column_letter in "ABHI"} == {"n"}
    played = load_workbook(io.BytesIO(olga.get(address(event, "hands", "xlsx")).content)).active
    assert (played["K2"].is_date, played["G2"].data_type) == (True, "n")


def test_what_is_hidden_is_in_no_list_for_the_public(client: Client, event: Tournament) -> None:
    event.sessions.filter(number=2).update(hidden=True)
    event.public_version = 1
    event.save()
    assert {row["session"] for row in rows(client, event, "hands")} == {1}
    assert {row["session"] for row in rows(client, event, "results")} == {1}
    assert not any("session_2" in key for row in rows(client, event, "ranking") for key in row)


def test_penalties_that_are_not_public_are_for_the_staff(olga: Client, event: Tournament) -> None:
    Tournament.objects.filter(pk=event.pk).update(penalties_public=False)
    assert Client().get(address(event, "penalties", "csv")).status_code == 404
    assert olga.get(address(event, "penalties", "csv")).status_code == 200


def test_what_is_for_some_is_for_them_alone(event: Tournament) -> None:
    for role, allowed in ((Role.OBSERVER, {"log", "staff"}), (Role.DESK, {"check-in"})):
        client = Client()
        client.force_login(make_member(event, role, role.value))
        names = (*STAFF, "check-in")
        readable = {name for name in names if client.get(address(event, name, "csv")).status_code == 200}
        assert readable == allowed
        offered = client.get(f"/api/v1/tournaments/{event.slug}/lists/").json()
        assert {listed["name"] for listed in offered} == {*OPEN, *allowed}
        urls = [url for listed in offered for url in listed["files"].values()]
        assert [url for url in sample(urls, 3) if client.get(url).status_code != 200] == []


def test_an_event_with_nobody_has_empty_lists(client: Client) -> None:
    event = make_tournament(players=0)
    client.force_login(make_organiser(event, "pia"))
    forms = itertools.cycle(FORMATS)
    for name, form in zip(LISTS, forms, strict=False):
        assert client.get(address(event, name, form)).status_code == 200, (name, form)
