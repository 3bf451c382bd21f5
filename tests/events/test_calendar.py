"""Calendars, read back by a parser as a phone reads them."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from tests.support.factories import SYSTEM, WEEKEND, make_tournament
from tournament.base.models.tournament import Tournament
from tournament.events.selectors import TimetableLine, lines_of
from tournament.events.services import set_timetable
from tournament.play.services.sessions import start_session
from tournament.players.services.players import withdraw_player
from tournament.seating.services.seatings import swap_players

SATURDAY, SUNDAY = WEEKEND
LINES = [
    TimetableLine(title="Lunch; soup, bread", day=SATURDAY, starts=time(12), ends=time(13)),
    TimetableLine(1, day=SATURDAY, starts=time(9)),
    TimetableLine(2, day=SUNDAY, starts=time(14)),
]


@pytest.fixture
def spring() -> Tournament:
    event = make_tournament(players=8, sessions=3, days=WEEKEND)
    Tournament.objects.filter(pk=event.pk).update(time_zone="Europe/Paris")
    event.refresh_from_db()
    set_timetable(event, SYSTEM, LINES)
    return event


def fetch(client: Client, tournament: Tournament, number: int | None = 1, **query: str) -> Any:
    if number is None:
        return client.get(reverse("tournament_calendar", args=[tournament.slug]), query)
    return client.get(reverse("player_calendar", args=[tournament.slug, number]), query)


def events(response: Any) -> list[Any]:
    return list(Calendar.from_ical(response.content).walk("VEVENT"))


def texts(response: Any, field: str = "SUMMARY") -> list[str]:
    return [str(event[field]) for event in events(response) if field in event]


def test_a_player_finds_seat_table_and_times_of_the_hall_in_it(client: Client, spring: Tournament) -> None:
    """The third session, without a time, is left out; a phone tells of an entry a quarter of an hour before."""
    response = fetch(client, spring)
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    titles = ["Session 1, table 1, East", "Lunch; soup, bread", "Session 2, table 1, South"]
    assert texts(response) == [f"{title} · Spring Open" for title in titles]
    assert texts(response, "DESCRIPTION")[0].startswith("With ")
    assert texts(response, "URL")[0] == "http://testserver" + reverse("player_page", args=[spring.slug, 1])
    assert texts(response, "LOCATION") == ["Salle des fêtes"] * 3
    first, lunch, _second = events(response)
    hours = [moment.dt for moment in (first["DTSTART"], first["DTEND"], lunch["DTEND"])]
    assert hours == [datetime(2026, 11, 14, hour, tzinfo=UTC) for hour in (8, 10, 12)]
    alarms = [alarm for event in events(response) for alarm in event.walk("VALARM")]
    assert {alarm["TRIGGER"].dt for alarm in alarms} == {timedelta(minutes=-15)}
    assert [str(alarm["DESCRIPTION"]) for alarm in alarms] == titles


def test_every_event_has_its_own_name_for_good(client: Client, spring: Tournament) -> None:
    """Everybody's calendar names no seat."""
    titles = ["Session 1", "Lunch; soup, bread", "Session 2"]
    assert texts(fetch(client, spring, None)) == [f"{title} · Spring Open" for title in titles]
    uids = [uid for number in (1, 2, None) for uid in texts(fetch(client, spring, number), "UID")]
    assert len(set(uids)) == 9
    later = [
        TimetableLine(line.session, line.title, SUNDAY, time(10 + at * 3), None, line.uuid)
        for at, line in enumerate(lines_of(spring)[:3])
    ]
    set_timetable(spring, SYSTEM, later)
    for number in (1, None):
        assert set(texts(fetch(client, spring, number), "UID")) <= set(uids)


def test_a_change_supersedes_calendars_and_no_change_costs_nothing(
    client: Client, spring: Tournament
) -> None:
    before = events(fetch(client, spring))
    swap_players(spring, SYSTEM, 1, 2, [1])
    after = events(fetch(client, spring))
    assert [event["UID"] for event in after] == [event["UID"] for event in before]
    assert "table 2" in str(after[0]["SUMMARY"])
    assert after[0]["SEQUENCE"] > before[0]["SEQUENCE"]
    assert after[0]["DTSTAMP"].dt >= before[0]["DTSTAMP"].dt
    first = fetch(client, spring)
    url = reverse("player_calendar", args=[spring.slug, 1])
    assert client.get(url, headers={"if-none-match": first["ETag"]}).status_code == 304
    assert fetch(client, spring).content == first.content
    set_timetable(spring, SYSTEM, LINES[:2])
    assert client.get(url, headers={"if-none-match": first["ETag"]}).status_code == 200


def test_lines_are_folded_and_texts_escaped(client: Client, spring: Tournament) -> None:
    """Subscribers are asked to look again every quarter of an hour."""
    content = fetch(client, spring, None).content
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert rb"SUMMARY:Lunch\; soup\, bread" in content
    for line in (b"REFRESH-INTERVAL;VALUE=DURATION:PT15M", b"X-PUBLISHED-TTL:PT15M"):
        assert line in content.split(b"\r\n")
    long = "午餐" * 30
    set_timetable(spring, SYSTEM, [TimetableLine(title=long, day=SATURDAY, starts=time(12))])
    folded = fetch(client, spring, None)
    assert max(len(line) for file in (content, folded.content) for line in file.split(b"\r\n")) <= 75
    assert texts(folded) == [f"{long} · Spring Open"]


def test_it_speaks_the_language_it_was_subscribed_in(client: Client, spring: Tournament) -> None:
    response = fetch(client, spring, lang="zh-hans")
    assert texts(response)[0].startswith("第 1 轮")
    assert response["Content-Language"] == "zh-hans"
    assert texts(fetch(client, spring, lang="tlh"))[0].startswith("Session 1")


def test_who_has_withdrawn_keeps_what_was_played(client: Client, spring: Tournament) -> None:
    """A session that is not seated yet has its time only."""
    early = make_tournament(players=8, days=WEEKEND, drawn=False, name="Early")
    set_timetable(early, SYSTEM, LINES)
    assert texts(fetch(client, early))[0] == "Session 1 · Early"
    start_session(spring.sessions.get(number=1), SYSTEM)
    withdraw_player(spring.players.get(number=1), SYSTEM)
    sessions = [summary for summary in texts(fetch(client, spring)) if "Session" in summary]
    assert sessions == ["Session 1, table 1, East · Spring Open"]


def test_the_player_page_offers_it_both_ways_once_there_are_times(client: Client, spring: Tournament) -> None:
    page = client.get(reverse("player_page", args=[spring.slug, 1])).content.decode()
    url = reverse("player_calendar", args=[spring.slug, 1])
    assert f'href="webcal://testserver{url}?lang=en"' in page
    assert f'href="{url}?lang=en" download' in page
    set_timetable(spring, SYSTEM, [])
    assert "webcal:" not in client.get(reverse("player_page", args=[spring.slug, 1])).content.decode()
