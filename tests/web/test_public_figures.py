"""A player's hands added up: the score hand by hand, by seat wind, the fans made, who was met."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import SYSTEM, make_tournament, play_hands, play_session, record, win
from tests.support.html import attribute, element, read
from tournament.access import Audience
from tournament.display.qr import qr_of
from tournament.engine.statements import Accusation
from tournament.models import Tournament
from tournament.selectors.player_page import PlayerPage, player_page
from tournament.services.penalties import give_penalty
from tournament.services.sessions import start_session
from tournament.templatetags.hule_plots import course_plot

pytestmark = pytest.mark.django_db


def of(tournament: Tournament, number: int = 1) -> PlayerPage:
    return player_page(tournament, Audience.STAFF, tournament.players.get(number=number))


@pytest.fixture
def played() -> Tournament:
    return make_tournament(players=8, sessions=3, played=1, running=(3, 1), hands=4)


@pytest.mark.parametrize("number", range(1, 9))
def test_the_course_ends_with_the_points_of_the_standings(played: Tournament, number: int) -> None:
    page = of(played, number)
    assert page.course.scores[0] == 0
    assert page.line is not None
    assert page.course.scores[-1] == page.line.standing.game_points
    assert [session for session, _index in page.course.sessions] == [1, 2]


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
    for whole, part in (
        (page.statistics.hands, "hands"),
        (page.statistics.won, "won"),
        (page.statistics.dealt_in, "dealt_in"),
    ):
        assert sum(getattr(at, part) for at in page.winds) == whole


def test_every_player_is_at_each_wind_once_a_round() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    play_hands(tournament.sessions.get(number=1).tables.get(), 4)
    assert [at.hands for at in of(tournament).winds] == [1, 1, 1, 1]


def test_fans_count_hands_that_had_them() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get(number=1).tables.get()
    for _hand in range(2):
        record(table, win(1, tiles="seven_pairs"))
    made = dict(of(tournament).fans)
    assert made["seven_pairs"] == 2
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
    assert min(heights) >= 8
    assert max(heights) <= 120


def test_the_code_is_that_of_the_page_without_what_was_asked(client: Client, played: Tournament) -> None:
    address = f"/t/{played.slug}/players/1/"
    for asked in ("", "?rank=1"):
        assert qr_of(f"http://testserver{address}") in client.get(address + asked).content.decode()
