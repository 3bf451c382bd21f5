"""The version that the public knows: what happens in a hidden session does not move it."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.factories import SYSTEM, hand_entry, make_tournament, record, seats_for
from tournament.access import Audience
from tournament.audit import audit
from tournament.engine.statements import Accusation, Objection
from tournament.log import first_broken_link
from tournament.models import LogEntry, Session, Table, Tournament
from tournament.selectors.embargo import version_for
from tournament.services.absences import note_absence
from tournament.services.appeals import open_appeal
from tournament.services.calls import raise_call
from tournament.services.draw import seat
from tournament.services.embargo import hide_results, open_results, show_results
from tournament.services.hands import record_hand
from tournament.services.penalties import give_penalty
from tournament.services.sessions import close_session
from tournament.services.signing import sign
from tournament.services.tables import hand_in, reopen
from tournament.services.timing import set_extra_time

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Tournament:
    """Session 1 is closed; session 2 is being played, two hands in at each table, and hidden."""
    tournament = make_tournament(players=8, sessions=3, played=1, running=2)
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    return again(tournament)


def again(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def versions(tournament: Tournament) -> tuple[int, int]:
    now = again(tournament)
    return version_for(Audience.STAFF, now), version_for(Audience.PUBLIC, now)


def at(tournament: Tournament, number: int = 1) -> Table:
    tables = Table.objects.select_related("session__tournament")
    return tables.get(session__tournament=tournament, session__number=2, number=number)


def first_player(table: Table) -> int:
    return table.seats.order_by("id")[0].player.number


def false_hu(table: Table) -> Any:
    return give_penalty(table, SYSTEM, Accusation(first_player(table), "false_hu", 1), uuid=uuid4())


def appeal(table: Table) -> Any:
    return open_appeal(table, SYSTEM, Objection(first_player(table), "Hand 1."), uuid=uuid4())


PLAY: dict[str, Callable[[Table], Any]] = {
    "a hand": lambda table: record(table, hand_entry(table, 3)),
    "a penalty": false_hu,
    "an appeal": appeal,
    "a signature": lambda table: sign(table, SYSTEM, first_player(table)),
    "a call": lambda table: raise_call(table, SYSTEM, "tiles"),
    "a sheet handed in": lambda table: hand_in(table, SYSTEM),
    "a sheet taken back": lambda table: reopen(hand_in(table, SYSTEM), SYSTEM),
}
SEATS: dict[str, Callable[[Table], Any]] = {
    "an empty seat": lambda table: note_absence(table, SYSTEM, first_player(table), uuid=uuid4()),
    "more time": lambda table: set_extra_time(table, SYSTEM, 5, reason="A tile was missing"),
}


@pytest.mark.parametrize("act", PLAY.values(), ids=PLAY)
def test_how_a_hidden_session_is_played_moves_the_version_of_staff_alone(
    spring: Tournament, act: Callable[[Table], Any]
) -> None:
    open_session = make_tournament(players=8, sessions=3, played=1, running=2, name="Open")
    for tournament in (spring, open_session):
        before = versions(tournament)
        act(at(tournament))
        staff, public = versions(tournament)
        assert staff > before[0]
        assert public == (before[1] if tournament == spring else staff)


@pytest.mark.parametrize("act", SEATS.values(), ids=SEATS)
def test_who_sits_there_and_how_long_is_everybodys_to_know(act: Callable[[Table], Any]) -> None:
    tournament = make_tournament(players=8, sessions=3, played=1, running=0)
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    staff, public = versions(tournament)
    act(at(tournament))
    assert versions(tournament) == (staff + 1, public + 1)


def test_opening_moves_the_public_version_once_to_that_of_the_log(spring: Tournament) -> None:
    for number in (1, 2):
        PLAY["a hand"](at(spring, number))
    open_results(spring, SYSTEM)
    now = again(spring)
    assert now.public_version == now.version
    assert spring.log.get(action="results_opened").public_seq == now.version


def test_nobody_can_count_what_is_written_while_hidden(
    spring: Tournament,
) -> None:
    hide_results(spring.sessions.get(number=3), SYSTEM)
    PLAY["a hand"](at(spring))
    _staff, public = versions(spring)
    show_results(Session.objects.select_related("tournament").get(tournament=spring, number=3), SYSTEM)
    assert versions(spring)[1] == public + 1


class TestCheck:
    """`manage.py check` derives the numbers anew."""

    def test_agrees_with_what_was_written(self, spring: Tournament) -> None:
        for act in ("a hand", "a penalty", "a call"):
            PLAY[act](at(spring))
        for number in (1, 2):
            hand_in(at(spring, number), SYSTEM)
        close_session(at(spring).session, SYSTEM)
        assert list(audit(again(spring))) == []
        open_results(spring, SYSTEM, reason="Ruled tonight")
        assert list(audit(again(spring))) == []

    def test_agrees_after_a_new_draw_of_fewer_sessions(self) -> None:
        tournament = make_tournament(players=8, sessions=3)
        for number in (2, 3):
            hide_results(tournament.sessions.get(number=number), SYSTEM)
        seat(tournament, SYSTEM, seats_for(8, 2))
        open_results(tournament, SYSTEM)
        now = again(tournament)
        assert now.public_version == now.version
        assert list(audit(now)) == []

    def test_finds_numbers_that_were_changed_past_the_services(self, spring: Tournament) -> None:
        PLAY["a hand"](at(spring))
        entry = spring.log.latest("seq")
        LogEntry.objects.filter(pk=entry.pk).update(public_seq=entry.seq)
        line = f"spring-open, log entry {entry.seq}: is not counted for the public as it should be"
        assert [str(finding) for finding in audit(again(spring))] == [line]
        LogEntry.objects.filter(pk=entry.pk).update(public_seq=entry.public_seq)
        Tournament.objects.filter(pk=spring.pk).update(public_version=99)
        assert len(list(audit(again(spring)))) == 1

    def test_the_chain_is_the_same_whatever_the_public_is_told(self, spring: Tournament) -> None:
        LogEntry.objects.filter(tournament=spring).update(public_seq=None)
        assert first_broken_link(again(spring)) is None


def test_a_hand_asks_once_what_is_hidden() -> None:
    make_tournament(players=8, sessions=2, running=1)
    table = Table.objects.select_related("session__tournament").get(session__number=1, number=1)
    with CaptureQueriesContext(connection) as queries:
        record_hand(table, SYSTEM, hand_entry(table, 2), number=2, uuid=uuid4())
    conditions = [query["sql"].partition("WHERE")[2] for query in queries.captured_queries]
    assert len([condition for condition in conditions if '"hidden"' in condition]) == 1
