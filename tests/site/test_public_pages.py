"""The public pages: there for everybody on a public tournament, nowhere on a private one, and never a crash."""

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.test.html import Element

from tests.support.factories import (
    SYSTEM,
    make_organiser,
    make_tournament,
    make_umpire,
    record,
    wash_out,
    win,
)
from tests.support.html import attribute, element, elements, read, words
from tests.support.sampling import sample
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import seat_wind
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.hands import Statistics
from tournament.play.selectors.public import last_change, sheet
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import start_session
from tournament.players.services.players import withdraw_player
from tournament.ranking.selectors.players import player_page
from tournament.web.selectors import matches_search

PAGES = (
    *("", "ranking/", "ranking/rows/", "draw/", "draw/?by=table", "players/", "players/1/", "statistics/"),
    *("documents/", "sessions/1/", "sessions/2/", "sessions/3/"),
    *("sessions/1/1/", "sessions/2/4/", "sessions/3/1/"),
)
NOWHERE = (
    *("sessions/99/", "sessions/0/", "sessions/1/99/", "sessions/99/1/", "sessions/-1/"),
    *("players/9999/", "players/0/", "players/99999999999999999999999/"),
    "sessions/99999999999999999999999/1/",
)


def get(client: Client, tournament: Tournament, path: str = "", **extra: Any) -> Any:
    return client.get(f"/t/{tournament.slug}/{path}", **extra)


def statuses(client: Client, tournament: Tournament, paths: Iterable[str], **extra: Any) -> dict[str, int]:
    return {path: get(client, tournament, path, **extra).status_code for path in paths}


class TestEverybody:
    @pytest.mark.thorough
    def test_sees_a_tournament_and_changes_nothing(self, client: Client, spring: Tournament) -> None:
        assert statuses(client, spring, PAGES) == dict.fromkeys(PAGES, 200)
        posted = {path: client.post(f"/t/{spring.slug}/{path}").status_code for path in sample(PAGES, 3)}
        assert set(posted.values()) == {405}

    @pytest.mark.parametrize("language", ["zh-hans", "zh-hant"])
    def test_sees_it_in_every_language(self, language: str, client: Client, spring: Tournament) -> None:
        paths = sample(PAGES, 2, key=language)
        headers = {"Accept-Language": language}
        assert statuses(client, spring, paths, headers=headers) == dict.fromkeys(paths, 200)

    @pytest.mark.parametrize(
        ("former", "current"),
        [
            ("/rules/whole/", "/rules/all/"),
            ("/t/spring-open/coming/?q=a", "/t/spring-open/participants/?q=a"),
            ("/organiser/spring-open/whole/", "/organiser/spring-open/file/"),
            ("/organiser/spring-open/dues/?q=a", "/organiser/spring-open/people/?q=a"),
            ("/organiser/spring-open/registrations/7/", "/organiser/spring-open/people/r7/"),
            (
                "/organiser/spring-open/session/2/wrong-seats/",
                "/organiser/spring-open/session/2/seat-correction/",
            ),
            ("/organiser/spring-open/screens/hall/arrange/", "/organiser/spring-open/screens/hall/"),
        ],
    )
    def test_is_led_from_former_addresses_for_good(self, former: str, current: str, client: Client) -> None:
        response = client.get(former)
        assert (response.status_code, response["Location"]) == (301, current)

    def test_gets_404_for_unknown_pages(self, client: Client, spring: Tournament) -> None:
        assert statuses(client, spring, NOWHERE) == dict.fromkeys(NOWHERE, 404)
        assert client.get("/t/nowhere/ranking/").status_code == 404

    @pytest.mark.parametrize(
        "arranged", [{"players": 0}, {"players": 4, "drawn": False}, {"players": 4}], ids=str
    )
    def test_sees_a_tournament_that_has_not_begun(self, arranged: dict[str, Any], client: Client) -> None:
        paths = ["", "ranking/", "draw/", "draw/?by=table", "players/", "players/?q=x"]
        assert statuses(client, make_tournament(**arranged), paths) == dict.fromkeys(paths, 200)

    def test_cannot_see_a_private_tournament_unlike_its_umpires(self, client: Client) -> None:
        arranged = {"players": 4, "sessions": 3, "played": 1, "running": 0, "hands": 1}
        tournament = make_tournament(**arranged, public=False)  # type: ignore[arg-type]
        paths = sample(PAGES, 4)
        assert statuses(client, tournament, paths) == dict.fromkeys(paths, 404)
        client.force_login(make_umpire(tournament))
        assert get(client, tournament).status_code == 200


@pytest.mark.thorough
def test_tables_in_play_and_the_winds_of_their_hands_are_shown(client: Client, spring: Tournament) -> None:
    cards = [words(card) for card in elements(read(get(client, spring)), "a", class_="tcard")]
    assert len(cards) == 4
    assert "Hand 4" in cards[0]
    assert "Waiting" in cards[3]
    score = spring.sessions.get(number=2).tables.get(number=1).seats.get(wind="E").game_points
    assert str(score).replace("-", "−") in cards[0]
    table = spring.sessions.get(number=2).tables.get(number=1)
    card = element(read(get(client, spring, "sessions/2/")), "li", id="t1")
    lines = [words(line) for line in elements(element(card, "ul"), "li")]
    for line, seat in zip(lines, table.seats.order_by("id"), strict=True):
        assert seat.player.name in line
        assert line.split()[0] == seat_wind(seat.wind, 4)
    assert not list(elements(read(get(client, spring, "sessions/3/")), "b", class_="num")), (
        "nothing is played"
    )


def test_the_tournament_leads_the_organiser_to_the_board_and_nobody_else(client: Client) -> None:
    tournament = make_tournament(players=4)
    board = f"/organiser/{tournament.slug}/"
    assert not list(elements(read(get(client, tournament)), "a", href=board))
    client.force_login(make_organiser(tournament))
    assert list(elements(read(get(client, tournament)), "a", href=board))


class TestDraw:
    def test_a_player_is_found_however_it_is_typed(self, client: Client, spring: Tournament) -> None:
        body = element(read(get(client, spring, "draw/")), "tbody")
        assert len(list(elements(body, "tr"))) == 16
        assert len(list(elements(body, "span", class_="place"))) == 16 * 3
        seat = spring.sessions.get(number=2).tables.get(seats__player__number=5)
        for query in ("hakan", "DUPONT", "håkan dup", "5", " dupont  hakan "):
            answer = element(read(get(client, spring, f"draw/?q={query}")), "section", class_="card")
            assert words(element(answer, "h2")) == "Håkan Dupont", query
            assert f"session 2 Table {seat.number}" in words(answer), query
        tree = read(get(client, spring, "draw/?q=a"))
        assert len(list(elements(element(tree, "tbody"), "tr"))) > 5
        tree = read(get(client, spring, "draw/?q=<script>"))
        assert "No match for" in words(tree)
        assert attribute(element(tree, "input", name="q"), "value") == "<script>"

    @pytest.mark.parametrize(("query", "tables"), [("", [4, 4, 4]), ("&q=5", [1, 1, 1])])
    def test_by_table_sessions_have_their_tables(
        self, query: str, tables: list[int], client: Client, spring: Tournament
    ) -> None:
        tree = read(get(client, spring, f"draw/?by=table{query}"))
        assert [len(list(elements(part, "h3"))) for part in elements(tree, "section")] == tables

    def test_before_the_draw_it_says_so(self, client: Client) -> None:
        tree = read(get(client, make_tournament(players=4, drawn=False), "draw/"))
        assert "The seats are not drawn yet" in words(tree)


def test_the_list_has_everybody_by_number_and_marks_the_withdrawn(client: Client) -> None:
    tournament = make_tournament(players=8)
    assert "Next: session 1" in words(read(get(client, tournament, "players/2/")))
    withdraw_player(tournament.players.get(number=2), SYSTEM)
    assert "Next:" not in words(read(get(client, tournament, "players/2/")))
    body = element(read(get(client, tournament, "players/")), "tbody")
    lines = [words(line) for line in elements(body, "tr")]
    assert [line.split()[0] for line in lines] == [str(number) for number in range(1, 9)]
    assert [("withdrawn" in line) for line in lines] == [False, True] + [False] * 6


def test_a_player_sees_results_and_where_to_sit(client: Client, spring: Tournament) -> None:
    seat = spring.sessions.get(number=2).tables.get(number=1).seats.get(wind="E")
    tree = read(get(client, spring, f"players/{seat.player.number}/"))
    now, following, *_others = map(words, elements(tree, "section"))
    assert now.startswith("Now: session 2 Table 1 , you start as East")
    assert following.startswith("Next: session 3 Table")
    assert [other for other in seat.table.seats.exclude(pk=seat.pk) if other.player.name not in now] == []
    before = seat.player.seats.get(table__session__number=1)
    result = element(tree, "li", id="r1")
    assert f"Session 1, table {before.table.number}" in words(result)
    assert attribute(result, "data-figures") == str(before.game_points)


def test_a_players_penalties_are_public_until_they_are_taken_back(client: Client) -> None:
    tournament = make_tournament(players=4, running=1)
    table = tournament.sessions.get(number=1).tables.get()
    penalty = give_penalty(table, SYSTEM, Accusation(1, "false_hu", 1), uuid=uuid4())
    assert "20 points to each of the others" in words(read(get(client, tournament, "players/1/")))
    cancel_penalty(penalty, SYSTEM, reason="wrong player")
    assert "20 points to each of the others" not in words(read(get(client, tournament, "players/1/")))


class TestSheet:
    @pytest.fixture
    def table(self) -> Table:
        """No hands yet."""
        return make_tournament(players=4, running=0).sessions.get(number=1).tables.get()

    def first_line(self, client: Client, table: Table) -> Element:
        return element(read(get(client, table.session.tournament, "sessions/1/1/")), "tr", id="h1")

    def test_tells_a_hand_with_its_fans_and_the_running_scores(self, client: Client, table: Table) -> None:
        east, south, *_ = table.seats.order_by("id")
        record(table, win(east.player.number, south.player.number, "seven_pairs"))
        line = self.first_line(client, table)
        text = words(element(line, "td", class_="what"))
        assert text.startswith(f"{east.player.name} from {south.player.name}, 25 points")
        assert "Seven Pairs 24, No Honors 1" in text
        cells = [words(cell) for cell in elements(line, "td", class_="num")]
        assert cells == ["+49 49", "−33 −33", "−8 −8", "−8 −8"]
        assert len(list(elements(line, "svg"))) == 14
        chinese = {"Accept-Language": "zh-hans"}
        assert "七对" in get(client, table.session.tournament, "sessions/1/1/", headers=chinese).text

    def test_running_scores_end_at_those_of_the_seats(self, client: Client, spring: Tournament) -> None:
        table = spring.sessions.get(number=2).tables.get(number=1)
        *_, last = elements(element(read(get(client, spring, "sessions/2/1/")), "tbody"), "tr")
        shown = [words(element(cell, "b")).replace("−", "-") for cell in elements(last, "td", class_="num")]
        assert shown == [str(seat.game_points) for seat in table.seats.order_by("id")]
        assert "No hand is recorded at this table yet" in words(read(get(client, spring, "sessions/2/4/")))

    def test_a_penalty_stands_in_its_hand_and_moves_the_score(self, client: Client, table: Table) -> None:
        """24 + 1 + 1 for the self-draw: 3 × (26 + 8), less 5."""
        east = table.seats.get(wind="E").player.number
        record(table, win(east))
        fault = Accusation(east, "rules_violation", 1, details={"points": 5})
        give_penalty(table, SYSTEM, fault, uuid=uuid4())
        line = self.first_line(client, table)
        assert "5 points" in words(element(line, "p", class_="foul-line"))
        assert words(element(line, "td", class_="winner")) == "+97 97"

    def test_a_corrected_hand_is_marked(self, client: Client, table: Table) -> None:
        correct_hand(record(table, win(1)), SYSTEM, win(2), reason="wrong winner", uuid=uuid4())
        text = words(self.first_line(client, table))
        assert "corrected" in text
        assert "wrong winner" not in text


class TestSearch:
    def test_a_search_fits_names_and_numbers(self) -> None:
        player = Player(number=15, last_name="Nowak")
        assert matches_search(player, "15")
        assert not matches_search(player, "5")
        player = Player(number=1, first_name="Zoë", last_name="van den Berg", team="Rotterdam", country="NLD")
        fitting = {
            query: matches_search(player, query) for query in ("berg zoe", "rotterdam", "nld", "zoe smith")
        }
        assert fitting == {"berg zoe": True, "rotterdam": True, "nld": True, "zoe smith": False}
        assert matches_search(Player(number=1, first_name="伟", last_name="张"), "张伟")


def test_the_last_change_is_of_a_session_and_no_withdrawal() -> None:
    tournament = make_tournament(players=8)
    session = tournament.sessions.get(number=1)
    assert last_change(tournament, Audience.STAFF) is None
    start_session(session, SYSTEM)
    change = last_change(tournament, Audience.STAFF)
    assert change is not None
    assert (change.action, change.session) == ("session_started", 1)
    record(session.tables.get(number=2), wash_out())
    withdraw_player(tournament.players.get(number=1), SYSTEM)
    change = last_change(tournament, Audience.STAFF)
    assert change is not None
    assert (change.action, change.table, change.hand) == ("hand_recorded", 2, 1)


class TestLinesOfASheet:
    def test_winds_move_with_the_deal_while_columns_stay(self) -> None:
        table = make_tournament(players=4, running=2).sessions.get(number=1).tables.get()
        winds = ["".join(cell.wind for cell in line.cells) for line in sheet(table, Audience.STAFF).lines]
        assert winds == ["ESWN", "NESW"]

    def test_a_penalty_before_any_hand_has_a_line_of_its_own_on_top(self) -> None:
        table = make_tournament(players=4, running=0).sessions.get(number=1).tables.get()
        late = Accusation(1, "late", details={"minutes": 12})
        penalty = give_penalty(table, SYSTEM, late, uuid=uuid4())
        record(table, wash_out())
        before, hand = sheet(table, Audience.STAFF).lines
        assert (before.hand, before.penalties) == (None, (penalty,))
        assert sum(cell.change for cell in before.cells) == sum(penalty.effects.values()) < 0
        assert [cell.score for cell in hand.cells] == [cell.score for cell in before.cells]

    def test_a_penalty_in_the_hand_being_played_comes_last(self) -> None:
        table = make_tournament(players=4, running=1).sessions.get(number=1).tables.get()
        give_penalty(table, SYSTEM, Accusation(1, "false_hu", 2), uuid=uuid4())
        last = sheet(table, Audience.STAFF).lines[-1]
        assert last.hand is None
        assert [cell.score for cell in last.cells] == [
            seat.game_points for seat in table.seats.order_by("id")
        ]


def test_a_players_page_counts_hands_won_and_dealt_in() -> None:
    tournament = make_tournament(players=4, running=0)
    table = tournament.sessions.get(number=1).tables.get()
    for entry in (win(1, 2), win(1, None, "pure_straight"), win(3, 1, "mixed_triple_chow"), wash_out()):
        record(table, entry)
    page = player_page(tournament, Audience.STAFF, tournament.players.get(number=1))
    counts = page.statistics
    assert (counts.hands, counts.won, counts.self_drawn, counts.dealt_in, counts.neither) == (4, 2, 1, 1, 1)
    assert page.best is not None
    assert page.best.number == max((1, 2), key=lambda number: table.hands.get(number=number).points)


def test_there_is_no_average_of_nothing() -> None:
    nothing = Statistics(hands=3, won=0, self_drawn=0, dealt_in=0, won_points=0, dealt_in_points=0)
    assert (nothing.average_won, nothing.average_dealt_in) == (None, None)
