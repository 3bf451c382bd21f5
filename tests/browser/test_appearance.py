"""Light, dark and high contrast: as the device asks, as the reader chose, and changed without loading the page anew."""

from itertools import product

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import House
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PAPER, NIGHT, WHITE, BLACK = "rgb(250, 246, 234)", "rgb(23, 22, 17)", "rgb(255, 255, 255)", "rgb(0, 0, 0)"
GROUNDS = {(False, False): PAPER, (True, False): NIGHT, (False, True): WHITE, (True, True): BLACK}
"""(dark, high contrast) → the ground of a page."""


def ground(page: Page) -> str:
    """The colour of the page, once every sheet that counts is there."""
    page.wait_for_function("document.readyState === 'complete'")
    colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return colour


@pytest.mark.parametrize(
    ("theme", "contrast"), sample(product(("", "light", "dark"), ("", "normal", "more")), 3)
)
def test_what_is_not_chosen_the_device_decides(
    house: House, browser: Browser, theme: str, contrast: str
) -> None:
    chosen = {"theme": theme, "contrast": contrast}
    with house.open(browser) as window:
        cookies = [{"name": key, "value": value, "url": house.url} for key, value in chosen.items() if value]
        window.context.add_cookies(cookies)  # type: ignore[arg-type]
        window.page.goto("/login/")
        for dark, high in product((False, True), repeat=2):
            window.page.emulate_media(
                color_scheme="dark" if dark else "light", contrast="more" if high else "no-preference"
            )
            wanted = (theme == "dark" if theme else dark, contrast == "more" if contrast else high)
            assert ground(window.page) == GROUNDS[wanted], (dark, high)
        window.page.emulate_media(media="print", color_scheme="dark")
        assert ground(window.page) == WHITE
        assert window.faults == []


def test_a_choice_shows_at_once_and_stays(house: House, browser: Browser) -> None:
    with house.open(browser, color_scheme="light") as window:
        page = window.page
        page.goto("/login/")
        page.locator(".menu > summary").last.click()
        for name, value, wanted in (
            ("theme", "dark", NIGHT),
            ("contrast", "more", BLACK),
            ("theme", "light", WHITE),
            ("contrast", "", PAPER),
        ):
            page.locator(f'button[name="{name}"][value="{value}"]').click()
            page.wait_for_function(
                "colour => getComputedStyle(document.documentElement).backgroundColor === colour", arg=wanted
            )
        page.reload()
        assert ground(page) == PAPER
        assert page.locator("html").get_attribute("data-theme") == "light"
        assert window.faults == []
