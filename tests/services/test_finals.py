"""Finals: the best play on, with all, half or none of their points; everybody else is done."""

import pytest

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, make_tournament, play_hands, play_session
from tests.support.sampling import sample
from tournament.access import Audience
from tournament.audit import audit
from tournament.engine.finals import Carry, FinalStage, FinalsWish
from tournament.engine.seating import How
from tournament.engine.seating.inputs import DrawWish
from tournament.models import Final, Tournament
from tournament.selectors.certificate import certificate
from tournament.selectors.draws import is_out_of_date
from tournament.selectors.groups import groups_now
from tournament.selectors.needs import what_you_need
from tournament.selectors.organiser import progress_of
from tournament.selectors.ranking import ranking
from tournament.selectors.replans import replanned
from tournament.selectors.seatings import seats_of_all
from tournament.selectors.session_seats import SessionWish
from tournament.selectors.standings import as_published, current_standings
from tournament.services.draw import draw_seats
from tournament.services.finals import set_up_final
from tournament.services.players import withdraw_player
from tournament.services.reseating import undo_reseating
from tournament.services.seatings import seat_session
from tournament.services.sessions import reopen_session, start_session
from tournament.services.tournaments import publish_standings


def wish(top: int = 4, size: int = 0, *, sessions: int = 1, carry: Carry = Carry.FULL) -> FinalsWish:
    return FinalsWish(FinalStage(top, size or top, carry), sessions, "lotto")


def order(tournament: Tournament) -> list[int]:
    tournament.refresh_from_db()
    return [row.number for row in current_standings(tournament, Audience.STAFF).rows]


def seated(tournament: Tournament, session: int) -> set[int]:
    return {number for table in seats_of_all(tournament)[session - 1] for number in table.values()}


def played(sessions: int = 3, players: int = 16) -> Tournament:
    """Two sessions played of so many; those that follow have seats for everybody."""
    return make_tournament(players=players, sessions=sessions, played=2)


def team_points(tournament: Tournament) -> list[tuple[str, object]]:
    return [(team.name, team.table_points) for team in groups_now(tournament, Audience.STAFF, "teams")]


def test_the_best_are_seated_and_the_others_are_done() -> None:
    tournament = played()
    best = order(tournament)[:4]
    set_up_final(tournament, SYSTEM, wish())
    Final.objects.update(carry="half")
    (finding,) = audit(Tournament.objects.get())
    assert str(finding) == "spring-open, final after session 2: is not as the log has it"
    Final.objects.update(carry="full")
    assert seated(tournament, 3) == set(best)
    assert not is_out_of_date(tournament)
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
    final = set_up_final(tournament, SYSTEM, wish(carry=carry))
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
    set_up_final(tournament, SYSTEM, wish(carry=Carry.NOTHING))
    tournament.refresh_from_db()
    assert not progress_of(tournament).is_out_of_date
    start_session(tournament.sessions.get(number=3), SYSTEM)
    tournament.refresh_from_db()
    assert as_published(current_standings(tournament, Audience.STAFF)) == publication.rows
    play_hands(tournament.sessions.get(number=3).tables.get(), 1)
    tournament.refresh_from_db()
    now = ranking(tournament, Audience.STAFF)
    assert not now.changed_since_publication
    assert as_published(current_standings(tournament, Audience.STAFF)) != publication.rows
    assert [row.group for row in now.rows[:5]] == [1, 1, 1, 1, None]


@pytest.mark.thorough
def test_sixteen_together_then_in_groups_of_four() -> None:
    """The format of the World Championship 2019."""
    tournament = make_tournament(players=20, sessions=1, played=1)
    set_up_final(tournament, SYSTEM, wish(16))
    tournament.refresh_from_db()
    play_session(tournament.sessions.get(number=2), 4)
    best = order(tournament)[:16]
    set_up_final(tournament, SYSTEM, wish(16, 4, sessions=2, carry=Carry.NOTHING))
    assert tournament.sessions.count() == 4
    for number in (3, 4):
        tables = [set(table.values()) for table in seats_of_all(tournament)[number - 1]]
        assert tables == [set(best[at : at + 4]) for at in range(0, 16, 4)]
        play_session(tournament.sessions.get(number=number))
    for at in range(0, 16, 4):
        assert set(order(tournament)[at : at + 4]) == set(best[at : at + 4])
    tournament.refresh_from_db()
    assert list(audit(tournament)) == []


@pytest.mark.thorough
def test_taken_back_everything_is_as_before() -> None:
    tournament = played(sessions=4)
    before = seats_of_all(tournament)
    set_up_final(tournament, SYSTEM, wish(8, sessions=1))
    assert [len(session) for session in seats_of_all(tournament)] == [4, 4, 2]
    undo_reseating(tournament, SYSTEM)
    assert seats_of_all(tournament) == before
    assert not Final.objects.exists()
    set_up_final(tournament, SYSTEM, wish(sessions=3))
    tournament.refresh_from_db()
    assert tournament.sessions_planned == tournament.sessions.count() == 5
    undo_reseating(tournament, SYSTEM)
    tournament.refresh_from_db()
    assert tournament.sessions_planned == tournament.sessions.count() == 4
    assert list(audit(tournament)) == []


def test_who_withdrew_makes_room_and_a_stored_final_keeps_its_players() -> None:
    tournament = played()
    ranked = order(tournament)
    withdraw_player(tournament.players.get(number=ranked[1]), SYSTEM)
    tournament.refresh_from_db()
    assert set_up_final(tournament, SYSTEM, wish()).numbers == [ranked[at] for at in (0, 2, 3, 4)]


@pytest.mark.thorough
def test_a_session_of_a_final_is_seated_for_its_players_alone() -> None:
    tournament = make_tournament(sessions=4, drawn=False)
    draw_seats(tournament, SYSTEM, seed="lotto", wish=DrawWish(sessions=1))
    play_session(tournament.sessions.get(number=1), 2)
    final = set_up_final(tournament, SYSTEM, wish(8, sessions=2))
    tournament.refresh_from_db()
    seat_session(tournament, SYSTEM, 3, SessionWish(How.LOT, "other"))
    assert seated(tournament, 3) == set(final.numbers)


def test_what_a_finalist_needs_is_counted_among_finalists() -> None:
    tournament = played()
    numbers = set_up_final(tournament, SYSTEM, wish(carry=Carry.NOTHING)).numbers
    start_session(tournament.sessions.get(number=3), SYSTEM)
    table = tournament.sessions.get(number=3).tables.get()
    tournament.refresh_from_db()
    for begun in (False, True):
        now = ranking(tournament, Audience.STAFF)
        worst = next(row for row in reversed(now.rows) if row.standing.number in numbers)
        seat = table.seats.select_related("table__session").get(player=worst.player)
        needs = what_you_need(now, seat, 1)
        assert needs is not None
        rank = needs.rank and (needs.rank.number, needs.rank.possible)
        assert rank == ((1, True) if begun else None)
        play_hands(table, 1)
        tournament.refresh_from_db()


def test_the_certificate_is_of_the_sessions_for_everybody() -> None:
    tournament = played()
    set_up_final(tournament, SYSTEM, wish(sessions=3))
    tournament.refresh_from_db()
    after = certificate(tournament)
    assert after is not None
    assert after.quality.repeats == 0
    assert after.quality.best_possible


def test_what_stands_in_the_way() -> None:
    fresh = make_tournament(name="Fresh")
    assert refused_codes(set_up_final, fresh, SYSTEM, wish()) == ["finals_too_early"]
    start_session(fresh.sessions.get(number=1), SYSTEM)
    assert refused_codes(set_up_final, fresh, SYSTEM, wish()) == ["session_still_running"]
    small = played(players=8)
    assert refused_codes(set_up_final, small, SYSTEM, wish(16)) == ["too_few_finalists"]
    set_up_final(small, SYSTEM, wish())
    assert refused_codes(set_up_final, small, SYSTEM, wish()) == ["finals_set_already"]
    assert refused_codes(reopen_session, small.sessions.get(number=2), SYSTEM) == ["finals_follow"]
    assert refused_codes(replanned, small) == ["finals_not_replanned"]
    start_session(small.sessions.get(number=3), SYSTEM)
    assert refused_codes(undo_reseating, small, SYSTEM) == ["session_already_begun"], "once begun it stays"
