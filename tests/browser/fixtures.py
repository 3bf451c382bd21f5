"""Fixtures of a whole run of browser tests: Chromium, and Hule as `bin/run` starts it, which each module finds empty.

with house.open(browser, PHONE) as window:   # a window with cookies of its own, which records faults
house.place.run(code)                        # run Python on the server, for instance to play at other tables
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

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

from tests.browser.desk import PHONE as PHONE
from tests.browser.desk import SEED, TIMEOUT, WITHOUT_ENGINE, WITHOUT_SERVICE_WORKER, Desk, Hall
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

EMPTY = """
from django.core.management import call_command
from tournament.accounts import setup_code
from tournament.base.database import backup_folder, mark_restored, restore_lock
with restore_lock():
    call_command("flush", interactive=False, verbosity=0)
    mark_restored()
for backup in backup_folder().glob("hule-*"):
    backup.unlink()
setup_code.code()
"""
"""Deletes every row, as a restore does, and the backups: the server forgets what it has cached."""

expect.set_options(timeout=TIMEOUT)


@dataclass
class Window:
    """A browser window with cookies of its own. `faults`: console errors, script errors and failed requests."""

    context: BrowserContext
    page: Page
    faults: list[str] = field(default_factory=list)
    pages_shown: int = 0

    def renew(self) -> Page:
        """Open a new tab instead of the present one: a tab crashes after hundreds of pages."""
        old, self.page = self.page, self.context.new_page()
        old.close()
        return self.page

    def watch(self) -> None:
        self.context.on("console", self._on_console)
        self.context.on("weberror", lambda error: self.faults.append(f"script: {error.error}"))
        self.context.on("requestfailed", self._on_request_failed)
        self.context.on("response", self._on_response)

    def _on_console(self, message: ConsoleMessage) -> None:
        # Chromium also logs every error response here; `_on_response` checks those.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.faults.append(f"console: {message.text}")

    def _on_request_failed(self, request: Request) -> None:
        # Streams and polls are aborted when their page is left.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"request: {request.method} {request.url} {request.failure}")

    def _on_response(self, response: Response) -> None:
        # 422 is an invalid form.
        if response.status >= 400 and response.status != 422:
            self.faults.append(f"answer: {response.status} {response.request.method} {response.url}")


@dataclass(frozen=True)
class House:
    """A running Hule and its data."""

    place: Place
    url: str

    @property
    def setup_code(self) -> str:
        """The setup code as it was printed."""
        code = (self.place.folder / "setup-code").read_text()
        return f"{code[:4]}-{code[4:]}"

    def sign_in(self, user: str) -> str:
        """Return the key of a new session."""
        return self.place.run(SIGN_IN.format(user=user)).strip()

    @contextmanager
    def open(
        self,
        browser: Browser,
        size: ViewportSize = DESKTOP,
        *,
        user: str = "",
        workers: bool = False,
        **options: Any,
    ) -> Iterator[Window]:
        """Open a window, with `user` signed in if given; without workers a desk's engine does not load."""
        context = browser.new_context(
            base_url=self.url, viewport=size, locale="en-GB", reduced_motion="reduce", **options
        )
        context.set_default_timeout(TIMEOUT)
        if not workers:
            context.add_init_script(WITHOUT_ENGINE + WITHOUT_SERVICE_WORKER)
        if user:
            context.add_cookies([{"name": "sessionid", "value": self.sign_in(user), "url": self.url}])
        window = Window(context, context.new_page())
        window.watch()
        try:
            yield window
        finally:
            context.close()


def whole_run(fixture_name: str, config: pytest.Config) -> Literal["session", "module"]:
    """Return the scope "session" where only browser tests run, as by bin/test, and "module" elsewhere.

    While Playwright is open, no other event loop can run in this thread.
    """
    return "session" if config.option.markexpr == "browser" else "module"


@pytest.fixture(scope=whole_run)
def browser(chromium_path: str) -> Iterator[Browser]:
    """Start Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope=whole_run)
def server(migrated: Path, collected: Path) -> Iterator[House]:
    """Start Hule on a free port."""
    with (
        make_place(migrated, STATIC_ROOT=str(collected)) as place,
        place.web("manage.py", "serve", "--no-demo", "--port", "{port}") as site,
    ):
        assert status(f"{site.url}/login/") == 200
        yield House(place, site.url)


@pytest.fixture(scope="module")
def house(server: House) -> House:
    """The server with an empty database, as after a first start."""
    server.place.run(EMPTY)
    return server


@pytest.fixture(scope="module")
def windows(house: House, browser: Browser) -> Iterator[dict[str, Window]]:
    """Open a window for each reader."""
    with ExitStack() as stack:
        yield {reader: stack.enter_context(house.open(browser)) for reader in (ANYBODY, *PEOPLE)}


@pytest.fixture(scope="module")
def url_params(house: House, windows: dict[str, Window]) -> dict[str, str]:
    """Create tournaments, sign in all readers; return the parameters of the addresses in `PAGES`."""
    house.place.run(EVENING)
    params: dict[str, str] = json.loads(house.place.run(OTHERS))
    for reader in PEOPLE:
        cookie = {"name": "sessionid", "value": params[reader], "url": house.url}
        windows[reader].context.add_cookies([cookie])  # type: ignore[list-item]
    return params


@pytest.fixture(scope="module")
def hall(house: House, browser: Browser) -> Iterator[Hall]:
    """A running session at 21 tables, and two umpires: uma and una."""
    house.place.run(SEED)
    hall = Hall(house.url, {user: house.sign_in(user) for user in ("uma", "una")}, browser)
    yield hall
    hall.close()


@pytest.fixture
def desk_at(hall: Hall) -> Iterator[Callable[..., Desk]]:
    """Return a function that opens the desk of a table; every test uses tables of its own."""
    opened: list[Desk] = []

    def open_desk(table: int, umpire: str = "uma", **options: Any) -> Desk:
        opened.append(Desk(hall, table, umpire, **options))
        return opened[-1]

    yield open_desk
    for desk in opened:
        desk.connect()
        desk.page.close()
    assert [fault for desk in opened for fault in desk.faults] == []
