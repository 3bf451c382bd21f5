"""A phone on a slow network looks at a page: what it asks for, how much comes, when it shows and when it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page

LATENCY_MS, BYTES_A_SECOND, SLOWER = 400, 50 * 1024, 4
"""The network, and how many times slower than this machine's the phone's processor is."""
SETTLES_MS = 1_500
"""What is asked for within this time after a page is ready belongs to the visit; the desk's engine comes later."""
PATIENCE_MS, LOOKS_EVERY_MS = 60_000, 100

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


def median_of(visits: list[dict[str, Any]], middle: Callable[[list[float]], float]) -> dict[str, Any]:
    """Figure by figure; the addresses are the last visit's."""
    names = [name for name in visits[0] if name != "asked"]
    return {name: middle([visit[name] for visit in visits]) for name in names} | {
        "asked": visits[-1]["asked"]
    }
