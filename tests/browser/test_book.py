"""The glossary and its terms in a text, the quiz, and the printed sheet of all fans."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from django.utils.translation import override
from playwright.sync_api import Browser, Locator, Page, expect
from pypdf import PdfReader

from scoring.engine import FANS
from scoring.quiz.questions import HandQuestion, Kind, Level, question
from scoring.texts import fan_name
from tests.browser.fixtures import DESKTOP, PHONE, House
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

# --- The search in the glossary, and terms in a text ------------------------------------------------------
TERMS = Path(__file__).parents[2] / "static" / "js" / "book" / "terms.js"
SHEET = Path(__file__).parents[2] / "static" / "css" / "terms.css"
TEXT_WITH_TERM = """
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
    """Return the ids of the visible terms."""
    ids: list[str] = page.locator("[data-find]").evaluate_all(
        "lines => lines.filter((line) => line.checkVisibility()).map((line) => line.id)"
    )
    return ids


def test_the_list_is_filtered_while_one_types_and_by_game(page: Page) -> None:
    search = page.get_by_role("searchbox")
    count = len(shown(page))
    for text in ("bushels", "BUSHELS ", "tiáozi", "条子", "條子", "suozi"):
        search.fill(text)
        assert shown(page) == ["bamboos"], text
    assert page.locator(".alias:visible").count() == 0
    assert page.locator("section:visible").count() == 1
    search.fill("xyzzy")
    expect(page.get_by_text("No such term.")).to_be_visible()
    search.fill("")
    assert len(shown(page)) == count
    page.get_by_text("Computer", exact=True).first.click()
    assert "avatar" in shown(page)
    assert "meld" not in shown(page)


def test_the_script_finds_the_same_terms_as_the_server(page: Page) -> None:
    texts = ("kong", "bh", "错胡", "lü", "Heaven’s", "self-draw", "pair (hand)", "1")
    for text in sample(texts, 3):
        page.goto("/glossary/")
        page.get_by_role("searchbox").fill(text)
        by_script = shown(page)
        page.goto(f"/glossary/?q={text}")
        assert shown(page) == by_script, text


def test_a_link_leads_to_its_term_and_shows_a_hidden_one(page: Page) -> None:
    page.locator("#bushels").get_by_role("link").click()
    expect(page.locator("#bamboos")).to_be_in_viewport()
    page.get_by_role("searchbox").fill("baiman")
    page.locator("#baiman").get_by_role("link", name="Mangan").click()
    expect(page.locator("#mangan")).to_be_in_viewport()
    expect(page.get_by_role("searchbox")).to_have_value("")


@pytest.fixture
def word(page: Page) -> Locator:
    """Put a text with a term on the page, as the pages of the book have it; return the term."""
    page.goto("/fouls/")
    page.route("**/terms-here.js", lambda route: route.fulfill(path=TERMS, content_type="text/javascript"))
    page.route("**/terms-here.css", lambda route: route.fulfill(path=SHEET, content_type="text/css"))
    page.add_style_tag(url="/terms-here.css")
    page.locator("#main").evaluate("(main, text) => { main.innerHTML = text }", TEXT_WITH_TERM)
    page.evaluate("import('/terms-here.js')")
    return page.get_by_role("link", name="melded")


def test_the_first_tap_shows_the_note_and_the_second_follows_the_link(page: Page, word: Locator) -> None:
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


def test_the_keyboard_shows_and_closes_the_note(page: Page, word: Locator) -> None:
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


def test_a_mouse_may_move_onto_the_note_that_describes_the_term(page: Page, word: Locator) -> None:
    note = page.locator("#term-meld")
    expect(word).to_have_accessible_description("Meld To lay down a set.")
    word.hover()
    expect(note).to_be_visible()
    note.hover()
    expect(note).to_be_visible()
    page.mouse.move(5, 600)
    expect(note).to_be_hidden()


# --- Results of the quiz, stored on the device ------------------------------------------------------------
def answer(page: Page, seed: str, off: int = 0) -> None:
    """Open a puzzle and answer it, so many points off."""
    puzzle = question(Kind.WORTH, Level.EASY, seed)
    assert isinstance(puzzle, HandQuestion)
    page.goto(f"/quiz/worth/easy/{seed}/")
    page.get_by_label("Points").fill(str(puzzle.worth + off))
    page.get_by_role("button", name="Answer").click()


def test_right_answers_in_a_row_are_counted_once(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE) as window:
        page = window.page
        answer(page, "1")
        record = page.locator("[data-says]")
        expect(record).to_have_text(re.compile(r"^1 in a row, best 1 · \d+ s this time, fastest \d+ s$"))
        answer(page, "2")
        expect(record).to_contain_text("2 in a row, best 2")
        page.reload()
        expect(record).to_have_text("2 in a row, best 2")
        answer(page, "3", off=1)
        expect(record).to_contain_text("0 in a row, best 2")
        page.goto("/quiz/")
        expect(page.locator("[data-group='worth easy']")).to_contain_text("0 in a row, best 2 · fastest")
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_text("Deleted.")).to_be_visible()
        expect(page.locator("[data-group='worth easy']")).to_be_hidden()
        assert page.evaluate("localStorage.getItem('hule quiz')") is None
        assert window.faults == []


def test_the_result_of_a_day_is_stored_and_copied(house: House, browser: Browser) -> None:
    day = timezone.localdate().isoformat()
    with house.open(browser, PHONE) as window:
        page = window.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(f"/quiz/daily/{day}/?so=100-80-60-0-100")
        expect(page.locator("[data-days]")).to_have_text("Days in a row: 1")
        page.get_by_role("button", name="Copy").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()").startswith(f"Hule {day} · 340/500\n●◐○×●\n")
        page.goto(f"/quiz/daily/{day}/")
        page.get_by_role("link", name="Your result").click()
        expect(page.get_by_text("340 of 500")).to_be_visible()
        assert window.faults == []


# --- The printed sheet of all fans: one page of A4 in each language ---------------------------------------
LANGUAGES = ("en", "zh-hans", "zh-hant")
A4 = (595, 842)
"""In points."""


@pytest.mark.parametrize("language", sample(LANGUAGES, 1))
def test_the_sheet_is_one_page_and_no_hand_overflows_its_column(
    house: House, browser: Browser, language: str
) -> None:
    with house.open(browser, DESKTOP) as window:
        page = window.page
        window.context.add_cookies([{"name": "django_language", "value": language, "url": house.url}])
        page.goto("/fans/sheet/", wait_until="networkidle")
        names = page.locator(".fan-sheet b").all_inner_texts()
        pages = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
        page.emulate_media(media="print")
        # A4 within its margins, at 96 pixels per inch.
        page.set_viewport_size({"width": 726, "height": 1054})
        overflowing = page.locator(".fan-sheet li").evaluate_all(
            "lines => lines.filter((line) => [...line.querySelectorAll('.tile')].some("
            "(tile) => tile.getBoundingClientRect().right > line.getBoundingClientRect().right + 1))"
            ".map((line) => line.innerText)"
        )
        assert window.faults == []
    assert overflowing == []
    assert len(pages) == 1
    assert (pages[0].mediabox.width, pages[0].mediabox.height) == pytest.approx(A4, abs=1)
    with override(language):
        assert {fan_name(fan) for fan in FANS} == set(names)
    # Chinese characters are extracted as radicals, so only the English names are compared.
    text = re.sub(r"\s", "", pages[0].extract_text())
    assert [fan.en for fan in FANS if re.sub(r"\s", "", fan.en) not in text] == []
