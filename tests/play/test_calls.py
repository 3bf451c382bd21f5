"""Calling an umpire: from a phone, within limits; the bar above the pages of who answers; one who takes it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, make_card, make_organiser, make_tournament, make_umpire
from tests.support.pages import missing, page_text
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.play.models import Call
from tournament.play.services.sessions import close_session, end_call, raise_call, take_call
from tournament.play.services.tables import hand_in


@pytest.fixture
def table() -> Table:
    return make_tournament(running=2).sessions.get(number=1).tables.get(number=1)


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
    assert "Take the call of table 1" in page_text(client, "umpire_tables")
    answer = client.post(reverse("call_take", args=["spring-open", call.pk]), follow=True)
    assert "uma is there" in answer.text
    assert "An umpire is on the way." in page_text(client, "table_page", 1, 1)
    with pytest.raises(Refused):
        take_call(call, Actor.of(make_umpire(table.session.tournament, "una")))
    client.post(reverse("call_done", args=["spring-open", call.pk]))
    assert "Take the call" not in page_text(client, "umpire_tables")


@pytest.fixture
def calling() -> Tournament:
    tournament = make_tournament(running=0)
    raise_call(table_at(2), SYSTEM, "claim")
    return tournament


def table_at(number: int) -> Table:
    return Table.objects.select_related("session__tournament").get(session__number=1, number=number)


def bar(client: Client) -> str:
    return client.get(reverse("call_bar")).text


def test_every_page_but_a_projector_has_a_place_for_it(client: Client, calling: Tournament) -> None:
    pages = [reverse(name) for name in ("calculator", "foul_book", "home")]
    assert [page for page in pages if "call-bar" in client.get(page).text] == []
    client.force_login(make_umpire(calling))
    place = f'data-calls="{reverse("call_bar")}"'
    assert [page for page in pages if place not in client.get(page).text] == []
    client.force_login(make_organiser(calling))
    assert "call-bar" not in client.get(reverse("screen", args=[calling.slug, "main"])).text


def test_it_is_above_the_pages_of_who_answers_it(client: Client, calling: Tournament) -> None:
    assert "Table 2" not in bar(client)
    client.force_login(make_card(calling, 2))
    assert [text for text in ("Table 2", calling.slug) if text in bar(client)] == []
    client.force_login(make_umpire(calling, "una", tables=[table_at(1)]))
    assert "Table 2" not in bar(client)
    client.force_login(make_umpire(calling))
    text = bar(client)
    calls, halls = f"/v1/tournaments/{calling.slug}/calls/", f'data-halls="{calling.slug} "'
    assert missing(text, "Table 2", "disputed claim", calls, halls) == []
    take_call(table_at(2).calls.get(), SYSTEM)
    client.force_login(make_organiser(calling))
    assert "Table 2" not in bar(client), "it is gone for all"
