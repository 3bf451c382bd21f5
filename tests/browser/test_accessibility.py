"""Every kind of page, for every reader: assistive technology, a thumb, a narrow phone, a dark room, a strict browser.

The umpire's desk is looked at closer, screen by screen, in test_desk.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONE, House, Window

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

EVENING = """
from tests.factories import evening, make_organiser, make_umpire
from tournament.exchange.transcript import Stop
played = evening(Stop(2, (4, 6, 7, 4)))
make_organiser(played, "olga")
make_umpire(played, "uma")
"""
"""The evening up to the middle of its second session."""
OTHERS = """
import json
from uuid import uuid4
from django.contrib.auth.models import User
from django.test import Client
from tests.factories import SYSTEM, make_tournament
from tournament.models import Ceremony, Membership, Role, Tournament
from tournament.services.announcements import Message, announce
from tournament.engine.timetable import TimetableWish
from tournament.services.ceremonies import start_ceremony, tell_next
from tournament.services.documents import request_document
from tournament.services.timetable import set_timetable
from tournament.selectors.timetable_lines import filled

def key_of(name):
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client.cookies["sessionid"].value

played, olga = Tournament.objects.get(), User.objects.get(username="olga")
for other in (
    make_tournament(name="Nobody yet", players=0),
    make_tournament(name="Not drawn", players=16, drawn=False),
    make_tournament(name="Before the gong", players=8),
    make_tournament(name="Closed", players=8, sessions=1, played=1),
):
    Membership.objects.create(tournament=other, user=olga, role=Role.ORGANISER)
tell_next(start_ceremony(other, SYSTEM, Ceremony.Kind.PLAYERS, 3), SYSTEM, seen=0)
set_timetable(played, SYSTEM, filled(played, TimetableWish(), lunch="Lunch"))
request_document(played, SYSTEM, kind="standings", language="en")
announce(played, SYSTEM, Message("Lunch at 12:30"), uuid=uuid4())
umpire = Membership.objects.get(tournament=played, role=Role.UMPIRE)
print(json.dumps({"olga": key_of("olga"), "uma": key_of("uma"), "slug": played.slug, "umpire": umpire.pk}))
"""
"""Tournaments in the states before and after that; prints the sessions of the people."""

ANYBODY, UMPIRE, ORGANISER = "", "uma", "olga"
FIRST_VISIT = "first visit"
"""The one page that is gone once there is an account."""

PAGES = {
    # public
    FIRST_VISIT: (ANYBODY, "/organiser/setup/"),
    "home": (ANYBODY, "/"),
    "login": (ANYBODY, "/login/"),
    "login, wrong password": (ANYBODY, "/login/"),
    "foul book": (ANYBODY, "/fouls/"),
    "calculator": (ANYBODY, "/calculator/"),
    "tournament": (ANYBODY, "/t/{slug}/"),
    "tournament, nobody entered": (ANYBODY, "/t/nobody-yet/"),
    "tournament, closed": (ANYBODY, "/t/closed/"),
    "ranking": (ANYBODY, "/t/{slug}/ranking/"),
    "ranking, before the first hand": (ANYBODY, "/t/before-the-gong/ranking/"),
    "session": (ANYBODY, "/t/{slug}/sessions/2/"),
    "session, planned": (ANYBODY, "/t/{slug}/sessions/3/"),
    "table sheet": (ANYBODY, "/t/{slug}/sessions/2/2/"),
    "draw": (ANYBODY, "/t/{slug}/draw/"),
    "draw certificate": (ANYBODY, "/t/{slug}/draw/certificate/"),
    "draw, not drawn": (ANYBODY, "/t/not-drawn/draw/"),
    "statistics": (ANYBODY, "/t/{slug}/statistics/"),
    "statistics, before the first hand": (ANYBODY, "/t/before-the-gong/statistics/"),
    "documents for everybody": (ANYBODY, "/t/{slug}/documents/"),
    "players": (ANYBODY, "/t/{slug}/players/"),
    "penalties": (ANYBODY, "/t/{slug}/penalties/"),
    "foul book of a tournament": (ANYBODY, "/t/{slug}/fouls/"),
    "screens": (ANYBODY, "/t/{slug}/screens/"),
    "a screen": (ANYBODY, "/t/{slug}/screens/main/"),
    "ceremony": (ANYBODY, "/t/closed/ceremony/"),
    "ceremony in the hall": (ANYBODY, "/t/closed/ceremony/hall/"),
    "player": (ANYBODY, "/t/{slug}/players/1/"),
    # umpire
    "umpire's tournaments": (UMPIRE, "/umpire/"),
    "umpire's tables": (UMPIRE, "/umpire/{slug}/"),
    "desk": (UMPIRE, "/umpire/{slug}/2/1/"),
    "desk, session closed": (UMPIRE, "/umpire/{slug}/1/1/"),
    "change password": (UMPIRE, "/password/"),
    "account": (UMPIRE, "/account/"),
    "second factor, turned on": (UMPIRE, "/account/"),
    # organiser
    "my tournaments": (ORGANISER, "/organiser/"),
    "new tournament": (ORGANISER, "/organiser/new/"),
    "new tournament, with faults": (ORGANISER, "/organiser/new/"),
    "preparing": (ORGANISER, "/organiser/nobody-yet/"),
    "board": (ORGANISER, "/organiser/{slug}/"),
    "board, before the gong": (ORGANISER, "/organiser/before-the-gong/"),
    "board, all closed": (ORGANISER, "/organiser/closed/"),
    "organiser's players": (ORGANISER, "/organiser/{slug}/players/"),
    "organiser's players, none": (ORGANISER, "/organiser/nobody-yet/players/"),
    "add a player": (ORGANISER, "/organiser/{slug}/players/new/"),
    "edit a player": (ORGANISER, "/organiser/{slug}/players/2/"),
    "import": (ORGANISER, "/organiser/not-drawn/players/import/"),
    "import, with problems": (ORGANISER, "/organiser/not-drawn/players/import/"),
    "import, with questions": (ORGANISER, "/organiser/not-drawn/players/import/"),
    "organiser's draw": (ORGANISER, "/organiser/{slug}/draw/"),
    "draw looked at": (ORGANISER, "/organiser/not-drawn/draw/preview/?seed=one&other=two"),
    "swap": (ORGANISER, "/organiser/{slug}/draw/swap/"),
    "swap, looked at": (ORGANISER, "/organiser/{slug}/draw/swap/?one=1&other=2&session=5"),
    "replan": (ORGANISER, "/organiser/{slug}/draw/replan/"),
    "seats of a session": (ORGANISER, "/organiser/{slug}/session/5/seats/"),
    "seats of a session, looked at": (ORGANISER, "/organiser/{slug}/session/5/seats/?how=lot&seed=one"),
    "seats of a session, by hand": (ORGANISER, "/organiser/{slug}/session/5/seats/?how=hand"),
    "seats from a file": (ORGANISER, "/organiser/{slug}/draw/plan/"),
    "filmed table": (ORGANISER, "/organiser/{slug}/draw/stream/?players=1&table=2&sessions=5"),
    "a final": (ORGANISER, "/organiser/closed/draw/finals/"),
    "a final, looked at": (
        ORGANISER,
        "/organiser/closed/draw/finals/?size=4&carry=half&sessions=1&seed=one",
    ),
    "wrong seats": (ORGANISER, "/organiser/{slug}/session/4/wrong-seats/?one=1&other=2"),
    "organiser's draw, not drawn": (ORGANISER, "/organiser/not-drawn/draw/"),
    "organiser's timetable": (ORGANISER, "/organiser/{slug}/timetable/"),
    "timetable to start from": (ORGANISER, "/organiser/before-the-gong/timetable/"),
    "umpires": (ORGANISER, "/organiser/{slug}/umpires/"),
    "umpires, none": (ORGANISER, "/organiser/closed/umpires/"),
    "name an umpire": (ORGANISER, "/organiser/{slug}/umpires/new/"),
    "an umpire": (ORGANISER, "/organiser/{slug}/umpires/{umpire}/"),
    "organiser's penalties": (ORGANISER, "/organiser/{slug}/penalties/"),
    "organiser's penalties, none": (ORGANISER, "/organiser/closed/penalties/"),
    "give a penalty": (ORGANISER, "/organiser/{slug}/penalties/new/"),
    "give this penalty": (ORGANISER, "/organiser/{slug}/penalties/new/?player=1&session=1&foul=shown_tiles"),
    "organiser's foul book": (ORGANISER, "/organiser/{slug}/fouls/"),
    "change a foul": (ORGANISER, "/organiser/{slug}/fouls/false_hu/"),
    "add a house foul": (ORGANISER, "/organiser/{slug}/fouls/new/"),
    "organiser's screens": (ORGANISER, "/organiser/{slug}/screens/"),
    "control of a screen": (ORGANISER, "/organiser/{slug}/screens/main/"),
    "a screen arranged": (ORGANISER, "/organiser/{slug}/screens/main/arrange/"),
    "organiser's ceremony": (ORGANISER, "/organiser/closed/ceremony/"),
    "ceremony to begin": (ORGANISER, "/organiser/{slug}/ceremony/"),
    "open the results": (ORGANISER, "/organiser/closed/session/1/open/"),
    "announcements": (ORGANISER, "/organiser/{slug}/announcements/"),
    "documents": (ORGANISER, "/organiser/{slug}/documents/"),
    "log": (ORGANISER, "/organiser/{slug}/log/"),
    "settings": (ORGANISER, "/organiser/{slug}/settings/"),
}
"""Kind of page: who looks at it, and where it is. The first visit comes first."""


def sign_in_wrongly(page: Page) -> None:
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()


def send_empty_form(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("")
    page.get_by_role("button", name="Make the tournament").click()


def send_messy_list(page: Page) -> None:
    page.get_by_label("File").set_input_files(Path(__file__).parent.parent / "data" / "players-messy.csv")
    page.get_by_role("button", name="Look at the list").click()


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
    page.get_by_role("button", name="Look at the list").click()
    page.locator("main summary").first.click()


def begin_second_factor(page: Page) -> None:
    page.get_by_role("button", name="Turn on").click()


THEN: dict[str, Callable[[Page], None]] = {
    "login, wrong password": sign_in_wrongly,
    "new tournament, with faults": send_empty_form,
    "second factor, turned on": begin_second_factor,
    "import, with problems": send_messy_list,
    "import, with questions": send_list_to_be_asked_about,
}
"""What has to be done on some of them first."""

SERIOUS = ("serious", "critical")
QUICK = {"resultTypes": ["violations"]}
COLOURS = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}

SMALL_TARGETS = """() => {
  const least = 43.5;
  const inSentence = (one) =>
    one.tagName === "A" && getComputedStyle(one).display === "inline" && one.closest("p, dd, figcaption, caption");
  const covers = (one) => one.matches(".linked .cover");
  const reached = (one) => {
    const parts = [one, ...(one.labels ?? [])].map((part) => part.getBoundingClientRect());
    return parts.some((box) => box.width >= least && box.height >= least);
  };
  return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
    .filter((one) => one.checkVisibility({ checkVisibilityCSS: true }) && !one.closest(".vh, .skip, [hidden]"))
    .filter((one) => !inSentence(one) && !covers(one) && !reached(one))
    .map((one) => {
      const { width, height } = one.getBoundingClientRect();
      return `${Math.round(width)}×${Math.round(height)} ${one.outerHTML.slice(0, 120)}`;
    });
}"""


@dataclass(frozen=True)
class Visit:
    """What was found on one page."""

    violations: list[str]
    sideways: int
    small_targets: list[str]
    faults: list[str]


@pytest.fixture(scope="module")
def windows(house: House, browser: Browser) -> Iterator[dict[str, Window]]:
    """A window for each who looks."""
    with ExitStack() as stack:
        yield {who: stack.enter_context(house.open(browser)) for who in (ANYBODY, UMPIRE, ORGANISER)}


@pytest.fixture(scope="module")
def words(house: House, windows: dict[str, Window]) -> dict[str, str]:
    """Tournaments are played and people signed in; gives the words that addresses are made of."""
    house.place.python(EVENING)
    made: dict[str, str] = json.loads(house.place.python(OTHERS))
    for who in (UMPIRE, ORGANISER):
        windows[who].context.add_cookies([{"name": "sessionid", "value": made[who], "url": house.url}])
    return made


@pytest.fixture(scope="module", params=PAGES)
def visit(request: pytest.FixtureRequest, windows: dict[str, Window]) -> Visit:
    """One look at a page: wide, on a phone, in the dark, on a narrow phone."""
    who, address = PAGES[request.param]
    words = {} if request.param == FIRST_VISIT else request.getfixturevalue("words")
    window = windows[who]
    page = window.page
    window.faults.clear()
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    answer = page.goto(address.format(**words))
    assert answer
    assert answer.status == 200, f"{answer.status} {page.url}"
    if then := THEN.get(request.param):
        then(page)
    page.evaluate(Axe().axe_script)
    violations = told_by_axe(page, "at 1280", QUICK)
    page.set_viewport_size(PHONE)
    violations += told_by_axe(page, "at 390", QUICK)
    small = page.evaluate(SMALL_TARGETS)
    page.emulate_media(color_scheme="dark")
    violations += told_by_axe(page, "in the dark", COLOURS)
    page.set_viewport_size({"width": 360, "height": 640})
    sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return Visit(violations, sideways, small, list(window.faults))


def told_by_axe(page: Page, when: str, options: dict[str, Any]) -> list[str]:
    """What would keep somebody from using the page, with the first element of each kind."""
    found = page.evaluate("options => axe.run(options).then(found => found.violations)", options)
    return [
        f"{when}: {one['id']}, {len(one['nodes'])} times: {one['nodes'][0]['html'][:160]}"
        for one in found
        if one["impact"] in SERIOUS
    ]


def test_nothing_keeps_a_reader_out(visit: Visit) -> None:
    assert visit.violations == []


def test_nothing_scrolls_sideways_on_a_narrow_phone(visit: Visit) -> None:
    assert visit.sideways <= 0


def test_a_thumb_hits_everything(visit: Visit) -> None:
    assert visit.small_targets == []


def test_the_browser_has_nothing_to_complain_of(visit: Visit) -> None:
    assert visit.faults == []
