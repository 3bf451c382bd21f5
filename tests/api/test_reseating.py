"""Seats changed after the draw by REST: looked at first, then taken as they were seen, and taken back."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of, codes_of
from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire
from tournament.models import Player, Tournament
from tournament.selectors.seatings import seats_of_all
from tournament.services.players import withdraw_player

pytestmark = pytest.mark.django_db

TURNED = [dict(zip("ESWN", range(first, first + 4), strict=True)) for first in (9, 1, 5)]
WISHES: dict[str, dict[str, Any]] = {
    "swap": {"one": 1, "other": 2, "sessions": [2, 3]},
    "replan": {},
    "plan": {"sessions": [{"number": 2, "tables": TURNED}]},
    "stream": {"players": [5], "table": 1, "sessions": [2, 3]},
}


@pytest.fixture
def event() -> Tournament:
    """Three sessions of three tables, the first of them played."""
    return make_tournament(players=12, sessions=3, played=1)


@pytest.fixture
def organiser(event: Tournament) -> APIClient:
    return client_of(make_organiser(event))


def post(client: APIClient, event: Tournament, what: str, **body: Any) -> Any:
    return client.post(f"{ROOT}{event.slug}/seats/{what}/", body, format="json")


def let_four_go(event: Tournament) -> None:
    for number in (9, 10, 11, 12):
        withdraw_player(Player.objects.get(tournament=event, number=number), SYSTEM)


@pytest.mark.parametrize("what", WISHES)
def test_seats_are_looked_at_taken_and_taken_back(what: str, organiser: APIClient, event: Tournament) -> None:
    if what == "replan":
        let_four_go(event)
    before = seats_of_all(event)
    shown = post(organiser, event, f"{what}/preview", **WISHES[what]).json()
    assert seats_of_all(event) == before, "looking stores nothing"
    taken = post(organiser, event, what, **WISHES[what], seen=shown["seen"])
    now = {one["number"]: [table["seats"] for table in one["tables"]] for one in taken.json()}
    assert {one["number"]: one["tables"] for one in shown["sessions"]}.items() <= now.items()
    assert [now[number] for number in (1, 2, 3)] == seats_of_all(event) != before
    assert organiser.post(f"{ROOT}{event.slug}/seats/undo/").status_code == 204
    assert seats_of_all(event) == before


def test_a_look_says_what_it_does_to_the_whole_event(organiser: APIClient, event: Tournament) -> None:
    shown = post(organiser, event, "plan/preview", **WISHES["plan"]).json()
    assert shown["quality"]["repeats"] > shown["quality_now"]["repeats"]


def test_a_plan_before_the_draw_has_no_seats_to_compare_with() -> None:
    event = make_tournament(players=12, sessions=2, drawn=False)
    organiser = client_of(make_organiser(event))
    wish = {"sessions": [{"number": 1, "tables": TURNED}]}
    shown = post(organiser, event, "plan/preview", **wish).json()
    assert (shown["quality_now"], shown["sessions"]) == (None, wish["sessions"])
    assert post(organiser, event, "plan", **wish).status_code == 200


@pytest.mark.parametrize("what", WISHES)
def test_other_seats_than_those_seen_are_refused(what: str, organiser: APIClient, event: Tournament) -> None:
    if what == "replan":
        let_four_go(event)
    before = seats_of_all(event)
    assert codes_of(post(organiser, event, what, **WISHES[what], seen="others")) == ["seats_changed"]
    assert seats_of_all(event) == before


@pytest.mark.parametrize("step", ["", "/preview"])
@pytest.mark.parametrize("what", WISHES)
def test_only_organisers_change_seats(what: str, step: str, event: Tournament) -> None:
    assert post(client_of(make_umpire(event)), event, what + step, **WISHES[what]).status_code == 403


@pytest.mark.parametrize("what", ["swap", "plan", "stream"])
def test_what_has_begun_stays(what: str, organiser: APIClient, event: Tournament) -> None:
    begun = [{"number": 1, "tables": TURNED}] if what == "plan" else [1]
    answer = post(organiser, event, what, **(WISHES[what] | {"sessions": begun}))
    assert codes_of(answer) == ["session_already_begun"]


HUGE = 10**30


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("swap", {"one": HUGE}),
        ("swap", {"sessions": [HUGE]}),
        ("swap", {"sessions": {"2": None}}),
        ("replan", {"seen": ["x"]}),
        ("plan", {"sessions": [{"number": 10**9, "tables": TURNED}]}),
        ("plan", {"sessions": [{"number": 2, "tables": [{"E": 1}]}]}),
        ("plan", {"sessions": WISHES["plan"]["sessions"] * 2}),
        ("stream", {"players": "5"}),
        ("stream", {"table": -1}),
    ],
)
@pytest.mark.parametrize("step", ["", "/preview"])
def test_what_cannot_be_read_is_refused(
    what: str, wrong: dict[str, Any], step: str, organiser: APIClient, event: Tournament
) -> None:
    assert post(organiser, event, what + step, **(WISHES[what] | wrong)).status_code == 400


@pytest.mark.parametrize(
    ("what", "wrong", "codes"),
    [
        ("swap", {"sessions": []}, {"nothing_left_to_play"}),
        ("swap", {"other": 99}, {"no_seat_in_session"}),
        ("plan", {"sessions": []}, {"no_seats"}),
        ("plan", {"sessions": [{"number": 2, "tables": TURNED[:1]}]}, {"no_seat_in_session"}),
        ("plan", {"sessions": [{"number": 5, "tables": TURNED}]}, {"earlier_session_unseated"}),
        ("stream", {"players": [1, 1]}, {"stream_one_session", "player_twice"}),
        ("stream", {"table": 9}, {"table_unknown"}),
    ],
)
def test_what_cannot_be_done_says_why(
    what: str, wrong: dict[str, Any], codes: set[str], organiser: APIClient, event: Tournament
) -> None:
    answer = post(organiser, event, what, **(WISHES[what] | wrong))
    assert (answer.status_code, set(codes_of(answer))) == (422, codes)
