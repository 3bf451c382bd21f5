"""The clock on pages: the same moments on desk, board and in the hall; the end rule in words."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire
from tests.web.test_umpire_desk import post
from tournament.api.addresses import url_of as address
from tournament.models import Session, Table, Tournament
from tournament.services.timing import set_extra_time
from tournament.views.umpire.table import desk_url


@pytest.fixture
def table() -> Table:
    return make_tournament(running=2).sessions.get(number=1).tables.get(number=1)


def started(minutes_ago: int) -> None:
    Session.objects.filter(number=1).update(started_at=timezone.now() - timedelta(minutes=minutes_ago))
    tournament = Tournament.objects.get()
    Tournament.objects.update(version=tournament.version + 1)


def page(client: Client, name: str, *where: Any) -> str:
    return client.get(reverse(name, args=["spring-open", *where])).text


def test_the_server_tells_its_time(client: Client) -> None:
    before = timezone.now().timestamp() * 1000
    told = client.get("/now/")
    assert before - 1 <= told.json()["now"] <= timezone.now().timestamp() * 1000 + 1
    assert "no-store" in told["Cache-Control"]


def test_board_and_hall_count_to_the_same_moments_as_the_desk(client: Client, table: Table) -> None:
    set_extra_time(table, SYSTEM, 7, reason="Lost tile")
    started(30)
    client.force_login(make_organiser(table.session.tournament))
    assert "7 minutes longer" in page(client, "organiser_board")
    set_extra_time(table, SYSTEM, 0, reason="Lost tile")
    umpire = Client()
    umpire.force_login(make_umpire(table.session.tournament))
    state = umpire.get(desk_url(table)).text.split('id="desk-state" type="application/json">')[1]
    desk = json.loads(state.split("</script>")[0])
    assert (desk["clock"]["extra"], bool(desk["may_give_time"])) == (0, True)
    for where in (("organiser_board",), ("session_page", 1), ("table_page", 1, 1)):
        text = page(client, *where)
        assert [
            name for name in ("ends", "warns") if f'data-{name}="{desk["clock"][name][:19]}' not in text
        ] == []


def test_the_stage_is_said_without_a_script(client: Client, table: Table) -> None:
    for minutes, sentence in ((110, "The last 15 minutes"), (121, "The time is up")):
        started(minutes)
        text = page(client, "session_page", 1)
        assert "hidden" not in text.split(sentence)[0].rsplit("<p", 1)[1]
        assert "is not finished and does not count" in text


def test_pages_say_whether_the_last_hand_is_finished(client: Client, table: Table) -> None:
    tournament = table.session.tournament
    timing = tournament.rules_snapshot["timing"] | {"last_hand": "finished"}
    Tournament.objects.update(rules_snapshot=tournament.rules_snapshot | {"timing": timing})
    started(121)
    assert "is finished and counts; no other begins" in page(client, "session_page", 1)
    client.force_login(make_umpire(tournament))
    assert client.get(address("api_desk", table)).json()["state"]["clock"]["counts_last_hand"] is True


def test_an_umpire_gives_a_table_time_and_the_hall_sees_it(client: Client, table: Table) -> None:
    client.force_login(make_umpire(table.session.tournament))
    refused = post(client, table, "api_extra_time", {"minutes": 5, "reason": ""})
    assert [problem["where"] for problem in refused.json()["problems"]] == ["reason"]
    given = post(client, table, "api_extra_time", {"minutes": 5, "reason": "Lost tile"})
    assert given.json()["state"]["clock"]["extra"] == 5
    assert "plays 5 minutes longer than the hall" in page(client, "table_page", 1, 1)
    assert "5 minutes longer" in page(client, "session_page", 1)
    assert "Lost tile" not in page(client, "table_page", 1, 1)
