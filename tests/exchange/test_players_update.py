"""The event's own list, edited and brought back: who is meant, what differs, what is only done when it is chosen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.exchange.conftest import codes, differences
from tests.support.factories import SYSTEM, make_tournament
from tournament.exchange.players_import import ListImport
from tournament.exchange.players_wish import Reading, Wish
from tournament.exchange.spreadsheets import players_csv, players_sheet
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant
from tournament.selectors.list_steps import list_step
from tournament.services.player_lists import enter_list, undo_list
from tournament.services.players import add_players

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
def event(empty: Tournament) -> Tournament:
    add_players(empty, SYSTEM, PEOPLE)
    return empty


def update(event: Tournament, data: str | bytes, *chosen: str) -> ListImport:
    data = data.encode() if isinstance(data, str) else data
    return ListImport(event, Wish(data, updates=True, reading=Reading(chosen=frozenset(chosen))))


def take(event: Tournament, listed: ListImport) -> None:
    leaving = [entry.player.number for entry in listed.leaving]
    enter_list(event, SYSTEM, listed.entrants, listed.taken, leaving)


def test_the_list_as_it_was_taken_away_says_nothing_new(event: Tournament) -> None:
    """Not even of a name that begins like a formula; marks and titles above do no harm."""
    for mark in ("\ufeff", "Hule Open 2027\n\n", "\ufeffPlayers;;;;;;\n"):
        listed = update(event, mark + ALL.replace("Blue", "Green"))
        assert differences(listed) == [(3, "team", "Blue", "Green")], mark
    for last_name in ("Dupont", "=Dupont"):
        event.players.filter(number=1).update(last_name=last_name)
        for written in (players_csv, players_sheet):
            listed = update(event, written(event.players.all()))
            assert (listed.keys, listed.new, codes(listed)) == ([], [], []), (last_name, written)


class TestWhoIsMeant:
    def test_by_number_then_by_ema_number_then_by_exactly_the_name(self, event: Tournament) -> None:
        assert differences(update(event, HEAD + "1;Durand;Eva;BEL;04000999;Red;Hule\n")) == [
            (1, "last_name", "Dupont", "Durand"),
            (1, "first_name", "Ada", "Eva"),
            (1, "country", "FRA", "BEL"),
            (1, "ema_number", "04000123", "04000999"),
        ]
        by_ema_number = update(event, HEAD + ";Durand;Ada;FRA;04000123;Red;Hule\n")
        assert differences(by_ema_number) == [(1, "last_name", "Dupont", "Durand")]
        by_name = update(event, HEAD + ";王;伟;CHN;21308441;Green;\n")
        assert differences(by_name) == [(3, "team", "Blue", "Green")]
        assert update(event, HEAD + ";dupont;ada;;;;\n").known == []

    def test_what_means_two_players_or_one_twice_is_asked_about(self, event: Tournament) -> None:
        problems = {
            "2;Lee;Bo;GBR;04000123;Red;\n": ("2.number", "keys_disagree"),
            "2;Dupont;Ada;;;;\n": ("2.number", "number_not_of_name"),
            ";Lee;Bo;;;;\n": ("2.number", "name_of_several"),
            ADA + ";Dupont;Ada;BEL;;;\n": ("3.last_name", "row_of_same_player"),
        }
        assert {rows: codes(update(event, HEAD + rows)) for rows in problems} == {
            rows: [problem] for rows, problem in problems.items()
        }


class TestWhatIsOnlyDoneWhenChosen:
    def test_an_empty_cell(self, event: Tournament) -> None:
        """A column that is not there empties nothing."""
        assert update(event, "number,last name\n1,Dupont\n").differences == []
        text = HEAD + "1;Dupont;Ada;FRA;04000123;;\n" + BO + WEI + OTHER
        listed = update(event, text)
        assert differences(listed) == [(1, "team", "Red", ""), (1, "club", "Hule", "")]
        assert not listed.does_something
        take(event, update(event, text, listed.differences[0].key))
        ada = event.players.get(number=1)
        assert (ada.team, ada.club) == ("", "Hule")

    def test_who_is_in_no_row(self, event: Tournament) -> None:
        listed = update(event, HEAD + ADA + BO + WEI)
        assert ([entry.player.number for entry in listed.absent], listed.does_something) == ([4], False)
        take(event, update(event, HEAD + ADA + BO + WEI, listed.absent[0].key))
        assert event.players.get(number=4).is_withdrawn


@pytest.mark.thorough
def test_four_hundred_players(event: Tournament) -> None:
    add_players(event, SYSTEM, [Entrant("Long", f"N{n}", number=n) for n in range(5, 401)])
    data = players_csv(event.players.all()).decode("utf-8-sig").replace("Long", "Lang")
    listed = update(event, data)
    assert len(listed.taken) == 396
    take(event, listed)
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

    @pytest.mark.thorough
    @given(rows=ROWS, data=st.data())
    def test_update_then_undo_is_as_before(self, rows: list[Entrant], data: st.DataObject) -> None:
        before = everybody(self.event)
        if not rows:
            return
        text = HEAD + "".join(
            f"{row.number or ''};{row.last_name};{row.first_name};{row.country};"
            f"{row.ema_number};{row.team};{row.club}\n"
            for row in rows
        )
        listed = update(self.event, text)
        chosen = data.draw(st.lists(st.sampled_from(listed.keys))) if listed.keys else []
        listed = update(self.event, text, *chosen)
        if listed.problems or not listed.does_something:
            return
        take(self.event, listed)
        again = update(self.event, text)
        assert not again.problems, again.problems
        assert (again.new, again.taken) == ([], [])
        step = list_step(self.event)
        assert step is not None
        undo_list(self.event, SYSTEM, step.seq)
        assert everybody(self.event) == before


def everybody(event: Tournament) -> list[tuple[object, ...]]:
    names = ("last_name", "first_name", "country", "ema_number", "team", "club")
    return list(event.players.values_list("pk", "number", *names, "withdrawn_at"))
