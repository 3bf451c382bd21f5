"""A player's hands added up: the score hand by hand, by seat wind, the fans made, who was met, what is needed."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import SYSTEM, make_tournament, play_session, record, wash_out, win
from tests.support.html import attribute, element, elements, read, words
from tournament.access import Audience
from tournament.display.qr import qr_of
from tournament.engine.statements import Accusation
from tournament.models import Table, Tournament
from tournament.selectors.player_page import PlayerPage, player_page
from tournament.services.penalties import give_penalty
from tournament.services.sessions import start_session
from tournament.services.tables import hand_in
from tournament.templatetags.hule_plots import course_plot


def of(tournament: Tournament, number: int = 1) -> PlayerPage:
    return player_page(tournament, Audience.STAFF, tournament.players.get(number=number))


@pytest.fixture
def played() -> Tournament:
    return make_tournament(players=8, sessions=3, played=1, running=(3, 1), hands=4)


def test_the_course_ends_with_the_points_of_the_standings(played: Tournament) -> None:
    for number in range(1, 9):
        page = of(played, number)
        assert page.line is not None
        scores = page.course.scores
        assert (scores[0], scores[-1]) == (0, page.line.standing.game_points), number
        assert [session for session, _index in page.course.sessions] == [1, 2], number


def test_a_penalty_is_a_step_of_its_own_where_the_hands_end() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get(number=1).tables.get()
    record(table, win(1))
    give_penalty(table, SYSTEM, Accusation(1, "false_hu", 1), uuid=uuid4())
    scores = of(tournament).course.scores
    assert len(scores) == 3
    assert scores[2] < scores[1]


def test_the_winds_share_all_hands_among_them(played: Tournament) -> None:
    page = of(played)
    assert [at.wind for at in page.winds] == ["E", "S", "W", "N"]
    for part in ("hands", "won", "dealt_in"):
        assert sum(getattr(at, part) for at in page.winds) == getattr(page.statistics, part)


def test_every_player_is_at_each_wind_once_a_round_and_fans_count_hands_that_had_them() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get(number=1).tables.get()
    for entry in (win(1), win(1), wash_out(), wash_out()):
        record(table, entry)
    page = of(tournament)
    assert [at.hands for at in page.winds] == [1, 1, 1, 1]
    assert dict(page.fans)["seven_pairs"] == 2
    assert of(tournament, 2).fans == ()


def test_who_sits_together_twice_has_met_twice() -> None:
    tournament = make_tournament(players=4, sessions=3)
    assert of(tournament).met == ()
    play_session(tournament.sessions.get(number=1), hands=1)
    start_session(tournament.sessions.get(number=2), SYSTEM)
    assert {(other.number, n) for other, n in of(tournament).met} == {(2, 2), (3, 2), (4, 2)}


def test_the_plot_says_its_figures_in_words(client: Client, played: Tournament) -> None:
    plot = course_plot(of(played).course)
    tree = read(client.get(f"/t/{played.slug}/players/1/"))
    assert attribute(element(tree, "svg", role="img"), "aria-label") == plot["label"]
    assert len(plot["line"].split()) == len(of(played).course.scores)
    heights = [float(point.split(",")[1]) for point in plot["line"].split()]
    assert 8 <= min(heights) <= max(heights) <= 120


def test_the_code_is_that_of_the_page_without_what_was_asked(client: Client, played: Tournament) -> None:
    address = f"/t/{played.slug}/players/1/"
    for asked in ("", "?rank=1"):
        assert qr_of(f"http://testserver{address}") in client.get(address + asked).content.decode()


@pytest.fixture
def table() -> Table:
    """One hand played at table 1 of the second session: the one at East won it self-drawn."""
    tournament = make_tournament(players=8, sessions=2, played=1, running=0)
    table = tournament.sessions.get(number=2).tables.get(number=1)
    record(table, win(at(table, "E")))
    return table


def at(table: Table, wind: str) -> int:
    return table.seats.get(wind=wind).player.number


def needs(client: Client, tournament: Tournament, number: int, query: str = "") -> Any:
    tree = read(client.get(f"/t/{tournament.slug}/players/{number}/{query}"))
    return next(elements(tree, "section", id="needs"), None)


def test_it_says_what_each_place_takes_and_from_whom(client: Client, table: Table) -> None:
    leader = table.seats.get(wind="E")
    behind = leader.game_points - table.seats.get(wind="S").game_points
    text = words(needs(client, table.session.tournament, at(table, "S")))
    assert f"1st at the table , {behind} behind {leader.player.name}" in text
    least = (behind - 32) // 4 + 1
    assert f"by self-draw {max(8, least)} points" in text
    assert f"from {leader.player.name} {max(8, (behind - 32) // 2 + 1)} points" in text


def test_who_leads_is_told_so(client: Client, table: Table) -> None:
    assert "You lead the table." in words(needs(client, table.session.tournament, at(table, "E")))


def test_a_rank_is_asked_for_by_a_plain_address(client: Client, table: Table) -> None:
    section = needs(client, table.session.tournament, at(table, "S"), "?rank=1")
    assert "Rank 1 or better" in words(section)
    assert "open" in dict(element(section, "details").attributes)
    for rank in ("", "0", "-1", "x", "999999999", "99999", "٣"):
        assert needs(client, table.session.tournament, at(table, "S"), f"?rank={rank}") is not None, rank


def test_nothing_is_needed_where_nothing_can_change(client: Client, table: Table) -> None:
    tournament = table.session.tournament
    hand_in(table, SYSTEM)
    assert needs(client, tournament, at(table, "S")) is None
    over = make_tournament(players=8, sessions=1, name="Over")
    play_session(over.sessions.get(number=1), hands=1)
    assert needs(client, over, 1) is None
