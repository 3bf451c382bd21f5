"""The ranking page: right figures, honest about what still moves, cheap to ask for, complete without JavaScript."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.messages import constants
from django.core.cache import cache
from django.test import Client
from django.test.html import Element

from tests.support.factories import (
    PASSWORD,
    SYSTEM,
    end_appeals,
    make_organiser,
    make_tournament,
    make_umpire,
    play_hands,
    play_session,
    record,
    wash_out,
    win,
)
from tests.support.html import attribute, element, elements, read, words
from tournament.models import Table, Tournament
from tournament.selectors.entrants import Entrant
from tournament.services.hands import correct_hand
from tournament.services.players import edit_player, withdraw_player
from tournament.services.sessions import close_session, start_session
from tournament.services.tables import hand_in
from tournament.services.tournaments import publish_standings

pytestmark = pytest.mark.django_db

DATA = Path(__file__).parent.parent / "data"


def page(client: Client, tournament: Tournament, **extra: Any) -> Any:
    return client.get(f"/t/{tournament.slug}/ranking/", **extra)


def rows_alone(client: Client, tournament: Tournament, **extra: Any) -> Any:
    return client.get(f"/t/{tournament.slug}/ranking/rows/", **extra)


def lines(tree: Element) -> list[Element]:
    return list(elements(element(tree, "tbody"), "tr"))


def the_one_at(table: Table, wind: str) -> int:
    """The number of the player who starts the session at this wind."""
    return table.seats.get(wind=wind).player.number


def line_of(tree: Element, number: int) -> Element:
    return element(tree, "tr", id=f"p{number}")


class TestFigures:
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
        with (DATA / "evening-standings.csv").open() as file:
            true = [
                (r["rank"], r["number"], r["table_points"], r["game_points"]) for r in csv.DictReader(file)
            ]
        assert shown == true

    def test_each_session_has_its_column_with_both_figures(self, client: Client, spring: Tournament) -> None:
        tree = read(page(client, spring))
        heads = [words(head) for head in elements(element(tree, "thead"), "abbr")]
        assert heads == ["S1", "S2"]
        for line in lines(tree):
            assert len(list(elements(line, "td", class_="wide"))) == 1 + 2  # team and two sessions

    def test_equal_players_are_marked_shared_and_ruled_together(self, client: Client) -> None:
        """A table of wash-outs: four players with 1.75 table points and no game points."""
        tournament = make_tournament(players=8, sessions=1, running=0)
        first, second = tournament.sessions.get().tables.all()
        record(first, wash_out())
        record(second, win(the_one_at(second, "E"), tiles="seven_pairs"))
        tree = read(page(client, tournament))
        ranks = [words(element(line, "td", class_="rank")) for line in lines(tree)]
        assert ranks == ["1", "2", "2", "2", "2", "6", "6", "6"]
        assert words(lines(tree)[0]).count("shared") == 0
        assert all("shared" in words(line) for line in lines(tree)[1:])
        ruled = ["tie" in attribute(line, "class").split() for line in lines(tree)]
        assert ruled == [False, True, True, True, False, True, True, False]

    def test_arrows_count_from_the_last_closed_session(self, client: Client) -> None:
        """One table, the same four twice: first East wins, then West wins more."""
        tournament = make_tournament(players=4, sessions=2, running=0)
        first, second = tournament.sessions.all()
        table = first.tables.get()
        east, west = the_one_at(table, "E"), the_one_at(table, "W")
        record(table, win(east, tiles="two_concealed_kongs"))
        hand_in(table, SYSTEM)
        close_session(first, SYSTEM)
        start_session(second, SYSTEM)
        record(second.tables.get(), win(west, east, tiles="seven_pairs"))
        tree = read(page(client, tournament))
        assert "Since S1" in words(element(tree, "thead"))
        assert words(element(line_of(tree, west), "td", class_="move")) == "▲ 1 up 1 place"
        assert words(element(line_of(tree, east), "td", class_="move")) == "▼ 1 down 1 place"


class TestHonesty:
    def test_what_still_moves_is_marked_and_said(self, client: Client, spring: Tournament) -> None:
        tree = read(page(client, spring))
        assert "Session 2 is being played" in words(tree)
        still = [
            line for line in lines(tree) if "now" in attribute(element(line, "td", class_="tp"), "class")
        ]
        assert len(still) == 12  # three of four tables have a hand in session 2

    def test_closed_sessions_do_not_look_provisional(self, client: Client) -> None:
        tree = read(page(client, make_tournament(played=1, hands=1)))
        assert not list(elements(tree, "td", class_="now"))
        assert "is being played" not in words(tree)

    def test_a_withdrawn_player_keeps_the_place_and_is_marked(self, client: Client) -> None:
        tournament = make_tournament(played=1, hands=1)
        before = [attribute(line, "id") for line in lines(read(page(client, tournament)))]
        withdraw_player(tournament.players.get(number=3), SYSTEM)
        tree = read(page(client, tournament))
        assert [attribute(line, "id") for line in lines(tree)] == before
        assert "withdrawn" in words(line_of(tree, 3))

    def test_published_standings_say_when(self, client: Client) -> None:
        tournament = make_tournament(sessions=1, played=1, hands=1)
        end_appeals(tournament)
        publish_standings(tournament, SYSTEM)
        text = words(read(page(client, tournament)))
        assert "Final standings Published" in text
        assert "rovisional" not in text
        assert "corrected since" not in text

    def test_standings_after_a_session_say_which(self, client: Client) -> None:
        tournament = make_tournament(sessions=2, played=1, hands=1)
        end_appeals(tournament)
        publish_standings(tournament, SYSTEM)
        assert "Standings after session 1 Published" in words(read(page(client, tournament)))

    def test_while_appeals_are_possible_nothing_is_called_final(self, client: Client) -> None:
        tournament = make_tournament(sessions=1, played=1, hands=1)
        publish_standings(tournament, SYSTEM)
        text = words(read(page(client, tournament)))
        assert "Provisional standings after session 1 Published" in text
        assert "Provisional: appeals are possible until" in text
        assert "Final standings" not in text

    def test_what_is_not_published_is_provisional(self, client: Client) -> None:
        tournament = make_tournament(played=1, hands=1)
        end_appeals(tournament)
        assert "Provisional standings after session 1" in words(read(page(client, tournament)))

    def test_a_correction_after_publishing_is_admitted(self, client: Client) -> None:
        tournament = make_tournament(sessions=1, played=1, hands=1)
        publish_standings(tournament, SYSTEM)
        table = tournament.sessions.get(number=1).tables.get(number=1)
        hand = table.hands.get()
        other = table.seats.exclude(player=hand.winner).first()
        assert other is not None
        correct_hand(hand, SYSTEM, win(other.player.number), reason="wrong winner", uuid=uuid4())
        assert "A result has been corrected since." in words(read(page(client, tournament)))

    def test_before_the_first_hand_it_says_so_and_leads_to_the_draw(self, client: Client) -> None:
        tournament = make_tournament(players=8)
        tree = read(page(client, tournament))
        assert "No hand has been played yet" in words(tree)
        assert element(element(tree, "main"), "a", href=f"/t/{tournament.slug}/draw/")
        assert not list(elements(tree, "tbody"))

    def test_without_players_it_says_so(self, client: Client) -> None:
        assert "Nobody has been entered yet" in words(read(page(client, make_tournament(players=0))))

    def test_the_last_change_is_told_without_naming_anybody(self, client: Client) -> None:
        tournament = make_tournament(players=8, running=0)
        record(tournament.sessions.get(number=1).tables.get(number=2), wash_out())
        assert "Table 2, hand 1," in words(read(page(client, tournament)))


class TestLive:
    def test_the_rows_alone_are_what_the_page_shows(self, client: Client, spring: Tournament) -> None:
        alone = rows_alone(client, spring).content.decode()
        assert "<html" not in alone
        assert alone in page(client, spring).content.decode()

    def test_the_page_follows_the_stream_from_its_own_version(
        self, client: Client, spring: Tournament
    ) -> None:
        followed = element(read(page(client, spring)), "div", class_="stack")
        assert attribute(followed, "data-live") == f"/live/{spring.slug}/?after={spring.version}"
        assert attribute(followed, "data-refresh") == f"/t/{spring.slug}/ranking/rows/"

    def test_a_row_changes_its_figures_only_when_its_player_is_concerned(self, client: Client) -> None:
        tournament = make_tournament(players=8, running=1)
        before = read(rows_alone(client, tournament))
        table = tournament.sessions.get(number=1).tables.get(number=1)
        seated = set(table.seats.values_list("player__number", flat=True))
        record(table, win(min(seated)))
        after = read(rows_alone(client, tournament))
        changed = {
            number
            for number in range(1, 9)
            if attribute(line_of(before, number), "data-figures")
            != attribute(line_of(after, number), "data-figures")
        }
        assert changed == seated


class TestConditionalRequests:
    @pytest.mark.parametrize("ask", [page, rows_alone])
    def test_what_the_reader_has_is_not_sent_again(
        self, ask: Any, client: Client, spring: Tournament
    ) -> None:
        ask(client, spring)  # the first answer sets the cookie that the second one follows from
        first = ask(client, spring)
        again = ask(client, spring, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == first["ETag"]

    @pytest.mark.parametrize("ask", [page, rows_alone])
    def test_a_hand_makes_a_new_version(self, ask: Any, client: Client) -> None:
        tournament = make_tournament(players=8, running=1)
        ask(client, tournament)
        first = ask(client, tournament)
        play_hands(tournament.sessions.get(number=1).tables.get(number=1))
        again = ask(client, tournament, headers={"If-None-Match": first["ETag"]})
        assert again.status_code == 200
        assert again["ETag"] != first["ETag"]

    def test_the_etag_opens_with_the_version_of_the_standings(
        self, client: Client, spring: Tournament
    ) -> None:
        assert rows_alone(client, spring)["ETag"].startswith(f'"{spring.version}-')

    def test_every_language_has_its_own(self, client: Client, spring: Tournament) -> None:
        tags = {
            rows_alone(client, spring, headers={"Accept-Language": language})["ETag"]
            for language in ("en", "zh-hans", "zh-hant")
        }
        assert len(tags) == 3

    def test_a_reader_who_signs_in_gets_a_page_of_their_own(self, client: Client) -> None:
        tournament = make_tournament(players=8, running=1)
        make_organiser(tournament)
        page(client, tournament)
        before = page(client, tournament)["ETag"]
        client.login(username="olga", password=PASSWORD)
        assert page(client, tournament, headers={"If-None-Match": before}).status_code == 200

    def test_a_message_that_waits_is_shown(self, client: Client) -> None:
        tournament = make_tournament(players=8, running=1)
        make_organiser(tournament)
        client.login(username="olga", password=PASSWORD)
        page(client, tournament)
        tag = page(client, tournament)["ETag"]
        session = client.session
        session["_messages"] = f'[["__json_message",0,{constants.SUCCESS},"Saved."]]'
        session.save()
        with_message = page(client, tournament, headers={"If-None-Match": tag})
        assert with_message.status_code == 200
        assert "ETag" not in with_message

    def test_nothing_is_kept_for_others_and_all_is_asked_again(
        self, client: Client, spring: Tournament
    ) -> None:
        answer = page(client, spring)
        assert {part.strip() for part in answer["Cache-Control"].split(",")} == {"private", "no-cache"}
        assert {"Cookie", "Accept-Language"} <= {name.strip() for name in answer["Vary"].split(",")}

    def test_a_known_version_costs_one_query_and_no_rendering(
        self, client: Client, spring: Tournament, django_assert_num_queries: Any
    ) -> None:
        cache.clear()
        tag = rows_alone(client, spring)["ETag"]
        with django_assert_num_queries(1):
            rows_alone(client, spring)
        with django_assert_num_queries(1):
            rows_alone(client, spring, headers={"If-None-Match": tag})


class TestPrivate:
    @pytest.mark.parametrize("ask", [page, rows_alone])
    def test_it_does_not_exist_for_strangers(self, ask: Any, client: Client) -> None:
        tournament = make_tournament(players=8, running=1, public=False)
        assert ask(client, tournament).status_code == 404
        make_umpire(tournament)
        client.login(username="uma", password=PASSWORD)
        known = ask(client, tournament)
        assert known.status_code == 200
        client.logout()
        assert ask(client, tournament, headers={"If-None-Match": known["ETag"]}).status_code == 404


def test_all_sessions_played_shows_every_arrow_since_the_one_before(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=2, played=1, hands=1)
    assert "Since" not in words(element(read(page(client, tournament)), "thead"))
    play_session(tournament.sessions.get(number=2), hands=1)
    assert "Since S1" in words(element(read(page(client, tournament)), "thead"))


def test_a_changed_name_shows_although_no_figure_changed(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=1, played=1, hands=1)
    page(client, tournament)
    edit_player(tournament.players.get(number=1), SYSTEM, Entrant("Smith", "Ann"))
    assert "Ann Smith" in words(line_of(read(page(client, tournament)), 1))
