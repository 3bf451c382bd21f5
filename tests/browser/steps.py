"""What is done on some pages before they are looked at, as a person would do it."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page


def send(page: Page, button: str) -> None:
    """Press a button that sends a form, until the next page is there: a look at the last one would break off."""
    with page.expect_navigation():
        page.get_by_role("button", name=button).click()


def sign_in_wrongly(page: Page) -> None:
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill("wrong")
    send(page, "Sign in")


def send_empty_form(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("")
    send(page, "Make the tournament")


def send_messy_list(page: Page) -> None:
    page.get_by_label("File").set_input_files(Path(__file__).parent.parent / "data" / "players-messy.csv")
    send(page, "Look at the list")


ASKED_ABOUT = """Club night;;;
Name;EMA;Country;Team
Mātīss Bērziņš;4000123;LVA;Blue
DUPONT Ada;4000124;FRA;Red
DUPONT Ada;;FRA;Red

* vegetarian;;;
"""
"""Somebody known and changed, names to part, zeros to put back, namesakes, a note."""


def send_list_to_be_asked_about(page: Page) -> None:
    page.get_by_label("Or paste the list").fill(ASKED_ABOUT)
    send(page, "Look at the list")
    page.locator("main summary").first.click()


def send_no_backup(page: Page) -> None:
    page.locator("input[type=file]").set_input_files(
        Path(__file__).parent.parent / "data" / "players-messy.csv"
    )
    send(page, "Look at it")


def name_no_backup(page: Page) -> None:
    page.get_by_label("The backup’s name").fill("yes")
    send(page, "Put everything back")


def send_wrong_passwords(page: Page) -> None:
    send(page, "Change password")


def make_passes(page: Page) -> None:
    page.get_by_role("button", name="Make them").click()
    page.get_by_role("button", name="Print the cards").wait_for()


def start_anew(page: Page) -> None:
    """The desk without the draft that another visit left."""
    here = page.url
    page.goto("/calculator/")  # the desk keeps its draft as it is left
    page.evaluate("localStorage.clear()")
    page.goto(here)


def win_by(depth: str, *then: str) -> Callable[[Page], None]:
    """On the desk: East wins off South, entered by `depth`; then each of these is tapped."""

    def go(page: Page) -> None:
        start_anew(page)
        page.get_by_role("button", name=depth, exact=True).click()
        for wanted in ('.seat:has([aria-label^="East"])', '.seat:has([aria-label^="South"])', *then):
            page.locator(wanted).first.click()

    return go


def accuse(*then: str) -> Callable[[Page], None]:
    """On the desk: what can be a foul; then each of these is tapped."""

    def go(page: Page) -> None:
        start_anew(page)
        page.get_by_role("button", name="Foul", exact=True).click()
        for wanted in then:
            page.locator(wanted).first.click()

    return go


def begin_second_factor(page: Page) -> None:
    send(page, "Turn on")


def settle_hand(page: Page) -> None:
    send(page, "Begin the evening")
    page.locator("[name=winner][value='1']").check(force=True)
    page.locator(".player summary").nth(1).click()
    page.locator("#id_tiles_1").fill("234m 678p 345s CCC 3p +3p self-drawn")
    page.locator("#id_points_3").fill("28")
    send(page, "Settle the hand")
    page.locator("section details summary").first.click()


def look_first(page: Page) -> None:
    send(page, "Look at it first")


def send_edited_list(page: Page) -> None:
    page.locator("[name=pasted]").fill(
        "number,last name,first name,team,club\n1,Renamed,Ada,,\n900,Nowak,Kasia,,\n"
    )
    send(page, "Look at the list")


THEN: dict[str, Callable[[Page], None]] = {
    "backups, a file that is none": send_no_backup,
    "a backup, not named": name_no_backup,
    "second factor, turned on": begin_second_factor,
    "login, wrong password": sign_in_wrongly,
    "event's page, looked at": look_first,
    "classical evening, a hand settled": settle_hand,
    "new tournament, with faults": send_empty_form,
    "change password, with faults": send_wrong_passwords,
    "passes made": make_passes,
    "desk, points": win_by("Points", '.keys [data-digit="1"]', '.keys [data-digit="9"]'),
    "desk, fans": win_by("Fans", '[data-fan="mixed_straight"]', '[data-fan="all_types"]'),
    "desk, tiles": win_by("Tiles", '.pad [data-key="1m"]', '.pad [data-key="1m"]', '.pad [data-key="2m"]'),
    "desk, fouls": accuse(".pick"),
    "desk, sanction": accuse(".pick", '.foul:has-text("Empty call")'),
    "import, with problems": send_messy_list,
    "update, looked at": send_edited_list,
    "import, with questions": send_list_to_be_asked_about,
}
"""What has to be done on some of them first."""
