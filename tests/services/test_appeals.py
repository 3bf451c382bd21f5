"""Appeals: in time, on record, ruled once; and what is still needed once a result is final."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.factories import SYSTEM, make_organiser, make_tournament, make_umpire, wash_out
from tournament.access import Actor, Audience
from tournament.audit import audit
from tournament.clock import appeals_until, is_final
from tournament.errors import Forbidden, Refused
from tournament.models import Appeal, Membership, Role, Session, Table, Tournament
from tournament.selectors.appeals import objections
from tournament.services.appeals import Objection, open_appeal, rule_appeal
from tournament.services.hands import correct_hand
from tournament.services.penalties import Foul, cancel_penalty, give_penalty
from tournament.services.sessions import reopen_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    """Of a session just closed."""
    return make_tournament(played=1).sessions.get(number=1).tables.get(number=1)


def end_of_appeals(table: Table, minutes: int = 30) -> Table:
    """The same table, so long after its session was closed."""
    Session.objects.filter(pk=table.session.pk).update(closed_at=timezone.now() - timedelta(minutes=minutes))
    return Table.objects.select_related("session__tournament").get(pk=table.pk)


def player(table: Table) -> int:
    seat = table.seats.order_by("id").first()
    assert seat is not None
    return seat.player.number


def appeal(table: Table, text: str = "Hand 1 was a wash-out.", **more: Any) -> Appeal:
    objection = Objection(more.pop("player", player(table)), text, more.pop("hand", 1))
    return open_appeal(table, more.pop("actor", SYSTEM), objection, uuid=more.pop("uuid", uuid4()))


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


# --- opening ------------------------------------------------------------------------------------------------------
def test_appeals_are_taken_for_thirty_minutes_after_the_sessions_end(table: Table) -> None:
    assert table.session.closed_at is not None
    assert appeals_until(table.session) == table.session.closed_at + timedelta(minutes=30)
    assert appeal(end_of_appeals(table, 29)).is_open
    with pytest.raises(Refused) as refused:
        appeal(end_of_appeals(table, 30))
    assert codes(refused) == ["appeals_are_over"]


def test_a_question_is_raised_at_once_while_the_session_is_played() -> None:
    running = make_tournament(running=1)
    assert appeal(running.sessions.get(number=1).tables.get(number=1)).is_open
    with pytest.raises(Refused) as refused:
        appeal(running.sessions.get(number=2).tables.get(number=1))
    assert codes(refused) == ["session_not_started"]


def test_everything_wrong_with_an_appeal_is_said_at_once(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        appeal(table, "  ", player=99, hand=17)
    assert [problem.where for problem in refused.value.problems] == ["player", "hand_number", "text"]


def test_the_same_appeal_sent_twice_is_one(table: Table) -> None:
    uuid = uuid4()
    assert appeal(table, uuid=uuid) == appeal(table, uuid=uuid)
    assert Appeal.objects.count() == 1


# --- ruling -------------------------------------------------------------------------------------------------------
def test_a_ruling_needs_words_and_is_given_once(table: Table) -> None:
    opened = appeal(table)
    with pytest.raises(Refused) as refused:
        rule_appeal(opened, SYSTEM, granted=True, ruling=" ")
    assert codes(refused) == ["ruling_missing"]
    ruled = rule_appeal(opened, SYSTEM, granted=False, ruling="The tiles were shown.")
    assert (ruled.granted, ruled.ruling, ruled.is_open) == (False, "The tiles were shown.", False)
    with pytest.raises(Refused) as refused:
        rule_appeal(opened, SYSTEM, granted=True, ruling="No, they were not.")
    assert codes(refused) == ["appeal_ruled_already"]


def test_a_ruling_moves_no_figure(table: Table) -> None:
    before = list(table.seats.order_by("id").values())
    rule_appeal(appeal(table), SYSTEM, granted=True, ruling="Granted; corrected at the table.")
    assert list(table.seats.order_by("id").values()) == before


def test_the_card_on_the_table_appeals_but_does_not_rule(table: Table) -> None:
    holder = make_umpire(table.session.tournament)
    Membership.objects.filter(user=holder, role=Role.UMPIRE).update(everywhere=False, table_number=1)
    opened = appeal(table, actor=Actor.of(holder))
    with pytest.raises(Forbidden):
        rule_appeal(opened, Actor.of(holder), granted=True, ruling="We agree with ourselves.")
    umpire = Actor.of(make_umpire(table.session.tournament, "una"))
    assert not rule_appeal(opened, umpire, granted=False, ruling="No.").is_open


# --- final --------------------------------------------------------------------------------------------------------
def test_a_result_is_open_to_objections_until_its_time_is_over_and_every_appeal_ruled(table: Table) -> None:
    tournament = Tournament.objects.get()
    assert objections(tournament, Audience.STAFF).until == appeals_until(table.session)
    opened = appeal(table)
    end_of_appeals(table)
    Tournament.objects.update(version=tournament.version + 10)
    tournament = Tournament.objects.get()
    left = objections(tournament, Audience.STAFF)
    assert (list(left.open), left.until) == ([opened], None)
    rule_appeal(opened, SYSTEM, granted=False, ruling="No.")
    assert not objections(Tournament.objects.get(), Audience.STAFF)


def test_changes_after_that_need_the_organiser_and_a_reason(table: Table) -> None:
    tournament = table.session.tournament
    organiser, umpire = Actor.of(make_organiser(tournament)), Actor.of(make_umpire(tournament))
    foul = Foul(player(table), "false_hu", 1)
    early = give_penalty(table, organiser, foul, uuid=uuid4())
    table = end_of_appeals(table)
    assert is_final(table.session)
    hand = table.hands.get(number=1, is_current=True)

    with pytest.raises(Refused) as refused:
        correct_hand(hand, umpire, wash_out(), reason="Seen late", uuid=uuid4())
    assert codes(refused) == ["session_closed"]
    attempts = (
        lambda: correct_hand(hand, organiser, wash_out(), reason="", uuid=uuid4()),
        lambda: give_penalty(table, organiser, foul, uuid=uuid4()),
        lambda: cancel_penalty(early, organiser, reason=" "),
        lambda: reopen_session(table.session, organiser),
    )
    for attempt in attempts:
        with pytest.raises(Refused) as refused:
            attempt()
        assert codes(refused)[0] in {"reason_missing", "result_is_final"}
    late = Foul(player(table), "false_hu", 1, note="Ruled by the committee")
    assert give_penalty(table, organiser, late, uuid=uuid4()).note == "Ruled by the committee"
    assert reopen_session(table.session, organiser, reason="Table 1 was swapped").state == "running"
    entry = tournament.log.order_by("seq").last()
    assert entry is not None
    assert entry.data["reason"] == "Table 1 was swapped"


def test_the_audit_finds_an_appeal_that_is_not_as_it_was_logged(table: Table) -> None:
    rule_appeal(appeal(table), SYSTEM, granted=False, ruling="No.")
    tournament = Tournament.objects.get()
    assert list(audit(tournament)) == []
    Appeal.objects.update(granted=True)
    assert ["appeal" in str(finding) for finding in audit(tournament)] == [True]
