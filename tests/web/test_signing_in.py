"""Where signing in leads."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import PASSWORD, make_organiser, make_tournament, make_umpire, make_user

pytestmark = pytest.mark.django_db


def landed(client: Client, name: str, to: str = "") -> str:
    answer = client.post(f"/login/{to}", {"username": name, "password": PASSWORD})
    assert answer.status_code == 302
    return str(answer["Location"])


def test_an_umpire_lands_on_the_tables(client: Client) -> None:
    make_umpire(make_tournament(players=4), "uma")
    assert landed(client, "uma") == reverse("umpire_home")


def test_an_organiser_lands_on_the_tournaments(client: Client) -> None:
    make_organiser(make_tournament(players=4), "olga")
    assert landed(client, "olga") == reverse("organiser_home")


def test_somebody_without_a_role_lands_on_the_start_page(client: Client) -> None:
    make_user("nora")
    assert landed(client, "nora") == "/"


def test_who_was_on_the_way_somewhere_gets_there(client: Client) -> None:
    make_umpire(make_tournament(players=4), "uma")
    assert landed(client, "uma", "?next=/fouls/") == "/fouls/"
