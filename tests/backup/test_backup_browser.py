"""An evening moves to another machine in the middle of a session, by a backup that is carried over and put back."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import PHONE, House
from tests.support.processes import make_place

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

EVENING = """
from django.contrib.auth.models import User
from tests.support.factories import make_organiser, make_tournament, make_umpire
played = make_tournament(played=1, running=(4, 6, 7, 4))
make_organiser(played, "olga")
make_umpire(played, "uma")
User.objects.filter(username="olga").update(is_superuser=True, is_staff=True)
"""
PASSWORD = "pung-chow-kong"
CHECK = """
from django.core.management import call_command
call_command("check")
"""
STANDINGS = """
from tournament.base.engine.notices import Audience
from tournament.base.models.tournament import Tournament
from tournament.ranking.selectors.standings import current_standings, publication_rows
print(publication_rows(current_standings(Tournament.objects.get(), Audience.STAFF)))
"""
ANOTHER_HAND = """
from tests.support.factories import play_hands
from tournament.base.models.play import Table
play_hands(Table.objects.get(session__number=2, number=1), 1)
"""
SLUG = "from tournament.base.models.tournament import Tournament; print(Tournament.objects.get().slug)"


@pytest.fixture
def new_machine(migrated: Path, collected: Path) -> Iterator[House]:
    with (
        make_place(migrated, STATIC_ROOT=str(collected)) as place,
        place.web("manage.py", "serve", "--no-demo", "--port", "{port}") as site,
    ):
        yield House(place, site.url)


def test_an_evening_goes_on_on_another_machine(
    house: House, new_machine: House, browser: Browser, tmp_path: Path
) -> None:
    house.place.run(EVENING)
    slug = house.place.run(SLUG).strip()
    with house.open(browser) as organiser:
        sign_in(organiser.page, "olga")
        file = make_and_download(organiser.page, tmp_path)
        assert organiser.faults == []
    with new_machine.open(browser) as organiser, new_machine.open(browser, PHONE) as umpire:
        bring_to_an_empty_installation(organiser.page, new_machine.setup_code, file)
        assert new_machine.place.run(STANDINGS) == house.place.run(STANDINGS)
        output = house.place.run(CHECK)
        assert "every log is whole" in output
        assert new_machine.place.run(CHECK) == output
        sign_in(organiser.page, "olga")
        sign_in(umpire.page, "uma")
        record_a_wash_out(umpire.page, slug, table=2, hand=7)
        assert organiser.faults + umpire.faults == []
    assert new_machine.place.run(CHECK) == output


def test_a_mistake_is_taken_back_while_others_watch(house: House, browser: Browser) -> None:
    slug = house.place.run(SLUG).strip()
    with house.open(browser) as organiser, house.open(browser) as hall:
        desk, page = organiser.page, hall.page
        sign_in(desk, "olga")
        page.goto(f"/t/{slug}/sessions/2/1/")
        expect(page.locator("main")).to_contain_text("Hand 5")
        house.place.run(ANOTHER_HAND)
        expect(page.locator("main")).to_contain_text("Hand 6")
        desk.goto("/organiser/backups/")
        desk.get_by_role("link", name=re.compile("Restore …")).first.click()
        expect(desk.locator("main")).to_contain_text("Log entries lost: 1")
        name = desk.locator("form.card b").inner_text()
        desk.get_by_label("The backup’s name").fill(name)
        desk.get_by_role("button", name="Restore everything").click()
        expect(desk.locator("#backup-status")).to_contain_text("Everything has been restored")
        expect(desk.locator("tbody tr").first).to_contain_text("before a restore")
        expect(page.locator("main")).to_contain_text("Hand 5")
        expect(page.locator("main")).not_to_contain_text("Hand 6")
        assert organiser.faults + hall.faults == []


def sign_in(page: Page, name: str) -> None:
    page.goto("/login/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile("/(organiser|umpire)/"))


def make_and_download(page: Page, folder: Path) -> Path:
    page.goto("/organiser/")
    page.get_by_role("link", name="Backups").click()
    page.get_by_role("button", name="Back up now").click()
    row = page.locator("tbody tr", has_text="on request")
    expect(row).to_contain_text("hands")
    with page.expect_download() as download:
        row.get_by_role("link", name="Download").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def bring_to_an_empty_installation(page: Page, code: str, file: Path) -> None:
    page.goto("/")
    page.get_by_role("link", name="Restore a backup instead").click()
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Backup").set_input_files(file)
    page.get_by_role("button", name="Restore").click()
    expect(page.locator(".messages")).to_contain_text("Everything has been restored.")


def record_a_wash_out(page: Page, slug: str, *, table: int, hand: int) -> None:
    page.goto(f"/umpire/{slug}/2/{table}/")
    page.get_by_role("button", name="Wash-out", exact=True).click()
    page.get_by_role("button", name=f"Save hand {hand} · wash-out", exact=True).click()
    expect(page.get_by_text(f"Hand {hand} saved")).to_be_visible()
