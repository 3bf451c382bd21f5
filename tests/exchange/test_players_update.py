"""The event's own list, edited and brought back: who is meant, what differs, what is only done when it is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.support.factories import SYSTEM, make_tournament
from tournament.exchange.players_import import ListImport
from tournament.exchange.players_wish import Reading, Wish
from tournament.exchange.spreadsheets import players_csv, players_sheet
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant
from tournament.selectors.list_steps import list_step
from tournament.services.player_lists import enter_list, undo_list
from tournament.services.players import add_players

pytestmark = pytest.mark.django_db

PEOPLE = [
    Entrant("Dupont", "Ada", "FRA", "04000123", "Red", 1, "Hule"),
    Entrant("Lee", "Bo", "GBR", "", "Red", 2),
    Entrant("王", "伟", "CHN", "21308441", "Blue", 3),
    Entrant("Lee", "Bo", "IRL", "", "", 4),
]
HEAD = "number;last name;first name;country;EMA number;team;club\n"
ADA = "1;Dupont;Ada;FRA;04000123;Red;Hule\n"
BO = "2;Lee;Bo;GBR;;Red;\n"
WEI = "3;王;伟;CHN;21308441;Blue;\n"
OTHER = "4;Lee;Bo;IRL;;;\n"
ALL = HEAD + ADA + BO + WEI + OTHER


@pytest.fixture
def event() -> Tournament:
    made = make_tournament(players=0)
    add_players(made, SYSTEM, PEOPLE)
    return made


def held(event: Tournament, data: str | bytes, *chosen: str) -> ListImport:
    data = data.encode() if isinstance(data, str) else data
    return ListImport(event, Wish(data, updates=True, reading=Reading(chosen=frozenset(chosen))))


def told(asked: ListImport) -> list[tuple[int, str, object, object]]:
    return [(one.player, one.field, one.before, one.after) for one in asked.differences]


def codes(asked: ListImport) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in asked.problems]


def take(event: Tournament, asked: ListImport) -> None:
    enter_list(event, SYSTEM, asked.entrants, asked.taken, [one.player.number for one in asked.leaving])


@pytest.mark.parametrize("written", [players_csv, players_sheet])
def test_the_list_as_it_was_taken_away_says_nothing_new(written: object, event: Tournament) -> None:
    asked = held(event, written(event.players.all()))  # type: ignore[operator]
    assert (asked.keys, asked.new, codes(asked)) == ([], [], [])


def test_a_name_that_begins_like_a_formula_comes_back_as_it_is(event: Tournament) -> None:
    event.players.filter(number=1).update(last_name="=Dupont")
    for data in (players_csv(event.players.all()), players_sheet(event.players.all())):
        asked = held(event, data)
        assert (asked.keys, codes(asked)) == ([], [])


class TestWhoIsMeant:
    def test_the_number_goes_first(self, event: Tournament) -> None:
        asked = held(event, HEAD + "1;Durand;Eva;BEL;04000999;Red;Hule\n")
        assert [one[1:] for one in told(asked)] == [
            ("last_name", "Dupont", "Durand"),
            ("first_name", "Ada", "Eva"),
            ("country", "FRA", "BEL"),
            ("ema_number", "04000123", "04000999"),
        ]

    def test_then_the_ema_number(self, event: Tournament) -> None:
        assert told(held(event, HEAD + ";Durand;Ada;FRA;04000123;Red;Hule\n")) == [
            (1, "last_name", "Dupont", "Durand")
        ]

    def test_then_exactly_the_name(self, event: Tournament) -> None:
        assert told(held(event, HEAD + ";王;伟;CHN;21308441;Green;\n")) == [(3, "team", "Blue", "Green")]
        assert held(event, HEAD + ";dupont;ada;;;;\n").known == []

    def test_number_and_ema_number_of_two_players(self, event: Tournament) -> None:
        assert codes(held(event, HEAD + "2;Lee;Bo;GBR;04000123;Red;\n")) == [("2.number", "keys_disagree")]

    def test_number_and_name_of_two_players(self, event: Tournament) -> None:
        assert codes(held(event, HEAD + "2;Dupont;Ada;;;;\n")) == [("2.number", "number_not_of_name")]

    def test_a_name_that_two_players_have(self, event: Tournament) -> None:
        assert codes(held(event, HEAD + ";Lee;Bo;;;;\n")) == [("2.number", "name_of_several")]

    def test_two_rows_for_one_player(self, event: Tournament) -> None:
        assert codes(held(event, HEAD + ADA + ";Dupont;Ada;BEL;;;\n")) == [
            ("3.last_name", "row_of_same_player")
        ]


class TestWhatIsOnlyDoneWhenChosen:
    def test_an_empty_cell(self, event: Tournament) -> None:
        text = HEAD + "1;Dupont;Ada;FRA;04000123;;\n" + BO + WEI + OTHER
        asked = held(event, text)
        assert told(asked) == [(1, "team", "Red", ""), (1, "club", "Hule", "")]
        assert not asked.does_something
        take(event, held(event, text, asked.differences[0].key))
        ada = event.players.get(number=1)
        assert (ada.team, ada.club) == ("", "Hule")

    def test_a_column_that_is_not_there_empties_nothing(self, event: Tournament) -> None:
        assert held(event, "number,last name\n1,Dupont\n").differences == []

    def test_who_is_in_no_row(self, event: Tournament) -> None:
        asked = held(event, HEAD + ADA + BO + WEI)
        assert ([one.player.number for one in asked.absent], asked.does_something) == ([4], False)
        take(event, held(event, HEAD + ADA + BO + WEI, asked.absent[0].key))
        assert event.players.get(number=4).is_withdrawn


@pytest.mark.parametrize("mark", ["\ufeff", "Hule Open 2027\n\n", "\ufeffPlayers;;;;;;\n"])
def test_marks_and_titles_above_do_no_harm(mark: str, event: Tournament) -> None:
    assert told(held(event, mark + ALL.replace("Blue", "Green"))) == [(3, "team", "Blue", "Green")]


def test_four_hundred_players(event: Tournament) -> None:
    add_players(event, SYSTEM, [Entrant("Long", f"N{n}", number=n) for n in range(5, 401)])
    data = players_csv(event.players.all()).decode("utf-8-sig").replace("Long", "Lang")
    asked = held(event, data)
    assert len(asked.taken) == 396
    take(event, asked)
    undo_list(event, SYSTEM, list_step(event).seq)  # type: ignore[union-attr]
    assert event.players.filter(last_name="Long").count() == 396


WORDS = st.sampled_from(["", "Ada", "Bo", "王", "伟", "Red", "Zoë", "de la Cruz", "Nowak"])
ROWS = st.lists(
    st.builds(
        Entrant,
        last_name=WORDS.filter(bool),
        first_name=WORDS,
        country=st.sampled_from(["", "FRA", "CHN"]),
        ema_number=st.sampled_from(["", "04000123", "21308441", "06000001"]),
        team=WORDS,
        number=st.sampled_from([None, *range(1, 9)]),
        club=WORDS,
    ),
    max_size=6,
)


class EveryUpdate(TestCase):
    """Whatever is sent and chosen: taken twice is taken once, and undone is as before."""

    def setUp(self) -> None:
        super().setUp()
        self.event = make_tournament(players=0)
        add_players(self.event, SYSTEM, PEOPLE)

    @given(rows=ROWS, data=st.data())
    def test_update_then_undo_is_as_before(self, rows: list[Entrant], data: st.DataObject) -> None:
        before = everybody(self.event)
        text = HEAD + "".join(
            f"{one.number or ''};{one.last_name};{one.first_name};{one.country};"
            f"{one.ema_number};{one.team};{one.club}\n"
            for one in rows
        )
        if not rows:
            return
        asked = held(self.event, text)
        chosen = frozenset(data.draw(st.lists(st.sampled_from(asked.keys)))) if asked.keys else frozenset()
        asked = replace(asked, wish=replace(asked.wish, reading=Reading(chosen=chosen)))
        if asked.problems or not asked.does_something:
            return
        take(self.event, asked)
        again = held(self.event, text)
        assert not again.problems, again.problems
        assert (again.new, again.taken) == ([], [])
        step = list_step(self.event)
        assert step is not None
        undo_list(self.event, SYSTEM, step.seq)
        assert everybody(self.event) == before


def everybody(event: Tournament) -> list[tuple[object, ...]]:
    fields = (
        "pk",
        "number",
        "last_name",
        "first_name",
        "country",
        "ema_number",
        "team",
        "club",
        "withdrawn_at",
    )
    return list(event.players.values_list(*fields))
