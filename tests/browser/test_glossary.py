"""The glossary while one types, and a word of the game in a text: under a mouse, a finger, the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

TERMS = Path(__file__).parents[2] / "static" / "js" / "book" / "terms.js"
SHEET = Path(__file__).parents[2] / "static" / "css" / "terms.css"
A_TEXT = """
<p>Sets are <a class="term" href="/glossary/#meld" aria-describedby="term-meld">melded</a>
<span class="term-note" popover="manual" id="term-meld"><b>Meld</b> To lay down a set.</span> or not.</p>
<button>Next</button>
"""


@pytest.fixture
def page(house: House, browser: Browser) -> Iterator[Page]:
    with house.open(browser, PHONE, has_touch=True) as window:
        window.page.goto("/glossary/")
        yield window.page
        assert window.faults == []


def shown(page: Page) -> list[str]:
    found: list[str] = page.locator("[data-find]").evaluate_all(
        "lines => lines.filter((line) => line.checkVisibility()).map((line) => line.id)"
    )
    return found


def test_it_narrows_while_one_types(page: Page) -> None:
    search = page.get_by_role("searchbox")
    whole = len(shown(page))
    for typed in ("bushels", "BUSHELS ", "tiáozi", "条子", "條子", "suozi"):
        search.fill(typed)
        assert shown(page) == ["bamboos"], typed
    assert page.locator(".alias:visible").count() == 0
    assert page.locator("section:visible").count() == 1
    search.fill("xyzzy")
    expect(page.get_by_text("There is no such word here.")).to_be_visible()
    search.fill("")
    assert len(shown(page)) == whole


def test_the_script_finds_what_the_server_finds(page: Page) -> None:
    """Both take apart what is typed; one list of terms answers both."""
    for wanted in ("kong", "bh", "错胡", "lü", "Heaven’s", "self-draw", "pair (hand)", "1"):
        page.goto("/glossary/")
        page.get_by_role("searchbox").fill(wanted)
        here = shown(page)
        page.goto(f"/glossary/?q={wanted}")
        assert shown(page) == here, wanted


def test_a_game_is_chosen(page: Page) -> None:
    page.get_by_text("Computer", exact=True).first.click()
    assert "avatar" in shown(page)
    assert "meld" not in shown(page)


def test_a_link_to_what_is_hidden_shows_it(page: Page) -> None:
    page.get_by_role("searchbox").fill("baiman")
    page.locator("#baiman").get_by_role("link", name="Mangan").click()
    expect(page.locator("#mangan")).to_be_in_viewport()
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_another_name_lands_on_its_word(page: Page) -> None:
    page.locator("#bushels").get_by_role("link").click()
    expect(page.locator("#bamboos")).to_be_in_viewport()


@pytest.fixture
def word(page: Page) -> Locator:
    """A text with a word of the game in it, as a page of the book has it."""
    page.goto("/fouls/")
    page.route("**/terms-here.js", lambda route: route.fulfill(path=TERMS, content_type="text/javascript"))
    page.route("**/terms-here.css", lambda route: route.fulfill(path=SHEET, content_type="text/css"))
    page.add_style_tag(url="/terms-here.css")
    page.locator("#main").evaluate("(main, text) => { main.innerHTML = text }", A_TEXT)
    page.evaluate("import('/terms-here.js')")
    return page.get_by_role("link", name="melded")


def test_a_finger_asks_first_and_follows_then(page: Page, word: Locator) -> None:
    note = page.locator("#term-meld")
    expect(note).to_be_hidden()
    word.tap()
    expect(note).to_be_visible()
    box = note.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    page.get_by_role("button", name="Next").tap()
    expect(note).to_be_hidden()
    word.tap()
    word.tap()
    expect(page.locator("#meld")).to_be_in_viewport()


def test_the_keyboard_asks_and_closes(page: Page, word: Locator) -> None:
    note = page.locator("#term-meld")
    page.locator("#main").focus()
    page.keyboard.press("Tab")
    expect(note).to_be_visible()
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(note).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#meld")).to_be_in_viewport()


def test_a_mouse_may_move_onto_the_note(page: Page, word: Locator) -> None:
    note = page.locator("#term-meld")
    word.hover()
    expect(note).to_be_visible()
    note.hover()
    expect(note).to_be_visible()
    page.mouse.move(5, 600)
    expect(note).to_be_hidden()


def test_a_reader_who_hears_is_told_what_it_means(word: Locator) -> None:
    expect(word).to_have_accessible_description("Meld To lay down a set.")
