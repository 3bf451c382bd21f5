"""Spreadsheets, read back as Excel reads them."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests.support.factories import SYSTEM, evening, make_organiser, make_tournament
from tournament.access import Audience
from tournament.exchange.lists import Asked, list_named, written
from tournament.exchange.players_csv import read_list
from tournament.exchange.spreadsheets import players_sheet
from tournament.models import Player, Tournament
from tournament.services.players import withdraw_player

TRUE = Path(__file__).parents[1] / "data" / "evening-standings.csv"


def read(content: bytes) -> list[tuple[Any, ...]]:
    (sheet,) = load_workbook(io.BytesIO(content)).worksheets
    return list(sheet.values)


def ranking_sheet(event: Tournament, audience: Audience = Audience.PUBLIC) -> bytes:
    return written(list_named("ranking"), Asked(event, audience, SYSTEM), "xlsx")


class TestStandings:
    @pytest.mark.thorough
    def test_the_evenings_are_its_true_ones_and_their_sessions_add_up(self) -> None:
        headings, *lines = read(ranking_sheet(evening()))
        at = [headings.index(name) for name in ("Rank", "No.", "Table points", "Game points")]
        true = [
            (int(row["rank"]), int(row["number"]), float(row["table_points"]), int(row["game_points"]))
            for row in csv.DictReader(TRUE.read_text().splitlines())
        ]
        assert [tuple(line[column] for column in at) for line in lines] == true
        for points in ("Table points", "Game points"):
            columns = [at for at, name in enumerate(headings) if name.endswith(f": {points.lower()}")]
            assert len(columns) == 5
            total = headings.index(points)
            for line in lines:
                assert sum(line[at] for at in columns) == pytest.approx(line[total], abs=0.03)

    def test_hidden_sessions_have_no_columns_for_the_public(self) -> None:
        event = make_tournament(players=8, sessions=3, played=2)
        event.sessions.filter(number=2).update(hidden=True)
        widths = {who: len(read(ranking_sheet(event, who))[0]) for who in Audience}
        assert widths == {Audience.PUBLIC: 12, Audience.STAFF: 14}

    def test_who_is_who_and_substitutes_stand_below_without_a_rank(self) -> None:
        """Equal standings are equal bytes, and a name is no formula."""
        event = make_tournament(players=8, played=1)
        players = Player.objects.filter(tournament=event)
        players.filter(number=1).update(last_name="=1+1", first_name="")
        players.filter(number=2).update(is_substitute=True)
        players.filter(number=3).update(ema_number="04000123", club="Tri Nitro")
        content = ranking_sheet(event)
        assert ranking_sheet(event) == content
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
    def test_imported_again_they_are_the_same(self) -> None:
        event = make_tournament(players=8)
        Player.objects.filter(tournament=event, number=3).update(ema_number="04000123", club="Tri Nitro")
        players = list(event.players.all())
        listed = read_list(players_sheet(players))
        names = ("number", "last_name", "first_name", "country", "ema_number", "team", "club")
        assert listed.columns == names
        for line, player in zip(listed.lines, players, strict=True):
            cells = {name: listed.cell(line, name) for name in names}
            assert cells == {name: str(getattr(player, name)) for name in names}

    def test_who_has_withdrawn_is_left_out(self, client: Client) -> None:
        """A sign that no sheet can hold is left out."""
        event = make_tournament(players=8, drawn=False)
        event.players.filter(number=1).update(last_name="A\x0bB")
        withdraw_player(event.players.get(number=2), SYSTEM)
        client.force_login(make_organiser(event))
        sheet = client.get(reverse("organiser_players_sheet", args=[event.slug])).content
        assert [line[0] for line in read(sheet)[1:]] == [1, 3, 4, 5, 6, 7, 8]
        assert "AB" in read(sheet)[1]


def test_pages_lead_to_the_standings_once_there_are_some(client: Client) -> None:
    """At the old address as at that of the list."""
    event = make_tournament(players=8, played=1)
    address = reverse("ranking_sheet", args=[event.slug])
    for page in ("ranking", "documents_page"):
        assert f'href="{address}"' in client.get(reverse(page, args=[event.slug])).text, page
    response = client.get(address)
    name = f"{event.slug}-{event.version}-provisional.xlsx"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert len(read(response.content)) == 9
    assert load_workbook(io.BytesIO(response.content)).sheetnames == ["Ranking, provisional"]
    listed = reverse("list_file", args=[event.slug, "ranking", "xlsx"])
    assert client.get(listed).content == response.content
