"""The public pages: there for everybody on a public tournament, nowhere on a private one, and never a crash."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import (
    PASSWORD,
    SYSTEM,
    make_organiser,
    make_tournament,
    make_umpire,
    record,
    win,
)
from tests.support.html import attribute, element, elements, read, words
from tests.support.sampling import sample
from tournament.engine.statements import Accusation
from tournament.models import Tournament
from tournament.services.hands import correct_hand
from tournament.services.penalties import cancel_penalty, give_penalty
from tournament.services.players import withdraw_player

pytestmark = pytest.mark.django_db

PAGES = (
    "",
    "ranking/",
    "ranking/rows/",
    "draw/",
    "draw/?by=table",
    "players/",
    "players/1/",
    "statistics/",
    "documents/",
    "sessions/1/",
    "sessions/2/",
    "sessions/3/",
    "sessions/1/1/",
    "sessions/2/4/",
    "sessions/3/1/",
)
NOWHERE = (
    "sessions/99/",
    "sessions/0/",
    "sessions/1/99/",
    "sessions/99/1/",
    "players/9999/",
    "players/0/",
    "players/99999999999999999999999/",
    "sessions/99999999999999999999999/1/",
    "sessions/-1/",
)


def get(client: Client, tournament: Tournament, path: str = "", **extra: Any) -> Any:
    return client.get(f"/t/{tournament.slug}/{path}", **extra)


class TestEverybody:
    @pytest.mark.parametrize("path", PAGES)
    def test_sees_a_public_tournament(self, path: str, client: Client, spring: Tournament) -> None:
        assert get(client, spring, path).status_code == 200

    @pytest.mark.parametrize("language", ["zh-hans", "zh-hant"])
    @pytest.mark.parametrize("path", PAGES)
    def test_in_every_language(self, path: str, language: str, client: Client, spring: Tournament) -> None:
        assert get(client, spring, path, headers={"Accept-Language": language}).status_code == 200

    @pytest.mark.parametrize("path", PAGES)
    def test_can_change_nothing(self, path: str, client: Client, spring: Tournament) -> None:
        assert client.post(f"/t/{spring.slug}/{path}").status_code == 405

    @pytest.mark.parametrize("path", NOWHERE)
    def test_is_told_what_is_not_there(self, path: str, client: Client, spring: Tournament) -> None:
        assert get(client, spring, path).status_code == 404

    def test_is_told_that_there_is_no_such_tournament(self, client: Client) -> None:
        assert client.get("/t/nowhere/ranking/").status_code == 404

    @pytest.mark.parametrize("drawn", [False, True])
    @pytest.mark.parametrize("path", ["", "ranking/", "draw/", "draw/?by=table", "players/"])
    def test_sees_a_tournament_that_has_not_begun(self, path: str, drawn: bool, client: Client) -> None:
        assert get(client, make_tournament(players=4, drawn=drawn), path).status_code == 200

    @pytest.mark.parametrize("path", ["", "ranking/", "draw/", "players/", "players/?q=x"])
    def test_sees_a_tournament_without_anybody(self, path: str, client: Client) -> None:
        assert get(client, make_tournament(players=0), path).status_code == 200


class TestPrivate:
    @pytest.mark.parametrize("path", PAGES)
    def test_is_hidden_from_strangers(self, path: str, client: Client) -> None:
        tournament = make_tournament(players=4, sessions=3, played=1, running=0, hands=1, public=False)
        assert get(client, tournament, path).status_code == 404

    def test_is_open_to_its_umpires(self, client: Client) -> None:
        tournament = make_tournament(players=4, public=False)
        make_umpire(tournament)
        client.login(username="uma", password=PASSWORD)
        assert get(client, tournament).status_code == 200


class TestTournament:
    def test_shows_the_tables_in_play_with_their_hands_and_scores(
        self, client: Client, spring: Tournament
    ) -> None:
        tree = read(get(client, spring))
        cards = [words(card) for card in elements(tree, "a", class_="tcard")]
        assert len(cards) == 4
        assert "Hand 4" in cards[0]
        assert "Waiting" in cards[3]
        score = spring.sessions.get(number=2).tables.get(number=1).seats.get(wind="E").game_points
        assert str(score).replace("-", "−") in cards[0]

    def test_leads_the_organiser_to_the_board_and_nobody_else(self, client: Client) -> None:
        tournament = make_tournament(players=4)
        make_organiser(tournament)
        board = f"/organiser/{tournament.slug}/"
        assert not list(elements(read(get(client, tournament)), "a", href=board))
        client.login(username="olga", password=PASSWORD)
        assert list(elements(read(get(client, tournament)), "a", href=board))


class TestSession:
    def test_names_the_winds_each_player_starts_with(self, client: Client, spring: Tournament) -> None:
        table = spring.sessions.get(number=2).tables.get(number=1)
        card = element(read(get(client, spring, "sessions/2/")), "li", id="t1")
        seats = [words(line) for line in elements(element(card, "ul"), "li")]
        for line, seat in zip(seats, table.seats.order_by("id"), strict=True):
            assert seat.player.name in line
            assert line.split()[0] == seat.wind

    def test_shows_no_score_where_nothing_is_played(self, client: Client, spring: Tournament) -> None:
        assert not list(elements(read(get(client, spring, "sessions/3/")), "b", class_="num"))


class TestDraw:
    def test_by_player_everybody_has_a_place_in_every_session(
        self, client: Client, spring: Tournament
    ) -> None:
        body = element(read(get(client, spring, "draw/")), "tbody")
        assert len(list(elements(body, "tr"))) == 16
        assert len(list(elements(body, "span", class_="place"))) == 16 * 3

    def test_by_table_every_session_has_its_tables(self, client: Client, spring: Tournament) -> None:
        tree = read(get(client, spring, "draw/?by=table"))
        assert [len(list(elements(part, "h3"))) for part in elements(tree, "section")] == [4, 4, 4]

    @pytest.mark.parametrize("wanted", ["hakan", "DUPONT", "håkan dup", "5", " dupont  hakan "])
    def test_finds_a_player_however_it_is_typed(
        self, wanted: str, client: Client, spring: Tournament
    ) -> None:
        answer = element(read(get(client, spring, f"draw/?q={wanted}")), "section", class_="card")
        seat = spring.sessions.get(number=2).tables.get(seats__player__number=5)
        assert words(element(answer, "h2")) == "Håkan Dupont"
        assert f"session 2 Table {seat.number}" in words(answer)

    def test_many_who_fit_stand_in_the_table(self, client: Client, spring: Tournament) -> None:
        tree = read(get(client, spring, "draw/?q=a"))
        assert len(list(elements(element(tree, "tbody"), "tr"))) > 5

    def test_by_table_keeps_the_tables_of_whom_was_looked_for(
        self, client: Client, spring: Tournament
    ) -> None:
        tree = read(get(client, spring, "draw/?by=table&q=5"))
        assert [len(list(elements(part, "h3"))) for part in elements(tree, "section")] == [1, 1, 1]

    def test_says_when_nobody_fits_and_keeps_what_was_typed(self, client: Client, spring: Tournament) -> None:
        tree = read(get(client, spring, "draw/?q=<script>"))
        assert "Nobody here is called" in words(tree)
        assert attribute(element(tree, "input", name="q"), "value") == "<script>"

    def test_before_the_draw_it_says_so(self, client: Client) -> None:
        assert "The seats are not drawn yet" in words(
            read(get(client, make_tournament(players=4, drawn=False), "draw/"))
        )


class TestPlayers:
    def test_lists_everybody_by_number_and_marks_the_withdrawn(self, client: Client) -> None:
        tournament = make_tournament(players=8)
        withdraw_player(tournament.players.get(number=2), SYSTEM)
        body = element(read(get(client, tournament, "players/")), "tbody")
        lines = [words(line) for line in elements(body, "tr")]
        assert [line.split()[0] for line in lines] == [str(number) for number in range(1, 9)]
        assert [("withdrawn" in line) for line in lines] == [False, True] + [False] * 6


class TestPlayer:
    def test_says_where_to_sit_now_and_next_and_with_whom(self, client: Client, spring: Tournament) -> None:
        seat = spring.sessions.get(number=2).tables.get(number=1).seats.get(wind="E")
        cards = [
            words(card)
            for card in elements(read(get(client, spring, f"players/{seat.player.number}/")), "section")
        ]
        assert cards[0].startswith("Now: session 2 Table 1 , start")
        assert cards[1].startswith("Next: session 3 Table")
        for other in seat.table.seats.exclude(pk=seat.pk):
            assert other.player.name in cards[0]

    def test_shows_each_session_with_table_points_and_game_points(
        self, client: Client, spring: Tournament
    ) -> None:
        seat = spring.sessions.get(number=1).tables.get(number=1).seats.get(wind="E")
        result = element(read(get(client, spring, f"players/{seat.player.number}/")), "li", id="r1")
        assert "Session 1, table 1" in words(result)
        assert attribute(result, "data-figures") == str(seat.game_points)

    def test_a_withdrawn_player_has_no_next_seat(self, client: Client) -> None:
        tournament = make_tournament(players=4)
        assert "Next: session 1" in words(read(get(client, tournament, "players/1/")))
        withdraw_player(tournament.players.get(number=1), SYSTEM)
        assert "Next:" not in words(read(get(client, tournament, "players/1/")))

    def test_penalties_are_public_until_they_are_taken_back(self, client: Client) -> None:
        tournament = make_tournament(players=4, running=1)
        table = tournament.sessions.get(number=1).tables.get()
        penalty = give_penalty(table, SYSTEM, Accusation(1, "false_hu", 1), uuid=uuid4())
        assert "20 points to each of the others" in words(read(get(client, tournament, "players/1/")))
        cancel_penalty(penalty, SYSTEM, reason="wrong player")
        assert "20 points to each of the others" not in words(read(get(client, tournament, "players/1/")))


class TestSheet:
    def test_tells_a_hand_with_its_fans_and_the_running_scores(self, client: Client) -> None:
        tournament = make_tournament(players=4, running=0)
        table = tournament.sessions.get(number=1).tables.get()
        east, south, *_ = table.seats.order_by("id")
        record(table, win(east.player.number, south.player.number, "seven_pairs"))
        line = element(read(get(client, tournament, "sessions/1/1/")), "tr", id="h1")
        told = words(element(line, "td", class_="what"))
        assert told.startswith(f"{east.player.name} from {south.player.name}, 25 points")
        assert "Seven Pairs 24, No Honors 1" in told
        assert [words(cell) for cell in elements(line, "td", class_="num")] == [
            "+49 49",
            "−33 −33",
            "−8 −8",
            "−8 −8",
        ]
        assert len(list(elements(line, "svg"))) == 14

    def test_names_fans_in_the_readers_language(self, client: Client, spring: Tournament) -> None:
        page = get(client, spring, "sessions/1/1/", headers={"Accept-Language": "zh-hans"}).content.decode()
        assert any(name in page for name in ("七对", "清龙", "三色三同顺", "双暗杠"))

    def test_running_scores_end_at_those_of_the_seats(self, client: Client, spring: Tournament) -> None:
        table = spring.sessions.get(number=2).tables.get(number=1)
        *_, last = elements(element(read(get(client, spring, "sessions/2/1/")), "tbody"), "tr")
        shown = [words(element(cell, "b")).replace("−", "-") for cell in elements(last, "td", class_="num")]
        assert shown == [str(seat.game_points) for seat in table.seats.order_by("id")]

    def test_a_penalty_stands_in_its_hand_and_moves_the_score(self, client: Client) -> None:
        tournament = make_tournament(players=4, running=0)
        table = tournament.sessions.get(number=1).tables.get()
        east = table.seats.get(wind="E").player
        record(table, win(east.number))
        give_penalty(
            table, SYSTEM, Accusation(east.number, "rules_violation", 1, details={"points": 5}), uuid=uuid4()
        )
        line = element(read(get(client, tournament, "sessions/1/1/")), "tr", id="h1")
        assert "5 points" in words(element(line, "p", class_="foul-line"))
        assert (
            words(element(line, "td", class_="winner")) == "+97 97"
        )  # 24 + 1 + 1 for the self-draw: 3 × (26 + 8), less 5

    def test_a_corrected_hand_is_marked(self, client: Client) -> None:
        tournament = make_tournament(players=4, running=0)
        table = tournament.sessions.get(number=1).tables.get()
        hand = record(table, win(1))
        correct_hand(hand, SYSTEM, win(2), reason="wrong winner", uuid=uuid4())
        line = element(read(get(client, tournament, "sessions/1/1/")), "tr", id="h1")
        assert "corrected" in words(line)
        assert "wrong winner" not in words(line)

    def test_before_the_first_hand_it_says_so(self, client: Client, spring: Tournament) -> None:
        assert "No hand is recorded at this table yet" in words(read(get(client, spring, "sessions/2/4/")))


@pytest.mark.parametrize(
    "path",
    sample(
        [path for path in PAGES if "rows" not in path], 2, always=["ranking/", "players/1/", "sessions/2/"]
    ),
)
def test_pages_ask_the_database_as_often_for_many_players_as_for_few(
    path: str, client: Client, django_assert_max_num_queries: Any
) -> None:
    tournament = make_tournament(players=40, sessions=3, played=1, running=0, hands=1)
    with django_assert_max_num_queries(42):
        get(client, tournament, path)
