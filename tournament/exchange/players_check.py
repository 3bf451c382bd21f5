"""What is wrong with a list of players: every fault by row and column, as a careful person would find them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.engine.problems import Problem
from tournament.countries import find_country
from tournament.exchange.capitals import soften_capitals
from tournament.exchange.headings import FIELDS
from tournament.exchange.players_csv import PlayerList
from tournament.exchange.sheets import Line
from tournament.models import Player, Tournament
from tournament.names import display_name
from tournament.services.players import Entrant, problems_of_all


@dataclass(frozen=True)
class Row:
    """A line as a player to be. `number` is the file's; a problem's `where` is a field."""

    number: int
    cells: dict[str, str]
    entrant: Entrant
    problems: tuple[Problem, ...] = ()
    left_out: bool = False

    @property
    def name(self) -> str:
        """As pages will show it."""
        return display_name(self.entrant.first_name, self.entrant.last_name)


@dataclass
class _Seen:
    """Where a person and an EMA number stood first."""

    people: dict[tuple[str, ...], int] = field(default_factory=dict)
    ema_numbers: dict[str, int] = field(default_factory=dict)


def check(
    listed: PlayerList, tournament: Tournament, *, left_out: Iterable[int] = (), soften: bool = False
) -> list[Row]:
    """Every row with every problem it has by itself, beside the other rows, and beside those entered already.

    `left_out`: numbers of rows that are not wanted. `soften`: write DE LA CRUZ as De la Cruz.
    """
    unwanted = set(left_out)
    rows = [_row(listed, line, soften) for line in listed.lines]
    wanted = [row for row in rows if row.number not in unwanted]
    seen, entered = _Seen(), _entered(tournament)
    problems = {row.number: [*row.problems, *_repeats(row, seen, entered)] for row in wanted}
    for problem in problems_of_all(tournament, [row.entrant for row in wanted]):
        index, _dot, name = problem.where.partition(".")
        row = wanted[int(index)]
        if _adds(problem, problems[row.number]):
            problems[row.number].append(Problem(problem.code, name, problem.params))
    return [
        replace(row, problems=tuple(problems.get(row.number, ())), left_out=row.number in unwanted)
        for row in rows
    ]


def _row(listed: PlayerList, line: Line, soften: bool) -> Row:
    cells = {name: listed.cell(line, name) for name in FIELDS}
    said = {name: "" if _says_nothing(text) else text for name, text in cells.items()}
    last_name = soften_capitals(said["last_name"]) if soften else said["last_name"]
    entrant = Entrant(
        last_name=last_name,
        first_name=said["first_name"],
        country=find_country(said["country"]) or said["country"],
        ema_number=said["ema_number"].replace(" ", ""),
        team=said["team"],
        club=said["club"],
        number=int(said["number"]) if _is_number(said["number"]) else None,
    )
    return Row(line.number, cells, entrant, tuple(_misread(said)))


def _says_nothing(text: str) -> bool:
    """A dash where nothing is known."""
    return not text.strip("-–—./ ")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _misread(said: dict[str, str]) -> Iterable[Problem]:
    for name in ("last_name", "first_name", "team", "club"):
        if said[name].startswith(("=", "+", "-", "@")):
            yield Problem("formula_cell", name, {"text": said[name][:40]})
    if said["number"] and not _is_number(said["number"]):
        yield Problem("number_not_whole", "number", {"text": said["number"][:40]})
    ema_number = said["ema_number"].replace(" ", "")
    if len(ema_number) == 7 and ema_number.isascii() and ema_number.isdigit():
        yield Problem("ema_number_lost_zero", "ema_number", {"digits": 7, "likely": f"0{ema_number}"})


def _person(first_name: str, last_name: str, ema_number: str, country: str) -> tuple[str, ...]:
    """Equal for the same person; without an EMA number, two of one name and country are taken for one."""
    return (first_name.casefold(), last_name.casefold(), ema_number, "" if ema_number else country)


def _entered(tournament: Tournament) -> dict[tuple[str, ...], Player]:
    return {
        _person(player.first_name, player.last_name, player.ema_number, player.country): player
        for player in tournament.players.all()
    }


def _repeats(row: Row, seen: _Seen, entered: dict[tuple[str, ...], Player]) -> list[Problem]:
    entrant = row.entrant
    person = _person(entrant.first_name, entrant.last_name, entrant.ema_number, entrant.country)
    first = seen.people.setdefault(person, row.number)
    if not entrant.last_name:
        return []
    if first != row.number:
        return [Problem("row_repeated", "last_name", {"row": first})]
    if player := entered.get(person):
        return [Problem("already_entered", "last_name", {"name": player.name, "number": player.number})]
    if (
        entrant.ema_number
        and (first := seen.ema_numbers.setdefault(entrant.ema_number, row.number)) != row.number
    ):
        params: dict[str, Any] = {"ema_number": entrant.ema_number, "row": first}
        return [Problem("ema_number_repeated", "ema_number", params)]
    return []


_SAID_BETTER = {
    "ema_number_length": ("ema_number_lost_zero",),
    "ema_number_taken": ("row_repeated", "already_entered", "ema_number_repeated"),
    "number_taken": ("already_entered",),
}
"""A fault the services find → how this module says the same thing."""


def _adds(problem: Problem, known: Sequence[Problem]) -> bool:
    """Whether a fault is news beside those known of the row."""
    return not {other.code for other in known}.intersection(_SAID_BETTER.get(problem.code, ()))
