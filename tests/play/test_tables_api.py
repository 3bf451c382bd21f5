"""At a table: headers in the place of fields of the body, and how many statements the database is asked."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.factories import make_tournament
from tests.support.programs import ROOT, Program
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament

A_SAVE = 12
"""Beside the beginning and the end of the transaction."""
A_TABLE = 3
"""Who asks, the table, the roles; what it says is remembered until something is written."""


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=1, running=1)


@pytest.fixture
def table(event: Tournament) -> Table:
    return Table.objects.get(session__tournament=event, number=1)


def wash_out(umpire_client: Program, table: Table, number: int = 0, **headers: str) -> Any:
    return umpire_client.post(
        f"{ROOT}{table.session.tournament.slug}/sessions/1/tables/1/hands/",
        {"number": number or table.hands_played + 1, "outcome": "draw"},
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def test_a_hand_that_is_sent_again_with_the_same_key_is_the_same(
    umpire_client: Program, table: Table
) -> None:
    """A key that is no UUID is said to be none."""
    key, number = f'"{uuid4()}"', table.hands_played + 1
    statuses = [wash_out(umpire_client, table, number, Idempotency_Key=key).status_code for _time in range(2)]
    assert statuses == [201, 201]
    assert table.hands.count() == number
    answer = wash_out(umpire_client, table, Idempotency_Key="again")
    assert (answer.status_code, answer.json()["problems"][0]["where"]) == (400, "uuid")


def test_what_was_seen_before_is_not_written_over(umpire_client: Program, table: Table) -> None:
    seen = f'"{table.version}"'
    first = wash_out(umpire_client, table, Idempotency_Key=str(uuid4()), If_Match=seen)
    table.refresh_from_db()
    late = wash_out(umpire_client, table, Idempotency_Key=str(uuid4()), If_Match=seen)
    assert (first.status_code, late.status_code) == (201, 412)
    assert late.json()["table_version"] == table.version
    any_version = wash_out(umpire_client, table, Idempotency_Key=str(uuid4()), If_Match="*")
    assert any_version.status_code == 201


def statements_of_a_save(umpire_client: Program, table_url: str, number: int) -> int:
    east, south, *_ = [seat["player"] for seat in umpire_client.get(table_url).json()["seats"]]
    hand = {"number": number, "uuid": str(uuid4()), "outcome": "win", "points": 24}
    with CaptureQueriesContext(connection) as statements:
        answer = umpire_client.post(table_url + "hands/", hand | {"winner": east, "discarder": south})
    assert answer.status_code == 201, answer.json()
    around = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
    return sum(not statement["sql"].startswith(around) for statement in statements)


def test_a_hand_is_saved_in_twelve_statements_and_a_table_told_in_three(
    umpire_client: Program, table_url: str
) -> None:
    """A hall ends its hands a hundred times in the same minute."""
    statements_of_a_save(umpire_client, table_url, 2)
    assert [statements_of_a_save(umpire_client, table_url, number) for number in (3, 4)] == [A_SAVE] * 2
    first = umpire_client.get(table_url).json()
    with CaptureQueriesContext(connection) as statements:
        assert umpire_client.get(table_url).json() == first
    assert len(statements) == A_TABLE
