"""The calculator under a thumb, on a keyboard, without JavaScript, for every reader; a classical evening."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.fixtures import PHONE, House, Window
from tests.browser.look import Look, problems_of
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

CHOWS = "123m 123p 12s 789s 99m +3s seat=W round=S"
NARROW = Look(360, 640)
STATES = {
    "empty": "",
    "two to go": "123m 456p 799s [EEE]",
    "waiting": "34m 456p 789s EEE 55p",
    "whole": CHOWS,
    "other rulebooks differ": "1133m5577p22s EE C +C",
    "short, announced": "123m 678p 345s 78s 99m +6s flowers=2",
    "not a winning hand": "19m19p19sESWNCF E +2s",
    "kongs": "12m 55p 789s (EEEE) [SSSS] +3m",
    "unreadable": "123m 1x [EE",
}
MORE = {"short, announced": "&points=9&fan=all_chows&fan=no_honors&fan=mixed_double_chow*2"}


@pytest.fixture(scope="module")
def window(house: House, browser: Browser) -> Iterator[Window]:
    with house.open(browser, PHONE, has_touch=True) as opened:
        yield opened


@pytest.fixture
def page(window: Window) -> Iterator[Page]:
    """The empty calculator on a phone; whatever the browser complains of fails the test."""
    window.faults.clear()
    window.page.set_viewport_size(PHONE)
    window.page.goto("/calculator/")
    yield window.page
    assert window.faults == []


def opened(page: Page, text: str, more: str = "") -> Page:
    page.goto(f"/calculator/?hand={quote(text)}{more}")
    return page


def tap(page: Page, *keys: str) -> None:
    for key in keys:
        page.locator(f".pad button[data-key='{key}']").click()


def headline(page: Page) -> Any:
    return page.locator("h1")


def test_tapped_tiles_are_counted_and_the_address_can_be_shared(
    page: Page, house: House, browser: Browser
) -> None:
    tap(page, "1m", "2m", "3m", "1p", "2p", "3p", "1s", "2s", "7s", "8s", "9s", "9m", "9m")
    expect(headline(page)).to_have_text("Waiting for 1 tile")
    tap(page, "3s")
    expect(headline(page)).to_have_text("18 points")
    expect(page.locator(".keyboard")).to_have_count(0)
    with house.open(browser) as other:
        other.page.goto(page.url)
        expect(headline(other.page)).to_have_text("18 points")
        expect(other.page.locator(".tray .cell")).to_have_count(14)
        assert other.faults == []


def test_no_tap_is_lost_while_the_server_answers(page: Page) -> None:
    unanswered: list[Route] = []
    holding = True
    page.route(
        "**/calculator/score/**", lambda route: unanswered.append(route) if holding else route.continue_()
    )
    tap(page, *["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "C", "F", "P"])
    holding = False
    for route in unanswered:
        route.continue_()
    expect(headline(page)).to_have_text("Waiting for 13 tiles")
    expect(page.locator(".tray button.cell")).to_have_count(13)
    page.unroute_all(behavior="wait")


def test_melds_come_from_one_tap(page: Page) -> None:
    for mode, key in (("pung", "E"), ("chow", "1m"), ("concealed_kong", "P")):
        page.locator(f"[data-do=mode][data-arg={mode}]").click()
        tap(page, key)
    tap(page, "7s", "8s", "N", "N")
    expect(page.locator("#id_hand")).to_have_value("78sNN [EEE] [123m] (PPPP)")


def test_a_keyboard_will_do(page: Page) -> None:
    page.keyboard.type("123m123p12s789s99m3s")
    expect(headline(page)).to_have_text("18 points")


def test_what_is_typed_as_text_lies_in_the_tray(page: Page) -> None:
    page.locator("#more > summary").click()
    page.locator("#id_hand").fill("12m [EEE] +3m self-drawn seat=S")
    page.locator("#id_hand").press("Tab")
    expect(page.locator("#faults-hand")).to_contain_text("14 tiles")
    page.locator("#id_hand").fill("12m 55p 789s [EEE] (PPPP) +3m self-drawn seat=S")
    page.locator("#id_hand").press("Tab")
    expect(page.locator("#faults-hand")).to_be_empty()
    expect(page.locator(".tray .cell.meld")).to_have_count(2)
    expect(page.get_by_role("checkbox", name="Self-drawn")).to_be_checked()
    expect(page.get_by_role("group", name="Seat wind").get_by_role("radio", name="South")).to_be_checked()
    expect(page.locator("#id_hand")).to_have_value("12m55p789s [EEE] (PPPP) +3m")


def test_a_whole_hand_counts_its_circumstances_an_announcement_and_other_tiles_at_once(page: Page) -> None:
    """Circumstances that cannot be are off."""
    opened(page, CHOWS)
    expect(page.get_by_role("checkbox", name="After a kong")).to_be_disabled()
    page.locator("#id_flag").get_by_text("Self-drawn").click()
    expect(headline(page)).to_have_text("20 points")
    expect(page.get_by_role("checkbox", name="Robbing a kong")).to_be_disabled()
    page.locator("#id_flag").get_by_text("Self-drawn").click()
    expect(headline(page)).to_have_text("18 points")

    page.locator("summary", has_text="Check an announcement").click()
    page.locator("#id_points").fill("24")
    expect(page.locator("#result .banner")).to_contain_text("Points announced: 24. The hand is worth 18.")
    page.locator("#id_points").fill("18")
    expect(page.locator("#result .banner")).to_contain_text("The announcement is right")

    page.get_by_role("button", name="Won on 9 of Characters").first.click()
    expect(page.locator(".fan-table").first).to_contain_text("Single Wait")
    page.get_by_role("button", name="Change tiles").click()
    page.get_by_role("button", name="Remove 3 of Bamboos").click()
    tap(page, "E")
    expect(headline(page)).to_have_text("Not a winning hand")


def test_the_last_of_its_kind_is_on_and_locked_while_the_tiles_make_it_certain(page: Page) -> None:
    last_of_kind = page.get_by_role("checkbox", name="Last of its kind")
    opened(page, "13m456p99s678s [111m] +2m")
    page.get_by_role("button", name="Won on 1 of Characters").first.click()
    expect(headline(page)).to_have_text("8 points")
    expect(last_of_kind).to_be_checked()
    expect(last_of_kind).to_be_disabled()
    page.get_by_role("button", name="Won on 3 of Characters").first.click()
    expect(headline(page)).to_have_text("5 points")
    expect(last_of_kind).not_to_be_checked()
    expect(last_of_kind).to_be_enabled()


def test_it_works_without_javascript(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE, java_script_enabled=False) as window:
        page = window.page
        page.goto("/calculator/")
        page.locator("#id_hand").fill("123m 123p 12s 789s 99m +3s")
        page.get_by_text("Self-drawn", exact=True).click()
        page.get_by_role("button", name="Score").click()
        expect(headline(page)).to_have_text("20 points")
        assert window.faults == []


def test_every_state_fits_a_narrow_phone_and_a_thumb_and_assistive_technology(page: Page) -> None:
    problems = {}
    for state in sample(STATES, 3):
        opened(page, STATES[state], MORE.get(state, ""))
        page.evaluate("document.querySelectorAll('main details').forEach((part) => { part.open = true; })")
        problems[state] = [
            problem
            for look in (NARROW, replace(NARROW, scheme="dark"))
            for problem in problems_of(page, look)
        ]
    page.emulate_media(color_scheme="light")
    assert {state: faults for state, faults in problems.items() if faults} == {}


# --- the classical game: three hands of an evening, one taken back, the device that remembers it ----------
def settle(page: Page, winner: str, **fields: str) -> None:
    page.locator("#id_winner").get_by_text(winner, exact=True).tap()
    for field, value in fields.items():
        page.locator(f"#id_{field}").fill(value)
    page.get_by_role("button", name="Settle the hand").tap()


def test_an_evening_of_three_hands(page: Page) -> None:
    page.goto("/classical/")
    for place, name in enumerate(("Anna", "Bo", "Chen", "Dee")):
        page.get_by_label(f"Player {place + 1}").fill(name)
    page.get_by_role("button", name="Start the evening").tap()
    expect(page.get_by_text("Anna is East and deals.")).to_be_visible()

    settle(page, "Bo", points_0="8", points_1="144", points_3="28")
    expect(page.get_by_text("East lost: Bo, who was South, is East now and deals.")).to_be_visible()

    settle(page, "Nobody: wash-out")
    expect(page.get_by_text("A wash-out is not scored: Bo stays East and deals again.")).to_be_visible()

    page.locator(".player summary").nth(2).tap()
    settle(page, "Chen", tiles_2="234m 678p 345s CCC 3p +3p")
    expect(page.locator("h1")).to_have_text("Hand 4 · East round")
    totals = page.locator(".evening-sheet tbody tr").last.locator("td b")
    expect(totals).to_have_text(["−372", "456", "52", "−136"])

    page.get_by_role("button", name="Undo the last hand").tap()
    expect(page.locator("h1")).to_have_text("Hand 3 · East round")

    # The phone was put away; the evening is still on it.
    page.goto("/classical/")
    expect(page.get_by_text("Anna · Bo · Chen · Dee")).to_be_visible()
    page.get_by_role("button", name="Continue").tap()
    expect(page.locator("h1")).to_have_text("Hand 3 · East round")
    expect(page.locator(".evening-sheet tbody tr")).to_have_count(2)
    page.goto("/classical/")
    page.get_by_role("button", name="Delete").tap()
    page.reload()
    expect(page.locator("#saved-evening")).to_be_hidden()


def test_the_classical_game_is_chosen_in_the_calculator_under_the_thumb(page: Page) -> None:
    """What it asks besides is there only while it is chosen."""
    page.goto("/calculator/?hand=234m+678p+345s+CCC+3p+%2B3p+self-drawn+seat%3DS")
    page.locator("#more > summary").tap()
    expect(page.locator(".of-classical")).to_be_hidden()
    page.locator("#id_rulebook").select_option("classical")
    expect(page.locator("h1")).to_have_text("64 points")
    page.locator("#id_flower").get_by_text("Summer").tap()
    expect(page.locator("h1")).to_have_text("144 points")
    page.locator("#id_way").get_by_text("Standing hand").tap()
    expect(page.locator("h1")).to_have_text("500 points")
    page.locator("#id_flower").get_by_text("Summer").tap()
    expect(page.locator("h1")).to_have_text("264 points")
