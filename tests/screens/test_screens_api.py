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


def arrange(organiser_client: Program, base_url: str, turns: Any = SHORT) -> Any:
    return organiser_client.put(base_url + "main/", {"turns": turns})


def steer(organiser_client: Program, base_url: str, **body: Any) -> Any:
    return organiser_client.post(base_url + "main/steering/", body)


def test_everybody_reads_what_the_main_screen_shows_by_itself(base_url: str) -> None:
    (main,) = Program().get(base_url).json()
    assert (main["name"], main["turns"], main["shows"]["kind"]) == ("main", [], "clock")
    assert main["shows"]["turns_at"]


def test_a_screen_is_added_arranged_and_removed_at_its_own_address(
    organiser_client: Program, base_url: str
) -> None:
    url = organiser_client.post(base_url, {"name": "大厅"}).json()["url"]
    arranged = organiser_client.put(url, {"turns": SHORT}).json()
    assert arranged["turns"] == [{"kind": "ranking", "seconds": 20}, {"kind": "welcome", "seconds": 15}]
    assert arranged["shows"]["kind"] == "ranking"
    assert organiser_client.delete(url).status_code == 204
    assert organiser_client.get(url).status_code == 404
    arrange(organiser_client, base_url)  # of the main screen what was arranged is removed
    assert [organiser_client.delete(base_url + "main/").status_code for _again in range(2)] == [204, 204]
    assert organiser_client.get(base_url + "main/").json()["turns"] == []


def test_a_screen_is_steered_at_its_own_address(organiser_client: Program, base_url: str) -> None:
    steering = arrange(organiser_client, base_url).json()["steering"]
    shown = organiser_client.post(steering, {"way": "next"}).json()["shows"]
    assert (shown["kind"], shown["turn"]) == ("welcome", 1)
    shown = organiser_client.post(steering, {"way": "hold", "kind": "ranking", "page": 1, "turn": 0}).json()[
        "shows"
    ]
    assert (shown["kind"], shown["held"], shown["turns_at"]) == ("ranking", True, None)
    shown = steer(organiser_client, base_url, way="only", kind="clock").json()["shows"]
    assert (shown["kind"], shown["held"], shown["alone"]) == ("clock", False, True)
    assert not steer(organiser_client, base_url, way="rotation").json()["shows"]["alone"]


def test_what_is_no_step_no_name_or_no_rotation_is_refused(organiser_client: Program, base_url: str) -> None:
    assert refusal(steer(organiser_client, base_url, way="hold")) == (422, ["screen_page_missing"])
    for body in ({"way": "explode"}, {"way": "hold", "kind": "ranking", "page": 10**9}):
        assert steer(organiser_client, base_url, **body).status_code == 400, body
    assert refusal(organiser_client.post(base_url, {"name": "main"})) == (422, ["screen_name_taken"])
    for turns in NO_ROTATIONS:
        assert arrange(organiser_client, base_url, turns).status_code == 400, turns
    assert codes_of(arrange(organiser_client, base_url, [{"kind": "ranking", "seconds": 0}])) == [
        "screen_seconds"
    ]
    assert not Screen.objects.exists()
