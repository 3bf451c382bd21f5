"""The timetable: pages, API and calendars."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.test.html import parse_html
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from tests.support.factories import SYSTEM, WEEKEND, make_tournament, write_something
from tests.support.html import words
from tests.support.pages import missing
from tests.support.programs import Program, codes_of
from tournament.base.engine.finals import Carry
from tournament.base.models.events import TimetableItem
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.events.selectors import measured_sheets, timetable_lines
from tournament.events.services import set_timetable
from tournament.play.services.sessions import start_session
from tournament.players.services.players import withdraw_player
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.seating.services.seatings import set_up_final, swap_players

SATURDAY, SUNDAY = WEEKEND
LINES = [
    TimetableItem(title="Registration", day=SATURDAY, starts=time(8), ends=time(8, 45)),
    TimetableItem(session=1, day=SATURDAY, starts=time(9)),
    TimetableItem(session=2, day=SUNDAY, starts=time(14)),
]

PATH = "timetable/"

API_LINES: list[dict[str, Any]] = [
    {"title": "Registration", "day": "2026-11-14", "starts": "08:00", "ends": "08:45"},
    {"session": 1, "day": "2026-11-14", "starts": "09:00"},
]
PLAN = [
    TimetableItem(title="Lunch; soup, bread", day=SATURDAY, starts=time(12), ends=time(13)),
    TimetableItem(session=1, day=SATURDAY, starts=time(9)),
    TimetableItem(session=2, day=SUNDAY, starts=time(14)),
]


@pytest.fixture
def event() -> Tournament:
    tournament = make_tournament(players=8, sessions=2, days=WEEKEND)
    Tournament.objects.filter(pk=tournament.pk).update(time_zone="Europe/Paris")
    tournament.refresh_from_db()
    return tournament


def text_of(response: Any) -> str:
    """Return the text of a page, whatever its status."""
    return words(parse_html(response.content.decode()))


def address(tournament: Tournament) -> str:
    return reverse("organiser_timetable", args=[tournament.slug])


def form_data(response: Any) -> dict[str, str]:
    """Return the data that the page's form would send without changes."""
    formset = response.context["formset"]
    data = {field.html_name: _text(field.value()) for form in formset for field in form}
    return data | {
        "seen": response.context["seen"],
        "form-TOTAL_FORMS": str(len(formset.forms)),
        "form-INITIAL_FORMS": "0",
    }


def _text(value: object) -> str:
    if isinstance(value, time):
        return f"{value:%H:%M}"
    return "" if value is None else str(value)


def line_prefix(data: dict[str, str], session: int | str) -> str:
    """Return the prefix of the fields of a session, or for "" of a blank line."""
    lines = {value: name.removesuffix("session") for name, value in data.items() if name.endswith("-session")}
    return lines[str(session)]


def test_the_default_timetable_is_saved_in_one_step(olga: Client, event: Tournament) -> None:
    opened = olga.get(address(event))
    assert "Not saved yet" in text_of(opened)
    assert not event.timetable.exists()
    assert olga.post(address(event), form_data(opened))["Location"] == address(event)
    planned = [(item.session, item.day, item.starts) for item in event.timetable.all()]
    assert planned == [(1, SATURDAY, time(9)), (2, SUNDAY, time(9))]
    assert "Not saved yet" not in text_of(olga.get(address(event)))


def test_lines_are_proposed_added_changed_and_removed(olga: Client, event: Tournament) -> None:
    set_timetable(event, SYSTEM, LINES)
    shown = olga.get(address(event), {"first": "10:30", "pause": "20", "lunch_at": "13:00", "lunch": "45"})
    data = form_data(shown)
    assert data[line_prefix(data, 1) + "starts"] == "10:30"
    assert "This replaces the existing times" in text_of(shown)
    assert event.timetable.get(session=1).starts == time(9)
    data = form_data(olga.get(address(event)))
    blank = line_prefix(data, "")
    data |= {blank + "title": "Ceremony", blank + "day": "2026-11-15", blank + "starts": "17:00"}
    data |= {"form-0-title": "", "form-0-starts": "", "form-0-ends": ""}
    data[line_prefix(data, 2) + "starts"] = "13:30"
    olga.post(address(event), data)
    planned = [(item.session, item.title, item.starts) for item in event.timetable.all()]
    assert planned == [(1, "", time(9)), (2, "", time(13, 30)), (None, "Ceremony", time(17))]


def test_the_page_shows_the_pace_and_when_each_day_ends(olga: Client, event: Tournament) -> None:
    set_timetable(event, SYSTEM, LINES)
    text = text_of(olga.get(address(event)))
    ends = (
        "Saturday 14 November: the last session ends at 11:00.",
        "Sunday 15 November: the last session ends at 16:00.",
    )
    assert missing(text, "7 min 30 s a hand", *ends) == []


def test_the_page_says_how_many_tables_finish(olga: Client, event: Tournament) -> None:
    """By the World Mahjong Championship 2019, and by the hands that were saved here as they were played."""
    text = text_of(olga.get(address(event)))
    lengths = "half of the tables need up to 120 minutes, nine of ten up to 135"
    assert missing(text, "Usually about 5 of 10 tables finish 16 hands in 120 minutes", lengths) == []
    assert "Measured here" not in text
    played = make_tournament(players=8, sessions=1, played=1, hands=16, name="Played")
    began = timezone.now() - timedelta(hours=3)
    played.sessions.update(started_at=began)
    for table, pace in zip(played.sessions.get().tables.all(), (7, 9), strict=True):
        for hand in table.hands.all():
            table.hands.filter(pk=hand.pk).update(recorded_at=began + timedelta(minutes=pace * hand.number))
    assert {(sheet.hands, sheet.seconds) for sheet in measured_sheets(played)} == {(16, 6720), (16, 8640)}
    event.memberships.update(tournament=played)
    text = text_of(olga.get(address(played)))
    assert missing(text, "on 2 sheets: 1 finish", "need up to 115 minutes, nine of ten up to 145") == [], text


def test_an_impossible_pattern_is_reported(olga: Client, event: Tournament) -> None:
    usual = {"first": "09:00", "pause": "15", "lunch_at": "12:30", "lunch": "60"}
    for field, value, sentence in (
        ("first", "23:00", "would last past midnight"),
        ("first", "morning", "This is not a time"),
        ("pause", "-1", "At least 0."),
    ):
        response = olga.get(address(event), usual | {field: value})
        assert response.status_code == 422
        assert sentence in text_of(response)
    Tournament.objects.filter(pk=event.pk).update(sessions_planned=40)
    response = olga.get(address(event))
    assert response.status_code == 200
    assert "Not saved yet" not in text_of(response)


def test_all_errors_are_shown_and_no_input_is_lost(olga: Client, event: Tournament) -> None:
    set_timetable(event, SYSTEM, LINES)
    data = form_data(olga.get(address(event)))
    first, second, blank = (line_prefix(data, session) for session in (1, 2, ""))
    data |= {"form-0-title": "", "form-0-ends": "25:99", second + "starts": "", first + "day": "2027-01-01"}
    data |= {blank + "title": "Prize giving"}
    response = olga.post(address(event), data)
    assert response.status_code == 422
    errors = {form.add_prefix(name) for form in response.context["formset"] for name in form.errors}
    assert errors == {"form-0-title", "form-0-ends", first + "day", blank + "starts"}
    assert form_data(response)["form-0-ends"] == "25:99"
    assert form_data(response)[blank + "title"] == "Prize giving"
    assert olga.post(address(event), {}).status_code == 422, "an empty POST removes nothing"
    assert event.timetable.count() == 3


@pytest.mark.parametrize("session", ["x", "-1", "9" * 20, "9" * 5000])
def test_a_forged_session_is_no_fault_of_the_server(olga: Client, event: Tournament, session: str) -> None:
    data = form_data(olga.get(address(event))) | {"form-0-session": session, "form-1-session": session}
    assert olga.post(address(event), data).status_code == 422


def test_a_concurrent_change_is_not_overwritten(olga: Client, event: Tournament) -> None:
    data = form_data(olga.get(address(event)))
    set_timetable(event, SYSTEM, LINES)
    response = olga.post(address(event), data)
    assert response.status_code == 422
    assert "Someone else has changed the timetable" in text_of(response)
    assert event.timetable.count() == 3
    again = olga.post(address(event), form_data(response))
    assert again.status_code == 302, again.context["formset"].errors
    assert [item.starts for item in event.timetable.all()] == [time(9), time(9)]


def begin_late(tournament: Tournament) -> None:
    """Start session 1 twelve minutes after nine in Paris."""
    began = datetime(2026, 11, 14, 8, 12, tzinfo=UTC)
    tournament.sessions.filter(number=1).update(state=Session.State.RUNNING, started_at=began)
    write_something(tournament)


@pytest.mark.thorough
def test_pages_show_planned_times_and_when_a_session_began(olga: Client, event: Tournament) -> None:
    public = [reverse("tournament", args=[event.slug]), reverse("session_page", args=[event.slug, 1])]
    board = reverse("organiser_session", args=[event.slug, 1])
    text = text_of(Client().get(public[0]))
    assert "Timetable" not in text
    assert "Sessions Session 1" in text
    set_timetable(event, SYSTEM, LINES)
    text = text_of(Client().get(public[0]))
    assert missing(text, "Saturday 14 November", "08:00 –08:45 Registration", "14:00 –16:00 Session 2") == []
    assert "planned for Saturday 09:00" in text_of(Client().get(public[1]))
    assert "planned for Saturday 09:00" in text_of(olga.get(board))
    begin_late(event)
    assert "Session 1 began 09:12" in text_of(Client().get(public[0]))
    text = text_of(Client().get(public[1]))
    assert missing(text, "planned for Saturday 09:00, began 09:12", "ends 11:12") == []
    assert timezone.get_current_timezone_name() == timezone.get_default_timezone_name()


def player(client: Client, tournament: Tournament, number: int = 1) -> str:
    return text_of(client.get(reverse("player_page", args=[tournament.slug, number])))


def test_the_players_page_shows_the_next_session(client: Client) -> None:
    early = make_tournament(players=8, sessions=2, days=WEEKEND, drawn=False)
    set_timetable(early, SYSTEM, LINES)
    withdraw_player(early.players.get(number=2), SYSTEM)
    assert "Next: session 1 Saturday 09:00 The seats are not drawn." in player(client, early)
    assert "Next:" not in player(client, early, 2)
    drawn = make_tournament(players=8, sessions=2, days=WEEKEND, name="Drawn")
    set_timetable(drawn, SYSTEM, LINES)
    assert "Next: session 1, Saturday 09:00 Table 1 , you start as East" in player(client, drawn)


@pytest.mark.thorough
def test_players_outside_the_final_have_no_next_session(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=2, days=WEEKEND, played=1)
    set_up_final(tournament, SYSTEM, FinalsOptions(FinalStage(4, 4, Carry.FULL), 1, "x"))
    set_timetable(tournament, SYSTEM, LINES)
    finalists = tournament.finals.get().numbers
    other = tournament.players.exclude(number__in=finalists)[0].number
    shown = ["Next:" in player(client, tournament, number) for number in (finalists[0], other)]
    assert shown == [True, False]


def test_the_api_keeps_a_time_zone_that_is_left_out(olga: Client, event: Tournament) -> None:
    url = reverse("api_tournament", args=[event.slug])
    body = olga.get(url).json()
    del body["time_zone"]
    assert olga.put(url, body, content_type="application/json").json()["time_zone"] == "Europe/Paris"


def test_the_api_returns_what_was_written(organiser_client: Program, base_url: str) -> None:
    written = organiser_client.put(base_url, {"lines": API_LINES}).json()
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


def test_the_api_takes_lines_as_it_returns_them(
    organiser_client: Program, base_url: str, event: Tournament
) -> None:
    """An outdated `seen` is refused."""
    seen = organiser_client.get(base_url).json()["seen"]
    read = organiser_client.put(base_url, {"lines": API_LINES, "seen": seen}).json()
    late = organiser_client.put(base_url, {"lines": API_LINES[:1], "seen": seen})
    assert codes_of(late) == ["timetable_changed_meanwhile"]
    assert event.timetable.count() == 2
    again = {"lines": read["lines"], "seen": read["seen"]}
    version = Tournament.objects.get(pk=event.pk).version
    assert organiser_client.put(base_url, again).json() == read
    assert Tournament.objects.get(pk=event.pk).version == version, "idempotent"
    read["lines"][0]["title"] = "Coffee"
    assert organiser_client.put(base_url, again).json()["lines"][0] == read["lines"][0]


def test_the_api_reports_problems_with_their_line(organiser_client: Program, base_url: str) -> None:
    for body in ({}, {"lines": [1]}, {"lines": [{"uuid": "x"}]}, {"lines": [{"title": "x" * 81}]}):
        assert organiser_client.put(base_url, body).status_code == 400, body
    lines = [{"session": 10**3, "day": "9999-12-31", "starts": "09:00"}, {"title": "x"}]
    problems = organiser_client.put(base_url, {"lines": lines}).json()["problems"]
    assert {(problem["where"], problem["code"]) for problem in problems} == {
        ("lines.0.starts", "no_such_session"),
        ("lines.0.day", "session_outside_the_days"),
        ("lines.1.day", "value_missing"),
        ("lines.1.starts", "value_missing"),
    }


@pytest.fixture
def spring() -> Tournament:
    event = make_tournament(players=8, sessions=3, days=WEEKEND)
    Tournament.objects.filter(pk=event.pk).update(time_zone="Europe/Paris")
    event.refresh_from_db()
    set_timetable(event, SYSTEM, PLAN)
    return event


def fetch(client: Client, tournament: Tournament, number: int | None = 1, **query: str) -> Any:
    if number is None:
        return client.get(reverse("tournament_calendar", args=[tournament.slug]), query)
    return client.get(reverse("player_calendar", args=[tournament.slug, number]), query)


def events(response: Any) -> list[Any]:
    return list(Calendar.from_ical(response.content).walk("VEVENT"))


def texts(response: Any, field: str = "SUMMARY") -> list[str]:
    return [str(event[field]) for event in events(response) if field in event]


def test_a_players_calendar_has_seats_and_times(client: Client, spring: Tournament) -> None:
    """Without the third session, which has no time; with an alarm 15 minutes before each event."""
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


def test_calendar_events_keep_their_uid(client: Client, spring: Tournament) -> None:
    """The calendar of the tournament has no seats."""
    titles = ["Session 1", "Lunch; soup, bread", "Session 2"]
    assert texts(fetch(client, spring, None)) == [f"{title} · Spring Open" for title in titles]
    uids = [uid for number in (1, 2, None) for uid in texts(fetch(client, spring, number), "UID")]
    assert len(set(uids)) == 9
    later = [
        TimetableItem(
            session=line.session, title=line.title, day=SUNDAY, starts=time(10 + at * 3), uuid=line.uuid
        )
        for at, line in enumerate(timetable_lines(spring)[:3])
    ]
    set_timetable(spring, SYSTEM, later)
    for number in (1, None):
        assert set(texts(fetch(client, spring, number), "UID")) <= set(uids)


def test_a_change_updates_calendars_and_otherwise_they_are_cached(client: Client, spring: Tournament) -> None:
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
    set_timetable(spring, SYSTEM, PLAN[:2])
    assert client.get(url, headers={"if-none-match": first["ETag"]}).status_code == 200


def test_calendar_lines_are_folded_and_texts_escaped(client: Client, spring: Tournament) -> None:
    """Subscribers refresh every quarter of an hour."""
    content = fetch(client, spring, None).content
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert rb"SUMMARY:Lunch\; soup\, bread" in content
    for line in (b"REFRESH-INTERVAL;VALUE=DURATION:PT15M", b"X-PUBLISHED-TTL:PT15M"):
        assert line in content.split(b"\r\n")
    long = "午餐" * 30
    set_timetable(spring, SYSTEM, [TimetableItem(title=long, day=SATURDAY, starts=time(12))])
    folded = fetch(client, spring, None)
    assert max(len(line) for file in (content, folded.content) for line in file.split(b"\r\n")) <= 75
    assert texts(folded) == [f"{long} · Spring Open"]


def test_a_calendar_uses_the_language_of_its_url(client: Client, spring: Tournament) -> None:
    response = fetch(client, spring, lang="zh-hans")
    assert texts(response)[0].startswith("第 1 轮")
    assert response["Content-Language"] == "zh-hans"
    assert texts(fetch(client, spring, lang="tlh"))[0].startswith("Session 1")


def test_a_withdrawn_players_calendar_has_played_sessions_only(client: Client, spring: Tournament) -> None:
    """Before the draw a session has only its time."""
    early = make_tournament(players=8, days=WEEKEND, drawn=False, name="Early")
    set_timetable(early, SYSTEM, PLAN)
    assert texts(fetch(client, early))[0] == "Session 1 · Early"
    start_session(spring.sessions.get(number=1), SYSTEM)
    withdraw_player(spring.players.get(number=1), SYSTEM)
    sessions = [summary for summary in texts(fetch(client, spring)) if "Session" in summary]
    assert sessions == ["Session 1, table 1, East · Spring Open"]


def test_the_players_page_links_to_the_calendar(client: Client, spring: Tournament) -> None:
    page = client.get(reverse("player_page", args=[spring.slug, 1])).content.decode()
    url = reverse("player_calendar", args=[spring.slug, 1])
    assert f'href="webcal://testserver{url}?lang=en"' in page
    assert f'href="{url}?lang=en" download' in page
    set_timetable(spring, SYSTEM, [])
    page = client.get(reverse("player_page", args=[spring.slug, 1])).content.decode()
    assert "Times are not planned yet." in page
    assert f'href="webcal://testserver{url}?lang=en"' in page
    assert f'href="{url}?lang=en" download' not in page


@pytest.mark.parametrize("number", [1, None])
def test_without_times_it_has_the_days_and_says_so(
    client: Client, spring: Tournament, number: int | None
) -> None:
    """RFC 5545, 3.6: a calendar has at least one component."""
    set_timetable(spring, SYSTEM, [])
    response = fetch(client, spring, number)
    assert texts(response) == ["Spring Open"]
    assert texts(response, "DESCRIPTION") == ["Times are not planned yet."]
    [entry] = events(response)
    assert (entry["DTSTART"].dt, entry["DTEND"].dt) == (SATURDAY, SUNDAY + timedelta(days=1))


def test_who_plays_in_nothing_planned_has_a_valid_calendar(client: Client, spring: Tournament) -> None:
    set_timetable(spring, SYSTEM, PLAN[1:2])
    withdraw_player(spring.players.get(number=1), SYSTEM)
    calendar = Calendar.from_ical(fetch(client, spring).content)
    assert [part.name for part in calendar.subcomponents] == ["VTIMEZONE"]
