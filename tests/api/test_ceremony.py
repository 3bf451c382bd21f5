"""A ceremony held by a program: begun, told place by place, taken back, ended; then everything opened."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of
from tests.support.factories import SYSTEM, end_appeals, make_organiser, make_tournament, make_umpire
from tournament.models import Ceremony, Tournament
from tournament.services.embargo import hide_results

pytestmark = pytest.mark.django_db


@pytest.fixture
def over() -> Tournament:
    """Eight players, both sessions closed."""
    return make_tournament(players=8, sessions=2, played=2)


@pytest.fixture
def organiser(over: Tournament) -> APIClient:
    return client_of(make_organiser(over))


@pytest.fixture
def at(over: Tournament) -> str:
    return f"{ROOT}{over.slug}/ceremony/"


def begin(organiser: APIClient, at: str, **body: Any) -> Any:
    return organiser.post(at, {"kind": "players", "first": 3} | body, format="json")


def step(organiser: APIClient, at: str, seen: Any) -> Any:
    return organiser.post(at + "places/", {"seen": seen}, format="json")


def test_the_organiser_tells_every_place_and_everybody_hears_it(organiser: APIClient, at: str) -> None:
    script = begin(organiser, at).json()["script"]
    assert APIClient().get(at).json()["stage"]["places"] == []
    while script["next"]:
        told = step(organiser, at, script["told"]).json()
        assert told["stage"]["places"][0] == script["next"]
        script = told["script"]
    everybody = APIClient().get(at).json()
    assert everybody["stage"]["places"][0][0]["rank"] == 1
    assert everybody["stage"]["complete"]


def test_only_the_organiser_reads_what_comes_next(over: Tournament, organiser: APIClient, at: str) -> None:
    begin(organiser, at)
    for client in (APIClient(), client_of(make_umpire(over))):
        seen = client.get(at).json()
        assert (seen["script"], seen["kinds"]) == (None, None)
    own = organiser.get(at).json()
    assert own["kinds"] == ["players", "teams", "nations"]
    assert own["script"]["left"] == 3


def test_a_step_sent_twice_is_told_once_and_is_taken_back(organiser: APIClient, at: str) -> None:
    begin(organiser, at)
    assert [step(organiser, at, 0).json()["script"]["told"] for _again in range(2)] == [1, 1]
    back = organiser.delete(at + "places/", {"seen": 1}, format="json").json()
    assert (back["script"]["told"], back["stage"]["places"]) == (0, [])


def test_what_was_told_stays_told_when_it_ends(organiser: APIClient, at: str) -> None:
    begin(organiser, at)
    place = step(organiser, at, 0).json()["stage"]["places"]
    for _again in range(2):
        ended = organiser.delete(at).json()
        assert (ended["stage"], ended["before"][0]["places"]) == (None, place)
    assert step(organiser, at, 1).json()["problems"][0]["code"] == "ceremony_over"


def test_everything_is_opened_and_published_at_once(over: Tournament, organiser: APIClient, at: str) -> None:
    hide_results(over.sessions.get(number=2), SYSTEM)
    end_appeals(over)
    published = organiser.post(at + "publish/").json()
    assert (published["after_session"], len(published["rows"])) == (2, 8)
    assert not over.sessions.filter(hidden=True).exists()


def test_there_is_no_step_before_a_ceremony(organiser: APIClient, at: str) -> None:
    assert step(organiser, at, 0).status_code == 404
    assert organiser.delete(at).status_code == 404


def test_none_begins_while_a_session_is_played() -> None:
    running = make_tournament(running=1)
    refused = begin(client_of(make_organiser(running)), f"{ROOT}{running.slug}/ceremony/")
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "session_still_running")


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "dogs"},
        {"kind": ["players"]},
        {"first": 0},
        {"first": 10**30},
        {"first": True},
        {"first": "3"},
    ],
)
def test_what_is_no_ceremony_is_not_understood(organiser: APIClient, at: str, body: dict[str, Any]) -> None:
    assert begin(organiser, at, **body).status_code == 400
    assert not Ceremony.objects.exists()


@pytest.mark.parametrize("seen", [None, -1, 10**30, "1", {}])
def test_a_step_says_how_many_were_told(organiser: APIClient, at: str, seen: Any) -> None:
    begin(organiser, at)
    assert step(organiser, at, seen).status_code == 400


def test_an_umpire_holds_no_ceremony(over: Tournament, organiser: APIClient, at: str) -> None:
    begin(organiser, at)
    umpire = client_of(make_umpire(over))
    answers = [begin(umpire, at), step(umpire, at, 0), umpire.delete(at), umpire.post(at + "publish/")]
    assert [answer.status_code for answer in answers] == [403] * 4
