"""Take the pictures in docs/pictures from a running demonstration (bin/screenshots)."""

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
LAPTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
PUBLIC, UMPIRE, ORGANISER = (f"/{part}evening-of-16/" for part in ("t/", "umpire/", "organiser/"))
COLOURS = 192
"""The size of a picture's palette."""


@dataclass(frozen=True)
class Shot:
    """A page, its reader, and the size, theme and language."""

    path: str
    viewport: ViewportSize
    login: str = ""
    scheme: str = "light"
    language: str = "en"


SHEETS = {
    "hule": (Shot(PUBLIC + "ranking/", LAPTOP), Shot(UMPIRE + "4/2/", PHONE, "umpire")),
    "board": (Shot(ORGANISER, LAPTOP, "organiser"), Shot(PUBLIC + "players/7/", PHONE)),
    "tournament": (Shot(PUBLIC, LAPTOP), Shot(PUBLIC, PHONE, scheme="dark")),
    "ranking": (
        Shot(PUBLIC + "ranking/", LAPTOP, language="zh-hant"),
        Shot(PUBLIC + "ranking/", PHONE, scheme="dark", language="zh-hans"),
    ),
    "table": (
        Shot(PUBLIC + "sessions/4/2/", LAPTOP),
        Shot(PUBLIC + "sessions/4/2/", PHONE, language="zh-hans"),
    ),
    "statistics": (Shot(PUBLIC + "statistics/", LAPTOP), Shot(PUBLIC + "statistics/", PHONE, scheme="dark")),
    "draw": (Shot(PUBLIC + "draw/certificate/", LAPTOP), Shot(PUBLIC + "draw/", PHONE)),
    "organiser": (
        Shot(ORGANISER + "timetable/", LAPTOP, "organiser"),
        Shot(ORGANISER + "screens/main/", PHONE, "organiser"),
    ),
    "hall-clock": (Shot(PUBLIC + "screens/main/", PROJECTOR),),
}
"""The pages of each picture, side by side."""


@contextmanager
def visitor(browser: Browser, shot: Shot) -> Iterator[Page]:
    """Open a page with cookies of its own."""
    context = browser.new_context(
        viewport=shot.viewport,
        device_scale_factor=1 if shot.viewport is PROJECTOR else 1.5,
        color_scheme="dark" if shot.scheme == "dark" else "light",
        locale=shot.language,
    )
    yield context.new_page()
    context.close()


def sign_in(page: Page, address: str, login: str) -> None:
    """Sign in as one of the demonstration's people."""
    page.goto(f"{address}/login/")
    page.fill("input[name=username]", login)
    page.fill("input[name=password]", f"demo-{login}")
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda url: "/login/" not in url)


def screenshot(browser: Browser, address: str, shot: Shot) -> Image.Image:
    with visitor(browser, shot) as page:
        if shot.login:
            sign_in(page, address, shot.login)
        page.goto(address + shot.path)
        page.wait_for_load_state("load")
        page.wait_for_timeout(600)  # For fonts and the clock.
        return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def side_by_side(pictures: list[Image.Image], gap: int = 36) -> Image.Image:
    """Return the pictures in a row on an ivory background; a single one as it is."""
    if len(pictures) == 1:
        return pictures[0]
    width = sum(picture.width for picture in pictures) + gap * (len(pictures) + 1)
    sheet = Image.new("RGB", (width, max(picture.height for picture in pictures) + 2 * gap), "#f0ead8")
    left = gap
    for picture in pictures:
        sheet.paste(picture, (left, gap))
        left += picture.width + gap
    return sheet


def save(name: str, sheet: Image.Image) -> None:
    """Save a picture at half size with a palette of COLOURS."""
    half = sheet.resize((sheet.width // 2, sheet.height // 2), Image.Resampling.LANCZOS)
    half.quantize(COLOURS, method=Image.Quantize.MEDIANCUT).save(PICTURES / f"{name}.png", optimize=True)


def main() -> None:
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
    PICTURES.mkdir(exist_ok=True)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, shots in SHEETS.items():
            save(name, side_by_side([screenshot(browser, address, shot) for shot in shots]))


if __name__ == "__main__":
    main()
