"""Linking and merging people across tournaments, and lists of players entered in one write."""

from collections.abc import Callable

import pytest
from django.db import transaction

from tests.support.checks import refused_codes, refused_problems
from tests.support.factories import SYSTEM, edited, make_member, make_organiser, make_tournament
from tests.support.play import begin
from tournament.base.access import Actor
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.people import Person, Player
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.people.engine import Reason
from tournament.people.selectors import (
    likely_duplicates,
    people_of_event,
    proposals_for,
    recent_merges,
    search_own_people,
    undoable_linking,
)
from tournament.people.services import (
    link_player,
    link_players,
    merge_people,
    reject_proposal,
    set_person_shown,
    undo_linking,
    undo_merge,
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
    """A tournament whose players are all linked to people."""
    event = make_tournament(players=8, drawn=False)
    link_players(event, SYSTEM, dict.fromkeys(range(1, 9)))
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


def test_a_person_is_proposed_with_reasons(first: Tournament, second: Tournament) -> None:
    assert proposed(second, 3) == [("Björn Lindqvist", (Reason.NAME, Reason.COUNTRY))]
    assert player(second, 3).person is None, "nothing is linked without confirmation"
    reject_proposal(player(second, 3), SYSTEM, person(first, 3))
    assert proposed(second, 3) == [], "the rejection is stored"
    link_player(player(second, 3), SYSTEM, person(first, 3))
    unlink_player(player(second, 3), SYSTEM)
    assert len(proposed(second, 3)) == 1, "a link deletes the rejection"


def test_a_player_with_the_same_number_and_name_is_linked(first: Tournament, second: Tournament) -> None:
    Person.objects.filter(pk=person(first, 3).pk).update(ema_number="01234567")
    other = add_players(second, SYSTEM, [Entrant("Svensson", "Bo", "SWE", "01234567")])[0]
    assert other.person_id is None
    assert proposed(second, other.number) == [("Björn Lindqvist", (Reason.EMA_NUMBER, Reason.COUNTRY))]
    delete_player(other, SYSTEM)
    same = add_players(second, SYSTEM, [Entrant("Lindqvist", "Bjorn", "SWE", "01234567")])[0]
    assert same.person_id == person(first, 3).pk
    assert second.log.latest("seq").data["persons"] == [[same.number, same.person_id]]


def test_a_person_is_proposed_by_the_names_of_linked_players(first: Tournament, second: Tournament) -> None:
    other = add_players(second, SYSTEM, [Entrant("毕", "永")])[0]
    link_player(other, SYSTEM, person(first, 3))
    third = make_tournament(players=4, drawn=False, name="Third")
    again = add_players(third, SYSTEM, [Entrant("毕永")])[0]
    assert proposed(third, again.number) == [("Björn Lindqvist", (Reason.ALIAS,))]
    unlink_player(other, SYSTEM)
    assert proposed(third, again.number) == []


def test_a_person_cannot_play_twice_in_a_tournament(first: Tournament) -> None:
    assert refused_codes(link_player, player(first, 2), SYSTEM, person(first, 3)) == ["person_twice"]
    assert refused_codes(merge_people, person(first, 3), SYSTEM, person(first, 4)) == ["both_at_one_event"]


def test_several_links_are_one_log_entry_and_are_undone_together(
    first: Tournament, second: Tournament
) -> None:
    with pytest.raises(Refused):
        link_players(second, SYSTEM, {3: person(first, 3).pk, 4: 10**6})
    assert not second.players.exclude(person=None).exists(), "all or none"
    link_players(second, SYSTEM, {3: person(first, 3).pk, 4: None})
    assert "Lindqvist" not in str(second.log.get(action="players_linked").data)
    assert Person.objects.count() == 9
    undo_linking(second, SYSTEM)
    assert not second.players.exclude(person=None).exists()
    assert Person.objects.count() == 8, "a person created by the links is deleted"
    assert undoable_linking(second) is None


def test_people_of_a_private_tournament_are_not_proposed_elsewhere(second: Tournament) -> None:
    secret = make_tournament(players=8, drawn=False, name="Secret", public=False)
    link_players(secret, SYSTEM, dict.fromkeys(range(1, 9)))
    organiser = Actor.of(make_organiser(second))
    assert proposals_for([player(second, 3)], organiser) == [()]


class TestPersonOfAPrivateTournament:
    """An organiser of another tournament cannot see them: a link would make name, country and club public."""

    @pytest.fixture
    def secret(self) -> Person:
        event = make_tournament(players=8, drawn=False, name="Secret", public=False)
        link_players(event, SYSTEM, dict.fromkeys(range(1, 9)))
        Person.objects.filter(pk=person(event, 3).pk).update(ema_number="01234567", club="Hidden")
        return person(event, 3)

    @pytest.fixture
    def organiser(self, second: Tournament) -> Actor:
        return Actor.of(make_organiser(second))

    def test_cannot_be_linked(self, secret: Person, second: Tournament, organiser: Actor) -> None:
        assert refused_codes(link_players, second, organiser, {1: secret.pk}) == ["nobody_to_link"]
        assert refused_codes(link_players, second, organiser, {1: 10**6}) == ["nobody_to_link"]
        assert refused_codes(link_player, player(second, 1), organiser, secret) == ["person_gone"]
        assert refused_codes(reject_proposal, player(second, 1), organiser, secret) == ["person_gone"]
        assert not second.players.exclude(person=None).exists()

    def test_cannot_be_merged_or_hidden(self, secret: Person, second: Tournament, organiser: Actor) -> None:
        link_players(second, organiser, {1: None})
        for merged, into in ((secret, person(second, 1)), (person(second, 1), secret)):
            assert refused_codes(merge_people, merged, organiser, into) == ["person_gone"]
        assert refused_codes(set_person_shown, secret, organiser, shown=False) == ["person_gone"]

    def test_is_not_matched_by_number_and_name(
        self, secret: Person, second: Tournament, organiser: Actor
    ) -> None:
        """Neither for a new player nor for a person created from one."""
        same = add_players(second, organiser, [Entrant("Lindqvist", "Björn", "SWE", "01234567")])[0]
        assert same.person_id is None
        link_players(second, organiser, {same.number: None})
        new = person(second, same.number)
        assert (new.ema_number, new.club) == ("01234567", "")
        Person.objects.filter(pk=new.pk).update(ema_number="")
        new.refresh_from_db()
        unlink_player(same, organiser)
        another = make_tournament(players=1, drawn=False, name="Another")
        another.players.update(person=new)
        make_organiser_of(organiser, another)
        link_player(same, organiser, new)
        assert Person.objects.get(pk=new.pk).ema_number == "01234567", "a link copies the number"

    def test_is_not_named_as_a_reason_against_a_merge(
        self, secret: Person, first: Tournament, organiser: Actor
    ) -> None:
        third = make_tournament(players=1, drawn=False, name="Third")
        link_players(third, SYSTEM, {1: None})
        organiser.user.is_superuser = True
        both = [person(first, 1), person(third, 1)]
        for number, known in enumerate(both, 1):
            Player.objects.filter(tournament__name="Secret", number=number).update(person=known)
        assert refused_codes(merge_people, both[0], organiser, both[1]) == ["both_at_a_private_event"]

    def test_is_a_likely_duplicate_for_an_organiser_of_both_tournaments(
        self, secret: Person, second: Tournament, organiser: Actor
    ) -> None:
        same = add_players(second, organiser, [Entrant("Lindqvist", "B.", "SWE", "01234567")])[0]
        link_players(second, organiser, {same.number: None})
        assert likely_duplicates(organiser) == []
        make_organiser_of(organiser, Tournament.objects.get(name="Secret"))
        ((newer, older, reasons),) = likely_duplicates(organiser)
        assert (newer, older, reasons[0]) == (person(second, same.number), secret, Reason.EMA_NUMBER)


def make_organiser_of(organiser: Actor, *events: Tournament) -> None:
    for event in events:
        Membership.objects.create(tournament=event, user=organiser.user, role=Role.ORGANISER)


class TestPersonOfAnotherOrganisersTournament:
    """Everybody sees them and may link them, but only organisers of tournaments they played at may change them."""

    @pytest.fixture
    def known(self, first: Tournament) -> Person:
        return person(first, 3)

    @pytest.fixture
    def organiser(self, second: Tournament) -> Actor:
        link_players(second, SYSTEM, {4: None})
        return Actor.of(make_organiser(second))

    def refused(self, known: Person, second: Tournament, organiser: Actor) -> list[str]:
        """The writes that are forbidden."""
        own = person(second, 4)
        writes: dict[str, Callable[[], object]] = {
            "hide": lambda: set_person_shown(known, organiser, shown=False),
            "show": lambda: set_person_shown(known, organiser, shown=True),
            "merge": lambda: merge_people(known, organiser, own),
            "merge into": lambda: merge_people(own, organiser, known),
        }
        refused = []
        for name, write in writes.items():
            try:
                with transaction.atomic():
                    write()
            except Forbidden:
                refused.append(name)
        return refused

    def test_cannot_be_changed(self, known: Person, second: Tournament, organiser: Actor) -> None:
        assert self.refused(known, second, organiser) == ["hide", "show", "merge", "merge into"]
        assert likely_duplicates(organiser) == search_own_people(organiser, known.last_name) == []

    def test_cannot_be_changed_by_linking_them(
        self, known: Person, second: Tournament, organiser: Actor
    ) -> None:
        """A link gives them no EMA number either. Once they have played here, they are one's own people, too."""
        second.players.filter(number=3).update(ema_number="01234567")
        link_player(player(second, 3), organiser, known)
        known.refresh_from_db()
        assert known.ema_number == ""
        assert self.refused(known, second, organiser) == ["hide", "show", "merge", "merge into"]
        draw_seats(second, SYSTEM, seed="1")
        begin(second, 1)
        Tournament.objects.filter(pk=second.pk).update(is_trial=True)
        assert self.refused(known, second, organiser) == ["hide", "show", "merge", "merge into"]
        Tournament.objects.filter(pk=second.pk).update(is_trial=False)
        assert set_person_shown(known, organiser, shown=False).is_hidden

    def test_cannot_be_changed_by_undoing_a_merge(
        self, known: Person, first: Tournament, second: Tournament, organiser: Actor
    ) -> None:
        change = merge_people(person(second, 4), SYSTEM, known)
        with pytest.raises(Forbidden):
            undo_merge(change, organiser)
        assert recent_merges(organiser) == []
        make_organiser_of(organiser, first)
        undo_merge(change, organiser)

    def test_can_be_changed_by_their_organiser_without_the_right_to_create_tournaments(
        self, known: Person, first: Tournament
    ) -> None:
        olga = Actor.of(make_member(first, Role.ORGANISER, "olga"))
        assert set_person_shown(known, olga, shown=False).is_hidden


def test_only_who_hid_a_person_can_show_them(first: Tournament) -> None:
    """Also after a merge and after undoing it."""
    olga, oleg = (Actor.of(make_organiser(first, name)) for name in ("olga", "oleg"))
    hidden, duplicate = person(first, 3), person(first, 4)
    set_person_shown(hidden, olga, shown=False)
    assert refused_codes(set_person_shown, hidden, oleg, shown=True) == ["hidden_by_somebody_else"]
    Player.objects.filter(person=duplicate).update(person=None)
    duplicate.refresh_from_db()
    second = make_tournament(players=1, drawn=False, name="Second")
    second.players.update(person=duplicate)
    make_organiser_of(oleg, second)
    set_person_shown(duplicate, oleg, shown=False)
    merge_people(hidden, oleg, duplicate)
    assert refused_codes(set_person_shown, duplicate, oleg, shown=True) == ["hidden_by_somebody_else"]
    undo_merge(hidden.changes.get(what="merged"), oleg)
    assert not set_person_shown(duplicate, oleg, shown=True).is_hidden
    assert not set_person_shown(hidden, olga, shown=True).is_hidden


@pytest.fixture
def duplicates(first: Tournament, second: Tournament) -> tuple[Person, Person]:
    """Two people that are the same, the second one created first."""
    link_players(second, SYSTEM, {3: None})
    return person(second, 3), person(first, 3)


def test_a_player_who_may_be_either_of_two_people_is_linked_to_neither(
    duplicates: tuple[Person, Person],
) -> None:
    Person.objects.filter(pk__in=[person.pk for person in duplicates]).update(ema_number="01234567")
    third = make_tournament(players=0, drawn=False, name="Third")
    same = add_players(third, SYSTEM, [Entrant("Lindqvist", "Björn", "SWE", "01234567")])[0]
    assert same.person_id is None
    assert len(proposed(third, same.number)) == 2


def test_merges_are_undone_in_reverse_order(
    first: Tournament, second: Tournament, duplicates: tuple[Person, Person]
) -> None:
    Person.objects.filter(pk=duplicates[0].pk).update(ema_number="01234567")
    change = merge_people(duplicates[0], SYSTEM, duplicates[1])
    assert person(second, 3) == person(first, 3) == duplicates[1]
    ((proposal,),) = proposals_for([Player(last_name="Svensson", ema_number="01234567")], SYSTEM)
    assert proposal.person == duplicates[1], "the merged person is replaced by the remaining one"
    undo_merge(change, SYSTEM)
    undo_merge(change, SYSTEM)
    assert (person(second, 3), person(first, 3)) == duplicates
    third = make_tournament(players=8, drawn=False, name="Third")
    link_players(third, SYSTEM, {3: None})
    older = merge_people(duplicates[0], SYSTEM, duplicates[1])
    newer = merge_people(duplicates[1], SYSTEM, person(third, 3))
    assert refused_codes(undo_merge, older, SYSTEM) == ["merged_since"]
    undo_merge(newer, SYSTEM)
    undo_merge(older, SYSTEM)
    assert not Person.objects.exclude(merged_into=None).exists()


def test_undoing_a_merge_restores_number_and_hidden_state(duplicates: tuple[Person, Person]) -> None:
    """People with different EMA numbers cannot be merged."""
    merged, into = duplicates
    Person.objects.filter(pk=merged.pk).update(ema_number="01234567", is_hidden=True)
    change = merge_people(merged, SYSTEM, into)
    into.refresh_from_db()
    assert (into.ema_number, into.is_hidden) == ("01234567", True)
    undo_merge(change, SYSTEM)
    for person in duplicates:
        person.refresh_from_db()
    assert (into.ema_number, into.is_hidden) == ("", False)
    assert (merged.ema_number, merged.is_hidden) == ("01234567", True)
    for person, number in zip(duplicates, ("01234567", "01234568"), strict=True):
        Person.objects.filter(pk=person.pk).update(ema_number=number)
    assert refused_codes(merge_people, duplicates[0], SYSTEM, duplicates[1]) == ["two_ema_numbers"]


def test_hiding_and_showing_are_stored_as_changes(first: Tournament) -> None:
    somebody = person(first, 3)
    for shown in (False, False, True):
        set_person_shown(somebody, SYSTEM, shown=shown)
    assert [change.what for change in somebody.changes.all()] == ["shown", "hidden", "made"]


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


def test_new_and_changed_players_are_one_log_entry(entered: Tournament) -> None:
    before = entered.log.count()
    enter_list(entered, SYSTEM, [])
    assert entered.log.count() == before, "an empty list writes nothing"
    changes = [
        FieldChange(1, "team", "", "Red"),
        FieldChange(1, "club", "", "Hule"),
        FieldChange(2, "last_name", "Lee", "Leigh"),
    ]
    result = enter_list(entered, SYSTEM, [Entrant("Nowak")], changes)
    assert [player.number for player in result.new] == [3]
    assert [player.number for player in result.changed] == [1, 2]
    assert entered.log.count() == before + 1
    entry = entered.log.latest("seq")
    assert entry.data["changed"][0] == {"player": 1, "fields": ["team", "club"]}
    assert log_words(entered).sentence(entry) == "Entered: Nowak. Changed by a list: Ada Dupont, Bo Leigh."
    ada = entered.players.get(number=1)
    assert (ada.team, ada.club, ada.ema_number) == ("Red", "Hule", "04000123")


def test_players_can_exchange_numbers(entered: Tournament) -> None:
    enter_list(entered, SYSTEM, [], [FieldChange(1, "number", 1, 2), FieldChange(2, "number", 2, 1)])
    assert [player.last_name for player in entered.players.order_by("number")] == ["Lee", "Dupont"]
    result = enter_list(entered, SYSTEM, [Entrant("Nowak", number=1)], [FieldChange(1, "number", 1, 7)])
    assert result.new[0].number == 1


def test_an_invalid_change_refuses_the_whole_list(entered: Tournament) -> None:
    before = list(entered.players.values())
    for change, problem in (
        (FieldChange(1, "team", "Blue", "Red"), ("changed_since", "0.team")),
        (FieldChange(9, "team", "", "Red"), ("changed_since", "0.team")),
        (FieldChange(2, "ema_number", "", "04000123"), ("ema_number_taken", "0.ema_number")),
        (FieldChange(2, "number", 2, 1), ("number_taken", "0.number")),
        (FieldChange(2, "country", "", "XX"), ("unknown_country", "0.country")),
    ):
        assert problems(entered, change, new=Entrant("Nowak")) == [problem]
    red = FieldChange(1, "team", "", "Red")
    assert problems(entered, red, new=Entrant("")) == [("name_missing", "1.last_name")]
    assert list(entered.players.values()) == before


def test_a_list_withdraws_nobody_during_a_session() -> None:
    event = make_tournament(players=8, running=0)
    assert refused_codes(enter_list, event, SYSTEM, [], leaving=[1]) == ["missing_while_playing"]


class TestUndoList:
    def test_restores_everything_once_in_one_entry(self, entered: Tournament) -> None:
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

    def test_refuses_players_changed_since_unless_left_out(self, entered: Tournament) -> None:
        changes = [FieldChange(1, "team", "", "Red"), FieldChange(2, "team", "", "Blue")]
        enter_list(entered, SYSTEM, [], changes)
        ada = entered.players.get(number=1)
        edit_player(edited(ada, team="Green"), SYSTEM)
        stale = refused_problems(undo_list, entered, SYSTEM, newest_list(entered))
        assert stale == [("list_player_changed", "1")]
        undo_list(entered, SYSTEM, newest_list(entered), without=[1])
        assert [player.team for player in entered.players.order_by("number")] == ["Green", ""]
        enter_list(entered, SYSTEM, [], [FieldChange(1, "number", 1, 7)])
        edit_player(edited(entered.players.get(number=2), number=1), SYSTEM)
        taken = refused_problems(undo_list, entered, SYSTEM, newest_list(entered))
        assert taken == [("number_taken", "7")]

    def test_keeps_other_fields_changed_since(self, entered: Tournament) -> None:
        enter_list(entered, SYSTEM, [], [FieldChange(1, "team", "", "Red")])
        ada = entered.players.get(number=1)
        edit_player(edited(ada, club="Hule"), SYSTEM)
        undo_list(entered, SYSTEM, newest_list(entered))
        ada.refresh_from_db()
        assert (ada.team, ada.club) == ("", "Hule")

    def test_refuses_new_players_with_a_seat(self) -> None:
        event = make_tournament(players=7)
        enter_list(event, SYSTEM, [Entrant("Nowak", number=8)])
        draw_seats(event, SYSTEM, seed="x")
        assert refused_codes(undo_list, event, SYSTEM, newest_list(event)) == ["player_has_seats"]

    def test_of_an_erased_player_is_not_possible_and_leaves_no_names(self, entered: Tournament) -> None:
        enter_list(entered, SYSTEM, [], [FieldChange(1, "last_name", "Dupont", "Durand")])
        erase_player(entered.players.get(number=1), SYSTEM, name="Ada Durand")
        assert list_step(entered) is None
        assert "Dupont" not in str([entry.texts for entry in entered.log.all()])
