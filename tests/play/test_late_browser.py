"""Somebody is missing at the gong: from the empty seat to the penalty, with the clock in our hands."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SEED = """
from datetime import timedelta
from tests.support.factories import make_tournament, make_umpire
tournament = make_tournament(players=8, sessions=1, running=0)
session = tournament.sessions.get()
session.started_at -= timedelta(minutes=14, seconds=10)
session.save()
for name in ("uma", "una"):
    make_umpire(tournament, name)
"""
TWO_MINUTES_LATER = """
from datetime import timedelta
from tournament.base.models.play import Absence, Session
for row, name in ((Session.objects.get(), "started_at"), (Absence.objects.get(), "since")):
    setattr(row, name, getattr(row, name) - timedelta(minutes=2))
    row.save()
"""


@pytest.fixture
def devices(house: House, browser: Browser) -> Iterator[list[Page]]:
    """Two umpires' phones at table 1, fourteen minutes after the gong."""
    house.place.run(SEED)
    with house.open(browser, PHONE, user="uma") as uma, house.open(browser, PHONE, user="una") as una:
        for window in (uma, una):
            window.page.goto("/umpire/spring-open/1/1/")
        yield [uma.page, una.page]


def test_from_the_empty_seat_to_the_penalty(house: House, devices: list[Page]) -> None:
    mine, theirs = devices
    mine.get_by_role("link", name="Player missing").click()
    mine.locator(".pick").nth(2).click()
    expect(mine.locator(".due")).to_have_text("20 points so far")
    expect(mine.locator(".big-clock")).to_contain_text("14:")
    expect(mine.get_by_role("button", name="Start with a stand-in")).to_have_count(0)

    expect(theirs.locator(".banner.gold")).to_contain_text("20 points so far")

    house.place.run(TWO_MINUTES_LATER)
    mine.reload()
    expect(mine.locator(".big-clock")).to_contain_text("16:")
    expect(mine.locator(".due")).to_have_text("40 points so far")
    mine.get_by_label("Who is the stand-in?").fill("Kim")
    mine.get_by_role("button", name="Start with a stand-in").click()
    expect(theirs.locator(".seat .stand-in")).to_have_text("stand-in: Kim")

    mine.locator(".savebar .primary").click()
    expect(mine.locator(".sanction")).to_contain_text("17 minutes late")
    expect(theirs.locator(".banner.gold")).to_contain_text("The penalty has not been given yet")
    mine.locator(".savebar .primary:enabled").click()
    expect(mine.locator(".lines")).to_contain_text("Penalties paid to nobody: 40")
    expect(theirs.locator(".banner.gold")).to_have_count(0)
    expect(theirs.locator(".seat .score").filter(has_text="−40")).to_have_count(1)


EARLY = """
from datetime import timedelta
from tests.support.factories import make_tournament, make_umpire
tournament = make_tournament(players=8, sessions=1, running=0, name="Early")
session = tournament.sessions.get()
session.started_at -= timedelta(minutes=6)
session.save()
make_umpire(tournament, "ulla")
"""


@pytest.fixture
def early(house: House, browser: Browser) -> Iterator[Page]:
    """An umpire's phone at table 1, six minutes after the gong."""
    house.place.run(EARLY)
    with house.open(browser, PHONE, user="ulla") as window:
        window.page.goto("/umpire/early/1/1/")
        yield window.page


def test_before_their_time_the_others_begin_when_the_umpire_says_why(early: Page) -> None:
    early.get_by_role("link", name="Player missing").click()
    early.locator(".pick").nth(2).click()
    expect(early.locator(".due")).to_have_text("10 points so far")
    early.get_by_role("link", name="Back").click()
    early.locator(".seat").first.click()
    expect(early.get_by_role("alert")).to_contain_text("the others wait until minute 15")

    early.get_by_role("link", name="Show").click()
    expect(early.get_by_role("button", name="Start without")).to_be_disabled()
    early.get_by_label("Why do they start?").fill("The other three agree")
    early.get_by_role("button", name="Start without").click()
    expect(early.locator(".banner.gold")).to_contain_text("The other three agree")
    early.get_by_role("link", name="Back").click()

    early.locator(".seat", has_text="empty seat").click()
    expect(early.get_by_role("alert")).to_contain_text("it cannot win, discard or claim")
    present = early.locator(".seat").filter(has_not_text="empty seat")
    present.nth(0).click()
    early.locator(".seat", has_text="empty seat").click()
    expect(early.get_by_role("alert")).to_contain_text("it cannot win, discard or claim")
    expect(early.locator(".seat.discarder")).to_have_count(0)

    early.get_by_role("button", name="Start over").click()
    early.get_by_role("link", name="Show").click()
    early.get_by_role("button", name="does not come").click()
    expect(early.locator(".sanction")).to_contain_text("120 minutes late")
    early.locator(".savebar .primary:enabled").click()
    expect(early.locator(".banner.gold")).to_contain_text("The penalty for the whole session is given")


OVER = """
from datetime import timedelta
from tests.support.factories import make_tournament, make_umpire
tournament = make_tournament(players=4, sessions=1, running=0, name="Over")
session = tournament.sessions.get()
session.started_at -= timedelta(minutes=121)
session.save()
make_umpire(tournament, "ugo")
"""


def test_after_the_gong_a_hand_is_saved_only_if_somebody_says_that_it_was_finished(
    house: House, browser: Browser
) -> None:
    house.place.run(OVER)
    with house.open(browser, PHONE, user="ugo") as window:
        page = window.page
        page.goto("/umpire/over/1/1/")
        page.get_by_role("button", name="Wash-out").click()
        page.locator(".savebar .primary").click()
        expect(page.get_by_role("heading", name="Was this hand finished before the gong?")).to_be_visible()
        expect(page.locator(".savebar")).to_have_count(0)
        page.get_by_role("button", name="Yes, save it").click()
        expect(page.locator(".pill.ok")).to_have_text("Hand 1 saved")
        expect(page.get_by_text("after time")).to_have_count(0)

        page.get_by_role("button", name="Wash-out").click()
        page.locator(".savebar .primary").click()
        page.get_by_role("button", name="No, it does not count").click()
        expect(page.locator(".question")).to_contain_text("Who won hand 2?")
        expect(page.locator(".savebar .primary")).to_have_text("Sign and hand in")
        expect(page.get_by_text("does not count, and is not saved")).to_be_in_viewport(ratio=1)
