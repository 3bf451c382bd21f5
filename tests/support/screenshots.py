"""Take the pictures in docs/pictures from a demonstration that this program starts (bin/screenshots).

They are drawn with Noto Sans and Noto Sans CJK, which must be installed, at two pixels of the screen for each of the
page, and saved at half size: twice the width at which a README shows them.
"""

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.support.processes import make_place, status, until

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
LAPTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
PUBLIC, UMPIRE, ORGANISER = "/t/{event}/", "/umpire/{event}/", "/organiser/{event}/"


@dataclass(frozen=True)
class Shot:
    """A page, its reader, and the size, theme and language. `{event}` in its path: the slug of the running tournament.

    `taps`: selectors of what is tapped, in order; `shows`: of what appears then; `focus`: of what is scrolled to.
    """

    path: str
    viewport: ViewportSize
    login: str = ""
    scheme: str = "light"
    language: str = "en"
    taps: tuple[str, ...] = ()
    shows: str = "main"
    focus: str = ""


HAND = ("1m", "4p", "5p", "6p", "7s", "8s", "9s", "2m", "2m", "2m", "5s", "5s")
"""Mixed Straight with a claimed chow, which its first tile names."""
DESK = UMPIRE + "4/1/"
WINNER = (".seat.north", ".seat.right")
"""The player at the top wins from the one at the right."""
ENTERED = (*WINNER, ".keyboard .seg button:nth-child(2)", *(f'.pad [data-key="{tile}"]' for tile in HAND))

SHEETS = {
    "hule": (Shot(PUBLIC + "ranking/", LAPTOP), Shot(DESK, PHONE, "umpire")),
    "hand": (
        Shot(DESK, PHONE, "umpire", taps=WINNER),
        Shot(DESK, PHONE, "umpire", taps=ENTERED, shows=".receipt"),
        Shot(PUBLIC + "sessions/4/1/", PHONE, focus=".tsheet"),
    ),
    "tournament": (Shot(PUBLIC, LAPTOP), Shot(PUBLIC, PHONE, scheme="dark")),
    "registration": (
        Shot("/organiser/harbour-open/people/", LAPTOP, "organiser"),
        Shot("/t/harbour-open/", PHONE),
    ),
    "ranking": (
        Shot(PUBLIC + "ranking/", LAPTOP, language="zh-hant"),
        Shot(PUBLIC + "ranking/", PHONE, scheme="dark", language="zh-hans"),
    ),
    "table": (
        Shot(PUBLIC + "sessions/4/1/", LAPTOP),
        Shot(PUBLIC + "sessions/4/1/", PHONE),
    ),
    "statistics": (Shot(PUBLIC + "statistics/", LAPTOP), Shot(PUBLIC + "statistics/", PHONE, scheme="dark")),
    "draw": (Shot(PUBLIC + "draw/certificate/", LAPTOP), Shot(PUBLIC + "draw/", PHONE)),
    "desk": (
        Shot(DESK, PHONE, "umpire", taps=WINNER),
        Shot(
            DESK,
            PHONE,
            "umpire",
            taps=ENTERED,
            shows=".receipt",
        ),
    ),
    "fouls": (
        Shot(PUBLIC + "penalties/", LAPTOP),
        Shot(
            DESK,
            PHONE,
            "umpire",
            taps=('button:text-is("Foul")', ".pick", '.foul:has-text("Empty call")'),
            shows=".sanction",
        ),
    ),
    "board": (Shot(ORGANISER, LAPTOP, "organiser"), Shot(PUBLIC + "players/4/", PHONE)),
    "organiser": (
        Shot(ORGANISER + "timetable/", LAPTOP, "organiser"),
        Shot(ORGANISER + "screens/main/", PHONE, "organiser"),
    ),
    "hall-clock": (Shot(PUBLIC + "screens/main/", PROJECTOR, shows='[data-slide^="clock"]'),),
}
"""The pages of each picture, side by side."""
OF_READMES = ("hule", "hand", "draw", "table", "statistics")
"""Pictures that are also taken in Chinese: hule.png, hule.zh-hans.png, hule.zh-hant.png."""
CHINESE = ("zh-hans", "zh-hant")


def zone_of_a_morning() -> str:
    """Return a time zone in which a tournament is likely to be played now, in Europe if possible."""

    def unlikeliness(name: str) -> tuple[int, bool, int, str]:
        local = datetime.now(UTC).astimezone(ZoneInfo(name))
        away = abs(local.hour * 60 + local.minute - 11 * 60)
        return max(away - 150, 0), not name.startswith("Europe/"), away, name

    inhabited = ("Europe/", "Asia/", "America/")
    return min((name for name in available_timezones() if name.startswith(inhabited)), key=unlikeliness)


@contextmanager
def demonstration(zone: str) -> Iterator[tuple[str, str]]:
    """Start the server with its demonstration; yield its address and the slug of the tournament being played."""
    with make_place(TIME_ZONE=zone) as place:
        place.migrate()
        played = place.manage("demo", "--until", "4")
        assert played.returncode == 0, played.stdout
        slug = played.stdout.partition("/t/")[2].partition("/")[0]
        coming = place.manage("demo", "--coming")
        assert coming.returncode == 0, coming.stdout
        with place.web("manage.py", "serve", "--no-demo", "--port", "{port}") as site:
            until(lambda: status(f"{site.url}/healthz") == 200, site.process)
            yield site.url, slug


@contextmanager
def visitor(browser: Browser, shot: Shot, zone: str) -> Iterator[Page]:
    """Open a page with cookies of its own."""
    context = browser.new_context(
        viewport=shot.viewport,
        device_scale_factor=1 if shot.viewport is PROJECTOR else 2,
        color_scheme="dark" if shot.scheme == "dark" else "light",
        locale=shot.language,
        timezone_id=zone,
    )
    context.set_default_timeout(90_000)  # A hall screen shows one thing after another.
    yield context.new_page()
    context.close()


def sign_in(page: Page, address: str, login: str) -> None:
    """Sign in as one of the demonstration's people."""
    page.goto(f"{address}/login/")
    page.fill("input[name=username]", login)
    page.fill("input[name=password]", f"demo-{login}")
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda url: "/login/" not in url)


def screenshot(browser: Browser, address: str, slug: str, zone: str, shot: Shot) -> Image.Image:
    with visitor(browser, shot, zone) as page:
        if shot.login:
            sign_in(page, address, shot.login)
        page.goto(address + shot.path.format(event=slug))
        page.wait_for_load_state("load")
        for selector in shot.taps:
            page.locator(selector).first.click()
        page.wait_for_selector(shot.shows)
        if shot.focus:
            page.locator(shot.focus).evaluate("element => element.scrollIntoView()")
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
    """Save at half size, in 256 colours: the palette covers flags and tiles, which are small."""
    half = sheet.resize((sheet.width // 2, sheet.height // 2), Image.Resampling.LANCZOS)
    palette = half.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=1)
    palette.save(PICTURES / f"{name}.png", optimize=True)


def in_language(shots: tuple[Shot, ...], language: str) -> tuple[Shot, ...]:
    return tuple(replace(shot, language=language) for shot in shots)


def main(names: list[str]) -> None:
    """Take these pictures, or all of them."""
    sheets = SHEETS | {
        f"{name}.{language}": in_language(SHEETS[name], language)
        for name in OF_READMES
        for language in CHINESE
    }
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    zone = zone_of_a_morning()
    PICTURES.mkdir(exist_ok=True)
    with demonstration(zone) as (address, slug), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in names or sheets:
            shots = [screenshot(browser, address, slug, zone, shot) for shot in sheets[name]]
            save(name, side_by_side(shots))


if __name__ == "__main__":
    main(sys.argv[1:])
