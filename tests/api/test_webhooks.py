"""Webhooks by program: the same steps as on the page, the secret told once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of
from tests.support.factories import make_organiser, make_tournament, make_umpire
from tournament.models import Delivery, Tournament, Webhook

pytestmark = pytest.mark.django_db

WISH = {
    "name": "hall lights",
    "target": "https://lights.example.org/hook",
    "kinds": ["session.started", "session.ended"],
}


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=0)


@pytest.fixture
def at(event: Tournament) -> str:
    return f"{ROOT}{event.slug}/webhooks/"


@pytest.fixture
def organiser(event: Tournament) -> APIClient:
    return client_of(make_organiser(event))


def add(organiser: APIClient, at: str, **more: Any) -> Any:
    return organiser.post(at, WISH | more, format="json")


def test_the_secret_is_told_once(organiser: APIClient, at: str) -> None:
    made = add(organiser, at)
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    assert made.headers["Cache-Control"] == "no-store"
    assert "secret" not in organiser.get(made.json()["url"]).json()
    assert [one["name"] for one in organiser.get(at).json()] == ["hall lights"]


def test_everything_wrong_is_said_at_once(organiser: APIClient, at: str) -> None:
    answer = add(organiser, at, target="http://10.0.0.1/", kinds=[], format="telegram")
    assert answer.status_code == 422
    assert {one["code"] for one in answer.json()["problems"]} == {
        *("webhook_not_https", "webhook_kinds_missing", "webhook_chat_missing"),
    }


def test_it_is_changed_paused_resumed_and_removed(organiser: APIClient, at: str) -> None:
    url = add(organiser, at).json()["url"]
    assert organiser.put(url, WISH | {"format": "slack"}, format="json").json()["format"] == "slack"
    assert organiser.post(f"{url}steps/", {"step": "pause"}, format="json").json()["paused"] == "hand"
    assert organiser.post(f"{url}steps/", {"step": "resume"}, format="json").json()["paused"] == ""
    assert organiser.delete(url).status_code == 204
    assert not Webhook.objects.exists()


def test_the_same_test_twice_is_one_message(organiser: APIClient, at: str) -> None:
    url, key = add(organiser, at).json()["url"], str(uuid4())
    for _again in range(2):
        sent = organiser.post(f"{url}test/", {"key": key}, format="json").json()
    (listed,) = organiser.get(f"{url}deliveries/").json()
    assert (listed["key"], listed["state"], listed) == (key, "waiting", sent)


def test_a_message_is_sent_again(organiser: APIClient, at: str) -> None:
    url = add(organiser, at).json()["url"]
    key = organiser.post(f"{url}test/", {}, format="json").json()["key"]
    Delivery.objects.update(state=Delivery.State.FAILED, tries=3)
    again = organiser.post(f"{url}deliveries/{key}/again/").json()
    assert (again["state"], again["tries"], again["key"]) == ("waiting", 0, key)


def test_a_new_secret_leaves_the_old_one_good_for_a_while(organiser: APIClient, at: str) -> None:
    made = add(organiser, at).json()
    renewed = organiser.post(f"{made['url']}secret/").json()
    assert renewed["secret"] != made["secret"]
    assert renewed["old_secret_until"] is not None


def test_an_umpire_is_told_of_none(event: Tournament, at: str) -> None:
    assert client_of(make_umpire(event)).get(at).status_code == 403
