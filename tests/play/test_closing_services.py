"""The closing check: what is open before a session is closed, standings published, results opened; and signing off."""

from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.support.checks import refused_codes
from tests.support.closing import appeal_at, players_at, session_all_in, table_of
from tests.support.factories import (
    SYSTEM,
    make_card,
    make_tournament,
    make_umpire,
    play_hands,
    record,
    wash_out,
    win,
)
from tournament.base.access import Actor
from tournament.base.engine.rules import LastHand, Timing
from tournament.base.errors import ReasonRequired, Refused, Stale
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Hand, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.fouls.services.appeals import rule_appeal
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.models import Signature
from tournament.play.selectors.closing import closing_check, late_minutes_by_hand, open_calls
from tournament.play.services.absences import record_absence, record_arrival
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session, raise_call, reopen_session
from tournament.play.services.tables import cancel_signature, hand_in, reopen, sign
from tournament.ranking.services import hide_results, open_results, publish_standings
from tournament.screens.services import open_and_publish
from tournament.web.selectors import log_words

pytestmark = pytest.mark.stored


@pytest.fixture
def session() -> Session:
    return session_all_in()


def kinds(session: Session) -> list[str]:
    tournament = Tournament.objects.get(pk=session.tournament_id)
    fresh = tournament.sessions.get(pk=session.pk)
    return [finding.kind.value.code for finding in closing_check(tournament, [fresh])]


def minutes_late(table: Table, minutes: int) -> Absence:
    """Who has neither won nor discarded yet was that late, and arrived."""
    absence = record_absence(table, SYSTEM, players_at(table)[1], uuid=uuid4())
    arrived = record_arrival(absence, SYSTEM)
    Absence.objects.filter(pk=arrived.pk).update(arrived_at=arrived.since + timedelta(minutes=minutes))
    return arrived


def saved_in(table: Table, number: int, minute: float) -> None:
    """Hand `number` was saved in that minute of the session."""
    started = Session.objects.get(pk=table.session_id).started_at
    assert started is not None
    hands = Hand.objects.filter(table=table, number=number)
    hands.update(recorded_at=started + timedelta(minutes=minute))


def test_an_appeal_is_open_until_it_is_carried_out_and_then_the_session_closes(session: Session) -> None:
    table = table_of(session)
    appeal = appeal_at(table)
    assert kinds(session) == ["appeal_not_ruled"]
    rule_appeal(appeal, SYSTEM, granted=True, ruling="So be it.")
    assert kinds(session) == ["ruling_not_carried_out"]
    correct_hand(table.hands.get(number=1), SYSTEM, wash_out(), reason="As ruled", uuid=uuid4())
    assert kinds(session) == []
    close_session(session, SYSTEM)
    assert session.tournament.log.get(action="session_closed").data == {"session": 1}


def test_lateness_that_was_measured_waits_for_its_penalty(session: Session) -> None:
    table = table_of(session)
    late = minutes_late(table, 12).player.number
    (finding,) = closing_check(session.tournament, [session])
    assert (finding.kind.value.code, finding.player, finding.params["minutes"]) == (
        "lateness_not_given",
        late,
        12,
    )
    penalty = give_penalty(table, SYSTEM, Accusation(late, "late", details={"minutes": 12}), uuid=uuid4())
    assert kinds(session) == []
    cancel_penalty(penalty, SYSTEM, reason="The bus of the organiser")
    assert kinds(session) == [], "the umpire has decided about it"
    record_absence(table_of(session, 2), SYSTEM, players_at(table_of(session, 2))[1], uuid=uuid4())
    assert kinds(session) == ["lateness_not_given"], "an empty seat whose clock still runs is open too"


def test_missing_signatures_are_found_where_signing_is_used(session: Session) -> None:
    table = table_of(session)
    for player in players_at(table)[:3]:
        sign(table, SYSTEM, player)
    findings = closing_check(session.tournament, [session])
    unsigned = [(finding.kind.value.code, finding.table) for finding in findings]
    assert unsigned == [("sheet_not_signed", number) for number in (1, 2, 3, 4)]
    assert findings[0].subject == str(players_at(table)[3])


def test_a_call_and_a_hand_after_time_are_open_and_closing_ends_the_call(session: Session) -> None:
    saved_in(table_of(session), 2, 200)
    (finding,) = closing_check(session.tournament, [session])
    assert finding.kind.value.code == "hands_after_time"
    assert [finding.params[name] for name in ("hands", "minute", "minutes")] == ["2", 200, 120]
    raise_call(table_of(session), SYSTEM, "score")
    assert sorted(kinds(session)) == ["call_still_open", "hands_after_time"]
    close_session(session, SYSTEM, reason="Settled by word of mouth")
    assert not open_calls(session.tournament).exists()
    entry = session.tournament.log.get(action="session_closed")
    assert entry.data["calls_ended"] == [1]
    assert "Ends the call for an umpire at table 1." in log_words(session.tournament).sentence(entry)


def test_a_hand_is_late_after_the_tables_own_time_or_after_one_that_is_finished(session: Session) -> None:
    for minute, extra, late in ((122, 0, 0), (122.5, 0, 123), (125, 5, 0), (128, 5, 128)):
        Table.objects.filter(session=session, number=1).update(extra_minutes=extra)
        saved_in(table_of(session), 2, minute)
        assert late_minutes_by_hand(table_of(session)).get(2, 0) == late
    snapshot = session.tournament.rules.to_json() | {"timing": Timing(last_hand=LastHand.FINISHED).to_json()}
    Tournament.objects.filter(pk=session.tournament_id).update(rules_snapshot=snapshot)
    saved_in(table_of(session), 1, 130)
    saved_in(table_of(session), 2, 140)
    assert late_minutes_by_hand(table_of(session)) == {2: 140}


def test_a_correction_after_time_makes_no_late_hand(session: Session) -> None:
    table = table_of(session)
    correct_hand(table.hands.get(number=2), SYSTEM, wash_out(), reason="Seen late", uuid=uuid4())
    started = timezone.now() - timedelta(minutes=200)
    Session.objects.filter(pk=session.pk).update(started_at=started)
    table.hands.filter(version=1).update(recorded_at=started + timedelta(minutes=100))
    assert late_minutes_by_hand(table_of(session)) == {}


@pytest.mark.parametrize("action", ["session_closed", "standings_published", "results_opened"])
def test_each_step_logs_the_reason_and_what_was_left_open(session: Session, action: str) -> None:
    tournament = session.tournament
    steps: dict[str, Callable[..., object]] = {
        "session_closed": lambda **more: close_session(session, SYSTEM, **more),
        "standings_published": lambda **more: publish_standings(tournament, SYSTEM, **more),
        "results_opened": lambda **more: open_results(tournament, SYSTEM, **more),
    }
    hide_results(session, SYSTEM)
    if action != "session_closed":
        close_session(session, SYSTEM)
    appeal = appeal_at(table_of(session))
    before = tournament.log.count()
    for blank in ({}, {"reason": "  "}):
        with pytest.raises(ReasonRequired, match="appeal_not_ruled"):
            steps[action](**blank)
    assert tournament.log.count() == before
    steps[action](reason="The committee meets at eight")
    entry = tournament.log.get(action=action)
    assert entry.full_data["reason"] == "The committee meets at eight"
    assert entry.data["left_open"] == [f"appeal_not_ruled:1:1:{appeal.uuid}"]
    sentence = log_words(tournament).sentence(entry)
    assert "1 thing was still open. Reason: The committee meets at eight" in sentence


def test_findings_that_were_not_shown_are_not_accepted(session: Session) -> None:
    appeal = appeal_at(table_of(session))
    seen = [f"appeal_not_ruled:1:1:{appeal.uuid}"]
    minutes_late(table_of(session), 5)
    assert refused_codes(close_session, session, SYSTEM, reason="Soon", seen=seen) == [
        "appeal_not_ruled",
        "lateness_not_given",
    ]
    everything = [finding.key for finding in closing_check(session.tournament, [session])]
    assert close_session(session, SYSTEM, reason="Soon", seen=everything).state == "closed"


def test_a_late_hand_is_accepted_once_and_appeals_are_reported_every_time(session: Session) -> None:
    saved_in(table_of(session), 2, 200)
    close_session(session, SYSTEM, reason="Entered from paper")
    session = reopen_session(session, SYSTEM)
    Table.objects.filter(session=session, number=1).update(is_in=False)
    play_hands(table_of(session), 1)
    saved_in(table_of(session), 3, 210)
    hand_in(table_of(session), SYSTEM)
    with pytest.raises(ReasonRequired):
        close_session(session, SYSTEM)
    appeal_at(table_of(session))
    close_session(session, SYSTEM, reason="Entered from paper")
    assert refused_codes(publish_standings, session.tournament, SYSTEM) == ["appeal_not_ruled"]


def test_opening_results_does_not_check_a_session_being_played(session: Session) -> None:
    hide_results(session, SYSTEM)
    appeal_at(table_of(session))
    assert open_results(session.tournament, SYSTEM) == [1]


def test_opening_and_publishing_is_one_transaction(session: Session) -> None:
    hide_results(session, SYSTEM)
    appeal_at(table_of(session))
    close_session(session, SYSTEM, reason="Late")
    with pytest.raises(ReasonRequired):
        open_and_publish(session.tournament, SYSTEM)
    assert session.tournament.sessions.filter(hidden=True).count() == 1
    open_and_publish(session.tournament, SYSTEM, reason="The guests leave")
    assert session.tournament.sessions.filter(hidden=True).count() == 0
    assert session.tournament.publications.count() == 1


def test_handing_in_ends_the_tables_call_for_an_umpire_but_not_for_its_card() -> None:
    session = make_tournament(running=1).sessions.get(number=1)
    first, second = session.tables.order_by("number")[:2]
    card = make_card(session.tournament, 2)
    for table in (first, second):
        raise_call(table, SYSTEM, "score")
    hand_in(first, Actor.of(make_umpire(session.tournament, "uma")))
    hand_in(second, Actor.of(card))
    still_open = open_calls(session.tournament).values_list("table__number", flat=True)
    assert list(still_open) == [2]


@pytest.fixture
def table() -> Table:
    """Two hands recorded, the session being played."""
    return make_tournament(running=2).sessions.get(number=1).tables.get(number=1)


def signed_by(table: Table) -> set[int]:
    return set(table.signatures.filter(void_at=None).values_list("player__number", flat=True))


def sign_all(table: Table) -> None:
    for player in players_at(table):
        sign(table, SYSTEM, player)


def last_entry(table: Table) -> dict[str, Any]:
    data: dict[str, Any] = table.session.tournament.log.latest("seq").data
    return data


def test_a_signature_keeps_the_scores_and_table_points_of_all_four_and_moves_no_figure(table: Table) -> None:
    before = list(Seat.objects.order_by("id").values())
    signature = sign(table, SYSTEM, players_at(table)[0])
    scores = {str(seat.player.number): seat.game_points for seat in table.seats.all()}
    assert {player: score for player, (score, _points) in signature.sheet.items()} == scores
    assert sum(Fraction(points) for _score, points in signature.sheet.values()) == 7
    version = Tournament.objects.get().version
    assert sign(table, SYSTEM, players_at(table)[0]) == signature
    assert Tournament.objects.get().version == version, "signing twice is signing once and one entry"
    for player in players_at(table):
        sign(table, SYSTEM, player, expected_version=table.version)
    assert signed_by(table) == set(players_at(table)), "signing does not make the next one stale"
    assert list(Seat.objects.order_by("id").values()) == before


def test_only_players_of_the_table_sign_and_nothing_is_done_to_a_stale_sheet(table: Table) -> None:
    seen = table.version
    record(table, wash_out())
    with pytest.raises(Stale):
        sign(table, SYSTEM, players_at(table)[0], expected_version=seen)
    with pytest.raises(Stale):
        hand_in(table, SYSTEM, expected_version=seen)
    player = players_at(table)[0]
    coming = Table.objects.get(session__number=2, seats__player__number=player)
    stranger = Player.objects.exclude(number__in=players_at(table)).earliest("pk")
    for where, number in ((table, stranger.number), (coming, player)):
        with pytest.raises(Refused):
            sign(where, SYSTEM, number)
    assert not Signature.objects.exists()


@pytest.mark.parametrize("what", ["hand", "correction", "penalty"])
def test_every_change_of_the_sheet_voids_signatures_and_is_logged(table: Table, what: str) -> None:
    sign_all(table)
    if what == "hand":
        record(table, wash_out())
    elif what == "correction":
        hand = table.hands.get(number=1, is_current=True)
        correct_hand(hand, SYSTEM, win(players_at(table)[0]), reason="Wrong winner", uuid=uuid4())
    else:
        give_penalty(table, SYSTEM, Accusation(players_at(table)[0], "false_hu", 1), uuid=uuid4())
    assert signed_by(table) == set()
    assert table.signatures.filter(void_because=Signature.Void.CHANGED).count() == 4
    assert last_entry(table)["signatures_void"] == sorted(players_at(table))


def test_another_tables_hand_or_handing_in_and_taking_back_voids_nothing(table: Table) -> None:
    sign_all(table)
    record(Table.objects.get(session__number=1, number=2), wash_out())
    assert signed_by(table) == set(players_at(table))
    hand_in(table, SYSTEM)
    assert reopen(table, SYSTEM).in_at is None
    assert signed_by(table) == set(players_at(table))


def test_a_signature_is_taken_back_and_given_again_and_who_has_not_signed_is_named(table: Table) -> None:
    east, *others = players_at(table)
    sign(table, SYSTEM, east)
    cancel_signature(table, SYSTEM, east)
    assert signed_by(table) == set()
    sign(table, SYSTEM, east)
    assert [each.void_because for each in table.signatures.order_by("id")] == ["cancelled", ""]
    assert hand_in(table, SYSTEM).in_at is not None
    assert last_entry(table)["unsigned"] == others
    assert signed_by(table) == {east}


def test_the_audit_finds_a_signature_under_other_figures(table: Table) -> None:
    sign(table, SYSTEM, players_at(table)[0])
    tournament = Tournament.objects.get()
    assert list(audit(tournament)) == []
    Signature.objects.update(sheet={str(number): [0, "7/4"] for number in players_at(table)})
    assert ["signed" in str(finding) for finding in audit(tournament)] == [True]
