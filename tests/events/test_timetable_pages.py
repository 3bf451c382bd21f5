"""The timetable on its pages: the organiser's, the tournament's, the player's, and by REST."""

from datetime import UTC, datetime, time
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.test.html import parse_html
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, WEEKEND, make_tournament
from tests.support.html import words
from tests.support.pages import missing
from tournament.base.engine.finals import Carry
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.events.selectors import TimetableLine
from tournament.events.services import set_timetable
from tournament.players.services.players import withdraw_player
from tournament.ranking.engine.finals import FinalStage, FinalsWish
from tournament.seating.services.seatings import set_up_final

SATURDAY, SUNDAY = WEEKEND
LINES = [
    TimetableLine(title="Registration", day=SATURDAY, starts=time(8), ends=time(8, 45)),
    TimetableLine(1, day=SATURDAY, starts=time(9)),
    TimetableLine(2, day=SUNDAY, starts=time(14)),
]


@pytest.fixture
def event() -> Tournament:
    tournament = make_tournament(players=8, sessions=2, days=WEEKEND)
    Tournament.objects.filter(pk=tournament.pk).update(time_zone="Europe/Paris")
    tournament.refresh_from_db()
    return tournament


def text_of(response: Any) -> str:
    """The text of a page, whatever its status."""
    return words(parse_html(response.content.decode()))


def address(tournament: Tournament) -> str:
    return reverse("organiser_timetable", args=[tournament.slug])


def as_sent(response: Any) -> dict[str, str]:
    """What the page's form would send back untouched."""
    form = response.context["form"]
    return {field.html_name: _text(field.value()) for field in form}


def _text(value: object) -> str:
    if isinstance(value, time):
        return f"{value:%H:%M}"
    return "" if value is None else str(value)


def place_of(sent: dict[str, str], session: int) -> str:
    sessions = {value: name[7:] for name, value in sent.items() if name.startswith("session")}
    return sessions[str(session)]


def test_a_usual_timetable_is_saved_in_one_step(olga: Client, event: Tournament) -> None:
    opened = olga.get(address(event))
    assert "Not saved yet" in text_of(opened)
    assert not event.timetable.exists()
    assert olga.post(address(event), as_sent(opened))["Location"] == address(event)
    planned = [(item.session, item.day, item.starts) for item in event.timetable.all()]
    assert planned == [(1, SATURDAY, time(9)), (2, SUNDAY, time(9))]
    assert "Not saved yet" not in text_of(olga.get(address(event)))


def test_lines_are_looked_at_added_changed_and_removed(olga: Client, event: Tournament) -> None:
    set_timetable(event, SYSTEM, LINES)
    shown = olga.get(address(event), {"first": "10:30", "pause": "20", "lunch_at": "13:00", "lunch": "45"})
    sent = as_sent(shown)
    assert sent[f"starts{place_of(sent, 1)}"] == "10:30"
    assert "This replaces the times there are" in text_of(shown)
    assert event.timetable.get(session=1).starts == time(9)
    sent = as_sent(olga.get(address(event)))
    blank = max(int(name[5:]) for name in sent if name.startswith("title"))
    sent |= {f"title{blank}": "Ceremony", f"day{blank}": "2026-11-15", f"starts{blank}": "17:00"}
    sent |= {"title1": "", "starts1": "", "ends1": ""}
    sent[f"starts{place_of(sent, 2)}"] = "13:30"
    olga.post(address(event), sent)
    planned = [(item.session, item.title, item.starts) for item in event.timetable.all()]
    assert planned == [(1, "", time(9)), (2, "", time(13, 30)), (None, "Ceremony", time(17))]


def test_a_wish_that_does_not_work_is_said_or_planned_by_hand(olga: Client, event: Tournament) -> None:
    usual = {"first": "09:00", "pause": "15", "lunch_at": "12:30", "lunch": "60"}
    for field, value, sentence in (
        ("first", "23:00", "would last past midnight"),
        ("first", "morning", "That is no time"),
        ("pause", "-1", "At least 0."),
    ):
        response = olga.get(address(event), usual | {field: value})
        assert response.status_code == 422
        assert sentence in text_of(response)
    Tournament.objects.filter(pk=event.pk).update(sessions_planned=40)
    response = olga.get(address(event))
    assert response.status_code == 200
    assert "Not saved yet" not in text_of(response)


def test_all_mistakes_are_said_beside_what_was_typed(olga: Client, event: Tournament) -> None:
    set_timetable(event, SYSTEM, LINES)
    sent = as_sent(olga.get(address(event)))
    first, second = place_of(sent, 1), place_of(sent, 2)
    sent |= {"title1": "", "ends1": "25:99", f"starts{second}": "", f"day{first}": "2027-01-01"}
    blank = max(int(name[5:]) for name in sent if name.startswith("title"))
    sent |= {f"title{blank}": "Prize giving"}
    response = olga.post(address(event), sent)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"title1", "ends1", f"day{first}", f"starts{blank}"}
    assert as_sent(response)["ends1"] == "25:99"
    assert as_sent(response)[f"title{blank}"] == "Prize giving"
    assert olga.post(address(event), {}).status_code == 422, "nothing sent removes nothing"
    assert event.timetable.count() == 3


def test_somebody_elses_change_is_not_saved_over(olga: Client, event: Tournament) -> None:
    sent = as_sent(olga.get(address(event)))
    set_timetable(event, SYSTEM, LINES)
    response = olga.post(address(event), sent)
    assert response.status_code == 422
    assert "Somebody else has changed the timetable" in text_of(response)
    assert event.timetable.count() == 3
    again = olga.post(address(event), as_sent(response))
    assert again.status_code == 302, again.context["form"].errors
    assert [item.starts for item in event.timetable.all()] == [time(9), time(9)]


def begin_late(tournament: Tournament) -> None:
    """Twelve minutes after nine in Paris."""
    began = datetime(2026, 11, 14, 8, 12, tzinfo=UTC)
    tournament.sessions.filter(number=1).update(state=Session.State.RUNNING, started_at=began)
    Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + 1)


@pytest.mark.thorough
def test_pages_have_the_timetable_and_when_a_session_began(olga: Client, event: Tournament) -> None:
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


def test_the_players_page_says_when_and_once_drawn_where_but_not_to_who_has_withdrawn(client: Client) -> None:
    early = make_tournament(players=8, sessions=2, days=WEEKEND, drawn=False)
    set_timetable(early, SYSTEM, LINES)
    withdraw_player(early.players.get(number=2), SYSTEM)
    assert "Next: session 1 Saturday 09:00 The seats are not drawn." in player(client, early)
    assert "Next:" not in player(client, early, 2)
    drawn = make_tournament(players=8, sessions=2, days=WEEKEND, name="Drawn")
    set_timetable(drawn, SYSTEM, LINES)
    assert "Next: session 1, Saturday 09:00 Table 1 , start East" in player(client, drawn)


@pytest.mark.thorough
def test_who_is_not_in_the_final_has_no_next_session(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=2, days=WEEKEND, played=1)
    set_up_final(tournament, SYSTEM, FinalsWish(FinalStage(4, 4, Carry.FULL), 1, "x"))
    set_timetable(tournament, SYSTEM, LINES)
    finalists = tournament.finals.get().numbers
    other = tournament.players.exclude(number__in=finalists)[0].number
    shown = ["Next:" in player(client, tournament, number) for number in (finalists[0], other)]
    assert shown == [True, False]


def test_programs_that_know_no_time_zone_leave_it(olga: Client, event: Tournament) -> None:
    url = reverse("api_tournament", args=[event.slug])
    body = olga.get(url).json()
    del body["time_zone"]
    assert olga.put(url, body, content_type="application/json").json()["time_zone"] == "Europe/Paris"
