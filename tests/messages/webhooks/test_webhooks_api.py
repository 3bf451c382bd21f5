"""Webhooks by program: the same steps as on the page, the secret told once."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.programs import Program, codes_of
from tournament.base.models.tournament import Tournament
from tournament.messages.webhooks.models import Delivery, Webhook

PATH = "webhooks/"


LIGHTS = {
    "name": "hall lights",
    "target": "https://lights.example.org/hook",
    "kinds": ["session.started", "session.ended"],
}


@pytest.fixture
def event(running_event: Tournament) -> Tournament:
    return running_event


@pytest.fixture
def added(organiser_client: Program, base_url: str) -> Any:
    return organiser_client.post(base_url, LIGHTS)


@pytest.fixture
def url(added: Any) -> str:
    return str(added.json()["url"])


def test_the_secret_is_told_once(organiser_client: Program, base_url: str, added: Any, url: str) -> None:
    assert (added.status_code, added.headers["Cache-Control"]) == (201, "no-store")
    assert added.json()["secret"].startswith("whsec_")
    assert "secret" not in organiser_client.get(url).json()
    assert [webhook["name"] for webhook in organiser_client.get(base_url).json()] == ["hall lights"]
    renewed = organiser_client.post(f"{url}secret/").json()
    assert renewed["secret"] != added.json()["secret"]
    assert renewed["old_secret_until"] is not None, "the old one is good for a while"


def test_everything_wrong_is_said_at_once(organiser_client: Program, base_url: str) -> None:
    answer = organiser_client.post(
        base_url, LIGHTS | {"target": "http://10.0.0.1/", "kinds": [], "format": "telegram"}
    )
    assert answer.status_code == 422
    assert set(codes_of(answer)) == {"webhook_not_https", "webhook_kinds_missing", "webhook_chat_missing"}


def test_it_is_changed_paused_resumed_and_removed(organiser_client: Program, url: str) -> None:
    assert organiser_client.put(url, LIGHTS | {"format": "slack"}).json()["format"] == "slack"
    assert organiser_client.post(f"{url}steps/", {"step": "pause"}).json()["paused"] == "hand"
    assert organiser_client.post(f"{url}steps/", {"step": "resume"}).json()["paused"] == ""
    assert organiser_client.delete(url).status_code == 204
    assert not Webhook.objects.exists()


def test_the_same_test_twice_is_one_message_that_is_sent_again(organiser_client: Program, url: str) -> None:
    key = str(uuid4())
    _, sent = (organiser_client.post(f"{url}test/", {"key": key}).json() for _again in range(2))
    (listed,) = organiser_client.get(f"{url}deliveries/").json()
    assert (listed["key"], listed["state"], listed) == (key, "waiting", sent)
    Delivery.objects.update(state=Delivery.State.FAILED, tries=3)
    again = organiser_client.post(f"{url}deliveries/{key}/again/").json()
    assert (again["state"], again["tries"], again["key"]) == ("waiting", 0, key)
