"""Lists of players as they are sent, whatever their encoding, separator and language.

    listed = read_list(data)
    listed = listed.with_cell(7, "ema_number", "04000123")          mend a cell

`tournament.exchange.players_check` says what is wrong with one. Nothing here is stored.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.engine.problems import Problem
from tournament.errors import refuse
from tournament.exchange.headings import FIELDS, are_headings, columns_by_contents, columns_by_heading
from tournament.exchange.sheets import Line, read_lines, tidy


@dataclass(frozen=True)
class PlayerList:
    """A list as it was sent. `columns`: the field each column is read as, "" for one that is left unread."""

    lines: tuple[Line, ...]
    columns: tuple[str, ...]
    headings: tuple[str, ...] = ()

    def cell(self, line: Line, name: str) -> str:
        """What the line says of a field; "" where it says nothing."""
        index = self.columns.index(name) if name in self.columns else len(line.cells)
        return line.cells[index] if index < len(line.cells) else ""

    def with_cell(self, number: int, name: str, text: str) -> PlayerList:
        """The list with one cell written anew; a field that had no column gets one."""
        if name not in self.columns:
            padded = replace(self, columns=(*self.columns, name), headings=(*self.headings, ""))
            return padded.with_cell(number, name, text)
        index = self.columns.index(name)
        return replace(
            self,
            lines=tuple(
                _rewritten(line, index, text) if line.number == number else line for line in self.lines
            ),
        )

    def with_columns(self, columns: Sequence[str]) -> PlayerList:
        """The list read by other columns; what is no field leaves its column unread."""
        return replace(self, columns=tuple(name if name in FIELDS else "" for name in columns))

    def problems(self) -> list[Problem]:
        """What is wrong with the columns; `where` is "column.<index>", or empty."""
        found = [
            Problem("column_twice", f"column.{index}")
            for index, name in enumerate(self.columns)
            if name and name in self.columns[:index]
        ]
        return found if "last_name" in self.columns else [*found, Problem("no_name_column")]

    def to_json(self) -> str:
        """Everything, on one line, for a page to send back."""
        lines = [[line.number, *line.cells] for line in self.lines]
        return json.dumps([self.headings, self.columns, lines], ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> PlayerList:
        """The list a page sent back; refused when it did not come back whole."""
        try:
            headings, columns, lines = json.loads(text)
            kept = tuple(
                Line(int(number), tuple(tidy(str(cell)) for cell in cells)) for number, *cells in lines
            )
            listed = cls(kept, tuple(map(str, columns)), tuple(map(str, headings)))
        except (ValueError, TypeError):
            raise refuse("list_lost") from None
        return listed.with_columns(listed.columns)


def read_list(data: bytes) -> PlayerList:
    """The list in a file; refused when it cannot be read or holds nobody."""
    lines = read_lines(data)
    if are_headings(lines[0].cells):
        headings, lines = lines[0].cells, lines[1:]
        columns = columns_by_heading(headings)
    else:
        columns = columns_by_contents([line.cells for line in lines])
        headings = ("",) * len(columns)
    if not lines:
        raise refuse("list_empty")
    return PlayerList(lines, tuple(columns), headings)


def _rewritten(line: Line, index: int, text: str) -> Line:
    cells = [*line.cells, *[""] * (index + 1 - len(line.cells))]
    cells[index] = tidy(text)
    return replace(line, cells=tuple(cells))
