"""A call is above every page of whoever answers it, and of nobody else."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_card, make_organiser, make_tournament, make_umpire
from tournament.models import Membership, Table, Tournament
from tournament.services.calls import raise_call, take_call

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Tournament:
    made = make_tournament(running=0)
    raise_call(table(2), SYSTEM, "claim")
    return made


def table(number: int) -> Table:
    return Table.objects.select_related("session__tournament").get(session__number=1, number=number)


def bar(client: Client) -> str:
    return client.get(reverse("call_bar")).text


def test_it_says_where_and_what_about_and_takes_it_in_a_tap(client: Client, hall: Tournament) -> None:
    client.force_login(make_umpire(hall))
    text = bar(client)
    assert [
        said in text for said in ("Table 2", "disputed claim", f"/v1/tournaments/{hall.slug}/calls/")
    ] == [True] * 3
    assert f'data-halls="{hall.slug} "' in text


def test_once_somebody_has_taken_it_it_is_gone_for_all(client: Client, hall: Tournament) -> None:
    client.force_login(make_organiser(hall))
    take_call(table(2).calls.get(), SYSTEM)
    assert "Table 2" not in bar(client)


@pytest.mark.parametrize("name", ["calculator", "foul_book", "home"])
def test_every_page_of_who_is_signed_in_has_a_place_for_it(
    client: Client, hall: Tournament, name: str
) -> None:
    assert "call-bar" not in client.get(reverse(name)).text
    client.force_login(make_umpire(hall))
    assert f'data-calls="{reverse("call_bar")}"' in client.get(reverse(name)).text


def test_a_projector_shows_none(client: Client, hall: Tournament) -> None:
    client.force_login(make_organiser(hall))
    assert "call-bar" not in client.get(reverse("screen", args=[hall.slug, "main"])).text


def test_a_visitor_a_card_and_an_umpire_of_another_table_hear_nothing(
    client: Client, hall: Tournament
) -> None:
    assert "Table 2" not in bar(client)
    client.force_login(make_card(hall, 2))
    assert [said in bar(client) for said in ("Table 2", hall.slug)] == [False, False]
    other = make_umpire(hall, "una")
    Membership.objects.get(user=other).tables.add(table(1))
    Membership.objects.filter(user=other).update(everywhere=False)
    client.force_login(other)
    assert "Table 2" not in bar(client)
