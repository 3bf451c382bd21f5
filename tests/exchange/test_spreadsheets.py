"""Spreadsheets, read back as Excel reads them."""

from __future__ import annotations

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

pytestmark = pytest.mark.django_db

TRUE = Path(__file__).parents[1] / "data" / "evening-standings.csv"


def read(sheet: bytes) -> list[tuple[Any, ...]]:
    (found,) = load_workbook(io.BytesIO(sheet)).worksheets
    return list(found.values)


def ranking_sheet(event: Tournament, audience: Audience = Audience.PUBLIC) -> bytes:
    return written(list_named("ranking"), Asked(event, audience, SYSTEM), "xlsx")


class TestStandings:
    def test_the_evenings_are_its_true_ones(self) -> None:
        headings, *lines = read(ranking_sheet(evening()))
        at = [headings.index(name) for name in ("Rank", "No.", "Table points", "Game points")]
        true = [
            (int(row["rank"]), int(row["number"]), float(row["table_points"]), int(row["game_points"]))
            for row in csv.DictReader(TRUE.read_text().splitlines())
        ]
        assert [tuple(line[column] for column in at) for line in lines] == true

    def test_sessions_add_up(self) -> None:
        headings, *lines = read(ranking_sheet(evening()))
        for points in ("Table points", "Game points"):
            columns = [at for at, name in enumerate(headings) if name.endswith(f": {points.lower()}")]
            assert len(columns) == 5
            for line in lines:
                assert sum(line[at] for at in columns) == pytest.approx(
                    line[headings.index(points)], abs=0.03
                )

    def test_while_a_session_is_played_the_sheet_says_that_it_is_provisional(self, client: Client) -> None:
        event = make_tournament(played=1, running=1)
        answer = client.get(reverse("ranking_sheet", args=[event.slug]))
        assert "-provisional.xlsx" in answer.headers["Content-Disposition"]
        assert load_workbook(io.BytesIO(answer.content)).sheetnames == ["Ranking, provisional"]

    def test_hidden_sessions_have_no_columns_for_the_public(self) -> None:
        event = make_tournament(sessions=3, played=2)
        event.sessions.filter(number=2).update(hidden=True)
        widths = {who: len(read(ranking_sheet(event, who))[0]) for who in Audience}
        assert widths == {Audience.PUBLIC: 12, Audience.STAFF: 14}

    def test_the_old_address_has_the_list(self, client: Client) -> None:
        event = make_tournament(played=1)
        listed = reverse("list_file", args=[event.slug, "ranking", "xlsx"])
        assert client.get(reverse("ranking_sheet", args=[event.slug])).content == client.get(listed).content

    def test_who_is_somebody_elsewhere_is_told_by_number_and_club(self) -> None:
        event = make_tournament(played=1)
        Player.objects.filter(tournament=event, number=3).update(ema_number="04000123", club="Tri Nitro")
        headings, *lines = read(ranking_sheet(event))
        three = next(line for line in lines if line[headings.index("No.")] == 3)
        assert [three[headings.index(name)] for name in ("EMA number", "Club")] == ["04000123", "Tri Nitro"]

    def test_substitutes_stand_below_without_a_rank(self) -> None:
        event = make_tournament(played=1)
        Player.objects.filter(tournament=event, number=2).update(is_substitute=True)
        headings, *lines = read(ranking_sheet(event))
        at = [headings.index(name) for name in ("Rank", "No.", "Substitute")]
        assert [lines[-1][column] for column in at] == [None, 2, True]
        assert {line[at[2]] for line in lines[:-1]} == {False}

    def test_equal_standings_are_equal_bytes(self) -> None:
        event = make_tournament(played=1)
        assert ranking_sheet(event) == ranking_sheet(event)

    def test_a_sign_that_no_sheet_can_hold_is_left_out(self) -> None:
        event = make_tournament(players=8, drawn=False)
        event.players.filter(number=1).update(last_name="A\x0bB")
        assert "AB" in read(players_sheet(event.players.all()))[1]

    def test_a_name_is_no_formula(self) -> None:
        event = make_tournament(played=1)
        Player.objects.filter(tournament=event, number=1).update(last_name="=1+1", first_name="")
        book = load_workbook(io.BytesIO(ranking_sheet(event)))
        (cell,) = (cell for row in book.worksheets[0] for cell in row if cell.value == "=1+1")
        assert cell.data_type == "s"


class TestPlayers:
    def test_imported_again_they_are_the_same(self) -> None:
        event = make_tournament(players=8)
        Player.objects.filter(tournament=event, number=3).update(ema_number="04000123", club="Tri Nitro")
        players = list(event.players.all())
        listed = read_list(players_sheet(players))
        assert listed.columns == (
            "number",
            "last_name",
            "first_name",
            "country",
            "ema_number",
            "team",
            "club",
        )
        for line, player in zip(listed.lines, players, strict=True):
            said = {name: listed.cell(line, name) for name in listed.columns}
            assert said == {name: str(getattr(player, name)) for name in listed.columns}

    def test_who_has_withdrawn_is_left_out(self, client: Client) -> None:
        event = make_tournament(players=8, drawn=False)
        withdraw_player(event.players.get(number=2), SYSTEM)
        client.force_login(make_organiser(event))
        sheet = client.get(reverse("organiser_players_sheet", args=[event.slug])).content
        assert [line[0] for line in read(sheet)[1:]] == [1, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("page", ["ranking", "documents_page"])
def test_a_page_leads_to_the_standings_once_there_are_some(client: Client, page: str) -> None:
    event = make_tournament(played=1)
    address = reverse("ranking_sheet", args=[event.slug])
    assert f'href="{address}"' in client.get(reverse(page, args=[event.slug])).text
    answer = client.get(address)
    name = f"{event.slug}-{event.version}-provisional.xlsx"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert len(read(answer.content)) == 17
