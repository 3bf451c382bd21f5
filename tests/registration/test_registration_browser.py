"""One person's way without a mail server: the form, the waiting list, moving up, a change, cancelling."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import PHONE, House
from tests.browser.look import axe_violations

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

MAKE = """
from tests.support.factories import make_tournament, make_user
from tests.support.registrations import confirmed, make_plan
from tournament.base.selectors import registration_token
make_user("olga", staff=True)
event = make_tournament(players=0, drawn=False)
make_plan(event, places=1)
print(registration_token(confirmed(event, 1)))
"""
LINK = """
from tournament.base.selectors import registration_token
from tournament.base.models.registration import Registration
print(registration_token(Registration.objects.get(email="anna@example.org")))
"""
NEXT = """
from tests.support.registrations import confirmed
from tournament.base.models.tournament import Tournament
print(confirmed(Tournament.objects.get(), 3).state)
"""
STATES = """
from tests.support.registrations import states
from tournament.base.models.tournament import Tournament
print(list(states(Tournament.objects.get()).values()))
"""
EVENT = "/t/spring-open/"


def look(page: Page) -> None:
    sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert (axe_violations(page), sideways) == ([], 0)


def own(token: str, page: str = "") -> str:
    return f"{EVENT}registration/{token.strip().splitlines()[-1]}/{page}"


def test_somebody_registers_waits_moves_up_changes_and_cancels(house: House, browser: Browser) -> None:
    first = house.place.run(MAKE)
    with house.open(browser, PHONE) as window:
        page = window.page
        page.goto(EVENT)
        page.get_by_role("link", name="Join the waiting list").click()
        look(page)
        page.get_by_label("Last name").fill("Nowak")
        page.get_by_label("First name").fill("Anna")
        page.get_by_role("textbox", name="E-mail").fill("anna@example.org")
        page.get_by_label("I have read").check()
        page.get_by_role("button", name="Join the waiting list").click()
        expect(page.get_by_role("heading", name="You are number 1 on the waiting list")).to_be_visible()
        look(page)
        link = house.place.run(LINK)
        expect(page.get_by_label("The address of this page")).to_have_value(f"{house.url}{own(link)}")
        assert house.place.run(NEXT).strip() == "waiting"

        page.goto(own(first, "cancel/"))
        page.get_by_role("button", name="Cancel my registration").click()
        expect(page.get_by_role("heading", name="Your registration is cancelled")).to_be_visible()

        page.goto(own(link))
        expect(page.get_by_role("heading", name="You have a place")).to_be_visible()
        page.get_by_role("link", name="Change this").click()
        look(page)
        page.get_by_label("Club").fill("Wiener Mahjongrunde")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Wiener Mahjongrunde")).to_be_visible()

        page.get_by_role("link", name="Cancel my registration").click()
        look(page)
        page.get_by_role("button", name="Cancel my registration").click()
        expect(page.get_by_role("heading", name="Your registration is cancelled")).to_be_visible()
    assert house.place.run(STATES).strip() == "['cancelled', 'cancelled', 'accepted']"
