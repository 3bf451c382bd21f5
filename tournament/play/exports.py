"""The totals of a session from a file: a line a player, with the number and the game points at the foot of the sheet.

The columns are found by their headings, in any order: table (which may be left out), number, points, wins, deal-ins.
Without headings they are number and points, or table, number and points. A person looks at what was read before
anything is stored, on the page on which totals are typed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from scoring.engine.problems import Problem
from tournament.base.errors import refuse
from tournament.play.selectors.totals import PaperTable
from tournament.web.exports.headings import field_of, folded, whole_number
from tournament.web.exports.sheets import Line, lines_of, no_formula, read_sheets

FIGURES: Final = ("points", "wins", "deal_ins")
COLUMNS: Final = ("table", "number", *FIGURES)
HEADINGS: Final = ("table", "wind", "number", "name", *FIGURES)
"""The columns of the file to be filled in."""
_WORDS: Final = {
    "table": "table tisch mesa tafel bord tavolo stol 桌 桌号 桌號 桌次 台号",
    "points": """
        points point pts gamepoints gp total totals score punkte spielpunkte puntos punti punten
        小分 得分 总分 總分 分数 分數""",
    "wins": "wins won handswon victories siege victoires 和牌 和牌数 和牌數 和次",
    "deal_ins": "dealins dealin discards eingeworfen 点炮 點炮 放炮 点炮数 點炮數",
}
_COLUMN_OF: Final = {folded(word): name for name, words in _WORDS.items() for word in words.split()}


@dataclass
class TotalsList:
    """Player → what the file says, as text, by FIGURES; and what is wrong with its lines, all at once."""

    figures: dict[int, dict[str, str]] = field(default_factory=dict)
    problems: list[tuple[int, Problem]] = field(default_factory=list)
    """(number of the line, what is wrong with it): such a line is left out."""

    @property
    def has_more(self) -> bool:
        """Whether it says more than points."""
        return any(cells.get("wins") or cells.get("deal_ins") for cells in self.figures.values())


def read_totals(data: bytes, tables: Sequence[PaperTable]) -> TotalsList:
    """Read the totals in a file, for who sits at these tables; refuse one that cannot be read or lacks the columns."""
    lines = [line for sheet in read_sheets(data)[:1] for line in lines_of(sheet)]
    if not lines:
        raise refuse("list_empty")
    columns, below = _columns(lines)
    if "number" not in columns or "points" not in columns:
        raise refuse("totals_columns_missing")
    totals, line_of = TotalsList(), dict[int, int]()
    table_of = {player: paper.table.number for paper in tables for player in paper.numbers}
    for line in below:
        cells = dict(zip(columns, line.cells, strict=False))
        if not any(cells.get(name) for name in FIGURES):
            continue
        player = whole_number(cells.get("number", ""))
        if problem := _problem(cells, player, table_of, line_of):
            totals.problems.append((line.number, problem))
        elif player is not None:
            line_of[player] = line.number
            totals.figures[player] = {name: cells.get(name, "") for name in FIGURES}
    return totals


def _columns(lines: Sequence[Line]) -> tuple[list[str], list[Line]]:
    """Find what each column holds, and the lines below the headings."""
    for index, line in enumerate(lines[:10]):
        columns = [_column(cell) for cell in line.cells]
        if "points" in columns and "number" in columns:
            return columns, list(lines[index + 1 :])
    widest = max(line.said for line in lines)
    return {2: ["number", "points"], 3: ["table", "number", "points"]}.get(widest, []), list(lines)


def _column(heading: str) -> str:
    return _COLUMN_OF.get(folded(heading)) or ("number" if field_of(heading) == "number" else "")


def _problem(
    cells: dict[str, str], player: int | None, table_of: dict[int, int], line_of: dict[int, int]
) -> Problem | None:
    """Find the first thing that is wrong with whom a line is about; its figures are judged with the whole table."""
    if player is None:
        return Problem("totals_line_without_player", "number", {"text": cells.get("number", "")[:20]})
    if player not in table_of:
        return Problem("totals_player_not_seated", "number", {"player": player})
    if player in line_of:
        return Problem("totals_player_twice", "number", {"player": player, "row": line_of[player]})
    table = cells.get("table", "")
    if table and whole_number(table) != table_of[player]:
        params: dict[str, str | int] = {"player": player, "table": table_of[player], "given": table[:20]}
        return Problem("totals_player_elsewhere", "table", params)
    return None


def totals_csv(tables: Iterable[PaperTable]) -> str:
    """Write a file of the session to be filled in: everybody at their table, with the totals that are there."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(HEADINGS)
    for paper in tables:
        for seat in paper.seats:
            figures = _figures(paper, seat.player.number)
            rows.writerow(
                (paper.table.number, seat.wind, seat.player.number, no_formula(seat.player.name), *figures)
            )
    return text.getvalue()


def _figures(paper: PaperTable, player: int) -> tuple[int | str, ...]:
    if paper.totals is None:
        return ("",) * len(FIGURES)
    return tuple((getattr(paper.totals, name) or {}).get(str(player), "") for name in FIGURES)
