"""An organiser's page of webhooks: added, tested, looked at, changed, paused, removed."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.support.factories import PASSWORD, make_organiser, make_tournament
from tournament.models import Delivery, Tournament, Webhook

pytestmark = pytest.mark.django_db

GIVEN = {
    "name": "Umpires’ chat",
    "format": "hule",
    "url": "https://chat.example.org/hooks/needle",
    "chat": "",
    "public": ["session.started"],
    "staff": ["umpire.called"],
    "language": "en",
}


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=0)


@pytest.fixture
def olga(event: Tournament) -> Client:
    client = Client()
    make_organiser(event)
    assert client.login(username="olga", password=PASSWORD)
    return client


@pytest.fixture
def at(event: Tournament) -> str:
    return f"/organiser/{event.slug}/webhooks/"


def test_the_secret_is_shown_once(olga: Client, at: str) -> None:
    shown = olga.post(f"{at}new/", GIVEN).content.decode()
    webhook = Webhook.objects.get()
    assert webhook.secret in shown
    assert webhook.kinds == ["umpire.called", "session.started"]
    for path in ("", "1/", "1/change/"):
        assert webhook.secret not in olga.get(f"{at}{path}").content.decode()


def test_a_chat_has_no_use_for_a_secret(olga: Client, at: str) -> None:
    assert olga.post(f"{at}new/", GIVEN | {"format": "discord"}).headers["Location"] == f"{at}1/"


def test_the_list_shows_where_it_is_and_not_what_lets_somebody_write_there(olga: Client, at: str) -> None:
    olga.post(f"{at}new/", GIVEN)
    shown = olga.get(at).content.decode()
    assert "chat.example.org" in shown
    assert "needle" not in shown


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"url": "http://chat.example.org/x"}, "has to begin with https://"),
        ({"url": "https://10.0.0.1/x"}, "leads into a private network"),
        ({"public": [], "staff": []}, "Choose at least one thing"),
        ({"format": "telegram"}, "Telegram asks for the number"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(
    olga: Client, at: str, wrong: dict[str, object], said: str
) -> None:
    answer = olga.post(f"{at}new/", GIVEN | wrong)
    assert (answer.status_code, said in answer.content.decode()) == (422, True)
    assert not Webhook.objects.exists()


def test_a_test_leads_to_its_message_with_what_was_sent(olga: Client, at: str) -> None:
    olga.post(f"{at}new/", GIVEN)
    key = "0b1c7b1e-5f4f-4c8e-9a0a-2f8b7f1f0001"
    for _press in range(2):
        answer = olga.post(f"{at}1/test/", {"key": key})
    assert answer.headers["Location"] == f"{at}1/{key}/"
    shown = olga.get(f"{at}1/{key}/").content.decode()
    assert "webhook-id: msg_0b1c7b1e" in shown
    assert "This is a test. Messages arrive here." in shown
    assert Delivery.objects.count() == 1


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("hangs", "did not answer in time"),
        ("redirect", "nobody is followed"),
        ("private", "leads into a private network"),
        ("status", "answered with an error"),
    ],
)
def test_why_a_message_did_not_arrive_is_told_in_a_sentence(
    olga: Client, at: str, fault: str, said: str
) -> None:
    olga.post(f"{at}new/", GIVEN)
    key = "0b1c7b1e-5f4f-4c8e-9a0a-2f8b7f1f0001"
    olga.post(f"{at}1/test/", {"key": key})
    Delivery.objects.update(fault=fault, tries=1, status=500)
    for path in (f"{at}1/", f"{at}1/{key}/"):
        assert said in olga.get(path).content.decode()


def test_it_is_paused_and_goes_on(olga: Client, at: str) -> None:
    olga.post(f"{at}new/", GIVEN)
    olga.post(f"{at}1/pause/")
    assert "What happens meanwhile is not told." in olga.get(f"{at}1/").content.decode()
    olga.post(f"{at}1/resume/")
    assert Webhook.objects.get().pause == ""


def test_a_new_secret_is_shown_with_how_long_the_old_one_is_good(olga: Client, at: str) -> None:
    olga.post(f"{at}new/", GIVEN)
    old = Webhook.objects.get().secret
    shown = olga.post(f"{at}1/secret/").content.decode()
    webhook = Webhook.objects.get()
    assert (webhook.old_secret, webhook.secret in shown, webhook.secret != old) == (old, True, True)
    assert "every message is signed with the old secret, too" in shown


def test_it_is_changed_and_removed(olga: Client, at: str) -> None:
    olga.post(f"{at}new/", GIVEN)
    olga.post(f"{at}1/change/", GIVEN | {"name": "Hall"})
    assert Webhook.objects.get().name == "Hall"
    olga.post(f"{at}1/remove/")
    assert not Webhook.objects.exists()


def test_a_message_of_another_event_is_not_found(olga: Client, at: str, event: Tournament) -> None:
    olga.post(f"{at}new/", GIVEN)
    olga.post(f"{at}1/test/", {"key": "0b1c7b1e-5f4f-4c8e-9a0a-2f8b7f1f0001"})
    Webhook.objects.update(tournament=make_tournament(name="Elsewhere", players=8))
    assert olga.get(f"{at}1/0b1c7b1e-5f4f-4c8e-9a0a-2f8b7f1f0001/").status_code == 404
