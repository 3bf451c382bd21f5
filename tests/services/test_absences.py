"""Who is missing at the gong: the clock, the arrival, the stand-in, and what it costs."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.factories import SYSTEM, make_tournament
from tournament.errors import Refused
from tournament.models import Session, Table
from tournament.services.absences import (
    minutes_of,
    note_absence,
    note_arrival,
    seat_player_again,
    seat_stand_in,
    take_absence_back,
)

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
