"""Where a list stands in a file, with titles, sheets, legends and merged cells; and files that are small until read."""

import io
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from tests.support.factories import SYSTEM
from tests.support.player_lists import bytes_of
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.players.services.players import add_players
from tournament.roster.exports.list_import import check
from tournament.seating.exports import read_plan
from tournament.web.exports.headings import field_of
from tournament.web.exports.people_lists import PeopleList, read_people
from tournament.web.exports.sheets import MAX_BYTES, MAX_LINES, read_lines

Rows = Sequence[Sequence[object]]
HEADED = ["No.", "SURNAME", "First name", "Country", "Team"]
PEOPLE = [
    [1, "DUPONT", "Ada", "FRA", "Red"],
    [2, "LEE", "Bo", "GBR", "Red"],
    [3, "BERG", "Cai", "NLD", "Blue"],
]
THREE = [("DUPONT", "Ada"), ("LEE", "Bo"), ("BERG", "Cai")]
TITLE = ["Danish Open 2026, 1–3 May, Copenhagen"]
PLAYERS: Rows = [HEADED, *PEOPLE]


def book(sheets: Mapping[str, Rows], *, merged: str = "", hidden: str = "") -> bytes:
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    for name, rows in sheets.items():
        sheet = workbook.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        if name == hidden:
            sheet.sheet_state = "hidden"
    if merged:
        workbook.worksheets[0].merge_cells(merged)
    return bytes_of(workbook)


def names(player_list: PeopleList) -> list[tuple[str, str]]:
    rows = [player_list.cells(line) for line in player_list.lines if line.number not in player_list.notes]
    return [(cells["last_name"], cells["first_name"]) for cells in rows]


def of_csv(*rows: Sequence[object], separator: str = ",", heading: int | None = None) -> PeopleList:
    data = "\n".join(separator.join(map(str, row)) for row in rows).encode()
    return read_people(data) if heading is None else read_people(data, heading=heading)


class TestTitles:
    def test_headings_are_found_below_titles(self) -> None:
        titles: list[Rows] = [
            [TITLE],
            [TITLE, [], ["Updated", "2026-04-30"]],
            [["Players"], []],
            [["Club", "Hule"], TITLE],
            [["", "", "as of 1 May"], [""]],
        ]
        for above, separator in product(titles, (",", ";", "\t")):
            player_list = of_csv(*above, *PLAYERS, separator=separator)
            results = player_list.heading, names(player_list), player_list.columns[-1]
            assert results == (len(above) + 1, THREE, "team"), (above, separator)

    def test_titles_and_repeated_headings_are_not_players(self) -> None:
        lists = [
            (0, of_csv(TITLE, [], *PEOPLE, separator=";")),
            (1, of_csv(HEADED, *PEOPLE[:2], HEADED, PEOPLE[2])),
            (2, of_csv(["No.", "Name", "", "Country"], ["", "Surname", "First name", "Country"], *PEOPLE)),
            (1, of_csv(["No.", "Name", "", "Country", "Team"], *PEOPLE)),
        ]
        for heading, player_list in lists:
            assert (player_list.heading, names(player_list)) == (heading, THREE)

    def test_a_legend_below_is_skipped_unless_included(self) -> None:
        """But somebody of whom only a name is known is no legend."""
        player_list = of_csv(*PLAYERS, [], ["* vegetarian"], ["Total: 3"])
        assert player_list.notes == {6, 7}
        assert len(player_list.lines) == 5, "nothing is lost"
        assert of_csv(HEADED, *PEOPLE[:2], ["", "KASIA"], PEOPLE[2]).notes == frozenset()
        narrow = of_csv(["Name", "Country"], ["Ada", "FRA"], [], ["Bo"])
        assert len(names(narrow)) == 2

    def test_a_total_is_never_a_player(self) -> None:
        totals = (
            ["Total 9"],
            ["", "Total 9"],
            ["", "Total", "", "9"],
            ["", "合计：9 人"],
            ["", "Összesen 9"],
        )
        results = [of_csv(*PLAYERS, total).notes for total in totals]
        assert results == [{5}] * len(totals)
        narrow = of_csv(["Name", "Country"], ["Ada", "FRA"], ["Total 9"])
        assert narrow.notes == {3}
        assert of_csv(["No.", "Name"], [7, "Suma"], [9, "Total"]).notes == frozenset(), "names, not sums"

    def test_headings_in_two_languages_or_with_a_remark(self) -> None:
        fields = {
            "Nom / Surname": "last_name",
            "姓 Surname": "last_name",
            "First name (as on the EMA card)": "first_name",
            "国家/Country": "country",
            "EMA-Nr. (8 digits)": "ema_number",
            "Surname, First name": "whole_name",
            "Imię i nazwisko": "whole_name",
            "Diet": "",
        }
        assert {heading: field_of(heading) for heading in fields} == fields

    def test_the_heading_row_can_be_chosen(self) -> None:
        player_list = of_csv(HEADED, PEOPLE[0], ["a", "b"], *PEOPLE[1:], heading=2)
        assert (player_list.heading, len(player_list.lines)) == (2, 3)
        assert len(of_csv(*PLAYERS, heading=0).lines) == 4
        with pytest.raises(Refused):  # nobody stands under them
            of_csv(*PLAYERS, heading=4)


class TestSheets:
    def test_the_players_are_found_behind_a_cover(self) -> None:
        cover = [TITLE, [], ["Organiser", "Olga"], ["Country", "Denmark"], ["Contact", "o@example.org"]]
        player_list = read_people(book({"Cover": cover, "Players": [TITLE, [], *PLAYERS]}))
        assert (player_list.sheet, player_list.heading, names(player_list)) == ("Players", 3, THREE)
        assert player_list.sheets == ("Cover", "Players")

    def test_another_sheet_can_be_chosen(self) -> None:
        data = book({"Players": PLAYERS, "Waiting": [HEADED, PEOPLE[1]]})
        assert (read_people(data).sheet, names(read_people(data, "Waiting"))) == ("Players", THREE[1:2])

    def test_hidden_sheets_standings_and_long_sheets_are_not_chosen(self) -> None:
        ranks: Rows = [["Rank", "No.", "Name", "Table points"], *([n, n, f"P{n}", 4] for n in range(1, 25))]
        long: Rows = [[n] for n in range(MAX_LINES + 10)]
        others: list[Rows] = [[*PLAYERS, *PEOPLE], ranks, long]
        for other in others:
            hidden = "Other" if other[0] == HEADED else ""
            player_list = read_people(book({"Other": other, "Players": PLAYERS}, hidden=hidden))
            assert (player_list.sheet, names(player_list)) == ("Players", THREE), other[0]

    def test_a_team_merged_over_its_players_is_the_team_of_each(self) -> None:
        rows: Rows = [HEADED, [*PEOPLE[0][:4], "Red"], PEOPLE[1][:4], PEOPLE[2][:4]]
        player_list = read_people(book({"Players": rows}, merged="E2:E4"))
        assert [player_list.cell(line, "team") for line in player_list.lines] == ["Red"] * 3
        titled = read_people(book({"Players": [TITLE, *PLAYERS]}, merged="A1:E1"))
        assert (titled.heading, names(titled)) == (2, THREE), "a merged title stays a title"


@pytest.mark.thorough
def test_numbers_as_lists_write_them_and_a_plan_below_a_title(empty_event: Tournament) -> None:
    rows = check(read_people(b"No.,Name\n1.,Ada\n#2,Bo\n3),Cai\nNo. 4,Dee\n"), empty_event)
    assert [(row.entrant.number, row.problems) for row in rows] == [(1, ()), (2, ()), (3, ()), (4, ())]
    players = add_players(empty_event, SYSTEM, [row.entrant for row in rows])
    plan = read_plan(b"Club night;;;;;\n\nsession;table;E;S;W;N\n1;1;1;2;3;4\n", players)
    assert (plan.problems, plan.tables()) == ([], {1: [{"E": 1, "S": 2, "W": 3, "N": 4}]})


cells = st.sampled_from(
    ["", "Name", "Land", "Team 1", "Ada", "DUPONT Ada", "7", "04000123", "FRA", "=1", "*"]
)


@given(st.lists(st.lists(cells, max_size=5), max_size=8))
def test_only_titles_and_headings_are_skipped(rows: list[list[str]]) -> None:
    data = "\n".join(";".join(row) for row in rows).encode()
    try:
        player_list = read_people(data)
    except Refused:
        return
    assert player_list.heading == 0 or player_list.heading in {
        line.number for line in player_list.first_lines
    }
    below = [number for number, row in enumerate(rows, 1) if any(row) and number > player_list.heading]
    headings = (
        [";".join(row).rstrip(";") for row in rows][player_list.heading - 1] if player_list.heading else None
    )
    numbers = {line.number for line in player_list.lines}
    assert {n for n in below if ";".join(rows[n - 1]).rstrip(";") != headings} <= numbers
    assert player_list.notes <= numbers


SHEET = "xl/worksheets/sheet1.xml"
MEGABYTE = 1024 * 1024


def workbook(change: Callable[[bytes], bytes] = bytes, packed: int = ZIP_DEFLATED) -> bytes:
    """A list of one player, its sheet changed before it is packed."""
    book, original, changed = Workbook(), io.BytesIO(), io.BytesIO()
    for row in (["Name", "Country"], ["Ada Byron", "GBR"]):
        book.active.append(row)
    book.save(original)
    with ZipFile(original) as parts, ZipFile(changed, "w", packed) as new:
        for name in parts.namelist():
            new.writestr(name, change(parts.read(name)) if name == SHEET else parts.read(name))
    return changed.getvalue()


def sheet(rows: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    body = (
        before + b"<worksheet " + space + b"><sheetData>" + rows + b"</sheetData>" + after + b"</worksheet>"
    )
    return workbook(lambda _old: body)


def cell(at: str, text: bytes = b"Ada") -> bytes:
    return b'<c r="%s" t="inlineStr"><is><t>%s</t></is></c>' % (at.encode(), text)


ENTITIES = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 10))

LAUGHS = b'<!DOCTYPE x [<!ENTITY e0 "ha">' + ENTITIES + b"]>"
BOMBS: dict[str, Callable[[], bytes]] = {
    "a cell of 40 MB": lambda: sheet(b'<row r="1">' + cell("A1", b"x" * 40_000_000) + b"</row>"),
    "two million rows": lambda: sheet(b"<row><c/></row>" * 2_000_000),
    "seven million columns": lambda: sheet(b"<row>" + b"<c/>" * 7_000_000 + b"</row>"),
    "three million levels": lambda: sheet(b"<a>" * 3_000_000),
    "merged without end": lambda: sheet(
        b"", after=b"<mergeCells>" + b'<mergeCell ref="A1:A9"/>' * 700_000 + b"</mergeCells>"
    ),
    "a row of 400,000 attributes": lambda: sheet(
        b"<row" + b"".join(map(b' a%d=""'.__mod__, range(400_000))) + b"/>"
    ),
    "a tag of 30 MB": lambda: sheet(b'<row a="' + b"x" * 30_000_000 + b'"/>'),
    "a comment of 30 MB": lambda: sheet(b"<!--" + b"<a>" * 10_000_000 + b"-->"),
    "a billion laughs": lambda: sheet(b'<row r="1">' + cell("A1", b"&e9;") + b"</row>", before=LAUGHS),
    "packed in another way": lambda: workbook(packed=ZIP_BZIP2),
    "cut in half": lambda: workbook(lambda body: body[:200]),
    "no XML": lambda: workbook(lambda _body: b"\xff\xfe<"),
}


@pytest.mark.thorough
def test_a_zip_bomb_is_refused_before_it_is_read(subtests: pytest.Subtests) -> None:
    for name, bomb in BOMBS.items():
        with subtests.test(name):
            data = bomb()
            assert len(data) < MAX_BYTES
            with pytest.raises(Refused) as refusal:
                read_lines(data)
            assert [problem.code for problem in refusal.value.problems] == ["list_unreadable"]


def row(number: int, *columns: str) -> bytes:
    cells = b"".join(cell(f"{column}{number}") for column in columns)
    return b'<row r="%d">' % number + cells + b"</row>"


@pytest.mark.thorough
def test_a_distant_cell_costs_nothing(subtests: pytest.Subtests) -> None:
    files = {
        "row 1,000,000,000": (sheet(row(1, "A") + row(10**9, "A")), 1),
        "the last column of each row": (sheet(b"".join(row(n, "A", "XFD") for n in range(1, 60))), 59),
        "300,000 columns": (b"Name,Country\nAda,GBR\n" + b"," * 300_000, 2),
    }
    for name, (data, lines) in files.items():
        with subtests.test(name):
            tracemalloc.start()
            try:
                assert len(read_lines(data)) == lines
                assert tracemalloc.get_traced_memory()[1] < 20 * MEGABYTE
            finally:
                tracemalloc.stop()
