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
"""Of the file that is there to be filled in."""
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
        return any(said.get("wins") or said.get("deal_ins") for said in self.figures.values())


def read_totals(data: bytes, tables: Sequence[PaperTable]) -> TotalsList:
    """The totals in a file, for who sits at these tables; refused when it cannot be read or has no such columns."""
    lines = [line for sheet in read_sheets(data)[:1] for line in lines_of(sheet)]
    if not lines:
        raise refuse("list_empty")
    columns, below = _columns(lines)
    if "number" not in columns or "points" not in columns:
        raise refuse("totals_columns_missing")
    found, seen = TotalsList(), dict[int, int]()
    at = {player: paper.table.number for paper in tables for player in paper.numbers}
    for line in below:
        said = dict(zip(columns, line.cells, strict=False))
        if not any(said.get(name) for name in FIGURES):
            continue
        player = whole_number(said.get("number", ""))
        if problem := _wrong(said, player, at, seen):
            found.problems.append((line.number, problem))
        elif player is not None:
            seen[player] = line.number
            found.figures[player] = {name: said.get(name, "") for name in FIGURES}
    return found


def _columns(lines: Sequence[Line]) -> tuple[list[str], list[Line]]:
    """What each column holds, and the lines below the headings."""
    for index, line in enumerate(lines[:10]):
        named = [_column(cell) for cell in line.cells]
        if "points" in named and "number" in named:
            return named, list(lines[index + 1 :])
    widest = max(line.said for line in lines)
    return {2: ["number", "points"], 3: ["table", "number", "points"]}.get(widest, []), list(lines)


def _column(heading: str) -> str:
    return _COLUMN_OF.get(folded(heading)) or ("number" if field_of(heading) == "number" else "")


def _wrong(
    said: dict[str, str], player: int | None, at: dict[int, int], seen: dict[int, int]
) -> Problem | None:
    """The first thing that is wrong with whom a line is about; its figures are judged with the whole table."""
    if player is None:
        return Problem("totals_line_without_player", "number", {"text": said.get("number", "")[:20]})
    if player not in at:
        return Problem("totals_player_not_seated", "number", {"player": player})
    if player in seen:
        return Problem("totals_player_twice", "number", {"player": player, "row": seen[player]})
    table = said.get("table", "")
    if table and whole_number(table) != at[player]:
        about: dict[str, str | int] = {"player": player, "table": at[player], "given": table[:20]}
        return Problem("totals_player_elsewhere", "table", about)
    return None


def totals_csv(tables: Iterable[PaperTable]) -> str:
    """A file of the session to be filled in: everybody at their table, with the totals that are there."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(HEADINGS)
    for paper in tables:
        for seat in paper.seats:
            figures = _kept(paper, seat.player.number)
            rows.writerow(
                (paper.table.number, seat.wind, seat.player.number, no_formula(seat.player.name), *figures)
            )
    return text.getvalue()


def _kept(paper: PaperTable, player: int) -> tuple[int | str, ...]:
    if paper.totals is None:
        return ("",) * len(FIGURES)
    return tuple((getattr(paper.totals, name) or {}).get(str(player), "") for name in FIGURES)
