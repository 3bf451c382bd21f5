"""Calendars, read back by a parser as a phone reads them."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from tests.support.factories import SYSTEM, WEEKEND, make_tournament
from tournament.models import Tournament
from tournament.selectors.timetable_lines import TimetableLine, lines_of
from tournament.services.players import withdraw_player
from tournament.services.seatings import swap_players
from tournament.services.sessions import start_session
from tournament.services.timetable import set_timetable

pytestmark = pytest.mark.django_db

SATURDAY, SUNDAY = WEEKEND
LINES = [
    TimetableLine(title="Lunch; soup, bread", day=SATURDAY, starts=time(12), ends=time(13)),
    TimetableLine(1, day=SATURDAY, starts=time(9)),
    TimetableLine(2, day=SUNDAY, starts=time(14)),
]


@pytest.fixture
def spring() -> Tournament:
    made = make_tournament(players=8, sessions=3, days=WEEKEND)
    Tournament.objects.filter(pk=made.pk).update(time_zone="Europe/Paris")
    made.refresh_from_db()
    set_timetable(made, SYSTEM, LINES)
    return made


def fetch(client: Client, tournament: Tournament, number: int | None = 1, **query: str) -> Any:
    if number is None:
        return client.get(reverse("tournament_calendar", args=[tournament.slug]), query)
    return client.get(reverse("player_calendar", args=[tournament.slug, number]), query)


def events(answer: Any) -> list[Any]:
    return list(Calendar.from_ical(answer.content).walk("VEVENT"))


def said(answer: Any, what: str = "SUMMARY") -> list[str]:
    return [str(event[what]) for event in events(answer) if what in event]


def test_a_phone_tells_of_an_entry_a_quarter_of_an_hour_before(client: Client, spring: Tournament) -> None:
    alarms = [alarm for event in events(fetch(client, spring)) for alarm in event.walk("VALARM")]
    assert {alarm["TRIGGER"].dt for alarm in alarms} == {timedelta(minutes=-15)}
    assert [str(alarm["DESCRIPTION"]) for alarm in alarms] == [
        title.removesuffix(" · Spring Open") for title in said(fetch(client, spring))
    ]


def test_a_player_finds_seat_and_table_in_it(client: Client, spring: Tournament) -> None:
    answer = fetch(client, spring)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert said(answer) == [
        "Session 1, table 1, East · Spring Open",
        "Lunch; soup, bread · Spring Open",
        "Session 2, table 1, South · Spring Open",
    ]
    assert said(answer, "DESCRIPTION")[0].startswith("With ")
    assert said(answer, "URL")[0] == "http://testserver" + reverse("player_page", args=[spring.slug, 1])
    assert said(answer, "LOCATION") == ["Salle des fêtes"] * 3


def test_times_are_those_of_the_hall(client: Client, spring: Tournament) -> None:
    first, lunch, _second = events(fetch(client, spring))
    assert (first["DTSTART"].dt, first["DTEND"].dt) == (
        datetime(2026, 11, 14, 8, tzinfo=UTC),
        datetime(2026, 11, 14, 10, tzinfo=UTC),
    )
    assert lunch["DTEND"].dt == datetime(2026, 11, 14, 12, tzinfo=UTC)


def test_a_session_without_a_time_is_left_out(client: Client, spring: Tournament) -> None:
    assert spring.sessions.count() == 3
    assert sum("Session" in summary for summary in said(fetch(client, spring))) == 2


def test_everybodys_calendar_names_no_seat(client: Client, spring: Tournament) -> None:
    assert said(fetch(client, spring, None)) == [
        "Session 1 · Spring Open",
        "Lunch; soup, bread · Spring Open",
        "Session 2 · Spring Open",
    ]


def test_every_event_has_its_own_name_for_good(client: Client, spring: Tournament) -> None:
    uids = said(fetch(client, spring), "UID") + said(fetch(client, spring, 2), "UID")
    uids += said(fetch(client, spring, None), "UID")
    assert len(set(uids)) == 9
    later = [
        TimetableLine(line.session, line.title, SUNDAY, time(10 + at * 3), None, line.uuid)
        for at, line in enumerate(lines_of(spring)[:3])
    ]
    set_timetable(spring, SYSTEM, later)
    assert set(said(fetch(client, spring), "UID")) <= set(uids)
    assert set(said(fetch(client, spring, None), "UID")) <= set(uids)


def test_a_change_supersedes_what_calendars_have(client: Client, spring: Tournament) -> None:
    before = events(fetch(client, spring))
    swap_players(spring, SYSTEM, 1, 2, [1])
    after = events(fetch(client, spring))
    assert [event["UID"] for event in after] == [event["UID"] for event in before]
    assert "table 2" in str(after[0]["SUMMARY"])
    assert after[0]["SEQUENCE"] > before[0]["SEQUENCE"]
    assert after[0]["DTSTAMP"].dt >= before[0]["DTSTAMP"].dt


def test_an_unchanged_one_costs_nothing(client: Client, spring: Tournament) -> None:
    first = fetch(client, spring)
    url = reverse("player_calendar", args=[spring.slug, 1])
    assert client.get(url, headers={"if-none-match": first["ETag"]}).status_code == 304
    assert fetch(client, spring).content == first.content
    set_timetable(spring, SYSTEM, LINES[:2])
    assert client.get(url, headers={"if-none-match": first["ETag"]}).status_code == 200


def test_lines_are_folded_and_texts_escaped(client: Client, spring: Tournament) -> None:
    content = fetch(client, spring, None).content
    lines = content.split(b"\r\n")
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert max(len(line) for line in lines) <= 75
    assert rb"SUMMARY:Lunch\; soup\, bread" in content
    long = "午餐" * 30
    set_timetable(spring, SYSTEM, [TimetableLine(title=long, day=SATURDAY, starts=time(12))])
    folded = fetch(client, spring, None)
    assert max(len(line) for line in folded.content.split(b"\r\n")) <= 75
    assert said(folded) == [f"{long} · Spring Open"]


def test_subscribers_are_asked_to_look_again_every_quarter_of_an_hour(
    client: Client, spring: Tournament
) -> None:
    content = fetch(client, spring).content
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n" in content
    assert b"X-PUBLISHED-TTL:PT15M\r\n" in content


def test_it_speaks_the_language_it_was_subscribed_in(client: Client, spring: Tournament) -> None:
    answer = fetch(client, spring, lang="zh-hans")
    assert said(answer)[0].startswith("第 1 轮")
    assert answer["Content-Language"] == "zh-hans"
    assert said(fetch(client, spring, lang="tlh"))[0].startswith("Session 1")


def test_a_session_not_seated_yet_has_its_time_only(client: Client) -> None:
    early = make_tournament(players=8, sessions=2, days=WEEKEND, drawn=False)
    set_timetable(early, SYSTEM, LINES)
    assert said(fetch(client, early))[0] == "Session 1 · Spring Open"


def test_who_has_withdrawn_keeps_what_was_played(client: Client, spring: Tournament) -> None:
    start_session(spring.sessions.get(number=1), SYSTEM)
    withdraw_player(spring.players.get(number=1), SYSTEM)
    assert [summary for summary in said(fetch(client, spring)) if "Session" in summary] == [
        "Session 1, table 1, East · Spring Open"
    ]


def test_the_player_page_offers_it_both_ways(client: Client, spring: Tournament) -> None:
    page = client.get(reverse("player_page", args=[spring.slug, 1])).content.decode()
    url = reverse("player_calendar", args=[spring.slug, 1])
    assert f'href="webcal://testserver{url}?lang=en"' in page
    assert f'href="{url}?lang=en" download' in page


def test_without_times_there_is_nothing_to_subscribe_to(client: Client) -> None:
    made = make_tournament(players=8, sessions=2, days=WEEKEND)
    assert "webcal:" not in client.get(reverse("player_page", args=[made.slug, 1])).content.decode()
