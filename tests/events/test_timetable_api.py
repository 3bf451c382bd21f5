"""The timetable by REST: read by anybody, written all at once by who has seen what there was."""

from typing import Any

import pytest

from tests.support.factories import WEEKEND, make_tournament
from tests.support.programs import Program, codes_of
from tournament.base.models.tournament import Tournament

PATH = "timetable/"


LINES: list[dict[str, Any]] = [
    {"title": "Registration", "day": "2026-11-14", "starts": "08:00", "ends": "08:45"},
    {"session": 1, "day": "2026-11-14", "starts": "09:00"},
]


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=8, sessions=2, days=WEEKEND)
    Tournament.objects.filter(pk=event.pk).update(time_zone="Europe/Paris")
    return event


def test_what_is_written_is_read_by_anybody(organiser_client: Program, base_url: str) -> None:
    written = organiser_client.put(base_url, {"lines": LINES}).json()
    read = Program().get(base_url).json()
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
    assert [(line["session"], line["starts_at"], line["ends_at"]) for line in others] == [
        (1, "2026-11-14T09:00:00+01:00", "2026-11-14T11:00:00+01:00"),
        (2, None, None),
    ]


def test_lines_are_sent_back_as_they_were_read(
    organiser_client: Program, base_url: str, event: Tournament
) -> None:
    """Who has not seen what there is by now is refused."""
    seen = organiser_client.get(base_url).json()["seen"]
    read = organiser_client.put(base_url, {"lines": LINES, "seen": seen}).json()
    late = organiser_client.put(base_url, {"lines": LINES[:1], "seen": seen})
    assert codes_of(late) == ["timetable_changed_meanwhile"]
    assert event.timetable.count() == 2
    again = {"lines": read["lines"], "seen": read["seen"]}
    version = Tournament.objects.get(pk=event.pk).version
    assert organiser_client.put(base_url, again).json() == read
    assert Tournament.objects.get(pk=event.pk).version == version, "the same again writes nothing"
    read["lines"][0]["title"] = "Coffee"
    assert organiser_client.put(base_url, again).json()["lines"][0] == read["lines"][0]


def test_everything_wrong_is_said_with_its_line(organiser_client: Program, base_url: str) -> None:
    for body in ({}, {"lines": [1]}, {"lines": [{"uuid": "x"}]}, {"lines": [{"day": "9999-99-99"}]}):
        assert organiser_client.put(base_url, body).status_code == 400, body
    lines = [{"session": 10**30, "day": "9999-12-31", "starts": "09:00"}, {"title": "x" * 999}]
    problems = organiser_client.put(base_url, {"lines": lines}).json()["problems"]
    assert {(problem["where"], problem["code"]) for problem in problems} == {
        ("starts 1", "no_such_session"),
        ("day 1", "session_outside_the_days"),
        ("title 2", "line_title_too_long"),
        ("day 2", "line_day_missing"),
        ("starts 2", "line_start_missing"),
    }
