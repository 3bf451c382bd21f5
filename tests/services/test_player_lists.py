"""A list in one write: the new ones, and what it says otherwise of the others."""

from dataclasses import replace

import pytest

from tests.support.checks import refused_codes, refused_problems
from tests.support.factories import SYSTEM, make_tournament
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant, FieldChange, entrant_of
from tournament.selectors.list_steps import list_step
from tournament.selectors.log_words import log_words
from tournament.services.draw import draw_seats
from tournament.services.erasing import erase_player
from tournament.services.player_lists import enter_list, undo_list
from tournament.services.players import add_players, edit_player

pytestmark = pytest.mark.stored


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
            f"Entry {entry.data['step']}, a list, taken back. As before: Ada Dupont, Bo Lee. "
            "Removed again, by number: 1."
        )
        assert refused_codes(undo_list, entered, SYSTEM, seq) == ["list_step_gone"]

    def test_who_was_changed_since_is_refused_by_name_and_can_be_left(self, entered: Tournament) -> None:
        changes = [FieldChange(1, "team", "", "Red"), FieldChange(2, "team", "", "Blue")]
        enter_list(entered, SYSTEM, [], changes)
        ada = entered.players.get(number=1)
        edit_player(ada, SYSTEM, replace(entrant_of(ada), team="Green"))
        changed = refused_problems(undo_list, entered, SYSTEM, newest_list(entered))
        assert changed == [("list_player_changed", "1")]
        undo_list(entered, SYSTEM, newest_list(entered), without=[1])
        assert [player.team for player in entered.players.order_by("number")] == ["Green", ""]

    def test_another_field_changed_since_stays(self, entered: Tournament) -> None:
        enter_list(entered, SYSTEM, [], [FieldChange(1, "team", "", "Red")])
        ada = entered.players.get(number=1)
        edit_player(ada, SYSTEM, replace(entrant_of(ada), club="Hule"))
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
