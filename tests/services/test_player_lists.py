"""A list in one write: the new ones, and what it says otherwise of the others."""

from dataclasses import replace

import pytest

from tests.support.factories import SYSTEM, make_tournament, make_user
from tournament.access import Actor
from tournament.errors import Forbidden, Refused
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant, FieldChange, entrant_of
from tournament.selectors.list_steps import list_step
from tournament.selectors.log_words import log_words
from tournament.services.draw import draw_seats
from tournament.services.erasing import erase_player
from tournament.services.player_lists import enter_list, undo_list
from tournament.services.players import add_players, edit_player
from tournament.services.sessions import start_session

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


class TestTheNewestListTakenBack:
    def seq(self, event: Tournament) -> int:
        step = list_step(event)
        return step.seq if step else 0

    def test_everything_is_as_before_in_one_entry(self, entered: Tournament) -> None:
        enter_list(
            entered,
            SYSTEM,
            [Entrant("Nowak", number=1)],
            [FieldChange(1, "number", 1, 7), FieldChange(1, "team", "", "Red")],
            leaving=[2],
        )
        before = entered.log.count()
        undo_list(entered, SYSTEM, self.seq(entered))
        ada, bo = entered.players.order_by("number")
        assert (ada.number, ada.last_name, ada.team, bo.is_withdrawn) == (1, "Dupont", "", False)
        entry = entered.log.latest("seq")
        assert entered.log.count() == before + 1
        assert log_words(entered).sentence(entry) == (
            f"Entry {entry.data['step']}, a list, taken back. As before: Ada Dupont, Bo Lee. "
            "Removed again, by number: 1."
        )

    def test_it_is_undone_once(self, entered: Tournament) -> None:
        enter_list(entered, SYSTEM, [Entrant("Nowak")])
        seq = self.seq(entered)
        undo_list(entered, SYSTEM, seq)
        with pytest.raises(Refused) as caught:
            undo_list(entered, SYSTEM, seq)
        assert [problem.code for problem in caught.value.problems] == ["list_step_gone"]

    def test_who_was_changed_since_is_refused_by_name_and_can_be_left(self, entered: Tournament) -> None:
        changes = [FieldChange(1, "team", "", "Red"), FieldChange(2, "team", "", "Blue")]
        enter_list(entered, SYSTEM, [], changes)
        ada = entered.players.get(number=1)
        edit_player(ada, SYSTEM, replace(entrant_of(ada), team="Green"))
        with pytest.raises(Refused) as caught:
            undo_list(entered, SYSTEM, self.seq(entered))
        assert [(one.code, one.where) for one in caught.value.problems] == [("list_player_changed", "1")]
        undo_list(entered, SYSTEM, self.seq(entered), without=[1])
        assert [player.team for player in entered.players.order_by("number")] == ["Green", ""]

    def test_another_field_changed_since_stays(self, entered: Tournament) -> None:
        enter_list(entered, SYSTEM, [], [FieldChange(1, "team", "", "Red")])
        ada = entered.players.get(number=1)
        edit_player(ada, SYSTEM, replace(entrant_of(ada), club="Hule"))
        undo_list(entered, SYSTEM, self.seq(entered))
        ada.refresh_from_db()
        assert (ada.team, ada.club) == ("", "Hule")

    def test_who_came_in_with_it_and_has_a_seat_keeps_it(self) -> None:
        event = make_tournament(players=7)
        enter_list(event, SYSTEM, [Entrant("Nowak", number=8)])
        draw_seats(event, SYSTEM, seed="x")
        with pytest.raises(Refused) as caught:
            undo_list(event, SYSTEM, self.seq(event))
        assert [problem.code for problem in caught.value.problems] == ["player_has_seats"]

    def test_somebody_erased_takes_the_names_of_the_list_along(self, entered: Tournament) -> None:
        enter_list(entered, SYSTEM, [], [FieldChange(1, "last_name", "Dupont", "Durand")])
        erase_player(entered.players.get(number=1), SYSTEM, name="Ada Durand")
        assert list_step(entered) is None
        assert "Dupont" not in str([entry.texts for entry in entered.log.all()])


def test_nothing_asked_is_no_write(entered: Tournament) -> None:
    before = entered.log.count()
    enter_list(entered, SYSTEM, [])
    assert entered.log.count() == before


def test_nobody_is_withdrawn_by_a_list_while_a_session_is_played() -> None:
    event = make_tournament(players=8)
    draw_seats(event, SYSTEM, seed="x")
    start_session(event.sessions.get(number=1), SYSTEM)
    with pytest.raises(Refused) as caught:
        enter_list(event, SYSTEM, [], leaving=[1])
    assert [problem.code for problem in caught.value.problems] == ["missing_while_playing"]
