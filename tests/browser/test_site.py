"""The site of a finished event, opened from a folder: everything is there, and nothing is asked of anybody."""

from pathlib import Path

import pytest
from playwright.sync_api import Request, sync_playwright

from tests.browser.conftest import ARGUMENTS, DESKTOP, PHONE
from tests.documents.test_site import finished
from tournament.documents.site.archive import site_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
PAGES = ("index", "ranking", "sessions/1-1", "players/3", "statistics", "draw")


def test_no_page_misses_anything(tmp_path: Path, chromium_path: str) -> None:
    folder = tmp_path / "a folder" / "深"
    for name, content in site_of(finished()).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    faults: list[str] = []

    def failed(request: Request) -> None:
        faults.append(f"{request.url} {request.failure}")

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=list(ARGUMENTS))
        for size in (PHONE, DESKTOP):
            page = browser.new_context(viewport=size, offline=True).new_page()
            page.on("requestfailed", failed)
            page.on("console", lambda message: faults.append(message.text))
            for name in PAGES:
                page.goto((folder / f"{name}.html").as_uri())
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        browser.close()
    assert faults == []
