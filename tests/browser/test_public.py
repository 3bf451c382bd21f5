"""The public pages in a browser: live updates that do not disturb the reader, and layout."""

import json
import re
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fixtures import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

EVENT = "/t/spring-open/"
MAKE = """
from tests.support.factories import make_tournament, make_user
make_user("olga", staff=True)
make_tournament(sessions=3, played=1, running=1)
"""
NEXT_HAND = """
from tests.support.factories import record, win
from tournament.base.models.play import Table
table = Table.objects.get(session__number=2, number={table})
record(table, win(table.seats.get(wind="{winner}").player.number, tiles="pure_straight"))
"""


PLAYERS_TABLE = """
from tournament.base.models.play import Table
print(Table.objects.get(session__number=2, seats__player__number=1).number)
"""
STATE = """
import json
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.base.engine.notices import Audience
from tournament.ranking.selectors.ranking import ranking
tables = Table.objects.filter(session__number=2)
rows = ranking(Tournament.objects.get(), Audience.PUBLIC).rows
print(json.dumps({
    "points": Seat.objects.get(player__number=1, table__session__number=2).game_points,
    "hands": tables.get(seats__player__number=1).hands_played,
    "order": [f"p{row.player.number}" for row in rows],
}))
"""


@pytest.fixture(scope="module")
def event(house: House) -> House:
    """A tournament in its second session, with a hand recorded at each of four tables."""
    house.place.run(MAKE)
    return house


def record_hand(house: House, table: int, winner: str = "W") -> None:
    house.place.run(NEXT_HAND.format(table=table, winner=winner))


def order(page: Page) -> list[str]:
    ids: list[str] = page.locator(".ranking tbody tr").evaluate_all("rows => rows.map(row => row.id)")
    return ids


def test_the_first_player_of_the_ranking_is_in_the_upper_third_of_a_phone(
    event: House, browser: Browser
) -> None:
    with event.open(browser, PHONE) as window:
        for locale in ("en", "zh-hans", "zh-hant"):
            language = {"name": "django_language", "value": locale, "url": event.url}
            window.context.add_cookies([language])  # type: ignore[list-item]
            window.page.goto(f"{EVENT}ranking/")
            first = window.page.locator(".ranking tbody tr").first.bounding_box()
            assert first
            assert first["y"] < 0.35 * PHONE["height"], locale


def test_the_ranking_is_updated_without_moving_the_focus_or_the_page(event: House, browser: Browser) -> None:
    with event.open(browser, PHONE) as window:
        page = window.page
        page.goto(f"{EVENT}ranking/")
        last = order(page)[-1]
        page.evaluate("window.scrollTo(0, 400)")
        page.locator(f"#{last} a").evaluate(
            "link => { link.focus({preventScroll: true}); window.kept = link }"
        )
        before, scrolled = order(page), page.evaluate("scrollY")

        record_hand(event, 1)

        expect(page.locator("tr.fresh")).to_have_count(4)
        expect(page.get_by_text("Table 1, hand 2, a moment ago")).to_be_visible()
        assert sorted(order(page)) == sorted(before)
        assert page.evaluate("document.activeElement === window.kept"), "the focus was lost"
        assert page.evaluate("scrollY") == scrolled, "the page jumped"
        expect(page.locator("tr.fresh")).to_have_count(0)
        assert window.faults == []


def test_after_many_hands_at_once_the_ranking_shows_the_last_one(event: House, browser: Browser) -> None:
    with event.open(browser) as window:
        page = window.page
        page.goto(f"{EVENT}ranking/")
        for _ in range(3):
            record_hand(event, 2, "N")
        expect(page.get_by_text("Table 2, hand 4, a moment ago")).to_be_visible()
        page.wait_for_timeout(1_500)  # Until pending updates have arrived.
        shown = page.locator(".ranking tbody").inner_text()
        page.reload()
        assert page.locator(".ranking tbody").inner_text() == shown


def test_nothing_moves_when_a_time_becomes_a_relative_time(event: House, browser: Browser) -> None:
    with event.open(browser) as window:
        window.page.goto(f"{EVENT}ranking/")
        for width in (320, 360, 390):
            window.page.set_viewport_size({"width": width, "height": 844})
            tops = [
                window.page.locator("time[data-ago]").evaluate(
                    """(time, text) => {
                        time.textContent = text;
                        return document.querySelector(".ranking").getBoundingClientRect().top;
                    }""",
                    text,
                )
                for text in ("12:06", "a moment ago", "59 minutes ago")
            ]
            assert len(set(tops)) == 1, width


def test_navigation_that_overflows_fades_at_that_edge(event: House, browser: Browser) -> None:
    with event.open(browser, {"width": 320, "height": 640}) as window:
        links = window.page.locator(".bar .nav")
        window.page.goto(EVENT)
        expect(links).to_have_attribute("data-more", "end")
        window.page.goto(f"{EVENT}players/")
        expect(links).to_have_attribute("data-more", re.compile("start"))
        expect(links.get_by_role("link", name="Players")).to_be_in_viewport(ratio=1)
    with event.open(browser) as window:
        window.page.goto(EVENT)
        expect(window.page.locator(".bar .nav")).to_have_attribute("data-more", "")


def test_the_sheet_of_a_table_is_not_fetched_again_when_another_table_plays(
    event: House, browser: Browser
) -> None:
    with event.open(browser) as window:
        page = window.page
        page.goto(f"{EVENT}sessions/2/3/")
        urls: list[str] = []
        page.on("request", lambda request: urls.append(request.url))
        page.evaluate(
            "() => { window.told = new Promise((tell) => document.body.addEventListener('live', () => tell(true))) }"
        )
        record_hand(event, 4)
        assert page.evaluate("window.told")
        page.wait_for_timeout(1_500)  # Longer than a page waits before it fetches.
        assert [url for url in urls if EVENT in url and "/live/" not in url] == []


SHOWS_ORDER = (
    "ids => [...document.querySelectorAll('.ranking tbody tr')].map((row) => row.id).join() === ids.join()"
)


def test_three_phones_follow_twenty_hands_through_a_lost_network_and_sleep(
    event: House, browser: Browser
) -> None:
    """A player's page, a table and the ranking show each hand, wherever it was played, and do not scroll."""
    table = int(event.place.run(PLAYERS_TABLE))
    with ExitStack() as stack:
        pages = {}
        for part in ("players/1/", f"sessions/2/{table}/", "ranking/"):
            pages[part] = stack.enter_context(event.open(browser, PHONE)).page
            pages[part].goto(EVENT + part)
            pages[part].evaluate("window.scrollTo(0, 200)")
        player, sheet, ranking = pages.values()
        sleep = player.context.new_cdp_session(player)
        for hand in range(20):
            player.context.set_offline(hand in (4, 5))
            ranking.context.set_offline(hand in (6, 7))
            sleep.send("Page.setWebLifecycleState", {"state": "frozen" if hand in (9, 10, 11) else "active"})
            record_hand(event, table if hand % 3 else table % 4 + 1, "ESWN"[hand % 4])
            now = json.loads(event.place.run(STATE))
            expect(sheet.locator(f"#h{now['hands']}")).to_be_attached()
            if hand == 5:
                expect(player.locator("#offline")).to_be_visible()
            if hand not in (4, 5, 9, 10, 11):
                expect(player.locator("#r2")).to_have_attribute("data-figures", str(now["points"]))
                expect(player.locator("#offline")).to_be_hidden()
            if hand not in (6, 7):
                ranking.wait_for_function(SHOWS_ORDER, arg=now["order"])
        assert [page.evaluate("window.scrollY") for page in pages.values()] == [200, 200, 200]
        rank = now["order"].index("p1") + 1
        expect(player.locator("#rank-1 .place")).to_have_text(re.compile(rf"\D{rank}\D"))


def test_a_player_without_a_rank_is_shown_none_of_the_ranks(event: House, browser: Browser) -> None:
    """The response has everybody's rank; that of a substitute, or of somebody who never played, is missing."""
    with event.open(browser, PHONE) as window:
        page = window.page
        page.goto(f"{EVENT}players/2/")
        expect(page.locator("#rank-2 .place")).to_be_attached()
        page.locator("#rank-2").evaluate("place => { place.dataset.refreshId = 'rank-99' }")
        with page.expect_response("**/ranking/ranks/"):
            record_hand(event, 3)
        expect(page.locator("#rank-2 .place")).to_have_count(0)
