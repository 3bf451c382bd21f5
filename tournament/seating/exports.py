"""A plan of seats as CSV: a line for each table, with the columns session, table, E, S, W, N.

Seats are given by player number, or by name as pages show it. Above may stand titles, which are shorter than a table's
line, and headings, in any language: a line whose first cell is no number is passed over there.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile

from scoring.engine.problems import Problem
from tournament.base.engine.rules import WINDS
from tournament.base.models.people import Player
from tournament.web.exports.sheets import Line, read_lines

HEADINGS = ("session", "table", *WINDS)


@dataclass
class PlanFile:
    """What a file says: session → table → starting wind → player number; and what is wrong with it, all at once.

    A problem's `where` is "line <n>", or empty where it is not about one line.
    """

    sessions: dict[int, dict[int, dict[str, int]]] = field(default_factory=lambda: defaultdict(dict))
    problems: list[Problem] = field(default_factory=list)

    def tables(self) -> dict[int, list[dict[str, int]]]:
        """Session → tables in the order of their numbers; call when there are no problems."""
        return {
            session: [tables[number] for number in sorted(tables)]
            for session, tables in sorted(self.sessions.items())
        }


def read_plan(data: bytes, people: Sequence[Player]) -> PlanFile:
    """The plan in a file, for these players; refused when the file cannot be read at all."""
    lines = list(dropwhile(_is_title, read_lines(data)))
    if lines and not lines[0].cells[0].isdecimal():
        lines = lines[1:]
    plan, known = PlanFile(), _Names(people)
    seats: list[tuple[int, int, int]] = []
    for line in lines:
        seats += _read_line(line, known, plan)
    plan.problems += _twice(seats)
    if not plan.problems:
        plan.problems += _gaps(plan.sessions)
    return plan


def _is_title(line: Line) -> bool:
    return line.said < len(HEADINGS) and not line.cells[0].isdecimal()


def write_plan(plan: Sequence[Sequence[Mapping[str, int]]]) -> str:
    """The plan as CSV, by player numbers, in the format that `read_plan` reads."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(HEADINGS)
    for session, tables in enumerate(plan, 1):
        for table, seats in enumerate(tables, 1):
            rows.writerow([session, table, *(seats[wind] for wind in WINDS)])
    return text.getvalue()


class _Names:
    """Players by what a file may call them."""

    def __init__(self, people: Sequence[Player]) -> None:
        self.numbers = {player.number for player in people}
        self.by_name: defaultdict[str, set[int]] = defaultdict(set)
        for player in people:
            for name in (player.name, f"{player.last_name} {player.first_name}", f"{player.last_name}"):
                self.by_name[name.strip().casefold()].add(player.number)

    def find(self, text: str) -> int | Problem:
        if text.isdecimal():
            number = int(text)
            return number if number in self.numbers else Problem("unknown_player", "", {"player": number})
        numbers = self.by_name.get(text.casefold(), set())
        if len(numbers) == 1:
            return next(iter(numbers))
        return Problem("plan_name_shared" if numbers else "plan_name_unknown", "", {"text": text})


def _read_line(line: Line, known: _Names, plan: PlanFile) -> Iterator[tuple[int, int, int]]:
    """Put a line into the plan; gives (session, player, line number) for each seat."""
    where = f"line {line.number}"
    cells = [cell for cell in line.cells[: len(HEADINGS)] if cell]
    if len(cells) < len(HEADINGS):
        plan.problems.append(Problem("plan_line_short", where))
        return
    if bad := [text for text in cells[:2] if not (text.isdecimal() and 1 <= int(text) <= 999)]:
        plan.problems += [Problem("plan_not_number", where, {"text": text}) for text in bad]
        return
    session, table = map(int, cells[:2])
    players = [known.find(text) for text in cells[2:]]
    plan.problems += [
        Problem(player.code, where, player.params) for player in players if isinstance(player, Problem)
    ]
    if table in plan.sessions[session]:
        plan.problems.append(Problem("plan_table_twice", where, {"session": session, "table": table}))
    numbers = [player for player in players if not isinstance(player, Problem)]
    plan.sessions[session][table] = dict(zip(WINDS, numbers, strict=False))
    yield from ((session, number, line.number) for number in numbers)


def _twice(seats: Sequence[tuple[int, int, int]]) -> Iterator[Problem]:
    """Everybody who sits twice in a session, at the later line."""
    seen: Counter[tuple[int, int]] = Counter()
    for session, player, line in seats:
        seen[session, player] += 1
        if seen[session, player] > 1:
            yield Problem("seated_twice_in", f"line {line}", {"player": player, "session": session})


def _gaps(sessions: Mapping[int, Mapping[int, Mapping[str, int]]]) -> Iterator[Problem]:
    """Tables left out of a session."""
    for session, tables in sorted(sessions.items()):
        for missing in sorted(set(range(1, max(tables) + 1)) - set(tables)):
            yield Problem("plan_table_missing", "", {"session": session, "table": missing})
