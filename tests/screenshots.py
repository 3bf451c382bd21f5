"""The pictures in docs/pictures, taken from a running demonstration (bin/screenshots)."""

import io
import os
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
LAPTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
TOURNAMENT = "/t/evening-of-16/"


def visit(browser: Browser, address: str, path: str, viewport: dict[str, int], login: str = "") -> Page:
    """The page as a new visitor sees it, signed in as one of the demonstration's people when `login` names one."""
    page = browser.new_context(viewport=viewport, device_scale_factor=1.5).new_page()  # type: ignore[arg-type]
    if login:
        page.goto(f"{address}/login/")
        page.fill("input[name=username]", login)
        page.fill("input[name=password]", f"demo-{login}")
        page.press("input[name=password]", "Enter")
        page.wait_for_url(lambda url: "/login/" not in url)
    page.goto(address + path)
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)  # fonts and the clock's first second
    return page


def picture(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def side_by_side(*pictures: Image.Image, gap: int = 36) -> Image.Image:
    """The pictures in a row on the product's own ivory."""
    width = sum(one.width for one in pictures) + gap * (len(pictures) + 1)
    sheet = Image.new("RGB", (width, max(one.height for one in pictures) + 2 * gap), "#f0ead8")
    left = gap
    for one in pictures:
        sheet.paste(one, (left, gap))
        left += one.width + gap
    return sheet


def main() -> None:
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
    PICTURES.mkdir(exist_ok=True)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        ranking = picture(visit(browser, address, f"{TOURNAMENT}ranking/", LAPTOP))
        desk = picture(visit(browser, address, "/umpire/evening-of-16/4/2/", PHONE, login="umpire"))
        board = picture(visit(browser, address, "/organiser/evening-of-16/", LAPTOP, login="organiser"))
        player = picture(visit(browser, address, f"{TOURNAMENT}players/7/", PHONE))
        for name, sheet in {
            "hule": side_by_side(ranking, desk),
            "board": side_by_side(board, player),
        }.items():
            sheet.resize((sheet.width // 2, sheet.height // 2)).save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
