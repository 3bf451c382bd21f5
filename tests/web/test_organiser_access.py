"""Who may open the organiser's pages, and that each of them opens."""

from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament, make_umpire, make_user
from tournament.models import Tournament

NAMES = [
    "board",
    "players",
    "player_new",
    "import",
    "draw",
    "draw_preview",
    "swap",
    "replan",
    "plan",
    "stream",
    "plan_csv",
    "staff",
    "staff_new",
    "invite",
    "rota",
    "documents",
    "log",
    "settings",
    "particulars",
    "attendance",
]
PAGES: dict[str, dict[str, int]] = {f"organiser_{name}": {} for name in NAMES} | {
    f"organiser_{name}": {"number": 1} for name in ("session", "seats", "wrong_seats", "player")
}
OF_A_SESSION = ("session_start", "session_close", "session_reopen", "wrong_seats_undo")
BUTTONS: dict[str, dict[str, int]] = {"organiser_publish": {}, "organiser_seats_undo": {}} | {
    f"organiser_{name}": {"number": 1} for name in (*OF_A_SESSION, "player_withdraw", "player_readmit")
}
ASK_FIRST = ("organiser_session_close", "organiser_publish")
"""A GET says what is still open."""


def address(page: str, tournament: Tournament) -> str:
    return reverse(page, kwargs={"slug": tournament.slug, **(PAGES | BUTTONS)[page]})


def opened(client: Client, tournament: Tournament) -> dict[str, tuple[int, str]]:
    """What every page answers and every button: the status, and where it leads."""
    responses = {page: client.get(address(page, tournament)) for page in PAGES} | {
        page: client.post(address(page, tournament)) for page in BUTTONS
    }
    return {
        page: (response.status_code, response.headers.get("Location", "").partition("?")[0])
        for page, response in responses.items()
    }


def test_an_organiser_opens_every_page_and_follows_no_button(client: Client, spring: Tournament) -> None:
    client.force_login(make_organiser(spring))
    statuses = {page: client.get(address(page, spring)).status_code for page in PAGES | BUTTONS}
    followed = [page for page in BUTTONS if page not in ASK_FIRST]
    assert [page for page in PAGES if statuses[page] != 200] == []
    assert [page for page in followed if statuses[page] != 405] == []


def test_every_page_opens_before_anybody_is_entered(client: Client) -> None:
    empty = make_tournament(players=0)
    client.force_login(make_organiser(empty))
    statuses = {page: client.get(address(page, empty)).status_code for page in PAGES}
    assert statuses == {page: 404 if "number" in kwargs else 200 for page, kwargs in PAGES.items()}


def test_a_visitor_is_asked_to_sign_in(client: Client, spring: Tournament) -> None:
    to_login = (302, reverse("login"))
    assert {page: answer for page, answer in opened(client, spring).items() if answer != to_login} == {}


def test_umpires_and_other_organisers_are_refused(client: Client, spring: Tournament) -> None:
    another = make_tournament(players=0, name="Another")
    for user in (make_umpire(spring), make_organiser(another)):
        client.force_login(user)
        assert {page: answer for page, answer in opened(client, spring).items() if answer[0] != 403} == {}


def test_a_hidden_tournament_does_not_exist_for_others(client: Client) -> None:
    hidden = make_tournament(players=0, public=False)
    client.force_login(make_user(staff=True))
    assert client.get(address("organiser_board", hidden)).status_code == 404


def test_an_account_that_is_not_staff_makes_no_tournament(client: Client) -> None:
    client.force_login(make_user())
    assert "New tournament" not in client.get(reverse("organiser_home")).text
    assert client.get(reverse("organiser_new")).status_code == 403
