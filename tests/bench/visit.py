"""First visits over a slow phone network, at 400 players. Prints one JSON object; takes about five minutes.

    bin/bench visit [--rounds 3] [--page NAME] [--data FOLDER]

Hule as `bin/run` starts it; Chromium behind 400 ms a request and 50 KB/s, its processor four times slower. Each page is
visited with nothing kept (`first`), then again (`again`), by a browser; the server has drawn it for others before.
`requests`, `kilobytes`: all until 1.5 s after the page is ready, the live line among them. `first_paint_ms`: the first
text. `ready_ms`: the page answers: at the desk the first seat is tapped as soon as one can be and the frame that shows
it is drawn; elsewhere all scripts have run. Medians.
"""

import argparse
import json
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from tests.bench._place import prepared
from tests.browser.fixtures import ARGUMENTS, PHONE
from tests.conftest import chromium
from tests.support.processes import Place, make_place

PLAYERS, SESSIONS = 400, 2
LATENCY_MS, BYTES_A_SECOND, SLOWER = 400, 50 * 1024, 4
"""The network, and how many times slower than this machine's the phone's processor is."""
SETTLES_MS = 1_500
"""What is asked for within this time after a page is ready belongs to the visit; the desk's engine comes later."""
PATIENCE_MS, LOOKS_EVERY_MS = 60_000, 100
PEOPLE = """
from django.contrib.auth.models import User
from django.test import Client
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
def key_of(user):
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
held = Tournament.objects.get()
table = Table.objects.filter(session__tournament=held, session__number=2, hands_played__lt=16).first()
print(held.slug, table.number, *(key_of(User.objects.get(username=name)) for name in ("umpire", "organiser")))
"""
SEAT_ANSWERS = """
(() => {
  const seat = document.querySelector(".phone button.seat[data-do]");
  if (!seat) return false;
  if (!marks.tapped) seat.click();
  marks.tapped = true;
  return seat.getAttribute("aria-pressed") === "true";
})()
"""
SCRIPTS_RAN = "performance.getEntriesByType('navigation')[0]?.domContentLoadedEventEnd > 0"

READY = """
(() => {
  const marks = (window.visit = {ready: 0});
  const look = () => {
    if (READY_WHEN) marks.ready = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""
"""Asks at each frame whether the page is ready, by the clock that starts with the visit."""
FIGURES = """
() => {
  const [visit] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return {first_paint_ms: paint?.startTime ?? 0, ready_ms: window.visit.ready, load_ms: visit.loadEventEnd};
}
"""


@dataclass
class Wire:
    """What goes over the wire while one page is looked at, heads included, as the browser itself counts it."""

    addresses: list[str] = field(default_factory=list)
    size: int = 0

    def follow(self, session: CDPSession) -> None:
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._came)
        session.on("Network.responseReceived", self._answered)

    def _asked(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self.addresses.append(event["request"]["url"])

    def _answered(self, event: dict[str, Any]) -> None:
        response = event["response"]
        is_kept = response.get("fromDiskCache") or response.get("fromServiceWorker")
        if is_kept and response["url"] in self.addresses:
            self.addresses.remove(response["url"])

    def _came(self, event: dict[str, Any]) -> None:
        self.size += int(event["encodedDataLength"])


@contextmanager
def slow(page: Page) -> Iterator[Wire]:
    """The page behind the slow network, with what goes over the wire."""
    session, wire = page.context.new_cdp_session(page), Wire()
    session.send("Network.enable")
    conditions = {
        "offline": False,
        "latency": LATENCY_MS,
        "downloadThroughput": BYTES_A_SECOND,
        "uploadThroughput": BYTES_A_SECOND,
    }
    session.send("Network.emulateNetworkConditions", conditions)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    wire.follow(session)
    yield wire
    session.detach()


def look(context: BrowserContext, address: str, ready_when: str) -> dict[str, Any]:
    """One visit. `ready_when`: a JavaScript expression that is true once the page answers."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(READY.replace("READY_WHEN", ready_when))
    with slow(page) as wire:
        page.goto(address, wait_until="load")
        wait_until_ready(page)
        page.wait_for_timeout(SETTLES_MS)
        figures = {name: round(value) for name, value in page.evaluate(FIGURES).items()}
        found = {"requests": len(wire.addresses), "kilobytes": round(wire.size / 1024, 1), **figures}
    page.close()
    return found | {"asked": wire.addresses}


def wait_until_ready(page: Page) -> None:
    """Playwright's own way of waiting is forbidden by our content security policy."""
    for _ in range(PATIENCE_MS // LOOKS_EVERY_MS):
        if page.evaluate("window.visit.ready > 0"):
            return
        page.wait_for_timeout(LOOKS_EVERY_MS)
    raise AssertionError(f"{page.url} is not ready after {PATIENCE_MS / 1000:.0f} s")


def median_of(visits: list[dict[str, Any]]) -> dict[str, Any]:
    """Figure by figure; the addresses are the last visit's."""
    names = [name for name in visits[0] if name != "asked"]
    medians = {name: statistics.median([visit[name] for visit in visits]) for name in names}
    return medians | {"asked": visits[-1]["asked"]}


def pages(slug: str, table: str) -> dict[str, tuple[str, str, str]]:
    """Name → who looks, at what, and when it is ready."""
    return {
        "home": ("", "/", SCRIPTS_RAN),
        "ranking": ("", f"/t/{slug}/ranking/", SCRIPTS_RAN),
        "player": ("", f"/t/{slug}/players/7/", SCRIPTS_RAN),
        "calculator": ("", "/calculator/", SCRIPTS_RAN),
        "desk": ("umpire", f"/umpire/{slug}/2/{table}/", SEAT_ANSWERS),
        "tables": ("umpire", f"/umpire/{slug}/", SCRIPTS_RAN),
        "board": ("organiser", f"/organiser/{slug}/", SCRIPTS_RAN),
    }


def visits(browser: Browser, site: str, page: tuple[str, str, str], key: str) -> list[dict[str, Any]]:
    """With nothing kept, and again."""
    _who, path, ready_when = page
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    if key:
        context.add_cookies([{"name": "sessionid", "value": key, "url": site}])
    context.request.get(site + path)
    found = [look(context, site + path, ready_when) for _ in range(2)]
    context.close()
    return found


def measure(place: Place, rounds: int, wanted: list[str]) -> dict[str, Any]:
    slug, table, *keys = place.python(PEOPLE).split()
    key_of = {"": "", **dict(zip(("umpire", "organiser"), keys, strict=True))}
    found: dict[str, Any] = {"benchmark": "visit", "players": PLAYERS, "rounds": rounds, "pages": {}}
    with (
        place.web("manage.py", "serve", "--no-demo", "--port", "{port}") as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for name, page in pages(slug, table).items():
            if wanted and name not in wanted:
                continue
            made = [visits(browser, site.url, page, key_of[page[0]]) for _ in range(rounds)]
            first, again = (median_of(list(each)) for each in zip(*made, strict=True))
            found["pages"][name] = {"first": first, "again": again}
        browser.close()
    return found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--page", action="append", default=[], help="measure this one alone")
    options.add_argument("--data", type=Path, help="a data folder to copy in place of a new demonstration")
    chosen = options.parse_args()
    with make_place(chosen.data) as place:
        if not chosen.data:
            prepared(place, PLAYERS, SESSIONS)
        print(json.dumps(measure(place, chosen.rounds, chosen.page)))


if __name__ == "__main__":
    main()
