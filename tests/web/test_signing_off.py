"""Signing off over HTTP: on the desk, and what the board and the hall see of it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.support.closing import players_at
from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire, record, wash_out
from tests.web.test_umpire_desk import post
from tournament.api.addresses import url_of as address
from tournament.models import Table, Tournament
from tournament.services.signing import sign
from tournament.services.tables import hand_in


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(running=(16, 2, 0, 0))


@pytest.fixture
def table(tournament: Tournament) -> Table:
    return tournament.sessions.get(number=1).tables.get(number=1)


@pytest.fixture
def umpire(tournament: Tournament) -> User:
    return make_umpire(tournament)


def first_player(table: Table) -> int:
    return players_at(table)[0]


def test_the_desk_collects_signatures_and_gives_them_back(client: Client, umpire: User, table: Table) -> None:
    client.force_login(umpire)
    player = first_player(table)

    def signed(answer: dict[str, Any]) -> list[int]:
        return [seat["player"] for seat in answer["state"]["seats"] if seat["signed"]]

    body = {"table_version": table.version}
    assert signed(post(client, table, "api_signature", body, player=player).json()) == [player]
    assert signed(post(client, table, "api_signature", body, "delete", player=player).json()) == []
    assert post(client, table, "api_signature", body, player=99).status_code == 422


def test_a_changed_sheet_voids_signatures(client: Client, umpire: User, tournament: Tournament) -> None:
    client.force_login(umpire)
    table = tournament.sessions.get(number=1).tables.get(number=2)
    seen, player = table.version, first_player(table)
    sign(table, SYSTEM, player)
    record(table, wash_out())
    answer = post(client, table, "api_signature", {"table_version": seen}, player=player)
    assert (answer.status_code, answer.json()["state"]["played"]) == (409, 3)
    seats = client.get(address("api_desk", table)).json()["state"]["seats"]
    reasons = [seat["unsigned_because"] for seat in seats if seat["player"] == player]
    assert reasons == ["the sheet changed"]


def test_pages_of_staff_count_signatures(
    client: Client, umpire: User, tournament: Tournament, table: Table
) -> None:
    pages = ((make_organiser(tournament), "organiser_board"), (umpire, "umpire_tables"))
    for user, page in pages:
        client.force_login(user)
        assert "of 4 signed" not in client.get(reverse(page, args=[tournament.slug])).text
    sign(table, SYSTEM, first_player(table))
    for user, page in pages:
        client.force_login(user)
        assert "1 of 4 signed" in client.get(reverse(page, args=[tournament.slug])).text


def test_the_public_sheet_names_who_signed_and_who_did_not(client: Client, table: Table) -> None:
    page = reverse("table_page", args=[table.session.tournament.slug, 1, table.number])
    assert "Signatures" not in client.get(page).text
    hand_in(table, SYSTEM)
    assert "No player has signed." in client.get(page).text
    sign(table, SYSTEM, first_player(table))
    text = client.get(page).text
    assert "Signed:" in text
    assert "Not signed:" in text
