"""The first page comes with its sheet inside, the next with a link to what the browser has kept by then."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

IS_NOTED = """
new Promise((done) => {
  const look = () => document.cookie.includes("been=1") ? done() : setTimeout(look, 20);
  look();
})
"""
"""Waits for the cookie; Playwright's own way of waiting is forbidden by our content security policy."""
IS_STYLED = "getComputedStyle(document.querySelector('.bar')).display === 'flex'"


def test_the_second_page_asks_for_no_sheet(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE) as window:
        page = window.page
        with page.expect_response("**/joined/*.css"):  # kept under its address, once the page is there
            page.goto("/calculator/")
        expect(page.locator("style[data-sheet]")).to_have_count(1)
        assert page.evaluate(IS_STYLED)
        page.evaluate(IS_NOTED)
        page.goto("/calculator/")
        expect(page.locator("style[data-sheet]")).to_have_count(0)
        sheet = "performance.getEntriesByType('resource').find((one) => one.name.endsWith('.css'))"
        assert page.evaluate(f"{sheet}.transferSize") == 0
        assert page.evaluate(IS_STYLED)
        assert window.faults == []


def test_without_scripts_each_page_is_a_first_one(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE, java_script_enabled=False) as window:
        for _ in range(2):
            window.page.goto("/calculator/")
            expect(window.page.locator(".bar")).to_have_css("display", "flex")
            expect(window.page.locator(".js-only").first).to_be_hidden()
        assert window.faults == []
