"""What is wrong with a list of players: every fault by row and column, as a careful person would find them.

Beside the faults stand questions, which are nobody's mistake: are two of one name two people?
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.engine.problems import Problem
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.players.exports.players_csv import PlayerList
from tournament.players.exports.players_keys import find_by_keys, updates_of
from tournament.players.exports.players_known import differences, find_known, is_in_doubt, name_key
from tournament.players.exports.players_rows import NOTHING, Row, Said, digits, with_zero
from tournament.players.selectors.entrants import Entrant, problems_of_all
from tournament.web.exports.capitals import soften_capitals
from tournament.web.exports.headings import whole_number
from tournament.web.exports.sheets import Line
from tournament.web.texts.countries import find_country


@dataclass
class _Seen:
    """Where a name and an EMA number stood first."""

    names: dict[tuple[str, ...], Row] = field(default_factory=dict)
    ema_numbers: dict[str, Row] = field(default_factory=dict)


def check(listed: PlayerList, tournament: Tournament, said: Said = NOTHING) -> list[Row]:
    """Every row with every problem it has by itself, beside the other rows, and beside those entered already."""
    players = list(tournament.players.all())
    rows = [_row(listed, line, said) for line in listed.lines]
    wanted = {row.number: row for row in rows if not row.left_out}
    if said.updates:
        said = replace(said, apart=said.apart | _hold_keys(wanted, listed, players, said))
    else:
        for number, row in _recognised(wanted, players, said).items():
            wanted[number] = row
    _repeats(wanted, players, said)
    _faults(tournament, wanted)
    return [wanted.get(row.number, replace(row, problems=())) for row in rows]


def missing_from(rows: Sequence[Row], tournament: Tournament) -> list[Player]:
    """Those who play and are in no row, left out or not."""
    here = {row.player.pk for row in rows if row.player}
    names = {name_key(row.entrant.first_name, row.entrant.last_name) for row in rows if row.left_out}
    return [
        player
        for player in tournament.players.filter(withdrawn_at=None)
        if player.pk not in here and name_key(player.first_name, player.last_name) not in names
    ]


def _row(listed: PlayerList, line: Line, said: Said) -> Row:
    cells = listed.cells(line)
    told = {name: "" if _says_nothing(text) else text for name, text in cells.items()}
    last_name = soften_capitals(told["last_name"]) if said.soften else told["last_name"]
    ema_number = digits(told["ema_number"])
    entrant = Entrant(
        last_name=last_name,
        first_name=told["first_name"],
        country=find_country(told["country"]) or told["country"],
        ema_number=(said.zeros and with_zero(ema_number)) or ema_number,
        team=told["team"],
        club=told["club"],
        number=whole_number(told["number"]),
    )
    problems = tuple(_misread(told, entrant))
    return Row(line.number, cells, entrant, problems, line.number in said.left_out)


def _says_nothing(text: str) -> bool:
    """A dash where nothing is known."""
    return not text.strip("-–—./ ")


def _misread(told: dict[str, str], entrant: Entrant) -> Iterable[Problem]:
    for name in ("last_name", "first_name", "team", "club"):
        if told[name].startswith(("=", "+", "-", "@")):
            yield Problem("formula_cell", name, {"text": told[name][:40]})
    if told["number"] and entrant.number is None:
        yield Problem("number_not_whole", "number", {"text": told["number"][:40]})
    if likely := with_zero(entrant.ema_number):
        yield Problem("ema_number_lost_zero", "ema_number", {"digits": 7, "likely": likely})


def _recognised(wanted: dict[int, Row], players: Sequence[Player], said: Said) -> dict[int, Row]:
    """The rows of those entered already, with what they say otherwise. Of them a lost zero is no fault."""
    complete = {number: _completed(row.entrant) for number, row in wanted.items()}
    found = {}
    for number, player in find_known(complete, players, said.apart).items():
        row, entrant = wanted[number], complete[number]
        is_whole = entrant.ema_number == player.ema_number
        problems = [one for one in row.problems if not (is_whole and one.code == "ema_number_lost_zero")]
        misread = {one.where for one in problems}
        differing = differences(number, entrant if is_whole else row.entrant, player)
        found[number] = replace(
            row,
            player=player,
            problems=tuple(problems),
            differences=tuple(one for one in differing if one.field not in misread),
            refused=said.refused,
            is_in_doubt=is_in_doubt(entrant, player),
        )
    return found


def _hold_keys(
    wanted: dict[int, Row], listed: PlayerList, players: Sequence[Player], said: Said
) -> frozenset[int]:
    """Say of every row who it is by its keys; the rows of which that is not clear, with why."""
    complete = {number: _completed(row.entrant) for number, row in wanted.items()}
    found, unclear = find_by_keys(complete, players, said.apart)
    for number, problem in unclear.items():
        wanted[number] = replace(wanted[number], problems=(*wanted[number].problems, problem))
    for number, player in found.items():
        row, entrant = wanted[number], complete[number]
        is_whole = entrant.ema_number == player.ema_number
        entrant = entrant if is_whole else row.entrant
        problems = [
            one
            for one in row.problems
            if not (one.code == "ema_number_lost_zero" and is_whole)
            and not (one.code == "formula_cell" and getattr(entrant, one.where) == getattr(player, one.where))
        ]
        misread = {one.where for one in problems}
        wanted[number] = replace(
            row,
            player=player,
            problems=tuple(problems),
            differences=tuple(
                one for one in updates_of(number, entrant, player, listed.fields) if one.field not in misread
            ),
            refused=said.refused,
            chosen=said.chosen,
            is_in_doubt=is_in_doubt(entrant, player),
        )
    return frozenset(unclear)


def _completed(entrant: Entrant) -> Entrant:
    return replace(entrant, ema_number=with_zero(entrant.ema_number) or entrant.ema_number)


def _repeats(wanted: dict[int, Row], players: Sequence[Player], said: Said) -> None:
    """Mark rows that repeat one before: as a fault where it is surely the same person, else as a question."""
    seen = _Seen()
    entered = {name_key(player.first_name, player.last_name): player for player in players}
    for number, row in wanted.items():
        person, ema_number = name_key(row.entrant.first_name, row.entrant.last_name), row.entrant.ema_number
        first = seen.names.setdefault(person, row) if person else row
        holder = seen.ema_numbers.setdefault(ema_number, row) if ema_number else row
        if holder is not row:
            wanted[number] = replace(row, problems=(*row.problems, _repeated(row, holder, first)))
        elif number in said.apart or row.player:
            continue
        elif first is not row:
            wanted[number] = replace(row, question=Problem("namesake", "last_name", {"row": first.number}))
        elif person in entered:
            params: dict[str, Any] = {"name": entered[person].name, "number": entered[person].number}
            wanted[number] = replace(row, question=Problem("namesake_entered", "last_name", params))


def _repeated(row: Row, holder: Row, first: Row) -> Problem:
    """One EMA number twice: the same person, or another to whom it cannot belong."""
    if first is not row and first.entrant.ema_number == row.entrant.ema_number:
        return Problem("row_repeated", "last_name", {"row": first.number})
    params: dict[str, Any] = {"ema_number": row.entrant.ema_number, "row": holder.number}
    return Problem("ema_number_repeated", "ema_number", params)


def _faults(tournament: Tournament, wanted: dict[int, Row]) -> None:
    """Add what the services find, where it is news."""
    rows = list(wanted.values())
    known = [row.player for row in rows if row.player]
    for problem in problems_of_all(tournament, [row.outcome for row in rows], known):
        index, _dot, name = problem.where.partition(".")
        row = wanted[rows[int(index)].number]
        if _adds(problem, row.problems):
            new = Problem(problem.code, name, problem.params)
            wanted[row.number] = replace(row, problems=(*row.problems, new))


_SAID_BETTER = {
    "ema_number_length": ("ema_number_lost_zero",),
    "ema_number_taken": ("row_repeated", "ema_number_repeated", "keys_disagree", "row_of_same_player"),
    "number_taken": ("row_repeated", "keys_disagree", "number_not_of_name", "row_of_same_player"),
}
"""A fault the services find → how this module says the same thing."""


def _adds(problem: Problem, known: Collection[Problem]) -> bool:
    """Whether a fault is news beside those known of the row."""
    return not {other.code for other in known}.intersection(_SAID_BETTER.get(problem.code, ()))
