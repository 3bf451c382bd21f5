"""Headers of the standards in the place of fields of the body."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import make_tournament
from tests.support.programs import ROOT, Program
from tournament.models import Table, Tournament


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=4, sessions=1, running=1)


@pytest.fixture
def table(event: Tournament) -> Table:
    return Table.objects.get(session__tournament=event, number=1)


def wash_out(umpire: Program, table: Table, number: int = 0, **headers: str) -> Any:
    return umpire.post(
        f"{ROOT}{table.session.tournament.slug}/sessions/1/tables/1/hands/",
        {"number": number or table.hands_played + 1, "outcome": "draw"},
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def test_a_hand_that_is_sent_again_with_the_same_key_is_the_same(umpire: Program, table: Table) -> None:
    key, number = f'"{uuid4()}"', table.hands_played + 1
    statuses = [wash_out(umpire, table, number, Idempotency_Key=key).status_code for _time in range(2)]
    assert statuses == [201, 201]
    assert table.hands.count() == number


def test_a_key_that_is_no_uuid_is_said_to_be_none(umpire: Program, table: Table) -> None:
    answer = wash_out(umpire, table, Idempotency_Key="again")
    assert (answer.status_code, answer.json()["problems"][0]["where"]) == (400, "uuid")


def test_what_was_seen_before_is_not_written_over(umpire: Program, table: Table) -> None:
    seen = f'"{table.version}"'
    first = wash_out(umpire, table, Idempotency_Key=str(uuid4()), If_Match=seen)
    table.refresh_from_db()
    late = wash_out(umpire, table, Idempotency_Key=str(uuid4()), If_Match=seen)
    assert (first.status_code, late.status_code) == (201, 412)
    assert late.json()["table_version"] == table.version
    any_version = wash_out(umpire, table, Idempotency_Key=str(uuid4()), If_Match="*")
    assert any_version.status_code == 201
