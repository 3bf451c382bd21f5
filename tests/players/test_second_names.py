"""A second name and the order of names: from the registration to lists, badges, searches and other events."""

import pytest
from django.test import Client

from tests.support.factories import SYSTEM, edited, make_tournament
from tests.support.pages import page_text, visible_text
from tests.support.registrations import confirmed, make_plan
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.players import Badge
from tournament.people.selectors import find_people, proposals_for_player
from tournament.people.services import link_players
from tournament.players.services.players import edit_player
from tournament.privacy.services import erase_player
from tournament.registration.services.admissions import enter_registered
from tournament.roster.selectors.people import PeopleFilter, list_people
from tournament.web.selectors import matches_search

EVENT_WITH = {"players": 4, "sessions": 1}
BRUCE = {"first_name": "Bruce", "last_name": "Lee", "second_name": "李小龙", "name_shown": True}


@pytest.fixture
def bruce(event: Tournament) -> Player:
    make_plan(event)
    registration = confirmed(event, 1, **BRUCE)
    (entry,) = PeopleFilter(query="李 小龙").apply(list_people(event, SYSTEM), admits=True)
    assert entry.registration == registration
    enter_registered(event, SYSTEM, [registration.number])
    return event.players.get(number=5)


def test_who_registered_with_a_second_name_plays_with_it(client: Client, bruce: Player) -> None:
    assert (bruce.name, bruce.second_name) == ("Bruce Lee", "李小龙")
    assert [query for query in ("lee", "小龙", "李小龙") if not matches_search(bruce, query)] == []
    assert "Bruce Lee 李小龙" in visible_text(page_text(client, "players_page"))


def test_both_names_have_room_on_a_badge(bruce: Player) -> None:
    badge, plain = Badge(bruce), Badge(Player(first_name="Bruce", last_name="Lee"))
    assert 0 < badge.second_size < badge.size <= plain.size


def test_initials_hide_the_second_name_too(client: Client, event: Tournament) -> None:
    make_plan(event)
    confirmed(event, 1, **BRUCE | {"name_shown": False})
    enter_registered(event, SYSTEM, [event.registrations.get().number])
    assert "小龙" not in page_text(client, "players_page")


def test_a_second_name_is_recognised_at_the_next_event(bruce: Player) -> None:
    link_players(bruce.tournament, SYSTEM, {bruce.number: None})
    bruce.refresh_from_db()
    assert find_people("李小龙") == [bruce.person]
    other = make_tournament(name="Autumn Open", players=4)
    returning = edited(other.players.get(number=1), first_name="小龙", last_name="李", country="")
    edit_player(returning, SYSTEM)
    assert [proposal.person for proposal in proposals_for_player(returning, SYSTEM)] == [bruce.person]


def test_an_erased_player_has_no_second_name(bruce: Player) -> None:
    erase_player(bruce, SYSTEM, name="Bruce Lee")
    bruce.refresh_from_db()
    registration = bruce.registration
    assert (bruce.second_name, registration.second_name) == ("", "")


def test_the_family_name_stands_where_the_person_wants_it(event: Tournament) -> None:
    names = []
    for family_name_first in (None, True, False):
        player = event.players.get(number=1)
        order = {"first_name": "Van An", "last_name": "Nguyen", "family_name_first": family_name_first}
        edit_player(edited(player, **order), SYSTEM)
        stored = event.players.get(number=1)
        names.append((stored.name, stored.initials))
    assert names == [
        ("Van An Nguyen", "V. A. N."),
        ("Nguyen Van An", "N. V. A."),
        ("Van An Nguyen", "V. A. N."),
    ]
