"""A call is above every page of whoever answers it, and of nobody else."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_card, make_organiser, make_tournament, make_umpire
from tournament.models import Table, Tournament
from tournament.services.calls import raise_call, take_call


@pytest.fixture
def hall() -> Tournament:
    made = make_tournament(running=0)
    raise_call(table(2), SYSTEM, "claim")
    return made


def table(number: int) -> Table:
    return Table.objects.select_related("session__tournament").get(session__number=1, number=number)


def bar(client: Client) -> str:
    return client.get(reverse("call_bar")).text


def test_it_says_where_and_what_about_until_somebody_takes_it(client: Client, hall: Tournament) -> None:
    client.force_login(make_umpire(hall))
    text = bar(client)
    parts = ("Table 2", "disputed claim", f"/v1/tournaments/{hall.slug}/calls/", f'data-halls="{hall.slug} "')
    assert [part for part in parts if part not in text] == []
    take_call(table(2).calls.get(), SYSTEM)
    client.force_login(make_organiser(hall))
    assert "Table 2" not in bar(client), "it is gone for all"


def test_every_page_of_who_is_signed_in_has_a_place_for_it(client: Client, hall: Tournament) -> None:
    pages = [reverse(name) for name in ("calculator", "foul_book", "home")]
    assert [page for page in pages if "call-bar" in client.get(page).text] == []
    client.force_login(make_umpire(hall))
    place = f'data-calls="{reverse("call_bar")}"'
    assert [page for page in pages if place not in client.get(page).text] == []


def test_a_projector_shows_none(client: Client, hall: Tournament) -> None:
    client.force_login(make_organiser(hall))
    assert "call-bar" not in client.get(reverse("screen", args=[hall.slug, "main"])).text


def test_strangers_cards_and_other_umpires_hear_nothing(client: Client, hall: Tournament) -> None:
    assert "Table 2" not in bar(client)
    client.force_login(make_card(hall, 2))
    assert [text for text in ("Table 2", hall.slug) if text in bar(client)] == []
    other = make_umpire(hall, "una", tables=[table(1)])
    client.force_login(other)
    assert "Table 2" not in bar(client)
