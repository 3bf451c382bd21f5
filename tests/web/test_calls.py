"""Calling an umpire: from a player's phone, within limits; the queue; one who takes it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, make_card, make_organiser, make_tournament, make_umpire
from tournament.access import Actor
from tournament.errors import Forbidden, Refused
from tournament.models import Call, Table
from tournament.services.calls import end_call, raise_call, take_call
from tournament.services.sessions import close_session
from tournament.services.tables import hand_in


@pytest.fixture
def table() -> Table:
    return make_tournament(running=2).sessions.get(number=1).tables.get(number=1)


def page(client: Client, name: str, *where: Any) -> str:
    return client.get(reverse(name, args=["spring-open", *where])).text


def phone_calls(table: int = 1, topic: str = "tiles", session: int = 1) -> str:
    """What a visitor's phone shows after the button."""
    address = reverse("call_umpire", args=["spring-open", session, table])
    return Client().post(address, {"topic": topic}, follow=True).text


def test_a_phone_without_an_account_calls_and_the_table_has_one_call(table: Table) -> None:
    assert "An umpire is called." in phone_calls()
    assert "The umpires see it." in phone_calls(topic="score")
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


def test_strangers_cannot_call_in_a_private_tournament() -> None:
    hidden = make_tournament(running=1, public=False).sessions.get(number=1).tables.get(number=1)
    address = reverse("call_umpire", args=["spring-open", 1, 1])
    assert Client().post(address, {"topic": "tiles"}).status_code == 404
    with pytest.raises(Forbidden):
        raise_call(hidden, Actor.of(None), "tiles")


def test_a_table_calls_again_a_minute_after_and_an_address_only_so_often(table: Table) -> None:
    end_call(raise_call(table, SYSTEM, "tiles"), SYSTEM)
    assert "Call again in a minute." in phone_calls()
    Call.objects.update(done_at=timezone.now() - timedelta(minutes=1))
    assert "An umpire is called." in phone_calls()
    address = reverse("call_umpire", args=["spring-open", 1, 2])
    for _again in range(29):
        Client().post(address, {"topic": "tiles"})
    assert "Too many calls came from here." in phone_calls(2)


def test_umpires_and_organisers_see_who_waits_and_one_takes_it(client: Client, table: Table) -> None:
    call = raise_call(table, SYSTEM, "score")
    client.force_login(make_organiser(table.session.tournament))
    assert "score differs" in page(client, "organiser_board")
    umpire = make_umpire(table.session.tournament)
    client.force_login(umpire)
    assert "Take the call of table 1" in page(client, "umpire_tables")
    answer = client.post(reverse("call_take", args=["spring-open", call.pk]), follow=True)
    assert "uma is there" in answer.text
    assert "An umpire is on the way." in page(client, "table_page", 1, 1)
    with pytest.raises(Refused):
        take_call(call, Actor.of(make_umpire(table.session.tournament, "una")))
    client.post(reverse("call_done", args=["spring-open", call.pk]))
    assert "Take the call" not in page(client, "umpire_tables")


def test_neither_the_tables_card_nor_another_tables_umpire_takes_a_call(table: Table) -> None:
    call = raise_call(table, SYSTEM, "tiles")
    tournament = table.session.tournament
    other = make_umpire(tournament, "una", tables=[table.session.tables.get(number=2)])
    card = make_card(tournament, 1)
    for user in (other, card):
        with pytest.raises(Forbidden):
            take_call(call, Actor.of(user))
