"""How many statements the database is asked at the desk: a hall ends its hands a hundred times in the same minute."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.factories import make_tournament
from tests.support.programs import Program
from tournament.models import Tournament

A_SAVE = 12
"""Beside the beginning and the end of the transaction."""
A_TABLE = 3
"""Who asks, the table, the roles; what it says is remembered until something is written."""


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=1, running=1)


def statements_of_a_save(umpire: Program, at_table: str, number: int) -> int:
    east, south, *_ = [seat["player"] for seat in umpire.get(at_table).json()["seats"]]
    hand = {"number": number, "uuid": str(uuid4()), "outcome": "win", "points": 24}
    with CaptureQueriesContext(connection) as statements:
        answer = umpire.post(at_table + "hands/", hand | {"winner": east, "discarder": south})
    assert answer.status_code == 201, answer.json()
    around = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
    return sum(not statement["sql"].startswith(around) for statement in statements)


def test_a_hand_is_saved_in_twelve(umpire: Program, at_table: str) -> None:
    statements_of_a_save(umpire, at_table, 2)
    assert [statements_of_a_save(umpire, at_table, number) for number in (3, 4)] == [A_SAVE] * 2


def test_a_table_is_told_in_three(umpire: Program, at_table: str) -> None:
    first = umpire.get(at_table).json()
    with CaptureQueriesContext(connection) as statements:
        assert umpire.get(at_table).json() == first
    assert len(statements) == A_TABLE
