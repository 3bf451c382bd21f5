"""A list of players on its way in: how it is read, what is wrong with it, and what entering it would do.

Nothing is stored.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scoring.engine.problems import Problem, problem_code
from tournament.base.countries import find_country
from tournament.base.errors import Refused
from tournament.base.fields import EMA_NUMBER_LENGTH
from tournament.base.models.people import EMA_NUMBER_TAKEN, NUMBER_TAKEN, Player
from tournament.base.models.tournament import Tournament
from tournament.players.exports.player_lists import (
    KEYS_DISAGREE,
    NOTHING,
    NUMBER_NOT_OF_NAME,
    NUMBER_OF_ANOTHER,
    ROW_OF_SAME_PLAYER,
    Absent,
    Difference,
    PlayerList,
    Row,
    Said,
    differences,
    digits,
    find_by_keys,
    find_known,
    is_in_doubt,
    name_key,
    read_list,
    updates_of,
    with_zero,
)
from tournament.players.selectors.players import (
    Entrant,
    problems_of_all,
)
from tournament.web.exports.headings import soften_capitals, whole_number
from tournament.web.exports.sheets import Line

LIST_LOST = problem_code("list_lost", "The list did not come back whole. Please upload it once more.")
NUMBER_NOT_WHOLE = problem_code("number_not_whole", "“{text}” is not a player number: write digits only.")
FORMULA_CELL = problem_code("formula_cell", "“{text}” is a formula for a spreadsheet and not a name.")
EMA_NUMBER_LOST_ZERO = problem_code(
    "ema_number_lost_zero",
    "An EMA number has eight digits; this one has {digits}. If a spreadsheet dropped the zero in front, it "
    "is {likely}.",
)
ROW_REPEATED = problem_code(
    "row_repeated",
    "The same person stands in row {row}. Leave this row out, or write the name so that the two can be told "
    "apart.",
)
NAMESAKE = problem_code(
    "namesake",
    "Row {row} has the same name. If these are two persons, say so; else leave one of the rows out.",
)
NAMESAKE_ENTERED = problem_code(
    "namesake_entered",
    "{name}, number {number}, is entered already. If this is another person, say so; else leave the row out.",
)
EMA_NUMBER_REPEATED = problem_code("ema_number_repeated", "EMA number {ema_number} stands in row {row} too.")


@dataclass(frozen=True)
class Reading:
    """What somebody said of one sheet. None: as Hule finds it.

    `cells`: (row, field) → what it should say. `left_out` and `kept`: rows that are not wanted, and that are although
    they look like nobody. `apart`, `refused` and `chosen` as in `Said`.
    """

    heading: int | None = None
    columns: tuple[str, ...] | None = None
    cells: Mapping[tuple[int, str], str] = field(default_factory=dict)
    left_out: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()
    refused: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()

    def to_json(self) -> dict[str, Any]:
        return {
            "heading": self.heading,
            "columns": self.columns,
            "cells": [[row, name, text] for (row, name), text in self.cells.items()],
            "left_out": sorted(self.left_out),
            "kept": sorted(self.kept),
            "apart": sorted(self.apart),
            "refused": sorted(self.refused),
            "chosen": sorted(self.chosen),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Reading:
        return cls(
            heading=None if data["heading"] is None else int(data["heading"]),
            columns=None if data["columns"] is None else tuple(map(str, data["columns"])),
            cells={(int(row), str(name)): str(text) for row, name, text in data["cells"]},
            left_out=frozenset(map(int, data["left_out"])),
            kept=frozenset(map(int, data["kept"])),
            apart=frozenset(map(int, data["apart"])),
            refused=frozenset(map(str, data["refused"])),
            chosen=frozenset(map(str, data["chosen"])),
        )


@dataclass(frozen=True)
class Wish:
    """A list as it was sent, and how it is to be read: plain data, for a page to carry.

    `name`: the file's, "" for a text that was pasted.

    `updates`: it is the event's own list, edited: rows are known by their keys, and what it lacks can be chosen.
    `reading` is about `sheet`; what was said of other sheets waits in `others` until they are chosen again.
    """

    data: bytes
    name: str = ""
    sheet: str | None = None
    split: str = ""
    soften: bool = False
    zeros: bool = False
    reading: Reading = Reading()
    others: Mapping[str, Reading] = field(default_factory=dict)
    updates: bool = False

    def of_sheet(self, sheet: str) -> Wish:
        """The same list, read from another of its sheets."""
        others = {**self.others, self.sheet or "": self.reading}
        return replace(self, sheet=sheet, reading=others.pop(sheet, Reading()), others=others)

    def to_json(self) -> str:
        """Everything, on one line, for a page to send back."""
        content = {
            "data": b64encode(self.data).decode(),
            "name": self.name,
            "sheet": self.sheet,
            "split": self.split,
            "soften": self.soften,
            "zeros": self.zeros,
            "updates": self.updates,
            "reading": self.reading.to_json(),
            "others": {name: reading.to_json() for name, reading in self.others.items()},
        }
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Wish:
        """What a page sent back; refused when it did not come back whole."""
        try:
            content = json.loads(text)
            return cls(
                data=b64decode(content["data"], validate=True),
                name=str(content["name"]),
                sheet=None if content["sheet"] is None else str(content["sheet"]),
                split=str(content["split"]),
                soften=bool(content["soften"]),
                zeros=bool(content["zeros"]),
                updates=bool(content["updates"]),
                reading=Reading.from_json(content["reading"]),
                others={str(name): Reading.from_json(reading) for name, reading in content["others"].items()},
            )
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            raise Refused(LIST_LOST()) from None


@dataclass(frozen=True)
class ListImport:
    """What would come of a list; refused when its file cannot be read or holds nobody."""

    tournament: Tournament
    wish: Wish

    @cached_property
    def listed(self) -> PlayerList:
        """The list as it is to be read."""
        reading = self.wish.reading
        listed = read_list(self.wish.data, self.wish.sheet, reading.heading)
        if reading.columns is not None:
            listed = listed.with_columns(reading.columns)
        return replace(listed.with_split(self.wish.split), mended=reading.cells)

    @cached_property
    def left_out(self) -> frozenset[int]:
        """Rows that are not wanted: those that look like nobody, until somebody says otherwise."""
        return (self.listed.notes - self.wish.reading.kept) | self.wish.reading.left_out

    @cached_property
    def rows(self) -> list[Row]:
        """Every row, checked."""
        sent, reading = self.wish, self.wish.reading
        answers = Said(
            self.left_out,
            reading.apart,
            reading.refused,
            sent.soften,
            sent.zeros,
            updates=sent.updates,
            chosen=reading.chosen,
        )
        return check(self.listed, self.tournament, answers)

    @property
    def wanted(self) -> list[Row]:
        return [row for row in self.rows if not row.left_out]

    @property
    def faulty(self) -> list[Row]:
        """The rows to mend or to answer; none as long as it is not clear what the columns are."""
        return [] if self.listed.problems() else [row for row in self.rows if row.problems or row.question]

    @property
    def known(self) -> list[Row]:
        """Rows of people who are entered already."""
        return [row for row in self.wanted if row.player]

    @property
    def new(self) -> list[Row]:
        return [row for row in self.wanted if not row.player]

    @property
    def changed(self) -> list[Row]:
        """Those known of whom the list says something else."""
        return [row for row in self.known if row.differences]

    @property
    def differences(self) -> list[Difference]:
        return [difference for row in self.changed for difference in row.differences]

    @cached_property
    def missing(self) -> list[Player]:
        """Players who are not in the list. They stay as they are."""
        if not self.known:
            return []
        missing = missing_from(self.rows, self.tournament)
        # The list that is taken away has no substitutes.
        return [player for player in missing if not player.is_substitute] if self.wish.updates else missing

    @property
    def absent(self) -> list[Absent]:
        """The same as what may be chosen of them: to be withdrawn."""
        return [Absent(player) for player in self.missing] if self.wish.updates else []

    @property
    def leaving(self) -> list[Absent]:
        """Who would be withdrawn."""
        return [absent for absent in self.absent if absent.key in self.wish.reading.chosen]

    @property
    def keys(self) -> list[str]:
        """All that can be chosen."""
        differences = [difference.key for difference in self.differences]
        return differences + [absent.key for absent in self.absent]

    @property
    def problems(self) -> list[Problem]:
        """All that keeps the list from being entered; `where` is "column.<index>" or "<row>.<field>"."""
        return self.listed.problems() + [
            problem.at(f"{row.number}.{problem.where}")
            for row in self.faulty
            for problem in (*row.problems, *([row.question] if row.question else []))
        ]

    @property
    def entrants(self) -> list[Entrant]:
        """The new people."""
        return [row.entrant for row in self.new]

    @property
    def taken(self) -> list[Difference]:
        """The differences that would be written."""
        return [difference for row in self.changed for difference in row.taken]

    @property
    def can_do_something(self) -> bool:
        """Whether anything would be entered, or could be chosen to."""
        return bool(self.new or self.keys)

    @property
    def does_something(self) -> bool:
        return bool(self.new or self.taken or self.leaving)


# --- Checking the rows ---


@dataclass
class _Seen:
    """Where a name and an EMA number stood first."""

    names: dict[tuple[str, ...], Row] = field(default_factory=dict)
    ema_numbers: dict[str, Row] = field(default_factory=dict)


def check(listed: PlayerList, tournament: Tournament, answers: Said = NOTHING) -> list[Row]:
    """Return every row with every problem it has by itself, beside the other rows, and beside those entered already.

    Beside the problems stand questions, which are nobody's mistake: are two of one name two people?
    """
    players = list(tournament.players.all())
    rows = [_read_row(listed, line, answers) for line in listed.lines]
    wanted = {row.number: row for row in rows if not row.left_out}
    if answers.updates:
        answers = replace(answers, apart=answers.apart | _match_by_keys(wanted, listed, players, answers))
    else:
        for number, row in _match_by_traits(wanted, players, answers).items():
            wanted[number] = row
    _mark_repeats(wanted, players, answers)
    _add_faults(tournament, wanted)
    return [wanted.get(row.number, replace(row, problems=())) for row in rows]


def _read_row(listed: PlayerList, line: Line, answers: Said) -> Row:
    cells = listed.cells(line)
    # A dash stands where nothing is known.
    texts = {name: text if text.strip("-–—./ ") else "" for name, text in cells.items()}
    last_name = soften_capitals(texts["last_name"]) if answers.soften else texts["last_name"]
    ema_number = digits(texts["ema_number"])
    entrant = Entrant(
        last_name=last_name,
        first_name=texts["first_name"],
        country=find_country(texts["country"]) or texts["country"],
        ema_number=(answers.zeros and with_zero(ema_number)) or ema_number,
        team=texts["team"],
        club=texts["club"],
        number=whole_number(texts["number"]),
    )
    problems = tuple(_misreadings(texts, entrant))
    return Row(line.number, cells, entrant, problems, line.number in answers.left_out)


def _misreadings(texts: dict[str, str], entrant: Entrant) -> Iterable[Problem]:
    for name in ("last_name", "first_name", "team", "club"):
        if texts[name].startswith(("=", "+", "-", "@")):
            yield FORMULA_CELL(name, text=texts[name][:40])
    if texts["number"] and entrant.number is None:
        yield NUMBER_NOT_WHOLE("number", text=texts["number"][:40])
    if likely := with_zero(entrant.ema_number):
        yield EMA_NUMBER_LOST_ZERO("ema_number", digits=7, likely=likely)


def _match_by_traits(wanted: dict[int, Row], players: Sequence[Player], answers: Said) -> dict[int, Row]:
    """The rows of those entered already, with what they say otherwise. Of them a lost zero is no fault."""
    complete = {number: _completed(row.entrant) for number, row in wanted.items()}
    matched = {}
    for number, player in find_known(complete, players, answers.apart).items():
        row, entrant = wanted[number], complete[number]
        is_whole = entrant.ema_number == player.ema_number
        problems = [
            problem
            for problem in row.problems
            if not (is_whole and problem.code == EMA_NUMBER_LOST_ZERO.code)
        ]
        misread = {problem.where for problem in problems}
        differing = differences(number, entrant if is_whole else row.entrant, player)
        matched[number] = replace(
            row,
            player=player,
            problems=tuple(problems),
            differences=tuple(difference for difference in differing if difference.field not in misread),
            refused=answers.refused,
            is_in_doubt=is_in_doubt(entrant, player),
        )
    return matched


def _match_by_keys(
    wanted: dict[int, Row], listed: PlayerList, players: Sequence[Player], answers: Said
) -> frozenset[int]:
    """Match every row by its keys. Return the rows of which that is not clear; their problems say why."""
    complete = {number: _completed(row.entrant) for number, row in wanted.items()}
    matched, unclear = find_by_keys(complete, players, answers.apart)
    for number, problem in unclear.items():
        wanted[number] = replace(wanted[number], problems=(*wanted[number].problems, problem))
    for number, player in matched.items():
        row, entrant = wanted[number], complete[number]
        is_whole = entrant.ema_number == player.ema_number
        entrant = entrant if is_whole else row.entrant
        problems = [
            problem
            for problem in row.problems
            if not (problem.code == EMA_NUMBER_LOST_ZERO.code and is_whole)
            and not (
                problem.code == FORMULA_CELL.code
                and getattr(entrant, problem.where) == getattr(player, problem.where)
            )
        ]
        misread = {problem.where for problem in problems}
        wanted[number] = replace(
            row,
            player=player,
            problems=tuple(problems),
            differences=tuple(
                difference
                for difference in updates_of(number, entrant, player, listed.fields)
                if difference.field not in misread
            ),
            refused=answers.refused,
            chosen=answers.chosen,
            is_in_doubt=is_in_doubt(entrant, player),
        )
    return frozenset(unclear)


def _completed(entrant: Entrant) -> Entrant:
    return replace(entrant, ema_number=with_zero(entrant.ema_number) or entrant.ema_number)


def _mark_repeats(wanted: dict[int, Row], players: Sequence[Player], answers: Said) -> None:
    """Mark rows that repeat one before: as a fault where it is surely the same person, else as a question."""
    seen = _Seen()
    entered = {name_key(player.first_name, player.last_name): player for player in players}
    for number, row in wanted.items():
        person, ema_number = name_key(row.entrant.first_name, row.entrant.last_name), row.entrant.ema_number
        first = seen.names.setdefault(person, row) if person else row
        holder = seen.ema_numbers.setdefault(ema_number, row) if ema_number else row
        if holder is not row:
            wanted[number] = replace(row, problems=(*row.problems, _repeat_problem(row, holder, first)))
        elif number in answers.apart or row.player:
            continue
        elif first is not row:
            wanted[number] = replace(row, question=NAMESAKE("last_name", row=first.number))
        elif person in entered:
            wanted[number] = replace(
                row,
                question=NAMESAKE_ENTERED(
                    "last_name", name=entered[person].name, number=entered[person].number
                ),
            )


def _repeat_problem(row: Row, holder: Row, first: Row) -> Problem:
    """One EMA number twice: the same person, or another to whom it cannot belong."""
    if first is not row and first.entrant.ema_number == row.entrant.ema_number:
        return ROW_REPEATED("last_name", row=first.number)
    return EMA_NUMBER_REPEATED("ema_number", ema_number=row.entrant.ema_number, row=holder.number)


def _add_faults(tournament: Tournament, wanted: dict[int, Row]) -> None:
    """Add what the services find, where the row does not say it already."""
    rows = list(wanted.values())
    players = [row.player for row in rows if row.player]
    for problem in problems_of_all(tournament, [row.outcome for row in rows], players):
        index, _dot, name = problem.where.partition(".")
        row = wanted[rows[int(index)].number]
        known_codes = {known.code for known in row.problems}
        if known_codes.isdisjoint(_ALREADY_SAID_BY.get(problem.code, ())):
            new = problem.at(name)
            wanted[row.number] = replace(row, problems=(*row.problems, new))


_ALREADY_SAID_BY = {
    EMA_NUMBER_LENGTH.code: (EMA_NUMBER_LOST_ZERO.code,),
    EMA_NUMBER_TAKEN.code: (
        ROW_REPEATED.code,
        EMA_NUMBER_REPEATED.code,
        KEYS_DISAGREE.code,
        ROW_OF_SAME_PLAYER.code,
    ),
    NUMBER_TAKEN.code: (
        ROW_REPEATED.code,
        KEYS_DISAGREE.code,
        NUMBER_NOT_OF_NAME.code,
        NUMBER_OF_ANOTHER.code,
        ROW_OF_SAME_PLAYER.code,
    ),
}
"""A fault the services find → the codes by which this module says the same."""


def missing_from(rows: Sequence[Row], tournament: Tournament) -> list[Player]:
    """Those who play and are in no row, left out or not."""
    entered = {row.player.pk for row in rows if row.player}
    names = {name_key(row.entrant.first_name, row.entrant.last_name) for row in rows if row.left_out}
    return [
        player
        for player in tournament.players.filter(withdrawn_at=None)
        if player.pk not in entered and name_key(player.first_name, player.last_name) not in names
    ]
