"""Lists of players as they are sent, whatever their encoding, separator and language.

    listed = read_list(data)                                        as Hule finds it
    listed = read_list(data, "Players", heading=3)                  as somebody says that it is
    listed = listed.with_cell(7, "ema_number", "04000123")          mend a cell

`tournament.players.exports.players_check` says what is wrong with one. Nothing here is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from scoring.engine.problems import Problem
from tournament.base.errors import refuse
from tournament.web.exports.headings import FIELDS, columns_by_contents, columns_by_heading
from tournament.web.exports.layout import beginning, heading_row, likely_sheet, notes_in
from tournament.web.exports.sheets import Line, lines_of, read_sheets, tidy
from tournament.web.exports.whole_names import WAYS, are_whole, split_name


@dataclass(frozen=True)
class PlayerList:
    """A list as it is read. `columns`: the field each column is read as, "" for one that is left unread.

    `sheet` is one of `sheets`, "" for a text. `heading`: the number of the row of headings, 0 for none; `begin`: the
    lines it may be chosen from. `split`: the way whole names are parted, "" when they are left whole.
    """

    lines: tuple[Line, ...]
    columns: tuple[str, ...]
    headings: tuple[str, ...] = ()
    heading: int = 0
    begin: tuple[Line, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ("",)
    split: str = ""
    mended: Mapping[tuple[int, str], str] = field(default_factory=dict)

    def cells(self, line: Line) -> dict[str, str]:
        """Field → what the line says of it, names parted and cells mended; "" where it says nothing."""
        said = dict.fromkeys(FIELDS, "")
        for name, cell in zip(self.columns, line.cells, strict=False):
            if name:
                said[name] = cell
        if self.split:
            said["last_name"], said["first_name"] = split_name(said["last_name"], self.split)
        if self.mended:
            said |= {name: self.mended.get((line.number, name), text) for name, text in said.items()}
        return said

    def cell(self, line: Line, name: str) -> str:
        """What the line says of a field."""
        return self.cells(line)[name]

    @property
    def fields(self) -> list[str]:
        """The fields it says something of, and always the last names."""
        said = {"last_name", *self.columns, *(name for _row, name in self.mended)}
        return [name for name in FIELDS if name in said or (self.split and name == "first_name")]

    @cached_property
    def whole_names(self) -> list[str]:
        """Names that stand whole in one column and could be parted; none when they are no such names."""
        if "last_name" not in self.columns or any(self._column("first_name")):
            return []
        names = [name for name in self._column("last_name") if name]
        return names if are_whole(names) else []

    def _column(self, name: str) -> list[str]:
        """What the lines of players say in a column, as they were sent."""
        index = self.columns.index(name) if name in self.columns else len(self.columns)
        return [
            line.cells[index] if index < len(line.cells) else ""
            for line in self.lines
            if line.number not in self.notes
        ]

    @cached_property
    def notes(self) -> frozenset[int]:
        """Lines that look like nobody: titles, legends, sums."""
        names = [index for index, name in enumerate(self.columns) if name in ("last_name", "first_name")]
        return notes_in(self.lines, names, self.heading)

    def with_cell(self, number: int, name: str, text: str) -> PlayerList:
        """The list with what one line says of a field written anew."""
        return replace(self, mended={**self.mended, (number, name): tidy(text)})

    def with_columns(self, columns: Sequence[str]) -> PlayerList:
        """The list read by other columns; what is no field leaves its column unread."""
        known = [name if name in FIELDS else "" for name in columns][: len(self.columns)]
        return replace(self, columns=(*known, *self.columns[len(known) :]))

    def with_split(self, way: str) -> PlayerList:
        """The list with whole names parted; as they are when first names have a column."""
        return replace(self, split=way if way in WAYS and self.whole_names else "")

    def problems(self) -> list[Problem]:
        """What is wrong with the columns; `where` is "column.<index>", or empty."""
        found = [
            Problem("column_twice", f"column.{index}")
            for index, name in enumerate(self.columns)
            if name and name in self.columns[:index]
        ]
        return found if "last_name" in self.columns else [*found, Problem("no_name_column")]


def read_list(data: bytes, sheet: str | None = None, heading: int | None = None) -> PlayerList:
    """The list in a file; refused when it cannot be read or holds nobody.

    `sheet` and `heading` (0: there is none) as somebody says; None, or what the file has not, for those that are found.
    """
    sheets = read_sheets(data)
    if not sheets:
        raise refuse("list_empty")
    chosen = next((one for one in sheets if one.name == sheet), None) or likely_sheet(sheets)
    lines = lines_of(chosen)
    begin = tuple(beginning(lines))
    if heading is None or (heading and heading not in {line.number for line in begin}):
        heading = heading_row(lines)
    headings = next((line.cells for line in begin if line.number == heading), ())
    # A long list repeats its headings on each of its pages.
    below = tuple(line for line in lines if line.number > heading and line.cells != headings)
    if not below:
        raise refuse("list_empty")
    rows = [line.cells for line in below]
    columns = columns_by_heading(headings, rows) if heading else columns_by_contents(rows)
    padded = (*headings, *[""] * (len(columns) - len(headings)))
    names = tuple(one.name for one in sheets)
    return PlayerList(below, tuple(columns), padded, heading, begin, chosen.name, names)
