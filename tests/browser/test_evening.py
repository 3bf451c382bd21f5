"""A whole evening in three browsers: an organiser at a computer, an umpire with a phone, a player with the ranking.

The other tables are played through the services.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pypdf import PdfReader

from tests.browser.fixtures import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

DATA = Path(__file__).parent.parent / "data"
EVENT = "spring-open"
PASSWORD = "four-winds-blow"

SEVEN_PAIRS = "4m 4m 6m 6m 2p 2p 8p 8p 3s 3s 5s 5s 9s 9s"
"""Self-drawn 26 points: seven pairs 24, self-drawn 1, no honours 1."""
OTHER_TABLES = """
from tests.support.factories import SYSTEM, play_hands
from tournament.base.models.play import Table
from tournament.play.services.tables import hand_in
for table in Table.objects.filter(session__number=1).exclude(number=1):
    play_hands(table, 4)
    hand_in(table, SYSTEM)
"""


def test_an_evening_from_registration_to_the_printed_standings(house: House, browser: Browser) -> None:
    with (
        house.open(browser) as organiser,
        house.open(browser, PHONE, has_touch=True, is_mobile=True) as umpire,
        house.open(browser) as player,
    ):
        desk, phone, hall = organiser.page, umpire.page, player.page

        make_the_first_account(desk, house.setup_code)
        create_the_tournament(desk)
        send_list(desk, "players.csv")
        press(desk, "Add 16 players")
        expect(desk.locator("tbody tr")).to_have_count(16)
        draw_the_seats(desk)
        seats = sees_who_sits_where(desk)
        password = name_an_umpire(desk)
        start_session(desk)

        east, south, *_ = seats[0]
        sign_in(phone, "uma", password)
        phone.locator("a.tcard[href$='/1/1/']").tap()
        hall.goto(f"/t/{EVENT}/ranking/")
        hall.evaluate("window.hereBefore = true")

        record_self_drawn(phone, 1, east)
        expect(hall.locator("table.ranking tbody tr").filter(has_text=east).locator("td").last).to_have_text(
            "102"
        )
        assert hall.evaluate("window.hereBefore"), "the ranking was reloaded"
        scores_sum_to_zero(phone)

        sees_results_and_next_seat(hall, south)
        hand_in(phone, 1)

        house.place.run(OTHER_TABLES)
        confirm(desk, "Close session 1")  # The board was updated without a reload.
        publish_standings(desk)
        pages = PdfReader(download_standings(desk)).pages
        printed = " ".join(word for page in pages for word in page.extract_text().split())

        assert [name for table in seats for name in table if name not in printed] == []
        for window in (organiser, umpire, player):
            assert window.faults == []


# --- The organiser ------------------------------------------------------------------------------------------
def make_the_first_account(page: Page, code: str) -> None:
    page.goto("/")
    page.get_by_label("Code").fill(code)
    page.get_by_label("User name").fill("olga")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    press(page, "Create my account")


def create_the_tournament(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("Spring Open")
    page.get_by_label("Venue").fill("Salle des fêtes")
    page.get_by_label("Sessions", exact=True).fill("2")
    press_impatiently(page, "Create event")
    expect(page, "one tournament is made, however often the button is pressed").to_have_url(
        re.compile(f"/organiser/{EVENT}/$")
    )


def send_list(page: Page, name: str) -> None:
    page.goto(f"/organiser/{EVENT}/import/")
    page.get_by_label("File").set_input_files(DATA / name)
    press(page, "Preview the list")


def draw_the_seats(page: Page) -> None:
    page.goto(f"/organiser/{EVENT}/draw/")
    press(page, "Preview the draw")
    press(page, "Use this draw")
    expect(page.get_by_text("No two players meet twice")).to_be_visible()


def sees_who_sits_where(page: Page) -> list[list[str]]:
    """Return the names at each table of session 1, East first."""
    rows = page.get_by_role("region", name="Session 1").locator("tbody tr")
    expect(rows).to_have_count(4)
    seats = [
        [re.sub(r"\s+\d+$", "", cell.inner_text()) for cell in row.locator("td").all()] for row in rows.all()
    ]
    assert len({name for table in seats for name in table}) == 16
    return seats


def name_an_umpire(page: Page) -> str:
    """Create an umpire called uma for all tables; return the password."""
    page.goto(f"/organiser/{EVENT}/staff/invite/")
    page.get_by_role("radio", name=re.compile("^Umpire")).check()
    page.locator("summary", has_text=re.compile("^More$")).click()
    page.get_by_role("radio", name="Create an account for them now").check()
    page.get_by_label("User name").fill("uma")
    press(page, "Invite")
    return page.locator("dt:text-is('Password') + dd").inner_text()


def start_session(page: Page) -> None:
    page.goto(f"/organiser/{EVENT}/")
    confirm(page, "Start session 1")
    expect(page.get_by_text("Session 1 has started.")).to_be_visible()


def publish_standings(page: Page) -> None:
    page.get_by_role("link", name="Publish standings after session 1", exact=True).first.click()
    expect(page.locator("main")).to_contain_text("Published standings stay on record")
    press(page, "Publish standings after session 1")
    expect(page.get_by_text("Published after session 1")).to_be_visible()


def download_standings(page: Page) -> Path:
    """Create the standings as a PDF, wait for the worker, download it."""
    page.goto(f"/organiser/{EVENT}/documents/")
    page.locator("summary", has_text="Results").click()
    page.get_by_role("button", name="Standings to print").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download PDF").click()
    return Path(downloading.value.path())


# --- The umpire ---------------------------------------------------------------------------------------------
def sign_in(page: Page, name: str, password: str) -> None:
    page.goto("/umpire/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    press(page, "Sign in")


def record_self_drawn(page: Page, hand: int, winner: str) -> None:
    seat(page, winner).tap()
    tap(page, "Self-drawn")
    for tile in SEVEN_PAIRS.split():
        page.locator(f".keyboard button[data-key='{tile}']").tap()
    expect(page.locator(".receipt li")).to_contain_text(["Seven Pairs", "Self-Drawn", "No Honors", "26"])
    expect(page.locator(".pays li").filter(has_text=winner)).to_contain_text("+102")
    tap(page, f"Save hand {hand} · 26 points")
    expect(page.get_by_text(f"Hand {hand} saved")).to_be_visible()
    expect(page.get_by_text(f"Who won hand {hand + 1}?")).to_be_visible()


def hand_in(page: Page, table: int) -> None:
    page.get_by_role("link", name="Score sheet").tap()
    page.get_by_role("link", name="Hand in after 1 hand").tap()
    tap(page, f"Hand in table {table}")
    tap(page, "Hand in without all signatures")
    expect(page.get_by_text(f"Table {table} has been handed in")).to_be_visible()


def seat(page: Page, name: str) -> Locator:
    return page.locator("button.seat").filter(has_text=name)


def scores_sum_to_zero(page: Page) -> None:
    expect(page.get_by_text("The four scores add up to 0.")).to_be_visible()
    assert sum(_figure(score) for score in page.locator(".seat .score").all()) == 0


# --- A player -----------------------------------------------------------------------------------------------
def sees_results_and_next_seat(page: Page, name: str) -> None:
    page.locator("table.ranking").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.get_by_text("Session 1, table 1")).to_be_visible()
    expect(page.get_by_text("Next: session 2")).to_be_visible()


# --- Any page -----------------------------------------------------------------------------------------------
def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def confirm(page: Page, name: str) -> None:
    """Press the bar's button, and the same one on the page that asks."""
    page.get_by_role("link", name=name, exact=True).click()
    press(page, name)


def press_impatiently(page: Page, name: str) -> None:
    """Press a button three times before the first response arrives."""
    button = page.get_by_role("button", name=name, exact=True)
    button.evaluate("button => [0, 120, 240].forEach((ms) => setTimeout(() => button.click(), ms))")


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).tap()


def _figure(cell: Locator) -> int:
    return int(cell.inner_text().replace("\N{MINUS SIGN}", "-"))
