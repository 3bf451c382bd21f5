"""Every page for every reader: each once on a phone in the light, and once more in a way that is drawn anew each run:
another width, theme and language, and a public page as somebody else may see it.

Which pages: pages.py. What is wrong with one: look.py. The umpire's desk is looked at closer in test_desk.py.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Error, Page, expect

from tests.browser.fixtures import Window
from tests.browser.look import LOOKS, Look, problems_of, structural_problems
from tests.browser.pages import ANYBODY, FIRST_VISIT, KEEPER, ORGANISER, PAGES, STATUS, UMPIRE
from tests.browser.steps import THEN
from tests.support.sampling import EXHAUSTIVE, sample

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


def readers_of(name: str) -> list[str]:
    """Return who may open a page and what comes before it; an event's public pages are everybody's."""
    reader, _ = PAGES[name]
    return [ANYBODY, UMPIRE, ORGANISER] if name in PUBLIC_EVENT and name not in THEN else [reader]


def look_at(windows: dict[str, Window], name: str, words: dict[str, str]) -> list[str]:
    """Return all that is wrong with a page."""
    reader, address = PAGES[name][0], PAGES[name][1].format(**words)
    problems = open_page(windows[reader], name, address)
    problems += structural_problems(windows[reader].page)
    for look in sample(LOOKS, 1, always=[ON_A_PHONE], key=name):
        if look == ON_A_PHONE:
            problems += problems_of(windows[reader].page, look)
            continue
        [other] = sample(readers_of(name), 1, key=f"{name} {look}") if not EXHAUSTIVE else [reader]
        language = "en" if name in THEN else look.language
        with in_language(windows[other], language, windows[reader].page.url):
            if other != reader or look.language != "en":
                problems += open_page(windows[other], name, address)
            problems += problems_of(windows[other].page, look)
    return problems


@contextmanager
def in_language(window: Window, language: str, url: str) -> Iterator[None]:
    """Read pages in this language meanwhile. What comes before some pages presses buttons by their English names."""
    window.context.add_cookies([{"name": "django_language", "value": language, "url": url}])
    yield
    window.context.clear_cookies(name="django_language")


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


# --- where the keyboard is: near what a page is for, and at the answer once something was done ------------
MOST_TABS = 8
AT = """() => {
  const main = [...document.querySelectorAll("main .btn.primary")].filter((one) => one.checkVisibility());
  const forms = main.map((one) => one.form).filter(Boolean);
  const here = document.activeElement;
  return main.includes(here) || forms.some((form) => form === here?.form);
}"""
"""Whether the focus is on the page's filled button, or in the form that it sends."""
HAS_ACTION = "() => [...document.querySelectorAll('main .btn.primary')].some((one) => one.checkVisibility())"


def tabs_to_the_action(page: Page) -> int | None:
    """Return the fewest presses of Tab from the top, where each skip link may be pressed or passed."""
    ways = page.locator("a.skip").count() + 1
    return min((tabs for way in range(ways) if (tabs := _tabs(page, way)) is not None), default=None)


def _tabs(page: Page, skip: int) -> int | None:
    """Press the `skip`-th skip link on the way; 0: none."""
    page.reload()
    page.evaluate("document.activeElement?.blur()")
    for tabs in range(1, MOST_TABS + 1):
        page.keyboard.press("Tab")
        if tabs == skip and page.evaluate("document.activeElement.matches('.skip')"):
            page.keyboard.press("Enter")
        if page.evaluate(AT):
            return tabs
    return None


def test_what_a_page_is_for_is_eight_tabs_away(windows: dict[str, Window], words: dict[str, str]) -> None:
    page = windows[ORGANISER].page
    names = [name for name, (reader, _) in PAGES.items() if reader == ORGANISER and name not in THEN]
    too_far = []
    for name in sample(names, 20):
        page.goto(PAGES[name][1].format(**words))
        if page.evaluate(HAS_ACTION) and tabs_to_the_action(page) is None:
            too_far.append(name)
    assert too_far == []


def test_after_a_form_the_focus_is_at_what_was_said(
    windows: dict[str, Window], words: dict[str, str]
) -> None:
    page = windows[ORGANISER].page
    page.goto("/organiser/nobody-yet/players/new/")
    page.get_by_label("Last name").fill("Nowak")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_be_focused()
    expect(page.locator(".messages")).to_contain_text("Nowak is entered")


def test_after_a_form_with_faults_the_focus_is_at_what_is_to_be_mended(
    windows: dict[str, Window], words: dict[str, str]
) -> None:
    page = windows[ORGANISER].page
    page.goto("/organiser/nobody-yet/players/new/")
    page.get_by_label("Last name").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".error-summary")).to_be_focused()


def test_after_a_part_was_exchanged_the_focus_is_at_what_was_made(
    windows: dict[str, Window], words: dict[str, str]
) -> None:
    page = windows[ORGANISER].page
    page.goto("/organiser/closed/documents/")
    page.get_by_role("button", name="Standings to print").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-made]")).to_be_focused()
