"""Headers of the standards in the place of fields of the body."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import make_tournament, make_umpire
from tournament.models import Table, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=4, sessions=1, running=1)


def umpire(event: Tournament) -> Client:
    found = Client()
    found.force_login(make_umpire(event), "django.contrib.auth.backends.ModelBackend")
    return found


def washed_out(client: Client, event: Tournament, number: int = 0, **headers: str) -> Any:
    table = Table.objects.get(session__tournament=event, number=1)
    return client.post(
        f"/api/v1/tournaments/{event.slug}/sessions/1/tables/1/hands/",
        {"number": number or table.hands_played + 1, "outcome": "draw"},
        content_type="application/json",
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def version(event: Tournament) -> int:
    return Table.objects.get(session__tournament=event, number=1).version


def test_a_hand_that_is_sent_again_with_the_same_key_is_the_same(event: Tournament) -> None:
    client, key = umpire(event), f'"{uuid4()}"'
    table = Table.objects.get(session__tournament=event, number=1)
    number = table.hands_played + 1
    answers = [washed_out(client, event, number, Idempotency_Key=key).status_code for _time in range(2)]
    assert answers == [201, 201]
    assert table.hands.count() == number


def test_a_key_that_is_no_uuid_is_said_to_be_none(event: Tournament) -> None:
    answer = washed_out(umpire(event), event, Idempotency_Key="again")
    assert (answer.status_code, answer.json()["problems"][0]["where"]) == (400, "uuid")


def test_what_was_seen_before_is_not_written_over(event: Tournament) -> None:
    client, seen = umpire(event), str(version(event))
    first = washed_out(client, event, Idempotency_Key=str(uuid4()), If_Match=f'"{seen}"')
    late = washed_out(client, event, Idempotency_Key=str(uuid4()), If_Match=f'"{seen}"')
    assert (first.status_code, late.status_code) == (201, 412)
    assert late.json()["table_version"] == version(event)


def test_any_version_matches_a_star(event: Tournament) -> None:
    answer = washed_out(umpire(event), event, Idempotency_Key=str(uuid4()), If_Match="*")
    assert answer.status_code == 201
