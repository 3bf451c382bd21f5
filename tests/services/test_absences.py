"""Who is missing at the gong: the clock, the arrival, the stand-in, and what it costs."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import SYSTEM, TILES, make_tournament, record, wash_out, win
from tournament.audit import audit
from tournament.engine.attendance import Attendance
from tournament.engine.entry import WIN, HandEntry
from tournament.engine.statements import Accusation
from tournament.errors import Refused
from tournament.models import Absence, Session, Table
from tournament.selectors.absences import minutes_of
from tournament.selectors.assessments import assess
from tournament.selectors.verdicts import judge_at
from tournament.services.absences import (
    begin_without,
    note_absence,
    note_arrival,
    seat_player_again,
    seat_stand_in,
    take_absence_back,
)
from tournament.services.fouls import set_attendance
from tournament.services.hands import correct_hand
from tournament.services.tables import hand_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    return make_tournament(running=0).sessions.get(number=1).tables.get(number=1)


def gong_was(table: Table, **ago: float) -> None:
    """The clock under control: the session began so long ago."""
    session = table.session
    assert session.started_at is not None
    Session.objects.filter(pk=session.pk).update(started_at=session.started_at - timedelta(**ago))


def first(table: Table) -> int:
    return int(table.seats.order_by("id").values_list("player__number", flat=True)[0])


def refused_codes(write: Any) -> list[str]:
    with pytest.raises(Refused) as refused:
        write()
    return [problem.code for problem in refused.value.problems]


@pytest.mark.parametrize(("ago", "minute"), [(2, 1), (9 * 60, 10), (601, 11), (17 * 60 + 42, 18)])
def test_lateness_counts_from_the_gong_and_not_from_the_tap(table: Table, ago: int, minute: int) -> None:
    gong_was(table, seconds=ago)
    absence = note_absence(table, SYSTEM, first(table), uuid=uuid4())
    assert minutes_of(note_arrival(absence, SYSTEM)) == minute


def test_arriving_twice_is_arriving_once(table: Table) -> None:
    absence = note_absence(table, SYSTEM, first(table), uuid=uuid4())
    first_time = note_arrival(absence, SYSTEM).arrived_at
    version = table.session.tournament.log.count()
    assert note_arrival(absence, SYSTEM).arrived_at == first_time
    assert table.session.tournament.log.count() == version


def test_a_seat_is_empty_once(table: Table) -> None:
    uuid = uuid4()
    absence = note_absence(table, SYSTEM, first(table), uuid=uuid)
    assert note_absence(table, SYSTEM, first(table), uuid=uuid) == absence
    again = lambda: note_absence(table, SYSTEM, first(table), uuid=uuid4())  # noqa: E731
    assert refused_codes(again) == ["already_absent"]
    take_absence_back(absence, SYSTEM)
    assert again() != absence


def test_the_others_wait_a_quarter_of_an_hour_before_a_stand_in_plays(table: Table) -> None:
    gong_was(table, minutes=14)
    note_absence(table, SYSTEM, first(table), uuid=uuid4())
    assert refused_codes(lambda: seat_stand_in(table, SYSTEM, first(table))) == ["stand_in_too_early"]


def test_the_player_takes_the_seat_back_from_the_stand_in(table: Table) -> None:
    gong_was(table, minutes=16)
    absence = note_absence(table, SYSTEM, first(table), uuid=uuid4())
    assert seat_stand_in(table, SYSTEM, first(table), "Kim").stand_in == "Kim"
    assert refused_codes(lambda: seat_stand_in(table, SYSTEM, first(table))) == ["stand_in_seated"]
    note_arrival(absence, SYSTEM)
    assert set(table.seats.values_list("stand_in", flat=True)) == {""}
    assert refused_codes(lambda: seat_player_again(table, SYSTEM, first(table))) == ["no_stand_in"]


def test_nobody_is_missing_from_a_session_that_has_not_begun() -> None:
    table = make_tournament().sessions.get(number=1).tables.get(number=1)
    assert refused_codes(lambda: note_absence(table, SYSTEM, first(table), uuid=uuid4())) == [
        "session_not_running"
    ]


def seated(table: Table) -> list[int]:
    return list(table.seats.order_by("id").values_list("player__number", flat=True))


class TestAnEmptySeat:
    """Twenty minutes after the gong the first player's seat is empty, and nobody stands in."""

    @pytest.fixture(autouse=True)
    def empty(self, table: Table) -> None:
        gong_was(table, minutes=20)
        note_absence(table, SYSTEM, first(table), uuid=uuid4())

    @pytest.mark.parametrize(
        ("winner", "discarder", "claimants", "where"),
        [(0, 1, (), "winner"), (1, 0, (), "discarder"), (1, 2, (0,), "claimants"), (0, None, (), "winner")],
    )
    def test_nobody_wins_discards_or_claims_there(
        self, table: Table, winner: int, discarder: int | None, claimants: tuple[int, ...], where: str
    ) -> None:
        who = seated(table)
        entry = HandEntry(
            WIN,
            who[winner],
            None if discarder is None else who[discarder],
            TILES["seven_pairs"],
            claimants=tuple(who[place] for place in claimants),
        )
        with pytest.raises(Refused) as refused:
            record(table, entry)
        assert [(one.code, one.where) for one in refused.value.problems] == [("seat_empty", where)]
        assert [one.code for one in judge_at(table, 1, entry).problems] == ["seat_empty"]

    def test_the_others_win_from_each_other_and_the_hand_keeps_whose_seat_was_empty(
        self, table: Table
    ) -> None:
        hand = record(table, win(seated(table)[1]))
        assert hand.absent == [first(table)]
        assert sum(hand.payments.values()) == 0
        assert list(audit(table.session.tournament)) == []

    def test_a_correction_cannot_make_the_absent_player_win(self, table: Table) -> None:
        hand = record(table, win(seated(table)[1]))
        note_arrival(table.absences.get(), SYSTEM)
        won = lambda **said: correct_hand(  # noqa: E731
            hand, SYSTEM, replace(win(first(table)), **said), reason="The player was there", uuid=uuid4()
        )
        assert refused_codes(won) == ["seat_empty"]
        assert won(absent=()).entry.winner == first(table)

    def test_an_absence_taken_back_leaves_no_seat_empty_in_the_hands_before(self, table: Table) -> None:
        hand = record(table, win(seated(table)[1]))
        take_absence_back(table.absences.get(), SYSTEM)
        after = correct_hand(hand, SYSTEM, win(first(table)), reason="Was there", uuid=uuid4())
        assert after.absent == []

    def test_with_a_stand_in_anybody_wins(self, table: Table) -> None:
        seat_stand_in(table, SYSTEM, first(table), "Kim")
        assert record(table, win(first(table))).absent == []

    def test_a_foul_of_play_is_refused_there_and_lateness_is_not(self, table: Table) -> None:
        foul = assess(table, Accusation(first(table), "false_hu", 1))
        assert [one.code for one in foul.problems] == ["foul_in_empty_seat"]
        suffered = assess(
            table, Accusation(seated(table)[1], "knocked_tiles", 1, first(table), {"points": 10})
        )
        assert [(one.code, one.where) for one in suffered.problems] == [("foul_in_empty_seat", "victim")]
        assert assess(table, Accusation(first(table), "late", 1, details={"minutes": 20})).problems == ()


class TestBeforeTheOthersMayBegin:
    """Five minutes after the gong the first player's seat is empty."""

    @pytest.fixture
    def absence(self, table: Table) -> Absence:
        gong_was(table, minutes=5)
        return note_absence(table, SYSTEM, first(table), uuid=uuid4())

    def test_a_hand_waits_for_the_umpires_decision(self, table: Table, absence: Absence) -> None:
        other = seated(table)[1]
        assert refused_codes(lambda: record(table, win(other))) == ["seat_empty_too_early"]
        assert refused_codes(lambda: record(table, wash_out())) == ["seat_empty_too_early"]
        assert refused_codes(lambda: begin_without(absence, SYSTEM, " ")) == ["begun_reason_missing"]
        begin_without(absence, SYSTEM, "The other three agree")
        assert record(table, win(other)).absent == [first(table)]

    def test_a_stand_in_may_then_play_as_well(self, table: Table, absence: Absence) -> None:
        begin_without(absence, SYSTEM, "Comes at noon")
        seat_stand_in(table, SYSTEM, first(table), "Kim")
        assert record(table, win(first(table))).absent == []

    def test_the_decision_is_one_entry_in_the_log(self, table: Table, absence: Absence) -> None:
        begin_without(absence, SYSTEM, "The other three agree")
        before = table.session.tournament.log.count()
        begin_without(absence, SYSTEM, "Again")
        assert table.session.tournament.log.count() == before
        entry = table.session.tournament.log.order_by("-seq")[0]
        assert (entry.action, entry.said["reason"]) == ("begun_without", "The other three agree")


def test_who_is_still_missing_cannot_take_the_seat_back(table: Table) -> None:
    gong_was(table, minutes=16)
    note_absence(table, SYSTEM, first(table), uuid=uuid4())
    seat_stand_in(table, SYSTEM, first(table), "Kim")
    assert refused_codes(lambda: seat_player_again(table, SYSTEM, first(table))) == ["still_missing"]


def test_who_has_won_a_hand_here_is_not_missing(table: Table) -> None:
    record(table, win(first(table)))
    again = lambda: note_absence(table, SYSTEM, first(table), uuid=uuid4())  # noqa: E731
    assert refused_codes(again) == ["absent_has_played"]


class TestWhoDoesNotCome:
    def test_is_late_for_the_whole_session(self, table: Table) -> None:
        assert minutes_of(note_absence(table, SYSTEM, first(table), uuid=uuid4())) == 120

    def test_is_late_until_the_sheet_is_in(self, table: Table) -> None:
        gong_was(table, minutes=59, seconds=30)
        absence = note_absence(table, SYSTEM, first(table), uuid=uuid4())
        record(table, wash_out())
        hand_in(table, SYSTEM)
        absence.refresh_from_db()
        assert minutes_of(Absence.objects.get(pk=absence.pk)) == 60


class TestWherePlayersStartWithPoints:
    def test_lateness_docks_no_more_than_all_of_them(self, table: Table) -> None:
        start_with(table, 100)
        late = Accusation(first(table), "late", details={"minutes": 120})
        assert assess(fresh(table), late).effects == {first(table): -100}

    def test_what_the_seat_has_paid_is_not_held_any_more(self, table: Table) -> None:
        record(table, win(seated(table)[1]))
        start_with(table, 100)
        paid = table.seats.get(player__number=first(table)).game_points
        assert paid < 0
        late = Accusation(first(table), "late", details={"minutes": 120})
        assert assess(fresh(table), late).effects == {first(table): -(100 + paid)}

    def test_what_a_stand_in_wins_or_loses_is_not_the_players(self, table: Table) -> None:
        seat_stand_in(table, SYSTEM, first(table), "Kim")
        record(table, win(first(table)))
        start_with(table, 100)
        late = Accusation(first(table), "late", details={"minutes": 120})
        assert assess(fresh(table), late).effects == {first(table): -100}

    def test_without_such_points_it_grows_on(self, table: Table) -> None:
        late = Accusation(first(table), "late", details={"minutes": 120})
        assert assess(table, late).effects == {first(table): -440}


def start_with(table: Table, points: int) -> None:
    set_attendance(table.session.tournament, SYSTEM, Attendance(starting_points=points))


def fresh(table: Table) -> Table:
    return Table.objects.select_related("session__tournament").get(pk=table.pk)
