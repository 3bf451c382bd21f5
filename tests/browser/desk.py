"""The umpire's desk of one table on one device, for the fixtures `hall` and `desk_at`."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

PHONE: ViewportSize = {"width": 390, "height": 844}
TIMEOUT = 30_000
"""Milliseconds."""
TABLES = 21
SEED = f"""
from tests.support.factories import make_tournament, make_umpire
tournament = make_tournament(players={4 * TABLES}, sessions=1, running=0)
for name in ("uma", "una"):
    make_umpire(tournament, name)
"""
"""A running session without recorded hands, and two umpires."""


class Hall:
    """A server on which SEED was run, and a browser."""

    def __init__(self, url: str, sessions: dict[str, str], browser: Browser) -> None:
        self.url, self.sessions, self.browser = url, sessions, browser

    def device(self, umpire: str, **options: Any) -> BrowserContext:
        settings: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "reduced_motion": "reduce"}
        context = self.browser.new_context(**settings | options)
        context.add_cookies([{"name": "sessionid", "value": self.sessions[umpire], "url": self.url}])
        context.set_default_timeout(TIMEOUT)
        return context


class Desk:
    """The desk of a table on one device. `taps`: the number of taps so far."""

    def __init__(self, hall: Hall, table: int, umpire: str = "uma", **options: Any) -> None:
        self.context = hall.device(umpire, **options)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
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

    def wait_until_offline_ready(self) -> None:
        """Wait until the engine has loaded and the service worker has cached the page."""
        expect(self.page.locator("html")).to_have_attribute("data-engine", "ready", timeout=60_000)
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
