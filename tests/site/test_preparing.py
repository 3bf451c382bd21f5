"""The page before the first session: each step says what has been done."""

from datetime import time

from django.test import Client

from tests.dues.test_dues_services import fee
from tests.support.factories import SYSTEM, make_member
from tests.support.pages import missing, signed_in, visible_text
from tests.support.pages import organiser_url as at
from tests.support.registrations import confirmed, make_plan
from tournament.base.models.events import EventPage, TimetableItem
from tournament.base.models.tournament import Role, Tournament
from tournament.dues.services import set_fees
from tournament.events.services import set_event_page, set_timetable
from tournament.registration.services.admissions import enter_registered
from tournament.site.selectors.preparing import preparation_of

EVENT_WITH = {"players": 0, "drawn": False}


def done(event: Tournament) -> list[bool]:
    """Whether the page, registration, players, timetable and umpires are ready."""
    state = preparation_of(event)
    return [
        *(state.is_page_done, state.is_registration_done, state.are_players_done),
        *(state.is_timetable_done, state.are_officials_done),
    ]


def test_nothing_is_done_in_a_new_event(olga: Client, event: Tournament) -> None:
    assert done(event) == [False] * 5
    page = olga.get(at(event, "board")).text
    assert page.count("done</span>") == 0
    assert missing(page, at(event, "import"), at(event, "registration_plan")) == []


def test_each_step_is_ticked_once_it_is_done(olga: Client, event: Tournament) -> None:
    set_event_page(EventPage(tournament=event, address="Main Street 1", contact="a@example.org"), SYSTEM)
    set_fees(event, SYSTEM, [fee("Adults", 60)])
    make_plan(event, places=4, is_open=False)
    assert done(event) == [True, False, False, False, False], "nobody can register yet"
    make_plan(event, places=4)
    for number in (1, 2, 3, 4):
        confirmed(event, number)
    assert done(event)[:3] == [True, True, False]
    page = visible_text(olga.get(at(event, "board")).text)
    assert missing(page, "4 people have a place and are not players yet.", "Adults 60.00 EUR") == []
    enter_registered(event, SYSTEM, [1, 2, 3, 4])
    lines = [
        TimetableItem(session=number, day=event.starts_on, starts=time(5 + 4 * number))
        for number in range(1, event.sessions_planned + 1)
    ]
    set_timetable(event, SYSTEM, lines[:1])
    assert not done(event)[3]
    set_timetable(event, SYSTEM, lines)
    make_member(event, Role.UMPIRE, "uma")
    assert done(event) == [True] * 5
    assert olga.get(at(event, "board")).text.count("done</span>") == 5


def test_an_umpire_is_needed_for_about_four_tables(event: Tournament) -> None:
    make_plan(event)
    for number in range(17):
        confirmed(event, number)
    assert preparation_of(event).officials_needed == 2


def test_an_observer_sees_the_steps_without_buttons(event: Tournament) -> None:
    page = signed_in(make_member(event, Role.OBSERVER, "oona")).get(at(event, "board")).text
    assert at(event, "import") not in page.partition('class="card steps"')[2]
