"""A transcript that is written, replayed and written again is the same text, whatever happened at the tables.

Writes that the services accept replay with the same points; a transcript with one that they refuse is refused, too;
and the audit finds no contradictions after any of them.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from datetime import timedelta
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from penalties.engine import Names, RepeatScope, Sanction
from penalties.engine.rules import Fixed, Ladder
from penalties.engine.sanctions import fine
from penalties.models import Penalty
from scoring.engine.problems import Problem
from tests.support.closing import players_at
from tests.support.factories import SYSTEM, make_tournament, play_hands, record, wash_out
from tests.support.play import begin, correct_hand_of, end, tables_of
from tests.support.sampling import examples, sample
from tests.support.transcripts import replay_and_compare
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.engine.finals import Carry
from tournament.base.engine.rules import APPENDIX_2, Attendance, Credit, LastHand, PlaySettings
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Appeal, Hand, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.events.services import set_play_settings, update_tournament
from tournament.exchange.audit import audit
from tournament.exchange.transcripts.transcript import TranscriptError, load, play
from tournament.exchange.transcripts.writing import transcript_warnings
from tournament.fouls.services.appeals import open_appeal, rule_appeal, waive_ruling
from tournament.fouls.services.foul_book import add_foul, change_foul, set_attendance
from tournament.fouls.services.penalties import cancel_penalty, give_penalty, show_penalties
from tournament.play.engine.statements import Accusation
from tournament.play.models import Signature
from tournament.play.selectors.absences import lateness_minutes
from tournament.play.selectors.tables import current_hand
from tournament.play.selectors.timetable import vacant_seats
from tournament.play.services import absences
from tournament.play.services.absences import name_stand_in
from tournament.play.services.hands import correct_hand, record_hand
from tournament.play.services.sessions import close_session, extend_clock, pause_clock, resume_clock
from tournament.play.services.tables import cancel_signature, hand_in, reopen, set_extra_time, sign
from tournament.players.services.players import add_substitutes, reinstate_player, withdraw_player
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.seating.services.corrections import correct_seats, unstart_session
from tournament.seating.services.seatings import draw_seats, replan_seats, set_up_final

pytestmark = pytest.mark.stored

PLAYERS = st.integers(1, 4)
Write = dict[str, Any]

wins = st.fixed_dictionaries(
    {
        "outcome": st.just("win"),
        "winner": PLAYERS,
        "discarder": st.none() | PLAYERS,
        "claimants": st.lists(PLAYERS, max_size=2, unique=True),
        "points": st.sampled_from((8, 24)),
    }
)
hands = wins | st.just({"outcome": "draw"})
fouls = st.fixed_dictionaries(
    {
        "player": PLAYERS,
        "foul": st.sampled_from(("false_hu", "false_claim", "late_pung", "empty_call", "exposed_tile")),
        "hand": st.none() | st.integers(1, 5),
    }
)
corrections = st.tuples(st.integers(1, 4), hands)


@contextmanager
def table_of_four() -> Iterator[Table]:
    """Yield a table of four players without hands, and roll everything back."""
    with transaction.atomic():
        tournament = make_tournament(players=4, sessions=1, running=0)
        yield tournament.sessions.get().tables.get()
        transaction.set_rollback(True)


def hand_entry(hand: Write) -> HandEntry:
    return HandEntry(**hand | {"claimants": tuple(hand.get("claimants", ()))})


def record_write(table: Table, write: Write) -> None:
    """Record a hand or give a penalty at the table."""
    table.refresh_from_db()
    if "foul" in write:
        foul = Accusation(write["player"], write["foul"], write["hand"])
        give_penalty(table, SYSTEM, foul, uuid=uuid4())
    else:
        record_hand(table, SYSTEM, hand_entry(write), number=table.hands_played + 1, uuid=uuid4())


def problem_of(action: Callable[[Table, Any], None], table: Table, write: Any) -> Problem | None:
    """Return the first problem for which a write is refused; None if it is accepted."""
    try:
        with transaction.atomic():
            action(table, write)
    except Refused as refusal:
        return refusal.problems[0]
    return None


def run_table_write(table: Table, write: Any) -> None:
    """Record a hand, give or cancel a penalty, hand the sheet in, reopen the table or correct a hand."""
    table.refresh_from_db()
    match write:
        case "cancel":
            if penalty := table.penalties.filter(cancelled_at=None).last():
                cancel_penalty(penalty, SYSTEM, reason="it was right")
        case "hand_in":
            hand_in(table, SYSTEM)
        case "reopen":
            reopen(table, SYSTEM)
        case (int() as number, dict() as hand):
            if recorded := current_hand(table, number):
                correct_hand(recorded, SYSTEM, hand_entry(hand), reason="seen", uuid=uuid4())
        case _:
            record_write(table, write)


sheet_writes = st.sampled_from(("cancel", "hand_in", "reopen")) | corrections


def empty_transcript(table: Table) -> Write:
    """Return the transcript of a tournament with this table only, without hands."""
    particulars = {"name": table.session.tournament.name, "rulebook": "mcr", "sessions": 1, "minutes": 120}
    days = {"starts_on": "2026-11-14", "ends_on": "2026-11-14"}
    players = table.session.tournament.players.values("number", "last_name")
    seats = dict(table.seats.values_list("wind", "player__number"))
    sheet = {"number": 1, "seats": seats, "hands": [], "penalties": []}
    return {
        "format": "hule-transcript",
        "version": 1,
        "tournament": particulars | days,
        "players": list(players),
        "sessions": [{"number": 1, "tables": [sheet]}],
    }


def with_write(transcript: Write, write: Write) -> tuple[Write, str]:
    """Return the transcript with another write, and the place of the write."""
    extended = deepcopy(transcript)
    (sheet,) = extended["sessions"][0]["tables"]
    if "foul" in write:
        sheet["penalties"].append(write | {"after": len(sheet["hands"])})
        return extended, f"session 1, table 1, penalty {len(sheet['penalties'])}"
    sheet["hands"].append({"number": len(sheet["hands"]) + 1} | write)
    return extended, f"session 1, table 1, hand {len(sheet['hands'])}"


def figures(tournament: Tournament) -> list[Any]:
    """Return the scores and penalties of a tournament with one table."""
    table = Table.objects.get(session__tournament=tournament)
    names = ("player__number", "game_points", "hands_won", "deal_ins")
    scores = table.seats.order_by("wind").values_list(*names)
    penalties = table.penalties.order_by("id").values_list("hand_number", "sanction", "effects", "occurrence")
    return [*scores, *penalties]


@pytest.mark.thorough
@examples(8)
@given(writes=st.lists(hands | fouls, min_size=1, max_size=8))
def test_a_transcript_is_refused_for_the_same_writes_as_the_services(writes: list[Write]) -> None:
    with table_of_four() as table:
        transcript = empty_transcript(table)
        for write in [*writes, {"outcome": "draw"}]:
            extended, place = with_write(transcript, write)
            if (problem := problem_of(record_write, table, write)) is None:
                transcript = extended
                continue
            with pytest.raises(TranscriptError) as error:
                play(load(json.dumps(extended)), SYSTEM)
            assert (error.value.where, error.value.problem.code) == (place, problem.code)
        assert figures(play(load(json.dumps(transcript)), SYSTEM)) == figures(table.session.tournament)


@pytest.mark.thorough
@examples(8)
@given(writes=st.lists(hands | fouls | sheet_writes, min_size=4, max_size=12))
def test_the_audit_finds_nothing_after_writes_that_the_services_accept(writes: list[Any]) -> None:
    with table_of_four() as table:
        for write in writes:
            problem_of(run_table_write, table, write)
        findings = [finding.text for finding in audit(Tournament.objects.get(sessions=table.session_id))]
        assert [text for text in findings if not text.startswith("needs correcting")] == []


# --- Random writes ---
AT_SEATS = (
    *("absent", "begin", "arrive", "cancel_absence", "stand_in", "back"),
    *("withdraw", "readmit", "sign", "unsign"),
)
AT_TABLES = ("cancel", "grant", "dismiss", "waive", "extra", "pause", "go on", "longer")
seat_writes = st.tuples(st.sampled_from(AT_SEATS), PLAYERS)
appeals = st.tuples(st.just("appeal"), PLAYERS, st.none() | st.integers(1, 4) | st.just("penalty"))
others = st.sampled_from(AT_TABLES) | corrections
writes = st.lists(hands | fouls | seat_writes | appeals | others, min_size=3, max_size=16)


@pytest.mark.thorough
@examples(8)
@given(writes=writes)
def test_a_table_with_random_writes_replays_the_same(writes: list[Any]) -> None:
    with table_of_four() as table:
        session = table.session
        Session.objects.filter(pk=session.pk).update(started_at=timezone.now() - timedelta(minutes=20))
        for write in writes:
            problem_of(run_write, Table.objects.get(pk=table.pk), write)
        table.refresh_from_db()
        if table.hands_played:
            hand_in(table, SYSTEM)
        close_session(session, SYSTEM, unplayed=[table.number], reason="It is late.")
        replay_and_compare(session.tournament)


def run_write(table: Table, write: Any) -> None:
    """Run a write; do nothing if its subject does not exist."""
    match write:
        case (str() as kind, int() as player):
            run_seat_write(table, kind, player)
        case ("appeal", int() as player, subject):
            penalty = table.penalties.filter(cancelled_at=None).last() if subject == "penalty" else None
            hand = subject if isinstance(subject, int) else None
            uuid = penalty.uuid if penalty else None
            open_appeal(table, SYSTEM, player, "It was\nnot so.", hand, uuid, uuid=uuid4())
        case "grant" | "dismiss":
            if appeal := table.appeals.filter(granted=None).first():
                rule_appeal(appeal, SYSTEM, granted=write == "grant", ruling="So it was.")
        case "waive":
            if appeal := table.appeals.filter(granted=True, settled_at=None).first():
                waive_ruling(appeal, SYSTEM, because="Nothing changes.")
        case "extra":
            set_extra_time(table, SYSTEM, 10, reason="A tile was missing.")
        case "pause":
            pause_clock(table.session, SYSTEM, reason="Fire alarm")
        case "go on":
            resume_clock(table.session, SYSTEM, reason="All clear")
        case "longer":
            extend_clock(table.session, SYSTEM, 15, reason="The heating")
        case _:
            run_table_write(table, write)


def run_seat_write(table: Table, kind: str, number: int) -> None:
    player = Player.objects.get(seats__table=table, number=number)
    absence = table.absences.filter(player=player, cancelled_at=None).first()
    match kind:
        case "absent":
            absences.record_absence(table, SYSTEM, number, uuid=uuid4())
        case "stand_in":
            absences.seat_stand_in(table, SYSTEM, number, "Ana")
        case "back":
            absences.seat_player_again(table, SYSTEM, number)
        case "withdraw":
            withdraw_player(player, SYSTEM)
        case "readmit":
            reinstate_player(player, SYSTEM)
        case "sign":
            sign(table, SYSTEM, number)
        case "unsign":
            cancel_signature(table, SYSTEM, number)
        case "begin" if absence:
            absences.begin_without(absence, SYSTEM, "They are on the train.")
        case "arrive" if absence:
            absences.record_arrival(absence, SYSTEM)
        case "cancel_absence" if absence:
            absences.cancel_absence(absence, SYSTEM)


# --- Whole events ---
@pytest.fixture
def tournament() -> Tournament:
    """Return a tournament of eight players with three sessions, the first closed."""
    return make_tournament(players=8, sessions=3, played=1)


def give_foul(table: Table, player: int, foul: str, hand: int | None = None, **details: int) -> Penalty:
    return give_penalty(table, SYSTEM, Accusation(player, foul, hand, details=details), uuid=uuid4())


@pytest.mark.thorough
@pytest.mark.parametrize("carry", sample(Carry, 1))
def test_finals_replay_with_groups_and_carried_points(tournament: Tournament, carry: Carry) -> None:
    set_up_final(tournament, SYSTEM, FinalsOptions(FinalStage(8, 4, carry), 1, "x"))
    end(begin(tournament, 2))
    set_up_final(tournament, SYSTEM, FinalsOptions(FinalStage(4, 4), 1, "y"))
    correct_hand_of(tournament, session=1)
    end(begin(tournament, 3))
    replayed, before = (
        [(final.after_session, final.carry, final.groups) for final in event.finals.all()]
        for event in (replay_and_compare(tournament), tournament)
    )
    assert replayed == before
    assert list(transcript_warnings(tournament)) == []


@pytest.mark.thorough
def test_withdrawals_readmissions_and_substitutes_replay(tournament: Tournament) -> None:
    first, second, third = tournament.players.order_by("number")[:3]
    withdraw_player(first, SYSTEM)
    add_substitutes(tournament, SYSTEM, "Substitute")
    replan_seats(tournament, SYSTEM)
    end(begin(tournament, 2))
    withdraw_player(second, SYSTEM)
    reinstate_player(first, SYSTEM)
    replan_seats(tournament, SYSTEM)
    end(begin(tournament, 3))
    withdraw_player(third, SYSTEM)
    replayed, before = (
        [(player.number, player.is_substitute, player.is_withdrawn) for player in event.players.all()]
        for event in (replay_and_compare(tournament), tournament)
    )
    assert replayed == before
    assert list(transcript_warnings(tournament)) == []


@pytest.mark.thorough
def test_a_withdrawal_before_the_first_session_replays() -> None:
    tournament = make_tournament(players=8, sessions=1)
    withdraw_player(tournament.players.get(number=8), SYSTEM)
    for seat in vacant_seats(tournament.sessions.get()):
        name_stand_in(seat.table, SYSTEM, 8, "Ana")
    end(begin(tournament, 1))
    assert replay_and_compare(tournament).players.get(number=8).is_withdrawn


@pytest.mark.thorough
def test_stand_ins_pauses_and_extra_time_replay(tournament: Tournament) -> None:
    """Also a foul in the hand in which its player becomes absent."""
    withdraw_player(tournament.players.get(number=1), SYSTEM)
    for number in (2, 3):
        for seat in vacant_seats(tournament.sessions.get(number=number)):
            name_stand_in(seat.table, SYSTEM, 1, f"Ana {number}")
    tables = begin(tournament, 2)
    session = Session.objects.select_related("tournament").get(tournament=tournament, number=2)
    assert session.started_at is not None
    for begun, ended in ((30, 42), (60, 61)):
        pause_clock(session, SYSTEM, reason="Fire alarm", at=session.started_at + timedelta(minutes=begun))
        resume_clock(session, SYSTEM, reason="Clear", at=session.started_at + timedelta(minutes=ended))
    extend_clock(session, SYSTEM, 15, reason="The heating")
    end(tables)
    first, second = begin(tournament, 3)
    player = max(players_at(first))
    give_foul(first, player, "false_claim", 1)
    absence = absences.record_absence(first, SYSTEM, player, uuid=uuid4())
    absences.begin_without(absence, SYSTEM, "He ran away.")
    record(first, wash_out())
    absences.record_arrival(absence, SYSTEM)
    end([first, second])
    replayed = replay_and_compare(tournament)
    seats = Seat.objects.filter(table__session__tournament=replayed, player__number=1).order_by(
        "table__session"
    )
    stand_ins = list(seats.values_list("stand_in", "stand_in_from"))
    assert stand_ins == [("", None), ("Ana 2", 1), ("Ana 3", 1)]
    paused = replayed.sessions.get(number=2)
    assert paused.extra_minutes == 15
    assert paused.clock is not None
    pauses = [(pause.reason, pause.until and pause.until - pause.since) for pause in paused.clock.pauses]
    assert pauses == [("Fire alarm", timedelta(minutes=12)), ("Fire alarm", timedelta(minutes=1))]


@pytest.mark.thorough
def test_lateness_corrected_seats_and_an_undone_start_replay(tournament: Tournament) -> None:
    first, second = begin(tournament, 2)
    session = first.session
    session.started_at = timezone.now() - timedelta(minutes=16, seconds=30)
    session.save()
    first, second = tables_of(session)
    (late, winner, discarder, _), absent = players_at(first), players_at(second)[0]
    absence = absences.record_absence(first, SYSTEM, late, uuid=uuid4())
    record(first, HandEntry(WIN, winner, discarder, points=19))
    absences.seat_stand_in(first, SYSTEM, late, "Ana")
    record(first, HandEntry(WIN, late, None, points=19))
    absences.record_arrival(absence, SYSTEM)
    give_foul(first, late, "late", minutes=17)
    absences.record_absence(second, SYSTEM, absent, uuid=uuid4())
    for table in (first, second):
        table.refresh_from_db()
        record(table, HandEntry(WIN, players_at(table)[1], players_at(table)[2], points=8))
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM, reason="She did not come.")
    first, _ = begin(tournament, 3)
    absences.record_absence(first, SYSTEM, players_at(first)[0], uuid=uuid4())
    unstart_session(first.session, SYSTEM)
    first, second = begin(tournament, 3)
    player, other = players_at(first)[0], players_at(second)[0]
    absence = absences.record_absence(first, SYSTEM, player, uuid=uuid4())
    correct_seats(first.session, SYSTEM, player, other)
    absence.refresh_from_db()
    absences.record_arrival(absence, SYSTEM)
    end([first, second])
    replayed = replay_and_compare(tournament)
    missing = Absence.objects.filter(table__session__tournament=replayed)
    assert lateness_minutes(missing.get(table__session__number=2, player__number=late)) == 17
    assert absences_by_hand(replayed) == absences_by_hand(tournament) == [[late], [absent]]
    in_third = missing.filter(table__session__number=3).values_list("table__number", "player__number")
    assert list(in_third) == [(first.number, other)]


def absences_by_hand(tournament: Tournament) -> list[list[int]]:
    played = Hand.objects.filter(table__session__tournament=tournament, table__session__number=2)
    return [hand.absent for hand in played.order_by("table", "number") if hand.absent]


@pytest.mark.thorough
def test_appeals_signatures_an_unplayed_table_and_a_withdrawal_in_a_session_replay(
    tournament: Tournament,
) -> None:
    table, other = begin(tournament, 2)
    first, second, third, _ = players_at(table)
    play_hands(table, 3)
    penalty = give_foul(table, second, "empty_call", 3)
    granted_appeal(table, first, "Hand 1!", "It was a wash-out.", hand_number=1)
    granted_appeal(table, second, "I was silent.", "Nobody heard it.", penalty=penalty.uuid)
    play_hands(table, 1)
    correct_hand(table.hands.get(number=1), SYSTEM, wash_out(), reason="Appeal.", uuid=uuid4())
    cancel_penalty(penalty, SYSTEM, reason="Appeal.")
    give_foul(table, second, "empty_call", 4)
    for player in (first, second, third):
        sign(table, SYSTEM, player)
    cancel_signature(table, SYSTEM, second)
    play_hands(other, 1)
    for each in (table, other):
        hand_in(each, SYSTEM)
    close_session(table.session, SYSTEM, reason="Two do not agree.")
    late = granted_appeal(other, players_at(other)[0], "All of it.", "Perhaps.")
    waive_ruling(late, SYSTEM, because="Nothing changes.")
    played, unplayed = begin(tournament, 3)
    give_foul(unplayed, players_at(unplayed)[0], "late", minutes=12)
    play_hands(played, 3)
    withdraw_player(tournament.players.get(number=players_at(played)[1]), SYSTEM)
    play_hands(played, 1)
    hand_in(played, SYSTEM)
    close_session(played.session, SYSTEM, unplayed=[unplayed.number], reason="It is late.")
    replayed = replay_and_compare(tournament)
    settled = Appeal.objects.filter(table__session__tournament=replayed).values_list("settled_as", flat=True)
    assert sorted(settled) == ["carried_out", "carried_out", "waived"]
    signed = Signature.objects.filter(table__session__tournament=replayed, void_at=None).order_by("id")
    assert list(signed.values_list("player__number", flat=True)) == [first, third]
    assert Penalty.objects.filter(tournament=replayed, foul="empty_call", cancelled_at=None).count() == 1
    seats = Seat.objects.filter(table__session__tournament=replayed, table__session__number=3)
    assert seats.get(player__number=players_at(played)[1]).stand_in_from == 4


def granted_appeal(table: Table, player: int, text: str, ruling: str, **about: Any) -> Appeal:
    """Open an appeal and grant it."""
    appeal = open_appeal(table, SYSTEM, player, text, **about, uuid=uuid4())
    return rule_appeal(appeal, SYSTEM, granted=True, ruling=ruling)


@pytest.mark.thorough
def test_house_fouls_and_own_play_settings_replay() -> None:
    tournament = make_tournament(players=4, sessions=1)
    once = Ladder((Sanction(warning=True), fine(5)), RepeatScope.TOURNAMENT)
    add_foul(tournament, SYSTEM, Names.filled("Phone rings"), Names.filled("A phone rings."), once)
    change_foul(tournament, SYSTEM, "empty_call", Fixed(fine(7)))
    set_attendance(tournament, SYSTEM, Attendance(Credit.PLAYER, False, 300))
    scale = (Fraction(5), Fraction(3), Fraction(1), Fraction(0))
    own = PlaySettings(LastHand.FINISHED, 10, APPENDIX_2, scale, ("game_points",), held_out_waits=True)
    set_play_settings(tournament, SYSTEM, own)
    show_penalties(tournament, SYSTEM, public=False)
    tournament.refresh_from_db()
    tournament.appeal_minutes, tournament.is_public, tournament.time_zone = 0, False, "Asia/Tokyo"
    tournament.appeal_deposit = "€150"
    update_tournament(tournament, SYSTEM)
    (table,) = begin(tournament, 1)
    for foul in ("house_1", "house_1", "empty_call"):
        give_foul(table, 1, foul, 1)
    give_foul(table, 1, "late", minutes=40)
    end([table])
    replayed = replay_and_compare(tournament)
    assert replayed.rules == tournament.rules
    assert (replayed.is_public, replayed.penalties_public, replayed.appeal_minutes) == (False, False, 0)
    assert (replayed.time_zone, replayed.appeal_deposit) == ("Asia/Tokyo", "€150")
    assert list(transcript_warnings(tournament)) == []


def test_an_ema_event_replays_with_its_foul_book_and_attendance() -> None:
    tournament = make_tournament(players=8, sessions=1, drawn=False)
    tournament.foul_book = "mers"
    update_tournament(tournament, SYSTEM)
    set_attendance(tournament, SYSTEM, Attendance(Credit.STAND_IN, disqualified_ranked=True))
    draw_seats(tournament, SYSTEM, seed="mers")
    tables = begin(tournament, 1)
    give_foul(tables[0], players_at(tables[0])[0], "wall_destroyed", 1)
    end(tables)
    replayed = replay_and_compare(Tournament.objects.get(pk=tournament.pk))
    assert (replayed.foul_book, replayed.rules.fouls.key) == ("mers", "mers")
    assert replayed.rules.attendance.disqualified_ranked
