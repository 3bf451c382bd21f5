"""The sheet of all fans on paper: one page of A4 in each language, nothing cut."""

from __future__ import annotations

import io
import re

import pytest
from django.utils.translation import override
from playwright.sync_api import Browser
from pypdf import PdfReader

from scoring.engine import FANS
from scoring.texts import fan_name
from tests.browser.conftest import DESKTOP, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

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
