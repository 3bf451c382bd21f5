"""Nothing on the desk moves while a hand is entered.

The positions of all targets are compared after each tap, and after events in the hall and at the table.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk, Hall
from tests.browser.fixtures import House
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SCREENS = {
    "phone": (390, 844, 100),
    "small phone": (360, 640, 100),
    "smallest phone": (320, 568, 100),
    "on its side": (844, 390, 100),
    "small, on its side": (667, 375, 100),
    "text twice as large": (390, 844, 200),
    "computer": (1280, 900, 100),
}
TARGETS = """() => Object.fromEntries([...document.querySelectorAll(
    ".seat, .seg button, .keys button, [data-fan], .pad button, .tray .cell, [data-do=flag]," +
    ".pick, main .lines .btn")].map((target, index) => {
  const { fan, key, digit, arg } = target.dataset;
  const box = target.getBoundingClientRect();
  const name = target.closest(".tray") ? index : fan ?? key ?? digit ?? arg;
  const keyboard = target.closest(".keyboard");
  // A keyboard higher than the screen scrolls with the page, and Playwright scrolls to what it taps.
  const scrolled = keyboard && !(parseFloat(getComputedStyle(keyboard).bottom) < 0) ? 0 : scrollY;
  return [`${target.dataset.do} ${name}`, [box.left, box.top + scrolled, box.width, box.height].map(Math.round)];
}))"""
COVERED = """() => [...document.querySelectorAll(".bar, .tray, .live, .savebar .primary, .keyboard")].filter((part) => {
  const box = part.getBoundingClientRect();
  const middle = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 20));
  return !middle || !(part.contains(middle) || middle.contains(part));
}).map((part) => part.className)"""


class StillDesk:
    """A desk whose targets are compared after every tap."""

    def __init__(self, desk: Desk, percent: int) -> None:
        self.desk = desk
        self.before: dict[str, list[int]] = {}
        desk.page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
        self.moved: list[str] = []

    def forget_positions(self) -> None:
        """Forget the positions, because the page shows another screen."""
        self.before = {}

    def check_after(self, what: str, selector: str) -> None:
        """Wait until an event is shown, then compare the positions."""
        expect(self.desk.page.locator(selector).first).to_be_attached()
        self.check(what)

    def check(self, what: str) -> None:
        """Compare the positions of all targets with those before."""
        page = self.desk.page
        page.wait_for_timeout(150)  # Until the server's answer is shown.
        now: dict[str, list[int]] = page.evaluate(TARGETS)
        moved = [name for name, box in now.items() if name in self.before and self.before[name] != box]
        self.moved += [f"{what}: {name} {self.before[name]} → {now[name]}" for name in moved]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            self.moved.append(f"{what}: scrolls sideways")
        self.before = now


TIGHT = ("small phone", "on its side", "text twice as large")
"""The sizes with the least room, for fans and tiles; points are entered at all sizes. Each run takes some."""


@pytest.fixture(params=sample(SCREENS, 2, always=["phone"]), ids=str)
def still_desk(request: pytest.FixtureRequest, hall: Hall) -> Iterator[Callable[..., StillDesk]]:
    width, height, percent = SCREENS[request.param]
    opened: list[Desk] = []

    def open_desk(
        depth: str, table: int = 1 + list(SCREENS).index(request.param), **options: Any
    ) -> StillDesk:
        desk = Desk(hall, table, viewport={"width": width, "height": height}, **options)
        opened.append(desk)
        still = StillDesk(desk, percent)
        desk.button(depth)
        still.check("depth")
        return still

    yield open_desk
    for desk in opened:
        desk.page.close()
        assert desk.faults == []


def test_nothing_moves_while_points_are_entered(still_desk: Callable[[str], StillDesk]) -> None:
    still = still_desk("Points")
    for seat in (".seat.left", ".seat.right"):
        still.desk.tap(seat)
        still.check(seat)
    for digit in "104":
        still.desk.points(digit)
        still.check(digit)
    expect(still.desk.page.locator(".seat.discarder .score b")).to_have_text("−112")
    still.check("all said")
    assert still.moved == []


@pytest.mark.parametrize("still_desk", sample(TIGHT, 1, key="fans"), indirect=True)
def test_nothing_moves_while_fans_are_picked(still_desk: Callable[[str], StillDesk]) -> None:
    still = still_desk("Fans")
    still.desk.tap(".seat.left")
    still.check("winner")
    still.forget_positions()
    still.desk.tap(".seat.right")
    for fan in ("mixed_straight", "all_types", "flower_tiles", "flower_tiles", "concealed_hand"):
        still.desk.tap(f'[data-fan="{fan}"]')
        still.check(fan)
    still.desk.button("Remove All Types")
    still.check("one taken off")
    assert still.moved == []


@pytest.mark.parametrize("still_desk", sample(TIGHT, 1, key="tiles"), indirect=True)
def test_nothing_moves_while_tiles_are_entered(still_desk: Callable[[str], StillDesk]) -> None:
    still = still_desk("Tiles")
    still.desk.tap(".seat.left")
    still.check("winner")
    still.forget_positions()
    still.desk.tap(".seat.right")
    still.desk.button("Chow")
    for tile in ["1m", "4p", "7s", "2m", "2m", "5s", "5s"]:
        still.desk.tap(f'.keyboard [data-key="{tile}"]')
        still.check(tile)
    assert still.moved == []


# --- Events meanwhile ----------------------------------------------------------------------------------------
MEANWHILE = """
from uuid import uuid4
from tests.support.factories import SYSTEM
from tournament.base.models.play import Table
from tournament.fouls.services.penalties import give_penalty
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce, cancel_announcement
from tournament.play.engine.statements import Accusation
from tournament.play.services.absences import seat_stand_in
from tournament.play.services.sessions import end_call, raise_call
here = Table.objects.select_related("session__tournament").get(session__number=1, number={table})
tournament = here.session.tournament
there = Table.objects.select_related("session__tournament").get(session__number=1, number=21)
east, south, *_ = here.seats.order_by("id").values_list("player__number", flat=True)
"""
CALL = 'raise_call(there, SYSTEM, "claim")'
DONE = "[end_call(call, SYSTEM) for call in there.calls.filter(done_at=None)]; there.calls.all().delete()"
SAYS = 'announce(Announcement(tournament=tournament, text="Lunch is served next door. " * 4), SYSTEM)'
SILENT = "[cancel_announcement(news, SYSTEM) for news in tournament.announcements.filter(cancelled_at=None)]"
DEAD_HAND = 'give_penalty(here, SYSTEM, Accusation(south, "false_claim", 1), uuid=uuid4())'
STAND_IN = 'seat_stand_in(here, SYSTEM, east, "Wolfeschlegelsteinhausenbergerdorff")'
MINUTE = 61_000


@pytest.mark.parametrize(
    ("still_desk", "depth", "table"),
    sample(
        [
            ("phone", "Points", 15),
            ("phone", "Fans", 16),
            ("phone", "Tiles", 17),
            ("small phone", "Points", 18),
            ("on its side", "Points", 19),
            ("computer", "Points", 20),
        ],
        2,
    ),
    indirect=["still_desk"],
)
def test_events_in_the_hall_and_at_the_table_move_nothing(
    still_desk: Callable[..., StillDesk], house: House, hall: Hall, depth: str, table: int
) -> None:
    still = still_desk(depth, table, context=hall.new_device("uma"))
    desk, page = still.desk, still.desk.page

    def meanwhile(step: str) -> None:
        house.place.run(MEANWHILE.format(table=table) + step)

    def put_away() -> None:
        while (buttons := page.get_by_role("button", name="Close this notice")).count():
            buttons.first.click()

    def announce_and_put_away(where: str) -> None:
        put_away()  # What another test announced.
        still.forget_positions()
        still.check(where)
        meanwhile(SAYS)
        still.check_after(f"an announcement {where}", ".announcements .banner")
        put_away()
        expect(page.locator(".announcements .banner")).to_have_count(0)
        still.check(f"it is put away {where}")
        meanwhile(SILENT)

    desk.accuse("Empty call")
    expect(page.locator(".sanction")).to_be_visible()
    announce_and_put_away("at the form for fouls")
    desk.save()
    expect(page.get_by_role("button", name="Undo the penalty")).to_be_visible()
    announce_and_put_away("at the last hands")
    desk.tap(".seat.left")
    still.check("winner")
    if depth != "Points":
        still.forget_positions()
    desk.tap(".seat.right")
    enter = {"Points": desk.points, "Fans": desk.fans, "Tiles": desk.tiles}[depth]
    enter({"Points": "1", "Fans": "mixed_straight", "Tiles": "1m 2m"}[depth])
    still.check("begun")
    meanwhile(CALL)
    still.check_after("a call", "#call-bar .call")
    enter({"Points": "2", "Fans": "all_types", "Tiles": "3m"}[depth])
    still.check("entered under a call")
    meanwhile(DONE)
    expect(page.locator("#call-bar .call")).to_have_count(0)
    still.check("the call is answered")
    meanwhile(SAYS)
    still.check_after("an announcement", ".announcements .banner")
    meanwhile(DEAD_HAND)
    meanwhile(STAND_IN)
    if depth == "Points":
        still.check_after("tags", ".seat .restraint")
        still.check_after("tags", ".seat .stand-in")
    page.clock.fast_forward(MINUTE)
    still.check("nothing can be undone any more")
    desk.disconnect()
    page.evaluate("window.dispatchEvent(new Event('online'))")  # It requests the state without an answer.
    expect(desk.pill).to_have_text("No connection")
    still.check("no network")
    desk.connect()
    expect(desk.pill).to_have_text("Not saved yet")
    still.check("the network is back")
    meanwhile(SILENT)
    assert still.moved == []


def test_what_belongs_together_is_visible_together(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(12)
    desk.button("Tiles")
    desk.seat("East")
    desk.seat("South")
    desk.tiles("1m 2m 3m 4p 5p 6p 7s 8s 9s 2m 2m 5s")
    expect(desk.page.locator(".live b")).to_be_visible()
    for width, height in ((844, 390), (667, 375), (390, 844)):
        desk.page.set_viewport_size({"width": width, "height": height})
        desk.page.evaluate("scrollTo(0, 0)")
        hidden = desk.page.evaluate(
            "() => ['.bar', '.back', '.tray', '.live', '.keyboard'].filter((selector) => {"
            " const box = document.querySelector(selector).getBoundingClientRect();"
            " return box.top < 0 || box.bottom > innerHeight + 1 })"
        )
        assert (hidden, desk.page.evaluate(COVERED)) == ([], []), f"{width} × {height}"

    desk.page.set_viewport_size({"width": 844, "height": 390})
    desk.tiles("5s 5s")
    for part in (".receipt .sum", ".pays", ".savebar"):
        expect(desk.page.locator(part)).to_be_in_viewport(ratio=1)
    assert (
        desk.page.locator(".savebar").evaluate("bar => innerHeight - bar.getBoundingClientRect().bottom") == 0
    )
    desk.button("Points")
    expect(desk.page.locator(".keys")).to_be_visible()
    desk.button("Tiles")
    desk.button("Start over")
    expect(desk.page.locator(".question")).to_contain_text("Who won hand 1?")

    desk.page.set_viewport_size({"width": 360, "height": 640})
    desk.seat("East")
    desk.seat("South")
    for code in ("1m", "9p"):
        desk.button("Kong")
        desk.tiles(code)
    overlapping = desk.page.evaluate(
        "() => { const right = (element) => element.getBoundingClientRect().right;"
        " return [...document.querySelectorAll('.cell.meld')]"
        ".filter((cell) => right(cell.querySelector('.tile:last-child')) > right(cell)).length }"
    )
    assert overlapping == 0
