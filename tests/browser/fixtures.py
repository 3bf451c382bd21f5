"""Chromium, and Hule as `bin/run` starts it: web server, worker, database, collected files. One of each a module.

with house.open(browser, PHONE) as window:   a person's own: its cookies, its console, its failed requests
house.place.run(code)                     what happens at the other tables meanwhile
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.browser.desk import PATIENCE, SEED, Desk, Hall
from tests.browser.desk import PHONE as PHONE
from tests.browser.pages import ANYBODY, PEOPLE
from tests.browser.scene import EVENING, OTHERS
from tests.support.processes import Place, make_place, status

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")

SIGN_IN = """
from django.contrib.auth.models import User
from django.test import Client
client = Client()
client.force_login(User.objects.get(username="{user}"))
print(client.cookies["sessionid"].value)
"""

expect.set_options(timeout=PATIENCE)


@dataclass
class Window:
    """One person's browser window, and everything in it that was not as it should be."""

    context: BrowserContext
    page: Page
    faults: list[str] = field(default_factory=list)
    pages_shown: int = 0

    def renew(self) -> Page:
        """The same person in a new tab. A tab that has shown hundreds of pages crashes in the end."""
        old, self.page = self.page, self.context.new_page()
        old.close()
        return self.page

    def watch(self) -> None:
        self.context.on("console", self._said)
        self.context.on("weberror", lambda error: self.faults.append(f"script: {error.error}"))
        self.context.on("requestfailed", self._failed)
        self.context.on("response", self._answered)

    def _said(self, message: ConsoleMessage) -> None:
        # Chromium repeats every refusing answer here; `_answered` tells them apart.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.faults.append(f"console: {message.text}")

    def _failed(self, request: Request) -> None:
        # A stream or a look for news ends with the page that wanted it; that is no fault.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"request: {request.method} {request.url} {request.failure}")

    def _answered(self, response: Response) -> None:
        # 422 is a form that says what is wrong in it.
        if response.status >= 400 and response.status != 422:
            self.faults.append(f"answer: {response.status} {response.request.method} {response.url}")


@dataclass(frozen=True)
class House:
    """A running Hule."""

    place: Place
    url: str

    @property
    def setup_code(self) -> str:
        """The one-time code as it was printed."""
        written = (self.place.folder / "setup-code").read_text()
        return f"{written[:4]}-{written[4:]}"

    def sign_in(self, user: str) -> str:
        """Return the key of a new session."""
        return self.place.run(SIGN_IN.format(user=user)).strip()

    @contextmanager
    def open(
        self, browser: Browser, size: ViewportSize = DESKTOP, *, user: str = "", **options: Any
    ) -> Iterator[Window]:
        """Open a window of its own, with `user` signed in, if any."""
        context = browser.new_context(
            base_url=self.url, viewport=size, locale="en-GB", reduced_motion="reduce", **options
        )
        context.set_default_timeout(PATIENCE)
        if user:
            context.add_cookies([{"name": "sessionid", "value": self.sign_in(user), "url": self.url}])
        window = Window(context, context.new_page())
        window.watch()
        try:
            yield window
        finally:
            context.close()


@pytest.fixture(scope="module")
def house(migrated: Path, collected: Path) -> Iterator[House]:
    """Hule with an empty database, on a port of its own."""
    with (
        make_place(migrated, STATIC_ROOT=str(collected)) as place,
        place.web("manage.py", "serve", "--no-demo", "--port", "{port}") as site,
    ):
        assert status(f"{site.url}/login/") == 200, "the port is open before everything is prepared"
        yield House(place, site.url)


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    """Chromium. It ends with the module: while it runs, this thread can run no other event loop."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def windows(house: House, browser: Browser) -> Iterator[dict[str, Window]]:
    """A window for each who looks."""
    with ExitStack() as stack:
        yield {who: stack.enter_context(house.open(browser)) for who in (ANYBODY, *PEOPLE)}


@pytest.fixture(scope="module")
def words(house: House, windows: dict[str, Window]) -> dict[str, str]:
    """Tournaments are played and people signed in; gives the words that addresses are made of."""
    house.place.run(EVENING)
    made: dict[str, str] = json.loads(house.place.run(OTHERS))
    for who in PEOPLE:
        windows[who].context.add_cookies([{"name": "sessionid", "value": made[who], "url": house.url}])
    return made


@pytest.fixture(scope="module")
def hall(house: House, browser: Browser) -> Hall:
    """A session being played at 21 tables, and two umpires: uma and una."""
    house.place.run(SEED)
    return Hall(house.url, {user: house.sign_in(user) for user in ("uma", "una")}, browser)


@pytest.fixture
def desk_at(hall: Hall) -> Iterator[Callable[..., Desk]]:
    """Opens the desk of a table; every test has tables of its own."""
    opened: list[Desk] = []

    def open_desk(table: int, umpire: str = "uma", **options: Any) -> Desk:
        opened.append(Desk(hall, table, umpire, **options))
        return opened[-1]

    yield open_desk
    for desk in opened:
        desk.context.close()
        assert desk.faults == []
