"""A ceremony held by a program: begun, told place by place, taken back, ended; then everything hidden is opened."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import SYSTEM, end_appeals, make_tournament
from tests.support.programs import Program, codes_of, refusal
from tournament.base.models.tournament import Tournament
from tournament.fouls.services.appeals import open_appeal
from tournament.play.engine.statements import Objection
from tournament.ranking.services import hide_results
from tournament.screens.models import Ceremony

PATH = "ceremony/"


@pytest.fixture
def event() -> Tournament:
    """Eight players, both sessions closed."""
    return make_tournament(players=8, sessions=2, played=2)


def begin(organiser_client: Program, base_url: str, **body: Any) -> Any:
    return organiser_client.post(base_url, {"kind": "players", "first": 3} | body)


def step(organiser_client: Program, base_url: str, seen: Any) -> Any:
    return organiser_client.post(base_url + "places/", {"seen": seen})


@pytest.mark.thorough
def test_every_place_is_told_once_and_everybody_hears_it(
    organiser_client: Program, umpire_client: Program, base_url: str
) -> None:
    """Only the organiser reads what comes next. A step is taken back, and what was told stays told at the end."""
    script = begin(organiser_client, base_url).json()["script"]
    for client in (Program(), umpire_client):
        seen = client.get(base_url).json()
        assert (seen["script"], seen["kinds"], seen["stage"]["places"]) == (None, None, [])
    own = organiser_client.get(base_url).json()
    assert (own["kinds"], own["script"]["left"]) == (["players", "teams", "nations"], 3)
    assert [step(organiser_client, base_url, 0).json()["script"]["told"] for _again in range(2)] == [1, 1]
    back = organiser_client.delete(base_url + "places/", {"seen": 1}).json()
    assert (back["script"]["told"], back["stage"]["places"]) == (0, [])
    while script["next"]:
        answer = step(organiser_client, base_url, script["told"]).json()
        assert answer["stage"]["places"][0] == script["next"]
        script = answer["script"]
    stage = Program().get(base_url).json()["stage"]
    assert (stage["places"][0][0]["rank"], stage["complete"]) == (1, True)
    for _again in range(2):
        ended = organiser_client.delete(base_url).json()
        assert (ended["stage"], ended["before"][0]["places"]) == (None, stage["places"])
    assert refusal(step(organiser_client, base_url, 1)) == (422, ["ceremony_over"])


def test_everything_is_opened_and_published_at_once(
    event: Tournament, organiser_client: Program, base_url: str
) -> None:
    hide_results(event.sessions.get(number=2), SYSTEM)
    end_appeals(event)
    published = organiser_client.post(base_url + "publish/").json()
    assert (published["after_session"], len(published["rows"])) == (2, 8)
    assert not event.sessions.filter(hidden=True).exists()


def test_what_is_no_ceremony_is_not_understood(organiser_client: Program, base_url: str) -> None:
    """A step says how many were told; before a ceremony there is none."""
    assert step(organiser_client, base_url, 0).status_code == 404
    assert organiser_client.delete(base_url).status_code == 404
    for wrong in ({"kind": "dogs"}, {"kind": ["players"]}, {"first": 0}, {"first": True}, {"first": "3"}):
        assert begin(organiser_client, base_url, **wrong).status_code == 400, wrong
    assert not Ceremony.objects.exists()
    begin(organiser_client, base_url)
    for seen in (None, -1, 10**30, "1"):
        assert step(organiser_client, base_url, seen).status_code == 400, seen


def test_hidden_results_are_opened_by_session_then_all(
    organiser_client: Program, event: Tournament, event_url: str
) -> None:
    """While something is open a reason is asked for."""
    for session in event.sessions.select_related("tournament"):
        hide_results(session, SYSTEM)
    results = event_url + "results/open/"
    for sessions in ([10**30], ["x"], 1):
        assert organiser_client.post(results, {"sessions": sessions}).status_code == 400, sessions
    assert event.sessions.filter(hidden=True).count() == 2
    assert organiser_client.post(results, {"sessions": [2, 99]}).json() == {"sessions": [2]}
    table = event.sessions.get(number=1).tables.get(number=1)
    player = table.seats.earliest("id").player.number
    open_appeal(table, SYSTEM, Objection(player, "Hand 1 was not won."), uuid=uuid4())
    answer = organiser_client.post(results)
    assert (answer.status_code, len(codes_of(answer))) == (409, 1)
    assert organiser_client.post(results, {"reason": "it is ruled tonight"}).json() == {"sessions": [1]}
    assert not event.sessions.filter(hidden=True).exists()
    assert organiser_client.post(results).json() == {"sessions": []}
