"""Who sees what of a hidden session on pages and in the API, and the organiser's way to hide and open it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support.factories import (
    PASSWORD,
    SYSTEM,
    hand_entry,
    make_card,
    make_organiser,
    make_tournament,
    make_umpire,
    record,
)
from tests.support.html import element, elements, read, words
from tournament.engine.screens import Kind, Turn
from tournament.models import Tournament
from tournament.services.calls import raise_call
from tournament.services.embargo import hide_results
from tournament.services.screens import add_screen, arrange_screen

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


def test_seats_and_the_clock_stay_visible_and_progress_does_not(client: Client, hidden: Tournament) -> None:
    page = read(get(client, "sessions/2/"))
    card = element(page, "li", id="t1")
    assert "Hand" not in words(card)
    assert "tables in" not in words(page)
    assert len(list(elements(element(card, "ul"), "li"))) == 4
    assert not list(elements(card, "b", class_="num"))
    assert "until" in words(read(get(client, "sessions/2/1/"))) or "left" in words(
        read(get(client, "sessions/2/1/"))
    )


def test_a_hand_leaves_the_pages_of_the_public_as_they_are(client: Client, hidden: Tournament) -> None:
    table = hidden.sessions.get(number=2).tables.select_related("session__tournament").get(number=1)
    before = {path: get(client, path).headers["ETag"] for path in ("", "ranking/", "sessions/2/")}
    record(table, hand_entry(table, 3))
    for path, etag in before.items():
        assert get(client, path, headers={"If-None-Match": etag}).status_code == 304


def test_each_listens_where_they_are_told_no_more_than_they_see(
    client: Client, staff: Client, hidden: Tournament
) -> None:
    table = hidden.sessions.get(number=2).tables.select_related("session__tournament").get(number=1)
    record(table, hand_entry(table, 3))
    card = Client()
    card.force_login(make_card(hidden, 1))
    public, whole = hidden.version, hidden.version + 1
    page, desk = "/t/spring-open/sessions/2/1/", "/umpire/spring-open/2/1/"
    for who, path, address in (
        (client, page, f"/live/spring-open/?after={public}"),
        (card, page, f"/live/spring-open/?after={public}"),
        (card, desk, f"/live/spring-open/staff/?after={public}"),
        (staff, page, f"/live/spring-open/staff/?after={whole}"),
        (staff, desk, f"/live/spring-open/staff/?after={whole}"),
    ):
        assert f'data-live="{address}"' in who.get(path).content.decode()


def test_a_call_in_a_hidden_session_is_for_its_umpires(client: Client, hidden: Tournament) -> None:
    table = hidden.sessions.get(number=2).tables.select_related("session__tournament").get(number=1)
    raise_call(table, SYSTEM, "tiles")
    assert "Called at" not in words(read(get(client, "sessions/2/1/")))
    assert client.get("/api/v1/tournaments/spring-open/sessions/2/tables/1/calls/").json() == []


def test_the_hall_is_told_why_it_sees_no_progress(client: Client, hidden: Tournament) -> None:
    add_screen(hidden, SYSTEM, "door")
    arrange_screen(hidden, SYSTEM, "door", [Turn(Kind.PROGRESS, 60)])
    page = words(read(get(client, "screens/door/")))
    assert KEPT in page
    assert "Still playing" not in page


class TestApi:
    def test_gives_seats_without_scores_or_progress(
        self, client: Client, staff: Client, hidden: Tournament
    ) -> None:
        url = "/api/v1/tournaments/spring-open/sessions/2/tables/1/"
        told = ("version", "hands_played", "is_in", "hand_number", "prevalent_wind", "paid_to_nobody")
        table, whole = client.get(url).json(), staff.get(url).json()
        assert [table[name] for name in told] == [None] * len(told)
        assert [seat["score"] for seat in table["seats"]] == [None] * 4
        assert [seat["start_wind"] for seat in table["seats"]] == ["E", "S", "W", "N"]
        assert (whole["hands_played"], whole["hand_number"]) == (2, 3)

    def test_lists_a_hidden_session_without_its_progress(
        self, client: Client, staff: Client, hidden: Tournament
    ) -> None:
        url = "/api/v1/tournaments/spring-open/sessions/"
        played, now = ([one["tables"][0] for one in each.get(url).json()[:2]] for each in (client, staff))
        assert [table["hands_played"] for table in played] == [2, None]
        assert [table["hands_played"] for table in now] == [2, 2]

    def test_gives_each_the_version_they_know(
        self, client: Client, staff: Client, hidden: Tournament
    ) -> None:
        table = hidden.sessions.get(number=2).tables.select_related("session__tournament").get(number=1)
        record(table, hand_entry(table, 3))
        for url in ("/api/v1/tournaments/", "/api/v1/tournaments/spring-open/"):
            found = [each.get(url).json() for each in (client, staff)]
            public, whole = (one[0] if isinstance(one, list) else one for one in found)
            assert (public["version"], whole["version"]) == (hidden.version, hidden.version + 1)

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
