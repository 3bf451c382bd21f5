"""The board: every table at a glance, and the buttons that move the evening on."""

import re
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_organiser, make_tournament, play_hands, wash_out
from tests.support.html import read, words
from tests.support.pages import missing, organised, signed_in
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Seat, Session
from tournament.base.models.tournament import Publication, Tournament
from tournament.play.services.hands import correct_hand
from tournament.play.services.tables import hand_in
from tournament.site import display as board_cards

OUT_OF_DATE = "what is published is out of date"


def press(client: Client, button: str, tournament: Tournament, *where: int, **sent: list[int]) -> str:
    """The page after the button."""
    return client.post(reverse(button, args=[tournament.slug, *where]), sent, follow=True).text


def board(client: Client, tournament: Tournament, query: str = "") -> str:
    return client.get(reverse("organiser_board", args=[tournament.slug]) + query).text


@pytest.mark.thorough
def test_every_state_of_a_table_is_in_words_and_closing_names_those_still_open(client: Client) -> None:
    tournament = organised(client, running=(16, 6, 0, 16))
    session = tournament.sessions.get(number=1)
    hand_in(session.tables.get(number=4), SYSTEM)
    page = board(client, tournament)
    assert [state in page for state in ("All played", "Hand 7", "Waiting", "In</span>")] == [True] * 4
    assert missing(page, "1 of 4", "Session 1 is being played; 3 of 4 tables are not in yet.") == []
    version = Tournament.objects.get().version
    assert f'data-live="/live/{tournament.slug}/staff/?after={version}"' in page
    still_open = board(client, tournament, "?show=open")
    assert ['id="t4"' in text for text in (page, still_open)] == [True, False]
    page = press(client, "organiser_session_close", tournament, 1)
    assert [f"Table {n} is not in yet." in page for n in (1, 2, 3, 4)] == [True, True, True, False]
    session.refresh_from_db()
    assert session.state == Session.State.RUNNING


@pytest.mark.thorough
def test_a_session_is_started_in_its_order_closed_and_opened_again(client: Client) -> None:
    tournament = organised(client, players=8, sessions=2)
    session = tournament.sessions.get(number=1)
    assert "Session 1 has to be closed first." in press(client, "organiser_session_start", tournament, 2)
    assert "No session is closed yet" in press(client, "organiser_publish", tournament)
    assert "Session 1 has started." in press(client, "organiser_session_start", tournament, 1)
    for table in session.tables.all():
        play_hands(table)
        hand_in(table, SYSTEM)
    assert "Session 1 is closed." in press(client, "organiser_session_close", tournament, 1)
    session.refresh_from_db()
    assert session.state == Session.State.CLOSED
    assert "Session 1 is open again." in press(client, "organiser_session_reopen", tournament, 1)


@pytest.mark.thorough
def test_the_board_offers_to_close_without_a_table_at_which_nobody_played(client: Client) -> None:
    tournament = organised(client, running=(1, 1, 1, 0))
    address = reverse("organiser_session", args=[tournament.slug, 1])
    *others, last = tournament.sessions.get(number=1).tables.exclude(number=4)
    for table in others:
        hand_in(table, SYSTEM)
    assert "No hand is recorded" not in client.get(address).text
    hand_in(last, SYSTEM)
    page = client.get(address).text
    assert "No hand is recorded at table 4" in page
    assert '<input type="hidden" name="unplayed" value="4">' in page
    press(client, "organiser_session_close", tournament, 1, unplayed=[4])
    assert tournament.sessions.get(number=1).state == Session.State.CLOSED


@pytest.mark.thorough
def test_standings_are_published_once_and_anew_after_a_correction(client: Client) -> None:
    tournament = organised(client, sessions=2, played=1)
    assert "Publish standings after session 1" in board(client, tournament)
    for _time in range(2):
        assert "The standings are published." in press(client, "organiser_publish", tournament)
    assert Publication.objects.get().after_session == 1
    page = board(client, tournament)
    assert ("Publish standings after session 1" in page, OUT_OF_DATE in page) == (False, False)
    won = Hand.objects.filter(winner__isnull=False, is_current=True).earliest("pk")
    correct_hand(won, SYSTEM, wash_out(), reason="the wrong table's sheet", uuid=uuid4())
    page = board(client, tournament)
    assert ("Publish standings after session 1" in page, OUT_OF_DATE in page) == (True, True)
    press(client, "organiser_publish", tournament)
    assert OUT_OF_DATE not in board(client, tournament)
    assert Publication.objects.count() == 2


def test_the_certificate_is_measured_on_the_seats(client: Client) -> None:
    tournament = organised(client, players=16, sessions=5)
    quality = client.get(reverse("organiser_board", args=[tournament.slug])).context["certificate"].quality
    assert quality.repeats > 0, "the factory's draw by shifting seats 16 players 5 times with repeats"


@pytest.fixture
def tournament() -> Tournament:
    event = make_tournament(players=8, sessions=1, running=1)
    make_organiser(event)
    return event


def cards(tournament: Tournament, language: str = "en") -> str:
    client, headers = signed_in(User.objects.get(username="olga")), {"Accept-Language": language}
    text = words(read(client.get(f"/organiser/{tournament.slug}/", headers=headers)))
    return re.sub(r"\d:\d\d:\d\d", "the time", text)


def test_a_board_that_says_the_same_is_not_drawn_again_in_its_language(tournament: Tournament) -> None:
    before = cards(tournament)
    drawn = board_cards._drawn_once.cache_info().misses
    assert cards(tournament) == before
    assert board_cards._drawn_once.cache_info().misses == drawn
    assert "Hand 2" in cards(tournament)
    assert "Hand 2" not in cards(tournament, "zh-hans")


def test_what_changes_without_the_table_is_drawn_too(tournament: Tournament) -> None:
    cards(tournament)
    Player.objects.filter(tournament=tournament, number=3).update(last_name="Ilić", is_substitute=True)
    Seat.objects.filter(table__session__tournament=tournament, player__number=4).update(game_points=1234)
    text = cards(tournament)
    assert missing(text, "Ilić substitute", "1234") == []
