"""The places of an event in a browser, in each of its states: nothing scrolls sideways, and one button is filled."""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.fixtures import DESKTOP, PHONE, House
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

MAKE = """
from django.contrib.auth.models import User
from tests.site.test_organiser_pages import STATES
from tournament.base.models.tournament import Membership, Role
olga = User.objects.create_user("olga", password="four-winds-blow", is_staff=True)
for make, _code in STATES.values():
    Membership.objects.create(tournament=make(), user=olga, role=Role.OWNER)
"""
FILLED = """() => {
  const probe = document.createElement("span");
  probe.style.backgroundColor = "var(--felt)";
  document.body.append(probe);
  const felt = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const isFilled = (button) => button.checkVisibility() && getComputedStyle(button).backgroundColor === felt;
  return [...document.querySelectorAll("main .btn")].filter(isFilled).map((button) => button.textContent.trim());
}"""
"""The visible buttons that have the colour of the theme as their background."""
STATES = 8
PAGES = 4
"""So many places of each event are looked at in a run."""


def faults(page: Page, path: str) -> list[str]:
    """What is wrong with a page of the organiser."""
    page.goto(path)
    wrong = []
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        wrong.append(f"{path} scrolls sideways")
    if len(buttons := page.evaluate(FILLED)) > 1:
        wrong.append(f"{path} has filled buttons {buttons}")
    if not page.locator(".places-nav .group").first.is_visible():
        wrong.append(f"{path} has no navigation")
    return wrong


def test_places_of_an_event_have_one_filled_button_and_do_not_scroll_sideways(
    house: House, browser: Browser
) -> None:
    house.place.run(MAKE)
    wrong: list[str] = []
    for viewport in (PHONE, DESKTOP):
        with house.open(browser, viewport, user="olga") as window:
            page = window.page
            page.goto("/organiser/")
            events = page.locator("main th a").evaluate_all("(links) => links.map((link) => link.pathname)")
            assert len(events) == STATES
            for event in events:
                page.goto(event)
                links = page.locator(".places-nav li a")
                places = links.evaluate_all("(links) => links.map((link) => link.pathname)")
                for path in sample(places, PAGES, always=[places[0]], key=f"{event} {viewport}"):
                    wrong += [f"{viewport['width']} px: {fault}" for fault in faults(page, path)]
            assert window.faults == []
    assert wrong == []
