"""A list held against the players entered already: who is known, what differs, who is a namesake, what it changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, edited, list_file, make_tournament
from tests.support.player_lists import codes, differences
from tournament.base.models.tournament import Tournament
from tournament.players.exports.lists import PLAYER_LIST
from tournament.players.selectors.players import Entrant, FieldChange, list_step
from tournament.players.services.players import (
    add_players,
    edit_player,
    enter_list,
    undo_list,
    withdraw_player,
)
from tournament.roster.engine import EnterAs
from tournament.roster.exports.list_import import ListImport, ListInput, Reading

HEADINGS = "No.,Last name,First name,Country,EMA,Team\n"
SAME = HEADINGS + "1,DUPONT,Ada,FRA,04000123,Red\n2,Lee,Bo,GBR,,Red\n3,王,伟,CHN,21308441,Blue\n"


@pytest.fixture
def entered(empty_event: Tournament) -> Tournament:
    ada = Entrant("DUPONT", "Ada", "FRA", "04000123", "Red", 1)
    bo = Entrant("Lee", "Bo", "GBR", "", "Red", 2)
    wei = Entrant("王", "伟", "CHN", "21308441", "Blue", 3)
    add_players(empty_event, SYSTEM, [ada, bo, wei])
    return empty_event


def imported(event: Tournament, text: str, **reading: object) -> ListImport:
    return ListImport(event, ListInput(text.encode(), reading=Reading(**reading)))  # type: ignore[arg-type]


def counts(list_import: ListImport) -> tuple[int, int, int]:
    return len(list_import.known), len(list_import.new), len(list_import.changed)


class TestTheSameListAgain:
    def test_differences_are_applied_unless_refused(self, entered: Tournament) -> None:
        list_import = imported(entered, SAME.replace("GBR,,Red", "GBR,,Blue"))
        assert (counts(list_import), differences(list_import)) == ((3, 0, 1), [(2, "team", "Red", "Blue")])
        text = SAME.replace("GBR,,Red", "IRL,,Blue")
        (country, team) = imported(entered, text).differences
        refused = imported(entered, text, refused=frozenset([country.key]))
        assert [entry.key for entry in refused.taken] == [team.key]
        texts = [SAME.replace("GBR,,Red", f"GBR,,{team}") for team in ("Blue", "Green")]
        assert len({imported(entered, text).differences[0].key for text in texts}) == 2

    def test_a_withdrawn_player_is_not_missing_and_still_matched(self, entered: Tournament) -> None:
        list_import = imported(entered, SAME.replace("2,Lee,Bo,GBR", "4,Nowak,Kasia,POL"))
        assert counts(list_import) == (2, 1, 0)
        assert [player.number for player in list_import.missing] == [2]
        withdraw_player(entered.players.get(number=2), SYSTEM)
        assert counts(imported(entered, SAME)) == (3, 0, 0)
        assert imported(entered, SAME.replace("2,Lee,Bo,GBR,,Red\n", "")).missing == []

    def test_a_number_counts_if_a_word_of_the_name_is_the_same_in_any_spelling(
        self, empty_event: Tournament
    ) -> None:
        add_players(empty_event, SYSTEM, [Entrant("Müller", "Jürgen", number=7)])
        assert counts(imported(empty_event, "No.,Surname,First name\n7,Mueller,J.\n")) == (1, 0, 1)

    def test_another_spelling_is_no_difference(self, entered: Tournament) -> None:
        """Empty cells and columns, whole names, a zero that a sheet has lost, capitals that were taken back."""
        lists = {
            SAME: 3,
            "Name,First name,Team\nDUPONT,Ada,\nLee,Bo,-\n": 2,
            "Name;Country\nAda DUPONT;FRA\nLEE Bo;GBR\n王伟;CHN\n": 3,
            SAME.replace("04000123", "4000123"): 3,
        }
        for text, known in lists.items():
            list_import = imported(entered, text)
            assert (counts(list_import), differences(list_import), codes(list_import)) == (
                (known, 0, 0),
                [],
                [],
            ), text
            assert not list_import.has_effect
        entered.players.filter(number=1).update(last_name="Dupont")
        assert differences(imported(entered, SAME)) == []
        add_players(entered, SYSTEM, [Entrant("Møller-Ørsted", "Jean Luc")])
        assert counts(imported(entered, "Name\nJean-Luc Moller Orsted\n")) == (1, 0, 0)


class TestMatching:
    def test_differences_of_a_known_player(self, entered: Tournament) -> None:
        expected = {
            ",Dupond,Ada,FRA,04000123,Red": (1, "last_name"),
            ",WANG,Wei,CHN,21308441,Blue": (3, "last_name"),
            "2,Leigh,Bo,GBR,,Red": (2, "last_name"),
            ",Lee,Bo,GBR,05000777,Red": (2, "ema_number"),
            ",Dupont,Ada,BEL,,Red": (1, "country"),
            "1,Dupont,Ada,FRA,04000321,Red": (1, "ema_number"),
            ",Dupont,Ada,FRA,04000321,Red": (1, "ema_number"),
            "7,Lee,Bo,GBR,,Red": (2, "number"),
        }
        by_row = {row: differences(imported(entered, HEADINGS + row)) for row in expected}
        assert [row for row in expected if expected[row] not in {entry[:2] for entry in by_row[row]}] == []

    def test_rows_of_other_people(self, entered: Tournament) -> None:
        expected = {
            ",Nowak,Kasia,POL,04000123,": ("2.ema_number", "ema_number_taken"),
            "1,Nowak,Kasia,POL,,": ("2.number", "number_taken"),
            ",Dupont,Ada,BEL,06000001,": ("2.last_name", "namesake_entered"),
            "1,李,娜,CHN,,Blue": ("2.number", "number_taken"),
        }
        for row, problem in expected.items():
            list_import = imported(entered, HEADINGS + row)
            assert (counts(list_import), codes(list_import)) == ((0, 1, 0), [problem])

    def test_an_ema_number_matches_together_with_the_country(self, entered: Tournament) -> None:
        """In another script a name cannot be compared."""
        assert differences(imported(entered, HEADINGS + "3,WANG,Wei,CHN,,Blue\n")) == [
            (3, "last_name", "王", "WANG"),
            (3, "first_name", "伟", "Wei"),
        ]

    def test_a_name_outweighs_a_number(self, entered: Tournament) -> None:
        """Numbers may change hands."""
        text = SAME.replace("1,DUPONT", "9,DUPONT").replace("2,Lee", "1,Lee").replace("9,DUPONT", "2,DUPONT")
        swapped = imported(entered, text)
        assert codes(swapped) == []
        assert differences(swapped) == [(1, "number", 1, 2), (2, "number", 2, 1)]
        add_players(entered, SYSTEM, [Entrant("DUPONT", "Bea", "FRA", number=4)])
        list_import = imported(entered, HEADINGS + "1,DUPONT,Bea,FRA,,\n4,DUPONT,Ada,FRA,,\n")
        assert differences(list_import) == [(4, "number", 4, 1), (1, "number", 1, 4)]


class TestNamesakes:
    TWO = HEADINGS + ",Jansen,Jan,NLD,,Red\n,JANSEN,Jan,NLD,,Blue\n"

    def test_two_rows_of_one_name_are_a_question(self, entered: Tournament) -> None:
        """Until they are said to be two persons, or one of them is left out."""
        list_import = imported(entered, self.TWO)
        assert codes(list_import) == [("3.last_name", "namesake")]
        assert list_import.rows[1].problems == (), "it is nobody's mistake"
        apart = imported(entered, self.TWO, apart=frozenset([3]))
        assert (counts(apart), codes(apart)) == ((0, 2, 0), [])
        assert codes(imported(entered, self.TWO, left_out=frozenset([2]))) == []

    def test_also_with_another_country_or_number_or_accent(self, entered: Tournament) -> None:
        rows = {
            ",Jansen,Jan,BEL,,Red": "namesake",
            ",Jansen,Jan,NLD,06000124,Red": "namesake",
            ",Jan Jansen,,,,": "namesake",
            ",Jánsen,Jan,NLD,,": "namesake",
            ",Jansen,Jan,NLD,06000123,": "row_repeated",  # one EMA number is one person
        }
        text = HEADINGS + ",Jansen,Jan,NLD,06000123,Red\n"
        by_row = {row: codes(imported(entered, text + row)) for row in rows}
        assert by_row == {row: [("3.last_name", code)] for row, code in rows.items()}

    def test_the_more_similar_namesake_is_matched(self, entered: Tournament) -> None:
        """Confirmed once they are known as two."""
        red, blue = (Entrant("Jansen", "Jan", "NLD", team=team) for team in ("Red", "Blue"))
        add_players(entered, SYSTEM, [blue])
        assert [row.player is not None for row in imported(entered, self.TWO).rows] == [False, True]
        add_players(entered, SYSTEM, [red])
        list_import = imported(entered, self.TWO)
        assert (counts(list_import), differences(list_import), codes(list_import)) == ((2, 0, 0), [], [])

    def test_a_row_that_only_shares_a_players_name(self, entered: Tournament) -> None:
        text = HEADINGS + ",DUPONT,Ada,BEL,,Red\n"
        (row,) = imported(entered, text).rows
        assert (row.is_in_doubt, len(row.differences)) == (True, 1)
        list_import = imported(entered, text, apart=frozenset([2]))
        assert (counts(list_import), codes(list_import)) == ((0, 1, 0), [])


def test_choices_about_a_list_come_back_from_the_page() -> None:
    reading = Reading(
        3,
        ("number", "", "last_name"),
        {(7, "team"): "赤\n"},
        left_out=frozenset([4]),
        included=frozenset([5]),
        apart=frozenset([6]),
        swapped=frozenset([7]),
        refused=frozenset(["1.team.0a"]),
        chosen=frozenset(["2.leaves.0b"]),
    )
    list_input = ListInput(
        b"\x00\xff",
        "a.xlsx",
        "Players",
        "cp1250",
        "last_first",
        True,
        True,
        reading,
        {"Cover": Reading()},
        True,
        EnterAs.REGISTRATIONS,
    )
    assert ListInput.from_json(list_input.to_json()) == list_input
    # Another sheet and back loses nothing.
    first = ListInput(b"", sheet="A", reading=Reading(heading=3))
    second = first.of_sheet("B")
    assert second.reading == Reading()
    back = ListInput(b"", sheet="A", reading=Reading(heading=3), others={"B": Reading()})
    assert second.of_sheet("A") == back


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
def event(empty_event: Tournament) -> Tournament:
    add_players(empty_event, SYSTEM, PEOPLE)
    return empty_event


def update(event: Tournament, data: str | bytes, *chosen: str) -> ListImport:
    data = data.encode() if isinstance(data, str) else data
    return ListImport(event, ListInput(data, updates=True, reading=Reading(chosen=frozenset(chosen))))


def take(event: Tournament, list_import: ListImport) -> None:
    leaving = [entry.player.number for entry in list_import.leaving]
    enter_list(event, SYSTEM, list_import.entrants, list_import.taken, leaving)


def test_the_exported_list_has_no_differences(event: Tournament) -> None:
    """Not even of a name that begins like a formula; marks and titles above do no harm."""
    for mark in ("\ufeff", "Hule Open 2027\n\n", "\ufeffPlayers;;;;;;\n"):
        list_import = update(event, mark + ALL.replace("Blue", "Green"))
        assert differences(list_import) == [(3, "team", "Blue", "Green")], mark
    for last_name in ("Dupont", "=Dupont"):
        event.players.filter(number=1).update(last_name=last_name)
        for form in ("csv", "xlsx"):
            list_import = update(event, list_file(PLAYER_LIST, event, form))
            assert (list_import.keys, list_import.new, codes(list_import)) == ([], [], []), (last_name, form)


class TestMatchingByKeys:
    def test_rows_match_by_number_then_ema_number_then_exact_name(self, event: Tournament) -> None:
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

    def test_ambiguous_matches_are_problems(self, event: Tournament) -> None:
        problems = {
            "2;Lee;Bo;GBR;04000123;Red;\n": ("2.number", "keys_disagree"),
            "2;Dupont;Ada;;;;\n": ("2.number", "number_not_of_name"),
            "1;王;小伟;CHN;;Red;Peking\n": ("2.number", "number_of_another"),
            ";Lee;Bo;;;;\n": ("2.number", "name_of_several"),
            ADA + ";Dupont;Ada;BEL;;;\n": ("3.last_name", "row_of_same_player"),
        }
        assert {rows: codes(update(event, HEAD + rows)) for rows in problems} == {
            rows: [problem] for rows, problem in problems.items()
        }


class TestDifferencesToChoose:
    def test_an_empty_cell(self, event: Tournament) -> None:
        """A column that is not there empties nothing."""
        assert update(event, "number,last name\n1,Dupont\n").differences == []
        text = HEAD + "1;Dupont;Ada;FRA;04000123;;\n" + BO + WEI + OTHER
        list_import = update(event, text)
        assert differences(list_import) == [(1, "team", "Red", ""), (1, "club", "Hule", "")]
        assert not list_import.has_effect
        take(event, update(event, text, list_import.differences[0].key))
        ada = event.players.get(number=1)
        assert (ada.team, ada.club) == ("", "Hule")

    def test_what_players_do_not_have_is_no_difference(self, event: Tournament) -> None:
        rows = "number;last name;e-mail;message\n1;Durand;ada@example.org;Vegan\n"
        assert differences(update(event, rows)) == [(1, "last_name", "Dupont", "Durand")]

    def test_a_player_in_no_row(self, event: Tournament) -> None:
        list_import = update(event, HEAD + ADA + BO + WEI)
        assert ([entry.player.number for entry in list_import.absent], list_import.has_effect) == ([4], False)
        take(event, update(event, HEAD + ADA + BO + WEI, list_import.absent[0].key))
        assert event.players.get(number=4).is_withdrawn


@pytest.mark.thorough
def test_four_hundred_players(event: Tournament) -> None:
    add_players(event, SYSTEM, [Entrant("Long", f"N{n}", number=n) for n in range(5, 401)])
    data = list_file(PLAYER_LIST, event, "csv").decode("utf-8-sig").replace("Long", "Lang")
    list_import = update(event, data)
    assert len(list_import.taken) == 396
    take(event, list_import)
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
        list_import = update(self.event, text)
        chosen = data.draw(st.lists(st.sampled_from(list_import.keys))) if list_import.keys else []
        list_import = update(self.event, text, *chosen)
        if list_import.problems or not list_import.has_effect:
            return
        take(self.event, list_import)
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


def test_a_number_stays_once_its_player_has_begun_to_play() -> None:
    """Hands, penalties and totals name players by their numbers; one more player, who has not played, may change."""
    event = make_tournament(players=4, running=0)
    (newcomer,) = add_players(event, SYSTEM, [Entrant("New", "Ada")])
    player = event.players.get(number=1)
    assert refused_codes(edit_player, edited(player, number=9), SYSTEM) == ["number_fixed"]
    swapped = [FieldChange(1, "number", 1, 2), FieldChange(2, "number", 2, 1)]
    assert refused_codes(enter_list, event, SYSTEM, [], swapped) == ["number_fixed"] * 2
    assert edit_player(edited(newcomer, number=9), SYSTEM).number == 9
