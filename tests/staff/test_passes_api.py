"""Passes by REST: made with links that are told once, renewed and taken back."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from tests.support.factories import make_tournament
from tests.support.programs import Program, codes_of
from tournament.base.models.tournament import Pass, Tournament

PATH = "passes/"


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=2, running=0)


def make(client: Program, base_url: str, **body: Any) -> Any:
    return client.post(base_url, {"expires_on": timezone.localdate().isoformat(), **body})


def opens(link: str) -> bool:
    return Client().get(urlsplit(link).path).status_code == 302


def test_cards_and_links_are_made_and_their_tokens_told_once(
    organiser_client: Program, base_url: str
) -> None:
    answer = make(organiser_client, base_url, tables=[2, 1], umpires=[{"name": "Uma", "sessions": [2]}])
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    passes = answer.json()
    assert [(card["label"], card["table_number"], card["sessions"]) for card in passes] == [
        ("Table 1", 1, []),
        ("Table 2", 2, []),
        ("Uma", None, [2]),
    ]
    assert all(opens(card["link"]) and card["token"] in card["link"] for card in passes)
    listed = organiser_client.get(base_url)
    assert {card["id"] for card in listed.json()} == {card["id"] for card in passes}
    assert not any(card["token"] in listed.text for card in passes)


def test_a_lost_card_gets_a_new_link_and_one_is_taken_back_then_all(
    organiser_client: Program, base_url: str
) -> None:
    (old,) = make(organiser_client, base_url, tables=[1]).json()
    new = organiser_client.post(f"{base_url}{old['id']}/renewal/").json()
    assert (opens(old["link"]), opens(new["link"]), new["label"]) == (False, True, "Table 1")
    assert organiser_client.delete(base_url).status_code == 204
    first, second, third = make(organiser_client, base_url, tables=[1, 2], umpires=[{"name": "Uma"}]).json()
    assert organiser_client.delete(f"{base_url}{first['id']}/").status_code == 204
    assert [opens(card["link"]) for card in (first, second, third)] == [False, True, True]
    assert organiser_client.delete(base_url).status_code == 204
    assert organiser_client.get(base_url).json() == []
    assert not opens(third["link"])
    assert organiser_client.post(f"{base_url}{first['id']}/renewal/").status_code == 404


def test_what_cannot_be_read_or_done_is_refused(organiser_client: Program, base_url: str) -> None:
    unreadable: tuple[Any, ...] = ({"expires_on": "soon"}, {"tables": [10**30]}, {"umpires": [{"name": ""}]})
    for body in unreadable:
        assert make(organiser_client, base_url, **({"tables": [1]} | body)).status_code == 400, body
    impossible: tuple[tuple[Any, str], ...] = (
        ({}, "tables_not_named"),
        ({"tables": [1, 9]}, "no_such_table"),
        ({"umpires": [{"name": "Uma", "sessions": [3]}]}, "no_such_session"),
        ({"tables": [1], "expires_on": "2020-01-01"}, "pass_already_over"),
    )
    for body, code in impossible:
        assert codes_of(make(organiser_client, base_url, **body)) == [code], body
    assert not Pass.objects.exists()
