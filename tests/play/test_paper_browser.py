"""The sheets of twenty-five tables are typed by keyboard alone: keystrokes and seconds are counted."""

from collections.abc import Iterator
from time import monotonic

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import DESKTOP, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

TABLES = 25
EVENT = """
from tests.support.factories import make_tournament, make_umpire
make_umpire(make_tournament(players=100, sessions=1, running=0), "uma")
"""
SCORES = """
from tournament.base.models.play import Seat
print(sum(s.game_points for s in Seat.objects.all()), Seat.objects.filter(table__is_in=True).count())
"""


@pytest.fixture(scope="module")
def page(house: House, browser: Browser) -> Iterator[Page]:
    house.place.run(EVENT)
    with house.open(browser, DESKTOP, user="uma") as window:
        window.page.goto("/umpire/spring-open/1/paper/")
        yield window.page
        assert window.faults == []


def test_a_session_of_twenty_five_sheets_by_numbers_and_enter(page: Page, house: House) -> None:
    keys, begun = 0, monotonic()
    expect(page.locator("#t1 input.number").first).to_be_focused()
    for table in range(1, TABLES + 1):
        for figure in (20 + table, -10 - table, 40 - table):
            page.keyboard.type(str(figure))
            page.keyboard.press("Enter")
            keys += len(str(figure)) + 1
        expect(page.locator(f"#t{table} output")).to_have_text("adds up")
    expect(page.locator("#missing")).to_have_text("All sheets have been entered.")
    expect(page.get_by_role("button", name="Save the sheets")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("25 sheets saved.")).to_be_visible()
    seconds = monotonic() - begun
    print(f"{TABLES} sheets: {keys + 1} keystrokes, {seconds:.1f} s")
    assert house.place.run(SCORES).split()[-2:] == ["0", "100"]
    assert keys + 1 <= TABLES * 3 * 4 + 1


def test_what_does_not_add_up_is_said_while_it_is_typed(page: Page, house: House) -> None:
    house.place.run(
        "from tournament.base.models.play import Table; from tournament.play.services.totals import set_totals_aside; "
        "from tests.support.factories import SYSTEM; "
        "set_totals_aside(Table.objects.get(number=7), SYSTEM, reason='The wrong table')"
    )
    page.reload()
    expect(page.locator("#missing")).to_have_text("Sheets missing: 7")
    for figure in ("30", "-10", "x"):
        page.keyboard.type(figure)
        page.keyboard.press("Enter")
    expect(page.locator("#t7 output")).to_have_text("")
    expect(page.locator("#missing")).to_have_text("Sheets missing: 7")
    page.locator("#t7 input.number").nth(2).fill("-30")
    page.locator("#t7 input.number").nth(3).fill("12")
    expect(page.locator("#t7 output")).to_have_text("2 too many")
    page.locator("#t7 input.number").nth(3).fill("")
    expect(page.locator("#t7 input.number").nth(3)).to_have_attribute("placeholder", "10")
