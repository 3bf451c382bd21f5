"""Announcements: the hall sees and hears them at once, without a reload and without losing the place."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

MAKE = """
from tests.support.factories import make_organiser, make_tournament, make_umpire
event = make_tournament(running=1)
make_organiser(event, "olga")
make_umpire(event, "uma")
"""


@pytest.fixture(scope="module")
def event(house: House) -> House:
    house.place.run(MAKE)
    return house


def say(page: Page, text: str, tables: str = "") -> None:
    page.goto("/organiser/spring-open/hall/")
    page.get_by_label("Announcement").fill(text)
    page.get_by_label("Only at tables").fill(tables)
    page.get_by_role("button", name="Announce").click()
    expect(page.get_by_text("The announcement is now visible to its audience.")).to_be_visible()


def test_an_announcement_appears_on_its_pages_and_disappears_when_withdrawn(
    event: House, browser: Browser
) -> None:
    with (
        event.open(browser, PHONE, user="olga") as organiser,
        event.open(browser, PHONE) as reader,
        event.open(browser, PHONE) as player,
        event.open(browser, PHONE, user="uma") as umpire,
    ):
        reader.page.goto("/t/spring-open/ranking/")
        player.page.goto("/t/spring-open/sessions/1/4/")
        umpire.page.goto("/umpire/spring-open/1/4/")
        reader.page.locator("#filter > summary").click()
        search = reader.page.get_by_placeholder("Name, number or team")
        search.fill("Zo")
        reader.page.evaluate("window.hereBefore = true")

        say(organiser.page, "Lunch at 12:30")
        say(organiser.page, "Please wait for the umpire", "4")

        bands = [window.page.locator(".announcements") for window in (reader, player, umpire)]
        for band in bands:
            expect(band).to_contain_text("Lunch at 12:30")
        for band in bands[1:]:
            expect(band).to_contain_text("Table 4 Please wait for the umpire")
        expect(bands[0]).not_to_contain_text("Please wait")
        assert reader.page.evaluate("window.hereBefore"), "the page was reloaded"
        expect(search).to_be_focused()
        expect(search).to_have_value("Zo")

        for _each in range(2):
            organiser.page.get_by_role("button", name="Withdraw").first.click()
            expect(organiser.page.get_by_text("Withdrawn.")).to_be_visible()
        for band in bands:
            expect(band).to_be_empty()
        for window in (organiser, reader, player, umpire):
            assert window.faults == []
