"""Steps on some pages before they are checked."""

from collections.abc import Callable, Mapping

from playwright.sync_api import Page

from tests.support.data import DATA

Step = Callable[[Page], None]


def send(page: Page, button: str) -> None:
    """Press a button that sends a form, and wait for the next page."""
    with page.expect_navigation():
        page.get_by_role("button", name=button).click()


def form(button: str, fields: Mapping[str, str] | None = None, *, file: str = "") -> Step:
    """Return a step that fills fields by their names and sends the form, with a file of tests/data if given."""

    def go(page: Page) -> None:
        for name, value in (fields or {}).items():
            page.locator(f"main [name={name}]").fill(value)
        if file:
            page.locator("input[type=file]").first.set_input_files(DATA / file)
        send(page, button)

    return go


AMBIGUOUS_LIST = """Club night;;;
Name;EMA;Country;Team
Mātīss Bērziņš;4000123;LVA;Blue
DUPONT Ada;4000124;FRA;Red
DUPONT Ada;;FRA;Red

* vegetarian;;;
"""
"""A changed player, names to split, EMA numbers without leading zeros, namesakes, a note."""


def send_ambiguous_list(page: Page) -> None:
    form("Preview the list", {"pasted": AMBIGUOUS_LIST})(page)
    page.locator("main summary").first.click()


def make_passes(page: Page) -> None:
    page.get_by_role("button", name="Create").click()
    page.get_by_role("button", name="Print the cards").wait_for()


def clear_draft(page: Page) -> None:
    """Reload the desk without the draft of another visit."""
    url = page.url
    page.goto("/calculator/")  # The desk saves its draft when it is left.
    page.evaluate("localStorage.clear()")
    page.goto(url)


EAST_OFF_SOUTH = ('.seat:has([aria-label^="East"])', '.seat:has([aria-label^="South"])')


def desk_steps(button: str, *selectors: str) -> Step:
    """Return a step that presses a button of the desk and then clicks each of the selectors."""

    def go(page: Page) -> None:
        clear_draft(page)
        page.get_by_role("button", name=button, exact=True).click()
        for selector in selectors:
            page.locator(selector).first.click()

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
STEPS_OF: dict[str, Step] = {
    "backups, a file that is none": form("Show contents", file="players-messy.csv"),
    "a backup, not named": form("Restore everything", {"name": "yes"}),
    "second factor, turned on": form("Turn on"),
    "login, wrong password": form("Sign in", {"username": "olga", "password": "wrong"}),
    "classical evening, a hand settled": settle_hand,
    "new tournament, with faults": form("Create event", {"name": ""}),
    "change password, with faults": form("Change password"),
    "passes made": make_passes,
    "desk, points": desk_steps("Points", *EAST_OFF_SOUTH, '.keys [data-digit="1"]', '.keys [data-digit="9"]'),
    "desk, fans": desk_steps(
        "Fans", *EAST_OFF_SOUTH, '[data-fan="mixed_straight"]', '[data-fan="all_types"]'
    ),
    "desk, tiles": desk_steps(
        "Tiles", *EAST_OFF_SOUTH, '.pad [data-key="1m"]', '.pad [data-key="1m"]', '.pad [data-key="2m"]'
    ),
    "desk, disputed hand": desk_steps("Points", *EAST_OFF_SOUTH, '[data-do="disputed"]'),
    "desk, fouls": desk_steps("Foul", ".pick"),
    "desk, sanction": desk_steps("Foul", ".pick", '.foul:has-text("Empty call")'),
    "import, with problems": form("Preview the list", file="players-messy.csv"),
    "import, the event’s own list": form("Preview the list", {"pasted": EDITED}),
    "import, with questions": send_ambiguous_list,
}
"""Steps by kind of page (`PAGES`)."""
