"""What each kind of hearer is told, and what nobody is."""

import json
from itertools import product
from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import SYSTEM, hand_entry, make_tournament
from tournament.base.models.play import Table
from tournament.fouls.services.penalties import give_penalty
from tournament.live.app import entries_after
from tournament.live.hub import PUBLIC, STAFF, Entry, Hearer, reset
from tournament.play.engine.statements import Accusation
from tournament.play.services.absences import note_absence
from tournament.play.services.hands import record_hand

OF_A_HAND = {"winner": 7, "discarder": 3, "scores": {"7": 25}, "points": 25, "outcome": "win", "hand": 3}
OF_A_PERSON = {
    "player": 7,
    "name": "Ada Wong",
    "reason": "asked",
    "foul": "late",
    "minutes": 7,
    "user": "ada",
}
SECRETS = OF_A_HAND | OF_A_PERSON | {"facts": {"minutes": 7}}
KNOWN = {"version", "action", "session", "table", "table_version"}
CARD = Hearer(table=1)


def fields(frame: bytes) -> dict[str, str]:
    assert frame.endswith(b"\n\n")
    return dict(line.split(": ", 1) for line in frame.decode().strip().split("\n"))


def data(frame: bytes) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(fields(frame)["data"])
    return decoded


def test_a_change_carries_the_version_as_its_id_and_says_where_it_happened() -> None:
    entry = Entry(12, "hand_recorded", {"session": 1, "table": 4, "table_version": 9}, 10)
    event = fields(PUBLIC.change(entry, 10))
    assert (event["id"], event["event"]) == ("10", "change")
    assert json.loads(event["data"]) == {"version": 10, "action": "hand_recorded", **entry.data}


def test_who_it_was_and_for_how_much_is_on_the_pages_alone(subtests: pytest.Subtests) -> None:
    """Each page asks as whoever is looking; the stream is the same bytes for all of them."""
    actions = ("hand_recorded", "penalty_given", "appeal_opened", "player_absent")
    for hearer, action in product((PUBLIC, STAFF, CARD), actions):
        entry = Entry(3, action, {"session": 1, "table": 1, "table_version": 2} | SECRETS, 3)
        with subtests.test(action, hearer=hearer):
            assert set(data(hearer.change(entry, 3))) == KNOWN


def test_the_public_does_not_hear_by_name_what_only_some_may_see() -> None:
    for action in (
        *("penalty_given", "penalty_cancelled", "appeal_opened", "player_absent"),
        *("role_changed", "role_ended", "tournament_handed_over", "passes_revoked"),
    ):
        entry = Entry(3, action, {}, 3)
        heard = [data(hearer.change(entry, 3))["action"] for hearer in (PUBLIC, STAFF)]
        assert heard == ["changed", action]


@pytest.mark.django_db
def test_nobody_who_is_penalized_or_missing_is_named_in_the_hall() -> None:
    event = make_tournament(running=0)
    table = Table.objects.select_related("session__tournament").get(session__number=1, number=1)
    first, second = (seat.player.number for seat in table.seats.order_by("id")[:2])
    record_hand(table, SYSTEM, hand_entry(table, 1), number=1, uuid=uuid4())
    foul = Accusation(first, "rules_violation", details={"points": 10})
    give_penalty(table, SYSTEM, foul, uuid=uuid4())
    note_absence(table, SYSTEM, second, uuid=uuid4())
    written = {entry.action: entry for entry in entries_after(event.pk, 0)}
    for action in ("hand_recorded", "penalty_given", "player_absent"):
        assert set(data(PUBLIC.change(written[action], 1))) == KNOWN


def test_of_a_hidden_session_the_public_hears_where_somebody_sits_and_no_more() -> None:
    at_a_table = {"session": 2, "table": 1, "table_version": 4}
    hand = Entry(5, "hand_recorded", at_a_table, None, hidden=True)
    absent = Entry(6, "player_absent", at_a_table, 5, hidden=True)
    begun = Entry(7, "session_started", {"session": 2}, 6, hidden=True)
    told_before = Entry(5, "hand_recorded", at_a_table, 5, hidden=True)
    assert [PUBLIC.is_told(entry) for entry in (hand, absent, begun)] == [False, True, True]
    for entry in (absent, told_before):
        assert data(PUBLIC.change(entry, 5)) == {"version": 5, "action": "changed", "session": 2, "table": 1}
    assert data(PUBLIC.change(begun, 6)) == {"version": 6, "action": "session_started", "session": 2}


def test_a_card_hears_its_own_table_in_a_hidden_session_and_no_other() -> None:
    mine, theirs = (
        Entry(5, "hand_recorded", {"session": 2, "table": table, "table_version": 4}, None, hidden=True)
        for table in (1, 2)
    )
    assert [CARD.is_told(entry) for entry in (mine, theirs)] == [True, False]
    assert data(CARD.change(mine, 3)) == {"version": 3, "action": "hand_recorded", **mine.data}


def test_a_line_break_in_the_data_does_not_end_the_event() -> None:
    """A reset names the version to read."""
    frame = STAFF.change(Entry(1, "hand_recorded", {"table": "a\n\nevent: reset\n\n和"}, 1), 1)
    assert frame.count(b"\n\n") == 1
    assert data(frame)["table"] == "a\n\nevent: reset\n\n和"
    assert fields(reset(400)) == {"id": "400", "event": "reset", "data": '{"version":400}'}
