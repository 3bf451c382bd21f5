"""Appeals: opening, ruling and settling them, committees, and changes of final results."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from penalties.models import Penalty
from tests.support.checks import audit_is_clean, refused_codes, refused_problems
from tests.support.closing import appeal_at, players_at, table_of
from tests.support.factories import (
    SYSTEM,
    make_member,
    make_organiser,
    make_tournament,
    make_umpire,
    play_hands,
    record,
    wash_out,
    win,
    write_something,
)
from tournament.base.access import Actor
from tournament.base.engine.entries import HandEntry
from tournament.base.engine.notices import Audience
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.play import Appeal, Session, Table
from tournament.base.models.tournament import Role, Tournament
from tournament.base.problems import sentence
from tournament.exchange.audit import audit
from tournament.fouls.selectors import objections
from tournament.fouls.services.appeals import name_committee, open_appeal, rule_appeal, waive_ruling
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.clock import appeals_until, is_final
from tournament.play.selectors.hands import judge_at
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session, reopen_session
from tournament.staff.services import link_player
from tournament.web.selectors import log_words

EVENT_WITH = {"running": 0}


def first_table(**state: int) -> Table:
    return make_tournament(**state).sessions.get(number=1).tables.get(number=1)  # type: ignore[arg-type]


@pytest.fixture
def table() -> Table:
    """A table of a session that has just been closed."""
    return first_table(played=1)


@pytest.fixture
def running() -> Table:
    """A table of a running session, with two recorded hands."""
    return first_table(running=2)


def minutes_after_closing(table: Table, minutes: int = 30) -> Table:
    """Return the table, with its session closed so many minutes ago."""
    Session.objects.filter(pk=table.session.pk).update(closed_at=timezone.now() - timedelta(minutes=minutes))
    return Table.objects.select_related("session__tournament").get(pk=table.pk)


def umpire_of(table: Table, name: str) -> Actor:
    return Actor.of(make_umpire(table.session.tournament, name))


def appeal(table: Table, text: str = "Hand 1 was a wash-out.", **more: Any) -> Appeal:
    penalty = more.pop("penalty", None)
    hand = more.pop("hand", None if penalty else 1)
    player, actor = more.pop("player", players_at(table)[0]), more.pop("actor", SYSTEM)
    return open_appeal(table, actor, player, text, hand, penalty, uuid=more.pop("uuid", uuid4()))


def false_hu(table: Table, actor: Actor = SYSTEM, hand: int = 1, note: str = "") -> Penalty:
    foul = Accusation(players_at(table)[0], "false_hu", hand, note=note)
    return give_penalty(table, actor, foul, uuid=uuid4())


def correct(table: Table, hand: int = 1, actor: Actor = SYSTEM, reason: str = "As ruled") -> None:
    """Correct the hand to a wash-out."""
    current = table.hands.get(number=hand, is_current=True)
    correct_hand(current, actor, wash_out(), reason=reason, uuid=uuid4())


def test_appeals_are_possible_for_thirty_minutes_after_the_end_of_the_session(table: Table) -> None:
    assert table.session.closed_at is not None
    assert appeals_until(table.session) == table.session.closed_at + timedelta(minutes=30)
    assert appeal(minutes_after_closing(table, 29)).is_open
    assert refused_codes(appeal, minutes_after_closing(table, 30)) == ["appeals_are_over"]


def test_every_problem_with_an_appeal_is_reported_and_the_same_uuid_is_one_appeal(table: Table) -> None:
    problems = refused_problems(appeal, table, "  ", player=99, hand=17)
    assert [where for _, where in problems] == ["player", "hand_number", "text"]
    late = table.hands_played + 1
    assert refused_codes(appeal, table, hand=late) == ["no_hand_under_way"], "the sheet is in"
    uuid = uuid4()
    assert appeal(table, uuid=uuid) == appeal(table, uuid=uuid)
    assert Appeal.objects.count() == 1


def test_texts_longer_than_their_fields_are_refused(table: Table) -> None:
    long = "x" * 301
    assert refused_problems(appeal, table, "x" * 2001) == [("text_too_long", "text")]
    assert refused_problems(false_hu, table, note=long) == [("text_too_long", "note")]
    assert refused_problems(cancel_penalty, false_hu(table), SYSTEM, reason=long) == [
        ("text_too_long", "cancelled_because")
    ]
    opened = appeal(table)
    assert refused_codes(rule_appeal, opened, SYSTEM, granted=True, ruling="x" * 2001) == ["text_too_long"]
    pending = rule_appeal(opened, SYSTEM, granted=True, ruling="x" * 2000)
    assert refused_codes(waive_ruling, pending, SYSTEM, because=long) == ["text_too_long"]


def test_an_appeal_against_a_hand_that_has_not_begun_is_refused(running: Table) -> None:
    with pytest.raises(Refused) as refused:
        appeal(running, hand=4)
    sentences = [sentence(problem) for problem in refused.value.problems]
    assert sentences == ["Hand 4 has not begun: hand 3 is under way."]
    assert appeal(running, hand=3).is_open
    planned = running.session.tournament.sessions.get(number=2).tables.get(number=1)
    assert refused_codes(appeal, planned) == ["session_not_started"]


def test_an_appeal_is_against_a_hand_or_a_penalty_that_is_not_cancelled(table: Table) -> None:
    penalty = false_hu(table)
    assert refused_codes(appeal, table, penalty=penalty.uuid, hand=1) == ["appeal_about_both"]
    assert refused_codes(appeal, table, penalty=uuid4()) == ["penalty_unknown"]
    cancel_penalty(penalty, SYSTEM, reason="Misheard")
    assert refused_codes(appeal, table, penalty=penalty.uuid) == ["penalty_unknown"]


def test_a_ruling_needs_a_text_is_given_once_and_changes_no_scores(table: Table) -> None:
    before = list(table.seats.order_by("id").values())
    opened = appeal(table)
    assert refused_codes(rule_appeal, opened, SYSTEM, granted=True, ruling=" ") == ["ruling_missing"]
    ruled = rule_appeal(opened, SYSTEM, granted=False, ruling="The tiles were shown.")
    assert (ruled.granted, ruled.ruling, ruled.is_open) == (False, "The tiles were shown.", False)
    assert refused_codes(rule_appeal, opened, SYSTEM, granted=True, ruling="No, they were not.") == [
        "appeal_ruled_already"
    ]
    rule_appeal(appeal(table), SYSTEM, granted=True, ruling="Granted; corrected at the table.")
    assert list(table.seats.order_by("id").values()) == before
    assert audit_is_clean()
    Appeal.objects.filter(pk=opened.pk).update(granted=True)
    assert ["appeal" in str(finding) for finding in audit(Tournament.objects.get())] == [True]


def test_nobody_rules_on_a_hand_a_sheet_or_a_penalty_of_their_own() -> None:
    table = first_table(running=0)
    uma, una = umpire_of(table, "uma"), umpire_of(table, "una")
    play_hands(table, 2, uma)
    opened, whole_sheet = appeal(table), appeal(table, hand=None)
    penalised = appeal(table, "I said nothing.", penalty=false_hu(table, una, hand=2).uuid)
    for dispute, umpire in ((opened, uma), (whole_sheet, uma), (penalised, una)):
        codes = refused_codes(rule_appeal, dispute, umpire, granted=False, ruling="I saw it.")
        assert codes == ["ruled_by_who_decided"]
    assert rule_appeal(opened, una, granted=False, ruling="No.").is_ruled
    assert rule_appeal(penalised, uma, granted=False, ruling="We all heard it.").is_ruled


def test_the_umpire_who_corrected_the_hand_after_the_appeal_may_rule(running: Table) -> None:
    una, opened = umpire_of(running, "una"), appeal(running)
    correct(running, actor=una, reason="The tiles were shown")
    assert rule_appeal(opened, una, granted=True, ruling="Corrected.").settled_as == "carried_out"
    assert audit_is_clean()


def test_an_organiser_rules_on_their_own_decision_for_a_reason_that_is_logged() -> None:
    tournament = make_tournament(running=0)
    olga = Actor.of(make_organiser(tournament))
    table = tournament.sessions.get(number=1).tables.get(number=1)
    play_hands(table, 1, olga)
    opened = appeal(table)
    problems = refused_problems(rule_appeal, opened, olga, granted=False, ruling=" ")
    assert [where for _, where in problems] == ["ruling", "alone"]
    ruled = rule_appeal(opened, olga, granted=False, ruling="No.", alone="No other umpire is here")
    entry = tournament.log.get(action="appeal_ruled")
    assert ruled.alone_because == entry.full_data["alone_because"] == "No other umpire is here"
    assert "No other umpire is here" in log_words(tournament).sentence(entry)


def granted(table: Table, **fields: Any) -> Appeal:
    return rule_appeal(appeal(table, **fields), SYSTEM, granted=True, ruling="So be it.")


def test_a_granted_appeal_stays_open_until_it_is_carried_out_or_waived(table: Table) -> None:
    pending = granted(table)
    assert (pending.is_pending, pending.is_open) == (True, True)
    assert list(objections(table.session.tournament, Audience.STAFF).open) == [pending]
    correct(table, hand=2, reason="Another one")
    pending.refresh_from_db()
    assert pending.is_open
    correct(table, hand=1)
    pending.refresh_from_db()
    assert (pending.is_open, pending.settled_as) == (False, "carried_out")
    entry = table.session.tournament.log.latest("seq")
    assert "Carries out a granted appeal." in log_words(table.session.tournament).sentence(entry)
    penalty = false_hu(table)
    pending = granted(table, penalty=penalty.uuid)
    cancel_penalty(penalty, SYSTEM, reason="As ruled")
    pending.refresh_from_db()
    assert pending.settled_as == "carried_out"
    pending = granted(table)
    assert refused_codes(waive_ruling, pending, SYSTEM, because=" ") == ["waiver_reason_missing"]
    assert waive_ruling(pending, SYSTEM, because="The players agreed").is_open is False
    assert refused_codes(waive_ruling, pending, SYSTEM, because="Once more") == ["nothing_to_carry_out"]
    assert audit_is_clean()


def test_adding_the_tiles_of_a_hand_does_not_carry_out_an_appeal() -> None:
    table = first_table(running=0)
    player = players_at(table)[0]
    points = judge_at(table, 1, win(player)).points
    hand = record(table, HandEntry("win", player, points=points))
    pending = granted(table)
    correct_hand(hand, SYSTEM, win(player), reason="", uuid=uuid4())
    pending.refresh_from_db()
    assert pending.is_pending


@pytest.fixture
def without_time(running: Table) -> Table:
    """A running table of a tournament without a time for appeals (MCR: "reported and settled immediately")."""
    Tournament.objects.update(appeal_minutes=0)
    return Table.objects.select_related("session__tournament").get(pk=running.pk)


def test_without_a_time_for_appeals_they_are_made_before_the_next_hand(without_time: Table) -> None:
    assert appeal(without_time, hand=2).is_open
    assert refused_codes(appeal, without_time, hand=1) == ["appeals_at_once"]
    penalty = false_hu(without_time)
    assert appeal(without_time, penalty=penalty.uuid).is_open
    play_hands(without_time, 1)
    assert refused_codes(appeal, without_time, penalty=penalty.uuid) == ["appeals_at_once"]


def test_without_a_time_for_appeals_a_closed_session_is_final(without_time: Table) -> None:
    Table.objects.filter(session=without_time.session).update(is_in=True)
    assert is_final(close_session(without_time.session, SYSTEM))
    assert refused_codes(appeal, without_time, hand=None) == ["appeals_are_over"]


def test_objections_end_with_the_time_for_appeals_and_the_last_open_appeal(table: Table) -> None:
    tournament = Tournament.objects.get()
    assert objections(tournament, Audience.STAFF).until == appeals_until(table.session)
    opened = appeal(table)
    minutes_after_closing(table)
    write_something(tournament)
    remaining = objections(Tournament.objects.get(), Audience.STAFF)
    assert (list(remaining.open), remaining.until) == ([opened], None)
    rule_appeal(opened, SYSTEM, granted=False, ruling="No.")
    assert not objections(Tournament.objects.get(), Audience.STAFF)


def test_only_organisers_change_a_final_result_and_for_a_reason(table: Table) -> None:
    tournament = table.session.tournament
    organiser, umpire = Actor.of(make_organiser(tournament)), umpire_of(table, "uma")
    early = false_hu(table, organiser)
    table = minutes_after_closing(table)
    assert is_final(table.session)
    assert refused_codes(correct, table, actor=umpire, reason="Seen late") == ["session_closed"]
    assert [
        refused_codes(correct, table, actor=organiser, reason=""),
        refused_codes(false_hu, table, organiser),
        refused_codes(cancel_penalty, early, organiser, reason=" "),
        refused_codes(reopen_session, table.session, organiser),
    ] == [["reason_missing"], ["result_is_final"], ["cancel_reason_missing"], ["result_is_final"]]
    late = false_hu(table, organiser, note="Ruled by the committee")
    assert late.note == "Ruled by the committee"
    assert reopen_session(table.session, organiser, reason="Table 1 was swapped").state == "running"
    assert tournament.log.latest("seq").full_data["reason"] == "Table 1 was swapped"


@pytest.fixture
def disputed(event: Tournament) -> Appeal:
    """An appeal against hand 1 of table 1, which uma recorded."""
    table = table_of(event.sessions.get(number=1))
    record(table, wash_out(), Actor.of(make_umpire(event)))
    return appeal_at(table)


def rule(disputed: Appeal, user: User) -> Appeal:
    return rule_appeal(disputed, Actor.of(user), granted=False, ruling="The hand stands.")


def test_umpires_rule_if_there_is_no_chief_umpire(event: Tournament, disputed: Appeal) -> None:
    """Nobody rules at a table they play at or on a decision of their own, not even the chief umpire."""
    udo, uma = make_umpire(event, "udo"), User.objects.get(username="uma")
    other = appeal_at(disputed.table)
    assert rule(other, udo).ruled_by == udo
    link_player(event.memberships.get(user=udo), SYSTEM, disputed.player)
    with pytest.raises(Refused):
        rule(disputed, udo)
    chiara = make_member(event, Role.CHIEF, "chiara")
    with pytest.raises(Forbidden):
        rule(disputed, udo)
    event.memberships.filter(user=uma).update(role=Role.CHIEF)
    with pytest.raises(Refused):
        rule(disputed, uma)
    assert rule(disputed, chiara).ruled_by == chiara


def test_a_committee_has_the_chief_umpire_and_two_others_and_any_of_them_rules(
    event: Tournament, disputed: Appeal
) -> None:
    chiara, uma = make_member(event, Role.CHIEF, "chiara"), User.objects.get(username="uma")
    udo, ute = make_umpire(event, "udo"), make_umpire(event, "ute")
    members = [chiara, udo, ute]
    for committee, code in (
        ([chiara, udo], "committee_of_three"),
        ([udo, ute, make_umpire(event, "ugo")], "committee_without_chief"),
        ([chiara, udo, uma], "committee_concerned"),
        ([chiara, udo, make_member(event, Role.DESK, "dora")], "committee_stranger"),
    ):
        assert refused_codes(name_committee, disputed, SYSTEM, committee) == [code]
    for committee in (members, []):
        name_committee(disputed, SYSTEM, committee)
    assert not disputed.committee.exists()
    name_committee(disputed, SYSTEM, members)
    with pytest.raises(Forbidden):
        rule(disputed, make_organiser(event))
    rule(disputed, udo)
    entry = event.log.get(action="appeal_ruled")
    assert entry.data["committee"] == sorted(user.pk for user in members)
    assert "Ruled by a committee: chiara" in log_words(event).sentence(entry)
