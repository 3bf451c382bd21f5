"""Somebody leaves in mid-event: a substitute in one tap, a stand-in by name, and the seat is marked everywhere."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.models import Tournament
from tournament.services.players import add_substitutes, withdraw_player
from tournament.services.seatings import replan_seats
from tournament.services.sessions import start_session
from tournament.services.vacancies import name_stand_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def one_left(client: Client) -> Tournament:
    """12 players, one session of three played; number 5, Håkan Dupont, has withdrawn since."""
    tournament = make_tournament(players=12, sessions=3, played=1)
    client.force_login(make_organiser(tournament))
    withdraw_player(tournament.players.get(number=5), SYSTEM)
    return tournament


def at(tournament: Tournament, name: str, *where: int) -> str:
    return reverse(name, args=[tournament.slug, *where])


@pytest.mark.parametrize(
    "page", ["organiser_players", "organiser_draw", "organiser_board", "organiser_replan"]
)
def test_one_tap_adds_a_substitute_and_shows_the_new_plan(
    client: Client, one_left: Tournament, page: str
) -> None:
    text = client.get(at(one_left, page)).text
    assert "Add a substitute who is not ranked" in text
    assert f'action="{at(one_left, "organiser_substitutes")}"' in text
    answer = client.post(at(one_left, "organiser_substitutes"), follow=True)
    assert answer.redirect_chain[-1][0] == at(one_left, "organiser_replan")
    assert "Take the new plan" in answer.text
    client.post(at(one_left, "organiser_replan"), {"seen": answer.context["seen"]})
    assert "Add a substitute" not in client.get(at(one_left, page)).text
    list_of_players = client.get(at(one_left, "organiser_players")).text
    assert "12 players, 1 of them has left, 1 substitute" in list_of_players


def test_before_the_draw_the_way_leads_back_to_the_list(client: Client) -> None:
    tournament = make_tournament(players=10, drawn=False)
    client.force_login(make_organiser(tournament))
    assert "Add 2 substitutes who are not ranked" in client.get(at(tournament, "organiser_players")).text
    answer = client.post(at(tournament, "organiser_substitutes"), follow=True)
    assert answer.redirect_chain[-1][0] == at(tournament, "organiser_players")
    assert "Substitute 2" in answer.text
    assert "substitutes who are not ranked" not in answer.text


def test_the_start_is_refused_with_the_ways_on(client: Client, one_left: Tournament) -> None:
    page = client.post(at(one_left, "organiser_session_start", 2), follow=True).text
    assert "Håkan Dupont has withdrawn and has a seat at table" in page
    assert "Withdrawn, and still seated" in page
    assert f'action="{at(one_left, "organiser_stand_in", 2)}"' in page
    page = client.post(
        at(one_left, "organiser_stand_in", 2), {"player": "5", "name": "Ana Lima"}, follow=True
    ).text
    assert "Ana Lima plays for Håkan Dupont." in page
    assert (
        "Session 2 has started." in client.post(at(one_left, "organiser_session_start", 2), follow=True).text
    )


@pytest.mark.parametrize("said", [{}, {"player": "x"}, {"player": "1", "name": "Ana"}, {"player": "99"}])
def test_a_stand_in_is_for_somebody_who_has_withdrawn(
    client: Client, one_left: Tournament, said: dict[str, str]
) -> None:
    assert client.post(at(one_left, "organiser_stand_in", 2), said).status_code == 404


def test_who_has_withdrawn_is_marked_wherever_the_seat_is_seen(client: Client, one_left: Tournament) -> None:
    session = one_left.sessions.get(number=2)
    table = session.tables.get(seats__player__number=5)
    name_stand_in(table, SYSTEM, 5, "Ana Lima")
    start_session(session, SYSTEM)
    other = table.seats.exclude(player__number=5)[0].player.number
    desk = client.get(at(one_left, "desk", 2, table.number))
    (seat,) = [seat for seat in desk.context["state"]["seats"] if seat["player"] == 5]
    assert (seat["withdrawn"], seat["stand_in"]) == (True, "Ana Lima")
    for page in (
        desk.text,
        client.get(at(one_left, "organiser_session", 2)).text,
        client.get(at(one_left, "umpire_tables")).text,
        client.get(at(one_left, "session_page", 2)).text,
        client.get(at(one_left, "table_page", 2, table.number)).text,
        client.get(at(one_left, "player_page", other)).text,
        client.get(at(one_left, "draw_page") + "?by=table").text,
        client.get(at(one_left, "organiser_draw")).text,
    ):
        assert ">withdrawn</span>" in page
        assert "stand-in: Ana Lima" in page


def test_a_substitute_is_listed_apart_and_has_a_page(client: Client, one_left: Tournament) -> None:
    add_substitutes(one_left, SYSTEM, "Substitute")
    replan_seats(one_left, SYSTEM)
    ranking = client.get(at(one_left, "ranking")).text
    assert "Substitutes, not ranked:" in ranking
    assert 'id="p13"' not in ranking
    page = client.get(at(one_left, "player_page", 13))
    assert page.status_code == 200
    assert ">substitute</span>" in page.text
    assert client.get(at(one_left, "tournament")).status_code == 200


def test_the_form_says_whether_somebody_is_ranked(client: Client, one_left: Tournament) -> None:
    here = at(one_left, "organiser_player", 6)
    client.post(here, {"last_name": "Filler", "number": "6", "is_substitute": "on"})
    assert one_left.players.get(number=6).is_substitute
    assert "checked" in client.get(here).text
    client.post(here, {"last_name": "Filler", "number": "6"})
    assert not one_left.players.get(number=6).is_substitute
