"""The clock of the hall on pages: stopped in a tap and a reason, seen stopped everywhere."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.closing import players_at
from tests.support.factories import SYSTEM, make_card, make_organiser, make_tournament, make_umpire
from tests.web.test_umpire_desk import post
from tournament.api.addresses import url_of as address
from tournament.models import Session, Table, Tournament
from tournament.services.hall_clock import extend_clock, pause_clock

PAGES = (
    ("session_page", 1),
    ("table_page", 1, 1),
    ("screen", "main"),
    ("organiser_board",),
    ("umpire_tables",),
)


@pytest.fixture
def hall() -> Tournament:
    made = make_tournament(running=2)
    Session.objects.filter(number=1).update(started_at=timezone.now() - timedelta(minutes=30))
    return made


def session() -> Session:
    return Session.objects.select_related("tournament").get(number=1)


def write(client: Client, step: str, **said: str) -> str:
    return client.post(
        reverse(f"hall_clock_{step.replace('-', '_')}", args=["spring-open"]), said, follow=True
    ).text


def page(client: Client, name: str, *where: object) -> str:
    return client.get(reverse(name, args=["spring-open", *where])).text


def test_an_organiser_pauses_it_by_a_chip_and_lets_play_go_on(client: Client, hall: Tournament) -> None:
    client.force_login(make_organiser(hall))
    assert "The clock is paused." in write(client, "pause", why="Fire alarm", reason="")
    clock = session().clock
    assert clock is not None
    assert clock.pause is not None
    assert clock.pause.reason == "Fire alarm"
    assert 'value="All clear" checked' in page(client, "hall_clock")
    assert "Play goes on." in write(client, "go-on", why="All clear", reason="All are counted.")
    last = hall.log.latest("seq")
    assert (last.action, last.said["reason"]) == ("clock_went_on", "All are counted.")


def test_an_umpire_of_the_hall_extends_it(client: Client, hall: Tournament) -> None:
    client.force_login(make_umpire(hall))
    write(client, "extend", minutes="10", why="A disturbance")
    assert session().extra_minutes == 10
    assert "The hall plays 10 minutes longer than planned." in page(client, "hall_clock")


def test_without_a_reason_it_says_so_beside_the_field(client: Client, hall: Tournament) -> None:
    client.force_login(make_organiser(hall))
    refused = client.post(reverse("hall_clock_pause", args=["spring-open"]), {"reason": " "})
    assert (refused.status_code, session().pauses) == (422, [])
    assert "Say why." in refused.text


def test_every_page_shows_it_stopped_and_the_public_not_why(client: Client, hall: Tournament) -> None:
    client.force_login(make_organiser(hall))
    assert [where for where in PAGES if "data-paused" in page(client, *where)] == []
    pause_clock(session(), SYSTEM, reason="Somebody fainted")
    for where in PAGES:
        text = page(client, *where)
        assert f'data-paused="{session().pauses[0]["since"][:19]}' in text, where
        stage = text.split("paused", 1)[1].split('data-stage="paused"')[1].split(">")[0]
        assert "hidden" not in stage, where
    client.logout()
    assert [where for where in PAGES[:3] if "fainted" in page(client, *where)] == []


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
    [absence] = post(client, table, "api_absences", body).json()["state"]["absences"]
    paused = datetime.fromisoformat(session().pauses[0]["since"])
    counted = paused - datetime.fromisoformat(absence["since"])
    assert round(counted.total_seconds() / 60) == 5


def test_a_tables_card_may_not(client: Client, hall: Tournament) -> None:
    client.force_login(make_card(hall, 1))
    assert client.get(reverse("hall_clock", args=["spring-open"])).status_code == 403
    write(client, "pause", why="Fire alarm")
    assert session().pauses == []
