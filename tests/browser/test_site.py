"""The site of a finished event, opened from a folder: everything is there, and nothing is asked of anybody."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import DESKTOP, PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
PAGES = ("index", "ranking", "sessions/1-1", "players/3", "statistics", "draw")
MAKE = """
from pathlib import Path
from tests.documents.test_site import finished
from tournament.documents.site.archive import site_of
for name, content in site_of(finished()).items():
    file = Path({folder!r}) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
"""


def test_no_page_misses_anything(house: House, tmp_path: Path, browser: Browser) -> None:
    folder = tmp_path / "a folder" / "深"
    house.place.run(MAKE.format(folder=str(folder)))
    for size in (PHONE, DESKTOP):
        with house.open(browser, size, offline=True) as window:
            for name in PAGES:
                window.page.goto((folder / f"{name}.html").as_uri())
                assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
            assert window.faults == []
