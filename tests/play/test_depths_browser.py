"""One hand, three depths: a session's worth by each, with the taps counted; what was announced against the tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk, Hall

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

# --- a session's worth by each depth ------------------------------------------------------------------------------
HANDS: dict[str, list[tuple[str, str, str, int, int]]] = {
    # winner, discarder or the winner again, what is entered, points, taps
    "Points": [
        ("South", "East", "19", 19, 5),
        ("West", "West", "32", 32, 5),
        ("North", "South", "8", 8, 4),
        ("East", "North", "104", 104, 6),
    ],
    "Fans": [
        ("South", "East", "mixed_straight all_chows concealed_hand mixed_double_chow", 13, 7),
        ("West", "West", "mixed_shifted_chows all_chows fully_concealed_hand flower_tiles", 13, 7),
        ("North", "South", "all_pungs dragon_pung half_flush flower_tiles flower_tiles", 16, 8),
        ("East", "North", "mixed_triple_chow no_honors", 9, 5),
    ],
    "Tiles": [
        ("South", "East", "1m 1m 3m 3m 5p 5p 7p 7p 2s 2s 4s 4s E E", 24, 17),
        ("West", "West", "2m 2m 3m 3m 5p 5p 7p 7p 2s 2s 4s 4s 8s 8s", 27, 17),
    ],
}


@pytest.mark.parametrize(("depth", "table"), [("Points", 1), ("Fans", 2), ("Tiles", 3)])
def test_taps_of_hands_by_each_depth(desk_at: Callable[..., Desk], depth: str, table: int) -> None:
    desk = desk_at(table)
    if depth != "Tiles":
        desk.button(depth)
    enter = {"Points": desk.points, "Fans": desk.fans, "Tiles": desk.tiles}[depth]
    for number, (winner, discarder, what, points, taps) in enumerate(HANDS[depth], 1):
        desk.taps = 0
        desk.seat(winner)
        desk.seat(discarder)
        enter(what)
        desk.save()
        desk.expect_saved(number)
        assert (desk.taps, desk.state()["hands"][-1]["points"]) == (taps, points)
    assert sum(desk.scores()) == 0


# --- fans by name --------------------------------------------------------------------------------------------------
def test_a_picked_fan_strikes_what_cannot_stand_beside_it(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(4)
    desk.enter_win("Fans")
    page = desk.page
    expect(page.locator('[data-fan="self_drawn"]')).to_contain_text("only when self-drawn")
    desk.fans("dragon_pung all_types")
    for struck in ("no_honors", "all_chows"):
        expect(page.locator(f'[data-fan="{struck}"]')).to_have_attribute("aria-disabled", "true")
    expect(page.locator('[data-fan="no_honors"]')).to_contain_text("not beside All Types")
    expect(page.locator(".savebar .primary")).to_be_enabled()
    page.get_by_placeholder("Search").fill("双箭")
    expect(page.locator("[data-fan]")).to_have_count(1)
    expect(page.locator('[data-fan="two_dragons"]')).to_contain_text("not beside All Types")
    desk.button("Take off All Types")
    expect(page.locator('[data-fan="two_dragons"]')).to_contain_text("instead of Dragon Pung")
    desk.fans("two_dragons")
    expect(page.locator('.picked [data-key="dragon_pung"]')).to_have_count(0)
    expect(page.locator(".picked")).to_contain_text("2 short of 8")
    desk.button("Count it all the same")
    expect(page.locator(".savebar .primary")).to_be_disabled()
    page.get_by_label("Why does it count?").fill("the four agreed")
    desk.save()
    desk.expect_saved(1)
    expect(page.locator(".lines .tag")).to_have_text("overridden")


def test_self_drawn_picks_what_follows_until_another_fan_takes_its_place(
    desk_at: Callable[..., Desk],
) -> None:
    desk = desk_at(10)
    page = desk.page
    desk.enter_win("Fans", "South", "South")
    expect(page.locator('.picked [data-key="self_drawn"]')).to_have_count(1)
    desk.fans("mixed_shifted_chows all_chows")
    expect(page.locator('[data-fan="fully_concealed_hand"]')).to_contain_text("instead of Self-Drawn")
    desk.fans("fully_concealed_hand")
    expect(page.locator('.picked [data-key="self_drawn"]')).to_have_count(0)
    desk.button("Take off Fully Concealed Hand")
    expect(page.locator("main")).to_contain_text("Self-Drawn or Fully Concealed Hand, for instance")
    expect(page.locator(".savebar .primary")).to_be_disabled()
    desk.button("Tiles")
    assert desk.page.locator(".picked").count() == 0


def test_fans_that_no_hand_has_together_cannot_be_picked_together(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(11)
    page = desk.page
    desk.enter_win("Fans")
    desk.fans("full_flush")
    struck = page.locator('[data-fan="mixed_straight"]')
    expect(struck).to_have_attribute("aria-disabled", "true")
    expect(struck).to_contain_text("not beside Full Flush")
    desk.fans("pure_straight")
    expect(page.locator("main")).to_contain_text("also counts All Chows or Tile Hog")
    desk.fans("all_chows")
    desk.save()
    desk.expect_saved(1)


def test_the_fans_used_last_stand_first(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(5)
    desk.enter_win("Fans")
    desk.fans("thirteen_orphans")
    desk.save()
    desk.expect_saved(1)
    desk.seat("South")
    desk.seat("East")
    expect(desk.page.locator("[data-fan]").first).to_have_attribute("data-fan", "thirteen_orphans")
    desk.page.reload()
    expect(desk.page.locator("[data-fan]").first).to_have_attribute("data-fan", "thirteen_orphans")


@pytest.mark.parametrize("depth", ["Points", "Fans"])
def test_below_eight_points_a_false_hu_is_offered(desk_at: Callable[..., Desk], depth: str) -> None:
    desk = desk_at(12)
    desk.button(depth)
    desk.seat("South")
    desk.seat("East")
    desk.points("7") if depth == "Points" else desk.fans("all_types")
    desk.button("Record a false hu")
    expect(desk.page.locator('.pick[aria-pressed="true"]')).to_have_count(1)


# --- what was announced, and the tiles -------------------------------------------------------------------------------
def test_tiles_that_contradict_the_announcement_are_shown_beside_it(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(6)
    page = desk.page
    desk.enter_win("Fans")
    desk.fans("seven_pairs all_types")
    desk.save()
    desk.expect_saved(1)
    page.goto(desk.url + "#hand-1")
    desk.button("Add the tiles")
    desk.tiles("1m 1m 2m 2m 3m 3m 4p 4p 5p 5p 6s 6s 7s 7s")
    expect(page.locator(".comparison")).to_contain_text("All Types was announced 1×, but counts 0×.")
    expect(page.locator(".savebar .primary")).to_contain_text("25 points")
    desk.button("As announced: 30")
    expect(page.locator(".savebar .primary")).to_contain_text("30 points")
    expect(page.locator(".savebar .primary")).to_be_disabled()
    page.get_by_label("Why does it count?").fill("mixed up before the count")
    expect(page.get_by_label("Reason")).to_have_count(0)
    desk.save()
    expect(page.locator("main")).to_contain_text("the tiles come to 25: mixed up before the count")
    (hand,) = desk.state()["hands"]
    assert (hand["points"], hand["version"], bool(hand["override"])) == (30, 2, True)


def test_tiles_that_agree_deepen_the_hand_without_a_reason(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(7)
    desk.enter_win("Points")
    desk.points("25")
    desk.save()
    desk.expect_saved(1)
    desk.page.goto(desk.url + "#hand-1")
    desk.button("Add the tiles")
    desk.tiles("1m 1m 2m 2m 3m 3m 4p 4p 5p 5p 6s 6s 7s 7s")
    expect(desk.page.get_by_text("As it was announced.")).to_be_visible()
    expect(desk.page.get_by_label("Reason")).to_have_count(0)
    desk.save()
    expect(desk.page.locator("h1")).to_have_text("Hand 1")
    (hand,) = desk.state()["hands"]
    assert (hand["version"], hand["deepens"], hand["points"]) == (2, True, 25)


# --- corrections, claims -----------------------------------------------------------------------------------------
def test_a_correction_shows_table_points_and_ranks_before_it_is_made(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(8)
    page = desk.page
    desk.enter_win("Points")
    desk.points("19")
    desk.save()
    desk.expect_saved(1)
    page.goto(desk.url + "#hand-1")
    desk.save()
    desk.seat("East")
    desk.seat("South")
    desk.button("What changes")
    card = page.locator(".card", has_text="What changes")
    expect(card.locator('[data-key="Table points"]')).to_be_visible()
    expect(card.locator('[data-key="Rank"] tbody tr')).not_to_have_count(0)
    assert desk.state()["hands"][0]["version"] == 1


def test_of_two_who_claim_the_next_in_turn_wins(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(9)
    desk.enter_win("Points", "West", "East")
    desk.button("Others claimed it too")
    asked = desk.page.get_by_text("Tap who else claimed this tile.")
    expect(asked).to_be_in_viewport()
    assert asked.evaluate("asked => asked.getBoundingClientRect().bottom") < desk.page.locator(
        ".savebar"
    ).evaluate("bar => bar.getBoundingClientRect().top")
    desk.seat("South")
    expect(desk.page.locator(".winner .wind")).to_have_attribute("aria-label", "South")
    expect(desk.page.locator("main")).to_contain_text("is next in turn and wins")
    desk.points("8")
    desk.save()
    desk.expect_saved(1)
    (hand,) = desk.state()["hands"]
    assert len(hand["claimants"]) == 1


def test_a_claimant_with_a_dead_hand_does_not_come_first(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(10)
    desk.accuse("False chow", '.pick:has([aria-label^="South"])')
    desk.save()
    desk.enter_win("Points", "West", "East")
    desk.button("Others claimed it too")
    desk.seat("South")
    expect(desk.page.locator(".winner .wind")).to_have_attribute("aria-label", "West")
    expect(desk.page.locator("main")).to_contain_text("is next in turn of those who may win")
    desk.seat("West")
    expect(desk.page.locator(".at")).to_contain_text("may not win it")
    desk.points("8")
    desk.save()
    desk.expect_saved(1)
    (hand,) = desk.state()["hands"]
    assert len(hand["claimants"]) == 1
    desk.page.goto(desk.url + "#hand-1")
    expect(desk.page.locator("main")).to_contain_text("is next in turn of those who may win")


# --- nothing moves under the thumb: where each target stands is compared between the taps -----------------
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
def watched(request: pytest.FixtureRequest, hall: Hall) -> Iterator[Callable[[str], Watched]]:
    width, height, percent = SCREENS[request.param]
    opened: list[Desk] = []

    def open_desk(depth: str) -> Watched:
        table = 1 + list(SCREENS).index(request.param)
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
