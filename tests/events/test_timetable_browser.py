"""The timetable in the browser, updated on phones without a reload."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

MAKE = """
from tests.support.factories import WEEKEND, make_organiser, make_tournament
make_organiser(make_tournament(players=8, sessions=2, days=WEEKEND), "olga")
"""


@pytest.fixture(scope="module")
def event(house: House) -> House:
    house.place.run(MAKE)
    return house


def save(page: Page) -> None:
    page.get_by_role("button", name="Save the timetable").click()


def test_a_players_page_updates_when_the_timetable_is_saved(event: House, browser: Browser) -> None:
    with event.open(browser, PHONE, user="olga") as organiser, event.open(browser, PHONE) as player:
        player.page.goto("/t/spring-open/players/1/")
        player.page.evaluate("window.wasLoadedBefore = true")
        seat = player.page.locator(".next-seat")
        expect(seat).not_to_contain_text("09:00")

        organiser.page.goto("/organiser/spring-open/timetable/")
        save(organiser.page)
        expect(organiser.page.get_by_text("The timetable is saved.")).to_be_visible()
        expect(seat).to_contain_text("Next: session 1, Saturday 09:00")

        organiser.page.get_by_label("Session 1, start").fill("09:45")
        organiser.page.get_by_role("button", name="Add a line").click()
        organiser.page.keyboard.type("Prize giving")
        save(organiser.page)
        summary = organiser.page.get_by_role("alert")
        expect(summary).to_contain_text("1 problem to fix")
        expect(organiser.page.get_by_label("Session 1, start")).to_have_value("09:45")
        organiser.page.get_by_role("alert").get_by_role("link").click()
        organiser.page.keyboard.type("0530PM")
        save(organiser.page)
        expect(organiser.page.get_by_text("The timetable is saved.")).to_be_visible()

        expect(seat).to_contain_text("Saturday 09:45")
        assert player.page.evaluate("window.wasLoadedBefore"), "the page was reloaded"
        assert (organiser.faults, player.faults) == ([], [])
