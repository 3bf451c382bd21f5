"""The board: every table at a glance, and the buttons that move the evening on."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_organiser, make_tournament, play_hands, wash_out
from tournament.models import Hand, Publication, Session, Tournament
from tournament.services.hands import correct_hand
from tournament.services.tables import hand_in

pytestmark = pytest.mark.django_db
OUT_OF_DATE = "what is published is out of date"


def sign_in(client: Client, tournament: Tournament) -> None:
    client.force_login(make_organiser(tournament))


def press(client: Client, button: str, tournament: Tournament, *where: int, **said: list[int]) -> str:
    """The page after the button."""
    return client.post(reverse(button, args=[tournament.slug, *where]), said, follow=True).text


def board(client: Client, tournament: Tournament) -> str:
    return client.get(reverse("organiser_board", args=[tournament.slug])).text


def test_every_state_of_a_table_is_in_words(client: Client) -> None:
    tournament = make_tournament(running=(16, 6, 0, 16))
    hand_in(tournament.sessions.get(number=1).tables.get(number=4), SYSTEM)
    sign_in(client, tournament)
    page = board(client, tournament)
    assert [state in page for state in ("All played", "Hand 7", "Waiting", "In</span>")] == [True] * 4
    assert "1 of 4" in page
    assert "Session 1 is being played; 3 of 4 tables are not in yet." in page


def test_only_the_tables_still_open(client: Client) -> None:
    tournament = make_tournament(running=(16, 6, 0, 1))
    hand_in(tournament.sessions.get(number=1).tables.get(number=1), SYSTEM)
    sign_in(client, tournament)
    address = reverse("organiser_board", args=[tournament.slug])
    assert 'id="t1"' in client.get(address).text
    assert 'id="t1"' not in client.get(f"{address}?show=open").text


def test_a_session_is_started_and_closed(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=1)
    session = tournament.sessions.get()
    sign_in(client, tournament)
    assert "Session 1 has started." in press(client, "organiser_session_start", tournament, 1)
    for table in session.tables.all():
        play_hands(table)
        hand_in(table, SYSTEM)
    assert "Session 1 is closed." in press(client, "organiser_session_close", tournament, 1)
    session.refresh_from_db()
    assert session.state == Session.State.CLOSED


def test_closing_with_tables_open_names_each_of_them(client: Client) -> None:
    tournament = make_tournament(running=(16, 6, 0, 1))
    hand_in(tournament.sessions.get(number=1).tables.get(number=1), SYSTEM)
    sign_in(client, tournament)
    page = press(client, "organiser_session_close", tournament, 1)
    assert [f"Table {n} is not in yet." in page for n in (1, 2, 3, 4)] == [False, True, True, True]
    assert tournament.sessions.get(number=1).state == Session.State.RUNNING


def test_the_board_offers_to_close_without_a_table_at_which_nobody_played(client: Client) -> None:
    tournament = make_tournament(running=(1, 1, 1, 0))
    sign_in(client, tournament)
    address = reverse("organiser_session", args=[tournament.slug, 1])
    for table in tournament.sessions.get(number=1).tables.exclude(number=4):
        assert "No hand is recorded" not in client.get(address).text
        hand_in(table, SYSTEM)
    page = client.get(address).text
    assert "No hand is recorded at table 4" in page
    assert '<input type="hidden" name="unplayed" value="4">' in page
    press(client, "organiser_session_close", tournament, 1, unplayed=[4])
    assert tournament.sessions.get(number=1).state == Session.State.CLOSED


def test_sessions_are_played_in_order(client: Client) -> None:
    tournament = make_tournament(sessions=2)
    sign_in(client, tournament)
    assert "Session 1 has to be closed first." in press(client, "organiser_session_start", tournament, 2)


def test_a_session_can_be_opened_again(client: Client) -> None:
    tournament = make_tournament(sessions=2, played=1)
    sign_in(client, tournament)
    assert "Session 1 is open again." in press(client, "organiser_session_reopen", tournament, 1)


def test_publishing_the_standings(client: Client) -> None:
    tournament = make_tournament(sessions=2, played=1)
    sign_in(client, tournament)
    assert "Publish standings after session 1" in board(client, tournament)
    assert "The standings are published." in press(client, "organiser_publish", tournament)
    assert Publication.objects.get().after_session == 1
    assert "Publish standings after session 1" not in board(client, tournament)


def test_a_correction_after_publishing_is_said_and_published_anew(client: Client) -> None:
    tournament = make_tournament(sessions=2, played=1)
    sign_in(client, tournament)
    press(client, "organiser_publish", tournament)
    assert OUT_OF_DATE not in board(client, tournament)
    won = Hand.objects.filter(winner__isnull=False, is_current=True).first()
    assert won is not None
    correct_hand(won, SYSTEM, wash_out(), reason="the wrong table's sheet", uuid=uuid4())
    page = board(client, tournament)
    assert OUT_OF_DATE in page
    assert "Publish standings after session 1" in page
    press(client, "organiser_publish", tournament)
    assert OUT_OF_DATE not in board(client, tournament)
    assert Publication.objects.count() == 2


def test_pressing_publish_twice_publishes_once(client: Client) -> None:
    tournament = make_tournament(sessions=2, played=1)
    sign_in(client, tournament)
    for _time in range(2):
        assert "The standings are published." in press(client, "organiser_publish", tournament)
    assert Publication.objects.count() == 1


def test_nothing_to_publish_is_said(client: Client) -> None:
    tournament = make_tournament()
    sign_in(client, tournament)
    assert "No session is closed yet" in press(client, "organiser_publish", tournament)


@pytest.mark.parametrize(
    ("made", "main"),
    [
        ({"players": 0}, "Import a list"),
        ({"players": 18, "drawn": False}, "Add players"),
        ({"players": 16, "drawn": False}, "Draw the seats"),
        ({"sessions": 2}, "Start session 1"),
        ({"sessions": 2, "played": 1}, "Publish standings after session 1"),
        ({"sessions": 1, "played": 1}, "Publish the final standings"),
    ],
)
def test_the_one_filled_button_is_the_next_thing_to_do(
    made: dict[str, int], main: str, client: Client
) -> None:
    tournament = make_tournament(**made)  # type: ignore[arg-type]
    sign_in(client, tournament)
    page = board(client, tournament)
    assert page.count("btn primary") == 1
    assert main in page.split("btn primary")[1].split("</")[0]


def test_the_board_follows_the_live_stream_from_its_own_version(client: Client) -> None:
    tournament = make_tournament(running=0)
    sign_in(client, tournament)
    page = board(client, tournament)
    assert f'data-live="/live/{tournament.slug}/staff/?after={tournament.version}"' in page


def test_the_certificate_is_measured_on_the_seats(client: Client) -> None:
    tournament = make_tournament(players=16, sessions=5)
    sign_in(client, tournament)
    quality = client.get(reverse("organiser_board", args=[tournament.slug])).context["certificate"].quality
    assert quality.repeats > 0, "the factory's draw by shifting seats 16 players 5 times with repeats"
