"""A player's phone: asked for once, told while the page is closed, and stopped at once.

Chromium without Google's own service gives out no subscription, so that one part of it is played: everything else (the
permission, the worker, the server, the messages shown) is the real one.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import ARGUMENTS, PHONE, House, Window
from tests.conftest import chromium
from tests.support.push_service import Browser as Subscribed

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

MAKE = """
from tests.support.factories import make_tournament
make_tournament()
"""
ASKED = """
from tournament.messages.push.models import Phone
print([(phone.endpoint, phone.language) for phone in Phone.objects.all()])
"""
MINE = Subscribed("https://push.example.org", "mine").as_json
GIVEN = """
const stop = async () => { localStorage.removeItem("subscription"); return true; };
const subscriptionOf = (data) => ({ ...data, toJSON: () => data, unsubscribe: stop });
PushManager.prototype.getSubscription = async function () {
  const stored = localStorage.getItem("subscription");
  return stored && subscriptionOf(JSON.parse(stored));
};
PushManager.prototype.subscribe = async function (options) {
  if (!options.userVisibleOnly || options.applicationServerKey.length !== 65) throw new Error("no key");
  localStorage.setItem("subscription", JSON.stringify(MINE));
  return subscriptionOf(MINE);
};
""".replace("MINE", json.dumps(MINE))
PLAYER = "/t/spring-open/players/1/"


@pytest.fixture(scope="module")
def browser(browser: Browser) -> Iterator[Browser]:
    """Start the whole browser: the headless one takes no notifications."""
    path = chromium(("chromium", "google-chrome"))
    assert path, "install chromium or set CHROMIUM to its path"
    with browser.browser_type.launch(executable_path=path, args=ARGUMENTS) as whole:
        yield whole


@pytest.fixture(scope="module", autouse=True)
def _tournament(house: House) -> None:
    house.place.run(MAKE)


@pytest.fixture
def phone(house: House, browser: Browser) -> Iterator[Window]:
    with house.open(browser, PHONE, workers=True) as window:
        window.context.grant_permissions(["notifications"], origin=house.url)
        window.context.add_init_script(GIVEN)
        yield window
        assert window.faults == []


def tell(page: Page) -> None:
    page.goto(PLAYER)
    page.get_by_role("button", name="Notify me on this phone").click()
    expect(page.get_by_text("This phone receives notifications about Mātīss Bērziņš.")).to_be_visible()


def test_a_phone_gets_messages_until_it_unsubscribes(house: House, phone: Window) -> None:
    page = phone.page
    tell(page)
    assert MINE["endpoint"] in house.place.run(ASKED)
    page.reload()
    expect(page.get_by_role("button", name="Stop notifications")).to_be_visible()
    page.get_by_role("button", name="Stop notifications").click()
    expect(page.get_by_role("button", name="Notify me on this phone")).to_be_visible()
    assert house.place.run(ASKED).strip() == "[]"
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


def test_the_subscription_follows_the_language_of_the_page(house: House, phone: Window) -> None:
    tell(phone.page)
    phone.context.add_cookies([{"name": "django_language", "value": "zh-hans", "url": house.url}])
    with phone.page.expect_response("**/phone/"):
        phone.page.reload()
    assert "zh-hans" in house.place.run(ASKED)
    phone.page.get_by_role("button", name="不再通知").click()
    expect(phone.page.get_by_role("button", name="在这部手机上通知我")).to_be_visible()


def test_the_shown_state_survives_a_refresh_of_the_page(house: House, phone: Window) -> None:
    tell(phone.page)
    house.place.run(
        "from tests.support.factories import SYSTEM\n"
        "from tournament.base.models.play import Session\n"
        "from tournament.play.services.sessions import start_session\n"
        "start_session(Session.objects.get(number=1), SYSTEM)"
    )
    expect(phone.page.get_by_text("Now: session 1")).to_be_visible()
    expect(phone.page.get_by_role("button", name="Stop notifications")).to_be_visible()
    expect(phone.page.get_by_role("button", name="Notify me on this phone")).to_be_hidden()
    phone.page.get_by_role("button", name="Stop notifications").click()
    expect(phone.page.get_by_role("button", name="Notify me on this phone")).to_be_visible()


def test_the_worker_shows_the_message(house: House, phone: Window) -> None:
    tell(phone.page)
    line = phone.context.new_cdp_session(phone.page)
    registered: list[dict[str, Any]] = []
    line.on(
        "ServiceWorker.workerRegistrationUpdated", lambda event: registered.extend(event["registrations"])
    )
    line.send("ServiceWorker.enable")
    note = {
        "title": "Session 3 begins: table 5, East",
        "body": "With …",
        "path": PLAYER,
        "tag": "seat",
        "lang": "en",
    }
    phone.page.wait_for_timeout(200)
    (mine,) = [each for each in registered if each["scopeURL"].endswith(PLAYER)]
    message = {"origin": house.url, "registrationId": mine["registrationId"], "data": json.dumps(note)}
    line.send("ServiceWorker.deliverPushMessage", message)
    phone.page.wait_for_function(SHOWN)
    assert phone.page.evaluate(SHOWN) == [note["title"], note["body"], PLAYER]
    phone.page.get_by_role("button", name="Stop notifications").click()


SHOWN = f"""async () => {{
  const mine = await navigator.serviceWorker.getRegistration("{PLAYER}");
  const [note] = await mine.getNotifications();
  return note && [note.title, note.body, note.data];
}}"""


def test_without_https_or_push_support_it_is_not_offered(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE) as window:
        window.context.add_init_script("delete window.PushManager")
        window.page.goto(PLAYER)
        expect(window.page.get_by_role("button", name="Notify me on this phone")).to_be_hidden()
        window.page.get_by_text("Notifications on this phone").locator("visible=true").click()
        expect(window.page.get_by_text("Notifications need an https address")).to_be_visible()
        assert window.faults == []


def test_without_a_script_it_is_not_offered(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE, java_script_enabled=False) as window:
        window.page.goto(PLAYER)
        expect(window.page.get_by_role("button", name="Notify me on this phone")).to_be_hidden()
        expect(window.page.locator("#phone summary").locator("visible=true")).to_have_count(1)


def test_a_refusal_of_the_server_is_shown(house: House, browser: Browser) -> None:
    elsewhere = MINE | {"endpoint": "https://127.0.0.1/mine"}
    with house.open(browser, PHONE, workers=True) as window:
        window.context.grant_permissions(["notifications"], origin=house.url)
        window.context.add_init_script(GIVEN.replace(MINE["endpoint"], elsewhere["endpoint"]))
        window.page.goto(PLAYER)
        window.page.get_by_role("button", name="Notify me on this phone").click()
        expect(window.page.get_by_role("alert")).to_contain_text("uses an unknown notification service")
        expect(window.page.get_by_role("button", name="Notify me on this phone")).to_be_visible()
