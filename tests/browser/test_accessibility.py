"""Every page there is, for every reader: assistive technology, a thumb, a narrow phone, a dark room, large letters.

Which pages: pages.py. What a look finds: look.py. The umpire's desk is looked at closer in test_desk.py.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Error

from tests.browser.conftest import Window
from tests.browser.look import look_at
from tests.browser.pages import FIRST_VISIT, PAGES, STATUS
from tests.browser.steps import THEN

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

Found = dict[str, list[str]]


@pytest.fixture(scope="module", params=PAGES)
def visit(request: pytest.FixtureRequest, windows: dict[str, Window]) -> Found:
    """All looks at a page, and what the browser complained of meanwhile."""
    name = request.param
    who, address = PAGES[name]
    words = {} if name == FIRST_VISIT else request.getfixturevalue("words")
    address = address.format(**words)
    try:
        return looked_at(windows[who], name, address)
    except Error as error:
        if "Target crashed" not in str(error):
            raise
        # A tab of Chromium's died. A page that kills it does so again.
        return looked_at(windows[who], name, address)


def looked_at(window: Window, name: str, address: str) -> Found:
    page = window.renew()
    window.faults.clear()
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    answer = page.goto(address)
    assert answer
    assert answer.status == STATUS.get(name, 200), f"{answer.status} {page.url}"
    if then := THEN.get(name):
        then(page)
    found = look_at(page)
    expected = f"answer: {STATUS.get(name)} "
    return found | {"faults": [one for one in window.faults if not one.startswith(expected)]}


def test_nothing_keeps_a_reader_out(visit: Found) -> None:
    assert visit["barriers"] == []


def test_nothing_scrolls_sideways(visit: Found) -> None:
    assert visit["sideways"] == []


def test_a_thumb_hits_everything(visit: Found) -> None:
    assert visit["small"] == []


def test_nothing_lies_over_what_is_pressed(visit: Found) -> None:
    assert visit["covered"] == []


def test_every_table_says_what_it_is(visit: Found) -> None:
    assert visit["unnamed"] == []


def test_no_word_is_heard_twice_running(visit: Found) -> None:
    assert visit["twice"] == []


def test_the_keyboard_is_seen_wherever_it_is(visit: Found) -> None:
    assert visit["unseen"] == []


def test_the_first_tab_leads_past_the_links(visit: Found) -> None:
    assert visit["skip"] == []


def test_the_browser_has_nothing_to_complain_of(visit: Found) -> None:
    assert visit["faults"] == []
