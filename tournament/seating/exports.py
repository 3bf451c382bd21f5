"""The list of seats, and a plan of them as CSV: a line for each table, with the columns session, table, E, S, W, N.

Players are given by number, or by name as pages show it. Titles, which have fewer cells than a table's line, and
headings in any language may come first: such lines, whose first cell is no number, are skipped.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile

from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.names import name_key
from tournament.base.engine.rules import WINDS
from tournament.base.engine.text import number_in
from tournament.base.models.people import Player
from tournament.base.models.play import Seat
from tournament.seating.engine.plans import UNKNOWN_PLAYER
from tournament.web.exports.lists import Column, ListTable, csv_text
from tournament.web.exports.sheets import Line, read_lines

PLAN_LINE_SHORT = problem_code(
    "plan_line_short", "A line needs six cells: session, table and the players at E, S, W and N."
)
PLAN_NOT_NUMBER = problem_code("plan_not_number", "“{text}” is not the number of a session or a table.")
PLAN_NAME_UNKNOWN = problem_code(
    "plan_name_unknown",
    "No player is called “{text}”: write the name as in the list of players, or the number.",
)
PLAN_NAME_SHARED = problem_code(
    "plan_name_shared", "“{text}” is the name of more than one player: write the number."
)
PLAN_TABLE_TWICE = problem_code(
    "plan_table_twice", "Table {table} of session {session} is also in another line."
)
PLAN_TABLE_MISSING = problem_code("plan_table_missing", "Table {table} of session {session} is missing.")
SEATED_TWICE_IN = problem_code("seated_twice_in", "Player {player} is seated twice in session {session}.")

HEADINGS = ("session", "table", *WINDS)


@dataclass
class PlanFile:
    """A plan read from a file, session → table → starting wind → player number, and all problems of the file.

    A problem's `where` is "line <n>", or empty where it is not about one line.
    """

    sessions: dict[int, dict[int, dict[str, int]]] = field(default_factory=lambda: defaultdict(dict))
    problems: list[Problem] = field(default_factory=list)

    def tables(self) -> dict[int, list[dict[str, int]]]:
        """Return session → tables in the order of their numbers; requires a file without problems."""
        return {
            session: [tables[number] for number in sorted(tables)]
            for session, tables in sorted(self.sessions.items())
        }


def read_plan(data: bytes, players: Sequence[Player]) -> PlanFile:
    """Read a plan for these players; raises `Refused` when the file cannot be read at all."""
    lines = list(dropwhile(_is_title, read_lines(data)))
    if lines and not lines[0].cells[0].isdecimal():
        lines = lines[1:]
    plan, names = PlanFile(), _Names(players)
    seats: list[tuple[int, int, int]] = []
    for line in lines:
        seats += _read_line(line, names, plan)
    plan.problems += _seated_twice(seats)
    if not plan.problems:
        plan.problems += _missing_tables(plan.sessions)
    return plan


def _is_title(line: Line) -> bool:
    return line.filled_cells < len(HEADINGS) and not line.cells[0].isdecimal()


def write_plan(plan: Sequence[Sequence[Mapping[str, int]]]) -> str:
    """Return the plan as CSV, by player numbers, in the format that `read_plan` reads."""
    rows = (
        [session, table, *(seats[wind] for wind in WINDS)]
        for session, tables in enumerate(plan, 1)
        for table, seats in enumerate(tables, 1)
    )
    return csv_text(HEADINGS, rows, end="\n")


class _Names:
    """The players by the names that a file may use."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.numbers = {player.number for player in players}
        self.by_name: defaultdict[str, set[int]] = defaultdict(set)
        for player in players:
            names = (
                player.name,
                player.full_name,
                player.last_name,
            )
            for name in names:
                self.by_name[name_key(name)].add(player.number)

    def find(self, text: str) -> int | Problem:
        if (number := number_in(text)) is not None:
            return number if number in self.numbers else UNKNOWN_PLAYER(player=number)
        numbers = self.by_name.get(name_key(text), set())
        if len(numbers) == 1:
            return next(iter(numbers))
        return (PLAN_NAME_SHARED if numbers else PLAN_NAME_UNKNOWN)(text=text)


def _read_line(line: Line, names: _Names, plan: PlanFile) -> Iterator[tuple[int, int, int]]:
    """Add a line to the plan; yield (session, player, line number) for each seat."""
    where = f"line {line.number}"
    cells = [cell for cell in line.cells[: len(HEADINGS)] if cell]
    if len(cells) < len(HEADINGS):
        plan.problems.append(PLAN_LINE_SHORT(where))
        return
    if malformed := [text for text in cells[:2] if not 1 <= (number_in(text) or 0) <= 999]:
        plan.problems += [PLAN_NOT_NUMBER(where, text=text) for text in malformed]
        return
    session, table = map(int, cells[:2])
    players = [names.find(text) for text in cells[2:]]
    plan.problems += [player.at(where) for player in players if isinstance(player, Problem)]
    if table in plan.sessions[session]:
        plan.problems.append(PLAN_TABLE_TWICE(where, session=session, table=table))
    numbers = [player for player in players if not isinstance(player, Problem)]
    plan.sessions[session][table] = dict(zip(WINDS, numbers, strict=False))
    yield from ((session, number, line.number) for number in numbers)


def _seated_twice(seats: Sequence[tuple[int, int, int]]) -> Iterator[Problem]:
    """Yield a problem for everybody who sits twice in a session, at the later line."""
    counts: Counter[tuple[int, int]] = Counter()
    for session, player, line in seats:
        counts[session, player] += 1
        if counts[session, player] > 1:
            yield SEATED_TWICE_IN(f"line {line}", player=player, session=session)


def _missing_tables(sessions: Mapping[int, Mapping[int, Mapping[str, int]]]) -> Iterator[Problem]:
    """Yield a problem for each table left out of a session."""
    for session, tables in sorted(sessions.items()):
        for missing in sorted(set(range(1, max(tables) + 1)) - set(tables)):
            yield PLAN_TABLE_MISSING(session=session, table=missing)


# --- The list of seats ---


SEATS = ListTable(
    "seats",
    _("Seats"),
    columns=[
        Column("session", _("Session"), lambda seat: seat.table.session.number),
        Column("table", _("Table"), lambda seat: seat.table.number),
        Column("wind", _("Wind"), lambda seat: seat.wind),
        Column("number", _("No."), lambda seat: seat.player.number),
        Column("name", _("Name"), lambda seat: seat.player.full_name),
    ],
    rows=lambda reader: (
        Seat.objects.filter(table__session__tournament=reader.tournament)
        .select_related("player", "table__session")
        .order_by("table__session__number", "table__number", "id")
    ),
)
"""One line a seat; the wind is the starting wind."""
