"""An organiser's webhooks on their page and by program: added, tested, looked at, changed, paused, removed."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import make_tournament
from tests.support.pages import missing
from tests.support.programs import Program, codes_of
from tournament.base.models.tournament import Tournament
from tournament.messages.webhooks.models import Delivery, Webhook

KEY = "0b1c7b1e-5f4f-4c8e-9a0a-2f8b7f1f0001"
GIVEN = {
    "name": "Umpires’ chat",
    "format": "hule",
    "url": "https://chat.example.org/hooks/needle",
    "chat": "",
    "public": ["session.started"],
    "staff": ["umpire.called"],
    "language": "en",
}

PATH = "webhooks/"

LIGHTS = {
    "name": "hall lights",
    "target": "https://lights.example.org/hook",
    "kinds": ["session.started", "session.ended"],
}


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=0)


@pytest.fixture
def at(event: Tournament) -> str:
    return f"/organiser/{event.slug}/webhooks/"


@pytest.fixture
def connections(event: Tournament) -> str:
    return f"/organiser/{event.slug}/settings/connections/"


@pytest.fixture
def webhook(olga: Client, connections: str) -> Webhook:
    olga.post(connections, GIVEN)
    return Webhook.objects.get()


def test_the_secret_is_shown_once_and_a_chat_has_none(olga: Client, at: str, connections: str) -> None:
    """The list shows where the webhook is and not what lets somebody write there."""
    assert olga.post(connections, GIVEN | {"format": "discord"}).headers["Location"] == f"{at}1/"
    Webhook.objects.all().delete()
    shown = olga.post(connections, GIVEN).text
    webhook = Webhook.objects.get()
    assert webhook.secret in shown
    assert webhook.kinds == ["umpire.called", "session.started"]
    assert [path for path in (connections, f"{at}1/") if webhook.secret in olga.get(path).text] == []
    listed = olga.get(connections).text
    assert "chat.example.org" in listed
    assert "needle" not in listed


def test_problems_are_shown_at_their_fields(olga: Client, connections: str) -> None:
    cases: dict[str, dict[str, object]] = {
        "must begin with https://": {"url": "http://chat.example.org/x"},
        "leads into a private network": {"url": "https://10.0.0.1/x"},
        "Choose at least one.": {"public": [], "staff": []},
        "Telegram asks for the number": {"format": "telegram"},
    }
    for sentence, wrong in cases.items():
        response = olga.post(connections, GIVEN | wrong)
        assert (response.status_code, sentence in response.text) == (422, True), sentence
    assert not Webhook.objects.exists()


@pytest.mark.usefixtures("webhook")
def test_a_test_leads_to_its_delivery(olga: Client, at: str) -> None:
    for _press in range(2):
        response = olga.post(f"{at}1/test/", {"key": KEY})
    assert response["Location"] == f"{at}1/{KEY}/"
    shown = olga.get(f"{at}1/{KEY}/").text
    assert missing(shown, "webhook-id: msg_0b1c7b1e", "This is a test. Messages arrive here.") == []
    assert Delivery.objects.count() == 1
    for fault, sentence in (
        ("hangs", "did not answer in time"),
        ("redirect", "redirects are not followed"),
        ("private", "leads into a private network"),
        ("status", "answered with an error"),
    ):
        Delivery.objects.update(fault=fault, tries=1, status=500)
        for path in (f"{at}1/", f"{at}1/{KEY}/"):
            assert sentence in olga.get(path).text, (fault, path)
    Webhook.objects.update(tournament=make_tournament(name="Elsewhere", players=8))
    assert olga.get(f"{at}1/{KEY}/").status_code == 404, "a message of another event is not found"


def test_a_webhook_is_changed_paused_renewed_and_removed(olga: Client, at: str, webhook: Webhook) -> None:
    olga.post(f"{at}1/", GIVEN | {"name": "Hall"})
    webhook.refresh_from_db()
    assert webhook.name == "Hall"
    olga.post(f"{at}1/pause/")
    assert "What happens meanwhile is not sent." in olga.get(f"{at}1/").text
    olga.post(f"{at}1/resume/")
    webhook.refresh_from_db()
    assert webhook.pause == ""
    old = webhook.secret
    shown = olga.post(f"{at}1/secret/").text
    webhook.refresh_from_db()
    assert (webhook.old_secret, webhook.secret in shown, webhook.secret != old) == (old, True, True)
    assert "every message is signed with the old secret, too" in shown
    olga.post(f"{at}1/remove/")
    assert not Webhook.objects.exists()


@pytest.fixture
def added(organiser_client: Program, base_url: str) -> Any:
    return organiser_client.post(base_url, LIGHTS)


@pytest.fixture
def url(added: Any) -> str:
    return str(added.json()["url"])


def test_the_api_returns_the_secret_once(
    organiser_client: Program, base_url: str, added: Any, url: str
) -> None:
    assert (added.status_code, added.headers["Cache-Control"]) == (201, "no-store")
    assert added.json()["secret"].startswith("whsec_")
    assert "secret" not in organiser_client.get(url).json()
    assert [webhook["name"] for webhook in organiser_client.get(base_url).json()] == ["hall lights"]
    renewed = organiser_client.post(f"{url}secret/").json()
    assert renewed["secret"] != added.json()["secret"]
    assert renewed["old_secret_until"] is not None, "the old one is good for a while"


def test_the_api_reports_problems(organiser_client: Program, base_url: str) -> None:
    """A field that does not fit is answered with 400, by the code of its model."""
    answer = organiser_client.post(base_url, LIGHTS | {"target": "http://10.0.0.1/"})
    assert (answer.status_code, codes_of(answer)) == (400, ["webhook_not_https"])
    answer = organiser_client.post(base_url, LIGHTS | {"kinds": [], "format": "telegram"})
    assert (answer.status_code, set(codes_of(answer))) == (422, {"value_missing", "webhook_chat_missing"})


def test_the_api_changes_pauses_resumes_and_removes(organiser_client: Program, url: str) -> None:
    assert organiser_client.put(url, LIGHTS | {"format": "slack"}).json()["format"] == "slack"
    assert organiser_client.post(f"{url}steps/", {"step": "pause"}).json()["paused"] == "hand"
    assert organiser_client.post(f"{url}steps/", {"step": "resume"}).json()["paused"] == ""
    assert organiser_client.delete(url).status_code == 204
    assert not Webhook.objects.exists()


def test_a_test_is_idempotent_and_can_be_sent_again(organiser_client: Program, url: str) -> None:
    key = str(uuid4())
    _, sent = (organiser_client.post(f"{url}test/", {"key": key}).json() for _again in range(2))
    (listed,) = organiser_client.get(f"{url}deliveries/").json()
    assert (listed["key"], listed["state"], listed) == (key, "waiting", sent)
    Delivery.objects.update(state=Delivery.State.FAILED, tries=3)
    again = organiser_client.post(f"{url}deliveries/{key}/again/").json()
    assert (again["state"], again["tries"], again["key"]) == ("waiting", 0, key)
