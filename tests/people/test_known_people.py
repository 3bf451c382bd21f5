"""Players of a list in one write, and who is who across tournaments: proposed with reasons, said by an organiser."""

import pytest

from tests.support.checks import refused_codes, refused_problems
from tests.support.factories import SYSTEM, edited, make_organiser, make_tournament
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.people import Person, Player
from tournament.base.models.tournament import Tournament
from tournament.people.engine import Reason
from tournament.people.selectors import likely_pairs, newest_linking, people_of_event, proposals_for
from tournament.people.services import (
    link_player,
    link_several,
    merge_people,
    refuse_person,
    show_person,
    undo_linking,
    undo_merging,
    unlink_player,
)
from tournament.players.selectors.players import Entrant, FieldChange, list_step
from tournament.players.services.players import (
    add_players,
    delete_player,
    edit_player,
    enter_list,
    undo_list,
)
from tournament.privacy.services import erase_player
from tournament.seating.services.seatings import draw_seats
from tournament.web.selectors import log_words

pytestmark = pytest.mark.stored


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
    person = player(event, number).person
    assert person is not None
    return person


def proposed(event: Tournament, number: int) -> list[tuple[str, tuple[Reason, ...]]]:
    (row,) = (row for row in people_of_event(event, SYSTEM) if row.player.number == number)
    return [(proposal.person.name, proposal.reasons) for proposal in row.proposals]


def test_somebody_known_is_proposed_with_the_reasons(first: Tournament, second: Tournament) -> None:
    assert proposed(second, 3) == [("Björn Lindqvist", (Reason.NAME, Reason.COUNTRY))]
    assert player(second, 3).person is None, "nothing is linked without a yes"
    refuse_person(player(second, 3), SYSTEM, person(first, 3))
    assert proposed(second, 3) == [], "no is remembered"
    link_player(player(second, 3), SYSTEM, person(first, 3))
    unlink_player(player(second, 3), SYSTEM)
    assert len(proposed(second, 3)) == 1, "yes forgets it"


def test_number_and_name_together_need_no_yes(first: Tournament, second: Tournament) -> None:
    Person.objects.filter(pk=person(first, 3).pk).update(ema_number="01234567")
    other = add_players(second, SYSTEM, [Entrant("Svensson", "Bo", "SWE", "01234567")])[0]
    assert other.person_id is None
    assert proposed(second, other.number) == [("Björn Lindqvist", (Reason.EMA_NUMBER, Reason.COUNTRY))]
    delete_player(other, SYSTEM)
    same = add_players(second, SYSTEM, [Entrant("Lindqvist", "Bjorn", "SWE", "01234567")])[0]
    assert same.person_id == person(first, 3).pk
    assert second.log.latest("seq").data["persons"] == [[same.number, same.person_id]]


def test_somebody_is_known_under_every_name_that_had_a_yes(first: Tournament, second: Tournament) -> None:
    other = add_players(second, SYSTEM, [Entrant("毕", "永")])[0]
    link_player(other, SYSTEM, person(first, 3))
    third = make_tournament(players=4, drawn=False, name="Third")
    again = add_players(third, SYSTEM, [Entrant("毕永")])[0]
    assert proposed(third, again.number) == [("Björn Lindqvist", (Reason.ALIAS,))]
    unlink_player(other, SYSTEM)
    assert proposed(third, again.number) == []


def test_nobody_is_in_a_tournament_twice(first: Tournament) -> None:
    assert refused_codes(link_player, player(first, 2), SYSTEM, person(first, 3)) == ["person_twice"]
    assert refused_codes(merge_people, person(first, 3), SYSTEM, person(first, 4)) == ["both_at_one_event"]


def test_many_are_linked_in_one_entry_and_taken_back_in_one(first: Tournament, second: Tournament) -> None:
    with pytest.raises(Refused):
        link_several(second, SYSTEM, {3: person(first, 3).pk, 4: 10**6})
    assert not second.players.exclude(person=None).exists(), "all or none"
    link_several(second, SYSTEM, {3: person(first, 3).pk, 4: None})
    assert "Lindqvist" not in str(second.log.get(action="players_linked").data)
    assert Person.objects.count() == 9
    undo_linking(second, SYSTEM)
    assert not second.players.exclude(person=None).exists()
    assert Person.objects.count() == 8, "who was made by it and is nobody else goes"
    assert newest_linking(second) is None


def test_who_is_known_from_a_private_tournament_is_proposed_to_nobody_else(second: Tournament) -> None:
    secret = make_tournament(players=8, drawn=False, name="Secret", public=False)
    link_several(secret, SYSTEM, dict.fromkeys(range(1, 9)))
    organiser = Actor.of(make_organiser(second))
    assert proposals_for([player(second, 3)], organiser) == [()]


class TestSomebodyOfAPrivateTournament:
    """To an organiser elsewhere they are not there: linked, their name, country and club would be public."""

    @pytest.fixture
    def secret(self) -> Person:
        event = make_tournament(players=8, drawn=False, name="Secret", public=False)
        link_several(event, SYSTEM, dict.fromkeys(range(1, 9)))
        Person.objects.filter(pk=person(event, 3).pk).update(ema_number="01234567", club="Hidden")
        return person(event, 3)

    @pytest.fixture
    def organiser(self, second: Tournament) -> Actor:
        return Actor.of(make_organiser(second))

    def test_is_linked_by_no_service(self, secret: Person, second: Tournament, organiser: Actor) -> None:
        assert refused_codes(link_several, second, organiser, {1: secret.pk}) == ["nobody_to_link"]
        assert refused_codes(link_several, second, organiser, {1: 10**6}) == ["nobody_to_link"]
        assert refused_codes(link_player, player(second, 1), organiser, secret) == ["person_gone"]
        assert refused_codes(refuse_person, player(second, 1), organiser, secret) == ["person_gone"]
        assert not second.players.exclude(person=None).exists()

    def test_is_neither_merged_nor_hidden(self, secret: Person, second: Tournament, organiser: Actor) -> None:
        link_several(second, organiser, {1: None})
        for one, into in ((secret, person(second, 1)), (person(second, 1), secret)):
            assert refused_codes(merge_people, one, organiser, into) == ["person_gone"]
        assert refused_codes(show_person, secret, organiser, shown=False) == ["person_gone"]

    def test_is_not_found_by_number_and_name(
        self, secret: Person, second: Tournament, organiser: Actor
    ) -> None:
        """Neither when a player is entered, nor when somebody new is made from one."""
        same = add_players(second, organiser, [Entrant("Lindqvist", "Björn", "SWE", "01234567")])[0]
        assert same.person_id is None
        link_several(second, organiser, {same.number: None})
        new = person(second, same.number)
        assert (new.ema_number, new.club) == ("01234567", "")
        Person.objects.filter(pk=new.pk).update(ema_number="")
        new.refresh_from_db()
        unlink_player(same, organiser)
        link_player(same, organiser, person_of_another_event(new, organiser))
        assert Person.objects.get(pk=new.pk).ema_number == "01234567", "a number is learned anyway"

    def test_a_tournament_at_which_both_played_is_not_named(
        self, secret: Person, first: Tournament, organiser: Actor
    ) -> None:
        third = make_tournament(players=1, drawn=False, name="Third")
        link_several(third, SYSTEM, {1: None})
        both = [person(first, 1), person(third, 1)]
        for number, known in enumerate(both, 1):
            Player.objects.filter(tournament__name="Secret", number=number).update(person=known)
        assert refused_codes(merge_people, both[0], organiser, both[1]) == ["both_at_a_private_event"]

    def test_is_a_likely_pair_once_everybody_may_know(
        self, secret: Person, second: Tournament, organiser: Actor
    ) -> None:
        same = add_players(second, organiser, [Entrant("Lindqvist", "B.", "SWE", "01234567")])[0]
        link_several(second, organiser, {same.number: None})
        assert likely_pairs(organiser) == []
        Tournament.objects.filter(name="Secret").update(is_public=True)
        ((newer, older, why),) = likely_pairs(organiser)
        assert (newer, older, why[0]) == (person(second, same.number), secret, Reason.EMA_NUMBER)


def person_of_another_event(known: Person, organiser: Actor) -> Person:
    """The same person, known from a public tournament besides."""
    event = make_tournament(players=1, drawn=False, name="Another")
    event.players.update(person=known)
    return known


def test_whom_somebody_else_has_hidden_stays_hidden(first: Tournament) -> None:
    """A person asked one organiser; another one was not asked."""
    olga, oleg = (Actor.of(make_organiser(first, name)) for name in ("olga", "oleg"))
    someone, again = person(first, 3), person(first, 4)
    show_person(someone, olga, shown=False)
    assert refused_codes(show_person, someone, oleg, shown=True) == ["hidden_by_somebody_else"]
    Player.objects.filter(person=again).update(person=None)
    again.refresh_from_db()
    second = make_tournament(players=1, drawn=False, name="Second")
    second.players.update(person=again)
    show_person(again, oleg, shown=False)
    merge_people(someone, oleg, again)
    assert refused_codes(show_person, again, oleg, shown=True) == ["hidden_by_somebody_else"]
    undo_merging(someone.changes.get(what="merged"), oleg)
    assert not show_person(again, oleg, shown=True).is_hidden
    assert not show_person(someone, olga, shown=True).is_hidden


@pytest.fixture
def twice(first: Tournament, second: Tournament) -> tuple[Person, Person]:
    """The same human, made anew at the second tournament."""
    link_several(second, SYSTEM, {3: None})
    return person(second, 3), person(first, 3)


def test_a_merging_is_undone_and_waits_for_another_that_stands_on_it(
    first: Tournament, second: Tournament, twice: tuple[Person, Person]
) -> None:
    Person.objects.filter(pk=twice[0].pk).update(ema_number="01234567")
    change = merge_people(twice[0], SYSTEM, twice[1])
    assert person(second, 3) == person(first, 3) == twice[1]
    ((proposal,),) = proposals_for([Player(last_name="Svensson", ema_number="01234567")], SYSTEM)
    assert proposal.person == twice[1], "known as who they are now"
    undo_merging(change, SYSTEM)
    undo_merging(change, SYSTEM)
    assert (person(second, 3), person(first, 3)) == twice
    third = make_tournament(players=8, drawn=False, name="Third")
    link_several(third, SYSTEM, {3: None})
    older = merge_people(twice[0], SYSTEM, twice[1])
    newer = merge_people(twice[1], SYSTEM, person(third, 3))
    assert refused_codes(undo_merging, older, SYSTEM) == ["merged_since"]
    undo_merging(newer, SYSTEM)
    undo_merging(older, SYSTEM)
    assert not Person.objects.exclude(merged_into=None).exists()


def test_what_was_merged_goes_back_and_two_numbers_are_two_people(twice: tuple[Person, Person]) -> None:
    """Else a third with another number would be merged, too, and a name would be shown that was not to be."""
    merged, into = twice
    Person.objects.filter(pk=merged.pk).update(ema_number="01234567", is_hidden=True)
    change = merge_people(merged, SYSTEM, into)
    into.refresh_from_db()
    assert (into.ema_number, into.is_hidden) == ("01234567", True)
    undo_merging(change, SYSTEM)
    for person in twice:
        person.refresh_from_db()
    assert (into.ema_number, into.is_hidden) == ("", False)
    assert (merged.ema_number, merged.is_hidden) == ("01234567", True)
    for person, number in zip(twice, ("01234567", "01234568"), strict=True):
        Person.objects.filter(pk=person.pk).update(ema_number=number)
    assert refused_codes(merge_people, twice[0], SYSTEM, twice[1]) == ["two_ema_numbers"]


def test_hiding_and_showing_is_kept_with_who_did_it(first: Tournament) -> None:
    someone = person(first, 3)
    for shown in (False, False, True):
        show_person(someone, SYSTEM, shown=shown)
    assert [change.what for change in someone.changes.all()] == ["shown", "hidden", "made"]


@pytest.fixture
def entered() -> Tournament:
    event = make_tournament(players=0)
    add_players(event, SYSTEM, [Entrant("Dupont", "Ada", ema_number="04000123"), Entrant("Lee", "Bo")])
    return event


def problems(event: Tournament, *changes: FieldChange, new: Entrant | None = None) -> list[tuple[str, str]]:
    return refused_problems(enter_list, event, SYSTEM, [new] if new else [], changes)


def newest_list(event: Tournament) -> int:
    step = list_step(event)
    return step.seq if step else 0


def test_new_and_changed_are_one_entry_of_the_log(entered: Tournament) -> None:
    before = entered.log.count()
    enter_list(entered, SYSTEM, [])
    assert entered.log.count() == before, "nothing to enter is no write"
    changes = [
        FieldChange(1, "team", "", "Red"),
        FieldChange(1, "club", "", "Hule"),
        FieldChange(2, "last_name", "Lee", "Leigh"),
    ]
    done = enter_list(entered, SYSTEM, [Entrant("Nowak")], changes)
    assert [player.number for player in done.new] == [3]
    assert [player.number for player in done.changed] == [1, 2]
    assert entered.log.count() == before + 1
    entry = entered.log.latest("seq")
    assert entry.data["changed"][0] == {"player": 1, "fields": ["team", "club"]}
    assert log_words(entered).sentence(entry) == "Entered: Nowak. Changed by a list: Ada Dupont, Bo Leigh."
    ada = entered.players.get(number=1)
    assert (ada.team, ada.club, ada.ema_number) == ("Red", "Hule", "04000123")


def test_players_change_numbers_and_a_number_given_up_is_free_for_somebody_new(entered: Tournament) -> None:
    enter_list(entered, SYSTEM, [], [FieldChange(1, "number", 1, 2), FieldChange(2, "number", 2, 1)])
    assert [player.last_name for player in entered.players.order_by("number")] == ["Lee", "Dupont"]
    done = enter_list(entered, SYSTEM, [Entrant("Nowak", number=1)], [FieldChange(1, "number", 1, 7)])
    assert done.new[0].number == 1


def test_a_change_that_cannot_stand_changes_and_enters_nobody(entered: Tournament) -> None:
    before = list(entered.players.values())
    for change, fault in (
        (FieldChange(1, "team", "Blue", "Red"), ("changed_since", "0.team")),
        (FieldChange(9, "team", "", "Red"), ("changed_since", "0.team")),
        (FieldChange(2, "ema_number", "", "04000123"), ("ema_number_taken", "0.ema_number")),
        (FieldChange(2, "number", 2, 1), ("number_taken", "0.number")),
        (FieldChange(2, "country", "", "XX"), ("unknown_country", "0.country")),
    ):
        assert problems(entered, change, new=Entrant("Nowak")) == [fault]
    red = FieldChange(1, "team", "", "Red")
    assert problems(entered, red, new=Entrant("")) == [("name_missing", "1.last_name")]
    assert list(entered.players.values()) == before


def test_nobody_is_withdrawn_by_a_list_while_a_session_is_played() -> None:
    event = make_tournament(players=8, running=0)
    assert refused_codes(enter_list, event, SYSTEM, [], leaving=[1]) == ["missing_while_playing"]


class TestTheNewestListTakenBack:
    def test_everything_is_as_before_in_one_entry_and_once(self, entered: Tournament) -> None:
        changes = [FieldChange(1, "number", 1, 7), FieldChange(1, "team", "", "Red")]
        enter_list(entered, SYSTEM, [Entrant("Nowak", number=1)], changes, leaving=[2])
        before, seq = entered.log.count(), newest_list(entered)
        undo_list(entered, SYSTEM, seq)
        ada, bo = entered.players.order_by("number")
        assert (ada.number, ada.last_name, ada.team, bo.is_withdrawn) == (1, "Dupont", "", False)
        entry = entered.log.latest("seq")
        assert entered.log.count() == before + 1
        assert log_words(entered).sentence(entry) == (
            f"Import undone (entry {entry.data['step']}). Restored: Ada Dupont, Bo Lee. "
            "Removed, by number: 1."
        )
        assert refused_codes(undo_list, entered, SYSTEM, seq) == ["list_step_gone"]

    def test_who_was_changed_since_is_refused_by_name_and_can_be_left(self, entered: Tournament) -> None:
        changes = [FieldChange(1, "team", "", "Red"), FieldChange(2, "team", "", "Blue")]
        enter_list(entered, SYSTEM, [], changes)
        ada = entered.players.get(number=1)
        edit_player(edited(ada, team="Green"), SYSTEM)
        stale = refused_problems(undo_list, entered, SYSTEM, newest_list(entered))
        assert stale == [("list_player_changed", "1")]
        undo_list(entered, SYSTEM, newest_list(entered), without=[1])
        assert [player.team for player in entered.players.order_by("number")] == ["Green", ""]

    def test_another_field_changed_since_stays(self, entered: Tournament) -> None:
        enter_list(entered, SYSTEM, [], [FieldChange(1, "team", "", "Red")])
        ada = entered.players.get(number=1)
        edit_player(edited(ada, club="Hule"), SYSTEM)
        undo_list(entered, SYSTEM, newest_list(entered))
        ada.refresh_from_db()
        assert (ada.team, ada.club) == ("", "Hule")

    def test_who_came_in_with_it_and_has_a_seat_keeps_it(self) -> None:
        event = make_tournament(players=7)
        enter_list(event, SYSTEM, [Entrant("Nowak", number=8)])
        draw_seats(event, SYSTEM, seed="x")
        assert refused_codes(undo_list, event, SYSTEM, newest_list(event)) == ["player_has_seats"]

    def test_somebody_erased_takes_the_names_of_the_list_along(self, entered: Tournament) -> None:
        enter_list(entered, SYSTEM, [], [FieldChange(1, "last_name", "Dupont", "Durand")])
        erase_player(entered.players.get(number=1), SYSTEM, name="Ada Durand")
        assert list_step(entered) is None
        assert "Dupont" not in str([entry.texts for entry in entered.log.all()])
