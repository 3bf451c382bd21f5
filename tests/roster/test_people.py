"""One list of people: who sees whom, the parts of the list, and a person's page."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.dues.test_dues_services import fee
from tests.support.factories import SYSTEM, make_member
from tests.support.pages import missing, refused_page, signed_in
from tests.support.pages import organiser_url as at
from tests.support.registrations import applicant, confirmed, make_plan, question
from tournament.base.access import Actor
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Role, Tournament
from tournament.dues.services import charge_debtors, set_fees
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players, withdraw_player
from tournament.registration.services.admissions import (
    add_registrations,
    decide,
    enter_registered,
    set_questions,
)
from tournament.roster.engine import Part
from tournament.roster.selectors.people import PeopleFilter, count_parts, find_entry, list_people

EVENT_WITH = {"players": 0, "drawn": False}
STATE = Registration.State
ADDRESS = "player-{}@example.org"


@pytest.fixture
def people(event: Tournament) -> Tournament:
    """Registrations 1 to 5, of whom 1 plays as number 1, 2 has a place, 3 and 4 wait, 4 first, and 5 is declined; and a
    player without a registration, number 2, who has withdrawn."""
    make_plan(event, places=2)
    set_questions(event, SYSTEM, [question("text", text={"en": "Diet?"})])
    for number in (1, 2, 3, 4, 5):
        confirmed(event, number, message="vegan")
    Registration.objects.filter(number=4).update(waits_since=event.created_at)
    decide(event, SYSTEM, [5], STATE.DECLINED)
    enter_registered(event, SYSTEM, [1])
    (player,) = add_players(event, SYSTEM, [Entrant("Zetterberg", "Ulla", club="Lund")])
    withdraw_player(player, SYSTEM)
    return event


def keys(event: Tournament, actor: Actor = SYSTEM, part: str = "", query: str = "") -> list[str]:
    entries = PeopleFilter(part, query).apply(list_people(event, actor), admits=actor is SYSTEM)
    return [entry.key for entry in entries]


def actor_with(event: Tournament, role: Role) -> Actor:
    return Actor.of(make_member(event, role, role.value))


def test_everybody_is_in_one_part_and_those_who_wait_are_in_their_order(people: Tournament) -> None:
    parts = {
        Part.PLAYING: ["p1"],
        Part.COMING: ["r2"],
        Part.WAITING: ["r4", "r3"],
        Part.LEFT: ["p2", "r5"],
    }
    listed = {part: keys(people, part=part) for part in parts}
    listed[Part.LEFT].sort()
    assert listed == parts
    assert count_parts(list_people(people, SYSTEM)) == {part: len(keys) for part, keys in parts.items()}


def test_who_owes_and_who_has_no_fee_yet(people: Tournament) -> None:
    assert keys(people, part=Part.WITHOUT_FEE) == [], "there are no fees"
    set_fees(people, SYSTEM, [fee("All", 40)])
    assert sorted(keys(people, part=Part.WITHOUT_FEE)) == ["p1", "r2"]
    charge_debtors(people, SYSTEM, [people.registrations.get(number=2)], batch=uuid4())
    assert (keys(people, part=Part.OWING), keys(people, part=Part.WITHOUT_FEE)) == (["r2"], ["p1"])


@pytest.mark.parametrize(
    ("role", "visible"),
    [
        (Role.DESK, {"p1", "p2", "r2", "r3", "r4", "r5"}),
        (Role.TREASURER, {"p1", "p2", "r2"}),
        (Role.OBSERVER, {"p1", "p2"}),
    ],
)
def test_each_role_sees_the_people_it_works_with(people: Tournament, role: Role, visible: set[str]) -> None:
    set_fees(people, SYSTEM, [fee("All", 40)])
    actor = actor_with(people, role)
    assert set(keys(people, actor)) == visible
    entry = find_entry(people, "r3", actor)
    assert (entry is not None) == ("r3" in visible)


def test_only_who_admits_people_sees_answers_and_only_the_treasurer_takes_money(people: Tournament) -> None:
    set_fees(people, SYSTEM, [fee("All", 40)])
    charge_debtors(people, SYSTEM, batch=uuid4())
    contact, money = (ADDRESS.format(1), "vegan"), at(people, "person_payment", "p1")
    shown = {}
    for role in (Role.DESK, Role.TREASURER, Role.OBSERVER):
        client = signed_in(make_member(people, role, role.value))
        text = client.get(at(people, "person", "p1")).text
        listed = client.get(at(people, "people"), {"columns": ["email", "message", "reference"]}).text
        shown[role] = (
            not missing(text, *contact),
            money in text,
            "40.00" in text,
            ADDRESS.format(1) in listed,
            client.post(money, {"amount": "1"}).status_code,
        )
    assert shown == {
        Role.DESK: (True, False, True, True, 403),
        Role.TREASURER: (False, True, True, False, 422),
        Role.OBSERVER: (False, False, False, False, 403),
    }


def test_treasurers_cannot_search_for_addresses(people: Tournament) -> None:
    treasurer = actor_with(people, Role.TREASURER)
    assert keys(people, query=ADDRESS.format(1)) == ["p1"]
    assert keys(people, treasurer, query=ADDRESS.format(1)) == []
    assert keys(people, treasurer, query="lund") == ["p2"]


def test_a_registration_key_stays_valid_when_the_person_plays(olga: Client, people: Tournament) -> None:
    registration = people.registrations.get(number=1)
    for key in ("r1", "p1"):
        assert registration.email in olga.get(at(people, "person", key)).text
    assert [olga.get(at(people, "person", key)).status_code for key in ("p9", "r9", "x1")] == [404] * 3


def test_one_form_changes_a_registration_and_its_players_number(olga: Client, people: Tournament) -> None:
    url = at(people, "person_change", "p1")
    fields = {"last_name": "Nowak", "first_name": "Ewa", "player-number": "7", "player-is_substitute": "on"}
    answer = olga.post(url, fields)
    assert answer["Location"] == at(people, "person", "p7")
    registration = people.registrations.get(number=1)
    assert registration.player is not None
    assert (registration.name, registration.player.name) == ("Ewa Nowak", "Ewa Nowak")
    assert (registration.player.number, registration.player.is_substitute) == (7, True)
    taken = olga.post(at(people, "person_change", "p7"), fields | {"player-number": "2", "last_name": "Lima"})
    assert "Number 2 belongs to another player." in refused_page(taken)
    registration.refresh_from_db()
    assert registration.last_name == "Nowak", "both are stored or neither"


def test_the_desk_changes_a_registration_but_not_the_number(people: Tournament) -> None:
    desk = signed_in(make_member(people, Role.DESK, "dora"))
    assert desk.get(at(people, "person_change", "p1")).context["number_form"] is None
    desk.post(at(people, "person_change", "p1"), {"last_name": "Nowak", "player-number": "7"})
    assert people.registrations.get(number=1).player == people.players.get(number=1, last_name="Nowak")
    assert desk.get(at(people, "person_change", "p2")).status_code == 404, "a player without a registration"


def test_a_person_added_is_what_suits_the_event_unless_somebody_chooses(
    olga: Client, people: Tournament
) -> None:
    new = at(people, "person_new")
    olga.post(new, {"last_name": "Registered"})
    olga.post(f"{new}?as=players", {"last_name": "Player"})
    assert people.registrations.filter(last_name="Registered").exists()
    assert people.players.filter(last_name="Player", registration=None).exists()
    desk = signed_in(make_member(people, Role.DESK, "dora"))
    desk.post(f"{new}?as=players", {"last_name": "Desk"})
    assert people.registrations.filter(last_name="Desk").exists()
    assert not people.players.filter(last_name="Desk").exists()


def test_the_log_of_a_person_has_steps_over_several(olga: Client, people: Tournament) -> None:
    page = olga.get(at(people, "person", "p1"))
    codes = [line.action for line, _sentence in page.context["log"]]
    assert "registrations_entered" in codes
    assert "player_withdrawn" not in codes
    withdrawn = [line.action for line, _sentence in olga.get(at(people, "person", "p2")).context["log"]]
    assert withdrawn == ["player_withdrawn", "players_added"]
    desk = signed_in(make_member(people, Role.DESK, "dora"))
    assert "log" not in desk.get(at(people, "person", "p1")).context


def test_places_are_given_in_the_order_of_the_waiting_list(olga: Client, people: Tournament) -> None:
    make_plan(people, places=3)
    data = {"step": "accept", "who": ["r3", "r4"], "do": "1"}
    olga.post(at(people, "step"), data)
    assert people.registrations.get(number=4).state == STATE.ACCEPTED
    assert people.registrations.get(number=3).state == STATE.WAITING


def test_a_step_over_players_without_a_registration_concerns_nobody_else(
    olga: Client, people: Tournament
) -> None:
    for step in ("enter", "decline"):
        page = olga.post(at(people, "step"), {"step": step, "who": ["p2"]}, follow=True)
        assert "Choose at least one person." in page.text, step
    assert people.registrations.get(number=2).player is None


def test_who_lost_the_place_and_waits_is_on_the_waiting_list(people: Tournament) -> None:
    decide(people, SYSTEM, [1], STATE.WAITING)
    assert people.players.get(number=1).is_withdrawn
    assert keys(people, part=Part.WAITING) == ["r3", "p1"], "4 has the place now"


def test_each_step_needs_its_own_right(people: Tournament) -> None:
    set_fees(people, SYSTEM, [fee("All", 40)])
    for role, step in ((Role.DESK, "charge"), (Role.TREASURER, "decline"), (Role.TREASURER, "enter")):
        client = signed_in(make_member(people, role, f"{role.value}-{step}"))
        answer = client.post(at(people, "step"), {"step": step, "who": ["r2"], "do": "1"})
        assert answer.status_code in (403, 404), (role, step)
    assert not people.dues.exists()
    assert people.registrations.get(number=2).state == STATE.ACCEPTED


def test_the_number_of_queries_does_not_depend_on_the_number_of_people(
    olga: Client, event: Tournament
) -> None:
    make_plan(event)
    counts = []
    for numbers in (range(5), range(5, 30)):
        add_registrations(event, SYSTEM, [applicant(number) for number in numbers])
        olga.get(at(event, "people"))  # what is cached until the next write
        with CaptureQueriesContext(connection) as queries:
            olga.get(at(event, "people"))
        counts.append(len(queries))
    assert counts[0] == counts[1]
