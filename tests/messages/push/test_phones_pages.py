"""A phone asks to be told, over HTTP: from this site's own page, in small letters, and not without end."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament
from tests.support.push_service import Browser
from tournament.base.limits import Limit
from tournament.base.models.tournament import Tournament
from tournament.messages.push import services
from tournament.messages.push import views as phones
from tournament.messages.push.keys import public_key
from tournament.messages.push.models import Phone

MINE = Browser("https://push.example.org").as_json
ADDRESS = "/t/spring-open/players/1/phone/"


@pytest.fixture(autouse=True)
def nobody_has_asked() -> None:
    make_tournament()


def ask(
    data: Any = MINE,
    method: str = "post",
    site: str | None = "same-origin",
    at: str = "127.0.0.1",
    **more: str,
) -> Any:
    """What a browser gets that has loaded the player's page."""
    headers = ({} if site is None else {"Sec-Fetch-Site": site}) | more
    body = data if isinstance(data, (str, bytes)) else json.dumps(data)
    send = getattr(Client(enforce_csrf_checks=True, REMOTE_ADDR=at), method)
    return send(ADDRESS, body, content_type="application/json", headers=headers)


def test_a_visitor_subscribes_in_their_language_and_unsubscribes() -> None:
    assert ask(**{"Accept-Language": "zh-TW"}).status_code == 204
    phone = Phone.objects.get()
    assert (phone.endpoint, phone.language, phone.site) == (MINE["endpoint"], "zh-hant", "testserver")
    assert ask(method="delete").status_code == 204
    assert not Phone.objects.exists()


def test_the_public_key_needs_no_sign_in_and_a_player(client: Client) -> None:
    answer = Client().get(ADDRESS)
    assert answer.json() == {"key": public_key()}
    assert "no-store" in answer["Cache-Control"]
    assert client.get("/t/spring-open/players/99/phone/").status_code == 404


def test_requests_from_other_sites_are_refused() -> None:
    for method, count in (("post", 0), ("delete", 1)):
        for site in (None, "cross-site", "same-site", "none"):
            assert ask(method=method, site=site).status_code == 403, site
        assert Phone.objects.count() == count
        ask()


def test_an_invalid_subscription_is_refused() -> None:
    subscriptions: dict[str, Any] = {
        **{repr(body): body for body in ("", "{", "[]", "null", "3", '"text"', "{}", b"\xff")},
        "nested deep": "[" * 4000,
        "no keys": MINE | {"keys": None},
        "keys that are no texts": MINE | {"keys": {"p256dh": 3, "auth": []}},
        "a list of endpoints": MINE | {"endpoint": ["https://push.example.org"]},
        "an endpoint beyond ASCII": MINE | {"endpoint": "https://пуш.example.org/"},
        "too large": MINE | {"more": "x" * phones.MAX_BODY_BYTES},
    }
    assert [name for name, data in subscriptions.items() if ask(data).status_code != 400] == []
    unknown = ask(MINE | {"endpoint": "https://192.168.1.1/"})
    assert unknown.status_code == 409
    assert "uses an unknown notification service." in unknown.json()["problem"]
    assert not Phone.objects.exists()


@pytest.mark.parametrize("limit", ["NEW_PHONES_PER_ADDRESS", "NEW_PHONES_PER_PLAYER"])
def test_new_phones_are_limited_per_address(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same phone again is none more, and who asks elsewhere is not turned away with them."""
    monkeypatch.setattr(services, limit, Limit("phones", maximum=2, within=600))
    browsers = [Browser("https://push.example.org", str(number)).as_json for number in range(3)]
    assert [ask(data).status_code for data in (*browsers[:2], *browsers)] == [204] * 4 + [429]
    assert ask(browsers[2]).json()["problem"] == "Too many requests from phones here. Try again later."
    assert ask(browsers[2], at="192.0.2.9").status_code == 204


def test_phones_of_a_private_tournament_can_unsubscribe_but_not_subscribe(client: Client) -> None:
    ask()
    Tournament.objects.update(is_public=False)
    assert client.get(ADDRESS).status_code == 404
    assert (ask().status_code, ask(method="delete").status_code) == (404, 204)
    assert not Phone.objects.exists()


def test_subscriptions_are_in_no_page_log_or_api(client: Client) -> None:
    """The page is kept for everybody: with phones and without it is the same."""
    before = client.get("/t/spring-open/players/1/")
    ask()
    after = client.get("/t/spring-open/players/1/")
    assert (before.content, before["ETag"]) == (after.content, after["ETag"])
    assert 'data-page="/t/spring-open/players/1/"' in after.text
    assert not after.cookies
    client.force_login(make_organiser(Tournament.objects.get()))
    api = "/api/v1/tournaments/spring-open/"
    for page in (api, f"{api}players/", reverse("organiser_log", args=["spring-open"])):
        assert "push.example.org" not in client.get(page).text, page


def test_the_players_page_is_an_app_with_manifest_and_worker(client: Client) -> None:
    answer = client.get(reverse("push_worker"))
    assert reverse("push_worker") == "/t/push-worker.js"
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    assert "Service-Worker-Allowed" not in answer
    assert 'href="/t/spring-open/players/1/home.webmanifest"' in client.get("/t/spring-open/players/1/").text
    answer = client.get("/t/spring-open/players/1/home.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    about = json.loads(answer.content)
    assert (about["start_url"], about["display"]) == ("/t/spring-open/players/1/", "standalone")
    assert about["name"] == "Mātīss Bērziņš · Spring Open"
    assert client.get("/t/spring-open/players/99/home.webmanifest").status_code == 404
