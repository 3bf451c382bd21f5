"""A player's hands added up: score, winds, fans, who was met, what is needed; and the card on their own device."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_tournament, play_session, record, wash_out, win
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import missing
from tournament.base.access import Audience
from tournament.base.engine.finals import Carry
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.services.sessions import start_session
from tournament.play.services.tables import hand_in
from tournament.players.services.players import withdraw_player
from tournament.ranking.engine.finals import FinalStage, FinalsWish
from tournament.ranking.selectors.players import PlayerPage, player_page
from tournament.ranking.selectors.ranking import ranking
from tournament.ranking.tags import course_plot
from tournament.seating.services.seatings import set_up_final
from tournament.web.display import qr_of


def of(tournament: Tournament, number: int = 1) -> PlayerPage:
    return player_page(tournament, Audience.STAFF, tournament.players.get(number=number))


@pytest.fixture
def played() -> Tournament:
    return make_tournament(players=8, sessions=3, played=1, running=(3, 1), hands=4)


@pytest.mark.thorough
def test_course_and_winds_are_those_of_the_standings_and_drawn(played: Tournament, client: Client) -> None:
    for number in (1, 8):
        page = of(played, number)
        assert page.line is not None
        scores = page.course.scores
        assert (scores[0], scores[-1]) == (0, page.line.standing.game_points), number
        assert [session for session, _index in page.course.sessions] == [1, 2], number
    page = of(played)
    assert [at.wind for at in page.winds] == ["E", "S", "W", "N"]
    for part in ("hands", "won", "dealt_in"):
        assert sum(getattr(at, part) for at in page.winds) == getattr(page.statistics, part)
    plot, address = course_plot(page.course), f"/t/{played.slug}/players/1/"
    response, with_query = client.get(address), client.get(f"{address}?rank=1")
    assert attribute(element(read(response), "svg", role="img"), "aria-label") == plot["label"]
    assert len(plot["line"].split()) == len(page.course.scores)
    heights = [float(point.split(",")[1]) for point in plot["line"].split()]
    assert 8 <= min(heights) <= max(heights) <= 120
    code = qr_of(f"http://testserver{address}")
    assert [code in page.text for page in (response, with_query)] == [True, True]


def test_every_player_is_at_each_wind_once_a_round_and_fans_count_hands_that_had_them() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get(number=1).tables.get()
    for entry in (win(1), win(1), wash_out(), wash_out()):
        record(table, entry)
    page = of(tournament)
    assert [at.hands for at in page.winds] == [1, 1, 1, 1]
    assert dict(page.fans)["seven_pairs"] == 2
    assert of(tournament, 2).fans == ()
    before = page.course.scores
    give_penalty(table, SYSTEM, Accusation(1, "false_hu", 1), uuid=uuid4())
    tournament.refresh_from_db()
    scores = of(tournament).course.scores
    assert len(scores) == len(before) + 1, "a penalty is a step of its own where the hands end"
    assert scores[-1] < scores[-2]


def test_who_sits_together_twice_has_met_twice() -> None:
    tournament = make_tournament(players=4, sessions=3)
    assert of(tournament).met == ()
    play_session(tournament.sessions.get(number=1), hands=1)
    start_session(tournament.sessions.get(number=2), SYSTEM)
    assert {(other.number, n) for other, n in of(tournament).met} == {(2, 2), (3, 2), (4, 2)}


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


@pytest.mark.thorough
def test_it_says_what_each_place_takes_and_who_leads(client: Client, table: Table) -> None:
    leader = table.seats.get(wind="E")
    behind = leader.game_points - table.seats.get(wind="S").game_points
    text = words(needs(client, table.session.tournament, at(table, "S")))
    assert f"1st at the table , {behind} behind {leader.player.name}" in text
    least = (behind - 32) // 4 + 1
    assert f"by self-draw {max(8, least)} points" in text
    assert f"from {leader.player.name} {max(8, (behind - 32) // 2 + 1)} points" in text
    assert "You lead the table." in words(needs(client, table.session.tournament, at(table, "E")))
    section = needs(client, table.session.tournament, at(table, "S"), "?rank=1")
    assert "Rank 1 or better" in words(section)
    assert "open" in dict(element(section, "details").attributes)
    for rank in ("0", "x", "999999999", "٣"):
        assert needs(client, table.session.tournament, at(table, "S"), f"?rank={rank}") is not None, rank


def test_nothing_is_needed_where_nothing_can_change(client: Client, table: Table) -> None:
    tournament = table.session.tournament
    hand_in(table, SYSTEM)
    assert needs(client, tournament, at(table, "S")) is None
    over = make_tournament(players=8, sessions=1, name="Over")
    play_session(over.sessions.get(number=1), hands=1)
    assert needs(client, over, 1) is None


@pytest.fixture
def final() -> Tournament:
    """Four of eight play on after the first session, after which number 8 has withdrawn."""
    tournament = make_tournament(players=8, sessions=2, played=1)
    withdraw_player(tournament.players.get(number=8), SYSTEM)
    set_up_final(tournament, SYSTEM, FinalsWish(FinalStage(4, 4, Carry.FULL), 1, "x"))
    return tournament


def card(client: Client, tournament: Tournament, number: int) -> str:
    return words(read(client.get(reverse("player_card", args=[tournament.slug, number]))))


def page(client: Client, tournament: Tournament, number: int) -> str:
    answer = client.get(reverse("player_page", args=[tournament.slug, number]))
    return words(element(read(answer), "main", id="main"))


def test_seat_rank_and_needs_are_on_the_card(client: Client) -> None:
    spring = make_tournament(sessions=3, played=1, running=1)
    text = card(client, spring, 5)
    line = ranking(spring, Audience.PUBLIC).find(5)
    assert line is not None
    assert missing(text, f"Rank {line.standing.rank}", "Now: session 2", "What you need") == []
    assert client.get(reverse("player_card", args=[spring.slug, 99])).status_code == 404
    early = make_tournament(players=8, drawn=False, name="Early")
    assert "The seats are not drawn." in card(client, early, 1)
    url = reverse("player_card", args=[spring.slug, 1])
    first, second = client.get(url), Client().get(url)
    assert first.content == second.content, "the same for everybody"
    assert not first.cookies
    assert client.get(url, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_who_missed_the_final_reads_place_and_finalists(client: Client, final: Tournament) -> None:
    finalists = final.finals.get().numbers
    names = [final.players.get(number=number).name for number in finalists]
    rows = ranking(final, Audience.PUBLIC).rows
    first_out = next(row for row in rows if row.player.number not in (*finalists, 8))
    for read_by in (card, page):
        text = read_by(client, final, first_out.player.number)
        assert "The finals are set, without you" in text
        assert f"Your place: {first_out.standing.rank}." in text
        assert all(name in text for name in names)
    assert [n for n in (finalists[0], 8) if "without you" in page(client, final, n)] == []
