"""A list in one write: the new ones, and what it says otherwise of the others."""

import pytest

from tests.factories import SYSTEM, make_tournament, make_user
from tournament.access import Actor
from tournament.errors import Forbidden, Refused
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant, FieldChange
from tournament.selectors.log_words import log_words
from tournament.services.player_lists import enter_list
from tournament.services.players import add_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def entered() -> Tournament:
    event = make_tournament(players=0)
    add_players(event, SYSTEM, [Entrant("Dupont", "Ada", ema_number="04000123"), Entrant("Lee", "Bo")])
    return event


def refused(event: Tournament, *changes: FieldChange, new: Entrant | None = None) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as caught:
        enter_list(event, SYSTEM, [new] if new else [], changes)
    return [(problem.where, problem.code) for problem in caught.value.problems]


def test_new_and_changed_are_one_entry_of_the_log(entered: Tournament) -> None:
    before = entered.log.count()
    changes = [
        FieldChange(1, "team", "", "Red"),
        FieldChange(1, "club", "", "Hule"),
        FieldChange(2, "last_name", "Lee", "Leigh"),
    ]
    done = enter_list(entered, SYSTEM, [Entrant("Nowak")], changes)
    assert ([player.number for player in done.new], [player.number for player in done.changed]) == (
        [3],
        [1, 2],
    )
    assert entered.log.count() == before + 1
    entry = entered.log.latest("seq")
    assert entry.data["changed"][0] == {"player": 1, "fields": ["team", "club"]}
    assert log_words(entered).sentence(entry) == "Entered: Nowak. Changed by a list: Ada Dupont, Bo Leigh."
    ada = entered.players.get(number=1)
    assert (ada.team, ada.club, ada.ema_number) == ("Red", "Hule", "04000123")


def test_two_players_change_numbers(entered: Tournament) -> None:
    enter_list(entered, SYSTEM, [], [FieldChange(1, "number", 1, 2), FieldChange(2, "number", 2, 1)])
    assert [player.last_name for player in entered.players.order_by("number")] == ["Lee", "Dupont"]


def test_a_number_given_up_is_free_for_somebody_new(entered: Tournament) -> None:
    done = enter_list(entered, SYSTEM, [Entrant("Nowak", number=1)], [FieldChange(1, "number", 1, 7)])
    assert done.new[0].number == 1


def test_somebody_who_changed_meanwhile_is_not_overwritten(entered: Tournament) -> None:
    assert refused(entered, FieldChange(1, "team", "Blue", "Red"), new=Entrant("Nowak")) == [
        ("0.team", "changed_since")
    ]
    assert entered.players.count() == 2


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (FieldChange(2, "ema_number", "", "04000123"), ("0.ema_number", "ema_number_taken")),
        (FieldChange(2, "number", 2, 1), ("0.number", "number_taken")),
        (FieldChange(2, "country", "", "XX"), ("0.country", "unknown_country")),
        (FieldChange(9, "team", "", "Red"), ("0.team", "changed_since")),
    ],
)
def test_a_change_that_cannot_stand(change: FieldChange, fault: tuple[str, str], entered: Tournament) -> None:
    assert refused(entered, change) == [fault]


def test_all_or_nobody(entered: Tournament) -> None:
    assert refused(entered, FieldChange(1, "team", "", "Red"), new=Entrant("")) == [
        ("1.last_name", "name_missing")
    ]
    assert entered.players.get(number=1).team == ""


def test_only_an_organiser(entered: Tournament) -> None:
    with pytest.raises(Forbidden):
        enter_list(entered, Actor.of(make_user()), [Entrant("Nowak")])
