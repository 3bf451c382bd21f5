"""Who is not there: clock, arrival, stand-in and costs, and what becomes of them in the standings."""

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from penalties.engine import Points, PointScope, Sanction, find_foul_book
from tests.support.checks import newest_sentence, refused_codes
from tests.support.closing import players_at
from tests.support.factories import SYSTEM, TILES, make_tournament, play_hands, record, wash_out, win
from tests.support.sampling import sample
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import Attendance, Credit, table_points
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.fouls.selectors import assess
from tournament.fouls.services.foul_book import set_attendance
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.absences import lateness_minutes
from tournament.play.selectors.hands import judge_at
from tournament.play.selectors.timetable import vacant_seats
from tournament.play.services.absences import (
    begin_without,
    cancel_absence,
    name_stand_in,
    record_absence,
    record_arrival,
    seat_player_again,
    seat_stand_in,
)
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in, sign
from tournament.players.services.players import reinstate_player, withdraw_player
from tournament.ranking.engine.standings import Standing, Standings
from tournament.ranking.selectors.players import player_page
from tournament.ranking.selectors.ranking import ranking
from tournament.ranking.selectors.standings import current_standings, standings_after
from tournament.ranking.services import publish_standings

EVENT_WITH = {"running": 3}
"""Three hands at each table of session 1."""


def gong_was(table: Table, **ago: float) -> None:
    """The clock under control: the session began so long ago."""
    session = table.session
    assert session.started_at is not None
    Session.objects.filter(pk=session.pk).update(started_at=session.started_at - timedelta(**ago))


def first(table: Table) -> int:
    return players_at(table)[0]


def first_is_missing(table: Table) -> Absence:
    return record_absence(table, SYSTEM, first(table), uuid=uuid4())


@pytest.mark.parametrize(("ago", "minute"), [(2, 1), (9 * 60, 10), (601, 11), (17 * 60 + 42, 18)])
def test_lateness_counts_from_the_start_of_the_session(table: Table, ago: int, minute: int) -> None:
    gong_was(table, seconds=ago)
    arrived = record_arrival(first_is_missing(table), SYSTEM)
    assert lateness_minutes(arrived) == minute
    entries = table.session.tournament.log.count()
    assert record_arrival(arrived, SYSTEM).arrived_at == arrived.arrived_at
    assert table.session.tournament.log.count() == entries, "arriving twice is arriving once"


def test_an_absence_is_noted_once(table: Table) -> None:
    uuid = uuid4()
    absence = record_absence(table, SYSTEM, first(table), uuid=uuid)
    assert record_absence(table, SYSTEM, first(table), uuid=uuid) == absence
    assert refused_codes(first_is_missing, table) == ["already_absent"]
    cancel_absence(absence, SYSTEM)
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
    record_arrival(absence, SYSTEM)
    assert set(table.seats.values_list("stand_in", flat=True)) == {""}
    assert refused_codes(seat_player_again, table, SYSTEM, first(table)) == ["no_stand_in"]


def test_no_absence_is_noted_before_the_start_or_after_winning_a_hand(table: Table) -> None:
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

    def test_nobody_wins_discards_or_claims_in_an_empty_seat(self, table: Table) -> None:
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

    def test_the_others_win_and_the_absent_player_does_not(self, table: Table, absence: Absence) -> None:
        hand = record(table, win(players_at(table)[1]))
        assert hand.absent == [first(table)], "the hand keeps whose seat was empty"
        assert sum(hand.payments.values()) == 0
        assert list(audit(table.session.tournament)) == []
        record_arrival(absence, SYSTEM)
        won = lambda **more: correct_hand(  # noqa: E731
            hand, SYSTEM, replace(win(first(table)), **more), reason="The player was there", uuid=uuid4()
        )
        assert refused_codes(won) == ["seat_empty"]
        assert won(absent=()).entry.winner == first(table)

    def test_an_absence_taken_back_leaves_no_seat_empty(self, table: Table, absence: Absence) -> None:
        hand = record(table, win(players_at(table)[1]))
        cancel_absence(absence, SYSTEM)
        after = correct_hand(hand, SYSTEM, win(first(table)), reason="Was there", uuid=uuid4())
        assert after.absent == []
        assert record(table, win(first(table))).absent == []

    def test_in_an_empty_seat_lateness_is_the_only_foul(self, table: Table) -> None:
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
    assert (entry.action, entry.full_data["reason"]) == ("begun_without", "The other three agree")
    begin_without(absence, SYSTEM, "Again")
    assert table.session.tournament.log.latest("seq") == entry, "one decision, one entry"
    assert record(table, win(other)).absent == [first(table)]
    seat_stand_in(table, SYSTEM, first(table), "Kim")
    assert record(table, win(first(table))).absent == [], "a stand-in may play then"


def test_a_no_show_is_late_until_the_end_of_the_session_or_the_handing_in(table: Table) -> None:
    gong_was(table, minutes=59, seconds=30)
    absence = first_is_missing(table)
    assert lateness_minutes(absence) == 120
    record(table, wash_out())
    hand_in(table, SYSTEM)
    assert lateness_minutes(Absence.objects.get(pk=absence.pk)) == 60


class TestWherePlayersStartWithPoints:
    @staticmethod
    def lateness_costs(table: Table) -> int:
        """For two hours, of a player who starts with 100 points."""
        set_attendance(table.session.tournament, SYSTEM, Attendance(starting_points=100))
        table = Table.objects.select_related("session__tournament").get(pk=table.pk)
        effects = assess(table, Accusation(first(table), "late", details={"minutes": 120})).effects
        assert set(effects) == {first(table)}
        return effects[first(table)]

    def test_lateness_costs_at_most_the_starting_points_left(self, table: Table) -> None:
        late = Accusation(first(table), "late", details={"minutes": 120})
        assert assess(table, late).effects == {first(table): -440}, "without such points it grows on"
        assert self.lateness_costs(table) == -100
        record(table, win(players_at(table)[1]))
        paid = table.seats.get(player__number=first(table)).game_points
        assert paid < 0
        assert self.lateness_costs(table) == -(100 + paid)

    def test_points_of_a_stand_in_are_not_the_players(self, table: Table) -> None:
        seat_stand_in(table, SYSTEM, first(table), "Kim")
        record(table, win(first(table)))
        assert self.lateness_costs(table) == -100


def table_of(event: Tournament, session: int = 1) -> Table:
    return event.sessions.get(number=session).tables.get(number=1)


def east(event: Tournament) -> Player:
    return table_of(event).seats.order_by("id")[0].player


def standings(event: Tournament) -> Standings:
    return current_standings(Tournament.objects.get(pk=event.pk), Audience.STAFF)


def line(event: Tournament, player: Player) -> Standing:
    return standings(event).find(player.number)


def all_table_points(event: Tournament) -> Fraction:
    return sum((row.table_points for row in standings(event).rows), Fraction(0))


def by_score(event: Tournament) -> list[int]:
    """The players at table 1, the best score first."""
    return list(table_of(event).seats.order_by("-game_points").values_list("player__number", flat=True))


def at_table_1(event: Tournament) -> dict[int, tuple[Fraction, int]]:
    """Player → table points and game points of the four of table 1."""
    seated = set(by_score(event))
    rows = [row for row in standings(event).rows if row.number in seated]
    return {row.number: (row.table_points, int(row.game_points)) for row in rows}


def foul(
    event: Tournament, player: int, key: str, hand: int | None = None, session: int = 1, **more: Any
) -> None:
    give_penalty(table_of(event, session), SYSTEM, Accusation(player, key, hand, **more), uuid=uuid4())


def finish(event: Tournament, number: int) -> None:
    session = event.sessions.get(number=number)
    for table in session.tables.all():
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM)


def play_next(event: Tournament, hands: int) -> None:
    """Publish after session 1 and play session 2, with stand-ins for whom a penalty excludes."""
    publish_standings(event, SYSTEM)
    session = event.sessions.get(number=2)
    for seat in vacant_seats(session):
        name_stand_in(seat.table, SYSTEM, seat.player.number, "Kim")
    start_session(session, SYSTEM)
    for table in session.tables.all():
        play_hands(table, hands)


@pytest.mark.parametrize("place", sample(range(4), 1))
def test_three_players_and_a_stand_in_share_the_first_places(event: Tournament, place: int) -> None:
    absent, points = by_score(event)[place], at_table_1(event)
    others = [number for number in by_score(event) if number != absent]
    seat_stand_in(table_of(event), SYSTEM, absent, "Kim")
    shares = table_points([points[number][1] for number in others], (4, 2, 1))
    three = {number: (share, points[number][1]) for number, share in zip(others, shares, strict=True)}
    assert at_table_1(event) == three | {absent: (0, 0)}
    assert all_table_points(event) == 4 * 7


@pytest.mark.parametrize(
    ("was_missing", "hands", "left"), [(True, 0, 2 + 1 + 0), (False, 0, 4 + 2 + 1), (False, 3, 4 + 2 + 1)]
)
def test_a_stand_in_has_a_place_after_a_whole_session_by_the_mers_regulations(
    was_missing: bool, hands: int, left: int
) -> None:
    """Section 4: late or ill before the session, the substitute may win the table; ill during it, not.

    `left`: the table points of the other three.
    """
    event = make_tournament(running=hands)
    set_attendance(event, SYSTEM, Attendance(stand_in=Credit.STAND_IN))
    assert "A stand-in who plays the whole session takes a place." in newest_sentence(event)
    absent, *others = players_at(table_of(event))
    if was_missing:
        missing = record_absence(table_of(event), SYSTEM, absent, uuid=uuid4())
        begin_without(missing, SYSTEM, "They agree.")
    seat_stand_in(table_of(event), SYSTEM, absent, "Kim")
    for winner in (absent, absent, absent, absent, others[0], others[0], others[1]):
        record(table_of(event), win(winner))
    points = at_table_1(event)
    assert sum(points[number][0] for number in others) == left
    assert points[absent] == (0, 0)
    assert list(audit(Tournament.objects.get(pk=event.pk))) == []


@pytest.mark.parametrize(("minutes", "playing"), [(14, ""), (16, "Lou")])
def test_the_stand_in_of_a_lost_session_plays_on(minutes: int, playing: str) -> None:
    """MERS Tournament Regulations, 2.2: after 15 minutes the session is lost, and a substitute plays it."""
    event = make_tournament(running=0)
    mers = replace(event.rules, fouls=find_foul_book("mers"))
    Tournament.objects.filter(pk=event.pk).update(rules_snapshot=mers.to_json())
    gong_was(table_of(event), minutes=minutes)
    absence = begin_without(first_is_missing(table_of(event)), SYSTEM, "They agree.")
    seat_stand_in(table_of(event), SYSTEM, absence.player.number, "Lou")
    record_arrival(absence, SYSTEM)
    assert table_of(event).seats.get(player=absence.player).stand_in == playing
    record(table_of(event), wash_out())
    foul(event, absence.player.number, "late", details={"minutes": minutes})
    assert len(line(event, absence.player).sessions) == (not playing), "a lost session counts nothing"


def test_a_replaced_player_keeps_the_fine_and_changing_the_rule_voids_signatures(event: Tournament) -> None:
    absent, other = by_score(event)[:2]
    seat_stand_in(table_of(event), SYSTEM, absent, "Kim")
    foul(event, absent, "late", details={"minutes": 120})
    last = standings(event).rows[-1]
    assert (last.number, last.table_points, last.game_points) == (absent, 0, -440)
    assert last.sessions[0].place is None
    page = player_page(Tournament.objects.get(pk=event.pk), Audience.STAFF, event.players.get(number=absent))
    assert (page.statistics.hands, page.history.scores) == (0, (0, -440)), "without the stand-in's hands"
    sign(table_of(event), SYSTEM, other)
    set_attendance(event, SYSTEM, Attendance(stand_in=Credit.PLAYER))
    assert not table_of(event).signatures.filter(void_at=None).exists()
    assert list(audit(Tournament.objects.get(pk=event.pk))) == []


def test_own_fouls_stay_with_the_player_and_those_of_a_stand_in_do_not(event: Tournament) -> None:
    player = by_score(event)[0]
    foul(event, player, "false_hu", 2)
    seat_stand_in(table_of(event), SYSTEM, player, "Kim")
    foul(event, player, "false_hu", 4)
    assert at_table_1(event)[player] == (0, -60)


def test_an_empty_seat_takes_no_place_and_keeps_what_it_paid_until_the_player_comes() -> None:
    event = make_tournament(running=0)
    absent, winner, *_ = players_at(table_of(event))
    absence = record_absence(table_of(event), SYSTEM, absent, uuid=uuid4())
    an_hour_ago = timezone.now() - timedelta(hours=1)
    Session.objects.filter(tournament=event, number=1).update(started_at=an_hour_ago)
    Absence.objects.filter(table__session__tournament=event).update(since=an_hour_ago)
    record(table_of(event), win(winner))
    scores = at_table_1(event)
    assert scores[absent][0] == 0
    assert scores[absent][1] < 0
    assert sorted(share for share, _ in scores.values()) == [0, Fraction(3, 2), Fraction(3, 2), 4]
    record_arrival(absence, SYSTEM)
    for _ in range(2):
        record(table_of(event), win(absent))
    assert at_table_1(event)[absent][0] == 4, "a place, and the whole result"


def test_a_returned_player_has_the_whole_result_as_with_a_stand_in_who_plays_for_them(
    event: Tournament,
) -> None:
    player, before = east(event), line(event, east(event))
    seat_stand_in(table_of(event), SYSTEM, player.number)
    seat_player_again(table_of(event), SYSTEM, player.number)
    assert line(event, player).totals == before.totals
    seat_stand_in(table_of(event), SYSTEM, player.number)
    set_attendance(event, SYSTEM, Attendance(stand_in=Credit.PLAYER))
    assert "Withdrawn players keep a rank." in newest_sentence(event)
    assert line(event, player).totals == before.totals, "where the rulebook says so"


def test_withdrawing_during_a_session_seats_a_stand_in(event: Tournament) -> None:
    gone = east(event)
    withdraw_player(gone, SYSTEM)
    assert table_of(event).seats.get(player=gone).stand_in
    play_hands(table_of(event), 1)
    assert line(event, gone).game_points == 0
    assert line(event, gone).rank is not None
    set_attendance(event, SYSTEM, Attendance(withdrawn_ranked=False))
    last = standings(event).rows[-1]
    assert (last.number, last.rank) == (gone.number, None)
    reinstate_player(gone, SYSTEM)
    assert not table_of(event).seats.get(player=gone).stand_in
    assert list(audit(Tournament.objects.get(pk=event.pk))) == []


def test_a_forfeited_session_counts_nothing_for_the_offender_alone(event: Tournament) -> None:
    late, before = east(event), all_table_points(event)
    share = line(event, late).table_points
    own = Sanction(session_forfeited=True)
    foul(event, late.number, "late", details={"minutes": 30}, imposed=own, because="1998 rules")
    assert line(event, late).table_points == 0
    assert all_table_points(event) == before - share


@pytest.mark.thorough
def test_a_later_disqualification_does_not_rewrite_what_was_published(event: Tournament) -> None:
    finish(event, 1)
    play_next(event, hands=2)
    offender, other = (seat.player for seat in table_of(event, 2).seats.order_by("id")[:2])
    foul(event, offender.number, "severe_disturbance", 1, session=2)
    fine = Sanction(points=Points(30, PointScope.TOURNAMENT))
    foul(event, other.number, "false_claim", 1, session=2, imposed=fine, because="x")
    finish(event, 2)
    fresh = Tournament.objects.get(pk=event.pk)
    assert line(event, offender).rank is None
    assert standings_after(fresh, Audience.STAFF, 1).find(offender.number).rank is not None
    assert not ranking(fresh, Audience.STAFF).changed_since_publication


@pytest.mark.thorough
def test_a_disqualification_stays_in_the_standings_of_its_session(event: Tournament) -> None:
    foul(event, east(event).number, "severe_disturbance", 1)
    finish(event, 1)
    play_next(event, hands=1)
    finish(event, 2)
    assert not ranking(Tournament.objects.get(pk=event.pk), Audience.STAFF).changed_since_publication
