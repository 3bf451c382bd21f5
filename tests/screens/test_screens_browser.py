"""Screens in browsers: steered from a phone, without a server, after a new build; and an overlay for streams."""

import re
from io import BytesIO
from itertools import product
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.fixtures import PHONE, House
from tests.browser.look import clips_letters
from tests.support.processes import free_port, make_place
from tests.support.sampling import sample
from tournament.screens.engine import Kind

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
SMALLEST = 38
"""Pixels of type on a canvas of 1920 × 1080."""

MAKE = """
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.screens.engine import Kind, Turn
from tournament.screens.services import add_screen, arrange_screen
event = make_tournament(players={players}, sessions=3, played=1, running=1)
make_organiser(event, "olga")
add_screen(event, SYSTEM, "quick")
arrange_screen(event, SYSTEM, "quick", [Turn(Kind.RANKING, 5), Turn(Kind.BEST, 5)])
"""
STEER = """
from tests.support.factories import SYSTEM
from tournament.screens.engine import Kind
from tournament.base.models.tournament import Tournament
from tournament.screens.engine import Command, ScreenAction; from tournament.screens.services import control_screen
control_screen(Tournament.objects.get(), SYSTEM, "main", Command(ScreenAction.ONLY, kind=Kind("{kind}")))
"""
ADD = """
from tests.support.factories import SYSTEM
from tournament.screens.engine import Kind, Turn
from tournament.base.models.tournament import Tournament
from tournament.screens.services import add_screen, arrange_screen
event = Tournament.objects.get()
add_screen(event, SYSTEM, "foyer")
arrange_screen(event, SYSTEM, "foyer", [Turn(Kind.CLOCK, 5)])
"""
REMOVE = """
from tests.support.factories import SYSTEM
from tournament.base.models.tournament import Tournament
from tournament.screens.services import remove_screen
remove_screen(Tournament.objects.get(), SYSTEM, "foyer")
"""
ANNOUNCE = """
from uuid import uuid4
from tests.support.factories import SYSTEM
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce
announce(Announcement(tournament=Tournament.objects.get(), text="Lunch at 12:30"), SYSTEM)
"""
CLEAR = """
from tournament.messages.announcements.models import Announcement
Announcement.objects.all().delete()
"""
WITHDRAW = """
from tests.support.factories import SYSTEM
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import cancel_announcement
cancel_announcement(Announcement.objects.get(), SYSTEM)
"""
HANDS = """
from tournament.base.models.play import Table
print(Table.objects.get(session__number=2, number=1).hands_played)
"""
TOO_SMALL = """least => {
  const words = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const small = [];
  while (words.nextNode()) {
    const parent = words.currentNode.parentElement;
    if (!words.currentNode.data.trim() || parent.closest(".vh, [hidden], svg")) continue;
    const size = parseFloat(getComputedStyle(parent).fontSize);
    if (size < least - 0.01) small.push(`${size} ${words.currentNode.data}`);
  }
  return small;
}"""
SIZES_OF_TYPE = (
    "[...new Set([...document.querySelectorAll('main *')].map((node) => getComputedStyle(node).fontSize))]"
)
BEYOND = """() => [...document.querySelectorAll("main, main *")]
  .filter((node) => !node.closest(".vh, [hidden], svg, .hand"))
  .filter((node) => { const box = node.getBoundingClientRect(); return box.bottom > 1081 || box.right > 1921; })
  .map((node) => node.outerHTML.slice(0, 100))"""
WRAPPED = """() => [...document.querySelectorAll(".hall-rows :is(.move, .quiet, .tp)")]
  .filter((node) => node.offsetHeight > 1.5 * parseFloat(getComputedStyle(node).lineHeight))
  .map((node) => node.textContent)"""


UNDER_THE_GONG = """() => {
  const gong = document.querySelector(".hall-gong").getBoundingClientRect();
  return [...document.querySelectorAll("main *")]
    .filter((node) => !node.childElementCount && node.textContent.trim() && !node.closest(".vh, [hidden]"))
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([, box]) => box.right > gong.left && box.bottom > gong.top && box.top < gong.bottom)
    .map(([node]) => node.outerHTML.slice(0, 100));
}"""


@pytest.fixture(scope="module")
def event(house: House) -> House:
    house.place.run(MAKE.format(players=100))
    return house


def open_screen(page: Page, name: str = "main") -> None:
    page.goto(f"/t/spring-open/screens/{name}/")
    page.evaluate("window.hereBefore = true")


def slide(page: Page, kind: str) -> None:
    """Wait until a kind is on the screen."""
    expect(page.locator("main")).to_have_attribute("data-slide", re.compile(f"^{kind}-"))


def test_two_screens_follow_the_organisers_phone(event: House, browser: Browser) -> None:
    with (
        event.open(browser, PHONE, user="olga", has_touch=True) as organiser,
        event.open(browser, PROJECTOR) as hall,
        event.open(browser, PROJECTOR) as foyer,
    ):
        phone = organiser.page
        for window in (hall, foyer):
            open_screen(window.page)
        phone.goto("/organiser/spring-open/screens/main/")
        for button, kind in (("Seats by name", "names"), ("Clock", "clock")):
            phone.get_by_role("button", name=button).click()
            for window in (hall, foyer):
                slide(window.page, kind)
        expect(phone.locator(".shown-now")).to_have_text("Clock")
        phone.get_by_role("button", name="Seats by name").click()
        phone.get_by_role("button", name="Next").click()
        for window in (hall, foyer):
            expect(window.page.locator("main footer b")).to_have_text("2 / 3")
        phone.get_by_role("button", name="Resume the rotation").click()
        slide(hall.page, "(clock|ranking)")
        phone.get_by_role("button", name="Pause here").click()
        expect(phone.get_by_role("heading", name="Paused")).to_be_visible()
        assert hall.page.evaluate("window.hereBefore"), "the page was reloaded"
        assert [window.faults for window in (organiser, hall, foyer)] == [[], [], []]


def test_a_write_of_another_process_is_on_the_screen_within_a_second(event: House, browser: Browser) -> None:
    with event.open(browser, PROJECTOR) as hall:
        event.place.run(STEER.format(kind="welcome"))
        open_screen(hall.page)
        hall.page.wait_for_timeout(1_000)
        hall.page.evaluate("""() => {
            new MutationObserver(() => (window.turnedAt = Date.now()))
              .observe(document.querySelector("main"), {attributeFilter: ["data-slide"]});
        }""")
        written = event.place.run(STEER.format(kind="clock") + "import time; print(time.time() * 1000)")
        slide(hall.page, "clock")
        assert hall.page.evaluate("window.turnedAt") - float(written) < 1_000


def test_a_projector_shows_the_main_screen_after_its_screen_is_removed(
    event: House, browser: Browser
) -> None:
    with event.open(browser, PROJECTOR) as hall:
        event.place.run(STEER.format(kind="welcome"))
        event.place.run(ADD)
        open_screen(hall.page, "foyer")
        slide(hall.page, "clock")
        event.place.run(REMOVE)
        slide(hall.page, "welcome")
        assert hall.faults == []


def test_pages_turn_by_themselves_without_a_reload(event: House, browser: Browser) -> None:
    with event.open(browser, PROJECTOR) as hall:
        open_screen(hall.page, "quick")
        slides = set()
        for _turn in range(2):
            current = str(hall.page.locator("main").get_attribute("data-slide"))
            slides.add(current)
            expect(hall.page.locator("main")).not_to_have_attribute("data-slide", current)
        assert len(slides) == 2
        assert hall.page.evaluate("window.hereBefore")
        assert hall.faults == []


def test_an_announcement_interrupts_a_screen_and_a_new_build_reloads_it(
    event: House, browser: Browser
) -> None:
    with event.open(browser, PROJECTOR) as hall:
        open_screen(hall.page, "quick")
        event.place.run(ANNOUNCE)
        slide(hall.page, "announcements")
        expect(hall.page.locator("main")).to_contain_text("Lunch at 12:30")
        event.place.run(WITHDRAW)
        slide(hall.page, "(ranking|best)")
        with hall.page.expect_navigation():
            hall.page.locator("main").evaluate("main => (main.dataset.build = 'an older one')")
        slide(hall.page, "(ranking|best)")


def test_the_longest_announcement_fits_in_chinese_too_whose_font_is_loaded(
    event: House, browser: Browser
) -> None:
    event.place.run(CLEAR)
    with event.open(browser, PROJECTOR) as hall:
        open_screen(hall.page)
        load = "font => document.fonts.load(font, '東').then(all => all.map(f => f.status))"
        for weight in (400, 700):
            assert hall.page.evaluate(load, f"{weight} 38px 'Hule Chinese'") == ["loaded"]
        assert "Hule Chinese" in hall.page.locator("main").evaluate(
            "main => getComputedStyle(main).fontFamily"
        )
        event.place.run(ANNOUNCE.replace('"Lunch at 12:30"', '"\u8bf7" * 280'))
        slide(hall.page, "announcements")
        text, footer = (
            hall.page.locator(".announcement-text").bounding_box(),
            hall.page.locator("footer").bounding_box(),
        )
        assert text
        assert footer
        assert text["y"] + text["height"] <= footer["y"]
        assert hall.faults == []


@pytest.mark.parametrize("locale", sample(["en-GB", "zh-Hant"], 1))
def test_every_slide_has_three_sizes_of_type_and_fits_the_screen(
    event: House, browser: Browser, locale: str
) -> None:
    event.place.run(CLEAR)
    context = browser.new_context(base_url=event.url, viewport=PROJECTOR, locale=locale)
    page = context.new_page()
    problems = {}
    for kind in Kind:
        event.place.run(STEER.format(kind=kind.value))
        page.goto("/t/spring-open/screens/main/")
        sizes = set(page.evaluate(SIZES_OF_TYPE)) - {"38px", "60px", "320px", "14px", "16px"}
        if kind is Kind.CEREMONY:  # it has three sizes of its own (tests/screens/test_ceremony_browser.py)
            sizes = set()
        problems[kind] = [
            *page.evaluate(TOO_SMALL, SMALLEST),
            *sizes,
            *page.evaluate(BEYOND),
            *page.evaluate(WRAPPED),
            *page.evaluate(UNDER_THE_GONG),
        ]
        if kind is Kind.RANKING:
            assert not clips_letters(page, ".hall-rows .who")
    context.close()
    assert {kind: faults for kind, faults in problems.items() if faults} == {}


def wash_out(page: Page) -> None:
    page.get_by_role("button", name="Wash-out", exact=True).click()
    page.locator(".savebar .primary:enabled").click()


def test_a_screen_and_a_desk_go_on_once_the_server_is_back(
    migrated: Path, collected: Path, browser: Browser
) -> None:
    """Meanwhile the screen keeps its slide, and hands wait at the desk."""
    port = free_port()
    with make_place(migrated, STATIC_ROOT=str(collected)) as place:
        house = House(place, f"http://127.0.0.1:{port}")
        place.run(
            MAKE.format(players=16) + "from tests.support.factories import make_umpire; make_umpire(event)"
        )
        with house.open(browser, PHONE, user="uma") as umpire, house.open(browser, PROJECTOR) as hall:
            desk, page = umpire.page, hall.page
            desk.clock.install()
            with place.web(port=port) as site:
                place.run(STEER.format(kind="ranking"))
                open_screen(page)
                slide(page, "ranking")
                leader = page.locator("li.first .who").inner_text()
                desk.goto("/umpire/spring-open/2/1/")
                wash_out(desk)
                expect(desk.locator("header .pill")).to_have_text("Hand 2 saved")
                # From here on no timer of the desk's own comes, the outbox's neither: only what the browser hears.
                desk.clock.pause_at(desk.evaluate("Date.now() / 1000 + 1"))
                site.process.kill()
                site.process.wait()
            for waiting in (1, 2):
                wash_out(desk)
                expect(desk.locator("header .pill")).to_have_text(f"{waiting} waiting")
            expect(page.locator("#stale")).to_be_visible()
            expect(page.locator("li.first .who")).to_have_text(leader)
            place.run(STEER.format(kind="clock"))
            with place.web(port=port):
                expect(desk.locator("header .pill")).to_have_class("pill ok")
                assert place.run(HANDS).strip() == "4"
                slide(page, "clock")
                expect(page.locator("#stale")).to_be_hidden()
                page.wait_for_timeout(2_500)  # until the live stream is connected again
                place.run(STEER.format(kind="welcome"))
                slide(page, "welcome")
                assert page.evaluate("window.hereBefore"), "it need not be reloaded"
            assert not clips_letters(desk, ".bar h1")


def test_tiles_of_the_best_hand_and_of_puzzles_are_large(event: House, browser: Browser) -> None:
    """At least a seventh of the height of the screen."""
    event.place.run(CLEAR)
    with event.open(browser, PROJECTOR) as hall:
        for kind in (Kind.BEST, Kind.PUZZLE):
            event.place.run(STEER.format(kind=kind.value))
            open_screen(hall.page)
            box = hall.page.locator(".hall-tiles .tile:not(.side)").first.bounding_box()
            assert box
            assert box["height"] > PROJECTOR["height"] / 7, kind


# --- Overlays ---
ANOTHER = """
from tests.support.factories import SYSTEM, hand_entry, hand_uuid
from tournament.base.models.play import Table
from tournament.play.services.hands import record_hand
table = Table.objects.get(session__state="running", number=1)
number = table.hands_played + 1
record_hand(table, SYSTEM, hand_entry(table, number), number=number, uuid=hand_uuid(table, number))
"""
HD: ViewportSize = {"width": 1280, "height": 720}
BOXES = """() => [...document.querySelectorAll(".overlay-card, .overlay-card :is(.who, .num, .wind)")].map((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""
LONG_NAMES = """() => {
  for (const text of document.querySelectorAll(".overlay-head > *"))
    text.textContent = "Wolfeschlegelsteinhausen Bergerdorffwelch";
}"""
OVERLAYS = ("lower-third/1/", "table/1/", "hand/1/", "player/1/", "clock/")


@pytest.mark.parametrize(("screen", "size"), sample(product([PROJECTOR, HD], "sml"), 2))
def test_overlays_are_transparent_around_a_card_in_the_safe_area(
    event: House, browser: Browser, screen: ViewportSize, size: str
) -> None:
    with event.open(browser, screen) as window:
        page, (width, height) = window.page, (screen["width"], screen["height"])
        for path in OVERLAYS:
            page.goto(f"/t/spring-open/overlay/{path}?size={size}")
            opaque = Image.open(BytesIO(page.screenshot(omit_background=True))).getchannel("A")
            box = opaque.getbbox()
            assert box, path
            assert box[0] >= 0.05 * width - 1, path
            assert box[1] >= 0.05 * height - 1, path
            assert box[2] <= 0.95 * width + 1, path
            assert box[3] <= 0.95 * height + 1, path
            assert opaque.getpixel(((box[0] + box[2]) // 2, box[1] + 6)) == 255, path
            smallest = 0.75 * 28 if size == "s" else 28
            assert page.evaluate(TOO_SMALL, smallest * height / 1080) == [], path


def test_nothing_in_an_overlay_moves_when_its_figures_or_names_change(event: House, browser: Browser) -> None:
    with event.open(browser, PROJECTOR) as window:
        page = window.page
        page.goto("/t/spring-open/overlay/hand/1/?size=l")
        card = page.locator(".overlay-card")
        before = card.bounding_box()
        page.evaluate(LONG_NAMES)
        assert card.bounding_box() == before
        for path in ("table/1/", "lower-third/1/"):
            page.goto(f"/t/spring-open/overlay/{path}")
            head, boxes = page.locator(".overlay-head").inner_text(), page.evaluate(BOXES)
            assert len(boxes) >= 13
            event.place.run(ANOTHER)
            expect(page.locator(".overlay-head")).not_to_have_text(head, use_inner_text=True)
            assert page.evaluate(BOXES) == boxes
