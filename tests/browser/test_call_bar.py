"""A player calls; every umpire's screen says so within a second, and none any more once one of them comes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
SEED = """
from django.contrib.auth.models import User
from django.test import Client
from tests.support.factories import make_tournament, make_umpire
tournament = make_tournament(players=8, sessions=1, running=0)
for name in ("uma", "una"):
    make_umpire(tournament, name)
    client = Client()
    client.force_login(User.objects.get(username=name))
    print(client.cookies["sessionid"].value, client.cookies.get("csrftoken", ""))
"""
CALL = """
from tests.support.factories import SYSTEM
from tournament.models import Table
from tournament.services.calls import raise_call
raise_call(Table.objects.select_related("session__tournament").get(number=2), SYSTEM, "claim")
"""
UMA = ("/umpire/spring-open/1/1/", "/calculator/", "/umpire/spring-open/")
UNA = ("/fouls/", "/umpire/spring-open/clock/")


def test_a_call_is_on_every_umpires_screen_until_it_is_taken(house: House, browser: Browser) -> None:
    cookies = [line.split()[0] for line in house.place.run(SEED).splitlines()[-2:]]
    pages: list[Page] = []
    contexts = []
    for cookie, addresses, size in zip(cookies, (UMA, UNA), (PHONE, DESKTOP), strict=True):
        context = browser.new_context(viewport=size)
        contexts.append(context)
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": house.url}])
        for address in addresses:
            page = context.new_page()
            page.goto(house.url + address)
            pages.append(page)
    for page in pages:
        expect(page.locator("#call-bar")).to_be_attached()
        expect(page.locator("#call-bar .call")).to_have_count(0)
    pages[0].wait_for_timeout(1_000)
    house.place.run(CALL)
    for page in pages:
        expect(page.locator("#call-bar .call")).to_contain_text("Table 2")
        expect(page.locator("#call-bar .call")).to_contain_text("disputed claim")
    pages[1].get_by_role("button", name="I come to table 2").click()
    expect(pages[1].locator(".toast")).to_contain_text("Table 2 sees that you come.")
    for page in pages:
        expect(page.locator("#call-bar .call")).to_have_count(0)
    for context in contexts:
        context.close()
