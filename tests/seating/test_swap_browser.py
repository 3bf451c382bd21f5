"""Two players change seats in the pictures of the tables: by taps, by dragging, by keyboard, and without scripts."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.fixtures import DESKTOP, PHONE, House, Window

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

DRAWN = """
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.seating.services.seatings import draw_seats
event = make_tournament(name="Spring", sessions=4, drawn=False)
draw_seats(event, SYSTEM, seed="one")
make_organiser(event, "olga")
"""
SEATS = """
import json
from tournament.base.models.play import Seat
places = Seat.objects.filter(table__session__number=1).values_list("player__number", "table__number", "wind")
print(json.dumps({number: [table, wind] for number, table, wind in places}))
"""


@pytest.fixture(scope="module")
def drawn(house: House) -> House:
    house.place.run(DRAWN)
    return house


@pytest.fixture
def window(drawn: House, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Window]:
    options = {"size": DESKTOP} | getattr(request, "param", {})
    with drawn.open(browser, user="olga", **options) as window:
        window.page.goto("/organiser/spring/draw/swap/")
        yield window
        assert window.faults == []


def seats(house: House) -> dict[str, list[object]]:
    stored: dict[str, list[object]] = json.loads(house.place.run(SEATS))
    return stored


def seat(page: Page, number: int) -> Locator:
    return page.locator(f'.pick[value="{number}"]')


def confirm(page: Page) -> None:
    page.get_by_role("button", name="Swap").click()
    expect(page.get_by_text("The two players have changed seats.")).to_be_visible()


@pytest.mark.parametrize("window", [{"size": PHONE, "has_touch": True}], indirect=True)
def test_two_taps_show_what_it_does_and_a_button_confirms(window: Window, house: House) -> None:
    before, page = seats(house), window.page
    seat(page, 1).tap()
    expect(page.locator("#swap-status")).to_contain_text("and with whom?")
    expect(page.get_by_role("button", name="Swap")).to_have_count(0)
    seat(page, 2).tap()
    expect(page.locator("#effect")).to_contain_text("Mātīss Bērziņš")
    assert seats(house) == before, "looking stores nothing"
    confirm(page)
    after = seats(house)
    assert (after["1"], after["2"]) == (before["2"], before["1"])


def test_a_seat_dragged_onto_another(window: Window, house: House) -> None:
    before, page = seats(house), window.page
    seat(page, 5).drag_to(seat(page, 9))
    confirm(page)
    after = seats(house)
    assert (after["5"], after["9"]) == (before["9"], before["5"])


def test_the_keyboard_chooses_escape_clears_and_lists_show_the_same_choice(window: Window) -> None:
    page = window.page
    seat(page, 3).press("Enter")
    seat(page, 7).press("Enter")
    expect(page.get_by_role("button", name="Swap")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Swap")).to_have_count(0)
    expect(page.locator('.pick[aria-pressed="true"]')).to_have_count(0)
    expect(seat(page, 3)).to_be_focused()

    page.get_by_text("Choose from lists").click()
    page.get_by_label("Player", exact=True).select_option("4")
    expect(seat(page, 4)).to_have_attribute("aria-pressed", "true")
    seat(page, 8).click()
    expect(page.get_by_label("Changes seats with")).to_have_value("8")
    page.locator("#id_session").select_option("")
    expect(page.locator("#effect")).to_contain_text("Session 2")


@pytest.mark.parametrize("window", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_seats_are_chosen_one_after_the_other(window: Window, house: House) -> None:
    before, page = seats(house), window.page
    expect(page.get_by_label("Changes seats with")).to_be_visible()
    seat(page, 10).click()
    expect(seat(page, 10)).to_have_attribute("aria-pressed", "true")
    seat(page, 11).click()
    confirm(page)
    after = seats(house)
    assert (after["10"], after["11"]) == (before["11"], before["10"])
