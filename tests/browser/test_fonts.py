"""Chinese names on a machine that has no font for them, and on one that has."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import ARGUMENTS, PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

EVENT = "/t/spring-open/"
MAKE = "from tests.support.factories import make_tournament; make_tournament()"


@pytest.fixture(scope="module")
def event(house: House) -> House:
    """Some of its players have Chinese names."""
    house.place.run(MAKE)
    return house


def test_a_machine_without_chinese_fonts_fetches_ours_where_a_name_needs_it(
    event: House, chromium_path: str, tmp_path: Path, browser: Browser
) -> None:
    config = tmp_path / "fonts.conf"
    config.write_text(
        "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir>"
        "<dir>/usr/share/fonts/truetype/liberation</dir></fontconfig>"
    )
    bare = browser.browser_type.launch(
        executable_path=chromium_path, args=ARGUMENTS, env={"FONTCONFIG_FILE": str(config)}
    )
    with event.open(bare, PHONE) as window:
        fetched: list[str] = []
        window.page.on("request", lambda request: fetched.append(request.url))
        window.page.goto("/calculator/")
        expect(window.page.locator("link[href*=chinese]")).to_have_count(1)
        assert [url for url in fetched if "woff2" in url] == []
        with window.page.expect_request("**/chinese-simplified*.woff2"):
            window.page.goto(f"{EVENT}players/")
    bare.close()


def test_a_machine_with_a_chinese_font_fetches_none(event: House, browser: Browser) -> None:
    with event.open(browser, PHONE) as window:
        window.page.goto(f"{EVENT}players/")
        expect(window.page.locator("link[href*=chinese]")).to_have_count(0)
