"""Who is who across tournaments: proposed with reasons, said by an organiser, taken back."""

from __future__ import annotations

import pytest

from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_user
from tournament.access import Actor
from tournament.engine.likeness import Reason
from tournament.errors import Forbidden, Refused
from tournament.models import Person, Player, Tournament
from tournament.selectors.entrants import Entrant
from tournament.selectors.known_people import newest_linking, people_of_event, proposals_for
from tournament.services.people import (
    link_player,
    link_several,
    refuse_person,
    undo_linking,
    unlink_player,
)
from tournament.services.persons import merge_people, show_person, undo_merging
from tournament.services.players import add_player

pytestmark = pytest.mark.django_db
VISITOR = Actor.of(None)


@pytest.fixture
def first() -> Tournament:
    """Everybody in it is known."""
    event = make_tournament(players=8, drawn=False)
    link_several(event, SYSTEM, dict.fromkeys(range(1, 9)))
    return event


@pytest.fixture
def second() -> Tournament:
    return make_tournament(players=8, drawn=False, name="Second")


def player(event: Tournament, number: int) -> Player:
    return event.players.select_related("person", "tournament").get(number=number)


def person(event: Tournament, number: int) -> Person:
    found = player(event, number).person
    assert found is not None
    return found


def proposed(event: Tournament, number: int) -> list[tuple[str, tuple[Reason, ...]]]:
    (one,) = (each for each in people_of_event(event, SYSTEM) if each.player.number == number)
    return [(each.person.name, each.reasons) for each in one.proposals]


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def test_somebody_known_is_proposed_with_the_reasons(first: Tournament, second: Tournament) -> None:
    assert proposed(second, 3) == [("Björn Lindqvist", (Reason.NAME, Reason.COUNTRY))]
    assert player(second, 3).person is None, "nothing is linked without a yes"


def test_the_number_and_the_name_need_no_yes(first: Tournament, second: Tournament) -> None:
    Person.objects.filter(pk=person(first, 3).pk).update(ema_number="01234567")
    same = add_player(second, SYSTEM, Entrant("Lindqvist", "Bjorn", "SWE", "01234567"))
    assert same.person_id == person(first, 3).pk
    entry = second.log.last()
    assert entry is not None
    assert entry.data["persons"] == [[9, same.person_id]]


def test_the_number_with_another_name_is_asked_about(first: Tournament, second: Tournament) -> None:
    Person.objects.filter(pk=person(first, 3).pk).update(ema_number="01234567")
    other = add_player(second, SYSTEM, Entrant("Svensson", "Bo", "SWE", "01234567"))
    assert other.person_id is None
    assert proposed(second, other.number) == [("Björn Lindqvist", (Reason.EMA_NUMBER, Reason.COUNTRY))]


def test_known_under_a_name_that_was_said_yes_to(first: Tournament, second: Tournament) -> None:
    other = add_player(second, SYSTEM, Entrant("毕", "永"))
    link_player(other, SYSTEM, person(first, 3))
    third = make_tournament(players=4, drawn=False, name="Third")
    again = add_player(third, SYSTEM, Entrant("毕永"))
    assert proposed(third, again.number) == [("Björn Lindqvist", (Reason.ALIAS,))]
    unlink_player(other, SYSTEM)
    assert proposed(third, again.number) == []


def test_no_is_remembered_and_yes_forgets_it(first: Tournament, second: Tournament) -> None:
    refuse_person(player(second, 3), SYSTEM, person(first, 3))
    assert proposed(second, 3) == []
    link_player(player(second, 3), SYSTEM, person(first, 3))
    unlink_player(player(second, 3), SYSTEM)
    assert len(proposed(second, 3)) == 1


def test_nobody_is_in_a_tournament_twice(first: Tournament) -> None:
    with pytest.raises(Refused) as refused:
        link_player(player(first, 2), SYSTEM, person(first, 3))
    assert codes(refused) == ["person_twice"]


def test_many_are_linked_in_one_entry_and_taken_back_in_one(first: Tournament, second: Tournament) -> None:
    link_several(second, SYSTEM, {3: person(first, 3).pk, 4: None})
    assert second.log.filter(action="players_linked").count() == 1
    assert Person.objects.count() == 9
    undo_linking(second, SYSTEM)
    assert not second.players.exclude(person=None).exists()
    assert Person.objects.count() == 8, "who was made by it and is nobody else goes"
    assert newest_linking(second) is None


def test_all_or_none(first: Tournament, second: Tournament) -> None:
    with pytest.raises(Refused):
        link_several(second, SYSTEM, {3: person(first, 3).pk, 4: 10**6})
    assert not second.players.exclude(person=None).exists()


def test_the_log_says_keys_and_no_names(first: Tournament) -> None:
    told = str(list(first.log.filter(action__startswith="player").values_list("data", flat=True))[-1])
    assert "Lindqvist" not in told


def test_who_is_known_from_a_private_tournament_is_proposed_to_nobody_else(second: Tournament) -> None:
    secret = make_tournament(players=8, drawn=False, name="Secret", public=False)
    link_several(secret, SYSTEM, dict.fromkeys(range(1, 9)))
    organiser = Actor.of(make_organiser(second))
    assert proposals_for([player(second, 3)], organiser) == [()]


# --- two that are one -----------------------------------------------------------------------------------------------
@pytest.fixture
def twice(first: Tournament, second: Tournament) -> tuple[Person, Person]:
    """The same human, made anew at the second tournament."""
    link_several(second, SYSTEM, {3: None})
    return person(second, 3), person(first, 3)


def test_merged_the_players_are_one_persons(
    first: Tournament, second: Tournament, twice: tuple[Person, Person]
) -> None:
    merge_people(twice[0], SYSTEM, twice[1])
    assert person(second, 3) == person(first, 3) == twice[1]


def test_who_was_merged_is_found_as_who_they_are_now(twice: tuple[Person, Person]) -> None:
    Person.objects.filter(pk=twice[0].pk).update(ema_number="01234567")
    merge_people(twice[0], SYSTEM, twice[1])
    ((found,),) = proposals_for([Entrant("Svensson", ema_number="01234567")], SYSTEM)
    assert found.person == twice[1]


def test_a_merging_is_undone_to_the_last_player(
    first: Tournament, second: Tournament, twice: tuple[Person, Person]
) -> None:
    change = merge_people(twice[0], SYSTEM, twice[1])
    undo_merging(change, SYSTEM)
    undo_merging(change, SYSTEM)
    assert (person(second, 3), person(first, 3)) == twice


def test_a_merging_that_another_stands_on_waits_for_it(twice: tuple[Person, Person]) -> None:
    third = make_tournament(players=8, drawn=False, name="Third")
    link_several(third, SYSTEM, {3: None})
    older = merge_people(twice[0], SYSTEM, twice[1])
    newer = merge_people(twice[1], SYSTEM, person(third, 3))
    with pytest.raises(Refused) as refused:
        undo_merging(older, SYSTEM)
    assert codes(refused) == ["merged_since"]
    undo_merging(newer, SYSTEM)
    undo_merging(older, SYSTEM)
    assert not Person.objects.exclude(merged_into=None).exists()


def test_two_at_one_tournament_are_two(first: Tournament) -> None:
    with pytest.raises(Refused) as refused:
        merge_people(person(first, 3), SYSTEM, person(first, 4))
    assert codes(refused) == ["both_at_one_event"]


def test_two_numbers_are_two_people(twice: tuple[Person, Person]) -> None:
    for one, number in zip(twice, ("01234567", "01234568"), strict=True):
        Person.objects.filter(pk=one.pk).update(ema_number=number)
    with pytest.raises(Refused) as refused:
        merge_people(twice[0], SYSTEM, twice[1])
    assert codes(refused) == ["two_ema_numbers"]


def test_number_and_wish_of_who_was_merged_stay_and_go_back_with_them(twice: tuple[Person, Person]) -> None:
    """Else a third with another number would be merged, too, and a name would be shown that was not to be."""
    one, into = twice
    Person.objects.filter(pk=one.pk).update(ema_number="01234567", is_hidden=True)
    change = merge_people(one, SYSTEM, into)
    into.refresh_from_db()
    assert (into.ema_number, into.is_hidden) == ("01234567", True)
    undo_merging(change, SYSTEM)
    for each in twice:
        each.refresh_from_db()
    assert (into.ema_number, into.is_hidden) == ("", False)
    assert (one.ema_number, one.is_hidden) == ("01234567", True)


def test_who_makes_no_tournaments_merges_nobody(twice: tuple[Person, Person]) -> None:
    with pytest.raises(Forbidden):
        merge_people(twice[0], Actor.of(make_user("pia")), twice[1])


def test_hiding_and_showing_is_kept_with_who_did_it(first: Tournament) -> None:
    someone = person(first, 3)
    show_person(someone, SYSTEM, shown=False)
    show_person(someone, SYSTEM, shown=False)
    show_person(someone, SYSTEM, shown=True)
    assert [change.what for change in someone.changes.all()] == ["shown", "hidden", "made"]
