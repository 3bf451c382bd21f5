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


def begin(organiser: Program, at: str, **body: Any) -> Any:
    return organiser.post(at, {"kind": "players", "first": 3} | body)


def step(organiser: Program, at: str, seen: Any) -> Any:
    return organiser.post(at + "places/", {"seen": seen})


@pytest.mark.thorough
def test_every_place_is_told_once_and_everybody_hears_it(
    organiser: Program, umpire: Program, at: str
) -> None:
    """Only the organiser reads what comes next. A step is taken back, and what was told stays told at the end."""
    script = begin(organiser, at).json()["script"]
    for client in (Program(), umpire):
        seen = client.get(at).json()
        assert (seen["script"], seen["kinds"], seen["stage"]["places"]) == (None, None, [])
    own = organiser.get(at).json()
    assert (own["kinds"], own["script"]["left"]) == (["players", "teams", "nations"], 3)
    assert [step(organiser, at, 0).json()["script"]["told"] for _again in range(2)] == [1, 1]
    back = organiser.delete(at + "places/", {"seen": 1}).json()
    assert (back["script"]["told"], back["stage"]["places"]) == (0, [])
    while script["next"]:
        answer = step(organiser, at, script["told"]).json()
        assert answer["stage"]["places"][0] == script["next"]
        script = answer["script"]
    stage = Program().get(at).json()["stage"]
    assert (stage["places"][0][0]["rank"], stage["complete"]) == (1, True)
    for _again in range(2):
        ended = organiser.delete(at).json()
        assert (ended["stage"], ended["before"][0]["places"]) == (None, stage["places"])
    assert refusal(step(organiser, at, 1)) == (422, ["ceremony_over"])


def test_everything_is_opened_and_published_at_once(event: Tournament, organiser: Program, at: str) -> None:
    hide_results(event.sessions.get(number=2), SYSTEM)
    end_appeals(event)
    published = organiser.post(at + "publish/").json()
    assert (published["after_session"], len(published["rows"])) == (2, 8)
    assert not event.sessions.filter(hidden=True).exists()


def test_what_is_no_ceremony_is_not_understood(organiser: Program, at: str) -> None:
    """A step says how many were told; before a ceremony there is none."""
    assert step(organiser, at, 0).status_code == 404
    assert organiser.delete(at).status_code == 404
    for wrong in ({"kind": "dogs"}, {"kind": ["players"]}, {"first": 0}, {"first": True}, {"first": "3"}):
        assert begin(organiser, at, **wrong).status_code == 400, wrong
    assert not Ceremony.objects.exists()
    begin(organiser, at)
    for seen in (None, -1, 10**30, "1"):
        assert step(organiser, at, seen).status_code == 400, seen


def test_hidden_results_are_opened_by_session_then_all(
    organiser: Program, event: Tournament, home: str
) -> None:
    """While something is open a reason is asked for."""
    for session in event.sessions.select_related("tournament"):
        hide_results(session, SYSTEM)
    results = home + "results/open/"
    for sessions in ([10**30], ["x"], 1):
        assert organiser.post(results, {"sessions": sessions}).status_code == 400, sessions
    assert event.sessions.filter(hidden=True).count() == 2
    assert organiser.post(results, {"sessions": [2, 99]}).json() == {"sessions": [2]}
    table = event.sessions.get(number=1).tables.get(number=1)
    player = table.seats.earliest("id").player.number
    open_appeal(table, SYSTEM, Objection(player, "Hand 1 was not won."), uuid=uuid4())
    answer = organiser.post(results)
    assert (answer.status_code, len(codes_of(answer))) == (409, 1)
    assert organiser.post(results, {"reason": "it is ruled tonight"}).json() == {"sessions": [1]}
    assert not event.sessions.filter(hidden=True).exists()
    assert organiser.post(results).json() == {"sessions": []}
