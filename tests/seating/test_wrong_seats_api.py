"""Two players who sat in each other's places, corrected by REST while the session is played."""

from typing import Any

import pytest

from tests.support.factories import make_tournament, play_hands
from tests.support.programs import ROOT, Program, codes_of
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.seating.selectors.draws import seats_of_all

WRONG = {"one": 1, "other": 4}


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, running=2)


def address(event: Tournament, step: str = "", session: int = 1) -> str:
    return f"{ROOT}{event.slug}/sessions/{session}/seats/corrections/{step}"


def scores(event: Tournament) -> dict[int, int]:
    seats = Seat.objects.filter(table__session__tournament=event, table__session__number=1)
    return dict(seats.values_list("player__number", "game_points"))


def test_a_correction_is_looked_at_made_and_taken_back(organiser_client: Program, event: Tournament) -> None:
    seats, before = seats_of_all(event), scores(event)
    shown = organiser_client.post(address(event, "preview/"), WRONG).json()
    first, second = shown["players"]
    assert (first["player"], first["now"], first["then"]) == (1, second["then"], second["now"])
    assert (first["now"]["game_points"], first["then"]["game_points"]) == (before[1], before[4])
    assert (seats_of_all(event), scores(event)) == (seats, before), "looking stores nothing"
    assert organiser_client.post(address(event), WRONG | {"seen": shown["seen"]}).status_code == 204
    assert (scores(event)[1], scores(event)[4]) == (before[4], before[1])
    assert organiser_client.delete(address(event)).status_code == 204
    assert (seats_of_all(event), scores(event)) == (seats, before)
    assert codes_of(organiser_client.delete(address(event))) == ["no_seats_to_restore"]


def test_a_table_that_was_written_at_since_is_looked_at_again(
    organiser_client: Program, event: Tournament
) -> None:
    seen = organiser_client.post(address(event, "preview/"), WRONG).json()["seen"]
    play_hands(Seat.objects.get(table__session__number=1, player__number=1).table)
    assert codes_of(organiser_client.post(address(event), WRONG | {"seen": seen})) == ["seats_changed"]


def test_what_cannot_be_read_or_done_is_refused(organiser_client: Program, event: Tournament) -> None:
    unreadable: tuple[Any, ...] = ({}, {"one": 1, "other": 10**30}, {"one": [1], "other": None})
    impossible = ((1, 99, "no_seat_in_session"), (1, 1, "swap_with_self"), (2, 2, "session_not_running"))
    for step in ("", "preview/"):
        for body in unreadable:
            assert organiser_client.post(address(event, step), body).status_code == 400, (step, body)
        for session, other, code in impossible:
            answer = organiser_client.post(address(event, step, session), {"one": 1, "other": other})
            assert codes_of(answer) == [code], step
