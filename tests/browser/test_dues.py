"""The desk on the morning: who owes pays in cash with one tap, and a tap too many is taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

MAKE = """
from tests.support.factories import make_organiser, make_tournament
make_organiser(make_tournament(players=8, drawn=False), "olga")
"""


def test_from_a_price_to_everybody_asked_one_paid_and_that_taken_back(house: House, browser: Browser) -> None:
    house.place.run(MAKE)
    with house.open(browser, PHONE, user="olga") as desk:
        page = desk.page
        page.goto("/organiser/spring-open/dues/")
        page.get_by_role("link", name="Say what it costs").click()
        page.locator("#id_name1").fill("Members")
        page.locator("#id_amount1").fill("12,50")
        page.get_by_role("button", name="Save the categories").click()
        page.get_by_role("link", name="Look at them").click()
        page.get_by_role("button", name="Ask these").click()
        expect(page.get_by_text("8 people are asked to pay.")).to_be_visible()
        page.get_by_role("button", name="12.50 EUR in cash").first.click()
        expect(page.get_by_text("has paid 12.50")).to_be_visible()
        expect(page.get_by_role("button", name="12.50 EUR in cash")).to_have_count(7)
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("button", name="12.50 EUR in cash")).to_have_count(8)
