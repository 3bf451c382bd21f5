"""Lists of people: which line, column and cell is what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from scoring.engine.problems import Problem, problem_code
from tournament.base.countries import find_country
from tournament.base.errors import Refused
from tournament.base.problems import LIST_EMPTY
from tournament.web.exports.encodings import is_encoding_doubtful
from tournament.web.exports.headings import (
    FIELDS,
    are_numbers,
    columns_by_contents,
    columns_by_heading,
    field_of,
    is_place,
)
from tournament.web.exports.sheets import (
    MAX_LINES,
    Line,
    head_lines,
    heading_row,
    likely_sheet,
    lines_of,
    notes_in,
    read_sheets,
    text_encoding,
)
from tournament.web.exports.whole_names import (
    FAMILY_NAME_FIRST,
    WHOLE,
    SplitName,
    are_full_names,
    is_full_name,
    likely_order,
    split_name,
)

NO_NAME_COLUMN = problem_code("no_name_column", "Which column holds the names? Choose it.")
NOT_PEOPLE = problem_code("not_people", "This does not look like a list of players.")
COLUMN_TWICE = problem_code("column_twice", "Another column is already read as this.")
MIN_POINT_COLUMNS = 4
"""Columns of numbers that make a list a table of results."""


@dataclass(frozen=True)
class PeopleList:
    """A list as it was read. `columns`: the field of each column, "" for ignored ones.

    `sheet`: one of `sheets`, "" for a text; `encoding`: that of a text, in doubt if another is about as likely.
    `heading`: the row of headings, 0 for none; `first_lines`: its candidates. `split`: the order of whole names, WHOLE
    to leave them, "" to decide row by row; `swapped`: rows whose first and last names are exchanged. `mended`: (row,
    field) → corrected cell.
    """

    lines: tuple[Line, ...]
    columns: tuple[str, ...]
    headings: tuple[str, ...] = ()
    heading: int = 0
    first_lines: tuple[Line, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ("",)
    encoding: str = ""
    is_encoding_doubtful: bool = False
    split: str = ""
    swapped: frozenset[int] = frozenset()
    mended: Mapping[tuple[int, str], str] = field(default_factory=dict)

    def cells(self, line: Line) -> dict[str, str]:
        """Return field → text, with names split, prefixes before last names, and cells corrected."""
        texts = dict.fromkeys(FIELDS, "")
        for name, cell in zip(self.columns, line.cells, strict=False):
            if name:
                texts[name] = cell
        if line.number in self.split_names:
            whole = self.split_names[line.number]
            texts["last_name"], texts["first_name"] = whole.last, whole.first
        elif not texts["last_name"]:
            texts["last_name"] = texts["whole_name"]
        texts["whole_name"] = ""
        if line.number in self.swapped:
            texts["last_name"], texts["first_name"] = texts["first_name"], texts["last_name"]
        texts["last_name"], texts["prefix"] = _with_prefix(texts["prefix"], texts["last_name"]), ""
        if self.mended:
            texts |= {name: self.mended.get((line.number, name), text) for name, text in texts.items()}
        return texts

    def cell(self, line: Line, name: str) -> str:
        return self.cells(line)[name]

    @property
    def fields(self) -> list[str]:
        """The fields that the list has, and last names in any case."""
        used = {"last_name", *self.columns, *(name for _row, name in self.mended)} - {"whole_name", "prefix"}
        if self.split_names or self.swapped:
            used.add("first_name")
        return [name for name in FIELDS if name in used]

    @cached_property
    def whole_names(self) -> dict[int, str]:
        """Row → whole name, for a column of whole names; empty if there is none.

        A column of last names is one, too, if there are no first names and most cells have two parts.
        """
        if "whole_name" in self.columns:
            return self._column("whole_name")
        if "last_name" not in self.columns or self._column("first_name"):
            return {}
        names = self._column("last_name")
        return names if are_full_names([*names.values()]) else {}

    @cached_property
    def split_names(self) -> Mapping[int, SplitName]:
        """Row → whole name in two parts; empty if there are none, or they are not to be split."""
        names = self.whole_names
        if self.split == WHOLE or not names:
            return {}
        countries = {row: find_country(text) or "" for row, text in self._column("country").items()}
        eastern = {row for row, country in countries.items() if country in FAMILY_NAME_FIRST}
        # In a list of Hungary there is no doubt; elsewhere some write their family name last.
        is_eastern = len(eastern) * 4 >= len(names) * 3
        order = self.split or likely_order([*names.values()])
        return {
            row: split_name(
                name,
                order or ("last_first" if is_eastern and row in eastern else ""),
                countries.get(row, ""),
            )
            for row, name in names.items()
        }

    @cached_property
    def doubtful_names(self) -> list[int]:
        """The rows whose whole name does not show which part is the family name, unless they were swapped or edited."""
        corrected = {row for row, name in self.mended if name in ("last_name", "first_name")}
        guesses = [row for row, name in self.split_names.items() if name.is_guess]
        return [row for row in guesses if row not in self.swapped and row not in corrected]

    @cached_property
    def unread(self) -> list[tuple[int, str]]:
        """The columns with cells that nobody reads, but for places: (index, heading)."""
        unread = []
        for index, name in enumerate(self.columns):
            heading = self.headings[index] if index < len(self.headings) else ""
            cells = [
                line.cells[index] for line in self.lines if index < len(line.cells) and line.cells[index]
            ]
            if not name and cells and not (is_place(heading) and are_numbers(cells)):
                unread.append((index, heading))
        return unread

    @property
    def is_heading_likely(self) -> bool:
        """Whether the list seems to have no headings, but its first row differs in kind from the others."""
        if self.heading or len(self.lines) < 3:
            return False
        first, *others = self.lines
        whole = [name for row, name in self.whole_names.items() if row != first.number]
        if first.number in self.whole_names and len(whole) > 1:
            is_name = is_full_name(self.whole_names[first.number])
            if not is_name and all(map(is_full_name, whole)):
                return True
        return any(
            index < len(first.cells)
            and first.cells[index].replace(" ", "").isalpha()
            and _are_of_one_kind([line.cells[index] for line in others if index < len(line.cells)])
            and find_country(first.cells[index]) is None
            for index in range(len(self.columns))
        )

    def _column(self, name: str) -> dict[int, str]:
        """Return row → unchanged cell of a field, without empty cells and those of notes."""
        index = self.columns.index(name) if name in self.columns else len(self.columns)
        return {
            line.number: line.cells[index]
            for line in self.lines
            if index < len(line.cells) and line.cells[index] and line.number not in self.notes
        }

    @cached_property
    def notes(self) -> frozenset[int]:
        """Lines that are no players: titles, legends, sums."""
        names = [
            index
            for index, name in enumerate(self.columns)
            if name in ("last_name", "first_name", "whole_name")
        ]
        return notes_in(self.lines, names, self.heading)

    def with_columns(self, columns: Sequence[str]) -> PeopleList:
        """Return the list with other fields for its columns; unknown fields are ignored."""
        fields = [name if name in FIELDS else "" for name in columns][: len(self.columns)]
        return replace(self, columns=(*fields, *self.columns[len(fields) :]))

    def problems(self) -> list[Problem]:
        """Return problems of the columns; `where` is "column.<index>" or empty."""
        problems = [
            COLUMN_TWICE(f"column.{index}")
            for index, name in enumerate(self.columns)
            if name and name in self.columns[:index]
        ]
        has_names = "last_name" in self.columns or "whole_name" in self.columns
        return problems if has_names else [*problems, NO_NAME_COLUMN()]


def _with_prefix(prefix: str, last_name: str) -> str:
    """Put "van der" before a last name that does not begin with it. A dash is no prefix."""
    is_empty = not any(map(str.isalpha, prefix))
    if is_empty or not last_name or f"{last_name} ".casefold().startswith(f"{prefix} ".casefold()):
        return last_name
    return prefix + last_name if prefix.endswith(("'", "’")) else f"{prefix} {last_name}"


def _are_of_one_kind(cells: Sequence[str]) -> bool:
    """Return whether all cells are numbers, all are countries or all are e-mail addresses."""
    texts = [cell for cell in cells if cell]
    return len(texts) > 1 and (
        all(text.isdecimal() for text in texts)
        or all(find_country(text) for text in texts)
        or all("@" in text for text in texts)
    )


def read_people(
    data: bytes,
    sheet: str | None = None,
    heading: int | None = None,
    encoding: str = "",
    *,
    maximum: int = MAX_LINES,
) -> PeopleList:
    """Read a file. Raises Refused when it cannot be read, has no people, or is no list of people.

    `sheet`, `heading`, `encoding`: as somebody chose (0 for no heading); None and "", or what the file does not have,
    to detect them.
    """
    is_doubtful = text_encoding(data, encoding) != encoding and is_encoding_doubtful(data)
    encoding = text_encoding(data, encoding)
    sheets = read_sheets(data, encoding)
    if not sheets:
        raise Refused(LIST_EMPTY())
    chosen = next((candidate for candidate in sheets if candidate.name == sheet), None) or likely_sheet(
        sheets
    )
    lines = lines_of(chosen, maximum)
    if _is_chess_report(lines):
        raise Refused(NOT_PEOPLE())
    lines = _with_numbers_apart(_with_countries_apart(lines))
    first_lines = tuple(head_lines(lines))
    if heading is None or (heading and heading not in {line.number for line in first_lines}):
        heading = heading_row(lines)
    headings = next((line.cells for line in first_lines if line.number == heading), ())
    # Long lists repeat their headings on each page.
    below = tuple(line for line in lines if line.number > heading and line.cells != headings)
    if not below:
        raise Refused(LIST_EMPTY())
    rows = [line.cells for line in below]
    has_known = any(map(field_of, headings))
    columns = columns_by_heading(headings, rows) if has_known else columns_by_contents(rows)
    padded = (*headings, *[""] * (len(columns) - len(headings)))
    names = tuple(candidate.name for candidate in sheets)
    people = PeopleList(
        below, tuple(columns), padded, heading, first_lines, chosen.name, names, encoding, is_doubtful
    )
    if _is_result_table(people):
        raise Refused(NOT_PEOPLE())
    return people


def _is_chess_report(lines: Sequence[Line]) -> bool:
    """Return whether this is a FIDE tournament report: lines begin with the code of a record, 001 for a player."""
    records = [line.cells[0] for line in lines if re.match(r"([0-9]{3}|XX[A-Z]|###) ", line.cells[0])]
    return len(records) * 4 >= len(lines) * 3 and any(
        re.match(r"001 +[0-9]+ |012 ", record) for record in records
    )


def _with_numbers_apart(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines with numbers in a cell of their own, if most begin with one: "1. Ada Berg", as in messages."""
    numbered = {
        line.number: match.groups()
        for line in lines
        if (match := re.fullmatch(r"([0-9]{1,4})(?:\s*[.)、]\s*|\s+)([^\W\d_].*)", line.cells[0]))
    }
    if len(numbered) < 2 or len(numbered) * 4 < len(lines) * 3:
        return lines
    return tuple(
        replace(line, cells=(*numbered.get(line.number, ("", line.cells[0])), *line.cells[1:]))
        for line in lines
    )


def _with_countries_apart(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return lines of one cell with countries in a cell of their own: "Ada Berg (SWE)"."""
    parts: dict[int, tuple[str, str]] = {}
    for line in lines:
        match = re.fullmatch(r"(.*[^\s]) ?[(\[]([^()\[\]]+)[)\]]", line.cells[0])
        if match and find_country(match[2]):
            parts[line.number] = (match[1], match[2])
    if not parts or any(line.filled_cells > 1 for line in lines):
        return lines
    return tuple(replace(line, cells=parts.get(line.number, line.cells)) for line in lines)


def _is_result_table(people: PeopleList) -> bool:
    """Return whether the columns that nobody reads are mostly points, and more than those that are read."""
    cells = {
        index: [line.cells[index] for line in people.lines if index < len(line.cells) and line.cells[index]]
        for index, _heading in people.unread
    }
    points = [index for index, texts in cells.items() if len(texts) > 1 and are_numbers(texts)]
    return len(points) >= MIN_POINT_COLUMNS and len(points) > sum(map(bool, people.columns))
