"""The desk by keyboard alone, as for copying paper sheets; keystrokes are counted."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk, Hall
from tests.browser.fixtures import DESKTOP, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SHEET = (
    *("SWP24", "SS12", "WE9", "D", "NE24", "EE8", "SW16", "WN10"),
    *("NS11", "EW8", "SE32", "D", "WW13", "NW8", "EN88", "SN15"),
)
"""Sixteen hands: winner and discarder by wind, and the points, on a new device after P; D for a wash-out."""

FIFTEEN_HANDS = """
from tests.support.factories import play_hands
from tournament.base.models.play import Table
play_hands(Table.objects.get(number=6), 15)
"""


@pytest.fixture(scope="module")
def computer(hall: Hall) -> dict[str, Any]:
    """What opens a desk on a computer."""
    return {"viewport": DESKTOP, "context": hall.new_device("uma", has_touch=False)}


@pytest.fixture
def desk(desk_at: Callable[..., Desk], computer: dict[str, Any]) -> Desk:
    return desk_at(3, **computer)


def go(desk: Desk, key: str, table: str) -> None:
    """Go to another table, and wait until its desk is ready."""
    desk.page.keyboard.press(key)
    expect(desk.page.locator("h1")).to_have_text(table)
    expect(desk.page.locator(".actions")).to_be_visible()


def test_a_sheet_of_sixteen_hands_by_keyboard_alone(desk: Desk) -> None:
    keys = 0
    for number, hand in enumerate(SHEET, 1):
        for key in hand:
            desk.page.keyboard.press(key)
        desk.page.keyboard.press("Enter")  # Before the entry is checked; it is saved once that is done.
        keys += len(hand) + 1
        desk.expect_saved(number)
    hands = desk.state()["hands"]
    points = [int(hand.lstrip("DESWNP") or 0) for hand in SHEET]
    assert [hand["points"] for hand in hands] == points
    assert [hand["outcome"] for hand in hands].count("draw") == 2
    assert sum(desk.scores()) == 0
    assert keys <= 16 * 5


def test_arrows_go_to_the_open_tables_and_a_question_mark_shows_the_keys(desk: Desk) -> None:
    go(desk, "ArrowRight", "Table 4")
    go(desk, "ArrowLeft", "Table 3")
    expect(desk.page.locator("kbd").filter(has_text="Enter")).to_be_visible()
    desk.page.set_viewport_size({"width": 800, "height": 800})  # too narrow to show them always
    expect(desk.page.locator("kbd")).to_have_count(0)
    desk.page.keyboard.press("?")
    expect(desk.page.locator("kbd").filter(has_text="Enter")).to_be_visible()
    desk.page.keyboard.press("?")
    expect(desk.page.locator("kbd")).to_have_count(0)


def test_backspace_and_escape_undo_an_entry_and_keys_choose_what_is_entered(desk: Desk) -> None:
    go(desk, "ArrowRight", "Table 4")
    for key in ("p", "E", "S", "1", "2", "Backspace", "8"):
        desk.page.keyboard.press(key)
    expect(desk.page.locator("output")).to_have_text("18")
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator(".question")).to_contain_text("Who won hand 1?")
    expect(desk.page.locator(".lines .no")).to_have_count(0)
    for key in ("T", "E", "S", "Enter", "1", "m", "Escape", "P", "9"):
        desk.page.keyboard.press(key)
        if key == "m":
            expect(desk.page.locator(".under")).to_contain_text("13 to go")
        if key == "Escape":
            expect(desk.page.locator(".under")).to_have_count(0)  # P would be a tile
    expect(desk.page.locator("output")).to_have_text("9")
    desk.page.keyboard.press("Escape")
    desk.page.keyboard.press("F")
    expect(desk.page.get_by_role("heading", name="Player and foul")).to_be_visible()
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator(".question")).to_contain_text("Who won hand 1?")


def test_a_new_wind_round_asks_to_change_seats(desk: Desk) -> None:
    go(desk, "ArrowRight", "Table 4")
    for number in range(1, 5):
        desk.page.keyboard.press("D")
        desk.page.keyboard.press("Enter")
        desk.expect_saved(number)
    expect(desk.page.locator(".question .new-round")).to_contain_text("South round begins.")
    desk.page.keyboard.press("E")
    expect(desk.page.locator(".new-round")).to_have_count(0)


def test_enter_without_an_entry_does_not_press_a_later_button(
    house: House, desk_at: Callable[..., Desk], computer: dict[str, Any]
) -> None:
    """Another device records the last hand, so that Save becomes "Hand in"."""
    house.place.run(FIFTEEN_HANDS)
    desk = desk_at(6, **computer)
    desk.page.keyboard.press("Enter")
    other = desk_at(6, "una", viewport=DESKTOP)
    other.button("Wash-out")
    other.save()
    expect(desk.page.get_by_role("link", name="Sign and hand in")).to_be_visible()
    assert not other.state()["is_in"]


MAIN_BUTTON = ".savebar .primary:enabled"
RECORD = (
    "[data-arg=points]",
    '.seat:has([aria-label^="South"])',
    '.seat:has([aria-label^="East"])',
    "[data-digit='9']",
    MAIN_BUTTON,
)
PENALISE = (".actions .danger", ".pick", '.foul:has-text("Empty call")', MAIN_BUTTON)
CORRECT = (
    ".actions a",
    "[href='#hand-1']",
    MAIN_BUTTON,
    "[data-digit='8']",
    MAIN_BUTTON,
    "[data-do=reason]",
    MAIN_BUTTON,
    ".back",
)


def test_enter_alone_records_and_hands_in_and_the_focus_is_never_lost(
    desk_at: Callable[..., Desk], computer: dict[str, Any]
) -> None:
    desk = desk_at(7, **computer)
    page = desk.page

    def press(*selectors: str) -> None:
        for selector in selectors:
            page.locator(selector).first.focus()
            page.keyboard.press("Enter")
            page.wait_for_timeout(150)  # Disabled buttons lose the focus when the page is drawn.
            expect(page.locator(".phone :focus"), f"after {selector}").to_have_count(1)

    press(*RECORD)
    desk.expect_saved(1)
    press(*PENALISE)
    expect(page.locator(".pill.ok")).to_have_text("Penalty given")
    press(*CORRECT, "[href='#hand-in']")
    for number in range(1, 5):
        press("[data-do=sign]")
        expect(page.locator(".signed")).to_have_count(number)
        expect(page.locator(".signed:focus")).to_have_count(1)
    press(MAIN_BUTTON)
    expect(page.get_by_text("Table 7 has been handed in")).to_be_visible()
    assert desk.hands() == [(1, "win", 8)]
