"""From an empty installation to the gong: announced, 90 who register for 70 places, dues, check-in, seats."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import APIRequestContext, Browser, Page, expect

from tests.browser.fixtures import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PASSWORD = "four-winds-blow"
EVENT, STAFF = "/t/gong-open/", "/organiser/gong-open/"
PLACES, COMING, CONFIRMING, CANCELLING, MISSING = 70, 90, 85, 3, 3
LINKS = """
import json
from tournament.base.selectors import token_of
from tournament.base.models.registration import Registration
print(json.dumps([token_of(one) for one in Registration.objects.order_by("number")]))
"""
STATES = """
import json
from collections import Counter
from tournament.base.models.registration import Registration
print(json.dumps(Counter(Registration.objects.values_list("state", flat=True))))
"""
ALL_BUT = """
from tests.support.factories import SYSTEM
from tournament.base.models.tournament import Tournament
from tournament.players.services.check_in import check_in_several
event = Tournament.objects.get()
numbers = list(event.players.filter(checked_in_at=None).values_list("number", flat=True))
check_in_several(event, SYSTEM, numbers[:-{missing}])
"""


def ask(house: House, code: str) -> object:
    return json.loads(house.place.run(code).strip().splitlines()[-1])


def press(page: Page, name: str) -> None:
    """Press what leads to the next page, and be there: going on at once would take back what was sent."""
    sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert sideways == 0, f"the page with “{name}” scrolls sideways"
    named = re.compile(rf"^\s*{re.escape(name)}")
    main = page.locator("main")
    with page.expect_navigation():
        main.get_by_role("button", name=named).or_(main.get_by_role("link", name=named)).first.click()


def look(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []


def announce(page: Page, house: House) -> None:
    page.goto("/")
    page.get_by_label("Code").fill(house.setup_code)
    page.get_by_label("Name to sign in with").fill("olga")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("The same password again").fill(PASSWORD)
    press(page, "Make my account")
    page.get_by_label("Name", exact=True).fill("Gong Open")
    page.get_by_label("Sessions", exact=True).fill("2")
    press(page, "Make the tournament")
    page.goto(f"{STAFF}page/")
    page.get_by_label("Description").first.fill("Two days of **mahjong**.")
    page.get_by_label("Address of the venue").fill("Hofburg, Wien")
    look(page)
    press(page, "Save the page")
    page.goto(f"{STAFF}dues/fees/")
    page.get_by_role("textbox", name="Category").first.fill("Player")
    page.get_by_label("Amount").first.fill("40")
    press(page, "Save the categories")
    page.goto(f"{STAFF}registrations/")
    press(page, "Plan registration")
    page.get_by_label("Places").first.fill(str(PLACES))
    page.get_by_label("Whoever confirms has a place at once").check()
    look(page)
    press(page, "Begin registration")


def send(asked: APIRequestContext, house: House, path: str, token: str, **form: str) -> None:
    answer = asked.post(
        path, form={"csrfmiddlewaretoken": token, **form}, headers={"Referer": f"{house.url}{EVENT}"}
    )
    assert answer.ok, answer.status


def register(page: Page, house: House) -> list[str]:
    """The first by hand, the others by what the form sends; the links of all of them."""
    page.goto(EVENT)
    expect(page.get_by_text("Two days of mahjong.")).to_be_visible()
    press(page, "Register")
    token = page.locator("main form input[name=csrfmiddlewaretoken]").first.input_value()
    page.get_by_label("Last name").fill("Nowak 1")
    page.get_by_label("E-mail").fill("p1@example.org")
    page.get_by_label("I have read").check()
    press(page, "Send the registration")
    expect(page.get_by_role("heading", name="One step more")).to_be_visible()
    for n in range(2, COMING + 1):
        said = {"last_name": f"Nowak {n}", "email": f"p{n}@example.org", "privacy": "on"}
        send(page.context.request, house, f"{EVENT}register/", token, **said)
    links = ask(house, LINKS)
    assert isinstance(links, list)
    for link in links[:CONFIRMING]:
        send(page.context.request, house, f"{EVENT}registration/{link}/confirm/", token)
    assert ask(house, STATES) == {
        "accepted": PLACES,
        "waiting": CONFIRMING - PLACES,
        "unconfirmed": COMING - CONFIRMING,
    }
    for link in links[:CANCELLING]:
        send(page.context.request, house, f"{EVENT}registration/{link}/cancel/", token)
    assert ask(house, STATES) == {
        "accepted": PLACES,
        "waiting": CONFIRMING - PLACES - CANCELLING,
        "unconfirmed": COMING - CONFIRMING,
        "cancelled": CANCELLING,
    }
    return links


def test_from_an_empty_installation_to_the_gong(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE) as window, house.open(browser, PHONE) as visiting:
        page, guest = window.page, visiting.page
        announce(page, house)
        links = register(guest, house)

        guest.goto(f"{EVENT}registration/{links[CANCELLING + PLACES - 1]}/")  # the last of those who moved up
        expect(guest.get_by_role("heading", name="You have a place")).to_be_visible()
        expect(guest.get_by_text("is still to be paid")).to_be_visible()
        look(guest)

        page.goto(f"{STAFF}registrations/")
        press(page, f"Enter {PLACES} as players")
        press(page, "Yes, do it")
        page.goto(f"{STAFF}dues/")
        look(page)
        press(page, "40.00 EUR in cash")
        expect(page.get_by_text("has paid 40.00 EUR")).to_be_visible()

        page.goto(f"{STAFF}check-in/")
        page.get_by_role("searchbox").press_sequentially("nowak 9")
        page.locator("#arrivals li:visible .arrives").first.click()
        expect(page.locator(".arrived .big")).to_have_text("1")
        house.place.run(ALL_BUT.format(missing=MISSING))
        page.goto(f"{STAFF}check-in/missing/")
        expect(page.locator("input[name=player]:checked")).to_have_count(MISSING)
        look(page)
        press(page, "Withdraw those ticked")

        page.goto(f"{STAFF}draw/")
        press(page, "Look at the draw")
        press(page, "Take this draw")
        page.goto(f"{STAFF}session/1/")
        press(page, "Start session 1")
        page.goto(f"{STAFF}session/1/")
        expect(page.get_by_text("Session 1").first).to_be_visible()
        assert (
            house.place.run(
                "from tournament.base.models.play import Session; print(Session.objects.get(number=1).state)"
            )
            .strip()
            .endswith("running")
        )
