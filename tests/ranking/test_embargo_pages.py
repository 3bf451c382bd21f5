"""Who sees what of a hidden session on pages and in the API, and the organiser's way to hide and open it."""

from typing import Any

import pytest
from django.test import Client

from tests.support.factories import SYSTEM, hand_entry, make_card, make_tournament, make_umpire, record
from tests.support.html import element, elements, read, words
from tests.support.pages import signed_in
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.play.services.sessions import raise_call
from tournament.ranking.services import hide_results
from tournament.screens.engine import Kind, Turn
from tournament.screens.services import add_screen, arrange_screen

KEPT = "The results of session 2 are withheld until the ceremony."
API = "/api/v1/tournaments/spring-open/"


@pytest.fixture
def event() -> Tournament:
    """Session 2 is being played, and its results are hidden."""
    tournament = make_tournament(players=8, sessions=3, played=1, running=2)
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    return Tournament.objects.get()


@pytest.fixture
def table(event: Tournament) -> Table:
    return Table.objects.select_related("session__tournament").get(session__number=2, number=1)


@pytest.fixture
def staff(event: Tournament) -> Client:
    return signed_in(make_umpire(event))


def get(client: Client, path: str, **extra: Any) -> Any:
    return client.get(f"/t/spring-open/{path}", **extra)


def text(response: Any) -> str:
    return words(read(response))


@pytest.mark.thorough
def test_pages_say_that_results_are_hidden(client: Client, staff: Client, event: Tournament) -> None:
    for path in ("", "ranking/", "ranking/teams/", "players/1/", "sessions/2/", "sessions/2/1/"):
        assert KEPT in text(get(client, path)), path
    for path in ("", "sessions/2/1/"):
        page = text(get(staff, path))
        assert ("Hidden from the public" in page, KEPT in page) == (True, False), path


@pytest.mark.thorough
def test_a_visitor_is_not_shown_a_page_of_staff(client: Client, staff: Client, event: Tournament) -> None:
    for path in ("ranking/rows/", "", "sessions/2/"):
        whole, public = get(staff, path), get(client, path)
        assert whole.headers["ETag"] != public.headers["ETag"], path
        assert text(whole) != text(public), path
        known = {"If-None-Match": whole.headers["ETag"]}
        assert get(client, path, headers=known).status_code == 200, path


def test_seats_and_the_clock_stay_visible_and_progress_does_not(client: Client, event: Tournament) -> None:
    page = read(get(client, "sessions/2/"))
    card = element(page, "li", id="t1")
    assert "Hand" not in words(card)
    assert "tables in" not in words(page)
    assert len(list(elements(element(card, "ul"), "li"))) == 4
    assert not list(elements(card, "b", class_="num"))
    sheet = text(get(client, "sessions/2/1/"))
    assert "until" in sheet or "left" in sheet
    add_screen(event, SYSTEM, "door")
    arrange_screen(event, SYSTEM, "door", [Turn(Kind.PROGRESS, 60)])
    hall = text(get(client, "screens/door/"))
    assert "Still playing" not in hall


def test_a_hand_leaves_the_pages_of_the_public_as_they_are(client: Client, table: Table) -> None:
    before = {path: get(client, path).headers["ETag"] for path in ("", "ranking/", "sessions/2/")}
    record(table, hand_entry(table, 3))
    for path, etag in before.items():
        assert get(client, path, headers={"If-None-Match": etag}).status_code == 304


def test_readers_follow_the_version_they_may_see(
    client: Client, staff: Client, event: Tournament, table: Table
) -> None:
    record(table, hand_entry(table, 3))
    card = signed_in(make_card(event, 1))
    public, whole = event.version, event.version + 1
    page, desk = "/t/spring-open/sessions/2/1/", "/umpire/spring-open/2/1/"
    for reader, path, address in (
        (client, page, f"/live/spring-open/?after={public}"),
        (card, page, f"/live/spring-open/?after={public}"),
        (card, desk, f"/live/spring-open/staff/?after={public}"),
        (staff, page, f"/live/spring-open/staff/?after={whole}"),
        (staff, desk, f"/live/spring-open/staff/?after={whole}"),
    ):
        assert f'data-live="{address}"' in reader.get(path).content.decode()
    for reader, version in ((client, public), (staff, whole)):
        assert reader.get("/api/v1/tournaments/").json()[0]["version"] == version
        assert reader.get(API).json()["version"] == version


def test_a_call_in_a_hidden_session_is_for_its_umpires(client: Client, table: Table) -> None:
    raise_call(table, SYSTEM, "tiles")
    assert "Called at" not in text(get(client, "sessions/2/1/"))
    assert client.get(f"{API}sessions/2/tables/1/calls/").json() == []


class TestApi:
    def test_leaves_out_scores_and_sessions(self, client: Client, staff: Client, event: Tournament) -> None:
        table, whole = (each.get(f"{API}sessions/2/tables/1/").json() for each in (client, staff))
        secret = ("version", "hands_played", "is_in", "hand_number", "prevalent_wind", "paid_to_nobody")
        assert [table[name] for name in secret] == [None] * len(secret)
        assert [seat["score"] for seat in table["seats"]] == [None] * 4
        assert [seat["start_wind"] for seat in table["seats"]] == ["E", "S", "W", "N"]
        assert (whole["hands_played"], whole["hand_number"]) == (2, 3)
        for reader, hands in ((client, [2, None]), (staff, [2, 2])):
            sessions = reader.get(f"{API}sessions/").json()[:2]
            assert [session["tables"][0]["hands_played"] for session in sessions] == hands
        public, whole = (each.get(f"{API}standings/") for each in (client, staff))
        assert (public.json()["hidden_sessions"], whole.json()["hidden_sessions"]) == ([2], [])
        assert {score["session"] for row in public.json()["rows"] for score in row["sessions"]} == {1}
        known = {"If-None-Match": whole.headers["ETag"]}
        assert client.get(f"{API}standings/", headers=known).status_code == 200

    @pytest.mark.parametrize("part", ["hands/", "hands/1/", "penalties/"])
    def test_says_what_is_hidden(self, part: str, client: Client, event: Tournament) -> None:
        response = client.get(f"{API}sessions/2/tables/1/{part}")
        assert response.status_code == 403
        assert "hidden until the organiser reveals them" in response.json()["detail"]

    def test_hides_and_shows(self, olga: Client) -> None:
        for action, is_hidden in (("hide", True), ("show", False)):
            response = olga.post(f"{API}sessions/3/{action}/", content_type="application/json")
            assert response.json()["hidden"] is is_hidden


class TestOrganiser:
    def test_a_session_is_opened_after_being_asked_and_hidden(self, olga: Client, event: Tournament) -> None:
        board = text(olga.get("/organiser/spring-open/"))
        assert "The public ranking is without session 2, whose results are hidden." in board
        assert "cannot be hidden again" in text(olga.get("/organiser/spring-open/session/2/reveal/"))
        assert event.sessions.get(number=2).hidden
        olga.post("/organiser/spring-open/session/2/reveal/")
        assert not event.sessions.get(number=2).hidden
        card = element(read(olga.get("/organiser/spring-open/session/1/")), "section", id="results")
        assert "Hide the results of session 1" in words(card)
        response = olga.post("/organiser/spring-open/session/1/hide/", follow=True)
        assert "The results of session 1 are hidden from the public." in text(response)
        assert event.sessions.get(number=1).hidden

    def test_opened_results_cannot_be_hidden(self, olga: Client, event: Tournament) -> None:
        olga.post("/organiser/spring-open/session/2/reveal/")
        card = element(read(olga.get("/organiser/spring-open/session/2/")), "section", id="results")
        assert "They cannot be hidden again." in words(card)
        assert not list(elements(card, "button"))
        response = olga.post("/organiser/spring-open/session/2/hide/", follow=True)
        assert "Everybody has seen the results of session 2" in text(response)
        assert not event.sessions.get(number=2).hidden
