"""The umpire's desk of one table on one device, for the fixtures `hall` and `desk_at`."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

PHONE: ViewportSize = {"width": 390, "height": 844}
TIMEOUT = 60_000
"""Milliseconds."""
TABLES = 21
SEED = f"""
from tests.support.factories import make_tournament, make_umpire
tournament = make_tournament(players={4 * TABLES}, sessions=1, running=0)
for name in ("uma", "una"):
    make_umpire(tournament, name)
"""
"""A running session without recorded hands, and two umpires."""


WITHOUT_SERVICE_WORKER = """
if (self.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
"""
"""The page does not fetch the engine's 13 MB to keep them."""
WITHOUT_ENGINE = "delete self.Worker;"
"""The engine does not load, as in an old browser: that takes ten seconds of a processor."""
WITH_ENGINE = """
const Native = Worker;
self.Worker = class extends Native {
  constructor(...arguments_) {
    super(...arguments_);
    self.engine = this;
  }
};
"""
"""Tests can ask the engine of the page (`window.engine`)."""
AS_ON_A_NEW_DEVICE = """
if (location.protocol === "http:" && !sessionStorage.getItem("opened")) {
  localStorage.clear();
  sessionStorage.setItem("opened", "yes");
}
"""
"""Forget the habits and drafts of other tabs, once in each tab."""


class Hall:
    """A server on which SEED was run, a browser, and the umpires' devices."""

    def __init__(self, url: str, sessions: dict[str, str], browser: Browser) -> None:
        self.url, self.sessions, self.browser = url, sessions, browser
        self._devices: dict[tuple[str, bool], BrowserContext] = {}
        self._opened: list[BrowserContext] = []

    def device(self, umpire: str, *, offline: bool = False) -> BrowserContext:
        """Return the umpire's device, the same for all tests of a module: its files are loaded and compiled."""
        key = umpire, offline
        if key not in self._devices:
            self._devices[key] = self.new_device(umpire)
        return self._devices[key]

    def new_device(self, umpire: str, *, has_touch: bool = True) -> BrowserContext:
        """Return another device, for a test that changes its clock, its network for good, or what it is."""
        context = self.browser.new_context(viewport=PHONE, has_touch=has_touch, reduced_motion="reduce")
        self._opened.append(context)
        context.add_cookies([{"name": "sessionid", "value": self.sessions[umpire], "url": self.url}])
        context.set_default_timeout(TIMEOUT)
        return context

    def close(self) -> None:
        for context in self._opened:
            context.close()


class Desk:
    """The desk of a table in a tab of its own. `taps`: the number of taps so far.

    offline: with the service worker; engine: with the engine, which takes long to load.
    """

    def __init__(
        self,
        hall: Hall,
        table: int,
        umpire: str = "uma",
        *,
        context: BrowserContext | None = None,
        viewport: ViewportSize | None = None,
        offline: bool = False,
        engine: bool = False,
    ) -> None:
        self.context = context or hall.device(umpire, offline=offline)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.add_init_script(AS_ON_A_NEW_DEVICE)
        if not offline:
            self.page.add_init_script(WITHOUT_SERVICE_WORKER)
        self.page.add_init_script(WITH_ENGINE if engine else WITHOUT_ENGINE)
        if viewport:
            self.page.set_viewport_size(viewport)
        self.url = f"{hall.url}/umpire/spring-open/1/{table}/"
        self.api_url = f"{hall.url}/api/v1/tournaments/spring-open/sessions/1/tables/{table}/"
        self.page.goto(self.url)
        self.taps = 0
        expect(self.page.locator(".actions")).to_be_visible()

    def tap(self, selector: str) -> None:
        self.page.locator(selector).first.click()
        self.taps += 1

    def button(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()
        self.taps += 1

    def seat(self, wind: str) -> None:
        """Tap the seat with this wind."""
        self.tap(f'.seat:has([aria-label^="{wind}"])')

    def tiles(self, tiles: str) -> None:
        for code in tiles.split():
            self.tap(f'.pad [data-key="{code}"]')

    def points(self, figure: str) -> None:
        for digit in figure:
            self.tap(f'.keys [data-digit="{digit}"]')

    def fans(self, keys: str) -> None:
        """Tap fans in the list; a fan that is tapped again counts once more."""
        for key in keys.split():
            self.tap(f'[data-fan="{key}"]')

    def save(self) -> None:
        """Tap the main button once it is enabled."""
        self.tap(".savebar .primary:enabled")

    # --- Whole entries ---
    def enter_win(self, depth: str, winner: str = "South", discarder: str = "East") -> None:
        """Choose the depth of entry, the winner and the discarder; the winner twice for a self-drawn hand."""
        self.button(depth)
        self.seat(winner)
        self.seat(discarder)

    def record_points(self, figure: str, winner: str = "South", discarder: str = "East") -> None:
        self.enter_win("Points", winner, discarder)
        self.points(figure)
        self.save()

    def record_wash_out(self) -> None:
        self.button("Wash-out")
        self.save()

    def enter_seven_pairs(self) -> None:
        """Enter the tiles of Seven Pairs (24 points), won by East from South."""
        self.seat("East")
        self.seat("South")
        self.tiles("1m 1m 3m 3m 5p 5p 7p 7p 2s 2s 4s 4s E E")

    def accuse(self, foul: str, pick: str = ".pick") -> None:
        """Choose an offender and a foul, up to the proposed sanction."""
        self.button("Foul")
        self.tap(pick)
        self.tap(f'.foul:has-text("{foul}")')

    # --- The network ---
    def disconnect(self) -> None:
        self.context.set_offline(True)

    def connect(self) -> None:
        self.context.set_offline(False)

    def wait_until_stored(self) -> None:
        """Wait until the service worker has stored the page and the engine."""
        expect(self.page.locator("html")).to_have_attribute("data-held", "yes", timeout=60_000)

    # --- What the page shows, and the state on the server ---
    @property
    def pill(self) -> Locator:
        return self.page.locator("header .pill")

    def expect_saved(self, number: int) -> None:
        expect(self.page.locator(".pill.ok")).to_have_text(f"Hand {number} saved")

    def state(self) -> Any:
        return self.page.request.get(self.api_url + "desk/").json()["state"]

    def scores(self) -> list[int]:
        return [seat["score"] for seat in self.state()["seats"]]

    def hands(self) -> list[tuple[int, str, int]]:
        """Return (number, outcome, points) of each hand."""
        return [(hand["number"], hand["outcome"], hand["points"]) for hand in self.state()["hands"]]
