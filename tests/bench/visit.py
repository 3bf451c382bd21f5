"""First visits over a slow phone network, at 400 players. Prints one JSON object; takes about five minutes.

    bin/bench visit [--rounds 3] [--page NAME] [--data FOLDER]

Hule as `bin/run` starts it; Chromium with 400 ms latency, 50 KB/s and a processor four times slower. A browser visits
each page with an empty cache (`first`), then again (`again`); the server has rendered the page before. `requests`,
`kilobytes`: all until 1.5 s after the page is ready, the live stream included. `first_paint_ms`: the first text.
`ready_ms`: when all scripts have run; at the desk, when the first seat has been tapped and drawn as chosen. Medians.
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

from tests.bench._place import prepare_demonstration
from tests.browser.fixtures import ARGUMENTS, PHONE
from tests.conftest import chromium
from tests.support.processes import Place, make_place

PLAYERS, SESSIONS = 400, 2
LATENCY_MS, BYTES_PER_SECOND, CPU_SLOWDOWN = 400, 50 * 1024, 4
SETTLES_MS = 1_500
"""Requests within this time after a page is ready belong to the visit; the desk's engine is loaded later."""
TIMEOUT_MS, POLL_MS = 60_000, 100
PEOPLE = """
from django.contrib.auth.models import User
from django.test import Client
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
def key_of(user):
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
event = Tournament.objects.get()
table = Table.objects.filter(session__tournament=event, session__number=2, hands_played__lt=16).first()
print(event.slug, table.number, *(key_of(User.objects.get(username=name)) for name in ("umpire", "organiser")))
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
"""Checks at each frame whether the page is ready; times count from the start of the visit."""
FIGURES = """
() => {
  const [visit] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return {first_paint_ms: paint?.startTime ?? 0, ready_ms: window.visit.ready, load_ms: visit.loadEventEnd};
}
"""


@dataclass
class Traffic:
    """The requests of one visit and their size, headers included, as the browser counts them."""

    addresses: list[str] = field(default_factory=list)
    size: int = 0

    def follow(self, session: CDPSession) -> None:
        session.on("Network.requestWillBeSent", self._on_request)
        session.on("Network.responseReceived", self._on_response)
        session.on("Network.loadingFinished", self._on_finished)

    def _on_request(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self.addresses.append(event["request"]["url"])

    def _on_response(self, event: dict[str, Any]) -> None:
        response = event["response"]
        is_cached = response.get("fromDiskCache") or response.get("fromServiceWorker")
        if is_cached and response["url"] in self.addresses:
            self.addresses.remove(response["url"])

    def _on_finished(self, event: dict[str, Any]) -> None:
        self.size += int(event["encodedDataLength"])


@contextmanager
def slow_network(page: Page) -> Iterator[Traffic]:
    """Emulate the slow network and processor for a page; yield its traffic."""
    session, traffic = page.context.new_cdp_session(page), Traffic()
    session.send("Network.enable")
    conditions = {
        "offline": False,
        "latency": LATENCY_MS,
        "downloadThroughput": BYTES_PER_SECOND,
        "uploadThroughput": BYTES_PER_SECOND,
    }
    session.send("Network.emulateNetworkConditions", conditions)
    session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    traffic.follow(session)
    yield traffic
    session.detach()


def visit(context: BrowserContext, address: str, ready_when: str) -> dict[str, Any]:
    """Visit a page; return its figures. `ready_when`: a JavaScript expression that is true once the page is ready."""
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.add_init_script(READY.replace("READY_WHEN", ready_when))
    with slow_network(page) as traffic:
        page.goto(address, wait_until="load")
        wait_until_ready(page)
        page.wait_for_timeout(SETTLES_MS)
        figures = {name: round(value) for name, value in page.evaluate(FIGURES).items()}
        sizes = {"requests": len(traffic.addresses), "kilobytes": round(traffic.size / 1024, 1)}
    page.close()
    return sizes | figures | {"asked": traffic.addresses}


def wait_until_ready(page: Page) -> None:
    """Poll: the content security policy forbids Playwright's `wait_for_function`."""
    for _ in range(TIMEOUT_MS // POLL_MS):
        if page.evaluate("window.visit.ready > 0"):
            return
        page.wait_for_timeout(POLL_MS)
    raise AssertionError(f"{page.url} is not ready after {TIMEOUT_MS / 1000:.0f} s")


def median_of(visits: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the median of each figure, with the addresses of the last visit."""
    names = [name for name in visits[0] if name != "asked"]
    medians = {name: statistics.median([visit[name] for visit in visits]) for name in names}
    return medians | {"asked": visits[-1]["asked"]}


def pages(slug: str, table: str) -> dict[str, tuple[str, str, str]]:
    """Return (account or "", path, condition for being ready) by name."""
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
    """Visit a page with an empty cache, and again."""
    _account, path, ready_when = page
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    if key:
        context.add_cookies([{"name": "sessionid", "value": key, "url": site}])
    context.request.get(site + path)
    figures = [visit(context, site + path, ready_when) for _ in range(2)]
    context.close()
    return figures


def measure(place: Place, rounds: int, names: list[str]) -> dict[str, Any]:
    slug, table, *keys = place.python(PEOPLE).split()
    key_of = {"": "", **dict(zip(("umpire", "organiser"), keys, strict=True))}
    results: dict[str, Any] = {"benchmark": "visit", "players": PLAYERS, "rounds": rounds, "pages": {}}
    with (
        place.web("manage.py", "serve", "--no-demo", "--port", "{port}") as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for name, page in pages(slug, table).items():
            if names and name not in names:
                continue
            figures = [visits(browser, site.url, page, key_of[page[0]]) for _ in range(rounds)]
            first, again = (median_of(list(column)) for column in zip(*figures, strict=True))
            results["pages"][name] = {"first": first, "again": again}
        browser.close()
    return results


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", action="append", default=[], help="measure only this page")
    parser.add_argument("--data", type=Path, help="a data folder to copy instead of a new demonstration")
    options = parser.parse_args()
    with make_place(options.data) as place:
        if not options.data:
            prepare_demonstration(place, PLAYERS, SESSIONS)
        print(json.dumps(measure(place, options.rounds, options.page)))


if __name__ == "__main__":
    main()
