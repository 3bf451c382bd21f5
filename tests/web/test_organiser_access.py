"""Who may open the organiser's pages, and that each of them opens."""

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament, make_umpire, make_user
from tournament.models import Tournament

PAGES = {
    "organiser_board": {},
    "organiser_session": {"number": 1},
    "organiser_seats": {"number": 1},
    "organiser_wrong_seats": {"number": 1},
    "organiser_players": {},
    "organiser_player_new": {},
    "organiser_player": {"number": 1},
    "organiser_import": {},
    "organiser_draw": {},
    "organiser_draw_preview": {},
    "organiser_swap": {},
    "organiser_replan": {},
    "organiser_plan": {},
    "organiser_stream": {},
    "organiser_plan_csv": {},
    "organiser_staff": {},
    "organiser_staff_new": {},
    "organiser_invite": {},
    "organiser_rota": {},
    "organiser_documents": {},
    "organiser_log": {},
    "organiser_settings": {},
    "organiser_particulars": {},
    "organiser_attendance": {},
}
BUTTONS = {
    "organiser_session_start": {"number": 1},
    "organiser_session_close": {"number": 1},
    "organiser_session_reopen": {"number": 1},
    "organiser_publish": {},
    "organiser_seats_undo": {},
    "organiser_wrong_seats_undo": {"number": 1},
    "organiser_player_withdraw": {"number": 1},
    "organiser_player_readmit": {"number": 1},
}
ASK_FIRST = ("organiser_session_close", "organiser_publish")
"""A GET says what is still open."""
pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(spring: Tournament) -> Tournament:
    return spring


def ask(client: Client, page: str, tournament: Tournament) -> HttpResponse:
    """Open a page, or press a button."""
    go = client.post if page in BUTTONS else client.get
    return go(address(page, tournament))  # type: ignore[return-value]


def address(page: str, tournament: Tournament) -> str:
    return reverse(page, kwargs={"slug": tournament.slug, **(PAGES | BUTTONS)[page]})


@pytest.mark.parametrize("page", PAGES)
def test_an_organiser_opens_it(page: str, client: Client, tournament: Tournament) -> None:
    client.force_login(make_organiser(tournament))
    assert client.get(address(page, tournament)).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_it_opens_before_anybody_is_entered(page: str, client: Client) -> None:
    empty = make_tournament(players=0)
    client.force_login(make_organiser(empty))
    there = "number" not in PAGES[page]
    assert client.get(address(page, empty)).status_code == (200 if there else 404)


@pytest.mark.parametrize("page", PAGES | BUTTONS)
def test_a_visitor_is_asked_to_sign_in(page: str, client: Client, tournament: Tournament) -> None:
    answer = ask(client, page, tournament)
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, reverse("login"))


@pytest.mark.parametrize("page", PAGES | BUTTONS)
def test_an_umpire_is_no_organiser(page: str, client: Client, tournament: Tournament) -> None:
    client.force_login(make_umpire(tournament))
    assert ask(client, page, tournament).status_code == 403


@pytest.mark.parametrize("page", PAGES | BUTTONS)
def test_an_organiser_of_another_tournament_is_none_here(
    page: str, client: Client, tournament: Tournament
) -> None:
    client.force_login(make_organiser(make_tournament(players=0, name="Another")))
    assert ask(client, page, tournament).status_code == 403


def test_a_hidden_tournament_does_not_exist_for_others(client: Client) -> None:
    hidden = make_tournament(players=0, public=False)
    client.force_login(make_user(staff=True))
    assert client.get(address("organiser_board", hidden)).status_code == 404


@pytest.mark.parametrize("page", [page for page in BUTTONS if page not in ASK_FIRST])
def test_buttons_are_pressed_not_followed(page: str, client: Client, tournament: Tournament) -> None:
    client.force_login(make_organiser(tournament))
    assert client.get(address(page, tournament)).status_code == 405


def test_an_account_that_is_not_staff_makes_no_tournament(client: Client) -> None:
    client.force_login(make_user())
    assert "New tournament" not in client.get(reverse("organiser_home")).text
    assert client.get(reverse("organiser_new")).status_code == 403
