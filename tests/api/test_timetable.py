"""The timetable by REST: read by anybody, written all at once by who has seen what there was."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of, codes_of
from tests.support.factories import WEEKEND, make_organiser, make_tournament, make_umpire
from tournament.models import Tournament

pytestmark = pytest.mark.django_db

LINES: list[dict[str, Any]] = [
    {"title": "Registration", "day": "2026-11-14", "starts": "08:00", "ends": "08:45"},
    {"session": 1, "day": "2026-11-14", "starts": "09:00"},
]


@pytest.fixture
def event() -> Tournament:
    made = make_tournament(players=8, sessions=2, days=WEEKEND)
    Tournament.objects.filter(pk=made.pk).update(time_zone="Europe/Paris")
    return made


@pytest.fixture
def organiser(event: Tournament) -> APIClient:
    return client_of(make_organiser(event))


def address(event: Tournament) -> str:
    return f"{ROOT}{event.slug}/timetable/"


def put(client: APIClient, event: Tournament, lines: Any, **more: Any) -> Any:
    return client.put(address(event), {"lines": lines, **more}, format="json")


def test_what_is_written_is_read_by_anybody(organiser: APIClient, event: Tournament) -> None:
    written = put(organiser, event, LINES).json()
    read = APIClient().get(address(event)).json()
    assert read == written
    first, *others = read["lines"]
    assert first | {"uuid": None} == {
        "uuid": None,
        "session": None,
        "title": "Registration",
        "day": "2026-11-14",
        "starts": "08:00:00",
        "ends": "08:45:00",
        "starts_at": "2026-11-14T08:00:00+01:00",
        "ends_at": "2026-11-14T08:45:00+01:00",
        "began_at": None,
    }
    assert [(one["session"], one["starts_at"], one["ends_at"]) for one in others] == [
        (1, "2026-11-14T09:00:00+01:00", "2026-11-14T11:00:00+01:00"),
        (2, None, None),
    ]


def test_lines_are_sent_back_as_they_were_read(organiser: APIClient, event: Tournament) -> None:
    read = put(organiser, event, LINES).json()
    version = Tournament.objects.get(pk=event.pk).version
    assert put(organiser, event, read["lines"], seen=read["seen"]).json() == read
    assert Tournament.objects.get(pk=event.pk).version == version, "the same again writes nothing"
    read["lines"][0]["title"] = "Coffee"
    changed = put(organiser, event, read["lines"], seen=read["seen"]).json()
    assert changed["lines"][0] == read["lines"][0]


def test_who_has_not_seen_what_there_is_by_now_is_refused(organiser: APIClient, event: Tournament) -> None:
    seen = organiser.get(address(event)).json()["seen"]
    put(organiser, event, LINES, seen=seen)
    assert codes_of(put(organiser, event, LINES[:1], seen=seen)) == ["timetable_changed_meanwhile"]
    assert event.timetable.count() == 2


def test_only_organisers_write_it(event: Tournament) -> None:
    assert put(client_of(make_umpire(event)), event, LINES).status_code == 403


@pytest.mark.parametrize(
    "body",
    [{}, {"lines": None}, {"lines": [1]}, {"lines": [{"day": "9999-99-99"}]}, {"lines": [{"uuid": "x"}]}],
)
def test_what_cannot_be_read_is_refused(organiser: APIClient, event: Tournament, body: Any) -> None:
    assert organiser.put(address(event), body, format="json").status_code == 400


def test_everything_wrong_is_said_with_its_line(organiser: APIClient, event: Tournament) -> None:
    lines = [{"session": 10**30, "day": "9999-12-31", "starts": "09:00"}, {"title": "x" * 999}]
    answer = put(organiser, event, lines)
    assert {(one["where"], one["code"]) for one in answer.json()["problems"]} == {
        ("starts 1", "no_such_session"),
        ("day 1", "session_outside_the_days"),
        ("title 2", "line_title_too_long"),
        ("day 2", "line_day_missing"),
        ("starts 2", "line_start_missing"),
    }
