"""A player calls; every umpire's screen says so within a second, and none any more once one of them comes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, House, Window

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
SEED = """
from tests.support.factories import make_tournament, make_umpire
tournament = make_tournament(players=8, sessions=1, running=0)
for name in ("uma", "una"):
    make_umpire(tournament, name)
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
    house.place.run(SEED)
    with house.open(browser, PHONE, user="uma") as uma, house.open(browser, DESKTOP, user="una") as una:
        expect_call(house, [*open_all(uma, UMA), *open_all(una, UNA)])


def open_all(window: Window, addresses: tuple[str, ...]) -> list[Page]:
    pages = [window.context.new_page() for _ in addresses]
    for page, address in zip(pages, addresses, strict=True):
        page.goto(address)
    return pages


def expect_call(house: House, pages: list[Page]) -> None:
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
