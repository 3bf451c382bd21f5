"""Sessions in their order, begun by mistake and planned again; seats that make sense, standings that stand; finals."""

from uuid import uuid4

import pytest

from tests.support.checks import refused_codes
from tests.support.closing import players_at
from tests.support.factories import (
    SYSTEM,
    entrant,
    make_tournament,
    make_umpire,
    play_hands,
    play_session,
    record,
    seats_for,
    wash_out,
)
from tests.support.sampling import sample
from tournament.base.access import Actor, can_umpire
from tournament.base.engine.finals import Carry
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.play import Final, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.fouls.services.appeals import open_appeal
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.timetable import draw_is_out_of_date
from tournament.play.services.absences import record_absence, seat_stand_in
from tournament.play.services.hands import undo_hand
from tournament.play.services.sessions import close_session, raise_call, reopen_session, start_session
from tournament.play.services.tables import hand_in, set_extra_time
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players, withdraw_player
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.ranking.selectors.groups import current_groups
from tournament.ranking.selectors.needs import player_needs
from tournament.ranking.selectors.progress import progress_of
from tournament.ranking.selectors.ranking import ranking
from tournament.ranking.selectors.standings import current_standings, publication_rows
from tournament.ranking.services import publish_standings
from tournament.seating.engine.draw import DrawOptions
from tournament.seating.engine.swiss import SeatingMethod
from tournament.seating.selectors.changes import SessionOptions, preview_replan
from tournament.seating.selectors.draws import draw_certificate, stored_plan
from tournament.seating.services.corrections import unstart_session
from tournament.seating.services.seatings import (
    draw_seats,
    seat_players,
    seat_session,
    set_up_final,
    undo_plan_change,
)


def test_sessions_are_played_in_order_and_closed_with_every_table_in() -> None:
    tournament = make_tournament(running=(1, 0, 0, 0))
    first, second = tournament.sessions.all()
    assert refused_codes(start_session, second, SYSTEM) == ["earlier_session_open"]
    assert refused_codes(close_session, first, SYSTEM) == ["table_still_open"] * 4, "each is named"
    assert refused_codes(close_session, first, SYSTEM, unplayed=[1, 2, 3]) == ["table_still_open"] * 2
    assert refused_codes(publish_standings, tournament, SYSTEM) == ["session_still_running"]
    assert refused_codes(draw_seats, tournament, SYSTEM, seed="again") == ["session_already_begun"]
    scored = [row.number for row in current_standings(tournament, Audience.STAFF).rows if row.sessions]
    assert len(scored) == 4, "a table where nothing happened counts for nothing"


def test_a_session_closes_without_a_table_that_can_be_played_after_all() -> None:
    tournament = make_tournament(running=(1, 1, 1, 0))
    session = tournament.sessions.get(number=1)
    for table in session.tables.exclude(number=4):
        hand_in(table, SYSTEM)
    absent = set(session.tables.get(number=4).seats.values_list("player__number", flat=True))
    assert close_session(session, SYSTEM, unplayed=[4]).state == "closed"
    rows = current_standings(tournament, Audience.STAFF).rows
    assert {row.number for row in rows if not row.sessions} == absent
    assert tournament.log.latest("seq").data == {"session": 1, "unplayed": [4]}
    reopen_session(session, SYSTEM)
    play_hands(session.tables.get(number=4))
    assert session.tables.get(number=4).hands_played == 1


def test_a_closed_session_can_be_reopened_until_the_next_begins() -> None:
    tournament = make_tournament(played=1)
    first, second = tournament.sessions.all()
    assert reopen_session(first, SYSTEM).state == "running"
    close_session(first, SYSTEM)
    start_session(second, SYSTEM)
    assert refused_codes(reopen_session, first, SYSTEM) == ["session_already_begun"]


def test_a_withdrawn_player_is_left_out_of_the_draw() -> None:
    tournament = make_tournament(players=9, drawn=False)
    withdraw_player(tournament.players.get(number=9), SYSTEM)
    draw_seats(tournament, SYSTEM, seed="eight")
    assert not tournament.players.get(number=9).seats.exists()


def test_players_are_entered_all_or_none() -> None:
    tournament = make_tournament(players=4, drawn=False)
    newcomers = [entrant(5), Entrant("", "Nameless", country="XXX", ema_number="123", number=3)]
    codes = refused_codes(add_players, tournament, SYSTEM, newcomers)
    assert codes == ["name_missing", "unknown_country", "ema_number_length", "number_taken"]
    assert tournament.players.count() == 4


def test_a_publication_carries_the_version_it_stands_on() -> None:
    tournament = make_tournament(sessions=1, played=1)
    publication = publish_standings(tournament, SYSTEM)
    tournament.refresh_from_db()
    assert (publication.version, publication.is_final) == (tournament.version, True)
    ranks = [(row.rank, row.number) for row in current_standings(tournament, Audience.STAFF).rows]
    assert [(row["rank"], row["number"]) for row in publication.rows] == ranks


def reach(tournament: Tournament, umpire: Actor) -> list[tuple[int, int]]:
    """The sessions and tables where they may umpire."""
    tables = Table.objects.filter(session__tournament=tournament).select_related("session__tournament")
    return [(table.session.number, table.number) for table in tables if can_umpire(umpire, table)]


def test_a_redraw_leaves_an_umpire_the_tables_of_the_same_numbers_and_no_more() -> None:
    tournament = make_tournament()
    second = tournament.sessions.get(number=2)
    of_a_table = Actor.of(make_umpire(tournament, tables=[second.tables.get(number=3)]))
    of_a_session = Actor.of(make_umpire(tournament, "una", sessions=[second]))
    draw_seats(tournament, SYSTEM, seed="again")
    assert reach(tournament, of_a_table) == [(2, 3)]
    seat_players(tournament, SYSTEM, seats_for(16, 1))
    assert reach(tournament, of_a_session) == [], "whose tables are gone umpires nowhere"


@pytest.fixture
def begun() -> Tournament:
    return make_tournament(sessions=2, running=0)


def first(tournament: Tournament) -> Session:
    return tournament.sessions.get(number=1)


def refused(tournament: Tournament) -> list[tuple[str, object]]:
    with pytest.raises(Refused) as caught:
        unstart_session(first(tournament), SYSTEM)
    return [(problem.code, problem.params.get("table")) for problem in caught.value.problems]


def test_an_unstarted_session_is_planned_again(begun: Tournament) -> None:
    session = unstart_session(first(begun), SYSTEM)
    assert (session.state, session.started_at) == (Session.State.PLANNED, None)
    assert begun.log.latest("seq").action == "session_unstarted"
    assert refused(begun) == [("session_not_running", None)]
    draw_seats(begun, SYSTEM, seed="again")
    play_session(first(begun), hands=1)
    assert list(audit(begun)) == []


def test_a_session_with_anything_on_record_cannot_be_unstarted(begun: Tournament) -> None:
    umpire = Actor.of(make_umpire(begun))
    tables = list(first(begun).tables.order_by("number"))
    undo_hand(record(tables[0], wash_out(), umpire), umpire)
    assert refused(begun) == [("start_has_a_record", 1)]
    play_hands(tables[1])
    late = Accusation(players_at(tables[2])[0], "late", details={"minutes": 5})
    cancel_penalty(give_penalty(tables[2], SYSTEM, late, uuid=uuid4()), SYSTEM, reason="mistaken")
    open_appeal(tables[3], SYSTEM, players_at(tables[3])[0], "East is wrong.", uuid=uuid4())
    assert refused(begun) == [("start_has_a_record", number) for number in (1, 2, 3, 4)]


def test_unstarting_takes_back_absences_calls_and_extra_time(begun: Tournament) -> None:
    table = first(begun).tables.get(number=1)
    late, gone, withdrawn = (seat.player for seat in table.seats.all()[:3])
    absence = record_absence(table, SYSTEM, late.number, uuid=uuid4())
    seat_stand_in(table, SYSTEM, gone.number, "Somebody")
    withdraw_player(withdrawn, SYSTEM)
    call = raise_call(table, SYSTEM, "tiles")
    set_extra_time(table, SYSTEM, 5, reason="a tile was missing")
    unstart_session(first(begun), SYSTEM)
    absence.refresh_from_db()
    call.refresh_from_db()
    table.refresh_from_db()
    assert absence.cancelled_at is not None
    assert not call.is_open
    assert table.extra_minutes == 0
    assert set(table.seats.values_list("stand_in", flat=True)) == {""}
    assert list(audit(begun)) == []


def test_a_stand_in_who_was_named_for_somebody_withdrawn_stays(begun: Tournament) -> None:
    table = first(begun).tables.get(number=1)
    seat = table.seats.all()[0]
    seat_stand_in(table, SYSTEM, seat.player.number, "Ana Lima")
    withdraw_player(seat.player, SYSTEM)
    unstart_session(first(begun), SYSTEM)
    seat.refresh_from_db()
    assert seat.stand_in == "Ana Lima"


def test_a_table_left_out_of_a_closing_is_open_again(begun: Tournament) -> None:
    reopen_session(close_session(first(begun), SYSTEM, unplayed=[1, 2, 3, 4]), SYSTEM)
    before = first(begun).tables.get(number=1).version
    unstart_session(first(begun), SYSTEM)
    assert not first(begun).tables.filter(is_in=True).exists()
    assert first(begun).tables.get(number=1).version > before


def final_options(
    top: int = 4, size: int = 0, *, sessions: int = 1, carry: Carry = Carry.FULL
) -> FinalsOptions:
    return FinalsOptions(FinalStage(top, size or top, carry), sessions, "lotto")


def order(tournament: Tournament) -> list[int]:
    tournament.refresh_from_db()
    return [row.number for row in current_standings(tournament, Audience.STAFF).rows]


def seated(tournament: Tournament, session: int) -> set[int]:
    return {number for table in stored_plan(tournament)[session - 1] for number in table.values()}


def played(sessions: int = 3, players: int = 16) -> Tournament:
    """Two sessions played of so many; those that follow have seats for everybody."""
    return make_tournament(players=players, sessions=sessions, played=2)


def team_points(tournament: Tournament) -> list[tuple[str, object]]:
    return [(team.name, team.table_points) for team in current_groups(tournament, Audience.STAFF, "teams")]


def test_the_best_are_seated_and_the_others_are_done() -> None:
    tournament = played()
    best = order(tournament)[:4]
    set_up_final(tournament, SYSTEM, final_options())
    Final.objects.update(carry="half")
    (finding,) = audit(Tournament.objects.get())
    assert str(finding) == "spring-open, final after session 2: differs from the log"
    Final.objects.update(carry="full")
    assert seated(tournament, 3) == set(best)
    assert not draw_is_out_of_date(tournament)
    play_session(tournament.sessions.get(number=3))
    tournament.refresh_from_db()
    assert progress_of(tournament).is_over
    assert set(order(tournament)[:4]) == set(best)
    assert list(audit(tournament)) == []


@pytest.mark.parametrize("carry", sample(Carry, 1))
def test_the_totals_are_what_is_carried_and_what_the_final_gave(carry: Carry) -> None:
    tournament = played()
    before = {row.number: row for row in current_standings(tournament, Audience.STAFF).rows}
    teams = team_points(tournament)
    final = set_up_final(tournament, SYSTEM, final_options(carry=carry))
    play_session(tournament.sessions.get(number=3))
    tournament.refresh_from_db()
    twice = {Carry.FULL: 2, Carry.HALF: 1, Carry.NOTHING: 0}[carry]
    for row in current_standings(tournament, Audience.STAFF).rows:
        was, own = before[row.number], row.sessions[-1]
        if row.number in final.numbers:
            assert row.table_points == was.table_points * twice / 2 + own.table_points
            assert row.game_points == was.game_points * twice // 2 + own.game_points
        else:
            assert (row.table_points, row.game_points) == (was.table_points, was.game_points)
    assert team_points(tournament) == teams, "teams are ranked on the sessions for everybody"


def test_it_counts_from_the_finals_first_hand_on_so_what_was_published_stands() -> None:
    tournament = played()
    publication = publish_standings(tournament, SYSTEM)
    set_up_final(tournament, SYSTEM, final_options(carry=Carry.NOTHING))
    tournament.refresh_from_db()
    assert not progress_of(tournament).is_out_of_date
    start_session(tournament.sessions.get(number=3), SYSTEM)
    tournament.refresh_from_db()
    assert publication_rows(current_standings(tournament, Audience.STAFF)) == publication.rows
    play_hands(tournament.sessions.get(number=3).tables.get(), 1)
    tournament.refresh_from_db()
    now = ranking(tournament, Audience.STAFF)
    assert not now.changed_since_publication
    assert publication_rows(current_standings(tournament, Audience.STAFF)) != publication.rows
    assert [row.group for row in now.rows[:5]] == [1, 1, 1, 1, None]


@pytest.mark.thorough
def test_sixteen_together_then_in_groups_of_four() -> None:
    """The format of the World Championship 2019."""
    tournament = make_tournament(players=20, sessions=1, played=1)
    set_up_final(tournament, SYSTEM, final_options(16))
    tournament.refresh_from_db()
    play_session(tournament.sessions.get(number=2), 4)
    best = order(tournament)[:16]
    set_up_final(tournament, SYSTEM, final_options(16, 4, sessions=2, carry=Carry.NOTHING))
    assert tournament.sessions.count() == 4
    for number in (3, 4):
        tables = [set(table.values()) for table in stored_plan(tournament)[number - 1]]
        assert tables == [set(best[at : at + 4]) for at in range(0, 16, 4)]
        play_session(tournament.sessions.get(number=number))
    for at in range(0, 16, 4):
        assert set(order(tournament)[at : at + 4]) == set(best[at : at + 4])
    tournament.refresh_from_db()
    assert list(audit(tournament)) == []


@pytest.mark.thorough
def test_taken_back_everything_is_as_before() -> None:
    tournament = played(sessions=4)
    before = stored_plan(tournament)
    set_up_final(tournament, SYSTEM, final_options(8, sessions=1))
    assert [len(session) for session in stored_plan(tournament)] == [4, 4, 2]
    undo_plan_change(tournament, SYSTEM)
    assert stored_plan(tournament) == before
    assert not Final.objects.exists()
    set_up_final(tournament, SYSTEM, final_options(sessions=3))
    tournament.refresh_from_db()
    assert tournament.sessions_planned == tournament.sessions.count() == 5
    undo_plan_change(tournament, SYSTEM)
    tournament.refresh_from_db()
    assert tournament.sessions_planned == tournament.sessions.count() == 4
    assert list(audit(tournament)) == []


def test_who_withdrew_makes_room_and_a_stored_final_keeps_its_players() -> None:
    tournament = played()
    ranked = order(tournament)
    withdraw_player(tournament.players.get(number=ranked[1]), SYSTEM)
    tournament.refresh_from_db()
    assert set_up_final(tournament, SYSTEM, final_options()).numbers == [ranked[at] for at in (0, 2, 3, 4)]


@pytest.mark.thorough
def test_a_session_of_a_final_is_seated_for_its_players_alone() -> None:
    tournament = make_tournament(sessions=4, drawn=False)
    draw_seats(tournament, SYSTEM, seed="lotto", options=DrawOptions(sessions=1))
    play_session(tournament.sessions.get(number=1), 2)
    final = set_up_final(tournament, SYSTEM, final_options(8, sessions=2))
    tournament.refresh_from_db()
    seat_session(tournament, SYSTEM, 3, SessionOptions(SeatingMethod.LOT, "other"))
    assert seated(tournament, 3) == set(final.numbers)


def test_what_a_finalist_needs_is_counted_among_finalists() -> None:
    tournament = played()
    numbers = set_up_final(tournament, SYSTEM, final_options(carry=Carry.NOTHING)).numbers
    start_session(tournament.sessions.get(number=3), SYSTEM)
    table = tournament.sessions.get(number=3).tables.get()
    tournament.refresh_from_db()
    for begun in (False, True):
        now = ranking(tournament, Audience.STAFF)
        worst = next(row for row in reversed(now.rows) if row.standing.number in numbers)
        seat = table.seats.select_related("table__session").get(player=worst.player)
        needs = player_needs(now, seat, 1)
        assert needs is not None
        rank = needs.rank and (needs.rank.number, needs.rank.possible)
        assert rank == ((1, True) if begun else None)
        play_hands(table, 1)
        tournament.refresh_from_db()


def test_the_certificate_is_of_the_sessions_for_everybody() -> None:
    tournament = played()
    set_up_final(tournament, SYSTEM, final_options(sessions=3))
    tournament.refresh_from_db()
    after = draw_certificate(tournament)
    assert after is not None
    assert after.quality.repeats == 0
    assert after.quality.best_possible


def test_when_a_final_is_refused() -> None:
    fresh = make_tournament(name="Fresh")
    assert refused_codes(set_up_final, fresh, SYSTEM, final_options()) == ["finals_too_early"]
    start_session(fresh.sessions.get(number=1), SYSTEM)
    assert refused_codes(set_up_final, fresh, SYSTEM, final_options()) == ["session_still_running"]
    small = played(players=8)
    assert refused_codes(set_up_final, small, SYSTEM, final_options(16)) == ["too_few_finalists"]
    set_up_final(small, SYSTEM, final_options())
    assert refused_codes(set_up_final, small, SYSTEM, final_options()) == ["finals_set_already"]
    assert refused_codes(reopen_session, small.sessions.get(number=2), SYSTEM) == ["finals_follow"]
    assert refused_codes(preview_replan, small) == ["finals_not_replanned"]
    start_session(small.sessions.get(number=3), SYSTEM)
    assert refused_codes(undo_plan_change, small, SYSTEM) == ["session_already_begun"], "once begun it stays"
