"""Two players who sat in each other's places, corrected by REST while the session is played."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of, codes_of
from tests.support.factories import make_organiser, make_tournament, make_umpire, play_hands
from tournament.models import Seat, Tournament
from tournament.selectors.seatings import seats_of_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, running=2)


@pytest.fixture
def organiser(event: Tournament) -> APIClient:
    return client_of(make_organiser(event))


def address(event: Tournament, step: str = "", session: int = 1) -> str:
    return f"{ROOT}{event.slug}/sessions/{session}/seats/corrections/{step}"


def scores(event: Tournament) -> dict[int, int]:
    seats = Seat.objects.filter(table__session__tournament=event, table__session__number=1)
    return dict(seats.values_list("player__number", "game_points"))


def test_a_correction_is_looked_at_made_and_taken_back(organiser: APIClient, event: Tournament) -> None:
    wrong, seats, before = {"one": 1, "other": 4}, seats_of_all(event), scores(event)
    shown = organiser.post(address(event, "preview/"), wrong, format="json").json()
    one, other = shown["players"]
    assert (one["player"], one["now"], one["then"]) == (1, other["then"], other["now"])
    assert (one["now"]["game_points"], one["then"]["game_points"]) == (before[1], before[4])
    assert (seats_of_all(event), scores(event)) == (seats, before), "looking stores nothing"
    made = organiser.post(address(event), wrong | {"seen": shown["seen"]}, format="json")
    assert made.status_code == 204
    assert (scores(event)[1], scores(event)[4]) == (before[4], before[1])
    assert organiser.delete(address(event)).status_code == 204
    assert (seats_of_all(event), scores(event)) == (seats, before)
    assert codes_of(organiser.delete(address(event))) == ["no_seats_to_restore"]


def test_a_table_that_was_written_at_since_is_looked_at_again(
    organiser: APIClient, event: Tournament
) -> None:
    wrong = {"one": 1, "other": 4}
    seen = organiser.post(address(event, "preview/"), wrong, format="json").json()["seen"]
    play_hands(Seat.objects.get(table__session__number=1, player__number=1).table)
    answer = organiser.post(address(event), wrong | {"seen": seen}, format="json")
    assert codes_of(answer) == ["seats_changed"]


def test_only_organisers_correct_seats(event: Tournament) -> None:
    umpire = client_of(make_umpire(event))
    assert umpire.post(address(event), {"one": 1, "other": 2}, format="json").status_code == 403
    assert umpire.post(address(event, "preview/"), {"one": 1, "other": 2}, format="json").status_code == 403
    assert umpire.delete(address(event)).status_code == 403


@pytest.mark.parametrize("step", ["", "preview/"])
@pytest.mark.parametrize("body", [{}, {"one": 1, "other": 10**30}, {"one": [1], "other": None}])
def test_what_cannot_be_read_is_refused(
    step: str, body: dict[str, Any], organiser: APIClient, event: Tournament
) -> None:
    assert organiser.post(address(event, step), body, format="json").status_code == 400


@pytest.mark.parametrize("step", ["", "preview/"])
@pytest.mark.parametrize(
    ("session", "other", "code"),
    [(1, 99, "no_seat_in_session"), (1, 1, "swap_with_self"), (2, 2, "session_not_running")],
)
def test_what_cannot_be_done_says_why(
    step: str, session: int, other: int, code: str, organiser: APIClient, event: Tournament
) -> None:
    answer = organiser.post(address(event, step, session), {"one": 1, "other": other}, format="json")
    assert codes_of(answer) == [code]
