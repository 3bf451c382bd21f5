"""The clock of the hall by program: read by everybody, run by who may."""

import pytest
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of
from tests.support.factories import make_organiser, make_tournament
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def running() -> Tournament:
    return make_tournament(running=0)


def clock(tournament: Tournament, session: int = 1) -> str:
    return f"{ROOT}{tournament.slug}/sessions/{session}/clock/"


def test_it_is_paused_extended_and_goes_on(running: Tournament) -> None:
    organiser, at = client_of(make_organiser(running)), clock(running)
    paused = organiser.post(at + "pause/", {"reason": "Fire alarm"}, format="json").json()
    assert (paused["stage"], bool(paused["paused_at"])) == ("paused", True)
    longer = organiser.post(at + "extend/", {"minutes": 10, "reason": "Fire alarm"}, format="json").json()
    assert (longer["minutes"], longer["longer"]) == (130, 10)
    organiser.post(at + "go-on/", {"reason": "All clear"}, format="json")
    seen = APIClient().get(at).json()
    assert (seen["stage"], seen["paused_at"]) == ("playing", None)
    assert "Fire alarm" not in str(seen)


def test_what_cannot_be_is_said_in_words(running: Tournament) -> None:
    organiser = client_of(make_organiser(running))
    refused = organiser.post(clock(running) + "go-on/", {"reason": "All clear"}, format="json")
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "clock_not_paused")


def test_who_may_not_is_turned_away(running: Tournament) -> None:
    assert APIClient().post(clock(running) + "pause/", {"reason": "x"}, format="json").status_code in (
        401,
        403,
    )


def test_a_session_that_is_not_being_played_shows_no_time(running: Tournament) -> None:
    assert APIClient().get(clock(running, 2)).status_code == 404
