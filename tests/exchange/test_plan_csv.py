"""Plans of seats as CSV: every problem at once, each with its line."""

import pytest

from tests.support.factories import make_tournament
from tournament.exchange.plan_csv import read_plan, write_plan
from tournament.models import Player
from tournament.selectors.seatings import seats_of_all


@pytest.fixture
def people() -> list[Player]:
    return list(make_tournament(players=8, sessions=2).players.all())


def problems(text: str, people: list[Player]) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in read_plan(text.encode(), people).problems]


def test_what_is_written_is_read_again(people: list[Player]) -> None:
    plan = seats_of_all(people[0].tournament)
    assert read_plan(write_plan(plan).encode(), people).tables() == {1: plan[0], 2: plan[1]}


def test_players_may_be_named(people: list[Player]) -> None:
    text = "Session;Tisch;Ost;Süd;West;Nord\n1;2;Mātīss Bērziņš;张静;björn lindqvist;4\n1;1;5;6;7;8\n"
    plan = read_plan(text.encode(), people)
    assert not plan.problems
    assert plan.tables()[1][1] == {"E": 1, "S": 2, "W": 3, "N": 4}


def test_everything_wrong_is_said_with_its_line(people: list[Player]) -> None:
    text = "session,table,E,S,W,N\n1,1,1,2,3,4\n1,2,5,6,7,1\n1,2,8,99,nobody,5\n2,x,1,2,3,4\n2,1,1,2\n"
    assert sorted(problems(text, people)) == [
        ("line 3", "seated_twice_in"),
        ("line 4", "plan_name_unknown"),
        ("line 4", "plan_table_twice"),
        ("line 4", "seated_twice_in"),
        ("line 4", "unknown_player"),
        ("line 5", "plan_not_number"),
        ("line 6", "plan_line_short"),
    ]


def test_tables_left_out_and_names_of_two_are_told(people: list[Player]) -> None:
    left_out = read_plan(b"1,1,1,2,3,4\n1,3,5,6,7,8\n2,1,1,2,3,4\n", people).problems
    assert [(problem.code, problem.params.get("table")) for problem in left_out] == [
        ("plan_table_missing", 2)
    ]
    people[1].last_name, people[1].first_name = people[0].last_name, people[0].first_name
    assert ("line 1", "plan_name_shared") in problems("1,1,Mātīss Bērziņš,2,3,4\n", people)
