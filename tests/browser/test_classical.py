"""An evening of the classical game on a phone: three hands, one taken back, the device that remembers it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, House, Window

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


@pytest.fixture(scope="module")
def window(house: House, browser: Browser) -> Iterator[Window]:
    with house.open(browser, PHONE, has_touch=True) as opened:
        yield opened


def settle(page: Page, winner: str, **fields: str) -> None:
    page.locator("#id_winner").get_by_text(winner, exact=True).tap()
    for field, value in fields.items():
        page.locator(f"#id_{field}").fill(value)
    page.get_by_role("button", name="Settle the hand").tap()


def test_an_evening_of_three_hands(window: Window) -> None:
    page = window.page
    page.goto("/classical/")
    for place, name in enumerate(("Anna", "Bo", "Chen", "Dee")):
        page.get_by_label(f"Player {place + 1}").fill(name)
    page.get_by_role("button", name="Begin the evening").tap()
    expect(page.get_by_text("Anna is East and deals.")).to_be_visible()

    settle(page, "Bo", points_0="8", points_1="144", points_3="28")
    expect(page.get_by_text("East lost: Bo, who was South, is East now and deals.")).to_be_visible()

    settle(page, "Nobody: wash-out")
    expect(page.get_by_text("A wash-out is not scored: Bo stays East and deals again.")).to_be_visible()

    page.locator(".player summary").nth(2).tap()
    settle(page, "Chen", tiles_2="234m 678p 345s CCC 3p +3p")
    expect(page.locator("h1")).to_have_text("Hand 4 · East round")
    totals = page.locator(".evening-sheet tbody tr").last.locator("td b")
    expect(totals).to_have_text(["−372", "456", "52", "−136"])

    page.get_by_role("button", name="Take the last hand back").tap()
    expect(page.locator("h1")).to_have_text("Hand 3 · East round")

    # The phone was put away; the evening is still on it.
    page.goto("/classical/")
    expect(page.get_by_text("Anna · Bo · Chen · Dee")).to_be_visible()
    page.get_by_role("button", name="Go on with it").tap()
    expect(page.locator("h1")).to_have_text("Hand 3 · East round")
    expect(page.locator(".evening-sheet tbody tr")).to_have_count(2)
    page.goto("/classical/")
    page.get_by_role("button", name="Delete it").tap()
    page.reload()
    expect(page.locator("#kept")).to_be_hidden()
    assert window.faults == []


def test_the_classical_game_is_chosen_in_the_calculator_under_the_thumb(window: Window) -> None:
    """What it asks besides is there only while it is chosen."""
    page = window.page
    page.goto("/calculator/?hand=234m+678p+345s+CCC+3p+%2B3p+self-drawn+seat%3DS")
    page.locator("#more > summary").tap()
    expect(page.locator(".of-classical")).to_be_hidden()
    page.locator("#id_rulebook").select_option("classical")
    expect(page.locator("h1")).to_have_text("64 points")
    page.locator("#id_flower").get_by_text("Summer").tap()
    expect(page.locator("h1")).to_have_text("144 points")
    page.locator("#id_way").get_by_text("Standing hand").tap()
    expect(page.locator("h1")).to_have_text("500 points")
    page.locator("#id_flower").get_by_text("Summer").tap()
    expect(page.locator("h1")).to_have_text("264 points")
    assert window.faults == []
