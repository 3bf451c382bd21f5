"""Players at the table that is filmed."""

import pytest

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, make_tournament, play_session
from tournament.engine.seating import certify
from tournament.errors import Refused
from tournament.models import Tournament
from tournament.selectors.seatings import seats_of_all
from tournament.services.draw import draw_seats
from tournament.services.reseating import undo_reseating
from tournament.services.seatings import seat_at_stream

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn() -> Tournament:
    tournament = make_tournament(players=24, sessions=6, drawn=False)
    draw_seats(tournament, SYSTEM, seed="lotto")
    return tournament


def seated(tournament: Tournament, session: int, table: int) -> set[int]:
    return set(seats_of_all(tournament)[session - 1][table - 1].values())


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def test_one_player_is_filmed_in_several_sessions_and_nobody_else_meets_anew(drawn: Tournament) -> None:
    fours = [{frozenset(table.values()) for table in session} for session in seats_of_all(drawn)]
    seat_at_stream(drawn, SYSTEM, [7], 2, [1, 3, 6])
    assert all(7 in seated(drawn, session, 2) for session in (1, 3, 6))
    assert [{frozenset(table.values()) for table in session} for session in seats_of_all(drawn)] == fours


def test_four_meet_at_the_table_without_a_repeat(drawn: Tournament) -> None:
    before = seats_of_all(drawn)
    seat_at_stream(drawn, SYSTEM, [1, 5, 9, 13], 1, [2])
    assert seated(drawn, 2, 1) == {1, 5, 9, 13}
    quality = certify(seats_of_all(drawn))
    assert (quality.repeats, quality.wind_spread) == (0, 1)
    undo_reseating(drawn, SYSTEM)
    assert seats_of_all(drawn) == before


def test_what_has_begun_stays(drawn: Tournament) -> None:
    play_session(drawn.sessions.get(number=1), 1)
    before = seats_of_all(drawn)[0]
    seat_at_stream(drawn, SYSTEM, [1, 5], 1, [4])
    assert seats_of_all(drawn)[0] == before
    assert {1, 5} <= seated(drawn, 4, 1)
    assert refused_codes(seat_at_stream, drawn, SYSTEM, [1], 1, [1]) == ["session_already_begun"]


def test_everything_wrong_is_said_at_once(drawn: Tournament) -> None:
    with pytest.raises(Refused) as refused:
        seat_at_stream(drawn, SYSTEM, [1, 1], 7, [1, 2])
    assert sorted(set(codes(refused))) == ["player_twice", "stream_one_session", "table_unknown"]
    assert refused_codes(seat_at_stream, drawn, SYSTEM, [99], 1, [1]) == ["no_seat_in_session"]
