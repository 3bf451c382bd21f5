"""The umpire's desk of one table on one device, driven by a thumb; the fixtures `hall` and `desk_at` open it."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

PHONE: ViewportSize = {"width": 390, "height": 844}
PATIENCE = 30_000
"""Milliseconds; only a test that fails waits so long."""
TABLES = 21
SEED = f"""
from tests.support.factories import make_tournament, make_umpire
tournament = make_tournament(players={4 * TABLES}, sessions=1, running=0)
for name in ("uma", "una"):
    make_umpire(tournament, name)
"""
"""A session being played at all tables, nothing recorded, and two umpires."""


class Hall:
    """A server on which SEED has run, and a browser."""

    def __init__(self, url: str, sessions: dict[str, str], browser: Browser) -> None:
        self.url, self.sessions, self.browser = url, sessions, browser

    def device(self, umpire: str, **options: Any) -> BrowserContext:
        settings: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "reduced_motion": "reduce"}
        context = self.browser.new_context(**settings | options)
        context.add_cookies([{"name": "sessionid", "value": self.sessions[umpire], "url": self.url}])
        context.set_default_timeout(PATIENCE)
        return context


class Desk:
    """One table on one device. `taps` counts what the thumb did."""

    def __init__(self, hall: Hall, table: int, umpire: str = "uma", **options: Any) -> None:
        self.context = hall.device(umpire, **options)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.url = f"{hall.url}/umpire/spring-open/1/{table}/"
        self.wire = f"{hall.url}/api/v1/tournaments/spring-open/sessions/1/tables/{table}/"
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
        """Tap the seat whose badge reads so."""
        self.tap(f'.seat:has([aria-label^="{wind}"])')

    def tiles(self, tiles: str) -> None:
        for code in tiles.split():
            self.tap(f'.pad [data-key="{code}"]')

    def points(self, figure: str) -> None:
        for digit in figure:
            self.tap(f'.keys [data-digit="{digit}"]')

    def fans(self, keys: str) -> None:
        """Pick fans from the list; one that is picked counts once more."""
        for key in keys.split():
            self.tap(f'[data-fan="{key}"]')

    def save(self) -> None:
        """Tap the main button once it can be."""
        self.tap(".savebar .primary:enabled")

    # --- whole entries ---
    def enter_win(self, depth: str, winner: str = "South", discarder: str = "East") -> None:
        """Choose how a hand is entered, and who won it from whom; the winner again for a self-drawn hand."""
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
        """24 points: East from South."""
        self.seat("East")
        self.seat("South")
        self.tiles("1m 1m 3m 3m 5p 5p 7p 7p 2s 2s 4s 4s E E")

    def accuse(self, foul: str, pick: str = ".pick") -> None:
        """Choose an offender and a foul; the sanction is then proposed."""
        self.button("Foul")
        self.tap(pick)
        self.tap(f'.foul:has-text("{foul}")')

    # --- the network ---
    def disconnect(self) -> None:
        self.context.set_offline(True)

    def connect(self) -> None:
        self.context.set_offline(False)

    def wait_until_offline_ready(self) -> None:
        """The engine has loaded, and the service worker holds the page."""
        expect(self.page.locator("html")).to_have_attribute("data-engine", "ready", timeout=60_000)
        expect(self.page.locator("html")).to_have_attribute("data-held", "yes", timeout=60_000)

    # --- what it shows, and what the server has ---
    @property
    def pill(self) -> Locator:
        return self.page.locator("header .pill")

    def expect_saved(self, number: int) -> None:
        expect(self.page.locator(".pill.ok")).to_have_text(f"Hand {number} saved")

    def state(self) -> Any:
        return self.page.request.get(self.wire + "desk/").json()["state"]

    def scores(self) -> list[int]:
        return [seat["score"] for seat in self.state()["seats"]]

    def hands(self) -> list[tuple[int, str, int]]:
        """Number, outcome and points of each."""
        return [(hand["number"], hand["outcome"], hand["points"]) for hand in self.state()["hands"]]
