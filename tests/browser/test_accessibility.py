"""Accessibility and layout of every page (pages.py, look.py), and where the keyboard focus is.

A fifth of the pages, chosen anew each run, is checked on a phone in the light theme, and a third of these once more at
another size, theme, language and reader. `bin/test --exhaustive` checks every page at all of them.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Error, Page, expect

from tests.browser.fixtures import Window
from tests.browser.look import LOOKS, Look, problems_of, structural_problems
from tests.browser.pages import ANYBODY, FIRST_VISIT, KEEPER, ORGANISER, PAGES, STATUS, UMPIRE
from tests.browser.steps import STEPS_OF
from tests.support.sampling import EXHAUSTIVE, sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

ON_A_PHONE = Look()
PAGES_A_TAB = 20
PUBLIC_EVENT = [name for name, (who, address) in PAGES.items() if who == ANYBODY and "/t/" in address]
STRICT = {
    "home",
    "tournament",
    "ranking",
    "session",
    "table sheet",
    "table sheet, planned",
    "draw",
    "draw by table",
    "players",
    "player",
}
"""Pages that most people open: not even a minor violation."""
CHECKED = sample(PAGES, len(PAGES) // 5, always=STRICT | {FIRST_VISIT})
CHECKED_TWICE = sample(CHECKED, len(CHECKED) // 3)
PUBLIC_BOOK = [
    name
    for name, (who, address) in PAGES.items()
    if who == ANYBODY and "/t/" not in address and name != FIRST_VISIT
]


def pages_of(reader: str) -> list[str]:
    return [name for name, (who, _) in PAGES.items() if who == reader]


def open_page(window: Window, name: str, address: str) -> list[str]:
    """Open a page and run its steps; return the browser's errors."""
    # A tab crashes after hundreds of pages, and does not reload a page whose URL differs only in the fragment.
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
    if "#" not in address and (y := page.evaluate("scrollY")):
        return [f"scrolled to {y}"]
    if step := STEPS_OF.get(name):
        step(page)
    return [fault for fault in window.faults if not fault.startswith(f"answer: {STATUS.get(name)} ")]


def readers_of(name: str) -> list[str]:
    """Return the readers who may open a page; an event's public pages are for everybody."""
    reader, _ = PAGES[name]
    return [ANYBODY, UMPIRE, ORGANISER] if name in PUBLIC_EVENT and name not in STEPS_OF else [reader]


def look_at(windows: dict[str, Window], name: str, url_params: dict[str, str]) -> list[str]:
    """Return every problem of a page."""
    reader, address = PAGES[name][0], PAGES[name][1].format(**url_params)
    problems = open_page(windows[reader], name, address)
    problems += structural_problems(windows[reader].page)
    for look in sample(LOOKS, int(name in CHECKED_TWICE), always=[ON_A_PHONE], key=name):
        if look == ON_A_PHONE:
            problems += problems_of(windows[reader].page, look, minor=name in STRICT)
            continue
        [other] = sample(readers_of(name), 1, key=f"{name} {look}") if not EXHAUSTIVE else [reader]
        language = "en" if name in STEPS_OF else look.language
        with in_language(windows[other], language, windows[reader].page.url):
            if other != reader or look.language != "en":
                problems += open_page(windows[other], name, address)
            problems += problems_of(windows[other].page, look, minor=name in STRICT)
    return problems


@contextmanager
def in_language(window: Window, language: str, url: str) -> Iterator[None]:
    """Set the language cookie meanwhile. Steps press buttons by their English names, so they are run before."""
    window.context.add_cookies([{"name": "django_language", "value": language, "url": url}])
    yield
    window.context.clear_cookies(name="django_language")


def look_at_all(
    names: list[str], windows: dict[str, Window], url_params: dict[str, str]
) -> dict[str, list[str]]:
    """Return the problems by page. A page whose tab crashes or times out is opened once more."""
    problems = {}
    for name in filter(CHECKED.__contains__, names):
        try:
            problems[name] = look_at(windows, name, url_params)
        except Error:
            for window in windows.values():
                window.renew()
            problems[name] = look_at(windows, name, url_params)
    return {name: page_problems for name, page_problems in problems.items() if page_problems}


def test_the_first_visit(windows: dict[str, Window]) -> None:
    """This test comes first: the page is gone once there is an account."""
    assert look_at_all([FIRST_VISIT], windows, {}) == {}


class TestPublic:
    @pytest.mark.parametrize("names", [PUBLIC_BOOK, PUBLIC_EVENT], ids=["book", "event"])
    def test_pages_are_accessible(
        self, names: list[str], windows: dict[str, Window], url_params: dict[str, str]
    ) -> None:
        assert look_at_all(names, windows, url_params) == {}


class TestSignedIn:
    @pytest.mark.parametrize("reader", [UMPIRE, ORGANISER, KEEPER])
    def test_pages_are_accessible(
        self, reader: str, windows: dict[str, Window], url_params: dict[str, str]
    ) -> None:
        assert look_at_all(pages_of(reader), windows, url_params) == {}


def test_pages_open_at_their_top_on_a_phone(windows: dict[str, Window], url_params: dict[str, str]) -> None:
    """`open_page` checks the same on a laptop."""
    scrolled = {}
    for name in sample([name for name in PAGES if name != FIRST_VISIT and name not in STEPS_OF], 15):
        reader, address = PAGES[name]
        page = windows[reader].page
        page.set_viewport_size(ON_A_PHONE.size)
        page.goto(address.format(**url_params))
        if "#" not in page.url and (y := page.evaluate("scrollY")):
            scrolled[name] = y
    assert scrolled == {}


# --- Keyboard focus ---------------------------------------------------------------------------------------
MAX_TABS = 8
IS_AT_ACTION = """() => {
  const buttons = [...document.querySelectorAll("main .btn.primary")].filter((button) => button.checkVisibility());
  const forms = buttons.map((button) => button.form).filter(Boolean);
  const focused = document.activeElement;
  return buttons.includes(focused) || forms.some((form) => form === focused?.form);
}"""
"""Whether the focus is on the page's primary button, or in the form that it sends."""
HAS_ACTION = (
    "() => [...document.querySelectorAll('main .btn.primary')].some((button) => button.checkVisibility())"
)


def tabs_to_the_action(page: Page) -> int | None:
    """Return the fewest presses of Tab from the top, with or without the skip links; None for more than MAX_TABS."""
    skips = page.locator("a.skip").count() + 1
    return min((tabs for skip in range(skips) if (tabs := _tabs(page, skip)) is not None), default=None)


def _tabs(page: Page, skip: int) -> int | None:
    """Return the presses of Tab, using the `skip`-th skip link (0: none)."""
    page.reload()
    page.evaluate("document.activeElement?.blur()")
    for tabs in range(1, MAX_TABS + 1):
        page.keyboard.press("Tab")
        if tabs == skip and page.evaluate("document.activeElement.matches('.skip')"):
            page.keyboard.press("Enter")
        if page.evaluate(IS_AT_ACTION):
            return tabs
    return None


def test_what_a_page_is_for_is_eight_tabs_away(
    windows: dict[str, Window], url_params: dict[str, str]
) -> None:
    page = windows[ORGANISER].page
    names = [name for name, (reader, _) in PAGES.items() if reader == ORGANISER and name not in STEPS_OF]
    too_far = []
    for name in sample(names, 4):
        page.goto(PAGES[name][1].format(**url_params))
        if page.evaluate(HAS_ACTION) and tabs_to_the_action(page) is None:
            too_far.append(name)
    assert too_far == []


def test_after_a_form_the_focus_is_at_the_message_or_at_the_error_summary(
    windows: dict[str, Window], url_params: dict[str, str]
) -> None:
    page = windows[ORGANISER].page
    page.goto("/organiser/nobody-yet/people/new/")
    page.get_by_label("Last name").fill("Nowak")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_be_focused()
    expect(page.locator(".messages")).to_contain_text("Nowak is entered")
    page.goto("/organiser/nobody-yet/people/new/")
    page.get_by_label("Last name").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".error-summary")).to_be_focused()


def test_after_a_part_of_the_page_is_replaced_the_focus_is_in_the_new_part(
    windows: dict[str, Window], url_params: dict[str, str]
) -> None:
    page = windows[ORGANISER].page
    page.goto("/organiser/closed/documents/")
    page.get_by_role("button", name="Standings to print").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-made]")).to_be_focused()
