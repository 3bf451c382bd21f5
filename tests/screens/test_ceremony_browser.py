"""A ceremony in browsers: the organiser's phone, the hall's screen and a visitor's phone."""

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.fixtures import PHONE, House
from tests.browser.look import clips_letters

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
  .filter((node) => node.childElementCount === 0 && node.textContent.trim() && !node.closest(".vh, svg"))
  .map((node) => parseFloat(getComputedStyle(node).fontSize))"""
BEYOND = """() => [...document.querySelectorAll("main, main *")]
  .filter((node) => !node.closest(".vh, [hidden], svg"))
  .filter((node) => { const box = node.getBoundingClientRect(); return box.bottom > 1081 || box.right > 1921; })
  .map((node) => node.outerHTML.slice(0, 100))"""

EIGHT_LONG_NAMES = """() => {
  const places = document.querySelector(".ceremony-places");
  while (places.children.length < 8) places.append(places.lastElementChild.cloneNode(true));
  document.querySelector(".ceremony-name").classList.add("long");
  for (const name of document.querySelectorAll(".ceremony-name, .ceremony-places .who"))
    name.textContent = "Александра Константинопольская-Рождественская";
}"""


@pytest.fixture(scope="module")
def event(house: House) -> House:
    house.place.run(MAKE)
    return house


def start_ceremony(page: Page) -> None:
    """Start a ceremony of the best five, and end the one of an earlier test."""
    page.goto("/organiser/spring-open/results/")
    if (end := page.get_by_role("button", name="End the ceremony")).count():
        end.click()
    page.get_by_label("How many places").select_option("5")
    page.get_by_role("button", name="Begin the ceremony").click()


def press_show(page: Page) -> str:
    """Press the large button, and return the name that was next."""
    name = page.locator(".ceremony-list.next .grow > b").first.inner_text().strip()
    page.locator("button.reveal").click()
    expect(page.get_by_text("On the screen")).to_be_visible()
    return name


def check_readable(page: Page) -> None:
    """Assert that no text on the hall's screen is too small, and nothing is beyond its edge."""
    assert [size for size in page.evaluate(SIZES) if size < SMALLEST - 0.01] == []
    assert page.evaluate(BEYOND) == []


def test_every_step_appears_on_the_hall_screen_and_on_phones(event: House, browser: Browser) -> None:
    with (
        event.open(browser, PHONE, user="olga", has_touch=True) as organiser,
        event.open(browser, PROJECTOR) as projector,
        event.open(browser, PHONE) as visitor,
    ):
        phone, hall, reader = organiser.page, projector.page, visitor.page
        hall.goto("/t/spring-open/ceremony/hall/")
        reader.goto("/t/spring-open/ceremony/")
        start_ceremony(phone)
        expect(hall.get_by_role("heading", name="Players · the best 5")).to_be_visible()
        check_readable(hall)

        first = press_show(phone)
        for page in (hall, reader):
            expect(page.locator("main")).to_contain_text(first)
        phone.get_by_role("button", name="One step back").click()
        for page in (hall, reader):
            expect(page.locator("main")).not_to_contain_text(first)

        names = []
        while phone.get_by_role("button", name=re.compile("^Show")).count():
            names.append(press_show(phone))
            for page in (hall, reader):
                expect(page.locator("main")).to_contain_text(names[-1])
            check_readable(hall)
        winner = hall.locator(".ceremony-stage.winner")
        expect(winner).to_contain_text(names[-1])
        hall.evaluate(EIGHT_LONG_NAMES)
        check_readable(hall)
        assert not clips_letters(hall, ".ceremony-places .who")
        assert winner.evaluate("stage => stage.scrollHeight <= stage.clientHeight"), (
            "a part of the winner is covered"
        )

        # The public ranking changes only now.
        reader.goto("/t/spring-open/ranking/")
        expect(
            reader.get_by_text("The results of session 2 are withheld until the ceremony.")
        ).to_be_visible()
        first_player = reader.locator(".ranking tbody tr").first.bounding_box()
        assert first_player
        assert first_player["y"] < 0.35 * PHONE["height"]
        phone.get_by_role("link", name="Reveal the results and publish").click()
        expect(phone.get_by_role("heading", name="Reveal the results and publish?")).to_be_visible()
        phone.get_by_role("button", name="Reveal the results and publish").click()
        expect(phone.get_by_text("the standings are published")).to_be_visible()
        expect(reader.get_by_text("Final standings")).to_be_visible()
        assert [*organiser.faults, *projector.faults, *visitor.faults] == []


def test_the_hall_screen_catches_up_after_it_was_offline(event: House, browser: Browser) -> None:
    with event.open(browser, PHONE, user="olga") as organiser, event.open(browser, PROJECTOR) as projector:
        phone, hall = organiser.page, projector.page
        start_ceremony(phone)
        hall.goto("/t/spring-open/ceremony/hall/")
        expect(hall.get_by_role("heading", name="Players · the best 5")).to_be_visible()
        for steps in (2, 1):
            projector.context.set_offline(True)
            names = [press_show(phone) for _ in range(steps)]
            projector.context.set_offline(False)
            expect(hall.locator(".ceremony-stage")).to_contain_text(names[-1])
