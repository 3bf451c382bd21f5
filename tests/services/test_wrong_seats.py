"""Two players sat in each other's places: the hands stay with the seats, the names are mended."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, make_tournament, record, win
from tournament.access import Audience
from tournament.audit import audit
from tournament.engine.statements import Accusation
from tournament.models import Hand, Seat, Session, Tournament
from tournament.selectors.standings import current_standings
from tournament.selectors.wrong_seats import last_correction
from tournament.services.draw import draw_seats
from tournament.services.hands import correct_hand
from tournament.services.penalties import give_penalty
from tournament.services.sessions import close_session, start_session
from tournament.services.tables import hand_in
from tournament.services.unstart import unstart_session
from tournament.services.wrong_seats import correct_seats, undo_correction


@pytest.fixture
def running() -> Session:
    """Session 1 with three hands at each table, a corrected first and a penalty among them."""
    session = make_tournament(running=3).sessions.get(number=1)
    table = session.tables.get(number=1)
    hand = Hand.objects.get(table=table, number=1, is_current=True)
    east, south, *_others = numbers(session, 1)
    correct_hand(hand, SYSTEM, win(east, south), reason="misread", uuid=uuid4())
    give_penalty(table, SYSTEM, Accusation(east, "false_hu", 2), uuid=uuid4())
    return session


def numbers(session: Session, table: int) -> list[int]:
    seats = Seat.objects.filter(table__session=session, table__number=table).order_by("id")
    return list(seats.values_list("player__number", flat=True))


def figures(session: Session) -> list[tuple[int, str, int, int, int, int]]:
    """What stands at each seat, whoever sits there."""
    seats = Seat.objects.filter(table__session=session).order_by("table__number", "id")
    return list(
        seats.values_list("table__number", "wind", "game_points", "hands_won", "wins_by_discard", "deal_ins")
    )


def is_sound(session: Session) -> bool:
    return not list(audit(Tournament.objects.get(pk=session.tournament_id)))


def game_points(session: Session) -> dict[int, Any]:
    rows = current_standings(session.tournament, Audience.STAFF).rows
    return {row.number: row.game_points for row in rows}


@pytest.mark.parametrize("tables", [(1, 1), (1, 2)])
def test_the_sheets_stay_and_the_names_change(running: Session, tables: tuple[int, int]) -> None:
    first, other = numbers(running, tables[0])[0], numbers(running, tables[1])[1]
    before, points = figures(running), game_points(running)
    correct_seats(running, SYSTEM, first, other)
    assert figures(running) == before
    assert (numbers(running, tables[0])[0], numbers(running, tables[1])[1]) == (other, first)
    assert game_points(running) == points | {first: points[other], other: points[first]}
    assert is_sound(running)


def test_it_is_taken_back_while_the_session_is_played(running: Session) -> None:
    first, other = numbers(running, 1)[0], numbers(running, 2)[1]
    correct_seats(running, SYSTEM, first, other)
    record(running.tables.get(number=1), win(other))
    undo_correction(running, SYSTEM)
    assert numbers(running, 1)[0] == first
    assert Hand.objects.get(table__session=running, number=4).winner.number == first  # type: ignore[union-attr]
    assert is_sound(running)
    assert refused_codes(undo_correction, running, SYSTEM) == ["no_seats_to_restore"]


def test_nothing_of_a_start_that_was_taken_back_is_taken_back_in_the_next() -> None:
    tournament = make_tournament(running=0)
    session = tournament.sessions.get(number=1)
    first, other = numbers(session, 1)[0], numbers(session, 2)[1]
    correct_seats(session, SYSTEM, first, other)
    unstart_session(session, SYSTEM)
    assert last_correction(session) is None
    draw_seats(tournament, SYSTEM, seed="again")
    again = start_session(tournament.sessions.get(number=1), SYSTEM)
    drawn = [numbers(again, table) for table in (1, 2, 3, 4)]
    assert refused_codes(undo_correction, again, SYSTEM) == ["no_seats_to_restore"]
    assert [numbers(again, table) for table in (1, 2, 3, 4)] == drawn


def test_who_does_not_sit_there_one_player_alone_and_a_closed_session_are_refused(running: Session) -> None:
    first, neighbour, *_ = numbers(running, 1)
    for other, code in ((99, "no_seat_in_session"), (first, "swap_with_self")):
        assert refused_codes(correct_seats, running, SYSTEM, first, other) == [code]
    for table in running.tables.all():
        hand_in(table, SYSTEM)
    close_session(running, SYSTEM)
    assert refused_codes(correct_seats, running, SYSTEM, first, neighbour) == ["session_not_running"]
