"""Seats changed after the draw by REST: looked at first, then taken as they were seen, and taken back."""

from typing import Any

import pytest

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.programs import ROOT, Program, client_of, codes_of
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.players.services.players import withdraw_player
from tournament.seating.selectors.draws import seats_of_all

TURNED = [dict(zip("ESWN", range(first, first + 4), strict=True)) for first in (9, 1, 5)]
BODIES: dict[str, dict[str, Any]] = {
    "swap": {"one": 1, "other": 2, "sessions": [2, 3]},
    "replan": {},
    "plan": {"sessions": [{"number": 2, "tables": TURNED}]},
    "stream": {"players": [5], "table": 1, "sessions": [2, 3]},
}
UNREADABLE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("swap", {"one": 10**30}),
    ("swap", {"sessions": {"2": None}}),
    ("replan", {"seen": ["x"]}),
    ("plan", {"sessions": [{"number": 2, "tables": [{"E": 1}]}]}),
    ("plan", {"sessions": BODIES["plan"]["sessions"] * 2}),
    ("stream", {"table": -1}),
)
IMPOSSIBLE: tuple[tuple[str, dict[str, Any], set[str]], ...] = (
    ("swap", {"sessions": []}, {"nothing_left_to_play"}),
    ("swap", {"other": 99}, {"no_seat_in_session"}),
    ("swap", {"sessions": [1]}, {"session_already_begun"}),
    ("plan", {"sessions": []}, {"no_seats"}),
    ("plan", {"sessions": [{"number": 5, "tables": TURNED}]}, {"earlier_session_unseated"}),
    ("stream", {"players": [1, 1]}, {"stream_one_session", "player_twice"}),
)


@pytest.fixture
def event() -> Tournament:
    """Three sessions of three tables, the first of them played."""
    return make_tournament(players=12, sessions=3, played=1)


def post(client: Program, event: Tournament, step: str, **body: Any) -> Any:
    return client.post(f"{ROOT}{event.slug}/seats/{step}/", body)


@pytest.mark.thorough
@pytest.mark.parametrize("step", BODIES)
def test_seats_are_looked_at_taken_and_taken_back(
    step: str, organiser_client: Program, event: Tournament
) -> None:
    if step == "replan":
        for number in (9, 10, 11, 12):
            withdraw_player(Player.objects.get(tournament=event, number=number), SYSTEM)
    before = seats_of_all(event)
    shown = post(organiser_client, event, f"{step}/preview", **BODIES[step]).json()
    assert seats_of_all(event) == before, "looking stores nothing"
    if step == "plan":
        assert shown["quality"]["repeats"] > shown["quality_now"]["repeats"]
    assert codes_of(post(organiser_client, event, step, **BODIES[step], seen="others")) == ["seats_changed"]
    assert seats_of_all(event) == before
    taken = post(organiser_client, event, step, **BODIES[step], seen=shown["seen"]).json()
    now = {session["number"]: [table["seats"] for table in session["tables"]] for session in taken}
    assert {session["number"]: session["tables"] for session in shown["sessions"]}.items() <= now.items()
    assert [now[number] for number in (1, 2, 3)] == seats_of_all(event) != before
    assert organiser_client.post(f"{ROOT}{event.slug}/seats/undo/").status_code == 204
    assert seats_of_all(event) == before


def test_a_plan_before_the_draw_has_no_seats_to_compare_with() -> None:
    event = make_tournament(players=12, sessions=2, drawn=False)
    organiser_client, sessions = client_of(make_organiser(event)), [{"number": 1, "tables": TURNED}]
    shown = post(organiser_client, event, "plan/preview", sessions=sessions).json()
    assert (shown["quality_now"], shown["sessions"]) == (None, sessions)
    assert post(organiser_client, event, "plan", sessions=sessions).status_code == 200


def test_what_cannot_be_read_or_done_is_refused(organiser_client: Program, event: Tournament) -> None:
    before = seats_of_all(event)
    for step, wrong in UNREADABLE:
        for address in (step, f"{step}/preview"):
            answer = post(organiser_client, event, address, **(BODIES[step] | wrong))
            assert answer.status_code == 400, (address, wrong)
    for step, wrong, codes in IMPOSSIBLE:
        answer = post(organiser_client, event, step, **(BODIES[step] | wrong))
        assert (answer.status_code, set(codes_of(answer))) == (422, codes), (step, wrong)
    assert seats_of_all(event) == before
