"""Themes, style sheets and fonts; the archive of an event, opened from a folder."""

from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import ARGUMENTS, DESKTOP, PHONE, House
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

# --- Light, dark and high contrast: the reader's choice, else the device's --------------------------------
PAPER, NIGHT, WHITE, BLACK = "rgb(250, 246, 234)", "rgb(23, 22, 17)", "rgb(255, 255, 255)", "rgb(0, 0, 0)"
BACKGROUNDS = {(False, False): PAPER, (True, False): NIGHT, (False, True): WHITE, (True, True): BLACK}
"""The background colour of a page by (dark, high contrast)."""


def background(page: Page) -> str:
    """Return the background colour of the loaded page."""
    page.wait_for_function("document.readyState === 'complete'")
    colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return colour


@pytest.mark.parametrize(
    ("theme", "contrast"), sample(product(("", "light", "dark"), ("", "normal", "more")), 3)
)
def test_without_a_choice_the_device_decides(
    house: House, browser: Browser, theme: str, contrast: str
) -> None:
    chosen = {"theme": theme, "contrast": contrast}
    with house.open(browser) as window:
        cookies = [{"name": key, "value": value, "url": house.url} for key, value in chosen.items() if value]
        window.context.add_cookies(cookies)  # type: ignore[arg-type]
        window.page.goto("/login/")
        for dark, high in product((False, True), repeat=2):
            window.page.emulate_media(
                color_scheme="dark" if dark else "light", contrast="more" if high else "no-preference"
            )
            expected = (theme == "dark" if theme else dark, contrast == "more" if contrast else high)
            assert background(window.page) == BACKGROUNDS[expected], (dark, high)
        window.page.emulate_media(media="print", color_scheme="dark")
        assert background(window.page) == WHITE
        assert window.faults == []


def test_a_choice_shows_at_once_and_stays(house: House, browser: Browser) -> None:
    with house.open(browser, color_scheme="light") as window:
        page = window.page
        page.goto("/login/")
        page.locator(".menu > summary").last.click()
        for name, value, colour in (
            ("theme", "dark", NIGHT),
            ("contrast", "more", BLACK),
            ("theme", "light", WHITE),
            ("contrast", "", PAPER),
        ):
            page.locator(f'button[name="{name}"][value="{value}"]').click()
            page.wait_for_function(
                "colour => getComputedStyle(document.documentElement).backgroundColor === colour", arg=colour
            )
        page.reload()
        assert background(page) == PAPER
        assert page.locator("html").get_attribute("data-theme") == "light"
        assert window.faults == []


# --- The first page has its sheet inlined, the next ones link to the cached sheet -------------------------
HAS_COOKIE = """
new Promise((done) => {
  const look = () => document.cookie.includes("visited=1") ? done() : setTimeout(look, 20);
  look();
})
"""
"""Waits for the cookie; the content security policy forbids Playwright's `wait_for_function`."""
IS_STYLED = "getComputedStyle(document.querySelector('.bar')).display === 'flex'"


def test_the_second_page_fetches_no_sheet(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE) as window:
        page = window.page
        with page.expect_response("**/joined/*.css"):  # The first page caches it.
            page.goto("/calculator/")
        expect(page.locator("style[data-sheet]")).to_have_count(1)
        assert page.evaluate(IS_STYLED)
        page.evaluate(HAS_COOKIE)
        page.goto("/calculator/")
        expect(page.locator("style[data-sheet]")).to_have_count(0)
        sheet = "performance.getEntriesByType('resource').find((entry) => entry.name.endsWith('.css'))"
        assert page.evaluate(f"{sheet}.transferSize") == 0
        assert page.evaluate(IS_STYLED)
        assert window.faults == []


def test_without_scripts_each_page_has_its_sheet_inlined(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE, java_script_enabled=False) as window:
        for _ in range(2):
            window.page.goto("/calculator/")
            expect(window.page.locator(".bar")).to_have_css("display", "flex")
            expect(window.page.locator(".js-only").first).to_be_hidden()
        assert window.faults == []


# --- The archive of a finished event, opened from a folder ------------------------------------------------
MAKE = "from tests.documents.test_site import finished_tournament; finished_tournament(players=16)"
PAGES = ("index", "ranking", "sessions/1-1", "players/3", "statistics", "draw")
WRITE_SITE = """
from pathlib import Path
from tournament.documents.exports.site.archive import build_site
from tournament.base.models.tournament import Tournament
for name, content in build_site(Tournament.objects.get()).items():
    file = Path({folder!r}) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
"""


@pytest.fixture(scope="module")
def event(house: House) -> House:
    """A finished event; some of its players have Chinese names."""
    house.place.run(MAKE)
    return house


def test_pages_of_the_archive_are_complete_offline(event: House, tmp_path: Path, browser: Browser) -> None:
    folder = tmp_path / "a folder" / "深"
    event.place.run(WRITE_SITE.format(folder=str(folder)))
    for size in (PHONE, DESKTOP):
        with event.open(browser, size, offline=True) as window:
            for name in PAGES:
                window.page.goto((folder / f"{name}.html").as_uri())
                assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
            assert window.faults == []


# --- Chinese fonts ----------------------------------------------------------------------------------------
EVENT = "/t/spring-open/"


def test_a_device_without_chinese_fonts_fetches_ours_when_a_name_needs_it(
    event: House, chromium_path: str, tmp_path: Path, browser: Browser
) -> None:
    config = tmp_path / "fonts.conf"
    folders = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/truetype/liberation")
    config.write_text(f"<fontconfig>{''.join(f'<dir>{folder}</dir>' for folder in folders)}</fontconfig>")
    without_fonts = browser.browser_type.launch(
        executable_path=chromium_path, args=ARGUMENTS, env={"FONTCONFIG_FILE": str(config)}
    )
    with event.open(without_fonts, PHONE) as window:
        fetched: list[str] = []
        window.page.on("request", lambda request: fetched.append(request.url))
        with window.page.expect_response("**/chinese.woff2?text=*") as font:
            window.page.goto(f"{EVENT}players/")
        assert len(font.value.body()) < 20_000
        assert [url for url in fetched if "/fonts/" in url] == [], "no font of all characters"
        window.context.add_cookies([{"name": "django_language", "value": "zh-hans", "url": event.url}])
        with window.page.expect_request("**/chinese-simplified*.woff2"):
            window.page.goto("/calculator/")
    without_fonts.close()


def test_a_device_with_a_chinese_font_fetches_none(event: House, browser: Browser) -> None:
    with event.open(browser, PHONE) as window:
        fetched: list[str] = []
        window.page.on("request", lambda request: fetched.append(request.url))
        window.page.goto(f"{EVENT}players/")
        assert [url for url in fetched if "chinese" in url] == []
