"""The ranking of teams and nations, and that of players by country, team and name: what a reader asks for by links."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.test.html import Element

from tests.support.factories import SYSTEM, make_tournament, play_session, record, win
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import missing
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import edit_player
from tournament.web.display import drawn, flag_sheet


def get(client: Client, tournament: Tournament, rest: str = "") -> Any:
    return client.get(f"/t/{tournament.slug}/ranking/{rest}")


def players_in(tree: Element) -> set[str]:
    return {attribute(row, "id") for row in elements(tree, "tr")} - {""}


@pytest.fixture
def event() -> Tournament:
    """Eight players, the first four in team Bamboo, the others in Dots; player 1 wins a hand of 24."""
    tournament = make_tournament(players=8, sessions=2, running=0)
    for player in tournament.players.all():
        team = "Bamboo" if player.number <= 4 else "Dots & Co"
        entrant = Entrant(player.last_name, player.first_name, country=player.country, team=team)
        edit_player(player, SYSTEM, entrant)
    table = tournament.sessions.get(number=1).tables.get(seats__player__number=1)
    record(table, win(1))
    return tournament


def test_a_team_adds_up_its_members_and_leads_to_them(client: Client, event: Tournament) -> None:
    tree = read(get(client, event, "teams/"))
    rows = list(elements(element(tree, "tbody"), "tr"))
    assert len(rows) == 2
    tables = event.sessions.get(number=1).tables.all()
    points = sum(seat.game_points for table in tables for seat in table.seats.filter(player__number__lte=4))
    bamboo = next(row for row in rows if "Bamboo" in words(row))
    assert words(list(elements(bamboo, "td"))[-1]) == str(points).replace("-", "−")
    link = next(a for a in elements(tree, "a") if words(a) == "Dots & Co")
    members = read(client.get(attribute(link, "href")))
    assert players_in(element(members, "tbody")) == {"p5", "p6", "p7", "p8"}
    address = f"/api/v1/tournaments/{event.slug}/standings/teams/"
    response = client.get(address)
    teams = {row["name"]: row for row in response.json()["rows"]}
    assert set(teams["Bamboo"]["counted"]) == {1, 3}, "those who have played a hand"
    assert set(teams["Bamboo"]["members"]) == {1, 2, 3, 4}
    event.refresh_from_db()
    assert response.json()["version"] == event.version
    assert client.get(address, headers={"If-None-Match": response["ETag"]}).status_code == 304


@pytest.mark.thorough
def test_nations_are_called_by_name_and_have_moves(client: Client, event: Tournament) -> None:
    text = words(element(read(get(client, event, "nations/")), "tbody"))
    assert missing(text, "China", "Latvia") == []
    assert "Since" not in words(element(read(get(client, event, "teams/")), "thead"))
    event = make_tournament(players=8, sessions=2, played=1, hands=1, name="Two")
    play_session(event.sessions.get(number=2), hands=1)
    assert "Since S1" in words(element(read(get(client, event, "nations/")), "thead"))


@pytest.mark.thorough
def test_filters_are_plain_links_that_refreshing_keeps(client: Client, event: Tournament) -> None:
    for query, players in (
        ("?country=CHN", {"p2", "p4"}),
        ("?team=Bamboo&country=CHN", {"p2", "p4"}),
        ("?q=zoe", {"p6"}),
    ):
        assert players_in(element(read(get(client, event, query)), "table", class_="ranking")) == players
    alone, among_all = (element(read(get(client, event, query)), "tr", id="p6") for query in ("?q=zoe", ""))
    assert words(element(alone, "td", class_="rank")) == words(element(among_all, "td", class_="rank"))
    assert "Nobody here fits" in words(read(get(client, event, "?q=nobody")))
    tree = read(get(client, event, "?country=CHN&why=1"))
    refresh = attribute(element(tree, "div", class_="stack"), "data-refresh")
    assert refresh == f"/t/{event.slug}/ranking/rows/?country=CHN&why=1"
    assert players_in(read(client.get(refresh))) == {"p2", "p4"}


def test_what_broke_a_tie_is_shown_on_request(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=1, running=0)
    first, second = tournament.sessions.get(number=1).tables.order_by("number")
    for table, tiles in ((first, "seven_pairs"), (second, "mixed_triple_chow")):
        record(table, win(table.seats.get(wind="E").player.number, tiles=tiles))
    trees = (read(get(client, tournament, query)) for query in ("", "?why=1"))
    plain, explained = (words(element(element(tree, "tbody"), "tr")) for tree in trees)
    assert "before the next" not in plain
    assert "before the next by game points, " in explained


def test_a_private_one_does_not_exist(client: Client) -> None:
    tournament = make_tournament(players=8, running=1, public=False)
    for part in ("teams/", "nations/", "teams/rows/", "?team=Bamboo"):
        assert get(client, tournament, part).status_code == 404, part
    assert client.get(f"/api/v1/tournaments/{tournament.slug}/standings/teams/").status_code in (403, 404)


@pytest.fixture
def nations() -> Tournament:
    tournament = make_tournament(players=8, sessions=1, played=1)
    for number, country in enumerate(["FRA", *["CHN"] * 6, ""], 1):
        tournament.players.filter(number=number).update(country=country)
    return tournament


def test_lists_show_the_sheet_with_the_flags_of_those_who_play(nations: Tournament) -> None:
    assert flag_sheet(nations).codes == ("cn", "fr")
    response = Client().get(flag_sheet(nations).address)
    assert response["Content-Type"] == "image/svg+xml"
    assert "immutable" in response["Cache-Control"]
    views = re.findall(r'<view id="(\w+)" viewBox="([^"]+)"', response.content.decode())
    assert views == [("cn", "0 0 640 480"), ("fr", "0 480 640 480")]
    for address in ("/t/spring-open/ranking/", "/t/spring-open/players/"):
        html = Client().get(address).content.decode()
        assert html.count(f'src="{flag_sheet(nations).address}#cn"') == 6
        assert "vendor/flags/" not in html
    assert "vendor/flags/fr.svg" in Client().get("/t/spring-open/players/1/").content.decode()


def test_an_older_page_s_sheet_is_the_newest_for_now(nations: Tournament) -> None:
    old = flag_sheet(nations).address
    nations.players.filter(number=8).update(country="DEU")
    Tournament.objects.update(version=nations.version + 1)
    nations.refresh_from_db()
    assert flag_sheet(nations).address != old
    response = Client().get(old)
    assert response["Cache-Control"] == "private, no-cache"
    assert b'id="de"' in response.content


def test_every_flag_can_stand_beside_every_other() -> None:
    """What a flag is made of is named so that no two names meet; an SVG without players is one, too."""
    codes = sorted(path.stem for path in Path(settings.BASE_DIR, "static/vendor/flags").glob("*.svg"))
    sheet = ET.fromstring(drawn(tuple(codes)))
    names = [element.attrib["id"] for element in sheet.iter() if "id" in element.attrib]
    assert len(codes) > 240
    assert len(names) == len(set(names))
    ET.fromstring(drawn(()))
