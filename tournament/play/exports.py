"""The list of hands, and totals of a session from a file.

A file of totals has a line for each player. Columns are recognised by their headings, in any order: table (optional),
number, points, wins, deal-ins. Without headings they are number and points, or table, number and points. The result is
shown on the page for typing totals before anything is stored.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.engine import find_fan
from scoring.engine.problems import Problem, problem_code
from scoring.texts import fan_name, joined
from tournament.base.errors import Refused
from tournament.base.models.play import Hand
from tournament.base.problems import LIST_EMPTY
from tournament.base.selectors import hidden_from
from tournament.play.selectors.totals import PaperTable
from tournament.web.exports.headings import field_of, folded, whole_number
from tournament.web.exports.lists import Column, ListTable, Reader, csv_of
from tournament.web.exports.sheets import Line, lines_of, read_sheets

TOTALS_COLUMNS_MISSING = problem_code(
    "totals_columns_missing", "A column with player numbers and one with points are needed."
)
TOTALS_LINE_WITHOUT_PLAYER = problem_code("totals_line_without_player", "“{text}” is not a player number.")
TOTALS_PLAYER_NOT_SEATED = problem_code(
    "totals_player_not_seated", "Player {player} has no seat at one of your tables in this session."
)
TOTALS_PLAYER_TWICE = problem_code(
    "totals_player_twice", "Player {player} is also in row {row}: nobody plays at two tables."
)
TOTALS_PLAYER_ELSEWHERE = problem_code(
    "totals_player_elsewhere", "Player {player} sits at table {table}, not at {given}."
)

FIGURES: Final = ("points", "wins", "deal_ins")
HEADINGS: Final = ("table", "wind", "number", "name", *FIGURES)
"""Columns of the file to fill in."""
_HEADINGS_IN_USE: Final = {
    "table": "table tisch mesa tafel bord tavolo stol 桌 桌号 桌號 桌次 台号",
    "points": """
        points point pts gamepoints gp total totals score punkte spielpunkte puntos punti punten
        小分 得分 总分 總分 分数 分數""",
    "wins": "wins won handswon victories siege victoires 和牌 和牌数 和牌數 和次",
    "deal_ins": "dealins dealin discards eingeworfen 点炮 點炮 放炮 点炮数 點炮數",
}
_COLUMN_OF: Final = {folded(word): name for name, words in _HEADINGS_IN_USE.items() for word in words.split()}


@dataclass
class TotalsList:
    """Totals read from a file: player number → figure name → text; and all problems."""

    figures: dict[int, dict[str, str]] = field(default_factory=dict)
    problems: list[tuple[int, Problem]] = field(default_factory=list)
    """(line number, problem) of lines left out."""

    @property
    def has_more(self) -> bool:
        """Whether there are figures besides points."""
        return any(cells.get("wins") or cells.get("deal_ins") for cells in self.figures.values())


def read_totals(data: bytes, tables: Sequence[PaperTable]) -> TotalsList:
    """Read the totals of these tables from a file. Raises Refused if it is unreadable or columns are missing."""
    lines = [line for sheet in read_sheets(data)[:1] for line in lines_of(sheet)]
    if not lines:
        raise Refused(LIST_EMPTY())
    columns, below = _columns(lines)
    if "number" not in columns or "points" not in columns:
        raise Refused(TOTALS_COLUMNS_MISSING())
    totals, line_of = TotalsList(), dict[int, int]()
    table_of = {player: paper.table.number for paper in tables for player in paper.numbers}
    for line in below:
        cells = dict(zip(columns, line.cells, strict=False))
        if not any(cells.get(name) for name in FIGURES):
            continue
        player = whole_number(cells.get("number", ""))
        if problem := _line_problem(cells, player, table_of, line_of):
            totals.problems.append((line.number, problem))
        elif player is not None:
            line_of[player] = line.number
            totals.figures[player] = {name: cells.get(name, "") for name in FIGURES}
    return totals


def _columns(lines: Sequence[Line]) -> tuple[list[str], list[Line]]:
    """Return the names of the columns, and the lines below the headings."""
    for index, line in enumerate(lines[:10]):
        columns = [_column(cell) for cell in line.cells]
        if "points" in columns and "number" in columns:
            return columns, list(lines[index + 1 :])
    widest = max(line.filled_cells for line in lines)
    return {2: ["number", "points"], 3: ["table", "number", "points"]}.get(widest, []), list(lines)


def _column(heading: str) -> str:
    return _COLUMN_OF.get(folded(heading)) or ("number" if field_of(heading) == "number" else "")


def _line_problem(
    cells: dict[str, str], player: int | None, table_of: dict[int, int], line_of: dict[int, int]
) -> Problem | None:
    """Return the first problem with a line's player or table. Figures are checked with the whole table later."""
    if player is None:
        return TOTALS_LINE_WITHOUT_PLAYER("number", text=cells.get("number", "")[:20])
    if player not in table_of:
        return TOTALS_PLAYER_NOT_SEATED("number", player=player)
    if player in line_of:
        return TOTALS_PLAYER_TWICE("number", player=player, row=line_of[player])
    table = cells.get("table", "")
    if table and whole_number(table) != table_of[player]:
        return TOTALS_PLAYER_ELSEWHERE("table", player=player, table=table_of[player], given=table[:20])
    return None


def totals_csv(tables: Iterable[PaperTable]) -> bytes:
    """Write a file to fill in, with the players of these tables and the totals known."""
    return csv_of(
        HEADINGS,
        (
            [
                *(paper.table.number, seat.wind, seat.player.number, seat.player.full_name),
                *_figures(paper, seat.player.number),
            ]
            for paper in tables
            for seat in paper.seats
        ),
    )


def _figures(paper: PaperTable, player: int) -> tuple[int | str, ...]:
    if paper.totals is None:
        return ("",) * len(FIGURES)
    return tuple((getattr(paper.totals, name) or {}).get(str(player), "") for name in FIGURES)


# --- The list of hands ---


def _hand_rows(reader: Reader) -> Iterable[Hand]:
    return (
        Hand.objects.filter(table__session__tournament=reader.tournament, is_current=True)
        .exclude(table__session__number__in=hidden_from(reader.audience, reader.tournament))
        .select_related("table__session", "winner", "discarder")
        .order_by("table__session__number", "table__number", "number")
    )


def _tiles_text(tiles: dict[str, Any] | None) -> str:
    """Return concealed tiles, then melds in brackets: "1m 2m 3m [5p 5p 5p]"."""
    if not tiles:
        return ""
    melds = (f"[{' '.join(meld['tiles'])}]" for meld in tiles.get("melds", ()))
    return " ".join([*tiles.get("concealed", ()), *melds])


HANDS = ListTable(
    "hands",
    pgettext_lazy("a list", "Hands"),
    columns=[
        Column("session", _("Session"), lambda hand: hand.table.session.number),
        Column("table", _("Table"), lambda hand: hand.table.number),
        Column("hand", _("Hand"), lambda hand: hand.number),
        Column("outcome", _("Outcome"), lambda hand: str(hand.get_outcome_display())),
        Column("winner", _("Winner"), lambda hand: hand.winner.number if hand.winner else None),
        Column("discarder", _("Discarder"), lambda hand: hand.discarder.number if hand.discarder else None),
        Column("points", _("Points"), lambda hand: hand.points),
        Column("tiles", _("Tiles"), lambda hand: _tiles_text(hand.tiles)),
        Column("fans", _("Fans"), lambda hand: joined(fan_name(find_fan(line["key"])) for line in hand.fans)),
        Column("version", _("Version"), lambda hand: hand.version),
        Column("recorded_at", _("When"), lambda hand: hand.recorded_at),
    ],
    rows=_hand_rows,
)
"""Current versions of all hands, with tiles and fans where known."""
