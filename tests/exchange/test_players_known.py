"""A list held against the players entered already: who is known, what differs, who may be a namesake."""

import pytest

from tests.support.factories import SYSTEM, make_tournament
from tournament.exchange.players_import import ListImport
from tournament.exchange.players_wish import Reading, Wish
from tournament.exchange.spreadsheets import players_sheet
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant
from tournament.services.players import add_players, withdraw_player

pytestmark = pytest.mark.django_db

ADA = Entrant("DUPONT", "Ada", "FRA", "04000123", "Red", 1)
BO = Entrant("Lee", "Bo", "GBR", "", "Red", 2)
WEI = Entrant("王", "伟", "CHN", "21308441", "Blue", 3)


@pytest.fixture
def entered() -> Tournament:
    event = make_tournament(players=0)
    add_players(event, SYSTEM, [ADA, BO, WEI])
    return event


def held(event: Tournament, text: str, **said: object) -> ListImport:
    return ListImport(event, Wish(text.encode(), reading=Reading(**said)))  # type: ignore[arg-type]


def told(asked: ListImport) -> list[tuple[int, str, object, object]]:
    """(player, field, as it is, as the list has it)."""
    return [(one.player, one.field, one.before, one.after) for one in asked.differences]


def counts(asked: ListImport) -> tuple[int, int, int]:
    return len(asked.known), len(asked.new), len(asked.changed)


def codes(asked: ListImport) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in asked.problems]


HEAD = "No.,Last name,First name,Country,EMA,Team\n"
SAME = HEAD + "1,DUPONT,Ada,FRA,04000123,Red\n2,Lee,Bo,GBR,,Red\n3,王,伟,CHN,21308441,Blue\n"


class TestTheSameListAgain:
    def test_everybody_is_known_and_nothing_is_wrong(self, entered: Tournament) -> None:
        asked = held(entered, SAME)
        assert (counts(asked), told(asked), codes(asked)) == ((3, 0, 0), [], [])
        assert not asked.does_something

    def test_one_thing_changed(self, entered: Tournament) -> None:
        asked = held(entered, SAME.replace("GBR,,Red", "GBR,,Blue"))
        assert (counts(asked), told(asked)) == ((3, 0, 1), [(2, "team", "Red", "Blue")])

    def test_a_difference_that_is_refused_is_not_taken(self, entered: Tournament) -> None:
        text = SAME.replace("GBR,,Red", "IRL,,Blue")
        (country, team) = held(entered, text).differences
        asked = held(entered, text, refused=frozenset([country.key]))
        assert [one.key for one in asked.taken] == [team.key]

    def test_somebody_new_and_somebody_missing(self, entered: Tournament) -> None:
        asked = held(entered, SAME.replace("2,Lee,Bo,GBR", "4,Nowak,Kasia,POL"))
        assert counts(asked) == (2, 1, 0)
        assert [player.number for player in asked.missing] == [2]

    def test_who_withdrew_is_not_missing_and_still_known(self, entered: Tournament) -> None:
        withdraw_player(entered.players.get(number=2), SYSTEM)
        assert counts(held(entered, SAME)) == (3, 0, 0)
        assert held(entered, SAME.replace("2,Lee,Bo,GBR,,Red\n", "")).missing == []

    def test_our_own_sheet(self) -> None:
        event = make_tournament(players=24, drawn=False)
        asked = ListImport(event, Wish(players_sheet(event.players.all()), name="players.xlsx"))
        assert (counts(asked), asked.problems) == ((24, 0, 0), [])

    def test_an_empty_cell_or_column_changes_nothing(self, entered: Tournament) -> None:
        assert told(held(entered, "Name,First name,Team\nDUPONT,Ada,\nLee,Bo,-\n")) == []

    def test_capitals_that_were_taken_back_are_no_difference(self, entered: Tournament) -> None:
        entered.players.filter(number=1).update(last_name="Dupont")
        assert told(held(entered, SAME)) == []

    def test_whole_names_are_recognised(self, entered: Tournament) -> None:
        asked = held(entered, "Name;Country\nAda Dupont;FRA\nLEE Bo;GBR\n王伟;CHN\n")
        assert (counts(asked), told(asked)) == ((3, 0, 0), [])

    def test_a_lost_zero_of_a_known_number_is_no_fault(self, entered: Tournament) -> None:
        asked = held(entered, SAME.replace("04000123", "4000123"))
        assert (counts(asked), codes(asked)) == ((3, 0, 0), [])


class TestWhoIsWho:
    @pytest.mark.parametrize(
        ("row", "player", "field"),
        [
            (",Dupond,Ada,FRA,04000123,Red", 1, "last_name"),
            (",WANG,Wei,CHN,21308441,Blue", 3, "last_name"),
            ("2,Leigh,Bo,GBR,,Red", 2, "last_name"),
            (",Lee,Bo,GBR,05000777,Red", 2, "ema_number"),
            (",Dupont,Ada,BEL,,Red", 1, "country"),
            ("1,Dupont,Ada,FRA,04000321,Red", 1, "ema_number"),
            (",Dupont,Ada,FRA,04000321,Red", 1, "ema_number"),
            ("7,Lee,Bo,GBR,,Red", 2, "number"),
        ],
    )
    def test_what_differs_of_somebody_known(
        self, row: str, player: int, field: str, entered: Tournament
    ) -> None:
        assert (player, field) in {(number, name) for number, name, *_ in told(held(entered, HEAD + row))}

    @pytest.mark.parametrize(
        ("row", "where", "code"),
        [
            (",Nowak,Kasia,POL,04000123,", "2.ema_number", "ema_number_taken"),
            ("1,Nowak,Kasia,POL,,", "2.number", "number_taken"),
            (",Dupont,Ada,BEL,06000001,", "2.last_name", "namesake_entered"),
        ],
    )
    def test_who_is_somebody_else(self, row: str, where: str, code: str, entered: Tournament) -> None:
        asked = held(entered, HEAD + row)
        assert (counts(asked), codes(asked)) == ((0, 1, 0), [(where, code)])

    def test_a_name_says_more_than_a_number(self, entered: Tournament) -> None:
        add_players(entered, SYSTEM, [Entrant("DUPONT", "Bea", "FRA", number=4)])
        asked = held(entered, HEAD + "1,DUPONT,Bea,FRA,,\n4,DUPONT,Ada,FRA,,\n")
        assert told(asked) == [(4, "number", 4, 1), (1, "number", 1, 4)]

    def test_numbers_may_change_hands(self, entered: Tournament) -> None:
        text = SAME.replace("1,DUPONT", "9,DUPONT").replace("2,Lee", "1,Lee").replace("9,DUPONT", "2,DUPONT")
        asked = held(entered, text)
        assert codes(asked) == []
        assert told(asked) == [(1, "number", 1, 2), (2, "number", 2, 1)]

    def test_a_key_says_what_is_taken(self, entered: Tournament) -> None:
        keys = {
            held(entered, SAME.replace("GBR,,Red", f"GBR,,{team}")).differences[0].key
            for team in ("Blue", "Green")
        }
        assert len(keys) == 2


class TestNamesakes:
    TWO = HEAD + ",Jansen,Jan,NLD,,Red\n,JANSEN,Jan,NLD,,Blue\n"

    def test_two_of_one_name_are_asked_about(self, entered: Tournament) -> None:
        asked = held(entered, self.TWO)
        assert codes(asked) == [("3.last_name", "namesake")]
        assert asked.rows[1].problems == (), "it is nobody's mistake"

    @pytest.mark.parametrize(
        "other",
        [",Jansen,Jan,BEL,,Red", ",Jansen,Jan,NLD,06000124,Red", ",Jan Jansen,,,,", ",Jánsen,Jan,NLD,,"],
    )
    def test_also_with_another_country_or_number_or_accent(self, other: str, entered: Tournament) -> None:
        text = HEAD + ",Jansen,Jan,NLD,06000123,Red\n" + other
        assert codes(held(entered, text)) == [("3.last_name", "namesake")]

    def test_they_are_two_persons(self, entered: Tournament) -> None:
        asked = held(entered, self.TWO, apart=frozenset([3]))
        assert (counts(asked), codes(asked)) == ((0, 2, 0), [])

    def test_or_one_is_left_out(self, entered: Tournament) -> None:
        assert codes(held(entered, self.TWO, left_out=frozenset([2]))) == []

    def test_the_same_ema_number_is_the_same_person(self, entered: Tournament) -> None:
        text = HEAD + ",Jansen,Jan,NLD,06000123,\n,Jansen,Jan,NLD,06000123,\n"
        assert codes(held(entered, text)) == [("3.last_name", "row_repeated")]

    def test_confirmed_once_they_are_known_as_two(self, entered: Tournament) -> None:
        two = [Entrant("Jansen", "Jan", "NLD", team="Red"), Entrant("Jansen", "Jan", "NLD", team="Blue")]
        add_players(entered, SYSTEM, two)
        asked = held(entered, self.TWO)
        assert (counts(asked), told(asked), codes(asked)) == ((2, 0, 0), [], [])

    def test_who_is_entered_is_the_one_of_them_who_is_more_alike(self, entered: Tournament) -> None:
        add_players(entered, SYSTEM, [Entrant("Jansen", "Jan", "NLD", team="Blue")])
        asked = held(entered, self.TWO)
        assert [row.player is not None for row in asked.rows] == [False, True]

    def test_one_who_only_shares_the_name_of_somebody_entered(self, entered: Tournament) -> None:
        text = HEAD + ",DUPONT,Ada,BEL,,Red\n"
        (row,) = held(entered, text).rows
        assert (row.is_in_doubt, len(row.differences)) == (True, 1)
        asked = held(entered, text, apart=frozenset([2]))
        assert (counts(asked), codes(asked)) == ((0, 1, 0), [])


def test_what_was_said_of_a_list_comes_back_from_the_page() -> None:
    reading = Reading(
        3,
        ("number", "", "last_name"),
        {(7, "team"): "赤\n"},
        left_out=frozenset([4]),
        kept=frozenset([5]),
        apart=frozenset([6]),
        refused=frozenset(["1.team.0a"]),
        chosen=frozenset(["2.leaves.0b"]),
    )
    wish = Wish(b"\x00\xff", "a.xlsx", "Players", "comma", True, True, reading, {"Cover": Reading()}, True)
    assert Wish.from_json(wish.to_json()) == wish


def test_another_sheet_and_back_loses_nothing() -> None:
    wish = Wish(b"", sheet="A", reading=Reading(heading=3))
    assert wish.of_sheet("B").of_sheet("A") == Wish(
        b"", sheet="A", reading=Reading(heading=3), others={"B": Reading()}
    )
    assert wish.of_sheet("B").reading == Reading()
