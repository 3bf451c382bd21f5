"""The ranking of teams and nations, and that of players by country, team and name: what a reader asks for by links."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support.factories import SYSTEM, make_tournament, play_session, record, win
from tests.support.html import attribute, element, elements, read, words
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant
from tournament.services.players import edit_player

pytestmark = pytest.mark.django_db


def ask(client: Client, tournament: Tournament, rest: str = "") -> Any:
    return client.get(f"/t/{tournament.slug}/ranking/{rest}")


def shown(client: Client, tournament: Tournament, query: str = "") -> set[str]:
    """The players listed."""
    tree = read(ask(client, tournament, query))
    return {attribute(row, "id") for row in elements(element(tree, "table", class_="ranking"), "tr")} - {""}


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


def test_a_team_adds_up_what_its_members_have(client: Client, event: Tournament) -> None:
    tree = read(ask(client, event, "teams/"))
    rows = list(elements(element(tree, "tbody"), "tr"))
    assert len(rows) == 2
    points = sum(
        seat.game_points
        for table in event.sessions.get(number=1).tables.all()
        for seat in table.seats.filter(player__number__lte=4)
    )
    bamboo = next(row for row in rows if "Bamboo" in words(row))
    assert words(list(elements(bamboo, "td"))[-1]) == str(points).replace("-", "−")


def test_a_team_leads_to_its_players(client: Client, event: Tournament) -> None:
    tree = read(ask(client, event, "teams/"))
    link = next(a for a in elements(tree, "a") if words(a) == "Dots & Co")
    tree = read(client.get(attribute(link, "href")))
    rows = elements(element(tree, "tbody"), "tr")
    assert {attribute(row, "id") for row in rows} == {"p5", "p6", "p7", "p8"}


def test_nations_are_called_by_name(client: Client, event: Tournament) -> None:
    text = words(element(read(ask(client, event, "nations/")), "tbody"))
    assert "China" in text
    assert "Latvia" in text


def test_team_moves_are_those_since_the_session_before(client: Client, event: Tournament) -> None:
    assert "Since" not in words(element(read(ask(client, event, "teams/")), "thead"))
    event = make_tournament(players=8, sessions=2, played=1, hands=1, name="Two")
    play_session(event.sessions.get(number=2), hands=1)
    assert "Since S1" in words(element(read(ask(client, event, "nations/")), "thead"))


def test_filters_are_plain_links_and_keep_the_places(client: Client, event: Tournament) -> None:
    assert shown(client, event, "?country=CHN") == {"p2", "p4"}
    assert shown(client, event, "?team=Bamboo&country=CHN") == {"p2", "p4"}
    assert shown(client, event, "?q=zoe") == {"p6"}
    place = words(element(element(read(ask(client, event, "?q=zoe")), "tr", id="p6"), "td", class_="rank"))
    whole = words(element(element(read(ask(client, event)), "tr", id="p6"), "td", class_="rank"))
    assert place == whole


def test_the_page_refreshes_what_was_asked_for(client: Client, event: Tournament) -> None:
    tree = read(ask(client, event, "?country=CHN&why=1"))
    refresh = attribute(element(tree, "div", class_="stack"), "data-refresh")
    assert refresh == f"/t/{event.slug}/ranking/rows/?country=CHN&why=1"
    assert {attribute(row, "id") for row in elements(read(client.get(refresh)), "tr")} - {""} == {"p2", "p4"}


def test_nobody_who_fits_says_so(client: Client, event: Tournament) -> None:
    assert "Nobody here fits" in words(read(ask(client, event, "?q=nobody")))


def test_what_broke_a_tie_is_shown_on_request(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=1, running=0)
    one, other = tournament.sessions.get(number=1).tables.order_by("number")
    first, second = (table.seats.get(wind="E").player.number for table in (one, other))
    record(one, win(first, tiles="seven_pairs"))
    record(other, win(second, tiles="mixed_triple_chow"))
    leading = words(element(element(read(ask(client, tournament)), "tbody"), "tr"))
    assert "before the next" not in leading
    asked = words(element(element(read(ask(client, tournament, "?why=1")), "tbody"), "tr"))
    assert "before the next by game points, " in asked


@pytest.mark.parametrize("part", ["teams/", "nations/", "teams/rows/", "?team=Bamboo"])
def test_a_private_one_does_not_exist(client: Client, part: str) -> None:
    tournament = make_tournament(players=8, running=1, public=False)
    assert ask(client, tournament, part).status_code == 404
    assert client.get(f"/api/v1/tournaments/{tournament.slug}/standings/teams/").status_code in (403, 404)


def test_the_api_names_the_members_that_count(client: Client, event: Tournament) -> None:
    answer = client.get(f"/api/v1/tournaments/{event.slug}/standings/teams/")
    teams = {row["name"]: row for row in answer.json()["rows"]}
    assert set(teams["Bamboo"]["counted"]) == {1, 3}, "those who have played a hand"
    assert set(teams["Bamboo"]["members"]) == {1, 2, 3, 4}
    event.refresh_from_db()
    assert answer.json()["version"] == event.version
    again = client.get(
        f"/api/v1/tournaments/{event.slug}/standings/teams/", headers={"If-None-Match": answer["ETag"]}
    )
    assert again.status_code == 304
