"""The page before the first session: each step says what has been done."""

from datetime import time
from decimal import Decimal

from django.test import Client

from tests.dues.test_dues_services import fee
from tests.support.factories import SYSTEM, entrant, make_member
from tests.support.pages import missing, signed_in, visible_text
from tests.support.pages import organiser_url as at
from tests.support.registrations import confirmed, make_plan
from tournament.base.models.events import EventPage, TimetableItem
from tournament.base.models.tournament import Role, Tournament
from tournament.dues.services import set_due, set_fees
from tournament.ema.engine.certification import Status
from tournament.ema.selectors.certification import clauses_of
from tournament.events.services import set_event_page, set_timetable
from tournament.players.services.players import add_players, withdraw_player
from tournament.prizes.models import Prize
from tournament.prizes.selectors import prize_plan_of
from tournament.prizes.services import set_prizes
from tournament.registration.services.admissions import enter_registered
from tournament.seating.services.seatings import draw_seats
from tournament.site.selectors.preparing import marks_of, preparation_of

EVENT_WITH = {"players": 0, "drawn": False}


STEPS = ("event", "registration", "people", "timetable", "staff")


def done(event: Tournament) -> list[str]:
    """The steps with a tick."""
    event.refresh_from_db()
    marks = marks_of(event)
    return [step for step in STEPS if marks[step].is_done]


def test_nothing_is_done_in_a_new_event(olga: Client, event: Tournament) -> None:
    assert done(event) == []
    page = olga.get(at(event, "board")).text
    assert page.count('<li class="done">') == 0
    assert missing(page, at(event, "import"), at(event, "registration"), "done.") == []


def test_each_step_is_ticked_once_it_is_done(olga: Client, event: Tournament) -> None:
    set_event_page(EventPage(tournament=event, address="Main Street 1", contact="a@example.org"), SYSTEM)
    set_fees(event, SYSTEM, [fee("Adults", 60)])
    make_plan(event, places=4, is_open=False)
    assert done(event) == ["event"], "nobody can register yet"
    make_plan(event, places=4)
    for number in (1, 2, 3, 4):
        confirmed(event, number)
    assert done(event) == ["event", "registration"]
    page = visible_text(olga.get(at(event, "board")).text)
    assert missing(page, "4 people have a place and are not players yet.", "Adults 60.00 EUR") == []
    enter_registered(event, SYSTEM, [1, 2, 3, 4])
    lines = [
        TimetableItem(session=number, day=event.starts_on, starts=time(5 + 4 * number))
        for number in range(1, event.sessions_planned + 1)
    ]
    set_timetable(event, SYSTEM, lines[:1])
    assert "timetable" not in done(event)
    set_timetable(event, SYSTEM, lines)
    make_member(event, Role.UMPIRE, "uma")
    assert done(event) == list(STEPS)
    assert olga.get(at(event, "board")).text.count('<li class="done">') == 5


def test_the_next_step_stands_in_its_row_and_nowhere_else(olga: Client, event: Tournament) -> None:
    page = olga.get(at(event, "before")).text
    assert page.count("next-step-go") == 2, "the button, and the link that skips to it"
    assert 'class="next-step' not in page
    add_players(event, SYSTEM, [entrant(number) for number in range(1, 9)])
    draw_seats(event, SYSTEM, seed="one")
    page = olga.get(at(event, "before")).text
    assert 'class="next-step' in page, "the first session is started elsewhere"
    withdraw_player(event.players.get(number=1), SYSTEM)
    assert "people" in done(event), "who has withdrawn is no work to do among the people"


def test_who_owes_is_read_only_with_the_right_to_money(event: Tournament, olga: Client) -> None:
    make_plan(event, places=4)
    confirmed(event, 1)
    set_due(event, SYSTEM, event.registrations.get(), amount=Decimal(60))
    observer = signed_in(make_member(event, Role.OBSERVER, "oona"))
    pages = [client.get(at(event, "before")).text for client in (olga, observer)]
    assert ["1 person has not paid." in page for page in pages] == [True, False]


def test_an_ema_event_says_how_many_clauses_are_not_met(event: Tournament, olga: Client) -> None:
    page = EventPage(tournament=event, country="AUT", mers="ranked")
    set_event_page(page, SYSTEM)
    not_met = sum(clause.status == Status.NOT_MET for clause in clauses_of(event))
    assert not_met > 1
    assert missing(visible_text(olga.get(at(event, "before")).text), f"{not_met} clauses are not met.") == []
    assert not marks_of(event)["certification"].is_done


def test_an_umpire_is_needed_for_about_four_tables(event: Tournament) -> None:
    make_plan(event)
    for number in range(17):
        confirmed(event, number)
    assert preparation_of(event).officials_needed == 2


def test_an_observer_sees_the_steps_without_buttons(event: Tournament) -> None:
    page = signed_in(make_member(event, Role.OBSERVER, "oona")).get(at(event, "board")).text
    assert at(event, "import") not in page.partition('class="card steps"')[2]


def test_prizes_are_ticked_once_there_are_any(event: Tournament) -> None:
    assert not marks_of(event)["prizes"].is_done
    set_prizes(prize_plan_of(event), SYSTEM, [Prize(text="Trophy")])
    assert marks_of(event)["prizes"].is_done
