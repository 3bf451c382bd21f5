"""Who is missing at the gong: the clock, the arrival, the stand-in, and what it costs."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from tests.support.checks import refused_codes
from tests.support.closing import players_at
from tests.support.factories import SYSTEM, TILES, record, wash_out, win
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


def gong_was(table: Table, **ago: float) -> None:
    """The clock under control: the session began so long ago."""
    session = table.session
    assert session.started_at is not None
    Session.objects.filter(pk=session.pk).update(started_at=session.started_at - timedelta(**ago))


def first(table: Table) -> int:
    return players_at(table)[0]


def first_is_missing(table: Table) -> Absence:
    return note_absence(table, SYSTEM, first(table), uuid=uuid4())


@pytest.mark.parametrize(("ago", "minute"), [(2, 1), (9 * 60, 10), (601, 11), (17 * 60 + 42, 18)])
def test_lateness_counts_from_the_gong_and_not_from_the_tap(table: Table, ago: int, minute: int) -> None:
    gong_was(table, seconds=ago)
    arrived = note_arrival(first_is_missing(table), SYSTEM)
    assert minutes_of(arrived) == minute
    entries = table.session.tournament.log.count()
    assert note_arrival(arrived, SYSTEM).arrived_at == arrived.arrived_at
    assert table.session.tournament.log.count() == entries, "arriving twice is arriving once"


def test_a_seat_is_empty_once(table: Table) -> None:
    uuid = uuid4()
    absence = note_absence(table, SYSTEM, first(table), uuid=uuid)
    assert note_absence(table, SYSTEM, first(table), uuid=uuid) == absence
    assert refused_codes(first_is_missing, table) == ["already_absent"]
    take_absence_back(absence, SYSTEM)
    assert first_is_missing(table) != absence


def test_the_others_wait_a_quarter_of_an_hour_before_a_stand_in_plays(table: Table) -> None:
    gong_was(table, minutes=14)
    first_is_missing(table)
    assert refused_codes(seat_stand_in, table, SYSTEM, first(table)) == ["stand_in_too_early"]


def test_the_player_takes_the_seat_back_from_the_stand_in(table: Table) -> None:
    gong_was(table, minutes=16)
    absence = first_is_missing(table)
    assert seat_stand_in(table, SYSTEM, first(table), "Kim").stand_in == "Kim"
    assert refused_codes(seat_stand_in, table, SYSTEM, first(table)) == ["stand_in_seated"]
    assert refused_codes(seat_player_again, table, SYSTEM, first(table)) == ["still_missing"]
    note_arrival(absence, SYSTEM)
    assert set(table.seats.values_list("stand_in", flat=True)) == {""}
    assert refused_codes(seat_player_again, table, SYSTEM, first(table)) == ["no_stand_in"]


def test_nobody_is_missing_before_the_gong_or_after_winning_a_hand(table: Table) -> None:
    coming = table.session.tournament.sessions.get(number=2).tables.get(number=1)
    assert refused_codes(first_is_missing, coming) == ["session_not_running"]
    record(table, win(first(table)))
    assert refused_codes(first_is_missing, table) == ["absent_has_played"]


class TestAnEmptySeat:
    """Twenty minutes after the gong the first player's seat is empty, and nobody stands in."""

    @pytest.fixture(autouse=True)
    def absence(self, table: Table) -> Absence:
        gong_was(table, minutes=20)
        return first_is_missing(table)

    def test_nobody_wins_discards_or_claims_there(self, table: Table) -> None:
        east, south, west, _ = players_at(table)
        tiles = TILES["seven_pairs"]
        entries = [
            (HandEntry(WIN, east, south, tiles), "winner"),
            (HandEntry(WIN, south, east, tiles), "discarder"),
            (HandEntry(WIN, south, west, tiles, claimants=(east,)), "claimants"),
            (HandEntry(WIN, east, None, tiles), "winner"),
        ]
        for entry, where in entries:
            with pytest.raises(Refused, match=f"^{where}: seat_empty$"):
                record(table, entry)
            assert [problem.code for problem in judge_at(table, 1, entry).problems] == ["seat_empty"]

    def test_the_others_win_and_who_is_absent_does_not(self, table: Table, absence: Absence) -> None:
        hand = record(table, win(players_at(table)[1]))
        assert hand.absent == [first(table)], "the hand keeps whose seat was empty"
        assert sum(hand.payments.values()) == 0
        assert list(audit(table.session.tournament)) == []
        note_arrival(absence, SYSTEM)
        won = lambda **more: correct_hand(  # noqa: E731
            hand, SYSTEM, replace(win(first(table)), **more), reason="The player was there", uuid=uuid4()
        )
        assert refused_codes(won) == ["seat_empty"]
        assert won(absent=()).entry.winner == first(table)

    def test_an_absence_taken_back_leaves_no_seat_empty(self, table: Table, absence: Absence) -> None:
        hand = record(table, win(players_at(table)[1]))
        take_absence_back(absence, SYSTEM)
        after = correct_hand(hand, SYSTEM, win(first(table)), reason="Was there", uuid=uuid4())
        assert after.absent == []

    def test_a_foul_of_play_is_refused_there_and_lateness_is_not(self, table: Table) -> None:
        east, south, *_ = players_at(table)
        foul = assess(table, Accusation(east, "false_hu", 1))
        assert [problem.code for problem in foul.problems] == ["foul_in_empty_seat"]
        (problem,) = assess(table, Accusation(south, "knocked_tiles", 1, east, {"points": 10})).problems
        assert (problem.code, problem.where) == ("foul_in_empty_seat", "victim")
        assert assess(table, Accusation(east, "late", 1, details={"minutes": 20})).problems == ()


def test_before_the_others_may_begin_a_hand_waits_for_the_umpires_decision(table: Table) -> None:
    gong_was(table, minutes=5)
    absence, other = first_is_missing(table), players_at(table)[1]
    assert refused_codes(record, table, win(other)) == ["seat_empty_too_early"]
    assert refused_codes(record, table, wash_out()) == ["seat_empty_too_early"]
    assert refused_codes(begin_without, absence, SYSTEM, " ") == ["begun_reason_missing"]
    begin_without(absence, SYSTEM, "The other three agree")
    entry = table.session.tournament.log.latest("seq")
    assert (entry.action, entry.said["reason"]) == ("begun_without", "The other three agree")
    begin_without(absence, SYSTEM, "Again")
    assert table.session.tournament.log.latest("seq") == entry, "one decision, one entry"
    assert record(table, win(other)).absent == [first(table)]
    seat_stand_in(table, SYSTEM, first(table), "Kim")
    assert record(table, win(first(table))).absent == [], "a stand-in may play then"


def test_who_does_not_come_is_late_for_the_whole_session_or_until_the_sheet_is_in(table: Table) -> None:
    gong_was(table, minutes=59, seconds=30)
    absence = first_is_missing(table)
    assert minutes_of(absence) == 120
    record(table, wash_out())
    hand_in(table, SYSTEM)
    assert minutes_of(Absence.objects.get(pk=absence.pk)) == 60


class TestWherePlayersStartWithPoints:
    @staticmethod
    def lateness_costs(table: Table) -> int:
        """For two hours, of a player who starts with 100 points."""
        set_attendance(table.session.tournament, SYSTEM, Attendance(starting_points=100))
        table = Table.objects.select_related("session__tournament").get(pk=table.pk)
        effects = assess(table, Accusation(first(table), "late", details={"minutes": 120})).effects
        assert set(effects) == {first(table)}
        return effects[first(table)]

    def test_lateness_docks_no_more_than_all_of_them(self, table: Table) -> None:
        late = Accusation(first(table), "late", details={"minutes": 120})
        assert assess(table, late).effects == {first(table): -440}, "without such points it grows on"
        assert self.lateness_costs(table) == -100

    def test_what_the_seat_has_paid_is_not_held_any_more(self, table: Table) -> None:
        record(table, win(players_at(table)[1]))
        paid = table.seats.get(player__number=first(table)).game_points
        assert paid < 0
        assert self.lateness_costs(table) == -(100 + paid)

    def test_what_a_stand_in_wins_or_loses_is_not_the_players(self, table: Table) -> None:
        seat_stand_in(table, SYSTEM, first(table), "Kim")
        record(table, win(first(table)))
        assert self.lateness_costs(table) == -100
