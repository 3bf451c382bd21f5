"""Every page for every reader: each once on a phone in the light, and once more in a way that is drawn anew each run.

Which pages: pages.py. What is wrong with one: look.py. The umpire's desk is looked at closer in test_desk.py.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Error

from tests.browser.conftest import Window
from tests.browser.look import LOOKS, Look, problems_of, structural_problems
from tests.browser.pages import ANYBODY, FIRST_VISIT, KEEPER, ORGANISER, PAGES, STATUS, UMPIRE
from tests.browser.steps import THEN
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

ON_A_PHONE = Look()
PAGES_A_TAB = 20
PUBLIC_EVENT = [name for name, (who, address) in PAGES.items() if who == ANYBODY and "/t/" in address]
PUBLIC_BOOK = [
    name
    for name, (who, address) in PAGES.items()
    if who == ANYBODY and "/t/" not in address and name != FIRST_VISIT
]


def pages_of(reader: str) -> list[str]:
    return [name for name, (who, _) in PAGES.items() if who == reader]


def open_page(window: Window, name: str, address: str) -> list[str]:
    """Open a page and do what comes before it is looked at; return what the browser complained of."""
    # A tab that has shown hundreds of pages crashes; one that differs only behind the # would not be loaded again.
    fresh = "#" in address or window.pages_shown % PAGES_A_TAB == 0
    page = window.renew() if fresh else window.page
    window.pages_shown += 1
    window.faults.clear()
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    response = page.goto(address)
    assert response
    expected = STATUS.get(name, 200)
    if response.status != expected:
        return [f"status {response.status} {page.url}"]
    if then := THEN.get(name):
        then(page)
    return [fault for fault in window.faults if not fault.startswith(f"answer: {STATUS.get(name)} ")]


def look_at(windows: dict[str, Window], name: str, words: dict[str, str]) -> list[str]:
    """Return all that is wrong with a page."""
    reader, address = PAGES[name]
    problems = open_page(windows[reader], name, address.format(**words))
    page = windows[reader].page
    problems += structural_problems(page)
    for look in sample(LOOKS, 1, always=[ON_A_PHONE], key=name):
        problems += problems_of(page, look)
    return problems


def look_at_all(names: list[str], windows: dict[str, Window], words: dict[str, str]) -> dict[str, list[str]]:
    """Return what is wrong, page by page; one whose tab crashed or timed out is opened once more."""
    problems = {}
    for name in names:
        try:
            problems[name] = look_at(windows, name, words)
        except Error:
            for window in windows.values():
                window.renew()
            problems[name] = look_at(windows, name, words)
    return {name: found for name, found in problems.items() if found}


def test_the_first_visit(windows: dict[str, Window]) -> None:
    """It is gone once there is an account, so nothing else may have been asked for before."""
    assert look_at_all([FIRST_VISIT], windows, {}) == {}


class TestPublic:
    @pytest.mark.parametrize("names", [PUBLIC_BOOK, PUBLIC_EVENT], ids=["book", "event"])
    def test_no_page_keeps_anybody_out(
        self, names: list[str], windows: dict[str, Window], words: dict[str, str]
    ) -> None:
        assert look_at_all(names, windows, words) == {}


class TestSignedIn:
    @pytest.mark.parametrize("reader", [UMPIRE, ORGANISER, KEEPER])
    def test_no_page_keeps_anybody_out(
        self, reader: str, windows: dict[str, Window], words: dict[str, str]
    ) -> None:
        assert look_at_all(pages_of(reader), windows, words) == {}
