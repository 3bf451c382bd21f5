"""The organiser's page of registration: the visitor's form changes with it, and it is opened from there."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.fixtures import PHONE, House
from tests.registration.test_registration_browser import look

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

MAKE = """
from tests.support.factories import make_organiser, make_tournament
make_organiser(make_tournament(players=0, drawn=False))
"""


def test_the_organiser_sees_the_form_while_writing_it_and_opens_it(house: House, browser: Browser) -> None:
    house.place.run(MAKE)
    with house.open(browser, user="olga") as window:
        page = window.page
        page.goto("/organiser/spring-open/registration/")
        form = page.locator("#visitors-form")
        expect(form.get_by_text("Last name")).to_be_visible()
        look(page)
        page.get_by_role("textbox", name="Category", exact=True).first.fill("Members")
        page.get_by_label("Amount").first.fill("60")
        page.get_by_role("textbox", name="English").first.fill("Where do you travel from?")
        expect(form.get_by_text("Members: 60.00")).to_be_visible()
        expect(form.get_by_text("Where do you travel from?")).to_be_visible()
        expect(page.get_by_role("textbox", name="English").first).to_be_focused()
        page.get_by_label("Amount").first.fill("x")
        page.get_by_role("button", name="Save and open").click()
        expect(form.get_by_text("Where do you travel from?")).to_be_visible()
        expect(page.get_by_role("alert").filter(has_text="1 problem to fix")).to_be_focused()
        look(page)
        page.get_by_label("Amount").first.fill("60")
        page.get_by_role("button", name="Save and open").click()
        expect(page.get_by_text("Saved. Registration is open.")).to_be_visible()
        page.set_viewport_size(PHONE)
        expect(form.get_by_text("Last name")).to_be_hidden()
        look(page)
