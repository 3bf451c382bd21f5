"""A session begun by mistake is planned again, as long as nothing is on record."""

from uuid import uuid4

import pytest

from tests.support.closing import players_at
from tests.support.factories import (
    SYSTEM,
    make_tournament,
    make_umpire,
    play_hands,
    play_session,
    record,
    wash_out,
)
from tournament.access import Actor
from tournament.audit import audit
from tournament.engine.statements import Accusation, Objection
from tournament.errors import Forbidden, Refused
from tournament.models import Session, Tournament
from tournament.services.absences import note_absence, seat_stand_in
from tournament.services.appeals import open_appeal
from tournament.services.calls import raise_call
from tournament.services.draw import draw_seats
from tournament.services.hands import undo_hand
from tournament.services.penalties import cancel_penalty, give_penalty
from tournament.services.players import withdraw_player
from tournament.services.sessions import close_session, reopen_session, start_session
from tournament.services.timing import set_extra_time
from tournament.services.unstart import unstart_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def begun() -> Tournament:
    return make_tournament(sessions=2, running=0)


def first(tournament: Tournament) -> Session:
    return tournament.sessions.get(number=1)


def refused(tournament: Tournament) -> list[tuple[str, object]]:
    with pytest.raises(Refused) as caught:
        unstart_session(first(tournament), SYSTEM)
    return [(problem.code, problem.params.get("table")) for problem in caught.value.problems]


def test_it_is_planned_as_if_the_gong_had_not_been(begun: Tournament) -> None:
    session = unstart_session(first(begun), SYSTEM)
    assert (session.state, session.started_at) == (Session.State.PLANNED, None)
    assert begun.log.latest("seq").action == "session_unstarted"
    draw_seats(begun, SYSTEM, seed="again")
    play_session(first(begun), hands=1)
    assert list(audit(begun)) == []


def test_a_record_keeps_it_begun_even_one_taken_back(begun: Tournament) -> None:
    umpire = Actor.of(make_umpire(begun))
    one, two, three, four = first(begun).tables.order_by("number")
    undo_hand(record(one, wash_out(), umpire), umpire)
    assert refused(begun) == [("start_has_a_record", 1)]
    play_hands(two)
    late = Accusation(players_at(three)[0], "late", details={"minutes": 5})
    cancel_penalty(give_penalty(three, SYSTEM, late, uuid=uuid4()), SYSTEM, reason="mistaken")
    open_appeal(four, SYSTEM, Objection(players_at(four)[0], "East is wrong."), uuid=uuid4())
    assert refused(begun) == [("start_has_a_record", number) for number in (1, 2, 3, 4)]


def test_what_hung_on_the_gong_goes_with_it(begun: Tournament) -> None:
    table = first(begun).tables.get(number=1)
    late, gone, withdrawn = (seat.player for seat in table.seats.all()[:3])
    absence = note_absence(table, SYSTEM, late.number, uuid=uuid4())
    seat_stand_in(table, SYSTEM, gone.number, "Somebody")
    withdraw_player(withdrawn, SYSTEM)
    call = raise_call(table, SYSTEM, "tiles")
    set_extra_time(table, SYSTEM, 5, reason="a tile was missing")
    unstart_session(first(begun), SYSTEM)
    absence.refresh_from_db()
    call.refresh_from_db()
    table.refresh_from_db()
    assert absence.taken_back_at is not None
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


def test_a_table_left_out_of_a_closing_is_open_again_and_a_screen_that_saw_the_start_stale(
    begun: Tournament,
) -> None:
    reopen_session(close_session(first(begun), SYSTEM, unplayed=[1, 2, 3, 4]), SYSTEM)
    before = first(begun).tables.get(number=1).version
    unstart_session(first(begun), SYSTEM)
    assert not first(begun).tables.filter(is_in=True).exists()
    assert first(begun).tables.get(number=1).version > before


def test_only_a_session_being_played_and_only_by_an_organiser(begun: Tournament) -> None:
    with pytest.raises(Forbidden):
        unstart_session(first(begun), Actor.of(make_umpire(begun)))
    unstart_session(first(begun), SYSTEM)
    assert refused(begun) == [("session_not_running", None)]
    start_session(first(begun), SYSTEM)
    play_hands(first(begun).tables.get(number=1))
