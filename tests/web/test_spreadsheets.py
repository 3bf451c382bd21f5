"""Spreadsheets and the results file for the EMA, read back as Excel reads them."""

import csv
import io
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from openpyxl import load_workbook

from tests.support.factories import SYSTEM, WEEKEND, evening, list_file, make_organiser, make_tournament
from tournament.base.engine.notices import Audience
from tournament.base.models.events import EventPage
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.ema.engine.columns import DEFAULT_COLUMNS, Column
from tournament.ema.exports import EMA
from tournament.ema.models import EmaColumns
from tournament.ema.services import set_ema_columns
from tournament.events.services import set_event_page
from tournament.players.exports.lists import PLAYER_LIST
from tournament.players.services.players import withdraw_player
from tournament.ranking.exports import RANKING
from tournament.web.exports.people_lists import read_people

STANDINGS = Path(__file__).parents[1] / "data" / "evening-standings.csv"


def read(content: bytes) -> list[tuple[Any, ...]]:
    (sheet,) = load_workbook(io.BytesIO(content)).worksheets
    return list(sheet.values)


class TestStandings:
    @pytest.mark.thorough
    def test_the_standings_of_the_evening_are_right_and_sessions_add_up(self) -> None:
        headings, *lines = read(list_file(RANKING, evening()))
        at = [headings.index(name) for name in ("Rank", "No.", "Table points", "Game points")]
        expected = [
            (int(row["rank"]), int(row["number"]), float(row["table_points"]), int(row["game_points"]))
            for row in csv.DictReader(STANDINGS.read_text().splitlines())
        ]
        assert [tuple(line[column] for column in at) for line in lines] == expected
        for points in ("Table points", "Game points"):
            columns = [at for at, name in enumerate(headings) if name.endswith(f": {points.lower()}")]
            assert len(columns) == 5
            total = headings.index(points)
            for line in lines:
                assert sum(line[at] for at in columns) == pytest.approx(line[total], abs=0.03)

    def test_hidden_sessions_have_no_columns_for_the_public(self) -> None:
        event = make_tournament(players=8, sessions=3, played=2)
        event.sessions.filter(number=2).update(hidden=True)
        widths = {who: len(read(list_file(RANKING, event, audience=who))[0]) for who in Audience}
        assert widths == {Audience.PUBLIC: 13, Audience.STAFF: 15}

    def test_players_have_their_data_and_substitutes_no_rank(self) -> None:
        """Equal standings are equal bytes, and a name is no formula."""
        event = make_tournament(players=8, played=1)
        players = Player.objects.filter(tournament=event)
        players.filter(number=1).update(last_name="=1+1", first_name="")
        players.filter(number=2).update(is_substitute=True)
        players.filter(number=3).update(ema_number="04000123", club="Tri Nitro")
        content = list_file(RANKING, event)
        assert list_file(RANKING, event) == content
        headings, *lines = read(content)
        rows = [dict(zip(headings, line, strict=True)) for line in lines]
        three = next(row for row in rows if row["No."] == 3)
        assert (three["EMA number"], three["Club"]) == ("04000123", "Tri Nitro")
        assert [rows[-1][name] for name in ("Rank", "No.", "Substitute")] == [None, 2, True]
        assert {row["Substitute"] for row in rows[:-1]} == {False}
        sheet = load_workbook(io.BytesIO(content)).worksheets[0]
        (cell,) = (cell for row in sheet for cell in row if cell.value == "=1+1")
        assert cell.data_type == "s"


class TestPlayers:
    def test_an_exported_list_can_be_imported_unchanged(self) -> None:
        event = make_tournament(players=8)
        Player.objects.filter(tournament=event, number=3).update(
            ema_number="04000123", club="Tri Nitro", second_name="三号"
        )
        players = list(event.players.all())
        listed = read_people(list_file(PLAYER_LIST, event))
        names = ("number", "last_name", "first_name", "second_name", "country", "ema_number", "team", "club")
        assert listed.columns == names
        for line, player in zip(listed.lines, players, strict=True):
            cells = {name: listed.cell(line, name) for name in names}
            assert cells == {name: str(getattr(player, name)) for name in names}

    def test_withdrawn_players_are_left_out(self, client: Client) -> None:
        """A sign that no sheet can hold is left out."""
        event = make_tournament(players=8, drawn=False)
        event.players.filter(number=1).update(last_name="A\x0bB")
        withdraw_player(event.players.get(number=2), SYSTEM)
        client.force_login(make_organiser(event))
        sheet = client.get(reverse("organiser_list_player-list", args=[event.slug, "xlsx"])).content
        assert [line[0] for line in read(sheet)[1:]] == [1, 3, 4, 5, 6, 7, 8]
        assert "AB" in read(sheet)[1]


def test_pages_lead_to_the_standings_once_there_are_some(client: Client) -> None:
    """The same file at the old address."""
    event = make_tournament(players=8, played=1)
    old, listed = f"/t/{event.slug}/ranking.xlsx", f"/t/{event.slug}/lists/ranking.xlsx"
    for page, address in (("ranking", listed), ("documents_page", old)):
        assert f'href="{address}"' in client.get(reverse(page, args=[event.slug])).text, page
    response = client.get(listed)
    assert f'"{event.slug}-ranking.xlsx"' in response.headers["Content-Disposition"]
    assert len(read(response.content)) == 9
    assert load_workbook(io.BytesIO(response.content)).sheetnames == ["Ranking, provisional"]
    assert client.get(old).content == response.content


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=8, sessions=1, played=1, days=WEEKEND)
    set_event_page(EventPage(tournament=event, country="FRA", mers="ranked"), SYSTEM)
    return event


def lines(event: Tournament) -> list[dict[str, Any]]:
    """Each as heading → value."""
    content = list_file(EMA, Tournament.objects.get(pk=event.pk))
    (sheet,) = load_workbook(io.BytesIO(content)).worksheets
    headings, *rows = sheet.values
    return [dict(zip(headings, row, strict=True)) for row in rows]


def column(event: Tournament, field: str) -> dict[int, Any]:
    """Player → value of the field."""
    set_ema_columns(event, SYSTEM, [Column("No.", "number"), Column("X", field)])
    return {line["No."]: line["X"] for line in lines(event)}


def csv_text(event: Tournament) -> str:
    return list_file(EMA, event, "csv").decode("utf-8-sig")


def test_the_ema_file_has_the_usual_columns_with_the_event_in_every_line(event: Tournament) -> None:
    """Numbers as numbers, a day as a day, an EMA number as a text; the same as CSV and to the byte when made again."""
    event.players.update(ema_number="04000123")
    rows = lines(event)
    assert list(rows[0]) == [column.heading for column in DEFAULT_COLUMNS]
    names = ("Number of participants", "Country court", "Rules", "Period", "NbDays")
    of_event = {tuple(row[name] for name in names) for row in rows}
    assert of_event == {(8, "FRA", "Chinese official", "14-15 Nov 2026", 2)}
    places = [row["Place"] for row in rows]
    assert (len(places), places) == (8, sorted(places))
    first = rows[0]
    assert (first["EMA number"], first["Date"]) == ("04000123", datetime(2026, 11, 15))
    assert {type(first[name]) for name in ("Place", "Score", "Number of participants")} == {int}
    assert type(first["Table points"]) in (int, float)
    in_csv = list(csv.DictReader(io.StringIO(csv_text(event))))
    assert [row["Place"] for row in in_csv] == [str(row["Place"]) for row in rows]
    assert in_csv[0]["Date"] == date(2026, 11, 15).isoformat()
    assert list_file(EMA, event) == list_file(EMA, event)


def test_the_ema_file_has_no_formulas_not_even_where_a_name_begins_as_one(event: Tournament) -> None:
    event.players.update(last_name='=HYPERLINK("x")')
    set_ema_columns(event, SYSTEM, [Column("=1+1", "last_name"), Column("B", "text", "=2+2")])
    (sheet,) = load_workbook(io.BytesIO(list_file(EMA, event))).worksheets
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} == {"s"}
    event.players.update(last_name="=1+1")
    set_ema_columns(event, SYSTEM, [Column("+A", "last_name")])
    assert set(csv_text(event).split()) == {"'+A", "'=1+1"}


def test_the_ema_file_says_who_is_a_member_who_withdrew_and_from_where(event: Tournament) -> None:
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


def test_the_ema_file_can_have_every_field_and_of_nobody_its_headings_alone(event: Tournament) -> None:
    set_ema_columns(event, SYSTEM, [Column(field, field, "text") for field in EmaColumns.Field.values])
    assert [len(line) for line in lines(event)] == [len(EmaColumns.Field)] * 8
    assert lines(make_tournament(players=8, drawn=False)) == []
