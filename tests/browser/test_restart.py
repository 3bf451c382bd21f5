"""The server is killed and comes back: what waits on a phone goes as soon as its line to the stream stands again."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE
from tests.support.processes import free_port, make_place, status

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SERVE = ("manage.py", "serve", "--no-demo", "--port", "{port}")
DESK = "/api/v1/tournaments/spring-open/sessions/1/tables/1/desk/"
SEED = """
from django.contrib.auth.models import User
from django.test import Client
from tests.support.factories import make_tournament, make_umpire
event = make_tournament(sessions=1, running=0)
client = Client()
client.force_login(make_umpire(event))
print(client.cookies["sessionid"].value)
"""


def wash_out(page: Page) -> None:
    page.get_by_role("button", name="Wash-out", exact=True).click()
    page.locator(".savebar .primary:enabled").click()


def test_a_hand_that_waited_for_the_server_goes_once_it_is_back(
    browser: Browser, migrated: Path, collected: Path
) -> None:
    with make_place(migrated, STATIC_ROOT=str(collected)) as place:
        session = place.run(SEED).split()[-1]
        port = free_port()
        with place.web(*SERVE, port=port) as site:
            url = site.url
            assert status(f"{url}/login/") == 200, "the port is open before everything is prepared"
            context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
            context.add_cookies([{"name": "sessionid", "value": session, "url": url}])
            page = context.new_page()
            page.clock.install()
            page.goto(f"{url}/umpire/spring-open/1/1/")
            wash_out(page)
            expect(page.locator("header .pill")).to_have_text("Hand 1 saved")
            # From here on no timer of the page's own comes, the outbox's neither: only what the browser hears.
            page.clock.pause_at(page.evaluate("Date.now() + 1000"))
            site.process.kill()
            site.process.wait()
            wash_out(page)
            expect(page.locator("header .pill")).to_have_text("1 waiting")
        with place.web(*SERVE, port=port):
            expect(page.locator("header .pill")).to_have_class("pill ok")
            state = page.request.get(url + DESK).json()["state"]
            assert [hand["number"] for hand in state["hands"]] == [1, 2]
            context.close()
