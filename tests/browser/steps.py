"""What is done on some pages before they are looked at, as a person would do it."""

from collections.abc import Callable, Mapping

from playwright.sync_api import Page

from tests.support.data import DATA

Step = Callable[[Page], None]


def send(page: Page, button: str) -> None:
    """Press a button that sends a form, until the next page is there: a look at the last one would break off."""
    with page.expect_navigation():
        page.get_by_role("button", name=button).click()


def form(button: str, fields: Mapping[str, str] | None = None, *, file: str = "") -> Step:
    """Fill the fields, by their names; send the form, with a file of tests/data where one is named."""

    def go(page: Page) -> None:
        for name, value in (fields or {}).items():
            page.locator(f"main [name={name}]").fill(value)
        if file:
            page.locator("input[type=file]").first.set_input_files(DATA / file)
        send(page, button)

    return go


ASKED_ABOUT = """Club night;;;
Name;EMA;Country;Team
Mātīss Bērziņš;4000123;LVA;Blue
DUPONT Ada;4000124;FRA;Red
DUPONT Ada;;FRA;Red

* vegetarian;;;
"""
"""Somebody known and changed, names to part, zeros to put back, namesakes, a note."""


def send_list_to_be_asked_about(page: Page) -> None:
    form("Preview the list", {"pasted": ASKED_ABOUT})(page)
    page.locator("main summary").first.click()


def make_passes(page: Page) -> None:
    page.get_by_role("button", name="Create").click()
    page.get_by_role("button", name="Print the cards").wait_for()


def start_anew(page: Page) -> None:
    """The desk without the draft that another visit left."""
    here = page.url
    page.goto("/calculator/")  # the desk keeps its draft as it is left
    page.evaluate("localStorage.clear()")
    page.goto(here)


EAST_OFF_SOUTH = ('.seat:has([aria-label^="East"])', '.seat:has([aria-label^="South"])')


def on_desk(button: str, *then: str) -> Step:
    """On the desk: press the button, and tap each of these."""

    def go(page: Page) -> None:
        start_anew(page)
        page.get_by_role("button", name=button, exact=True).click()
        for wanted in then:
            page.locator(wanted).first.click()

    return go


def settle_hand(page: Page) -> None:
    send(page, "Start the evening")
    page.locator("[name=winner][value='1']").check(force=True)
    page.locator(".player summary").nth(1).click()
    page.locator("#id_tiles_1").fill("234m 678p 345s CCC 3p +3p self-drawn")
    page.locator("#id_points_3").fill("28")
    send(page, "Settle the hand")
    page.locator("section details summary").first.click()


EDITED = "number,last name,first name,team,club\n1,Renamed,Ada,,\n900,Nowak,Kasia,,\n"
THEN: dict[str, Step] = {
    "backups, a file that is none": form("Show contents", file="players-messy.csv"),
    "a backup, not named": form("Restore everything", {"name": "yes"}),
    "second factor, turned on": form("Turn on"),
    "login, wrong password": form("Sign in", {"username": "olga", "password": "wrong"}),
    "event's page, looked at": form("Preview"),
    "classical evening, a hand settled": settle_hand,
    "new tournament, with faults": form("Create tournament", {"name": ""}),
    "change password, with faults": form("Change password"),
    "passes made": make_passes,
    "desk, points": on_desk("Points", *EAST_OFF_SOUTH, '.keys [data-digit="1"]', '.keys [data-digit="9"]'),
    "desk, fans": on_desk("Fans", *EAST_OFF_SOUTH, '[data-fan="mixed_straight"]', '[data-fan="all_types"]'),
    "desk, tiles": on_desk(
        "Tiles", *EAST_OFF_SOUTH, '.pad [data-key="1m"]', '.pad [data-key="1m"]', '.pad [data-key="2m"]'
    ),
    "desk, fouls": on_desk("Foul", ".pick"),
    "desk, sanction": on_desk("Foul", ".pick", '.foul:has-text("Empty call")'),
    "import, with problems": form("Preview the list", file="players-messy.csv"),
    "update, looked at": form("Preview the list", {"pasted": EDITED}),
    "import, with questions": send_list_to_be_asked_about,
}
"""What has to be done on some of them first."""
