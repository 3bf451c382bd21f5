"""Appeals: in time, on record, ruled once; and what is still needed once a result is final."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.support.factories import (
    SYSTEM,
    make_organiser,
    make_tournament,
    make_umpire,
    play_hands,
    record,
    wash_out,
    win,
)
from tournament.access import Actor, Audience
from tournament.audit import audit
from tournament.engine.entry import HandEntry
from tournament.engine.statements import Accusation, Objection
from tournament.errors import Forbidden, Refused
from tournament.models import Appeal, Membership, Role, Session, Table, Tournament
from tournament.selectors.appeals import objections
from tournament.selectors.ends import appeals_until, is_final
from tournament.selectors.log_words import log_words
from tournament.selectors.verdicts import judge_at
from tournament.services.appeals import open_appeal
from tournament.services.hands import correct_hand
from tournament.services.penalties import cancel_penalty, give_penalty
from tournament.services.rulings import rule_appeal, waive_ruling
from tournament.services.sessions import close_session, reopen_session
from tournament.words.problems import sentence

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
    penalty = more.pop("penalty", None)
    hand = more.pop("hand", None if penalty else 1)
    objection = Objection(more.pop("player", player(table)), text, hand, penalty)
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


def test_nobody_objects_to_a_hand_that_has_not_begun() -> None:
    table = make_tournament(running=2).sessions.get(number=1).tables.get(number=1)
    with pytest.raises(Refused) as refused:
        appeal(table, hand=4)
    assert [sentence(problem) for problem in refused.value.problems] == [
        "Hand 4 has not begun: hand 3 is under way."
    ]
    assert appeal(table, hand=3).is_open


def test_once_the_sheet_is_in_nobody_objects_to_a_hand_that_was_not_played(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        appeal(table, hand=table.hands_played + 1)
    assert codes(refused) == ["no_hand_under_way"]


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


# --- not by who took the decision -------------------------------------------------------------------------------
def umpired(hands: int = 2) -> tuple[Table, Actor]:
    """A table of a session being played, whose hands `uma` recorded."""
    tournament = make_tournament(running=0)
    uma = Actor.of(make_umpire(tournament, "uma"))
    table = tournament.sessions.get(number=1).tables.get(number=1)
    play_hands(table, hands, uma)
    return table, uma


def test_nobody_rules_on_a_hand_they_recorded() -> None:
    table, uma = umpired()
    opened = appeal(table)
    with pytest.raises(Refused) as refused:
        rule_appeal(opened, uma, granted=False, ruling="I saw it.")
    assert codes(refused) == ["ruled_by_who_decided"]
    other = Actor.of(make_umpire(table.session.tournament, "una"))
    assert rule_appeal(opened, other, granted=False, ruling="No.").is_ruled


def test_nobody_rules_on_a_penalty_they_gave_and_whoever_recorded_the_hand_may() -> None:
    table, uma = umpired()
    una = Actor.of(make_umpire(table.session.tournament, "una"))
    given = give_penalty(table, una, Accusation(player(table), "false_hu", 2), uuid=uuid4())
    opened = appeal(table, "I said nothing.", penalty=given.uuid)
    with pytest.raises(Refused) as refused:
        rule_appeal(opened, una, granted=False, ruling="You did.")
    assert codes(refused) == ["ruled_by_who_decided"]
    assert rule_appeal(opened, uma, granted=False, ruling="We all heard it.").is_ruled


def test_against_the_whole_sheet_nobody_rules_who_wrote_on_it() -> None:
    table, uma = umpired()
    with pytest.raises(Refused) as refused:
        rule_appeal(appeal(table, hand=None), uma, granted=False, ruling="It adds up.")
    assert codes(refused) == ["ruled_by_who_decided"]


def test_who_corrected_a_hand_since_the_appeal_did_not_take_the_decision() -> None:
    table, _uma = umpired()
    una = Actor.of(make_umpire(table.session.tournament, "una"))
    opened = appeal(table)
    correct_hand(table.hands.get(number=1), una, wash_out(), reason="The tiles were shown", uuid=uuid4())
    assert rule_appeal(opened, una, granted=True, ruling="Corrected.").settled_as == "carried_out"


def test_an_organiser_who_is_alone_rules_with_a_reason_that_is_logged() -> None:
    tournament = make_tournament(running=0)
    olga = Actor.of(make_organiser(tournament))
    table = tournament.sessions.get(number=1).tables.get(number=1)
    play_hands(table, 1, olga)
    opened = appeal(table)
    with pytest.raises(Refused) as refused:
        rule_appeal(opened, olga, granted=False, ruling=" ")
    assert [problem.where for problem in refused.value.problems] == ["ruling", "alone"]
    ruled = rule_appeal(opened, olga, granted=False, ruling="No.", alone="No other umpire is here")
    entry = tournament.log.get(action="appeal_ruled")
    assert ruled.alone_because == entry.said["alone_because"] == "No other umpire is here"
    assert "No other umpire is here" in log_words(tournament).sentence(entry)


# --- carried out --------------------------------------------------------------------------------------------------
def granted(table: Table, **about: Any) -> Appeal:
    return rule_appeal(appeal(table, **about), SYSTEM, granted=True, ruling="So be it.")


def test_a_granted_appeal_stays_open_until_its_hand_is_corrected(table: Table) -> None:
    pending = granted(table)
    assert (pending.is_pending, pending.is_open) == (True, True)
    assert list(objections(table.session.tournament, Audience.STAFF).open) == [pending]
    correct_hand(table.hands.get(number=2), SYSTEM, wash_out(), reason="Another one", uuid=uuid4())
    pending.refresh_from_db()
    assert pending.is_open
    correct_hand(table.hands.get(number=1), SYSTEM, wash_out(), reason="As ruled", uuid=uuid4())
    pending.refresh_from_db()
    assert (pending.is_open, pending.settled_as) == (False, "carried_out")
    entry = table.session.tournament.log.order_by("seq").last()
    assert entry is not None
    assert "Carries out a granted appeal." in log_words(table.session.tournament).sentence(entry)


def test_a_hand_written_down_further_carries_nothing_out() -> None:
    tournament = make_tournament(running=0)
    table = tournament.sessions.get(number=1).tables.get(number=1)
    points = judge_at(table, 1, win(player(table))).points
    record(table, HandEntry("win", player(table), points=points))
    pending = granted(table)
    correct_hand(table.hands.get(number=1), SYSTEM, win(player(table)), reason="", uuid=uuid4())
    pending.refresh_from_db()
    assert pending.is_pending


def test_a_granted_appeal_against_a_penalty_is_carried_out_by_cancelling_it(table: Table) -> None:
    given = give_penalty(table, SYSTEM, Accusation(player(table), "false_hu", 1), uuid=uuid4())
    pending = granted(table, penalty=given.uuid)
    cancel_penalty(given, SYSTEM, reason="As ruled")
    pending.refresh_from_db()
    assert pending.settled_as == "carried_out"
    assert list(audit(Tournament.objects.get())) == []


def test_what_was_put_right_before_the_ruling_is_carried_out_by_it(table: Table) -> None:
    opened = appeal(table)
    correct_hand(table.hands.get(number=1), SYSTEM, wash_out(), reason="They are right", uuid=uuid4())
    assert rule_appeal(opened, SYSTEM, granted=True, ruling="Done.").settled_as == "carried_out"
    assert list(audit(Tournament.objects.get())) == []


def test_a_granted_appeal_is_closed_without_a_change_for_a_reason(table: Table) -> None:
    pending = granted(table)
    with pytest.raises(Refused) as refused:
        waive_ruling(pending, SYSTEM, because=" ")
    assert codes(refused) == ["waiver_reason_missing"]
    assert waive_ruling(pending, SYSTEM, because="The players agreed").is_open is False
    with pytest.raises(Refused) as refused:
        waive_ruling(pending, SYSTEM, because="Once more")
    assert codes(refused) == ["nothing_to_carry_out"]
    assert list(audit(Tournament.objects.get())) == []


def test_an_appeal_is_against_one_thing_that_stands(table: Table) -> None:
    given = give_penalty(table, SYSTEM, Accusation(player(table), "false_hu", 1), uuid=uuid4())
    both: dict[str, Any] = {"penalty": given.uuid, "hand": 1}
    for about, code in ((both, "appeal_about_both"), ({"penalty": uuid4()}, "penalty_unknown")):
        with pytest.raises(Refused) as refused:
            appeal(table, **about)
        assert codes(refused) == [code]
    cancel_penalty(given, SYSTEM, reason="Misheard")
    with pytest.raises(Refused) as refused:
        appeal(table, penalty=given.uuid)
    assert codes(refused) == ["penalty_unknown"]


# --- settled at once ------------------------------------------------------------------------------------------------
@pytest.fixture
def at_once() -> Table:
    """Two hands played where a question is raised at once (MCR: "reported and settled immediately")."""
    tournament = make_tournament(running=2)
    Tournament.objects.update(appeal_minutes=0)
    session = Tournament.objects.get(pk=tournament.pk).sessions.get(number=1)
    return session.tables.get(number=1)


def test_after_play_has_gone_on_there_is_no_consultation(at_once: Table) -> None:
    assert appeal(at_once, hand=2).is_open
    with pytest.raises(Refused) as refused:
        appeal(at_once, hand=1)
    assert codes(refused) == ["appeals_at_once"]


def test_a_penalty_is_questioned_before_the_next_hand_is_recorded(at_once: Table) -> None:
    given = give_penalty(at_once, SYSTEM, Accusation(player(at_once), "false_hu", 1), uuid=uuid4())
    assert appeal(at_once, penalty=given.uuid).is_open
    play_hands(at_once, 1)
    with pytest.raises(Refused) as refused:
        appeal(at_once, penalty=given.uuid)
    assert codes(refused) == ["appeals_at_once"]


def test_without_a_time_for_appeals_a_closed_session_is_final(at_once: Table) -> None:
    Table.objects.filter(session=at_once.session).update(is_in=True)
    session = close_session(at_once.session, SYSTEM)
    assert is_final(session)
    with pytest.raises(Refused) as refused:
        appeal(at_once, hand=None)
    assert codes(refused) == ["appeals_are_over"]


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
    foul = Accusation(player(table), "false_hu", 1)
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
        assert codes(refused)[0] in {"reason_missing", "cancel_reason_missing", "result_is_final"}
    late = Accusation(player(table), "false_hu", 1, note="Ruled by the committee")
    assert give_penalty(table, organiser, late, uuid=uuid4()).note == "Ruled by the committee"
    assert reopen_session(table.session, organiser, reason="Table 1 was swapped").state == "running"
    entry = tournament.log.order_by("seq").last()
    assert entry is not None
    assert entry.said["reason"] == "Table 1 was swapped"


def test_the_audit_finds_an_appeal_that_is_not_as_it_was_logged(table: Table) -> None:
    rule_appeal(appeal(table), SYSTEM, granted=False, ruling="No.")
    tournament = Tournament.objects.get()
    assert list(audit(tournament)) == []
    Appeal.objects.update(granted=True)
    assert ["appeal" in str(finding) for finding in audit(tournament)] == [True]
