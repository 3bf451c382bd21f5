"""What is told to the hall, and what is not."""

import json
from typing import Any
from uuid import uuid4

import pytest

from penalties.engine.facts import FACTS
from tests.factories import SYSTEM, make_tournament
from tournament.engine.statements import Accusation
from tournament.live.events import Entry, change, reset, without_results
from tournament.services.penalties import give_penalty


def fields(frame: bytes) -> dict[str, str]:
    assert frame.endswith(b"\n\n")
    return dict(line.split(": ", 1) for line in frame.decode().strip().split("\n"))


def test_a_change_carries_the_version_as_its_id_and_says_where_it_happened() -> None:
    event = fields(change(Entry(12, "hand_recorded", {"session": 1, "table": 4, "hand": 9})))

    assert (event["id"], event["event"]) == ("12", "change")
    assert json.loads(event["data"]) == {
        "version": 12,
        "action": "hand_recorded",
        "session": 1,
        "table": 4,
        "hand": 9,
    }


def test_names_reasons_and_fouls_stay_in_the_log() -> None:
    entry = Entry(3, "penalty_given", {"table": 1, "name": "Ada Wong", "reason": "asked", "foul": "late"})

    assert set(json.loads(fields(change(entry))["data"])) == {"version", "action", "table"}


def test_what_an_umpire_states_with_a_foul_stays_in_the_log() -> None:
    """However a service should lay it out: `points` of a hand are the hall's, `points` of a foul are not."""
    stated: dict[str, Any] = dict.fromkeys(FACTS, 7)
    for action in ("penalty_given", "penalty_cancelled"):
        entry = Entry(3, action, {"table": 1, "facts": stated} | stated)
        assert set(json.loads(fields(change(entry))["data"])) == {"version", "action", "table"}


@pytest.mark.django_db
def test_a_penalty_tells_the_hall_no_figure_but_the_scores() -> None:
    event = make_tournament(running=0)
    table = event.sessions.get(number=1).tables.select_related("session__tournament").get(number=1)
    foul = Accusation(table.seats.all()[0].player.number, "rules_violation", details={"points": 10})
    give_penalty(table, SYSTEM, foul, uuid=uuid4())
    entry = event.log.get(action="penalty_given")
    told = json.loads(fields(change(Entry(entry.seq, entry.action, entry.data)))["data"])
    assert set(told) == {
        *("version", "action", "session", "table", "table_version", "hand", "player", "scores")
    }
    assert not set(entry.data) & set(FACTS)


def test_a_line_break_in_the_data_does_not_end_the_event() -> None:
    frame = change(Entry(1, "hand_recorded", {"outcome": "a\n\nevent: reset\n\n和"}))

    assert frame.count(b"\n\n") == 1
    assert json.loads(fields(frame)["data"])["outcome"] == "a\n\nevent: reset\n\n和"


def test_a_reset_names_the_version_to_read() -> None:
    assert fields(reset(400)) == {"id": "400", "event": "reset", "data": '{"version":400}'}


def test_a_hidden_session_tells_where_and_how_far_it_is_and_nothing_else() -> None:
    data = {"session": 2, "table": 1, "hand": 3, "winner": 7, "points": 25, "scores": {"7": 99}, "player": 7}

    assert without_results(Entry(5, "hand_recorded", data)) == Entry(
        5, "hand_recorded", {"session": 2, "table": 1, "hand": 3}
    )


def test_a_hidden_session_does_not_tell_that_there_was_a_penalty() -> None:
    told = without_results(Entry(5, "penalty_given", {"session": 2, "table": 1, "table_version": 4}))

    assert told == Entry(5, "table_changed", {"session": 2, "table": 1, "table_version": 4})
