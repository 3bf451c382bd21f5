"""A list held against the players entered already: who is known, what differs, who may be a namesake."""

import pytest

from tests.exchange.conftest import codes, differences
from tests.support.factories import SYSTEM
from tournament.exchange.players_import import ListImport
from tournament.exchange.players_wish import Reading, Wish
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant
from tournament.services.players import add_players, withdraw_player

HEAD = "No.,Last name,First name,Country,EMA,Team\n"
SAME = HEAD + "1,DUPONT,Ada,FRA,04000123,Red\n2,Lee,Bo,GBR,,Red\n3,王,伟,CHN,21308441,Blue\n"


@pytest.fixture
def entered(empty: Tournament) -> Tournament:
    ada = Entrant("DUPONT", "Ada", "FRA", "04000123", "Red", 1)
    bo = Entrant("Lee", "Bo", "GBR", "", "Red", 2)
    wei = Entrant("王", "伟", "CHN", "21308441", "Blue", 3)
    add_players(empty, SYSTEM, [ada, bo, wei])
    return empty


def imported(event: Tournament, text: str, **reading: object) -> ListImport:
    return ListImport(event, Wish(text.encode(), reading=Reading(**reading)))  # type: ignore[arg-type]


def counts(listed: ListImport) -> tuple[int, int, int]:
    return len(listed.known), len(listed.new), len(listed.changed)


class TestTheSameListAgain:
    def test_what_differs_is_taken_unless_it_is_refused(self, entered: Tournament) -> None:
        listed = imported(entered, SAME.replace("GBR,,Red", "GBR,,Blue"))
        assert (counts(listed), differences(listed)) == ((3, 0, 1), [(2, "team", "Red", "Blue")])
        text = SAME.replace("GBR,,Red", "IRL,,Blue")
        (country, team) = imported(entered, text).differences
        refused = imported(entered, text, refused=frozenset([country.key]))
        assert [entry.key for entry in refused.taken] == [team.key]
        texts = [SAME.replace("GBR,,Red", f"GBR,,{team}") for team in ("Blue", "Green")]
        assert len({imported(entered, text).differences[0].key for text in texts}) == 2

    def test_who_withdrew_is_not_missing_and_still_known(self, entered: Tournament) -> None:
        listed = imported(entered, SAME.replace("2,Lee,Bo,GBR", "4,Nowak,Kasia,POL"))
        assert counts(listed) == (2, 1, 0)
        assert [player.number for player in listed.missing] == [2]
        withdraw_player(entered.players.get(number=2), SYSTEM)
        assert counts(imported(entered, SAME)) == (3, 0, 0)
        assert imported(entered, SAME.replace("2,Lee,Bo,GBR,,Red\n", "")).missing == []

    def test_another_way_of_writing_is_no_difference(self, entered: Tournament) -> None:
        """Empty cells and columns, whole names, a zero that a sheet has lost, capitals that were taken back."""
        lists = {
            SAME: 3,
            "Name,First name,Team\nDUPONT,Ada,\nLee,Bo,-\n": 2,
            "Name;Country\nAda Dupont;FRA\nLEE Bo;GBR\n王伟;CHN\n": 3,
            SAME.replace("04000123", "4000123"): 3,
        }
        for text, known in lists.items():
            listed = imported(entered, text)
            assert (counts(listed), differences(listed), codes(listed)) == ((known, 0, 0), [], []), text
            assert not listed.does_something
        entered.players.filter(number=1).update(last_name="Dupont")
        assert differences(imported(entered, SAME)) == []


class TestWhoIsWho:
    def test_what_differs_of_somebody_known(self, entered: Tournament) -> None:
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
        found = {row: differences(imported(entered, HEAD + row)) for row in expected}
        assert [row for row in expected if expected[row] not in {entry[:2] for entry in found[row]}] == []

    def test_who_is_somebody_else(self, entered: Tournament) -> None:
        expected = {
            ",Nowak,Kasia,POL,04000123,": ("2.ema_number", "ema_number_taken"),
            "1,Nowak,Kasia,POL,,": ("2.number", "number_taken"),
            ",Dupont,Ada,BEL,06000001,": ("2.last_name", "namesake_entered"),
        }
        for row, problem in expected.items():
            listed = imported(entered, HEAD + row)
            assert (counts(listed), codes(listed)) == ((0, 1, 0), [problem])

    def test_a_name_says_more_than_a_number(self, entered: Tournament) -> None:
        """Numbers may change hands."""
        text = SAME.replace("1,DUPONT", "9,DUPONT").replace("2,Lee", "1,Lee").replace("9,DUPONT", "2,DUPONT")
        swapped = imported(entered, text)
        assert codes(swapped) == []
        assert differences(swapped) == [(1, "number", 1, 2), (2, "number", 2, 1)]
        add_players(entered, SYSTEM, [Entrant("DUPONT", "Bea", "FRA", number=4)])
        listed = imported(entered, HEAD + "1,DUPONT,Bea,FRA,,\n4,DUPONT,Ada,FRA,,\n")
        assert differences(listed) == [(4, "number", 4, 1), (1, "number", 1, 4)]


class TestNamesakes:
    TWO = HEAD + ",Jansen,Jan,NLD,,Red\n,JANSEN,Jan,NLD,,Blue\n"

    def test_two_of_one_name_are_asked_about(self, entered: Tournament) -> None:
        """Until they are said to be two persons, or one of them is left out."""
        listed = imported(entered, self.TWO)
        assert codes(listed) == [("3.last_name", "namesake")]
        assert listed.rows[1].problems == (), "it is nobody's mistake"
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
        text = HEAD + ",Jansen,Jan,NLD,06000123,Red\n"
        found = {row: codes(imported(entered, text + row)) for row in rows}
        assert found == {row: [("3.last_name", code)] for row, code in rows.items()}

    def test_who_is_entered_is_the_one_of_them_who_is_more_alike(self, entered: Tournament) -> None:
        """Confirmed once they are known as two."""
        red, blue = (Entrant("Jansen", "Jan", "NLD", team=team) for team in ("Red", "Blue"))
        add_players(entered, SYSTEM, [blue])
        assert [row.player is not None for row in imported(entered, self.TWO).rows] == [False, True]
        add_players(entered, SYSTEM, [red])
        listed = imported(entered, self.TWO)
        assert (counts(listed), differences(listed), codes(listed)) == ((2, 0, 0), [], [])

    def test_one_who_only_shares_the_name_of_somebody_entered(self, entered: Tournament) -> None:
        text = HEAD + ",DUPONT,Ada,BEL,,Red\n"
        (row,) = imported(entered, text).rows
        assert (row.is_in_doubt, len(row.differences)) == (True, 1)
        listed = imported(entered, text, apart=frozenset([2]))
        assert (counts(listed), codes(listed)) == ((0, 1, 0), [])


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
    # Another sheet and back loses nothing.
    first = Wish(b"", sheet="A", reading=Reading(heading=3))
    second = first.of_sheet("B")
    assert second.reading == Reading()
    back = Wish(b"", sheet="A", reading=Reading(heading=3), others={"B": Reading()})
    assert second.of_sheet("A") == back
