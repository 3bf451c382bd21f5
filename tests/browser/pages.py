"""Every kind of page there is to look at: who opens it, where it is, and what is done on it first.

test_accessibility.py walks all of them; tests/house/test_walk.py holds them to the URL configuration.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

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
from datetime import timedelta
from django.utils import timezone
from penalties.models import Penalty
from tournament.engine.statements import Accusation, Objection
from tournament.models import Player, Table
from tournament.passes import Reach
from tournament.services.appeals import open_appeal
from tournament.services.calls import raise_call
from tournament.services.passes import make_passes
from tournament.services.penalties import give_penalty

def key_of(name):
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client.cookies["sessionid"].value

LONGEST = ("Wolfeschlegelsteinhausenbergerdorffwelch", "Maria Aparecida dos Santos de Oliveira-Pinto", "欧阳修远")
for number, name in zip((1, 6, 14), LONGEST, strict=True):
    Player.objects.filter(number=number).update(last_name=name)

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
second = Table.objects.get(session__tournament=played, session__number=2, number=2)
penalty = give_penalty(second, SYSTEM, Accusation(second.seats.first().player.number, "false_hu", 1), uuid=uuid4())
open_appeal(second, SYSTEM, Objection(second.seats.last().player.number, "Hand 1 was not won."), uuid=uuid4())
raise_call(second, SYSTEM, "tiles")
(desk_pass,) = make_passes(played, SYSTEM, [Reach("Table 2", table_number=2)], timezone.now() + timedelta(days=1))
umpire = Membership.objects.get(tournament=played, user__username="uma")
words = {"slug": played.slug, "umpire": umpire.pk, "penalty": str(penalty.uuid), "token": desk_pass.token}
print(json.dumps({"olga": key_of("olga"), "uma": key_of("uma"), **words}))
"""
"""Tournaments in the states before and after that, names as long as they come, one of each thing that may be open.

Prints the people's visits and the words that addresses are made of.
"""

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
    "not found": (ANYBODY, "/t/no-such-thing/"),
    "a pass that is over": (ANYBODY, "/pass/no-such-token/"),
    "calculator": (ANYBODY, "/calculator/"),
    "calculator, a hand": (ANYBODY, "/calculator/?hand=123m+123p+12s+789s+99m+%2B3s+seat%3DW+round%3DS"),
    "calculator, announced": (
        ANYBODY,
        "/calculator/?hand=123m+678p+345s+78s+99m+%2B6s&points=9&fan=all_chows",
    ),
    "calculator, unreadable": (ANYBODY, "/calculator/?hand=123m+1x+%5BEE"),
    "tournament": (ANYBODY, "/t/{slug}/"),
    "tournament, nobody entered": (ANYBODY, "/t/nobody-yet/"),
    "tournament, closed": (ANYBODY, "/t/closed/"),
    "ranking": (ANYBODY, "/t/{slug}/ranking/"),
    "ranking, before the first hand": (ANYBODY, "/t/before-the-gong/ranking/"),
    "ranking of teams": (ANYBODY, "/t/{slug}/ranking/teams/"),
    "ranking of nations": (ANYBODY, "/t/{slug}/ranking/nations/"),
    "session": (ANYBODY, "/t/{slug}/sessions/2/"),
    "session, planned": (ANYBODY, "/t/{slug}/sessions/3/"),
    "table sheet": (ANYBODY, "/t/{slug}/sessions/2/2/"),
    "draw": (ANYBODY, "/t/{slug}/draw/"),
    "draw by table": (ANYBODY, "/t/{slug}/draw/?by=table"),
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
    "clock of the hall": (UMPIRE, "/umpire/{slug}/clock/"),
    "desk": (UMPIRE, "/umpire/{slug}/2/1/"),
    "desk, session closed": (UMPIRE, "/umpire/{slug}/1/1/"),
    "desk, the sheet": (UMPIRE, "/umpire/{slug}/2/1/#sheet"),
    "desk, who is late": (UMPIRE, "/umpire/{slug}/2/1/#late"),
    "desk, handing in": (UMPIRE, "/umpire/{slug}/2/1/#hand-in"),
    "desk, points": (UMPIRE, "/umpire/{slug}/2/1/"),
    "desk, fans": (UMPIRE, "/umpire/{slug}/2/1/"),
    "desk, tiles": (UMPIRE, "/umpire/{slug}/2/1/"),
    "desk, fouls": (UMPIRE, "/umpire/{slug}/2/1/"),
    "desk, sanction": (UMPIRE, "/umpire/{slug}/2/1/"),
    "appeals": (UMPIRE, "/umpire/{slug}/appeals/"),
    "change password": (UMPIRE, "/password/"),
    "account": (UMPIRE, "/account/"),
    "second factor, turned on": (UMPIRE, "/account/"),
    "change password, with faults": (UMPIRE, "/password/"),
    # organiser
    "my tournaments": (ORGANISER, "/organiser/"),
    "new tournament": (ORGANISER, "/organiser/new/"),
    "new tournament, with faults": (ORGANISER, "/organiser/new/"),
    "preparing": (ORGANISER, "/organiser/nobody-yet/"),
    "board": (ORGANISER, "/organiser/{slug}/"),
    "session by number": (ORGANISER, "/organiser/{slug}/session/1/"),
    "close a session": (ORGANISER, "/organiser/{slug}/session/2/close/"),
    "publish": (ORGANISER, "/organiser/{slug}/publish/"),
    "publish everything": (ORGANISER, "/organiser/closed/ceremony/publish/"),
    "delete a tournament": (ORGANISER, "/organiser/nobody-yet/delete/"),
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
    "passes": (ORGANISER, "/organiser/{slug}/passes/new/"),
    "passes made": (ORGANISER, "/organiser/{slug}/passes/new/"),
    "a pass of somebody else": (ORGANISER, "/pass/{token}/"),
    "cancel a penalty": (ORGANISER, "/organiser/{slug}/penalties/{penalty}/cancel/"),
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
    "particulars": (ORGANISER, "/organiser/{slug}/settings/event/"),
    "attendance": (ORGANISER, "/organiser/{slug}/settings/attendance/"),
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


def send_wrong_passwords(page: Page) -> None:
    page.get_by_role("button", name="Change password").click()


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
    page.get_by_role("button", name="Turn on").click()


THEN: dict[str, Callable[[Page], None]] = {
    "second factor, turned on": begin_second_factor,
    "login, wrong password": sign_in_wrongly,
    "new tournament, with faults": send_empty_form,
    "change password, with faults": send_wrong_passwords,
    "passes made": make_passes,
    "desk, points": win_by("Points", '.keys [data-digit="1"]', '.keys [data-digit="9"]'),
    "desk, fans": win_by("Fans", '[data-fan="mixed_straight"]', '[data-fan="all_types"]'),
    "desk, tiles": win_by("Tiles", '.pad [data-key="1m"]', '.pad [data-key="1m"]', '.pad [data-key="2m"]'),
    "desk, fouls": accuse(".pick"),
    "desk, sanction": accuse(".pick", '.foul:has-text("Empty call")'),
    "import, with problems": send_messy_list,
    "import, with questions": send_list_to_be_asked_about,
}
"""What has to be done on some of them first."""

STATUS = {"not found": 404, "a pass that is over": 410}
"""What answers otherwise than with 200."""
