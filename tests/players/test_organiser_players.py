"""Players by hand: entering, changing, withdrawing; and in mid-event a substitute in one tap, a stand-in by name."""

import pytest
from django.test import Client

from tests.support.factories import SYSTEM
from tests.support.pages import address_of as at
from tests.support.pages import missing, organised, refused_page
from tournament.base.models.tournament import Tournament
from tournament.play.services.absences import name_stand_in
from tournament.play.services.sessions import start_session
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players, add_substitutes, withdraw_player
from tournament.seating.services.seatings import replan_seats

EVENT_WITH = {"players": 4, "drawn": False}


def test_a_new_player_gets_the_next_number_and_a_club(olga: Client, event: Tournament) -> None:
    new = f"{at(event, 'organiser_person_new')}?as=players"
    name = {"last_name": "Kovács", "first_name": "Tünde"}
    answer = olga.post(new, name | {"team": "Team 9", "club": "Duna  Klub", "another": "1"})
    assert answer["Location"] == new, "one after another"
    player = event.players.get(number=5)
    assert (player.name, player.team, player.club) == ("Tünde Kovács", "Team 9", "Duna Klub")
    assert '<option value="Duna Klub">' in olga.get(new).text
    assert "Duna Klub" in olga.get(at(event, "organiser_people"), {"q": "duna"}).text
    assert "Duna Klub" in olga.get(at(event, "player_page", 5)).text


def test_problems_are_shown_at_their_fields(olga: Client, event: Tournament) -> None:
    """All of them at once, and nothing typed is lost."""
    too_long = "At most 80 characters; there are 81."
    ema = "An EMA number has eight digits; this one has 7."
    rounds: list[dict[str, tuple[str, str]]] = [
        {
            "last_name": (" ", "Fill in “Last name”."),
            "club": ("x" * 81, too_long),
            "country": ("Atlantis", "There is no country “Atlantis”."),
            "ema_number": ("0400012", ema),
            "number": ("1", "Number 1 belongs to another player."),
        },
        {"number": ("five", "Enter a whole number in digits")},
    ]
    for faults in rounds:
        name = {"last_name": "Kovács", "first_name": "Tünde"}
        typed = {field: value for field, (value, _) in faults.items()}
        answer = olga.post(at(event, "organiser_person_new"), name | typed)
        assert 'value="Tünde"' in refused_page(answer)
        errors = answer.context["form"].errors
        assert set(errors) == set(faults)
        assert [field for field, (_, text) in faults.items() if text not in " ".join(errors[field])] == []


def test_a_player_is_changed(olga: Client, event: Tournament) -> None:
    here = at(event, "organiser_person_change", "p3")
    assert 'value="Sweden"' in olga.get(here).text
    answer = olga.post(here, {"last_name": "Lindqvist", "number": "1"})
    assert "Number 1 belongs to another player." in answer.text
    assert event.players.get(number=3).first_name == "Björn"
    olga.post(here, {"last_name": "Lindqvist", "first_name": "Bo", "country": "Sverige", "number": "3"})
    player = event.players.get(number=3)
    assert (player.name, player.country) == ("Bo Lindqvist", "SWE")


def test_a_player_is_searched_withdrawn_and_reinstated(olga: Client, event: Tournament) -> None:
    here = at(event, "organiser_people")
    for words in ("lindq", "björn", "bjorn lind", "SWE", "3"):
        page = olga.get(here, {"q": words}).text
        assert ('id="p3"' in page, 'id="p2"' in page) == (True, False), words
    page = olga.get(here, {"q": "nobody"}).text
    assert missing(page, "No match for “nobody”", "Show all") == []
    withdraw = at(event, "organiser_player_withdraw", 3)
    page = olga.post(withdraw, follow=True).text
    assert missing(page, "Björn Lindqvist has withdrawn.", "withdrawn</span>") == []
    assert "Player 3 has already withdrawn." in olga.post(withdraw, follow=True).text
    page = olga.post(at(event, "organiser_player_reinstate", 3), follow=True).text
    assert "Björn Lindqvist plays again." in page


def test_a_table_that_would_not_be_full_and_an_outdated_draw_are_shown(client: Client) -> None:
    event = organised(client, players=16)
    here, outdated = at(event, "organiser_people"), "The list of players has changed since the draw"
    assert outdated not in client.get(here).text
    add_players(event, SYSTEM, [Entrant(f"Late {number}") for number in range(2)])
    assert "2 players missing" in client.get(here).text
    add_players(event, SYSTEM, [Entrant(f"Later {number}") for number in range(2)])
    assert outdated in client.get(here).text


@pytest.fixture
def one_left(client: Client) -> Tournament:
    """12 players, one session of three played; number 5, Håkan Dupont, has withdrawn since."""
    event = organised(client, players=12, sessions=3, played=1)
    withdraw_player(event.players.get(number=5), SYSTEM)
    return event


@pytest.mark.thorough
def test_one_tap_adds_a_substitute_and_shows_the_new_plan(client: Client, one_left: Tournament) -> None:
    pages = [at(one_left, f"organiser_{page}") for page in ("people", "replan")]
    for page in pages:
        text = client.get(page).text
        assert "Add a substitute who is not ranked" in text, page
        assert f'action="{at(one_left, "organiser_substitutes")}"' in text, page
    answer = client.post(at(one_left, "organiser_substitutes"), follow=True)
    assert answer.redirect_chain[-1][0] == at(one_left, "organiser_replan")
    assert "Use the new seats" in answer.text
    client.post(at(one_left, "organiser_replan"), {"seen": answer.context["seen"]})
    assert [page for page in pages if "Add a substitute" in client.get(page).text] == []
    assert "12 players, 1 of them has left, 1 substitute" in client.get(pages[0]).text


def test_before_the_draw_the_link_leads_back_to_the_list(client: Client) -> None:
    event = organised(client, players=10, drawn=False)
    assert "Add 2 substitutes who are not ranked" in client.get(at(event, "organiser_people")).text
    answer = client.post(at(event, "organiser_substitutes"), follow=True)
    assert answer.redirect_chain[-1][0] == at(event, "organiser_people")
    assert "Substitute 2" in answer.text
    assert "substitutes who are not ranked" not in answer.text


@pytest.mark.thorough
def test_a_refused_start_offers_the_next_steps(client: Client, one_left: Tournament) -> None:
    start = at(one_left, "organiser_session_start", 2)
    stand_in = at(one_left, "organiser_stand_in", 2)
    page = client.post(start, follow=True).text
    assert "Håkan Dupont has withdrawn but has a seat at table" in page
    assert "A seat to fill" in page
    assert f'action="{stand_in}"' in page
    for nobody in ({}, {"player": "x"}, {"player": "1", "name": "Ana"}, {"player": "99"}):
        assert client.post(stand_in, nobody).status_code == 404, nobody
    page = client.post(stand_in, {"player": "5", "name": "Ana Lima"}, follow=True).text
    assert "Ana Lima plays for Håkan Dupont." in page
    assert "Session 2 has started." in client.post(start, follow=True).text


@pytest.mark.thorough
def test_a_withdrawn_player_is_marked_wherever_the_seat_is_shown(
    client: Client, one_left: Tournament
) -> None:
    session = one_left.sessions.get(number=2)
    table = session.tables.get(seats__player__number=5)
    name_stand_in(table, SYSTEM, 5, "Ana Lima")
    start_session(session, SYSTEM)
    other = table.seats.exclude(player__number=5)[0].player.number
    desk = at(one_left, "desk", 2, table.number)
    (seat,) = [seat for seat in client.get(desk).context["state"]["seats"] if seat["player"] == 5]
    assert (seat["withdrawn"], seat["stand_in"]) == (True, "Ana Lima")
    for page in (
        desk,
        at(one_left, "organiser_session", 2),
        at(one_left, "umpire_tables"),
        at(one_left, "session_page", 2),
        at(one_left, "table_page", 2, table.number),
        at(one_left, "player_page", other),
        at(one_left, "draw_page") + "?by=table",
        at(one_left, "organiser_draw"),
    ):
        text = client.get(page).text
        assert ">withdrawn</span>" in text, page
        assert "stand-in: Ana Lima" in text, page


@pytest.mark.thorough
def test_a_substitute_is_listed_apart_and_has_a_page(client: Client, one_left: Tournament) -> None:
    here = at(one_left, "organiser_person_change", "p6")
    client.post(here, {"last_name": "Filler", "number": "6", "is_substitute": "on"})
    assert one_left.players.get(number=6).is_substitute
    assert "checked" in client.get(here).text
    client.post(here, {"last_name": "Filler", "number": "6"})
    assert not one_left.players.get(number=6).is_substitute
    add_substitutes(one_left, SYSTEM, "Substitute")
    replan_seats(one_left, SYSTEM)
    ranking = client.get(at(one_left, "ranking")).text
    assert "Substitutes, not ranked:" in ranking
    assert 'id="p13"' not in ranking
    assert ">substitute</span>" in client.get(at(one_left, "player_page", 13)).text
    assert client.get(at(one_left, "tournament")).status_code == 200
