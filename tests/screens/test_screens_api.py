"""The screens in the hall by program: added, arranged, steered, removed."""

from typing import Any

import pytest

from tests.support.factories import make_tournament
from tests.support.programs import Program, codes_of, refusal
from tournament.base.models.tournament import Tournament
from tournament.screens.models import Screen

PATH = "screens/"

SHORT = [{"kind": "ranking", "seconds": 20}, {"kind": "welcome"}]
NO_ROTATIONS: tuple[Any, ...] = (
    None,
    [["ranking", 10]],
    [{"kind": "fireworks"}],
    [{"kind": "ranking"}] * 101,
)


@pytest.fixture
def event() -> Tournament:
    return make_tournament(sessions=2, running=1)


def arrange(organiser: Program, at: str, turns: Any = SHORT) -> Any:
    return organiser.put(at + "main/", {"turns": turns})


def steer(organiser: Program, at: str, **body: Any) -> Any:
    return organiser.post(at + "main/steering/", body)


def test_everybody_reads_what_the_main_screen_shows_by_itself(at: str) -> None:
    (main,) = Program().get(at).json()
    assert (main["name"], main["turns"], main["shows"]["kind"]) == ("main", [], "clock")
    assert main["shows"]["turns_at"]


def test_a_screen_is_added_arranged_and_removed_at_its_own_address(organiser: Program, at: str) -> None:
    url = organiser.post(at, {"name": "大厅"}).json()["url"]
    arranged = organiser.put(url, {"turns": SHORT}).json()
    assert arranged["turns"] == [{"kind": "ranking", "seconds": 20}, {"kind": "welcome", "seconds": 15}]
    assert arranged["shows"]["kind"] == "ranking"
    assert organiser.delete(url).status_code == 204
    assert organiser.get(url).status_code == 404
    arrange(organiser, at)  # of the main screen what was arranged is removed
    assert [organiser.delete(at + "main/").status_code for _again in range(2)] == [204, 204]
    assert organiser.get(at + "main/").json()["turns"] == []


def test_a_screen_is_steered_at_its_own_address(organiser: Program, at: str) -> None:
    steering = arrange(organiser, at).json()["steering"]
    shown = organiser.post(steering, {"way": "next"}).json()["shows"]
    assert (shown["kind"], shown["turn"]) == ("welcome", 1)
    shown = organiser.post(steering, {"way": "hold", "kind": "ranking", "page": 1, "turn": 0}).json()["shows"]
    assert (shown["kind"], shown["held"], shown["turns_at"]) == ("ranking", True, None)
    shown = steer(organiser, at, way="only", kind="clock").json()["shows"]
    assert (shown["kind"], shown["held"], shown["alone"]) == ("clock", False, True)
    assert not steer(organiser, at, way="rotation").json()["shows"]["alone"]


def test_what_is_no_step_no_name_or_no_rotation_is_refused(organiser: Program, at: str) -> None:
    assert refusal(steer(organiser, at, way="hold")) == (422, ["screen_page_missing"])
    for body in ({"way": "explode"}, {"way": "hold", "kind": "ranking", "page": 10**9}):
        assert steer(organiser, at, **body).status_code == 400, body
    assert refusal(organiser.post(at, {"name": "main"})) == (422, ["screen_name_taken"])
    for turns in NO_ROTATIONS:
        assert arrange(organiser, at, turns).status_code == 400, turns
    assert codes_of(arrange(organiser, at, [{"kind": "ranking", "seconds": 0}])) == ["screen_seconds"]
    assert not Screen.objects.exists()
