"""The pages to learn from: the glossary and its words in a text, the quiz, the sheet of all fans on paper."""

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

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

# --- the glossary while one types, and a word of the game in a text ---------------------------------------
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
    expect(page.get_by_text("No such term.")).to_be_visible()
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


# --- what a device remembers of the quiz ------------------------------------------------------------------
def answer(page: Page, seed: str, off: int = 0) -> None:
    """Opens a puzzle and answers it, so many points off."""
    asked = question(Kind.WORTH, Level.EASY, seed)
    assert isinstance(asked, HandQuestion)
    page.goto(f"/quiz/worth/easy/{seed}/")
    page.get_by_label("Points").fill(str(asked.worth + off))
    page.get_by_role("button", name="Answer").click()


def test_right_answers_in_a_row_are_counted_once(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE) as window:
        page = window.page
        answer(page, "1")
        said = page.locator("[data-says]")
        expect(said).to_have_text(re.compile(r"^in a row 1, best 1 · \d+ s this time, fastest \d+ s$"))
        answer(page, "2")
        expect(said).to_contain_text("in a row 2, best 2")
        page.reload()
        expect(said).to_have_text("in a row 2, best 2")
        answer(page, "3", off=1)
        expect(said).to_contain_text("in a row 0, best 2")
        page.goto("/quiz/")
        expect(page.locator("[data-group='worth easy']")).to_contain_text("in a row 0, best 2 · fastest")
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_text("Deleted.")).to_be_visible()
        expect(page.locator("[data-group='worth easy']")).to_be_hidden()
        assert page.evaluate("localStorage.getItem('hule quiz')") is None
        assert window.faults == []


def test_a_days_result_is_kept_and_copied(house: House, browser: Browser) -> None:
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


# --- the sheet of all fans on paper: one page of A4 in each language, nothing cut -------------------------
LANGUAGES = ("en", "zh-hans", "zh-hant")
A4 = (595, 842)
"""In points."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_is_one_page(house: House, browser: Browser, language: str) -> None:
    with house.open(browser, DESKTOP) as window:
        window.context.add_cookies([{"name": "django_language", "value": language, "url": house.url}])
        window.page.goto("/fans/sheet/", wait_until="networkidle")
        names = window.page.locator(".fan-sheet b").all_inner_texts()
        pages = PdfReader(io.BytesIO(window.page.pdf(prefer_css_page_size=True))).pages
        assert window.faults == []
    assert len(pages) == 1
    assert (pages[0].mediabox.width, pages[0].mediabox.height) == pytest.approx(A4, abs=1)
    with override(language):
        assert {fan_name(fan) for fan in FANS} == set(names)
    printed = re.sub(
        r"\s", "", pages[0].extract_text()
    )  # Chinese comes back as radicals; English is beside it
    assert [fan.en for fan in FANS if re.sub(r"\s", "", fan.en) not in printed] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_hand_leaves_its_column(house: House, browser: Browser, language: str) -> None:
    with house.open(browser, DESKTOP) as window:
        window.context.add_cookies([{"name": "django_language", "value": language, "url": house.url}])
        window.page.goto("/fans/sheet/", wait_until="networkidle")
        window.page.emulate_media(media="print")
        window.page.set_viewport_size(
            {"width": 726, "height": 1054}
        )  # A4 within its margins, at 96 pixels an inch
        cut = window.page.locator(".fan-sheet li").evaluate_all(
            "lines => lines.filter((line) => [...line.querySelectorAll('.tile')].some("
            "(tile) => tile.getBoundingClientRect().right > line.getBoundingClientRect().right + 1))"
            ".map((line) => line.innerText)"
        )
        assert cut == []
