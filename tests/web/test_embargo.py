"""Who sees what of a hidden session on pages and in the API, and the organiser's way to hide and open it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.factories import PASSWORD, SYSTEM, make_organiser, make_tournament, make_umpire
from tests.web.reading import element, elements, read, words
from tournament.models import Tournament
from tournament.services.embargo import hide_results

pytestmark = pytest.mark.django_db

KEPT = "The results of session 2 are kept until the ceremony."


@pytest.fixture
def hidden() -> Tournament:
    """Session 2 is being played, and its results are hidden."""
    tournament = make_tournament(players=8, sessions=3, played=1, running=2)
    make_organiser(tournament)
    make_umpire(tournament)
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    return Tournament.objects.get()


@pytest.fixture
def staff(hidden: Tournament) -> Client:
    client = Client()
    client.login(username="uma", password=PASSWORD)
    return client


def get(client: Client, path: str, **more: Any) -> Any:
    return client.get(f"/t/spring-open/{path}", **more)


@pytest.mark.parametrize(
    "path", ["", "ranking/", "ranking/teams/", "players/1/", "sessions/2/", "sessions/2/1/"]
)
class TestPages:
    def test_tell_visitors_that_the_results_are_kept(
        self, path: str, client: Client, hidden: Tournament
    ) -> None:
        assert KEPT in words(read(get(client, path)))

    def test_tell_staff_that_they_see_what_others_do_not(
        self, path: str, staff: Client, hidden: Tournament
    ) -> None:
        page = words(read(get(staff, path)))
        assert "Hidden from the public" in page
        assert KEPT not in page


@pytest.mark.parametrize(
    "path", ["ranking/", "ranking/rows/", "", "players/", "sessions/2/", "sessions/2/1/"]
)
def test_what_was_drawn_for_staff_is_not_shown_to_a_visitor(
    path: str, client: Client, staff: Client, hidden: Tournament
) -> None:
    theirs = get(staff, path)
    ours = get(client, path)
    assert theirs.headers["ETag"] != ours.headers["ETag"]
    assert words(read(theirs)) != words(read(ours))
    assert get(client, path, headers={"If-None-Match": theirs.headers["ETag"]}).status_code == 200


def test_seats_progress_and_the_clock_stay_visible(client: Client, hidden: Tournament) -> None:
    card = element(read(get(client, "sessions/2/")), "li", id="t1")
    assert "Hand 3" in words(card)
    assert len(list(elements(element(card, "ul"), "li"))) == 4
    assert not list(elements(card, "b", class_="num"))
    assert "until" in words(read(get(client, "sessions/2/1/"))) or "left" in words(
        read(get(client, "sessions/2/1/"))
    )


class TestApi:
    def test_gives_seats_and_progress_without_scores(self, client: Client, hidden: Tournament) -> None:
        table = client.get("/api/v1/tournaments/spring-open/sessions/2/tables/1/").json()
        assert (table["hidden"], table["hands_played"], table["paid_to_nobody"]) == (True, 2, None)
        assert [seat["score"] for seat in table["seats"]] == [None] * 4

    @pytest.mark.parametrize("what", ["hands/", "hands/1/", "penalties/"])
    def test_says_that_hands_and_penalties_are_hidden(
        self, what: str, client: Client, hidden: Tournament
    ) -> None:
        answer = client.get(f"/api/v1/tournaments/spring-open/sessions/2/tables/1/{what}")
        assert answer.status_code == 403
        assert "hidden until the organiser opens them" in answer.json()["detail"]

    def test_names_the_sessions_left_out_of_the_standings(
        self, client: Client, staff: Client, hidden: Tournament
    ) -> None:
        url = "/api/v1/tournaments/spring-open/standings/"
        public, whole = client.get(url), staff.get(url)
        assert (public.json()["hidden_sessions"], whole.json()["hidden_sessions"]) == ([2], [])
        assert {score["session"] for row in public.json()["rows"] for score in row["sessions"]} == {1}
        known = {"If-None-Match": whole.headers["ETag"]}
        assert client.get(url, headers=known).status_code == 200

    def test_hides_and_shows(self, hidden: Tournament) -> None:
        client = Client()
        client.login(username="olga", password=PASSWORD)
        url = "/api/v1/tournaments/spring-open/sessions/2/"
        assert client.post(f"{url}show/", content_type="application/json").json()["hidden"] is False
        assert client.post(f"{url}hide/", content_type="application/json").json()["hidden"] is True


class TestOrganiser:
    @pytest.fixture
    def olga(self, hidden: Tournament) -> Client:
        client = Client()
        client.login(username="olga", password=PASSWORD)
        return client

    def test_hides_from_the_board(self, olga: Client, hidden: Tournament) -> None:
        card = element(read(olga.get("/organiser/spring-open/session/1/")), "section", id="results")
        assert "Hide the results of session 1" in words(card)
        answer = olga.post("/organiser/spring-open/session/1/hide/", follow=True)
        assert "The results of session 1 are hidden from the public." in words(read(answer))
        assert hidden.sessions.get(number=1).hidden

    def test_opens_after_being_asked(self, olga: Client, hidden: Tournament) -> None:
        assert "cannot be hidden again" in words(read(olga.get("/organiser/spring-open/session/2/open/")))
        assert hidden.sessions.get(number=2).hidden
        olga.post("/organiser/spring-open/session/2/open/")
        assert not hidden.sessions.get(number=2).hidden

    def test_is_told_that_the_public_ranking_lacks_it(self, olga: Client) -> None:
        board = words(read(olga.get("/organiser/spring-open/")))
        assert "The public ranking is without session 2, whose results are hidden." in board
