"""A whole event with only the primary button of each page."""

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.fixtures import DESKTOP, PHONE, House
from tests.browser.look import axe_violations
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PASSWORD = "four-winds-blow"
PLAYERS = "\n".join(
    f"{last};Person" for last in ("Ash", "Beech", "Cedar", "Elm", "Fir", "Hazel", "Oak", "Yew")
)
PLAY = """
from tests.support.factories import SYSTEM, play_hands
from tournament.base.models.play import Table
from tournament.play.services.tables import hand_in
for table in Table.objects.filter(session__tournament__slug="{slug}", session__number={session}):
    play_hands(table, 2)
    hand_in(table, SYSTEM)
"""

MAKE = """
from django.contrib.auth.models import User
from tests.support.factories import make_tournament
from tournament.base.models.tournament import Membership, Role
tournament = make_tournament(name="{name}", players=8)
Membership.objects.create(tournament=tournament, user=User.objects.get(), role=Role.ORGANISER)
"""


def press(page: Page, label: str) -> None:
    """Press the page's only primary button, which has this label."""
    button = page.locator("main .btn.primary:visible")
    expect(button).to_have_count(1)
    expect(button).to_have_text(re.compile(rf"^\s*{re.escape(label)}"))
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0, f"the page with “{label}” scrolls sideways"
    button.click()


def begin(page: Page, house: House, name: str) -> None:
    """Create a tournament; the first time, create the first organiser's account before."""
    if (house.place.folder / "setup-code").exists():
        page.goto("/")
        page.get_by_label("Code").fill(house.setup_code)
        page.get_by_label("User name").fill("olga")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Repeat the password").fill(PASSWORD)
        press(page, "Create my account")
    else:
        page.context.add_cookies([{"name": "sessionid", "value": house.sign_in("olga"), "url": house.url}])
        page.goto("/organiser/")
        press(page, "New event")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Sessions", exact=True).fill("2")
    press(page, "Create event")


def prepare(page: Page) -> None:
    expect(page.locator("#next-step")).to_contain_text("No players yet.")
    press(page, "Add from a list")
    page.locator("textarea").fill(f"Last name;First name\n{PLAYERS}")
    press(page, "Preview the list")
    press(page, "Add 8 players")
    expect(page.locator("#next-step")).to_contain_text("8 players entered.")
    press(page, "Draw the seats")
    press(page, "Preview the draw")
    press(page, "Use this draw")


def play(page: Page, house: House, slug: str, session: int) -> None:
    """Play a session; the bar is updated live, on the board and on any other page."""
    confirm(page, f"Start session {session}")
    bar = page.locator("#next-step")
    expect(bar).to_contain_text(f"Session {session} is being played")
    elsewhere = page.context.new_page()
    elsewhere.goto(f"/organiser/{slug}/settings/rules/")
    expect(elsewhere.locator("#next-step")).to_contain_text(f"Session {session} is being played")
    house.place.run(PLAY.format(slug=slug, session=session))
    for next_step in (bar, elsewhere.locator("#next-step")):
        expect(next_step).to_contain_text("All tables have been handed in.")
    elsewhere.close()
    assert axe_violations(page) == []
    confirm(page, f"Close session {session}")


def confirm(page: Page, label: str) -> None:
    """Press the bar's button, and the same one on the page that asks."""
    press(page, label)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{label}?")
    press(page, label)


def publish(page: Page, label: str) -> None:
    press(page, label)
    expect(page.locator("main")).to_contain_text("Published standings stay on record")
    press(page, label)


@pytest.mark.parametrize(
    ("size", "name", "slug"),
    sample([(PHONE, "Small Open", "small-open"), (DESKTOP, "Wide Open", "wide-open")], 1),
)
def test_an_event_is_run_with_the_primary_buttons_alone(
    size: ViewportSize, name: str, slug: str, house: House, browser: Browser
) -> None:
    with house.open(browser, size) as organiser:
        page = organiser.page
        begin(page, house, name)
        prepare(page)
        play(page, house, slug, 1)
        publish(page, "Publish standings after session 1")
        play(page, house, slug, 2)
        publish(page, "Publish final standings")
        expect(page.locator("#next-step")).to_contain_text("The final standings are published.")
        expect(page.locator("main .btn.primary")).to_have_count(0)
        page.goto("/organiser/")
        expect(page.get_by_role("row").filter(has_text=name)).to_contain_text(
            "The final standings are published."
        )
        assert organiser.faults == []


def test_a_trial_is_created_live_and_deleted_with_one_button(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE, user="olga") as organiser:
        page = organiser.page
        page.goto("/organiser/")
        page.get_by_role("button", name="Try with 16 players").click()
        row = page.get_by_role("row").filter(has_text="Trial")
        expect(row).to_contain_text("Session 3 of 5")
        assert axe_violations(page) == []
        row.get_by_role("link").first.click()
        expect(page.locator("#next-step")).to_contain_text("Session 3 is being played")
        page.goto("/organiser/")
        row.get_by_role("link", name="Delete …").click()
        page.get_by_role("button", name="Delete the tournament for good").click()
        expect(page.locator("main")).to_contain_text("has been deleted.")
        expect(row).to_have_count(0)
        assert organiser.faults == []


def test_the_button_is_one_tab_and_enter_from_the_top(house: House, browser: Browser) -> None:
    house.place.run(MAKE.format(name="Key Open"))
    with house.open(browser, user="olga") as organiser:
        page = organiser.page
        page.goto("/organiser/key-open/")
        expect(page.locator("#next-step-go")).to_have_text("Start session 1")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#next-step-go")).to_be_focused()


def test_a_new_tournament_starts_in_the_time_zone_of_the_browser(house: House, browser: Browser) -> None:
    with house.open(browser, user="olga", timezone_id="Asia/Tokyo") as organiser:
        page = organiser.page
        page.goto("/organiser/new/")
        expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
