"""The ranking pages of players, teams and nations: right, honest about what moves, complete without JavaScript."""

import csv
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.messages import constants
from django.core.cache import cache
from django.test import Client
from django.test.html import Element

from tests.support.factories import (
    SYSTEM,
    edited,
    end_appeals,
    make_organiser,
    make_tournament,
    make_umpire,
    play_hands,
    play_session,
    record,
    wash_out,
    win,
    write_something,
)
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import missing
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in
from tournament.players.services.players import edit_player, withdraw_player
from tournament.ranking.services import publish_standings
from tournament.web.display import flag_sheet, render_flags

STANDINGS = Path(__file__).parents[1] / "data" / "evening-standings.csv"
Ask = Callable[..., Any]


def page(client: Client, tournament: Tournament, **extra: Any) -> Any:
    return client.get(f"/t/{tournament.slug}/ranking/", **extra)


def rows_alone(client: Client, tournament: Tournament, **extra: Any) -> Any:
    return client.get(f"/t/{tournament.slug}/ranking/rows/", **extra)


page_and_rows = pytest.mark.parametrize("ask", [page, rows_alone])


def text(client: Client, tournament: Tournament) -> str:
    return words(read(page(client, tournament)))


def lines(tree: Element) -> list[Element]:
    return list(elements(element(tree, "tbody"), "tr"))


def player_at(table: Table, wind: str) -> int:
    """The number of the player who starts the session at this wind."""
    return table.seats.get(wind=wind).player.number


def line_of(tree: Element, number: int) -> Element:
    return element(tree, "tr", id=f"p{number}")


class TestFigures:
    @pytest.mark.thorough
    def test_final_ranking_is_that_of_the_sample(self, client: Client, whole_evening: Tournament) -> None:
        shown = [
            (
                words(element(line, "td", class_="rank")),
                attribute(line, "id").removeprefix("p"),
                f"{float(words(element(line, 'td', class_='tp'))):.2f}",
                words(list(elements(line, "td"))[-1]).replace("−", "-"),
            )
            for line in lines(read(page(client, whole_evening)))
        ]
        columns = ("rank", "number", "table_points", "game_points")
        with STANDINGS.open() as file:
            assert shown == [tuple(row[column] for column in columns) for row in csv.DictReader(file)]

    def test_each_session_has_its_column(self, client: Client, spring: Tournament) -> None:
        tree = read(page(client, spring))
        assert [words(head) for head in elements(element(tree, "thead"), "abbr")] == ["S1", "S2"]
        columns = [len(list(elements(line, "td", class_="wide"))) for line in lines(tree)]
        assert columns == [1 + 2] * 16  # team and two sessions
        assert "Session 2 is being played" in words(tree)
        marked = [
            words(head) for head in elements(tree, "th") if any(elements(head, "span", class_="running"))
        ]
        assert [heading.split()[-1] for heading in marked] == ["S2", "points", "points"]
        assert "These figures may still change" in words(element(tree, "p", class_="legend"))

    def test_equal_players_are_marked_shared_and_ruled_together(self, client: Client) -> None:
        """A table of wash-outs: four players with 1.75 table points and no game points."""
        tournament = make_tournament(players=8, sessions=1, running=0)
        first, second = tournament.sessions.get().tables.all()
        record(first, wash_out())
        assert "Table 1, hand 1," in text(client, tournament), "the last change names nobody"
        record(second, win(player_at(second, "E"), tiles="seven_pairs"))
        rows = lines(read(page(client, tournament)))
        ranks = [words(element(line, "td", class_="rank")) for line in rows]
        assert ranks == ["1", "2", "2", "2", "2", "6", "6", "6"]
        assert ["shared" in words(line) for line in rows] == [False] + [True] * 7
        ruled = ["tie" in attribute(line, "class").split() for line in rows]
        assert ruled == [False, True, True, True, False, True, True, False]

    def test_arrows_count_from_the_last_closed_session(self, client: Client) -> None:
        """One table, the same four twice: first East wins, then West wins more."""
        tournament = make_tournament(players=4, sessions=2, running=0)
        first, second = tournament.sessions.all()
        table = first.tables.get()
        east, west = player_at(table, "E"), player_at(table, "W")
        record(table, win(east, tiles="two_concealed_kongs"))
        hand_in(table, SYSTEM)
        close_session(first, SYSTEM)
        start_session(second, SYSTEM)
        record(second.tables.get(), win(west, east, tiles="seven_pairs"))
        tree = read(page(client, tournament))
        assert "Since S1" in words(element(tree, "thead"))
        assert words(element(line_of(tree, west), "td", class_="move")) == "▲ 1 up 1 place"
        assert words(element(line_of(tree, east), "td", class_="move")) == "▼ 1 down 1 place"

    def test_all_sessions_played_shows_every_arrow_since_the_one_before(self, client: Client) -> None:
        tournament = make_tournament(players=8, sessions=2, played=1, hands=1)
        tree = read(page(client, tournament))
        assert "Since" not in words(element(tree, "thead"))
        assert not list(elements(tree, "span", class_="running")), "a closed session is not provisional"
        assert "is being played" not in words(tree)
        play_session(tournament.sessions.get(number=2), hands=1)
        assert "Since S1" in words(element(read(page(client, tournament)), "thead"))


class TestHonesty:
    def test_a_withdrawn_player_keeps_the_place_and_a_changed_name_shows(self, client: Client) -> None:
        tournament = make_tournament(players=8, sessions=1, played=1, hands=1)
        before = [attribute(line, "id") for line in lines(read(page(client, tournament)))]
        withdraw_player(tournament.players.get(number=3), SYSTEM)
        edit_player(edited(tournament.players.get(number=1), last_name="Smith", first_name="Ann"), SYSTEM)
        tree = read(page(client, tournament))
        assert [attribute(line, "id") for line in lines(tree)] == before
        assert "withdrawn" in words(line_of(tree, 3))
        assert "Ann Smith" in words(line_of(tree, 1))

    def test_nothing_is_final_while_appeals_are_possible_and_a_correction_is_admitted(
        self, client: Client
    ) -> None:
        tournament = make_tournament(sessions=1, played=1, hands=1)
        publish_standings(tournament, SYSTEM)
        shown = text(client, tournament)
        assert "Provisional standings after session 1 Published" in shown
        assert "Provisional: appeals are possible until" in shown
        assert "Final standings" not in shown
        table = tournament.sessions.get(number=1).tables.get(number=1)
        hand = table.hands.get()
        other = table.seats.exclude(player=hand.winner)[0].player.number
        correct_hand(hand, SYSTEM, win(other), reason="wrong winner", uuid=uuid4())
        assert "A result has been corrected since." in text(client, tournament)

    def test_standings_after_a_session_are_provisional_until_published(self, client: Client) -> None:
        """Those after the last session are final then."""
        tournament = make_tournament(sessions=2, played=1, hands=1)
        end_appeals(tournament)
        assert "Provisional standings after session 1" in text(client, tournament)
        publish_standings(tournament, SYSTEM)
        assert "Standings after session 1 Published" in text(client, tournament)
        play_session(tournament.sessions.get(number=2), hands=1)
        end_appeals(tournament)
        publish_standings(tournament, SYSTEM)
        shown = text(client, tournament)
        assert "Final standings Published" in shown
        assert [
            word for word in ("rovisional", "corrected since", "Standings published") if word in shown
        ] == []

    def test_before_the_first_hand_and_without_players_it_says_so(self, client: Client) -> None:
        tournament = make_tournament(players=8)
        tree = read(page(client, tournament))
        assert "No hand has been played yet" in words(tree)
        assert element(element(tree, "main"), "a", href=f"/t/{tournament.slug}/draw/")
        assert not list(elements(tree, "tbody"))
        assert "No players yet" in text(client, make_tournament(players=0, name="Empty"))


class TestLive:
    def test_the_page_follows_the_stream(self, client: Client, spring: Tournament) -> None:
        response = page(client, spring)
        followed = element(read(response), "div", class_="stack")
        assert attribute(followed, "data-live") == f"/live/{spring.slug}/?after={spring.version}"
        assert attribute(followed, "data-refresh") == f"/t/{spring.slug}/ranking/rows/"
        alone = rows_alone(client, spring).content.decode()
        assert "<html" not in alone
        assert alone in response.content.decode()

    def test_a_row_changes_its_figures_only_when_its_player_is_concerned(self, client: Client) -> None:
        tournament = make_tournament(players=8, running=1)

        def figures() -> dict[int, str]:
            tree = read(rows_alone(client, tournament))
            return {number: attribute(line_of(tree, number), "data-figures") for number in range(1, 9)}

        before = figures()
        table = tournament.sessions.get(number=1).tables.get(number=1)
        seated = set(table.seats.values_list("player__number", flat=True))
        record(table, win(min(seated)))
        after = figures()
        assert {number for number in before if before[number] != after[number]} == seated


class TestConditionalRequests:
    @page_and_rows
    def test_a_known_page_is_sent_again_after_a_hand(self, ask: Ask, client: Client) -> None:
        tournament = make_tournament(players=8, running=1)
        ask(client, tournament)  # the first answer sets the cookie that the second one follows from
        tag = ask(client, tournament)["ETag"]
        again = ask(client, tournament, headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
        play_hands(tournament.sessions.get(number=1).tables.get(number=1))
        changed = ask(client, tournament, headers={"If-None-Match": tag})
        assert changed.status_code == 200
        assert changed["ETag"] != tag

    def test_a_version_is_of_one_language_and_kept_for_nobody_else(
        self, client: Client, spring: Tournament
    ) -> None:
        tags = {
            rows_alone(client, spring, headers={"Accept-Language": language})["ETag"]
            for language in ("en", "zh-hans", "zh-hant")
        }
        assert len(tags) == 3
        assert all(tag.startswith(f'"{spring.version}-') for tag in tags)
        response = page(client, spring)
        assert {part.strip() for part in response["Cache-Control"].split(",")} == {"private", "no-cache"}
        assert {"Cookie", "Accept-Language"} <= {name.strip() for name in response["Vary"].split(",")}

    def test_a_reader_who_signs_in_gets_a_page_of_their_own_and_sees_a_message(self, client: Client) -> None:
        tournament = make_tournament(players=8, running=1)
        page(client, tournament)
        anonymous = page(client, tournament)["ETag"]
        client.force_login(make_organiser(tournament))
        own = page(client, tournament, headers={"If-None-Match": anonymous})
        assert own.status_code == 200
        session = client.session
        session["_messages"] = f'[["__json_message",0,{constants.SUCCESS},"Saved."]]'
        session.save()
        with_message = page(client, tournament, headers={"If-None-Match": own["ETag"]})
        assert with_message.status_code == 200
        assert "ETag" not in with_message

    def test_a_known_version_costs_one_query(
        self, client: Client, spring: Tournament, django_assert_num_queries: Any
    ) -> None:
        cache.clear()
        tag = rows_alone(client, spring)["ETag"]
        for headers in ({}, {"If-None-Match": tag}):
            with django_assert_num_queries(1):
                rows_alone(client, spring, headers=headers)

    @page_and_rows
    def test_a_private_one_does_not_exist_for_strangers(self, ask: Ask, client: Client) -> None:
        tournament = make_tournament(players=8, running=1, public=False)
        assert ask(client, tournament).status_code == 404
        client.force_login(make_umpire(tournament))
        known = ask(client, tournament)
        assert known.status_code == 200
        client.logout()
        assert ask(client, tournament, headers={"If-None-Match": known["ETag"]}).status_code == 404


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
        edit_player(edited(player, team=team), SYSTEM)
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
    assert "No players match" in words(read(get(client, event, "?q=nobody")))
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
    assert "ahead of the next" not in plain
    assert "ahead of the next by game points, " in explained


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
    for address in (f"/t/{nations.slug}/ranking/", f"/t/{nations.slug}/players/"):
        html = Client().get(address).content.decode()
        assert html.count(f'src="{flag_sheet(nations).address}#cn"') == 6
        assert "vendor/flags/" not in html
    assert "vendor/flags/fr.svg" in Client().get(f"/t/{nations.slug}/players/1/").content.decode()


def test_an_old_flag_sheet_address_returns_the_newest_sheet_uncached(nations: Tournament) -> None:
    old = flag_sheet(nations).address
    nations.players.filter(number=8).update(country="DEU")
    write_something(nations)
    nations.refresh_from_db()
    assert flag_sheet(nations).address != old
    response = Client().get(old)
    assert response["Cache-Control"] == "private, no-cache"
    assert b'id="de"' in response.content


def test_every_flag_can_stand_beside_every_other() -> None:
    """What a flag is made of is named so that no two names meet; an SVG without players is one, too."""
    codes = sorted(path.stem for path in Path(settings.BASE_DIR, "static/vendor/flags").glob("*.svg"))
    sheet = ET.fromstring(render_flags(tuple(codes)))
    names = [element.attrib["id"] for element in sheet.iter() if "id" in element.attrib]
    assert len(codes) > 240
    assert len(names) == len(set(names))
    ET.fromstring(render_flags(()))
