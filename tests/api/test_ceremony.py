"""A ceremony held by a program: begun, told place by place, taken back, ended; then everything opened."""

from typing import Any

import pytest

from tests.support.factories import SYSTEM, end_appeals, make_organiser, make_tournament
from tests.support.programs import ROOT, Program, client_of, codes_of, refusal
from tournament.models import Ceremony, Tournament
from tournament.services.embargo import hide_results

PATH = "ceremony/"


@pytest.fixture
def event() -> Tournament:
    """Eight players, both sessions closed."""
    return make_tournament(players=8, sessions=2, played=2)


def begin(organiser: Program, at: str, **body: Any) -> Any:
    return organiser.post(at, {"kind": "players", "first": 3} | body)


def step(organiser: Program, at: str, seen: Any) -> Any:
    return organiser.post(at + "places/", {"seen": seen})


@pytest.mark.thorough
def test_the_organiser_tells_every_place_and_everybody_hears_it(
    organiser: Program, umpire: Program, at: str
) -> None:
    """Only the organiser reads what comes next."""
    script = begin(organiser, at).json()["script"]
    for client in (Program(), umpire):
        seen = client.get(at).json()
        assert (seen["script"], seen["kinds"], seen["stage"]["places"]) == (None, None, [])
    own = organiser.get(at).json()
    assert (own["kinds"], own["script"]["left"]) == (["players", "teams", "nations"], 3)
    while script["next"]:
        answer = step(organiser, at, script["told"]).json()
        assert answer["stage"]["places"][0] == script["next"]
        script = answer["script"]
    stage = Program().get(at).json()["stage"]
    assert stage["places"][0][0]["rank"] == 1
    assert stage["complete"]


@pytest.mark.thorough
def test_a_step_is_told_once_taken_back_and_stays_told_at_the_end(organiser: Program, at: str) -> None:
    begin(organiser, at)
    assert [step(organiser, at, 0).json()["script"]["told"] for _again in range(2)] == [1, 1]
    back = organiser.delete(at + "places/", {"seen": 1}).json()
    assert (back["script"]["told"], back["stage"]["places"]) == (0, [])
    places = step(organiser, at, 0).json()["stage"]["places"]
    for _again in range(2):
        ended = organiser.delete(at).json()
        assert (ended["stage"], ended["before"][0]["places"]) == (None, places)
    assert codes_of(step(organiser, at, 1)) == ["ceremony_over"]


def test_everything_is_opened_and_published_at_once(event: Tournament, organiser: Program, at: str) -> None:
    hide_results(event.sessions.get(number=2), SYSTEM)
    end_appeals(event)
    published = organiser.post(at + "publish/").json()
    assert (published["after_session"], len(published["rows"])) == (2, 8)
    assert not event.sessions.filter(hidden=True).exists()


def test_none_begins_while_a_session_is_played() -> None:
    event = make_tournament(running=1)
    refused = begin(client_of(make_organiser(event)), f"{ROOT}{event.slug}/ceremony/")
    assert refusal(refused) == (422, ["session_still_running"])


def test_what_is_no_ceremony_is_not_understood(organiser: Program, at: str) -> None:
    """A step says how many were told; before a ceremony there is none."""
    assert step(organiser, at, 0).status_code == 404
    assert organiser.delete(at).status_code == 404
    for kind in ("dogs", ["players"]):
        assert begin(organiser, at, kind=kind).status_code == 400, kind
    for first in (0, 10**30, True, "3"):
        assert begin(organiser, at, first=first).status_code == 400, first
    assert not Ceremony.objects.exists()
    begin(organiser, at)
    unreadable: tuple[Any, ...] = (None, -1, 10**30, "1", {})
    for seen in unreadable:
        assert step(organiser, at, seen).status_code == 400, seen
