"""The hall on pages: its clock, stopped in a tap and seen stopped everywhere; calls for an umpire and their answers."""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.checks import newest_sentence
from tests.support.closing import players_at
from tests.support.factories import (
    SYSTEM,
    make_card,
    make_organiser,
    make_tournament,
    make_umpire,
    wash_out,
    write_something,
)
from tests.support.pages import missing, page_text, write_at
from tests.support.programs import codes_of
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.play.api.facts import url_of as address
from tournament.play.models import Call
from tournament.play.selectors.closing import late_minutes_by_hand, time_lost
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import (
    accept_call,
    close_session,
    end_call,
    extend_clock,
    pause_clock,
    raise_call,
)
from tournament.play.services.tables import hand_in, set_extra_time
from tournament.play.views.desk import desk_url

PAGES = (
    ("session_page", 1),
    ("table_page", 1, 1),
    ("screen", "main"),
    ("organiser_board",),
    ("umpire_tables",),
)


@pytest.fixture
def hall() -> Tournament:
    tournament = make_tournament(running=2)
    Session.objects.filter(number=1).update(started_at=timezone.now() - timedelta(minutes=30))
    return tournament


def session() -> Session:
    return Session.objects.select_related("tournament").get(number=1)


def write(client: Client, step: str, **data: str) -> str:
    return client.post(reverse(f"hall_clock_{step}", args=["spring-open"]), data, follow=True).text


def test_an_organiser_pauses_and_resumes_the_clock_for_a_reason(client: Client, hall: Tournament) -> None:
    client.force_login(make_organiser(hall))
    refused = client.post(reverse("hall_clock_pause", args=["spring-open"]), {"reason": " "})
    assert (refused.status_code, session().pauses) == (422, [])
    assert "Give a reason." in refused.text, "beside the field"
    assert "The clock is paused." in write(client, "pause", why="Fire alarm", reason="")
    clock = session().clock
    assert clock is not None
    assert clock.pause is not None
    assert clock.pause.reason == "Fire alarm"
    assert 'value="All clear" checked' in page_text(client, "hall_clock")
    assert "The clock has resumed." in write(client, "resume", why="All clear", reason="All are counted.")
    last = hall.log.latest("seq")
    assert (last.action, last.full_data["reason"]) == ("clock_went_on", "All are counted.")


def test_an_umpire_of_the_hall_extends_the_clock(client: Client, hall: Tournament) -> None:
    client.force_login(make_umpire(hall))
    write(client, "extend", minutes="10", why="A disturbance")
    assert session().extra_minutes == 10
    assert "The hall plays 10 minutes longer than planned." in page_text(client, "hall_clock")


@pytest.mark.thorough
def test_every_page_shows_the_pause_and_only_staff_the_reason(client: Client, hall: Tournament) -> None:
    client.force_login(make_organiser(hall))
    assert "data-paused" not in page_text(client, *PAGES[0])
    pause_clock(session(), SYSTEM, reason="Somebody fainted")
    for where in PAGES:
        text = page_text(client, *where)
        assert f'data-paused="{session().pauses[0]["since"][:19]}' in text, where
        stage = text.split("paused", 1)[1].split('data-stage="paused"')[1].split(">")[0]
        assert "hidden" not in stage, where
    client.logout()
    assert [where for where in PAGES[:3] if "fainted" in page_text(client, *where)] == []


def test_the_desk_has_the_same_moment_and_minutes(client: Client, hall: Tournament) -> None:
    client.force_login(make_umpire(hall))
    pause_clock(session(), SYSTEM, reason="Fire alarm")
    extend_clock(session(), SYSTEM, 10, reason="The heating")
    table = Table.objects.get(session__number=1, number=1)
    clock = client.get(address("api_desk", table)).json()["state"]["clock"]
    assert (clock["paused"], clock["minutes"]) == (session().pauses[0]["since"], 130)


def test_a_late_players_minutes_stand_on_the_desk_too(client: Client, hall: Tournament) -> None:
    client.force_login(make_umpire(hall))
    table = Table.objects.get(session__number=1, number=3)
    began = timezone.now() - timedelta(minutes=20)
    Session.objects.filter(number=1).update(started_at=began)
    pause_clock(session(), SYSTEM, reason="Fire alarm", at=began + timedelta(minutes=5))
    body = {"uuid": "6f1f7f0e-0000-4000-8000-000000000001", "player": players_at(table)[0]}
    [absence] = write_at(client, table, "api_absences", body).json()["state"]["absences"]
    paused = datetime.fromisoformat(session().pauses[0]["since"])
    counted = paused - datetime.fromisoformat(absence["since"])
    assert round(counted.total_seconds() / 60) == 5


def test_a_tables_card_may_not_run_the_clock(client: Client, hall: Tournament) -> None:
    client.force_login(make_card(hall, 1))
    assert client.get(reverse("hall_clock", args=["spring-open"])).status_code == 403
    write(client, "pause", why="Fire alarm")
    assert session().pauses == []


@pytest.fixture
def table() -> Table:
    return make_tournament(running=2).sessions.get(number=1).tables.get(number=1)


def started(minutes_ago: int) -> None:
    Session.objects.filter(number=1).update(started_at=timezone.now() - timedelta(minutes=minutes_ago))
    write_something(Tournament.objects.get())


def test_the_server_tells_its_time(client: Client) -> None:
    before = timezone.now().timestamp() * 1000
    answer = client.get("/now/")
    assert before - 1 <= answer.json()["now"] <= timezone.now().timestamp() * 1000 + 1
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.thorough
def test_board_and_hall_count_to_the_same_moments_as_the_desk(client: Client, table: Table) -> None:
    set_extra_time(table, SYSTEM, 7, reason="Lost tile")
    started(30)
    client.force_login(make_organiser(table.session.tournament))
    assert "7 minutes longer" in page_text(client, "organiser_board")
    set_extra_time(table, SYSTEM, 0, reason="Lost tile")
    umpire = Client()
    umpire.force_login(make_umpire(table.session.tournament))
    state = umpire.get(desk_url(table)).text.split('id="desk-state" type="application/json">')[1]
    desk = json.loads(state.split("</script>")[0])
    assert (desk["clock"]["extra"], bool(desk["may_give_time"])) == (0, True)
    for where in (("organiser_board",), ("session_page", 1), ("table_page", 1, 1)):
        text = page_text(client, *where)
        assert [
            name for name in ("ends", "warns") if f'data-{name}="{desk["clock"][name][:19]}' not in text
        ] == []


def test_the_stage_of_the_clock_is_shown_without_a_script(client: Client, table: Table) -> None:
    for minutes, sentence in ((110, "The last 15 minutes"), (121, "The time is up")):
        started(minutes)
        text = page_text(client, "session_page", 1)
        assert "hidden" not in text.split(sentence)[0].rsplit("<p", 1)[1]
        assert "is abandoned and does not count" in text


def test_pages_say_whether_the_last_hand_is_finished(client: Client, table: Table) -> None:
    tournament = table.session.tournament
    timing = tournament.rules_snapshot["timing"] | {"last_hand": "finished"}
    Tournament.objects.update(rules_snapshot=tournament.rules_snapshot | {"timing": timing})
    started(121)
    assert "is finished and counts; no new hand is started" in page_text(client, "session_page", 1)
    client.force_login(make_umpire(tournament))
    assert client.get(address("api_desk", table)).json()["state"]["clock"]["counts_last_hand"] is True


def test_a_hand_saved_after_the_gong_counts_without_a_mark_when_the_umpire_says_so(
    client: Client, table: Table
) -> None:
    """One that does not count is not saved; of one without a word the organiser is told; before the gong it says
    nothing."""
    client.force_login(make_umpire(table.session.tournament))

    def saved(number: int, **in_time: bool) -> Any:
        body = {"number": number, "uuid": str(uuid4()), "outcome": "draw"}
        return write_at(client, table, "api_hands", body | in_time)

    started(60)
    assert saved(3, in_time=True).status_code == 201
    started(130)
    assert codes_of(saved(4, in_time=False)) == ["hand_not_in_time"]
    assert saved(4, in_time=True).status_code == 201
    assert "Saved after time, but confirmed to count." in newest_sentence(table.session.tournament)
    state = saved(5).json()["state"]
    assert [hand["saved_in"] for hand in state["hands"]][3:] == [None, 131]
    in_time = table.hands.order_by("number").values_list("in_time", flat=True)
    assert list(in_time) == [None, None, None, True, None]
    hand = table.hands.get(number=4)
    correct_hand(hand, SYSTEM, wash_out(), reason="Seen late", uuid=uuid4())
    assert 4 not in late_minutes_by_hand(session().tables.get(number=1))


def test_an_umpire_gives_a_table_time_and_the_hall_sees_it(client: Client, table: Table) -> None:
    client.force_login(make_umpire(table.session.tournament))
    refused = write_at(client, table, "api_extra_time", {"minutes": 5, "reason": ""})
    assert [problem["where"] for problem in refused.json()["problems"]] == ["reason"]
    answer = write_at(client, table, "api_extra_time", {"minutes": 5, "reason": "Lost tile"})
    assert answer.json()["state"]["clock"]["extra"] == 5
    assert "plays 5 minutes longer than the hall" in page_text(client, "table_page", 1, 1)
    assert "5 minutes longer" in page_text(client, "session_page", 1)
    assert "Lost tile" not in page_text(client, "table_page", 1, 1)


def phone_calls(table: int = 1, topic: str = "tiles", session: int = 1) -> str:
    """What a visitor's phone shows after the button."""
    address = reverse("call_umpire", args=["spring-open", session, table])
    return Client().post(address, {"topic": topic}, follow=True).text


def test_a_phone_without_an_account_calls_and_the_table_has_one_call(table: Table) -> None:
    assert "An umpire is called." in phone_calls()
    assert "The umpires have been notified." in phone_calls(topic="score")
    assert [call.topic for call in Call.objects.all()] == ["tiles"]
    assert table.session.tournament.log.filter(action="call_raised").count() == 1


def test_calls_come_only_from_tables_being_played_with_a_topic(table: Table) -> None:
    phone_calls(session=2)
    phone_calls(topic="pizza")
    for each in table.session.tables.all():
        hand_in(each, SYSTEM)
    close_session(table.session, SYSTEM)
    phone_calls()
    assert not Call.objects.exists()


def test_a_table_calls_again_a_minute_after(table: Table) -> None:
    end_call(raise_call(table, SYSTEM, "tiles"), SYSTEM)
    assert "Call again in a minute." in phone_calls()
    Call.objects.update(done_at=timezone.now() - timedelta(minutes=1))
    assert "An umpire is called." in phone_calls()


@pytest.mark.thorough
def test_umpires_and_organisers_see_who_waits_and_one_takes_it(client: Client, table: Table) -> None:
    call = raise_call(table, SYSTEM, "score")
    client.force_login(make_organiser(table.session.tournament))
    assert "score differs" in page_text(client, "organiser_board")
    umpire = make_umpire(table.session.tournament)
    client.force_login(umpire)
    assert "Take the call from table 1" in page_text(client, "umpire_tables")
    answer = client.post(reverse("call_accept", args=["spring-open", call.pk]), follow=True)
    assert "uma is coming" in answer.text
    assert "An umpire is on the way." in page_text(client, "table_page", 1, 1)
    with pytest.raises(Refused):
        accept_call(call, Actor.of(make_umpire(table.session.tournament, "una")))
    client.post(reverse("call_end", args=["spring-open", call.pk]))
    assert "Take the call" not in page_text(client, "umpire_tables")


def ended_call(table: Table, minutes: float) -> Call:
    """A call that has just ended, so many minutes after it was raised."""
    call = end_call(raise_call(table, SYSTEM, "claim"), SYSTEM)
    assert call.done_at is not None
    Call.objects.filter(pk=call.pk).update(called_at=call.done_at - timedelta(minutes=minutes))
    return call


def add_time_lost(client: Client, table: int = 1) -> str:
    return client.post(reverse("time_lost_add", args=["spring-open", 1, table]), follow=True).text


def test_an_umpire_adds_the_time_that_a_call_took(client: Client, hall: Tournament) -> None:
    ended_call(table_at(1), minutes=5.5)
    client.force_login(make_umpire(hall))
    text = page_text(client, "umpire_tables")
    assert missing(text, "The call at table 1 took 6 minutes.", "Add 6 minutes to table 1") == []
    assert "The extra time has been set." in add_time_lost(client)
    assert "Add 6 minutes" not in add_time_lost(client), "once only"
    assert table_at(1).extra_minutes == 6
    assert newest_sentence(hall).endswith("Time lost by a call for an umpire")


def test_time_lost_is_added_to_earlier_extra_time_and_pauses_are_not_lost(hall: Tournament) -> None:
    set_extra_time(table_at(1), SYSTEM, 10, reason="Wall rebuilt")
    call = ended_call(table_at(1), minutes=8)
    assert call.done_at is not None
    pause_clock(table_at(1).session, SYSTEM, reason="Alarm", at=call.done_at - timedelta(minutes=3))
    [lost] = time_lost(SYSTEM, hall)
    assert (lost.minutes, lost.extra_minutes) == (5, 15)


def test_no_time_is_proposed_for_short_old_or_finished_calls(client: Client, hall: Tournament) -> None:
    ended_call(table_at(1), minutes=1)
    assert time_lost(SYSTEM, hall) == [], "less than two minutes"
    ended_call(table_at(2), minutes=4)
    client.force_login(make_umpire(hall, tables=[table_at(1)]))
    assert "The call at table" not in page_text(client, "umpire_tables"), "not their table"
    assert client.post(reverse("time_lost_add", args=["spring-open", 1, 2])).status_code == 403
    Call.objects.update(done_at=timezone.now() - timedelta(minutes=16))
    assert time_lost(SYSTEM, hall) == [], "long ago"


@pytest.fixture
def calling() -> Tournament:
    tournament = make_tournament(running=0)
    raise_call(table_at(2), SYSTEM, "claim")
    return tournament


def table_at(number: int) -> Table:
    return Table.objects.select_related("session__tournament").get(session__number=1, number=number)


def bar(client: Client) -> str:
    return client.get(reverse("call_bar")).text


def test_every_page_but_hall_screens_has_the_bar_of_calls(client: Client, calling: Tournament) -> None:
    pages = [reverse(name) for name in ("calculator", "foul_book", "home")]
    assert [page for page in pages if "call-bar" in client.get(page).text] == []
    client.force_login(make_umpire(calling))
    place = f'data-calls="{reverse("call_bar")}"'
    assert [page for page in pages if place not in client.get(page).text] == []
    client.force_login(make_organiser(calling))
    assert "call-bar" not in client.get(reverse("screen", args=[calling.slug, "main"])).text


def test_the_bar_shows_calls_to_those_who_answer_them(client: Client, calling: Tournament) -> None:
    assert "Table 2" not in bar(client)
    client.force_login(make_card(calling, 2))
    assert [text for text in ("Table 2", calling.slug) if text in bar(client)] == []
    client.force_login(make_umpire(calling, "una", tables=[table_at(1)]))
    assert "Table 2" not in bar(client)
    client.force_login(make_umpire(calling))
    text = bar(client)
    calls, halls = f"/v1/tournaments/{calling.slug}/calls/", f'data-halls="{calling.slug} "'
    assert missing(text, "Table 2", "disputed claim", calls, halls) == []
    accept_call(table_at(2).calls.get(), SYSTEM)
    client.force_login(make_organiser(calling))
    assert "Table 2" not in bar(client), "it is gone for all"
