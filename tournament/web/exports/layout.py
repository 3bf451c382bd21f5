"""Where in a file the list stands: on which sheet, under which row of headings, and which lines are nobody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from tournament.web.exports.headings import are_headings, columns_by_heading, known_headings
from tournament.web.exports.sheets import LOOKED_AT, Line, Sheet, head_of


def heading_row(lines: Sequence[Line]) -> int:
    """The number of the line with the most headings that are known, above which titles stand; 0 when there is none."""
    found, most = 0, 0
    for index, line in enumerate(beginning(lines)):
        below = [other.said for other in lines[index + 1 : index + 1 + LOOKED_AT]]
        known = known_headings(line.cells)
        # One alone stands over one column, or over both parts of a name: over more, "Player" is a title.
        is_title = known == line.said == 1 and below and median(below) > 2
        if not are_headings(line.cells) or is_title:
            continue
        # Headings in two lines, one below the other: the lower says more exactly what stands under it.
        if known > most or (known == most and line.number == found + 1):
            found, most = line.number, known
    return found


def beginning(lines: Iterable[Line]) -> list[Line]:
    """The lines among which headings are looked for."""
    return [line for line in lines if line.number <= LOOKED_AT]


def likely_sheet(sheets: Sequence[Sheet]) -> Sheet:
    """The sheet that looks most like players: names among the most headings, then the most lines, then the first."""
    return max(sheets, key=_likeness)


def _likeness(sheet: Sheet) -> tuple[bool, int, int]:
    lines = head_of(sheet)
    heading = heading_row(lines)
    columns = [columns_by_heading(line.cells, []) for line in lines if line.number == heading]
    fields = len([name for name in columns[0] if name]) if columns and "last_name" in columns[0] else 0
    return (bool(lines) and not sheet.is_hidden, fields, sum(line.said > 1 for line in lines))


def notes_in(lines: Sequence[Line], names: Sequence[int], heading: int) -> frozenset[int]:
    """Lines of one cell in a list of many: titles, "* = vegetarian", "Total 24". `names`: the columns of names.

    One that stands in a column of names, among the others, is somebody of whom no more is known.
    """
    if not lines or median(line.said for line in lines) < 3:
        return frozenset()
    found: set[int] = set()
    before = heading or -1
    for line in lines:
        is_apart = before != line.number - 1 or before in found
        is_name = any(index < len(line.cells) and line.cells[index] for index in names)
        if line.said == 1 and (is_apart or not is_name):
            found.add(line.number)
        before = line.number
    return frozenset(found)
