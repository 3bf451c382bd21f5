"""Where the keyboard is: near what a page is for, and at the answer once something was done."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.pages import ORGANISER, PAGES
from tests.browser.steps import THEN
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

MOST_TABS = 8
AT = """() => {
  const main = [...document.querySelectorAll("main .btn.primary")].filter((one) => one.checkVisibility());
  const forms = main.map((one) => one.form).filter(Boolean);
  const here = document.activeElement;
  return main.includes(here) || forms.some((form) => form === here?.form);
}"""
"""Whether the focus is on the page's filled button, or in the form that it sends."""
HAS_ACTION = "() => [...document.querySelectorAll('main .btn.primary')].some((one) => one.checkVisibility())"


def tabs_to_the_action(page: Page) -> int | None:
    """Return the fewest presses of Tab from the top, where each skip link may be pressed or passed."""
    ways = page.locator("a.skip").count() + 1
    return min((tabs for way in range(ways) if (tabs := _tabs(page, way)) is not None), default=None)


def _tabs(page: Page, skip: int) -> int | None:
    """Press the `skip`-th skip link on the way; 0: none."""
    page.reload()
    page.evaluate("document.activeElement?.blur()")
    for tabs in range(1, MOST_TABS + 1):
        page.keyboard.press("Tab")
        if tabs == skip and page.evaluate("document.activeElement.matches('.skip')"):
            page.keyboard.press("Enter")
        if page.evaluate(AT):
            return tabs
    return None


def test_what_a_page_is_for_is_eight_tabs_away(windows: dict[str, Window], words: dict[str, str]) -> None:
    page = windows[ORGANISER].page
    names = [name for name, (reader, _) in PAGES.items() if reader == ORGANISER and name not in THEN]
    too_far = []
    for name in sample(names, 20):
        page.goto(PAGES[name][1].format(**words))
        if page.evaluate(HAS_ACTION) and tabs_to_the_action(page) is None:
            too_far.append(name)
    assert too_far == []


def test_after_a_form_the_focus_is_at_what_was_said(
    windows: dict[str, Window], words: dict[str, str]
) -> None:
    page = windows[ORGANISER].page
    page.goto("/organiser/nobody-yet/players/new/")
    page.get_by_label("Last name").fill("Nowak")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_be_focused()
    expect(page.locator(".messages")).to_contain_text("Nowak is entered")


def test_after_a_form_with_faults_the_focus_is_at_what_is_to_be_mended(
    windows: dict[str, Window], words: dict[str, str]
) -> None:
    page = windows[ORGANISER].page
    page.goto("/organiser/nobody-yet/players/new/")
    page.get_by_label("Last name").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".error-summary")).to_be_focused()


def test_after_a_part_was_exchanged_the_focus_is_at_what_was_made(
    windows: dict[str, Window], words: dict[str, str]
) -> None:
    page = windows[ORGANISER].page
    page.goto("/organiser/closed/documents/")
    page.get_by_role("button", name="Standings to print").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-made]")).to_be_focused()
