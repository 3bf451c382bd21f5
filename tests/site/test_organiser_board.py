"""The board with every table and the buttons that move the evening on; the bar on every page that says what now."""

import html
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import (
    SYSTEM,
    make_organiser,
    make_tournament,
    play_hands,
    play_session,
    wash_out,
)
from tests.support.html import read, words
from tests.support.pages import missing, organised, signed_in
from tests.support.sampling import sample
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Hand, Seat, Session, Table
from tournament.base.models.tournament import Membership, Publication, Role, Tournament
from tournament.play.services.absences import begin_without, record_absence, seat_stand_in
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import raise_call
from tournament.play.services.tables import hand_in
from tournament.ranking.services import hide_results, publish_standings
from tournament.site import display as board_cards

OUT_OF_DATE = "the published standings are out of date"

PAGES = ("board", "people", "draw", "timetable", "staff", "log", "documents", "rules", "hall")
TOKEN = re.compile('name="csrfmiddlewaretoken" value="[^"]*"')
BAR = '<section class="next-step'


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
    assert [state in page for state in ("All hands played", "Hand 7", "Waiting", "Handed in</span>")] == [
        True
    ] * 4
    assert missing(page, "1 of 4", "Session 1 is being played. Tables still open: 3 of 4.") == []
    version = Tournament.objects.get().version
    assert f'data-live="/live/{tournament.slug}/staff/?after={version}"' in page
    still_open = board(client, tournament, "?show=open")
    assert ['id="t4"' in text for text in (page, still_open)] == [True, False]
    page = press(client, "organiser_session_close", tournament, 1)
    assert [f"Table {n} has not been handed in yet." in page for n in (1, 2, 3, 4)] == [
        True,
        True,
        True,
        False,
    ]
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


def test_only_a_changed_board_is_rendered_again(tournament: Tournament) -> None:
    before = cards(tournament)
    drawn = board_cards._render_card.cache_info().misses
    assert cards(tournament) == before
    assert board_cards._render_card.cache_info().misses == drawn
    assert "Hand 2" in cards(tournament)
    assert "Hand 2" not in cards(tournament, "zh-hans")
    Player.objects.filter(tournament=tournament, number=3).update(last_name="Ilić", is_substitute=True)
    Seat.objects.filter(table__session__tournament=tournament, player__number=4).update(game_points=1234)
    text = cards(tournament)
    assert missing(text, "Ilić substitute", "1234") == []


def page(client: Client, tournament: Tournament, name: str = "board") -> str:
    return client.get(reverse(f"organiser_{name}", args=[tournament.slug])).text


def bar(text: str) -> str:
    return text.split(BAR)[1].split("</section>")[0]


def test_every_page_of_an_organiser_has_the_bar_once_and_marks_its_part_of_the_event(client: Client) -> None:
    tournament = organised(client, players=8)
    for name in sample(PAGES, 3, always=["board"]):
        text = page(client, tournament, name)
        assert text.count(BAR) == 1
        assert "Start session 1" in bar(text)
        assert text.count('data-live="/live/spring-open/staff/') == 1
        assert text.index("data-refresh=") < text.index(BAR), "it is drawn anew after every write"
        first_link = text.split("<a ")[1].split("</a>")[0]
        assert 'href="#next-step-go"' in first_link
        assert 'id="next-step-go"' in bar(text)
        parts = text.split('<nav class="places-nav')[1].split("</nav>")[0]
        assert (parts.count('class="group"'), parts.count("aria-current=")) == (4, 2)


@pytest.mark.parametrize(
    ("event", "step"),
    [
        ({"players": 0}, "Add from a list"),
        pytest.param({"players": 6, "drawn": False}, "Add players", marks=pytest.mark.thorough),
        ({"players": 8, "drawn": False}, "Draw the seats"),
        pytest.param({"players": 8}, "Start session 1", marks=pytest.mark.thorough),
        ({"sessions": 1, "played": 1}, "Publish final standings"),
    ],
)
def test_one_button_is_filled_the_next_thing_to_do(event: dict[str, Any], step: str, client: Client) -> None:
    tournament = organised(client, **event)
    pages = {name: page(client, tournament, name) for name in PAGES[:3]}
    assert {name: text.count("btn primary") for name, text in pages.items()} == dict.fromkeys(PAGES[:3], 1)
    assert step in pages["board"].split("btn primary")[1].split("</")[0]


def test_while_playing_no_button_is_filled_and_a_call_is_shown(client: Client) -> None:
    tournament = organised(client, running=1)
    text = page(client, tournament)
    assert "btn primary" not in text
    assert "Session 1 is being played. Tables still open: 4 of 4." in bar(text)
    assert text.index("data-refresh=") < text.index(BAR)
    assert 'role="status"' in bar(text)
    raise_call(Table.objects.get(session__number=1, number=3), SYSTEM, "score")
    assert "Table 3 is waiting for an umpire." in bar(page(client, tournament))


def test_the_reloaded_bar_equals_the_bar_of_the_page(client: Client) -> None:
    """The page of the draw has its own button; the bar there has none."""
    tournament = organised(client, players=8, drawn=False)
    for name in ("people", "draw"):
        whole = page(client, tournament, name)
        assert ("btn primary" in bar(whole)) == (name == "people")
        address = re.search('data-refresh="([^"]+)"', whole)
        assert address is not None
        alone = client.get(html.unescape(address[1])).text
        assert TOKEN.sub("", bar(alone)).split() == TOKEN.sub("", bar(whole)).split()
        assert ("next-step-go" in alone) == (name == "people")


def test_publishing_asks_first_and_says_what_it_does(client: Client) -> None:
    tournament = organised(client, players=8, sessions=2, played=1)
    here = reverse("organiser_publish", args=[tournament.slug])
    assert f'href="{here}"' in bar(page(client, tournament))
    question = client.get(here).text
    assert missing(question, "Published standings stay on record", "appeals are possible") == []
    assert "stay hidden from the public" not in question
    hide_results(tournament.sessions.get(number=1), SYSTEM)
    assert "The results of session 1 stay hidden from the public." in client.get(here).text
    assert "btn primary" not in bar(question)
    assert not tournament.publications.exists()
    client.post(here)
    assert tournament.publications.count() == 1
    assert client.get(here).status_code == 302, "there is nothing more to publish"


def test_my_tournaments_say_what_is_next_in_each(client: Client) -> None:
    first = make_tournament(players=8, drawn=False)
    olga = make_organiser(first)
    other = make_tournament(name="Autumn Open", running=1)
    Membership.objects.create(tournament=other, user=olga, role=Role.ORGANISER)
    client.force_login(olga)
    text = client.get(reverse("organiser_home")).text
    assert missing(text, "Draw the seats", "Session 1 is being played. Tables still open: 4 of 4.") == []


def test_the_board_after_a_hand_has_at_most_forty_two_queries(client: Client) -> None:
    tournament = organised(client, running=1)
    page(client, tournament)
    play_hands(Table.objects.get(session__number=1, number=1))
    with CaptureQueriesContext(connection) as statements:
        page(client, tournament)
    assert len(statements) <= 42, "so many it asked before"


def test_hands_are_counted_against_the_clock_and_the_latest_results_come_first(client: Client) -> None:
    tournament = organised(client, players=8, sessions=1, running=(4, 2))
    tournament.sessions.update(started_at=timezone.now() - timedelta(minutes=60, seconds=5))
    text = page(client, tournament)
    assert missing(text, "Hands recorded: 6. Expected by now: about 16.", '<svg class="plot"') == []
    latest = text.split('id="latest"')[1].split("</section>")[0]
    assert latest.count("<li") == 5
    assert "Table 2, hand 2" in latest.split("</a>")[0]
    assert f'href="{reverse("desk", args=[tournament.slug, 1, 2])}#sheet"' in latest
    won = Hand.objects.filter(winner__isnull=False, is_current=True).earliest("pk")
    correct_hand(won, SYSTEM, wash_out(), reason="the wrong table's sheet", uuid=uuid4())
    assert "Hands recorded: 6." in page(client, tournament), "a correction is no hand more"


@pytest.mark.thorough
def test_the_tabs_of_sessions_say_how_far_each_is(client: Client) -> None:
    tournament = organised(client, players=8, sessions=4, played=2)
    publish_standings(tournament, SYSTEM)
    play_session(tournament.sessions.get(number=3))
    text = page(client, tournament)
    tabs = text.split('aria-label="Sessions"')[1].split("</nav>")[0]
    states = re.findall(r"<small>\s*(.*?)\s*</small>", tabs)
    assert states == ["published", "published", "closed", "seats drawn"]


def test_an_empty_event_offers_registration_and_an_import(client: Client) -> None:
    """Three months before it nobody has a list; and the page that plans registration has one filled button."""
    tournament = organised(client, players=0, drawn=False)
    there = reverse("organiser_registration", args=[tournament.slug])
    assert f'href="{there}"' in bar(page(client, tournament, "people"))
    assert "next-step-go" in bar(page(client, tournament, "people"))
    assert "next-step-go" not in bar(page(client, tournament, "registration"))


def test_a_table_behind_the_clock_comes_first_and_says_so(client: Client) -> None:
    tournament = organised(client, sessions=1, running=(6, 6, 2, 6))
    tournament.sessions.update(started_at=timezone.now() - timedelta(minutes=50, seconds=5))
    page = board(client, tournament)
    assert re.findall(r'id="t(\d)"', page) == ["3", "1", "2", "4"]
    assert words(page).count("min behind") >= 1


def test_an_empty_seat_is_marked_on_the_board_and_in_the_umpires_list(client: Client) -> None:
    tournament = organised(client, sessions=1, running=0)
    table = Table.objects.get(number=2)
    missing_player = table.seats.earliest("pk").player
    record_absence(table, SYSTEM, missing_player.number, uuid=uuid4())
    for page in (
        board(client, tournament),
        client.get(reverse("umpire_tables", args=[tournament.slug])).text,
    ):
        tables = page.split('<b><span class="vh">Table </span>')[1:]
        assert ["empty seat" in text for text in tables] == [False, True, False, False]
    begin_without(Absence.objects.get(), SYSTEM, reason="The stand-in is here.")
    seat_stand_in(table, SYSTEM, missing_player.number, "Ann")
    assert "empty seat" not in board(client, tournament)


def test_somebody_leaves_and_another_takes_the_seat_in_one_form(client: Client) -> None:
    tournament = organised(client, sessions=2, running=1)
    leaving = [seat.player for seat in Seat.objects.filter(table__session__number=1)[:2]]
    page = press(client, "organiser_player_leave", tournament, 1, player=[leaving[0].number])
    assert f"{leaving[0].name} has withdrawn." in page
    url = reverse("organiser_player_leave", args=[tournament.slug, 1])
    page = client.post(url, {"player": leaving[1].number, "stand_in": "Ann"}, follow=True).text
    assert "Ann plays in their seats." in html.unescape(page)
    coming = Seat.objects.filter(player=leaving[1], table__session__number=2)
    assert [seat.stand_in for seat in coming] == ["Ann"]
    choices = page.split('id="leave-player"')[1].split("</select>")[0]
    assert f">{leaving[1].number} " not in choices, "who has left cannot leave"
