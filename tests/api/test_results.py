"""Hidden results opened by REST, all at once or by session."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import SYSTEM, make_tournament
from tests.support.programs import ROOT, Program, codes_of
from tournament.engine.statements import Objection
from tournament.models import Tournament
from tournament.selectors.embargo import hidden_sessions
from tournament.services.appeals import open_appeal
from tournament.services.embargo import hide_results


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=8, sessions=3, played=2)
    for session in event.sessions.select_related("tournament"):
        hide_results(session, SYSTEM)
    event.refresh_from_db()
    return event


def open_results(client: Program, event: Tournament, **body: Any) -> Any:
    return client.post(f"{ROOT}{event.slug}/results/open/", body)


def test_those_named_are_opened_then_all(organiser: Program, event: Tournament) -> None:
    assert open_results(organiser, event, sessions=[2, 99]).json() == {"sessions": [2]}
    assert open_results(organiser, event, reason="the ceremony is over").json() == {"sessions": [1, 3]}
    event.refresh_from_db()
    assert hidden_sessions(event) == frozenset()
    assert open_results(organiser, event).json() == {"sessions": []}


def test_while_something_is_open_a_reason_is_asked_for(organiser: Program, event: Tournament) -> None:
    table = event.sessions.get(number=1).tables.get(number=1)
    player = table.seats.earliest("id").player.number
    open_appeal(table, SYSTEM, Objection(player, "Hand 1 was not won."), uuid=uuid4())
    answer = open_results(organiser, event)
    assert (answer.status_code, len(codes_of(answer))) == (409, 1)
    assert open_results(organiser, event, reason="it is ruled tonight").json()["sessions"] == [1, 2, 3]


def test_what_cannot_be_read_is_refused(organiser: Program, event: Tournament) -> None:
    unreadable: tuple[Any, ...] = ([10**30], ["x"], 1, {"1": 1})
    for sessions in unreadable:
        assert open_results(organiser, event, sessions=sessions).status_code == 400, sessions
    assert hidden_sessions(event) == {1, 2, 3}
