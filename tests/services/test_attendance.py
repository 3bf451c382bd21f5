"""Who is not there, in the standings: stand-ins, withdrawal in mid-session, forfeits, disqualification."""

from fractions import Fraction
from uuid import uuid4

import pytest

from penalties.engine import Points, PointScope, Sanction
from tests.factories import SYSTEM, make_tournament, play_hands
from tournament.access import Audience
from tournament.audit import audit
from tournament.engine.attendance import Attendance, Credit
from tournament.engine.standings import Standing
from tournament.models import Player, Table, Tournament
from tournament.selectors.ranking import ranking, standings_after
from tournament.selectors.standings import current_standings
from tournament.services.absences import seat_player_again, seat_stand_in
from tournament.services.fouls import set_attendance
from tournament.services.penalties import Foul, give_penalty
from tournament.services.players import readmit_player, withdraw_player
from tournament.services.sessions import close_session, start_session
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


def test_a_stand_ins_result_is_nobodys_and_the_others_keep_theirs(made: Tournament) -> None:
    absent, before = east(made), line(made, east(made))
    others = {row.number: row.table_points for row in current_standings(made, Audience.STAFF).rows}
    seat_stand_in(table_of(made), SYSTEM, absent.number, "Kim")
    assert (line(made, absent).table_points, line(made, absent).game_points) == (0, 0)
    assert all_table_points(made) == 4 * 7 - before.table_points
    after = current_standings(Tournament.objects.get(pk=made.pk), Audience.STAFF).rows
    assert {row.number: row.table_points for row in after} == others | {absent.number: 0}


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
    stated = Foul(late.number, "late", details={"minutes": 30}, imposed=own, because="1998 rules")
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
    give_penalty(table_of(made, 2), SYSTEM, Foul(offender.number, "severe_disturbance", 1), uuid=uuid4())
    fine = Sanction(points=Points(30, PointScope.TOURNAMENT))
    stated = Foul(other.number, "false_claim", 1, imposed=fine, because="x")
    give_penalty(table_of(made, 2), SYSTEM, stated, uuid=uuid4())
    finish(made, 2)
    fresh = Tournament.objects.get(pk=made.pk)
    assert line(made, offender).rank is None
    assert standings_after(fresh, Audience.STAFF, 1).find(offender.number).rank is not None
    assert not ranking(fresh, Audience.STAFF).changed_since_publication


def test_a_disqualification_stays_in_the_standings_of_its_session(made: Tournament) -> None:
    offender = east(made)
    give_penalty(table_of(made), SYSTEM, Foul(offender.number, "severe_disturbance", 1), uuid=uuid4())
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
