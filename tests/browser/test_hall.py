"""Live updates in the hall: the clock, the gong, and calls for the umpire."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import DESKTOP, PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

# --- The clock and the gong -------------------------------------------------------------------------------
Open = Callable[..., Page]
ERRORS: list[str] = []
"""Script errors in a page of any of these tests."""
SEED = """
from tests.support.factories import make_organiser, make_tournament, make_umpire
tournament = make_tournament(sessions=1, running=0)
make_organiser(tournament, "olga")
for name in ("uma", "una"):
    make_umpire(tournament, name)
"""
MOVE_CLOCK = """
from datetime import timedelta
from django.utils import timezone
from tests.support.factories import SYSTEM
from tournament.base.models.play import Session
from tournament.play.services.sessions import extend_clock
session = Session.objects.get()
Session.objects.update(started_at=timezone.now() - timedelta(minutes={minutes}, seconds=-{seconds}))
extend_clock(Session.objects.get(), SYSTEM, 0 if session.extra_minutes else 1, reason="So that pages look again")
Session.objects.update(extra_minutes=0)
"""
RECORD_GONG = """
const hear = (what) => {
  const { dataset } = document.documentElement;
  dataset.heard = `${dataset.heard ?? ""} ${what}`;
};
navigator.vibrate = (times) => { hear(`shakes-${times.length / 2}`); return true; };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { hear("tone"); return start.call(this, at); };
"""
TONES = 5
"""Oscillators of one stroke."""
WITHOUT_SOUND = """
delete window.AudioContext;
delete Navigator.prototype.vibrate;
Storage.prototype.getItem = () => { throw new Error("nothing is kept here"); };
"""


@pytest.fixture(scope="module")
def event(house: House) -> House:
    house.place.run(SEED)
    return house


@pytest.fixture
def opened(event: House, browser: Browser) -> Iterator[Open]:
    with ExitStack() as windows:

        def open_at(path: str, user: str = "", *, script: str = "", wide: bool = False) -> Page:
            window = windows.enter_context(event.open(browser, DESKTOP if wide else PHONE, user=user))
            if script:
                window.context.add_init_script(script)
            window.page.on("pageerror", lambda error: ERRORS.append(str(error)))
            window.page.goto(path)
            return window.page

        yield open_at


def expect_strokes(page: Page, strokes: int) -> None:
    """Expect so many strokes, with sound and vibration, and reset the record."""
    expect(page.locator("html")).to_have_attribute(
        "data-heard", f" shakes-{strokes}" + " tone" * TONES * strokes
    )
    page.evaluate("delete document.documentElement.dataset.heard")


def test_the_clock_is_paused_and_resumed_on_all_pages(opened: Open) -> None:
    organiser = opened("/umpire/spring-open/clock/", "olga")
    desk = opened("/umpire/spring-open/1/1/", "uma")
    hall = opened("/t/spring-open/screens/main/", wide=True)
    public = opened("/t/spring-open/sessions/1/")
    organiser.get_by_text("Fire alarm").first.click()
    organiser.get_by_role("button", name="Pause the clock").click()
    expect(desk.locator(".bar .clock")).to_contain_text("paused")
    expect(desk.locator(".banner.gold")).to_contain_text("The clock of the hall is paused.")
    # By the live stream: without it a page polls after 20 seconds.
    expect(public.locator("[data-stage=paused]").first).to_be_visible(timeout=15_000)
    expect(hall.locator("[data-stage=paused]").first).to_be_visible(timeout=20_000)
    paused_at = desk.locator(".bar .clock").inner_text()
    organiser.wait_for_timeout(1_500)
    assert desk.locator(".bar .clock").inner_text() == paused_at
    organiser.get_by_role("button", name="Resume play").click()
    expect(desk.locator(".bar .clock")).to_contain_text("left")
    expect(desk.locator(".banner.gold")).to_have_count(0)


def test_the_gong_sounds_at_the_warning_and_at_the_end_if_it_is_on(house: House, opened: Open) -> None:
    desk = opened("/umpire/spring-open/1/1/#sheet", "uma", script=RECORD_GONG)
    hall = opened("/t/spring-open/screens/main/", script=RECORD_GONG, wide=True)
    silent = opened("/umpire/spring-open/1/2/", "uma", script=RECORD_GONG)
    desk.get_by_role("button", name="Sound and vibration on").click()
    hall.mouse.move(200, 200)
    hall.get_by_role("button", name="Gong").click()
    for page in (desk, hall):
        expect(page.locator("[data-gong]")).to_have_attribute("aria-pressed", "true")
        expect_strokes(page, 1)
    for minutes, strokes in ((105, 1), (120, 3)):
        house.place.run(MOVE_CLOCK.format(minutes=minutes, seconds=6))
        for page in (desk, hall):
            expect_strokes(page, strokes)
    expect(silent.locator("html")).not_to_have_attribute("data-heard", re.compile("."))
    hall.reload()
    expect(hall.locator("[data-gong]")).to_have_attribute("aria-pressed", "true")


def test_without_sound_and_vibration_there_is_no_gong_button_and_no_error(opened: Open) -> None:
    desk = opened("/umpire/spring-open/1/1/#sheet", "uma", script=WITHOUT_SOUND)
    hall = opened("/t/spring-open/screens/main/", script=WITHOUT_SOUND, wide=True)
    expect(desk.get_by_role("heading", name="Score sheet")).to_be_visible()
    expect(desk.locator("[data-gong]")).to_have_count(0)
    expect(hall.locator("[data-gong]")).to_be_hidden()
    hall.mouse.click(300, 300)
    assert ERRORS == []


# --- Calls for the umpire ---------------------------------------------------------------------------------
CALL = """
from tests.support.factories import SYSTEM
from tournament.base.models.play import Table
from tournament.play.services.sessions import raise_call
table = Table.objects.select_related("session__tournament").get(session__tournament__slug="{slug}", number=2)
raise_call(table, SYSTEM, "claim")
"""
SEVEN_EVENTS = """
from tests.support.factories import SYSTEM, make_tournament, make_user
from tournament.base.models.tournament import Role
from tournament.staff.services import give_role
ulla = make_user("ulla")
for number in range(1, 8):
    give_role(make_tournament(name=f"Event {number}", players=8, sessions=1, running=0), SYSTEM, ulla, Role.UMPIRE)
"""
"""More running events with one umpire than a browser opens connections to a host."""


@pytest.fixture
def umpires_pages(event: House, browser: Browser) -> Iterator[list[Page]]:
    """Open tabs on uma's phone and on una's computer."""
    addresses = {
        "uma": ("/umpire/spring-open/1/1/", "/calculator/", "/umpire/spring-open/"),
        "una": ("/fouls/", "/umpire/spring-open/clock/"),
    }
    with event.open(browser, PHONE, user="uma") as uma, event.open(browser, DESKTOP, user="una") as una:
        pages = []
        for window, name in ((uma, "uma"), (una, "una")):
            for address in addresses[name]:
                pages.append(window.context.new_page())
                pages[-1].goto(address)
        yield pages


def test_a_call_is_on_every_umpires_screen_until_it_is_taken(house: House, umpires_pages: list[Page]) -> None:
    pages = umpires_pages
    for page in pages:
        expect(page.locator("#call-bar")).to_be_attached()
        expect(page.locator("#call-bar .call")).to_have_count(0)
    pages[0].wait_for_timeout(1_000)
    house.place.run(CALL.format(slug="spring-open"))
    for page in pages:
        expect(page.locator("#call-bar .call")).to_contain_text("Table 2")
        expect(page.locator("#call-bar .call")).to_contain_text("disputed claim")
    pages[1].get_by_role("button", name="I’m on my way to table 2").click()
    expect(pages[1].locator(".toast")).to_contain_text("Table 2 sees that you are coming.")
    for page in pages:
        expect(page.locator("#call-bar .call")).to_have_count(0)


def test_one_stream_brings_the_calls_of_all_running_events(event: House, browser: Browser) -> None:
    event.place.run(SEVEN_EVENTS)
    streams: list[str] = []
    with event.open(browser, user="ulla") as window:
        page = window.page
        page.on("request", lambda request: streams.append(request.url) if "/live/" in request.url else None)
        for _visit in range(2):
            with page.expect_request("**/live/**"):
                page.goto("/umpire/")
        event.place.run(CALL.format(slug="event-7"))
        expect(page.locator("#call-bar .call")).to_contain_text("Event 7")
    assert len(streams) == 2
