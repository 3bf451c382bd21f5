""" "This is me": chosen once, stored in the browser alone, and removed."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import PHONE, House
from tests.browser.look import Look, problems_of
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

EVENT = "/t/spring-open/"
LOOKS = [Look(*size, scheme) for size in ((390, 844), (1280, 900)) for scheme in ("light", "dark")]
MAKE = """
from tests.support.factories import make_tournament
make_tournament(sessions=3, played=1, running=1)
"""
RECORD = """
from tests.support.factories import record, win
from tournament.base.models.play import Seat
seat = Seat.objects.get(player__number=5, table__session__number=2)
record(seat.table, win(5, tiles="pure_straight"))
"""


@pytest.fixture(scope="module")
def event(house: House) -> House:
    """Sixteen players in their second session."""
    house.place.run(MAKE)
    return house


def choose_this_is_me(page: Page) -> None:
    """Find number 5 and choose "This is me"."""
    page.goto(EVENT)
    page.get_by_placeholder("Name or number").fill("5")
    page.get_by_role("button", name="Find", exact=True).click()
    page.get_by_role("button", name="This is me").click()


def test_this_is_me_puts_my_seat_first_and_marks_my_lines(event: House, browser: Browser) -> None:
    with event.open(browser, PHONE) as window:
        page = window.page
        choose_this_is_me(page)
        mine = page.get_by_role("region", name="You")
        expect(mine.get_by_role("heading", name="Håkan Dupont")).to_be_visible()
        expect(mine.get_by_text("Now: session 2")).to_be_in_viewport()
        expect(mine.get_by_role("heading", name="What you need")).to_be_visible()
        expect(page.get_by_role("heading", name="Where do I sit?")).to_be_hidden()
        page.reload()
        expect(mine.get_by_role("heading", name="Håkan Dupont")).to_be_visible()
        page.goto(f"{EVENT}players/7/")
        expect(page.get_by_role("button", name="This is me")).to_be_hidden()
        for path in ("ranking/", "sessions/2/", "draw/", "draw/?by=table", "players/"):
            page.goto(EVENT + path)
            line = page.locator(".mine").first
            expect(line).to_contain_text("Håkan Dupont you")
            page.get_by_role("link", name="Jump to me").click()
            expect(line).to_be_in_viewport()
        sheets = [f"{EVENT}sessions/2/{table}/" for table in range(1, 5)]
        opened = [page.goto(sheet) and page.locator("#call").get_attribute("open") for sheet in sheets]
        assert opened.count("") == 1, "a call for an umpire is unfolded at my table"
        page.goto(f"{EVENT}players/7/")  # without a line of mine
        expect(page.locator('[href="#me"]')).to_be_hidden()
        expect(page.locator('[href="#undefined"]')).to_have_count(0)
        assert window.faults == []


def test_the_mark_and_the_card_stay_when_a_hand_is_recorded(event: House, browser: Browser) -> None:
    with event.open(browser) as window:
        page = window.page
        choose_this_is_me(page)
        points = page.get_by_role("region", name="You").locator(".hero p.small")
        before = points.inner_text()
        event.place.run(RECORD)
        expect(points).not_to_have_text(before)
        expect(page.locator(".top .mine .you")).to_have_count(1)
        assert window.faults == []


def test_not_me_removes_the_player(event: House, browser: Browser) -> None:
    with event.open(browser, PHONE) as window:
        page = window.page
        page.goto(f"{EVENT}players/5/")
        page.get_by_role("button", name="This is me").click()
        expect(page.get_by_role("button", name="Not me")).to_be_focused()
        page.goto(EVENT)
        page.get_by_role("button", name="Not me").click()
        expect(page.get_by_role("heading", name="Where do I sit?")).to_be_visible()
        expect(page.locator(".you, .mine")).to_have_count(0)
        assert page.evaluate("localStorage.length") == 0


def test_the_choice_stays_in_this_browser(event: House, browser: Browser) -> None:
    with event.open(browser, PHONE) as mine, event.open(browser, PHONE) as another:
        for window in (mine, another):  # so that both are sent the same form of a page
            window.context.add_cookies([{"name": "visited", "value": "1", "url": event.url}])
        choose_this_is_me(mine.page)
        expect(mine.page.get_by_role("region", name="You")).to_be_visible()
        assert [cookie["name"] for cookie in mine.context.cookies()] == ["visited"]
        sent = [window.context.request.get(EVENT).body() for window in (mine, another)]
        assert sent[0] == sent[1]
        another.page.goto(EVENT)
        expect(another.page.get_by_role("heading", name="Where do I sit?")).to_be_visible()
        expect(another.page.locator(".mine")).to_have_count(0)


def test_without_storage_the_button_is_hidden(event: House, browser: Browser) -> None:
    with event.open(browser, PHONE) as window:
        window.context.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })"
        )
        window.page.goto(f"{EVENT}players/5/")
        expect(window.page.get_by_role("button", name="This is me")).to_be_hidden()
        assert window.faults == []


@pytest.mark.parametrize("look", sample(LOOKS, 1, always=[Look()]), ids=str)
def test_my_pages_have_no_barrier_and_never_scroll_sideways(
    event: House, browser: Browser, look: Look
) -> None:
    with event.open(browser, look.size) as window:
        choose_this_is_me(window.page)
        expect(window.page.get_by_role("region", name="You")).to_be_visible()
        for path in ("", "ranking/", "sessions/2/", "draw/", "draw/?q=5", "players/5/"):
            window.page.goto(EVENT + path)
            expect(window.page.locator(".mine, .you, #mine:not([hidden])").first).to_be_attached()
            assert problems_of(window.page, look, minor=True) == []
