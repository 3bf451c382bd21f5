"""A person's page over the years, looked at where there is something to look at."""

import json

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.fixtures import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

TWO = """
import json
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.people.selectors import person_page
from tournament.people.services import link_several
first, second = make_tournament(played=2), make_tournament(name="Second", played=2)
make_organiser(first)
first.memberships.update(role="owner")
link_several(first, SYSTEM, dict.fromkeys(range(1, 17)))
link_several(second, SYSTEM, {one.number: one.person_id for one in first.players.all()})
someone = first.players.get(number=3).person
print(json.dumps([someone.pk, person_page(someone).met[0][0].name]))
"""


def test_somebody_is_found_and_stood_beside_another(house: House, browser: Browser) -> None:
    _key, other = json.loads(house.place.run(TWO))
    with house.open(browser, PHONE) as window:
        page = window.page
        page.goto("/people/")
        page.get_by_role("searchbox").fill("bjorn")
        page.get_by_role("button", name="Find").click()
        page.get_by_role("link", name="Björn Lindqvist").click()
        expect(page.get_by_role("heading", name="Björn Lindqvist")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        page.get_by_role("link", name=other).first.click()
        expect(page.get_by_role("row", name="Ahead at the table")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert window.faults == []
    keep_of_people(house, browser)


def keep_of_people(house: House, browser: Browser) -> None:
    """On a phone a name keeps its line above what can be done; somebody is erased where that is one's own to do."""
    with house.open(browser, PHONE, user="olga") as window:
        page = window.page
        page.goto("/organiser/people/?q=lindqvist")
        name = page.locator(".lines li .grow").first
        expect(name).to_be_visible()
        box = name.bounding_box()
        assert box is not None
        assert box["width"] > PHONE["width"] / 2
        page.get_by_role("link", name="Erase").click()
        expect(page.get_by_text("Ask the owners of these tournaments")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert window.faults == []
