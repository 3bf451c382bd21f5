"""A person's page on a phone."""

import json

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.fixtures import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

TWO_TOURNAMENTS = """
import json
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.people.selectors import person_page
from tournament.people.services import link_players
first, second = make_tournament(played=2), make_tournament(name="Second", played=2)
make_organiser(first)
first.memberships.update(role="owner")
link_players(first, SYSTEM, dict.fromkeys(range(1, 17)))
link_players(second, SYSTEM, {player.number: player.person_id for player in first.players.all()})
person = first.players.get(number=3).person
print(json.dumps([person.pk, person_page(person).met[0][0].name]))
"""


def test_a_person_is_found_and_compared_with_another(house: House, browser: Browser) -> None:
    _key, other = json.loads(house.place.run(TWO_TOURNAMENTS))
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
    check_list_of_people(house, browser)


def check_list_of_people(house: House, browser: Browser) -> None:
    """A name has its own line above the buttons; the page to erase a person names other owners."""
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
