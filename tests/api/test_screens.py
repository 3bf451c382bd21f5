"""The screens in the hall by program: added, arranged, steered, removed."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of
from tests.support.factories import make_organiser, make_tournament, make_umpire
from tournament.models import Screen, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(sessions=2, running=1)


@pytest.fixture
def organiser(event: Tournament) -> APIClient:
    return client_of(make_organiser(event))


@pytest.fixture
def at(event: Tournament) -> str:
    return f"{ROOT}{event.slug}/screens/"


SHORT = [{"kind": "ranking", "seconds": 20}, {"kind": "welcome"}]


def arrange(organiser: APIClient, at: str, turns: Any = SHORT) -> Any:
    return organiser.put(at + "main/", {"turns": turns}, format="json")


def steer(organiser: APIClient, at: str, way: Any, **more: Any) -> Any:
    return organiser.post(at + "main/steering/", {"way": way} | more, format="json")


def test_everybody_reads_what_the_main_screen_shows_by_itself(at: str) -> None:
    [main] = APIClient().get(at).json()
    assert (main["name"], main["turns"], main["shows"]["kind"]) == ("main", [], "clock")
    assert main["shows"]["turns_at"]


def test_a_screen_is_added_arranged_and_removed_at_its_own_address(organiser: APIClient, at: str) -> None:
    url = organiser.post(at, {"name": "大厅"}, format="json").json()["url"]
    arranged = organiser.put(url, {"turns": SHORT}, format="json").json()
    assert arranged["turns"] == [{"kind": "ranking", "seconds": 20}, {"kind": "welcome", "seconds": 15}]
    assert arranged["shows"]["kind"] == "ranking"
    assert organiser.delete(url).status_code == 204
    assert organiser.get(url).status_code == 404


def test_of_the_main_screen_what_was_arranged_is_removed(organiser: APIClient, at: str) -> None:
    arrange(organiser, at)
    assert [organiser.delete(at + "main/").status_code for _again in range(2)] == [204, 204]
    assert organiser.get(at + "main/").json()["turns"] == []


def test_a_screen_is_steered_at_its_own_address(organiser: APIClient, at: str) -> None:
    steering = arrange(organiser, at).json()["steering"]
    shown = organiser.post(steering, {"way": "next"}, format="json").json()["shows"]
    assert (shown["kind"], shown["turn"]) == ("welcome", 1)
    held = {"way": "hold", "kind": "ranking", "page": 1, "turn": 0}
    shown = organiser.post(steering, held, format="json").json()["shows"]
    assert (shown["kind"], shown["held"], shown["turns_at"]) == ("ranking", True, None)
    shown = steer(organiser, at, "only", kind="clock").json()["shows"]
    assert (shown["kind"], shown["held"], shown["alone"]) == ("clock", False, True)
    assert not steer(organiser, at, "rotation").json()["shows"]["alone"]


@pytest.mark.parametrize(
    ("said", "code"),
    [({"way": "hold"}, "screen_page_missing"), ({"way": "only"}, "screen_kind_missing")],
)
def test_what_a_step_needs_is_asked_for(
    organiser: APIClient, at: str, said: dict[str, Any], code: str
) -> None:
    refused = steer(organiser, at, **said)
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, code)


@pytest.mark.parametrize(("name", "code"), [("main", "screen_name_taken"), ("a/b", "screen_name_wrong")])
def test_a_name_is_a_name_and_there_once(organiser: APIClient, at: str, name: str, code: str) -> None:
    refused = organiser.post(at, {"name": name}, format="json")
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, code)


@pytest.mark.parametrize(
    "turns",
    [
        None,
        "ranking",
        [["ranking", 10]],
        [{"kind": "fireworks"}],
        [{"kind": "ranking", "seconds": 10**30}],
        [{"kind": "ranking", "seconds": "10"}],
        [{"kind": "ranking"}] * 101,
    ],
)
def test_what_is_no_rotation_is_not_understood(organiser: APIClient, at: str, turns: Any) -> None:
    assert arrange(organiser, at, turns).status_code == 400
    assert not Screen.objects.exists()


def test_each_page_is_shown_neither_too_short_nor_too_long(organiser: APIClient, at: str) -> None:
    refused = arrange(organiser, at, [{"kind": "ranking", "seconds": 0}])
    assert [one["code"] for one in refused.json()["problems"]] == ["screen_seconds"]


@pytest.mark.parametrize(
    "said",
    [{"way": "explode"}, {"way": "hold", "kind": "ranking", "page": 10**9}, {"way": "next", "turn": {}}],
)
def test_what_no_button_says_is_not_understood(organiser: APIClient, at: str, said: dict[str, Any]) -> None:
    assert steer(organiser, at, **said).status_code == 400


def test_an_umpire_arranges_no_screens(event: Tournament, at: str) -> None:
    umpire = client_of(make_umpire(event))
    answers = [
        umpire.post(at, {"name": "foyer"}, format="json"),
        arrange(umpire, at),
        steer(umpire, at, "next"),
        umpire.delete(at + "main/"),
    ]
    assert [answer.status_code for answer in answers] == [403] * 4
