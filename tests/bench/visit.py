"""First visits over a slow phone network, at 400 players. Prints one JSON object; takes about five minutes.

Hule as `bin/run` starts it; Chromium behind 400 ms a request and 50 KB/s, its processor four times slower. Each page is
visited with nothing kept (`first`), then again (`again`), by a browser; the server has drawn it for others before.
`requests`, `kilobytes`: all until 1.5 s after the page is ready, the live line among them. `first_paint_ms`: the first
text. `ready_ms`: the page answers: at the desk the first seat is tapped as soon as one can be and the frame that shows
it is drawn; elsewhere all scripts have run. Medians.
"""

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.bench._look import look, median_of
from tests.bench._place import prepared
from tests.browser.conftest import ARGUMENTS, PHONE
from tests.conftest import chromium
from tests.support.processes import Place, make_place

PLAYERS, SESSIONS = 400, 2
PEOPLE = """
from django.contrib.auth.models import User
from django.test import Client
from tournament.models import Table, Tournament
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
            first, again = (median_of(list(each), statistics.median) for each in zip(*made, strict=True))
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
        print(json.dumps(measure(place, chosen.rounds, chosen.page), indent=1))


if __name__ == "__main__":
    main()
