"""Who is not there, in the standings: stand-ins, withdrawal in mid-session, forfeits, disqualification."""

from datetime import timedelta
from fractions import Fraction
from uuid import uuid4

import pytest
from django.utils import timezone

from penalties.engine import Points, PointScope, Sanction
from tests.support.factories import SYSTEM, make_tournament, play_hands, record, win
from tournament.access import Audience
from tournament.audit import audit
from tournament.engine.attendance import Attendance, Credit
from tournament.engine.standings import Standing
from tournament.engine.statements import Accusation
from tournament.engine.table_points import table_points
from tournament.models import Absence, Player, Session, Table, Tournament
from tournament.selectors.player_page import player_page
from tournament.selectors.ranking import ranking, standings_after
from tournament.selectors.standings import current_standings
from tournament.services.absences import note_absence, note_arrival, seat_player_again, seat_stand_in
from tournament.services.fouls import set_attendance
from tournament.services.penalties import give_penalty
from tournament.services.players import readmit_player, withdraw_player
from tournament.services.sessions import close_session, start_session
from tournament.services.signing import sign
from tournament.services.tables import hand_in
from tournament.services.tournaments import publish_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Tournament:
    """Three hands at each table of session 1."""
    return make_tournament(running=3)


def table_of(made: Tournament, session: int = 1) -> Table:
    return made.sessions.get(number=session).tables.get(number=1)


def east(made: Tournament) -> Player:
    return table_of(made).seats.order_by("id")[0].player


def line(made: Tournament, player: Player) -> Standing:
    return current_standings(Tournament.objects.get(pk=made.pk), Audience.STAFF).find(player.number)


def all_table_points(made: Tournament) -> Fraction:
    rows = current_standings(Tournament.objects.get(pk=made.pk), Audience.STAFF).rows
    return sum((row.table_points for row in rows), Fraction(0))


def by_score(made: Tournament) -> list[int]:
    """The players at table 1, the best score first."""
    seats = table_of(made).seats.order_by("-game_points")
    return list(seats.values_list("player__number", flat=True))


def at_table_1(made: Tournament) -> dict[int, tuple[Fraction, int]]:
    """Player → table points and game points of the four of table 1."""
    rows = current_standings(Tournament.objects.get(pk=made.pk), Audience.STAFF).rows
    seated = set(by_score(made))
    return {row.number: (row.table_points, int(row.game_points)) for row in rows if row.number in seated}


@pytest.mark.parametrize("place", range(4))
def test_a_stand_in_takes_no_place_and_the_three_who_play_have_the_first_ones(
    made: Tournament, place: int
) -> None:
    absent, points = by_score(made)[place], at_table_1(made)
    others = [number for number in by_score(made) if number != absent]
    seat_stand_in(table_of(made), SYSTEM, absent, "Kim")
    shares = table_points([points[number][1] for number in others], (4, 2, 1))
    assert at_table_1(made) == {
        number: (share, points[number][1]) for number, share in zip(others, shares, strict=True)
    } | {absent: (0, 0)}
    assert all_table_points(made) == 4 * 7


def test_the_absent_player_keeps_the_fine_for_lateness_and_ranks_behind_the_three(made: Tournament) -> None:
    absent = by_score(made)[0]
    seat_stand_in(table_of(made), SYSTEM, absent, "Kim")
    give_penalty(table_of(made), SYSTEM, Accusation(absent, "late", details={"minutes": 120}), uuid=uuid4())
    rows = current_standings(Tournament.objects.get(pk=made.pk), Audience.STAFF)
    assert (rows.find(absent).table_points, rows.find(absent).game_points) == (0, -440)
    assert rows.find(absent).sessions[0].place is None
    assert [row.number for row in rows.rows][-1] == absent


def test_own_fouls_before_the_stand_in_stay_with_the_player_and_the_stand_ins_do_not(
    made: Tournament,
) -> None:
    player = by_score(made)[0]
    give_penalty(table_of(made), SYSTEM, Accusation(player, "false_hu", 2), uuid=uuid4())
    seat_stand_in(table_of(made), SYSTEM, player, "Kim")
    give_penalty(table_of(made), SYSTEM, Accusation(player, "false_hu", 4), uuid=uuid4())
    assert at_table_1(made)[player] == (0, -60)


def test_an_empty_seat_takes_no_place_and_keeps_what_it_paid() -> None:
    made = make_tournament(running=0)
    absent, winner = east(made).number, table_of(made).seats.order_by("id")[1].player.number
    note_absence(table_of(made), SYSTEM, absent, uuid=uuid4())
    an_hour_later(made)
    record(table_of(made), win(winner))
    scores = at_table_1(made)
    assert scores[absent][0] == 0
    assert scores[absent][1] < 0
    assert sorted(share for share, _ in scores.values()) == [0, Fraction(3, 2), Fraction(3, 2), 4]


def test_who_comes_after_all_has_a_place_and_the_whole_result() -> None:
    made = make_tournament(running=0)
    absent = east(made).number
    absence = note_absence(table_of(made), SYSTEM, absent, uuid=uuid4())
    an_hour_later(made)
    record(table_of(made), win(table_of(made).seats.order_by("id")[1].player.number))
    note_arrival(absence, SYSTEM)
    record(table_of(made), win(absent))
    record(table_of(made), win(absent))
    assert at_table_1(made)[absent][0] == 4


def test_whom_a_stand_in_replaces_decides_what_the_players_signed(made: Tournament) -> None:
    absent, other = by_score(made)[:2]
    seat_stand_in(table_of(made), SYSTEM, absent, "Kim")
    sign(table_of(made), SYSTEM, other)
    set_attendance(made, SYSTEM, Attendance(stand_in=Credit.PLAYER))
    assert not table_of(made).signatures.filter(void_at=None).exists()
    assert list(audit(Tournament.objects.get(pk=made.pk))) == []


def test_a_players_page_leaves_the_stand_ins_hands_out(made: Tournament) -> None:
    absent = east(made)
    seat_stand_in(table_of(made), SYSTEM, absent.number, "Kim")
    give_penalty(
        table_of(made), SYSTEM, Accusation(absent.number, "late", details={"minutes": 20}), uuid=uuid4()
    )
    page = player_page(Tournament.objects.get(pk=made.pk), Audience.STAFF, absent)
    assert page.statistics.hands == 0
    assert page.course.scores == (0, -40)


def an_hour_later(made: Tournament) -> None:
    an_hour_ago = timezone.now() - timedelta(hours=1)
    Session.objects.filter(tournament=made, number=1).update(started_at=an_hour_ago)
    Absence.objects.filter(table__session__tournament=made).update(since=an_hour_ago)


def test_where_the_rulebook_says_so_a_stand_in_plays_for_the_absent_player(made: Tournament) -> None:
    absent, before = east(made), line(made, east(made))
    seat_stand_in(table_of(made), SYSTEM, absent.number)
    set_attendance(made, SYSTEM, Attendance(stand_in=Credit.PLAYER))
    assert line(made, absent).totals == before.totals


def test_a_player_who_takes_the_seat_back_has_the_whole_result(made: Tournament) -> None:
    player, before = east(made), line(made, east(made))
    seat_stand_in(table_of(made), SYSTEM, player.number)
    seat_player_again(table_of(made), SYSTEM, player.number)
    assert line(made, player).totals == before.totals


def test_who_withdraws_in_mid_session_leaves_the_seat_to_a_stand_in(made: Tournament) -> None:
    gone = east(made)
    withdraw_player(gone, SYSTEM)
    assert table_of(made).seats.get(player=gone).stand_in
    play_hands(table_of(made), 1)
    assert line(made, gone).game_points == 0
    assert line(made, gone).rank is not None
    readmit_player(gone, SYSTEM)
    assert not table_of(made).seats.get(player=gone).stand_in
    assert list(audit(Tournament.objects.get(pk=made.pk))) == []


def test_who_withdraws_can_be_left_without_a_rank(made: Tournament) -> None:
    gone = east(made)
    set_attendance(made, SYSTEM, Attendance(withdrawn_ranked=False))
    withdraw_player(gone, SYSTEM)
    rows = current_standings(Tournament.objects.get(pk=made.pk), Audience.STAFF).rows
    assert (rows[-1].number, rows[-1].rank) == (gone.number, None)


def test_a_forfeited_session_counts_nothing_for_the_offender_alone() -> None:
    made = make_tournament(running=3, rulebook="mcr")
    late, before = east(made), all_table_points(made)
    share = line(made, late).table_points
    own = Sanction(session_forfeited=True)
    stated = Accusation(late.number, "late", details={"minutes": 30}, imposed=own, because="1998 rules")
    give_penalty(table_of(made), SYSTEM, stated, uuid=uuid4())
    assert line(made, late).table_points == 0
    assert all_table_points(made) == before - share


def test_a_later_disqualification_does_not_rewrite_what_was_published(made: Tournament) -> None:
    finish(made, 1)
    publish_standings(made, SYSTEM)
    start_session(made.sessions.get(number=2), SYSTEM)
    for table in made.sessions.get(number=2).tables.all():
        play_hands(table, 2)
    offender, other = (seat.player for seat in table_of(made, 2).seats.order_by("id")[:2])
    give_penalty(
        table_of(made, 2), SYSTEM, Accusation(offender.number, "severe_disturbance", 1), uuid=uuid4()
    )
    fine = Sanction(points=Points(30, PointScope.TOURNAMENT))
    stated = Accusation(other.number, "false_claim", 1, imposed=fine, because="x")
    give_penalty(table_of(made, 2), SYSTEM, stated, uuid=uuid4())
    finish(made, 2)
    fresh = Tournament.objects.get(pk=made.pk)
    assert line(made, offender).rank is None
    assert standings_after(fresh, Audience.STAFF, 1).find(offender.number).rank is not None
    assert not ranking(fresh, Audience.STAFF).changed_since_publication


def test_a_disqualification_stays_in_the_standings_of_its_session(made: Tournament) -> None:
    offender = east(made)
    give_penalty(table_of(made), SYSTEM, Accusation(offender.number, "severe_disturbance", 1), uuid=uuid4())
    finish(made, 1)
    publish_standings(made, SYSTEM)
    start_session(made.sessions.get(number=2), SYSTEM)
    for table in made.sessions.get(number=2).tables.all():
        play_hands(table, 1)
    finish(made, 2)
    assert not ranking(Tournament.objects.get(pk=made.pk), Audience.STAFF).changed_since_publication


def finish(made: Tournament, number: int) -> None:
    session = made.sessions.get(number=number)
    for table in session.tables.all():
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM)
