"""The desk on the morning, on a phone: checking in by how many taps, two desks at once, without scripts."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import PHONE, House, Window

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

EVENT = """
from tests.support.factories import make_organiser, make_tournament
make_organiser(make_tournament(players=120, drawn=False), "olga")
"""
NOBODY = """
from tournament.base.models.people import Player
Player.objects.update(checked_in_at=None)
"""
OpenDesk = Callable[..., Page]
DESK = "/organiser/spring-open/check-in/"


@pytest.fixture(scope="module")
def event(house: House) -> House:
    house.place.run(EVENT)
    return house


@pytest.fixture
def open_desk(event: House, browser: Browser) -> Iterator[OpenDesk]:
    event.place.run(NOBODY)
    opened: list[Window] = []

    def opens(**options: Any) -> Page:
        window = stack.enter_context(event.open(browser, PHONE, user="olga", **options))
        window.page.goto(DESK)
        opened.append(window)
        return window.page

    with ExitStack() as stack:
        yield opens
        assert [window.faults for window in opened if window.faults] == []


def test_players_are_checked_in_by_a_letter_and_a_tap(open_desk: OpenDesk) -> None:
    page, taps = open_desk(), 0
    search = page.get_by_role("searchbox")
    search.focus()
    for typed, name in (("tuen", "Tünde Kovács"), ("oest", "Søren Østergaard")):
        page.keyboard.type(typed)
        row = page.locator("#arrivals li:visible", has_text=name).first
        row.get_by_role("button").click()
        taps += 1
        expect(row.get_by_role("button", name="Undo")).to_be_visible()
        expect(search).to_be_focused()
    assert taps == 2, "one tap each: what is typed next takes the place of what was typed"
    expect(page.locator(".arrived .big")).to_have_text("2")
    row.get_by_role("button", name="Undo").click()
    expect(row.locator(".check-in-button")).to_be_visible()
    expect(page.locator(".arrived .big")).to_have_text("1")


def test_two_desks_see_each_other(open_desk: OpenDesk) -> None:
    first_desk, second_desk = open_desk(), open_desk()
    first_desk.locator("#p5").get_by_role("button").click()
    expect(second_desk.locator("#p5").get_by_role("button", name="Undo")).to_be_visible()
    expect(second_desk.locator(".arrived .big")).to_have_text("1")


def test_without_scripts_the_form_searches_and_checks_in(open_desk: OpenDesk) -> None:
    page = open_desk(java_script_enabled=False)
    page.get_by_role("searchbox").fill("bjorn")
    page.get_by_role("button", name="Find").click()
    page.locator("#p3").get_by_role("button").click()
    expect(page.locator("#p3").get_by_role("button", name="Undo")).to_be_visible()
