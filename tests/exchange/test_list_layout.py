"""Where a list stands in a file: lists as organisers have them, with titles, several sheets, legends, merged cells."""

import io
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from tests.support.factories import make_tournament
from tournament.errors import Refused
from tournament.exchange.headings import field_of
from tournament.exchange.plan_csv import read_plan
from tournament.exchange.players_check import check
from tournament.exchange.players_csv import PlayerList, read_list
from tournament.exchange.sheets import MOST_LINES

HEADED: list[object] = ["No.", "SURNAME", "First name", "Country", "Team"]
PEOPLE = [
    [1, "DUPONT", "Ada", "FRA", "Red"],
    [2, "LEE", "Bo", "GBR", "Red"],
    [3, "BERG", "Cai", "NLD", "Blue"],
]
TITLE: list[object] = ["Danish Open 2026, 1–3 May, Copenhagen"]


def book(sheets: Mapping[str, Sequence[Sequence[object]]], *, merged: str = "", hidden: str = "") -> bytes:
    made = Workbook()
    made.remove(made.worksheets[0])
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        if name == hidden:
            sheet.sheet_state = "hidden"
    if merged:
        made.worksheets[0].merge_cells(merged)
    kept = io.BytesIO()
    made.save(kept)
    return kept.getvalue()


def names(listed: PlayerList) -> list[tuple[str, str]]:
    said = [listed.cells(line) for line in listed.lines if line.number not in listed.notes]
    return [(one["last_name"], one["first_name"]) for one in said]


THREE = [("DUPONT", "Ada"), ("LEE", "Bo"), ("BERG", "Cai")]


def as_csv(*rows: Sequence[object], separator: str = ",") -> bytes:
    return "\n".join(separator.join(map(str, row)) for row in rows).encode()


class TestTitles:
    @pytest.mark.parametrize("separator", [",", ";", "\t"])
    @pytest.mark.parametrize(
        "above",
        [
            [TITLE],
            [TITLE, [], ["Updated", "2026-04-30"]],
            [["Players"], []],
            [["Club", "Hule"], TITLE],
            [["", "", "as of 1 May"], [""]],
        ],
    )
    def test_headings_are_found_below_titles(self, above: list[list[object]], separator: str) -> None:
        listed = read_list(as_csv(*above, HEADED, *PEOPLE, separator=separator))
        assert (listed.heading, names(listed)) == (len(above) + 1, THREE)
        assert listed.columns[-1] == "team"

    def test_a_title_without_any_headings_is_nobody(self) -> None:
        listed = read_list(as_csv(TITLE, [], *PEOPLE, separator=";"))
        assert (listed.heading, names(listed)) == (0, THREE)

    def test_a_legend_below_is_nobody_until_somebody_says_otherwise(self) -> None:
        legend = [[], ["* vegetarian"], ["Total: 3"]]
        listed = read_list(as_csv(HEADED, *PEOPLE, *legend))
        assert listed.notes == {6, 7}
        assert len(listed.lines) == 5, "nothing is lost"

    def test_somebody_of_whom_only_a_name_is_known_is_no_legend(self) -> None:
        listed = read_list(as_csv(HEADED, *PEOPLE[:2], ["", "KASIA"], PEOPLE[2]))
        assert listed.notes == frozenset()

    def test_in_a_narrow_list_one_cell_is_a_person(self) -> None:
        listed = read_list(as_csv(["Name", "Country"], ["Ada", "FRA"], [], ["Bo"]))
        assert len(names(listed)) == 2

    def test_headings_repeated_on_each_page_are_nobody(self) -> None:
        assert names(read_list(as_csv(HEADED, *PEOPLE[:2], HEADED, PEOPLE[2]))) == THREE

    def test_headings_in_two_rows(self) -> None:
        listed = read_list(
            as_csv(["No.", "Name", "", "Country"], ["", "Surname", "First name", "Country"], *PEOPLE)
        )
        assert (listed.heading, names(listed)) == (2, THREE)

    def test_a_heading_over_both_names(self) -> None:
        assert names(read_list(as_csv(["No.", "Name", "", "Country", "Team"], *PEOPLE))) == THREE

    @pytest.mark.parametrize(
        ("heading", "field"),
        [
            ("Nom / Surname", "last_name"),
            ("姓 Surname", "last_name"),
            ("First name (as on the EMA card)", "first_name"),
            ("国家/Country", "country"),
            ("EMA-Nr. (8 digits)", "ema_number"),
            ("Surname, First name", "last_name"),
            ("Imię i nazwisko", "last_name"),
            ("Diet", ""),
        ],
    )
    def test_headings_in_two_languages_or_with_a_remark(self, heading: str, field: str) -> None:
        assert field_of(heading) == field

    def test_the_row_of_headings_as_somebody_says(self) -> None:
        listed = read_list(as_csv(HEADED, PEOPLE[0], ["a", "b"], *PEOPLE[1:]), heading=2)
        assert (listed.heading, len(listed.lines)) == (2, 3)
        assert len(read_list(as_csv(HEADED, *PEOPLE), heading=0).lines) == 4

    def test_headings_under_which_nobody_stands(self) -> None:
        with pytest.raises(Refused):
            read_list(as_csv(HEADED, *PEOPLE), heading=4)


class TestSheets:
    COVER: list[list[object]] = [
        TITLE,
        [],
        ["Organiser", "Olga"],
        ["Country", "Denmark"],
        ["Contact", "o@example.org"],
    ]

    def test_the_players_are_found_behind_a_cover(self) -> None:
        listed = read_list(book({"Cover": self.COVER, "Players": [TITLE, [], HEADED, *PEOPLE]}))
        assert (listed.sheet, listed.heading, names(listed)) == ("Players", 3, THREE)
        assert listed.sheets == ("Cover", "Players")

    def test_another_sheet_as_somebody_says(self) -> None:
        data = book({"Players": [HEADED, *PEOPLE], "Waiting": [HEADED, PEOPLE[1]]})
        assert (read_list(data).sheet, names(read_list(data, "Waiting"))) == ("Players", THREE[1:2])

    def test_a_hidden_sheet_comes_last(self) -> None:
        data = book({"Old": [HEADED, *PEOPLE, *PEOPLE], "Now": [HEADED, *PEOPLE]}, hidden="Old")
        assert read_list(data).sheet == "Now"

    def test_standings_are_not_the_players(self) -> None:
        standings: list[list[object]] = [
            ["Rank", "No.", "Name", "Table points"],
            *([n, n, f"P{n}", 4] for n in range(1, 25)),
        ]
        assert read_list(book({"Standings": standings, "Players": [HEADED, *PEOPLE]})).sheet == "Players"

    def test_a_team_merged_over_its_players_is_the_team_of_each(self) -> None:
        rows: list[list[object]] = [[*HEADED], [*PEOPLE[0][:4], "Red"], PEOPLE[1][:4], PEOPLE[2][:4]]
        listed = read_list(book({"Players": rows}, merged="E2:E4"))
        assert [listed.cell(line, "team") for line in listed.lines] == ["Red"] * 3

    def test_a_merged_title_stays_a_title(self) -> None:
        listed = read_list(book({"Players": [TITLE, HEADED, *PEOPLE]}, merged="A1:E1"))
        assert (listed.heading, names(listed)) == (2, THREE)

    def test_a_row_far_below_costs_nothing(self) -> None:
        made = Workbook()
        made.active.append(["Name", "Country"])
        made.active.append(["Ada", "FRA"])
        made.active["A1048576"] = "x"
        kept = io.BytesIO()
        made.save(kept)
        assert len(read_list(kept.getvalue()).lines) == 1

    def test_a_long_sheet_beside_the_players_is_not_in_the_way(self) -> None:
        long = [[n] for n in range(MOST_LINES + 10)]
        assert names(read_list(book({"Raw": long, "Players": [HEADED, *PEOPLE]}))) == THREE


@pytest.mark.django_db
def test_numbers_as_lists_write_them() -> None:
    rows = check(read_list(b"No.,Name\n1.,Ada\n#2,Bo\n3),Cai\nNo. 4,Dee\n"), make_tournament(players=0))
    assert [(row.entrant.number, row.problems) for row in rows] == [(1, ()), (2, ()), (3, ()), (4, ())]


@pytest.mark.django_db
def test_a_plan_of_seats_below_a_title() -> None:
    players = list(make_tournament(players=4, drawn=False).players.all())
    plan = read_plan(b"Club night;;;;;\n\nsession;table;E;S;W;N\n1;1;1;2;3;4\n", players)
    assert plan.problems == []
    assert plan.tables() == {1: [dict(zip("ESWN", (1, 2, 3, 4), strict=True))]}


cells = st.sampled_from(
    ["", "Name", "Land", "Team 1", "Ada", "DUPONT Ada", "7", "04000123", "FRA", "=1", "*"]
)


@given(st.lists(st.lists(cells, max_size=5), max_size=8))
def test_no_line_is_lost_but_titles_and_headings(rows: list[list[str]]) -> None:
    data = "\n".join(";".join(row) for row in rows).encode()
    try:
        listed = read_list(data)
    except Refused:
        return
    assert listed.heading == 0 or listed.heading in {line.number for line in listed.begin}
    said = [number for number, row in enumerate(rows, 1) if any(row) and number > listed.heading]
    headings = [";".join(row).rstrip(";") for row in rows][listed.heading - 1] if listed.heading else None
    kept = {line.number for line in listed.lines}
    assert {n for n in said if ";".join(rows[n - 1]).rstrip(";") != headings} <= kept
    assert listed.notes <= kept
