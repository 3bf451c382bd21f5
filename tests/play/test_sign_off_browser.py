"""The end of a session under a thumb: the four sign the umpire's phone, and what comes of an objection."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import PHONE, House, Window

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SEED = """
from tests.support.factories import make_tournament, make_umpire
tournament = make_tournament(players=16, sessions=1, running=(16, 16, 3, 16))
make_umpire(tournament)
"""


@pytest.fixture(scope="module")
def event(house: House) -> House:
    """Tables 1, 2 and 4 are played to the end, table 3 is at hand 4."""
    house.place.run(SEED)
    return house


@pytest.fixture(scope="module")
def phone(event: House, browser: Browser) -> Iterator[Window]:
    with event.open(browser, PHONE, user="uma", has_touch=True) as window:
        yield window


@pytest.fixture
def umpire(phone: Window) -> Iterator[Window]:
    """The umpire's phone, of which each test opens another page."""
    phone.faults.clear()
    yield phone
    assert phone.faults == []


def test_the_four_sign_seat_by_seat_and_the_umpire_hands_in(umpire: Window) -> None:
    page = umpire.page
    page.goto("/umpire/spring-open/1/1/")
    page.get_by_role("link", name="Sign and hand in").click()
    expect(page.get_by_text("Nobody has signed.")).to_be_visible()
    for signed in range(1, 4):
        page.locator("button.signer").first.click()
        expect(page.locator(".signed")).to_have_count(signed)
    expect(page.get_by_text("Not signed:")).to_be_visible()
    page.get_by_role("button", name="Revoke the signature of").first.click()
    expect(page.locator(".signed")).to_have_count(2)
    for signed in (3, 4):
        page.locator("button.signer").first.click()
        expect(page.locator(".signed")).to_have_count(signed)
    expect(page.get_by_text("Signed by all four.")).to_be_visible()
    page.get_by_role("button", name="Hand in table 1").click()
    expect(page.locator(".banner.ok")).to_contain_text("Signed by all four.")


def test_an_appeal_is_made_at_the_table_and_ruled_on_its_page(
    umpire: Window, house: House, browser: Browser
) -> None:
    page = umpire.page
    page.goto("/umpire/spring-open/1/4/#hand-in")
    page.get_by_role("button", name="does not agree").first.click()
    appellant = page.locator('.pick[aria-pressed="true"]').inner_text().split()[-1]
    page.get_by_role("button", name="Open appeal").click()
    expect(page.get_by_text("Say what the appeal is about.")).to_be_visible()
    page.get_by_label("Against what?").select_option("3")
    page.get_by_label("In the player’s words").fill("The last tile was mine.")
    page.get_by_role("button", name="Open appeal").click()
    expect(page.locator(".banner.bad")).to_contain_text(appellant)

    with house.open(browser, PHONE) as hall:
        hall.page.goto("/t/spring-open/sessions/1/4/")
        expect(hall.page.locator(".pill.bad")).to_have_text("Under appeal")
        page.locator(".banner.bad").get_by_role("link", name="Show appeals").click()
        page.get_by_role("button", name="Give the ruling").click()
        expect(page.locator(".error-summary")).to_contain_text("Choose one.")
        page.get_by_label("dismissed").check()
        page.get_by_label("Ruling").fill("Two witnesses say otherwise.")
        page.get_by_role("button", name="Give the ruling").click()
        expect(page.get_by_text("Two witnesses say otherwise.")).to_be_visible()
        expect(hall.page.get_by_text("An appeal was dismissed")).to_be_visible()
        assert "witnesses" not in hall.page.content()
        assert hall.faults == []


def test_desk_and_hall_show_the_same_second_whatever_their_own_clocks_say(
    umpire: Window, house: House, browser: Browser
) -> None:
    def shown(page: Page, place: str) -> int:
        hours, minutes, seconds = page.locator(place).inner_text().split()[0].split(":")
        return int(hours) * 3600 + int(minutes) * 60 + int(seconds)

    with house.open(browser, PHONE) as hall:
        hall.context.add_init_script("const right = Date.now; Date.now = () => right() + 600_000")
        hall.page.goto("/t/spring-open/sessions/1/")
        umpire.page.goto("/umpire/spring-open/1/3/")
        expect(hall.page.locator("[data-left]")).to_have_text(re.compile(r"^1:5\d:\d\d$"))
        for _ in range(20):  # a busy machine may draw one of them late, once; a wrong clock stays wrong
            before = shown(umpire.page, ".clock")
            left = shown(hall.page, "[data-left]")
            after = shown(umpire.page, ".clock")
            if after - 1 <= left <= before + 1:
                break
            hall.page.wait_for_timeout(500)
        # read one after the other, however long that takes; a clock that is drawn may be a second behind
        assert after - 1 <= left <= before + 1
        assert hall.faults == []


def test_a_table_gets_extra_time_with_a_reason(umpire: Window) -> None:
    page = umpire.page
    page.goto("/umpire/spring-open/1/3/#sheet")
    page.get_by_role("link", name="Give extra time").click()
    page.get_by_label("How many minutes longer than the hall?").fill("5")
    page.get_by_role("button", name="Set the extra time").click()
    expect(page.get_by_text("Give a reason for the extra time.")).to_be_visible()
    page.get_by_label("Reason").fill("The wall was built twice")
    page.get_by_role("button", name="Set the extra time").click()
    expect(page.get_by_text("This table plays 5 minutes longer than the hall.")).to_be_visible()
    page.goto("/umpire/spring-open/1/3/")
    expect(page.locator(".clock")).to_contain_text(re.compile(r"2:0[34]:\d\d"))


def test_a_phone_calls_and_an_umpire_takes_the_call(umpire: Window, house: House, browser: Browser) -> None:
    page = umpire.page
    page.goto("/umpire/spring-open/")
    with house.open(browser, PHONE, has_touch=True) as player:
        player.page.goto("/t/spring-open/sessions/1/3/")
        player.page.get_by_text("Call an umpire").click()
        player.page.get_by_role("button", name="wrong tile count").click()
        expect(player.page.locator("#call")).to_contain_text("The umpires have been notified.")

        expect(page.locator("main")).to_contain_text("wrong tile count")
        expect(page.locator("[data-since]")).to_have_text(re.compile(r"^0:\d\d$"))
        page.get_by_role("button", name="Take the call from table 3").click()
        expect(player.page.locator("#call")).to_contain_text("An umpire is on the way.")
        page.get_by_role("button", name="Done at table 3").click()
        expect(page.locator("[data-since]")).to_have_count(0)
        assert player.faults == []
