"""Passes by REST: made with links that are told once, renewed and taken back."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of, codes_of
from tests.support.factories import make_organiser, make_tournament, make_umpire
from tournament.models import Pass, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=2, running=0)


@pytest.fixture
def organiser(event: Tournament) -> APIClient:
    return client_of(make_organiser(event))


def address(event: Tournament, more: str = "") -> str:
    return f"{ROOT}{event.slug}/passes/{more}"


def in_days(days: int) -> str:
    return (timezone.localdate() + timedelta(days=days)).isoformat()


def make(client: APIClient, event: Tournament, **body: Any) -> Any:
    return client.post(address(event), {"expires_on": in_days(0), **body}, format="json")


def opens(link: str) -> bool:
    return Client().get(urlsplit(link).path).status_code == 302


def test_cards_and_links_are_made_and_their_tokens_told_once(organiser: APIClient, event: Tournament) -> None:
    answer = make(organiser, event, tables=[2, 1], umpires=[{"name": "Uma", "sessions": [2]}])
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    made = answer.json()
    assert [(one["label"], one["table_number"], one["sessions"]) for one in made] == [
        ("Table 1", 1, []),
        ("Table 2", 2, []),
        ("Uma", None, [2]),
    ]
    assert all(opens(one["link"]) and one["token"] in one["link"] for one in made)
    listed = organiser.get(address(event))
    assert {one["id"] for one in listed.json()} == {one["id"] for one in made}
    assert not any(one["token"] in listed.content.decode() for one in made)


def test_a_lost_card_gets_a_new_link(organiser: APIClient, event: Tournament) -> None:
    (old,) = make(organiser, event, tables=[1]).json()
    new = organiser.post(address(event, f"{old['id']}/renewal/")).json()
    assert (opens(old["link"]), opens(new["link"]), new["label"]) == (False, True, "Table 1")


def test_one_is_taken_back_then_all(organiser: APIClient, event: Tournament) -> None:
    first, second, third = make(organiser, event, tables=[1, 2], umpires=[{"name": "Uma"}]).json()
    assert organiser.delete(address(event, f"{first['id']}/")).status_code == 204
    assert [opens(one["link"]) for one in (first, second, third)] == [False, True, True]
    assert organiser.delete(address(event)).status_code == 204
    assert organiser.get(address(event)).json() == []
    assert not opens(third["link"])
    assert organiser.post(address(event, f"{first['id']}/renewal/")).status_code == 404


def test_only_organisers_have_to_do_with_passes(organiser: APIClient, event: Tournament) -> None:
    (made,) = make(organiser, event, tables=[1]).json()
    umpire = client_of(make_umpire(event))
    for answer in (
        umpire.get(address(event)),
        make(umpire, event, tables=[1]),
        umpire.delete(address(event)),
        umpire.delete(address(event, f"{made['id']}/")),
        umpire.post(address(event, f"{made['id']}/renewal/")),
    ):
        assert answer.status_code == 403
    assert opens(made["link"])


@pytest.mark.parametrize(
    "wrong",
    [{"expires_on": "soon"}, {"tables": [10**30]}, {"umpires": {"name": "x"}}, {"umpires": [{"name": ""}]}],
)
def test_what_cannot_be_read_is_refused(organiser: APIClient, event: Tournament, wrong: Any) -> None:
    assert make(organiser, event, **({"tables": [1]} | wrong)).status_code == 400
    assert not Pass.objects.exists()


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ({}, ["tables_not_named"]),
        ({"tables": [1, 9]}, ["no_such_table"]),
        ({"umpires": [{"name": "Uma", "sessions": [3]}]}, ["no_such_session"]),
        ({"tables": [1], "expires_on": "2020-01-01"}, ["pass_already_over"]),
        ({"tables": [1], "expires_on": "9999-12-31"}, ["line_far_from_the_days"]),
    ],
)
def test_what_cannot_be_done_says_why(
    organiser: APIClient, event: Tournament, body: Any, codes: list[str]
) -> None:
    assert codes_of(make(organiser, event, **body)) == codes
    assert not Pass.objects.exists()
