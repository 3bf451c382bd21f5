"""A ceremony with real browsers: the organiser's phone presses, the hall's screen and a visitor's phone show it."""

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.fixtures import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
SMALLEST = 38
"""Pixels of type on a canvas of 1920 × 1080."""

MAKE = """
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.ranking.services import hide_results
event = make_tournament(players=16, sessions=2, played=2)
event.appeal_minutes = 0  # settled at once: what is published is final
event.save()
make_organiser(event, "olga")
hide_results(event.sessions.get(number=2), SYSTEM)
"""
SIZES = """() => [...document.querySelectorAll(".ceremony *")]
  .filter((one) => one.childElementCount === 0 && one.textContent.trim() && !one.closest(".vh, svg"))
  .map((one) => parseFloat(getComputedStyle(one).fontSize))"""
BEYOND = """() => [...document.querySelectorAll("main, main *")]
  .filter((one) => !one.closest(".vh, [hidden], svg"))
  .filter((one) => { const box = one.getBoundingClientRect(); return box.bottom > 1081 || box.right > 1921; })
  .map((one) => one.outerHTML.slice(0, 100))"""


@pytest.fixture(scope="module")
def event(house: House) -> House:
    house.place.run(MAKE)
    return house


def begin(page: Page) -> None:
    """Begin a ceremony of the best five."""
    page.goto("/organiser/spring-open/ceremony/")
    if (end := page.get_by_role("button", name="End the ceremony")).count():
        end.click()  # another test's
    page.get_by_label("How many places").select_option("5")
    page.get_by_role("button", name="Begin the ceremony").click()


def show(page: Page) -> str:
    """Press the one large button; gives the name that was next."""
    name = page.locator(".told.next .grow > b").first.inner_text().strip()
    page.locator("button.tell").click()
    expect(page.get_by_text("On the screen")).to_be_visible()
    return name


def readable(page: Page) -> None:
    """Nothing on the hall's screen is too small to be read, or beyond its edge."""
    assert [size for size in page.evaluate(SIZES) if size < SMALLEST - 0.01] == []
    assert page.evaluate(BEYOND) == []


def test_every_press_on_the_phone_moves_the_hall_and_every_phone(event: House, browser: Browser) -> None:
    with (
        event.open(browser, PHONE, user="olga", has_touch=True) as organiser,
        event.open(browser, PROJECTOR) as projector,
        event.open(browser, PHONE) as visitor,
    ):
        phone, hall, reader = organiser.page, projector.page, visitor.page
        hall.goto("/t/spring-open/ceremony/hall/")
        reader.goto("/t/spring-open/ceremony/")
        begin(phone)
        expect(hall.get_by_role("heading", name="Players · the best 5")).to_be_visible()
        readable(hall)

        first = show(phone)
        for page in (hall, reader):
            expect(page.locator("main")).to_contain_text(first)
        phone.get_by_role("button", name="One step back").click()
        for page in (hall, reader):
            expect(page.locator("main")).not_to_contain_text(first)

        names = []
        while phone.get_by_role("button", name=re.compile("^Show")).count():
            names.append(show(phone))
            for page in (hall, reader):
                expect(page.locator("main")).to_contain_text(names[-1])
            readable(hall)
        expect(hall.locator(".ceremony-stage.winner")).to_contain_text(names[-1])

        # The public ranking has stood still all the time, and now it moves.
        reader.goto("/t/spring-open/ranking/")
        expect(
            reader.get_by_text("The results of session 2 are withheld until the ceremony.")
        ).to_be_visible()
        phone.get_by_role("button", name="Reveal the results and publish").click()
        expect(phone.get_by_role("heading", name="Reveal the results and publish?")).to_be_visible()
        phone.get_by_role("button", name="Reveal the results and publish").click()
        expect(phone.get_by_text("the standings are published")).to_be_visible()
        expect(reader.get_by_text("Final standings")).to_be_visible()
        assert [*organiser.faults, *projector.faults, *visitor.faults] == []


def test_a_hall_that_was_cut_off_catches_up(event: House, browser: Browser) -> None:
    with event.open(browser, PHONE, user="olga") as organiser, event.open(browser, PROJECTOR) as projector:
        phone, hall = organiser.page, projector.page
        begin(phone)
        hall.goto("/t/spring-open/ceremony/hall/")
        expect(hall.get_by_role("heading", name="Players · the best 5")).to_be_visible()
        for steps in (2, 1):  # cut off again, after something was told
            projector.context.set_offline(True)
            names = [show(phone) for _ in range(steps)]
            projector.context.set_offline(False)
            expect(hall.locator(".ceremony-stage")).to_contain_text(names[-1])
