"""The pages of each role: the page after signing in, links and buttons that it may use; the rota."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from tests.support.closing import appeal_at, table_of
from tests.support.factories import PASSWORD, make_member, make_organiser, make_tournament, make_user
from tests.support.html import attribute, element, elements, read
from tests.support.pages import organised
from tournament.base.models.tournament import Role, Tournament
from tournament.staff.engine import Shift, propose_rota
from tournament.staff.selectors import rota_of

EVENT_WITH = {"running": 1}


def signed_in(event: Tournament, role: Role) -> Client:
    client = Client()
    client.force_login(make_member(event, role, "nina"))
    return client


@pytest.mark.thorough
def test_signing_in_leads_to_the_page_of_the_role(event: Tournament) -> None:
    """The front desk and the treasurer have pages below the tournament's."""
    pages = {
        Role.CHIEF: reverse("umpire_tables", args=[event.slug]),
        Role.UMPIRE: reverse("umpire_tables", args=[event.slug]),
        Role.SCORER: reverse("umpire_tables", args=[event.slug]),
        Role.SCREENS: reverse("organiser_hall", args=[event.slug]),
        Role.OBSERVER: reverse("organiser_board", args=[event.slug]),
        Role.DESK: f"/organiser/{event.slug}/",
        Role.TREASURER: f"/organiser/{event.slug}/",
    }
    landed = {}
    for role in pages:
        user = make_member(event, role, f"nina-{role.value}")
        credentials = {"username": user.username, "password": PASSWORD}
        response = Client().post(reverse("login"), credentials, follow=True)
        landed[role] = response.status_code, response.redirect_chain[-1][0]
    for role in (Role.DESK, Role.TREASURER):
        assert landed[role][1] != pages[role]
        landed[role] = landed[role][0], landed[role][1][: len(pages[role])]
    assert landed == {role: (200, page) for role, page in pages.items()}


@pytest.mark.thorough
def test_pages_of_an_observer_have_no_forms_and_no_forbidden_links(event: Tournament) -> None:
    observer = signed_in(event, Role.OBSERVER)
    for name in ("board", "people", "penalties", "hall", "staff", "log"):
        response = observer.get(reverse(f"organiser_{name}", args=[event.slug]))
        assert response.status_code == 200, name
        assert list(elements(element(read(response), "main"), "form", method="post")) == [], name
    page = read(observer.get(reverse("organiser_board", args=[event.slug])))
    urls = {attribute(link, "href").partition("#")[0] for link in elements(page, "a")}
    assert [url for url in urls if url.startswith("/") and observer.get(url).status_code == 403] == []


@pytest.mark.thorough
def test_every_role_may_open_the_links_of_its_navigation(event: Tournament) -> None:
    for role in Role:
        client = Client()
        client.force_login(make_member(event, role, f"nina-{role.value}"))
        page = read(client.get(reverse("umpire_home"), follow=True))
        urls = {attribute(link, "href") for nav in elements(page, "nav") for link in elements(nav, "a")}
        organisers = [url for url in urls if url.startswith("/organiser/")]
        assert [url for url in organisers if client.get(url).status_code != 200] == [], role


def test_the_rota_is_proposed_saved_and_shown_to_the_umpire(event: Tournament) -> None:
    umpire = signed_in(event, Role.UMPIRE)
    chief = Client()
    chief.force_login(make_member(event, Role.CHIEF, "chiara"))
    edit = reverse("organiser_rota_edit", args=[event.slug])
    form = chief.get(f"{edit}?propose").context["form"]
    assert not rota_of(event).is_set
    chief.post(edit, {name: field.initial for name, field in form.fields.items()})
    assert "Your tables" in umpire.get(reverse("umpire_tables", args=[event.slug])).text


def test_problems_of_a_rota_are_at_their_fields(event: Tournament) -> None:
    make_member(event, Role.UMPIRE, "udo")
    chief = signed_in(event, Role.CHIEF)
    edit = reverse("organiser_rota_edit", args=[event.slug])
    first, second, *_ = chief.get(edit).context["form"].fields
    response = chief.post(edit, {first: "all", second: "1"})
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [first]
    assert 'value="all"' in response.text


def test_a_chief_umpire_names_a_committee_on_the_page_of_appeals(event: Tournament) -> None:
    chief, appeal = signed_in(event, Role.CHIEF), appeal_at(table_of(event.sessions.get(number=1)))
    others = [make_member(event, Role.UMPIRE, name) for name in ("uma", "ueli")]
    members = [event.memberships.get(role=Role.CHIEF).user_id, *(user.pk for user in others)]
    url = reverse("appeal_committee", args=[event.slug, appeal.uuid])
    assert chief.post(url, {f"c-{appeal.uuid}-members": members}).status_code == 302
    assert {user.pk for user in appeal.committee.all()} == set(members)


def test_signing_in_leads_to_the_start_page_or_the_page_that_was_asked_for(event: Tournament) -> None:
    def landed(name: str, query: str = "") -> str:
        return str(Client().post(f"/login/{query}", {"username": name, "password": PASSWORD})["Location"])

    make_member(event, Role.UMPIRE, "uma")
    make_organiser(event)
    make_user("nora")
    assert landed("uma") == reverse("umpire_home")
    assert landed("olga") == reverse("organiser_home")
    assert (landed("nora"), landed("uma", "?next=/fouls/")) == ("/", "/fouls/")


PAGES = {
    *("board", "people", "person_new", "import", "draw", "draw_preview", "swap", "replan", "plan", "stream"),
    *("plan_csv", "staff", "invite", "documents", "log", "event", "rules", "connections", "data"),
}
NUMBERED = {"session", "seats", "seat_correction"}
BUTTONS = {"session_reopen", "seat_correction_undo", "player_withdraw", "player_reinstate"}


def statuses(client: Client, tournament: Tournament, pages: set[str], *number: int) -> dict[str, int]:
    urls = {page: reverse(f"organiser_{page}", args=[tournament.slug, *number]) for page in pages}
    return {page: client.get(url).status_code for page, url in urls.items()}


@pytest.mark.thorough
def test_an_organiser_opens_every_page_and_buttons_refuse_get(client: Client, spring: Tournament) -> None:
    client.force_login(make_organiser(spring))
    assert statuses(client, spring, PAGES) == dict.fromkeys(PAGES, 200)
    assert statuses(client, spring, NUMBERED, 1) == dict.fromkeys(NUMBERED, 200)
    assert statuses(client, spring, BUTTONS, 1) == dict.fromkeys(BUTTONS, 405)
    assert statuses(client, spring, {"seats_undo"}) == {"seats_undo": 405}


@pytest.mark.thorough
def test_every_page_opens_without_players(client: Client) -> None:
    empty = organised(client, players=0)
    assert statuses(client, empty, PAGES) == dict.fromkeys(PAGES, 200)
    assert statuses(client, empty, NUMBERED, 1) == dict.fromkeys(NUMBERED, 404)


def test_only_staff_accounts_create_tournaments_and_they_do_not_see_hidden_ones(client: Client) -> None:
    hidden = make_tournament(players=0, public=False)
    client.force_login(make_user())
    assert "New event" not in client.get(reverse("organiser_home")).text
    assert client.get(reverse("organiser_new")).status_code == 403
    client.force_login(make_user("sam", staff=True))
    assert statuses(client, hidden, {"board"}) == {"board": 404}


Rota = dict[tuple[int, int], int]
UMPIRES = st.integers(1, 8).map(lambda n: list(range(1, n + 1)))


@st.composite
def events(draw: st.DrawFn) -> tuple[list[Shift], list[int], Rota]:
    """Draw up to six sessions of up to 40 tables; umpires may play in some of them."""
    umpires = draw(UMPIRES)
    tables = st.lists(st.integers(1, 60), min_size=1, max_size=40, unique=True)
    playing = st.frozensets(st.sampled_from(umpires))
    sessions = range(1, draw(st.integers(1, 6)) + 1)
    shifts = [Shift(session, draw(tables), draw(playing)) for session in sessions]
    return shifts, umpires, propose_rota(shifts, umpires)


@given(events())
def test_the_rota_is_even_without_umpires_who_play(event: tuple[list[Shift], list[int], Rota]) -> None:
    """The tables of one umpire are adjacent."""
    shifts, umpires, rota = event
    tables = {(shift.session, table) for shift in shifts for table in shift.tables}
    without_umpires = {shift.session for shift in shifts if set(umpires) <= set(shift.playing)}
    assert {session for session, _ in tables - set(rota)} == without_umpires
    assert set(rota) == {(session, table) for session, table in tables if session not in without_umpires}
    playing = {shift.session: shift.playing for shift in shifts}
    assert not any(umpire in playing[session] for (session, _), umpire in rota.items())
    for shift in shifts:
        in_order = [rota.get((shift.session, table)) for table in sorted(shift.tables)]
        changes = sum(before != after for before, after in pairwise(in_order))
        assert changes == len(set(in_order)) - 1
    for shift in shifts:
        loads = Counter(umpire for (session, _), umpire in rota.items() if session == shift.session)
        assert spread(loads[umpire] for umpire in umpires if umpire not in shift.playing) <= 1
    players = {umpire for shift in shifts for umpire in shift.playing}
    loads = Counter(rota.values())
    assert spread(loads[umpire] for umpire in umpires if umpire not in players) <= 1


def spread(loads: Iterable[int]) -> int:
    numbers = list(loads) or [0]
    return max(numbers) - min(numbers)


def test_umpires_rotate_from_session_to_session() -> None:
    rota = propose_rota([Shift(1, range(1, 5)), Shift(2, range(1, 5))], [7, 8])
    assert [rota[session, 1] for session in (1, 2)] == [7, 8]
