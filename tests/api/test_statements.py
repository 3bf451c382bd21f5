"""How many statements the database is asked at the desk: a hall ends its hands a hundred times in the same minute."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tests.support.factories import make_tournament, make_umpire
from tournament.models import Tournament
from tournament.services.signed_in import make_token

pytestmark = pytest.mark.django_db
A_SAVE = 12
"""Beside the beginning and the end of the transaction."""
A_TABLE = 3
"""Who asks, the table, the roles; what it says is remembered until something is written."""


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=1, running=1)


@pytest.fixture
def program(event: Tournament) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {make_token(make_umpire(event, 'uma'))[1]}")
    return client


def save(event: Tournament, program: APIClient, number: int) -> int:
    """Save a hand that is won; how many statements it took."""
    seats = {seat.wind: seat.player.number for seat in event.sessions.get().tables.get(number=1).seats.all()}
    hand: dict[str, Any] = {"number": number, "uuid": str(uuid4()), "outcome": "win", "points": 24}
    hand |= {"winner": seats["E"], "discarder": seats["S"]}
    with CaptureQueriesContext(connection) as asked:
        answer = program.post(
            f"/api/v1/tournaments/{event.slug}/sessions/1/tables/1/hands/", hand, format="json"
        )
    assert answer.status_code == 201, answer.json()
    return sum(not one["sql"].startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")) for one in asked)


def test_a_hand_is_saved_in_twelve(event: Tournament, program: APIClient) -> None:
    save(event, program, 2)
    assert [save(event, program, number) for number in (3, 4)] == [A_SAVE] * 2


def test_a_table_is_told_in_three(event: Tournament, program: APIClient) -> None:
    address = f"/api/v1/tournaments/{event.slug}/sessions/1/tables/1/"
    first = program.get(address).json()
    with CaptureQueriesContext(connection) as asked:
        assert program.get(address).json() == first
    assert len(asked) == A_TABLE
