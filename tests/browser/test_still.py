"""Nothing moves under the thumb: where each target stands is compared between the taps of a hand, and whatever happens
meanwhile in the hall or at the table."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk, Hall
from tests.browser.fixtures import House

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
    ".seat, .seg button, .keys button, [data-fan], .pad button, .tray .cell, [data-do=flag]")].map((one, at) => {
  const box = one.getBoundingClientRect();
  const name = one.closest(".tray") ? at : one.dataset.fan ?? one.dataset.key ?? one.dataset.digit ?? one.dataset.arg;
  const keyboard = one.closest(".keyboard");
  // One that is higher than the screen is scrolled like all else, and Playwright scrolls to what it taps.
  const sticky = keyboard && !(parseFloat(getComputedStyle(keyboard).bottom) < 0) ? 0 : scrollY;
  return [`${one.dataset.do} ${name}`, [box.left, box.top + sticky, box.width, box.height].map(Math.round)];
}))"""
COVERED = """() => [...document.querySelectorAll(".bar, .tray, .live, .savebar .primary, .keyboard")].filter((one) => {
  const box = one.getBoundingClientRect();
  const middle = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 20));
  return !middle || !(one.contains(middle) || middle.contains(one));
}).map((one) => one.className)"""


class Watched:
    """A desk whose targets are looked at after every tap."""

    def __init__(self, desk: Desk, percent: int) -> None:
        self.desk = desk
        self.before: dict[str, list[int]] = {}
        desk.page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
        self.moved: list[str] = []

    def screen(self) -> None:
        """Another screen: what stood on the last one is no longer expected anywhere."""
        self.before = {}

    def happened(self, what: str, shown: str) -> None:
        """Something came, or another wrote it; it is on the screen, or on the one that a thumb scrolls to."""
        expect(self.desk.page.locator(shown).first).to_be_attached()
        self.tapped(what)

    def tapped(self, what: str) -> None:
        page = self.desk.page
        page.wait_for_timeout(150)  # what the server says of it is on the screen too
        now: dict[str, list[int]] = page.evaluate(TARGETS)
        gone = [name for name, box in now.items() if name in self.before and self.before[name] != box]
        self.moved += [f"{what}: {name} {self.before[name]} → {now[name]}" for name in gone]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            self.moved.append(f"{what}: scrolls sideways")
        self.before = now


TIGHT = ("small phone", "on its side", "text twice as large")
"""Where there is the least room; fans and tiles are entered there, points everywhere."""


@pytest.fixture(params=SCREENS, ids=str)
def watched(request: pytest.FixtureRequest, hall: Hall) -> Iterator[Callable[..., Watched]]:
    width, height, percent = SCREENS[request.param]
    opened: list[Desk] = []

    def open_desk(depth: str, table: int = 1 + list(SCREENS).index(request.param)) -> Watched:
        desk = Desk(hall, table, viewport={"width": width, "height": height})
        opened.append(desk)
        found = Watched(desk, percent)
        desk.button(depth)
        found.tapped("depth")
        return found

    yield open_desk
    for desk in opened:
        desk.context.close()
        assert desk.faults == []


def test_points_are_entered_on_a_screen_that_stands_still(watched: Callable[[str], Watched]) -> None:
    found = watched("Points")
    for seat in (".seat.left", ".seat.right"):
        found.desk.tap(seat)
        found.tapped(seat)
    for digit in "104":
        found.desk.points(digit)
        found.tapped(digit)
    expect(found.desk.page.locator(".seat.discarder .score b")).to_have_text("−112")
    found.tapped("all said")
    assert found.moved == []


@pytest.mark.parametrize("watched", TIGHT, indirect=True)
def test_fans_are_picked_from_a_list_that_stands_still(watched: Callable[[str], Watched]) -> None:
    found = watched("Fans")
    found.desk.tap(".seat.left")
    found.tapped("winner")
    found.screen()
    found.desk.tap(".seat.right")
    for fan in ("mixed_straight", "all_types", "flower_tiles", "flower_tiles", "concealed_hand"):
        found.desk.tap(f'[data-fan="{fan}"]')
        found.tapped(fan)
    found.desk.button("Take off All Types")
    found.tapped("one taken off")
    assert found.moved == []


@pytest.mark.parametrize("watched", TIGHT, indirect=True)
def test_tiles_are_entered_on_keys_that_stand_still(watched: Callable[[str], Watched]) -> None:
    found = watched("Tiles")
    found.desk.tap(".seat.left")
    found.tapped("winner")
    found.screen()
    found.desk.tap(".seat.right")
    found.desk.button("Chow")
    for tile in ["1m", "4p", "7s", "2m", "2m", "5s", "5s"]:
        found.desk.tap(f'.keyboard [data-key="{tile}"]')
        found.tapped(tile)
    assert found.moved == []


# --- what happens meanwhile ----------------------------------------------------------------------------------
MEANWHILE = """
from uuid import uuid4
from tests.support.factories import SYSTEM
from tournament.base.models.play import Table
from tournament.fouls.services import give_penalty
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce
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
SILENT = "tournament.announcements.all().delete()"
DEAD_HAND = 'give_penalty(here, SYSTEM, Accusation(south, "false_claim", 1), uuid=uuid4())'
STAND_IN = 'seat_stand_in(here, SYSTEM, east, "Wolfeschlegelsteinhausenbergerdorff")'
MINUTE = 61_000


@pytest.mark.parametrize(
    ("watched", "depth", "table"),
    [
        ("phone", "Points", 15),
        ("phone", "Fans", 16),
        ("phone", "Tiles", 17),
        ("small phone", "Points", 18),
        ("on its side", "Points", 19),
        ("computer", "Points", 20),
    ],
    indirect=["watched"],
)
def test_whatever_happens_while_a_hand_is_entered_moves_nothing(
    watched: Callable[..., Watched], house: House, depth: str, table: int
) -> None:
    found = watched(depth, table)
    desk, page = found.desk, found.desk.page

    def meanwhile(step: str) -> None:
        house.place.run(MEANWHILE.format(table=table) + step)

    desk.accuse("Empty call")
    desk.save()
    expect(page.get_by_role("button", name="Undo the penalty")).to_be_visible()
    desk.tap(".seat.left")
    found.tapped("winner")
    if depth != "Points":
        found.screen()
    desk.tap(".seat.right")
    enter = {"Points": desk.points, "Fans": desk.fans, "Tiles": desk.tiles}[depth]
    enter({"Points": "1", "Fans": "mixed_straight", "Tiles": "1m 2m"}[depth])
    found.tapped("begun")
    meanwhile(CALL)
    found.happened("a call", "#call-bar .call")
    enter({"Points": "2", "Fans": "all_types", "Tiles": "3m"}[depth])
    found.tapped("entered under a call")
    meanwhile(DONE)
    expect(page.locator("#call-bar .call")).to_have_count(0)
    found.tapped("the call is answered")
    meanwhile(SAYS)
    found.happened("an announcement", ".announcements .banner")
    meanwhile(DEAD_HAND)
    meanwhile(STAND_IN)
    if depth == "Points":
        found.happened("tags", ".seat .restraint")
        found.happened("tags", ".seat .stand-in")
    page.clock.fast_forward(MINUTE)
    found.tapped("nothing can be undone any more")
    desk.disconnect()
    page.evaluate("window.dispatchEvent(new Event('online'))")  # it asks, and nobody answers
    expect(desk.pill).to_have_text("No connection")
    found.tapped("no network")
    desk.connect()
    expect(desk.pill).to_have_text("Not saved yet")
    found.tapped("the network is back")
    meanwhile(SILENT)
    assert found.moved == []


@pytest.mark.parametrize("size", [(844, 390), (667, 375), (390, 844)], ids=str)
def test_bar_tray_score_and_keys_are_all_seen_at_once(hall: Hall, size: tuple[int, int]) -> None:
    desk = Desk(hall, 12 + size[0] % 3, viewport={"width": size[0], "height": size[1]})
    desk.button("Tiles")
    desk.seat("East")
    desk.seat("South")
    desk.tiles("1m 2m 3m 4p 5p 6p 7s 8s 9s 2m 2m 5s")
    expect(desk.page.locator(".live b")).to_be_visible()
    seen: dict[str, Any] = desk.page.evaluate(
        "() => Object.fromEntries(['.bar', '.back', '.tray', '.live', '.keyboard'].map((one) => {"
        " const box = document.querySelector(one).getBoundingClientRect();"
        " return [one, box.top >= 0 && box.bottom <= innerHeight + 1 || [box.top, box.bottom]] }))"
    )
    covered = desk.page.evaluate(COVERED)
    desk.context.close()
    assert (seen, covered) == (dict.fromkeys(seen, True), [])
