"""Check an imported list of players, and preview what entering it would do. Nothing is stored."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scoring.engine.problems import Problem, problem_code
from tournament.base.countries import find_country
from tournament.base.errors import Refused
from tournament.base.fields import EMA_NUMBER_LENGTH
from tournament.base.models.people import EMA_NUMBER_TAKEN, NUMBER_TAKEN, Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.players.exports.lists import PLAYER_LIST
from tournament.players.selectors.players import Entrant, problems_of_entrants
from tournament.registration.selectors.registrations import ACTIVE_STATES, registration_problems
from tournament.roster.engine import EnterAs
from tournament.roster.exports.matching import (
    KEYS_DISAGREE,
    NO_ANSWERS,
    NUMBER_NOT_OF_NAME,
    NUMBER_OF_ANOTHER,
    ROW_OF_SAME_PLAYER,
    AbsentPlayer,
    Difference,
    Row,
    RowAnswers,
    is_in_doubt,
    match_by_keys,
    match_players,
    match_registrations,
    name_key_of,
    restore_zero,
    row_differences,
    row_updates,
    strip_spaces,
)
from tournament.web.exports.headings import whole_number
from tournament.web.exports.lists import Place
from tournament.web.exports.people_lists import PeopleList, read_people
from tournament.web.exports.sheets import Line
from tournament.web.exports.whole_names import soften_capitals

LIST_LOST = problem_code("list_lost", "The list arrived incomplete. Please upload it again.")
NUMBER_NOT_WHOLE = problem_code("number_not_whole", "“{text}” is not a player number: write digits only.")
FORMULA_CELL = problem_code("formula_cell", "“{text}” is a formula for a spreadsheet and not a name.")
EMA_NUMBER_LOST_ZERO = problem_code(
    "ema_number_lost_zero",
    "An EMA number has eight digits; this one has {digits}. If a spreadsheet dropped the zero in front, it "
    "is {likely}.",
)
ROW_REPEATED = problem_code(
    "row_repeated",
    "The same person is in row {row}. Leave this row out, or make the two names different.",
)
NAMESAKE = problem_code(
    "namesake",
    "Row {row} has the same name. If these are two people, confirm it; otherwise leave one of the rows out.",
)
NAMESAKE_REGISTERED = problem_code(
    "namesake_registered",
    "{name}, registration {number}, has the same name. If this is another person, confirm it; otherwise leave the "
    "row out.",
)
NAMESAKE_ENTERED = problem_code(
    "namesake_entered",
    "{name}, number {number}, is already entered. If this is another person, confirm it; otherwise leave the row out.",
)
EMA_NUMBER_REPEATED = problem_code("ema_number_repeated", "EMA number {ema_number} is also in row {row}.")


@dataclass(frozen=True)
class Reading:
    """Somebody's choices about one sheet. None: to be detected.

    `cells`: (row, field) → corrected text. `left_out`, `included`: rows to skip, and those to take although they look
    like notes. `swapped`: rows whose first and last names are exchanged. `apart`, `refused` and `chosen` as in
    `RowAnswers`.
    """

    heading: int | None = None
    columns: tuple[str, ...] | None = None
    cells: Mapping[tuple[int, str], str] = field(default_factory=dict)
    left_out: frozenset[int] = frozenset()
    included: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()
    swapped: frozenset[int] = frozenset()
    refused: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()

    def to_json(self) -> dict[str, Any]:
        return {
            "heading": self.heading,
            "columns": self.columns,
            "cells": [[row, name, text] for (row, name), text in self.cells.items()],
            "left_out": sorted(self.left_out),
            "included": sorted(self.included),
            "apart": sorted(self.apart),
            "swapped": sorted(self.swapped),
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
            included=frozenset(map(int, data["included"])),
            apart=frozenset(map(int, data["apart"])),
            swapped=frozenset(map(int, data["swapped"])),
            refused=frozenset(map(str, data["refused"])),
            chosen=frozenset(map(str, data["chosen"])),
        )


@dataclass(frozen=True)
class ListInput:
    """A list as it was sent, with the choices about it; a page carries it as JSON between steps.

    `name`: the file's, "" for pasted text. `updates`: the list is the event's own, edited; None: if its headings are.
    `enter_as`: what new people become. `reading`: choices about `sheet`; those about other sheets are in `others`.
    """

    data: bytes
    name: str = ""
    sheet: str | None = None
    encoding: str = ""
    split: str = ""
    soften: bool = False
    zeros: bool = False
    reading: Reading = Reading()
    others: Mapping[str, Reading] = field(default_factory=dict)
    updates: bool | None = None
    enter_as: EnterAs = EnterAs.PLAYERS

    def of_sheet(self, sheet: str) -> ListInput:
        """Return the list with another sheet chosen."""
        others = {**self.others, self.sheet or "": self.reading}
        return replace(self, sheet=sheet, reading=others.pop(sheet, Reading()), others=others)

    def to_json(self) -> str:
        """Return everything on one line, for a hidden field."""
        content = {
            "data": b64encode(self.data).decode(),
            "name": self.name,
            "sheet": self.sheet,
            "encoding": self.encoding,
            "split": self.split,
            "soften": self.soften,
            "zeros": self.zeros,
            "updates": self.updates,
            "enter_as": self.enter_as,
            "reading": self.reading.to_json(),
            "others": {name: reading.to_json() for name, reading in self.others.items()},
        }
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> ListInput:
        """Parse what a page sent back. Raises Refused when it is damaged."""
        try:
            content = json.loads(text)
            return cls(
                data=b64decode(content["data"], validate=True),
                name=str(content["name"]),
                sheet=None if content["sheet"] is None else str(content["sheet"]),
                encoding=str(content["encoding"]),
                split=str(content["split"]),
                soften=bool(content["soften"]),
                zeros=bool(content["zeros"]),
                updates=None if content["updates"] is None else bool(content["updates"]),
                enter_as=EnterAs(content["enter_as"]),
                reading=Reading.from_json(content["reading"]),
                others={str(name): Reading.from_json(reading) for name, reading in content["others"].items()},
            )
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            raise Refused(LIST_LOST()) from None


@dataclass(frozen=True)
class ListImport:
    """What entering a list would do. Properties raise Refused when its file cannot be read or has no players."""

    tournament: Tournament
    source: ListInput

    @cached_property
    def player_list(self) -> PeopleList:
        source, reading = self.source, self.source.reading
        player_list = read_people(source.data, source.sheet, reading.heading, source.encoding)
        if reading.columns is not None:
            player_list = player_list.with_columns(reading.columns)
        return replace(player_list, split=source.split, swapped=reading.swapped, mended=reading.cells)

    @cached_property
    def is_update(self) -> bool:
        """Whether the list is the event's own, edited: as somebody said, else if its headings are of that list."""
        if self.source.updates is not None:
            return self.source.updates
        labels = {str(column.label) for column in PLAYER_LIST.columns_at(Place.FILES, None)}
        headings = {*self.player_list.headings} - {""}
        return {"number", "last name"} <= headings <= labels and self.tournament.players.exists()

    @cached_property
    def left_out(self) -> frozenset[int]:
        """Numbers of rows to skip: notes that were not included, and rows that were left out."""
        return (self.player_list.notes - self.source.reading.included) | self.source.reading.left_out

    @cached_property
    def rows(self) -> list[Row]:
        source, reading = self.source, self.source.reading
        answers = RowAnswers(
            self.left_out,
            reading.apart,
            reading.refused,
            source.soften,
            source.zeros,
            updates=self.is_update,
            chosen=reading.chosen,
            as_registrations=source.enter_as is EnterAs.REGISTRATIONS,
        )
        return check(self.player_list, self.tournament, answers)

    @property
    def included_rows(self) -> list[Row]:
        return [row for row in self.rows if not row.left_out]

    @property
    def faulty(self) -> list[Row]:
        """The rows with problems or questions; empty as long as the columns have problems."""
        if self.player_list.problems():
            return []
        return [row for row in self.rows if row.problems or row.question]

    @property
    def known(self) -> list[Row]:
        """Rows of existing players."""
        return [row for row in self.included_rows if row.player]

    @property
    def registered(self) -> list[Row]:
        """Rows of people who are registered and no players yet."""
        return [row for row in self.included_rows if row.registration]

    @property
    def new(self) -> list[Row]:
        return [row for row in self.rows if row.is_new]

    @property
    def changed(self) -> list[Row]:
        """Rows with differences from their players or registrations."""
        return [row for row in self.included_rows if row.differences]

    @property
    def differences(self) -> list[Difference]:
        return [difference for row in self.changed for difference in row.differences]

    @cached_property
    def missing(self) -> list[Player]:
        """Players who are not in the list."""
        if not self.known:
            return []
        missing = players_missing_in(self.rows, self.tournament)
        # The exported list has no substitutes.
        return [player for player in missing if not player.is_substitute] if self.is_update else missing

    @property
    def absent(self) -> list[AbsentPlayer]:
        """The missing players who can be withdrawn: none unless the list is the event's own."""
        return [AbsentPlayer(player) for player in self.missing] if self.is_update else []

    @property
    def leaving(self) -> list[AbsentPlayer]:
        """The absent players who are chosen to be withdrawn."""
        return [absent for absent in self.absent if absent.key in self.source.reading.chosen]

    @property
    def keys(self) -> list[str]:
        """The keys of all differences and absent players."""
        keys = [difference.key for difference in self.differences]
        return keys + [absent.key for absent in self.absent]

    @property
    def problems(self) -> list[Problem]:
        """All problems and questions; `where` is "column.<index>" or "<row>.<field>"."""
        return self.player_list.problems() + [
            problem.at(f"{row.number}.{problem.where}")
            for row in self.faulty
            for problem in (*row.problems, *([row.question] if row.question else []))
        ]

    @property
    def entrants(self) -> list[Entrant]:
        """The new players; nobody if new people are registered."""
        is_for_players = self.source.enter_as is EnterAs.PLAYERS
        return [row.entrant for row in self.new] if is_for_players else []

    @property
    def registrations(self) -> list[Registration]:
        """The new registrations; nobody if new people are entered as players."""
        is_for_players = self.source.enter_as is EnterAs.PLAYERS
        return [] if is_for_players else [row.to_registration() for row in self.new]

    @property
    def taken(self) -> list[Difference]:
        """The differences that would be applied."""
        return [difference for row in self.changed for difference in row.taken]

    @property
    def changes(self) -> list[Difference]:
        """The differences of players that would be applied."""
        return [difference for difference in self.taken if not difference.is_of_registration]

    @property
    def registration_changes(self) -> list[Difference]:
        """The differences of registrations that would be applied."""
        return [difference for difference in self.taken if difference.is_of_registration]

    @property
    def can_have_effect(self) -> bool:
        """Whether anything would be entered or can be chosen."""
        return bool(self.new or self.keys)

    @property
    def has_effect(self) -> bool:
        return bool(self.new or self.taken or self.leaving)


# --- Checking the rows ---


@dataclass
class _FirstRows:
    """The first row of each name and EMA number."""

    names: dict[str, Row] = field(default_factory=dict)
    ema_numbers: dict[str, Row] = field(default_factory=dict)


def check(player_list: PeopleList, tournament: Tournament, answers: RowAnswers = NO_ANSWERS) -> list[Row]:
    """Return every row with its problems: its own, those with other rows, and those with existing players.

    Rows of namesakes have a question instead: whether they are different people.
    """
    players = list(tournament.players.all())
    registrations = list(tournament.registrations.filter(state__in=ACTIVE_STATES, player=None))
    rows = [_read_row(player_list, line, answers) for line in player_list.lines]
    included_rows = {row.number: row for row in rows if not row.left_out}
    unclear = _match(included_rows, player_list, players, answers)
    new = {number: row.entrant for number, row in included_rows.items() if not row.player}
    for number, registration in match_registrations(new, registrations, answers.apart | unclear).items():
        row = included_rows[number]
        doubt = is_in_doubt(row.entrant, registration)
        # What is wrong in the row does not matter: only its valid differences are offered.
        included_rows[number] = replace(
            row,
            registration=registration,
            problems=(),
            differences=() if doubt else _valid_differences(row, registration),
            refused=answers.refused,
            chosen=answers.chosen,
            is_in_doubt=doubt,
        )
    _mark_duplicates(included_rows, players, registrations, answers.apart | unclear)
    _add_service_problems(tournament, included_rows, as_registrations=answers.as_registrations)
    return [included_rows.get(row.number, replace(row, problems=())) for row in rows]


def _valid_differences(row: Row, registration: Registration) -> tuple[Difference, ...]:
    """Return the row's differences from a registration, without values that could not be stored."""
    differences = row_differences(row.number, row.entrant, registration)
    changed = copy(registration)
    for change in differences:
        setattr(changed, change.field, change.after)
    problems = [*row.problems, *registration_problems(changed, is_self_service=False)]
    faulty_fields = {problem.where for problem in problems}
    return tuple(change for change in differences if change.field not in faulty_fields)


def _read_row(player_list: PeopleList, line: Line, answers: RowAnswers) -> Row:
    cells = player_list.cells(line)
    # A dash is a placeholder for an empty cell.
    texts = {name: text if text.strip("-–—./ ") else "" for name, text in cells.items()}
    last_name = soften_capitals(texts["last_name"]) if answers.soften else texts["last_name"]
    ema_number = strip_spaces(texts["ema_number"])
    entrant = Entrant(
        last_name=last_name,
        first_name=texts["first_name"],
        second_name=texts["second_name"],
        country=find_country(texts["country"]) or texts["country"],
        ema_number=(answers.zeros and restore_zero(ema_number)) or ema_number,
        team=texts["team"],
        club=texts["club"],
        number=whole_number(texts["number"]),
    )
    problems = tuple(_text_problems(texts, entrant))
    return Row(line.number, cells, entrant, problems, line.number in answers.left_out)


def _text_problems(texts: dict[str, str], entrant: Entrant) -> Iterable[Problem]:
    for name in ("last_name", "first_name", "second_name", "team", "club"):
        if texts[name].startswith(("=", "+", "-", "@")):
            yield FORMULA_CELL(name, text=texts[name][:40])
    if texts["number"] and entrant.number is None:
        yield NUMBER_NOT_WHOLE("number", text=texts["number"][:40])
    if likely := restore_zero(entrant.ema_number):
        yield EMA_NUMBER_LOST_ZERO("ema_number", digits=7, likely=likely)


def _match(
    included_rows: dict[int, Row], player_list: PeopleList, players: Sequence[Player], answers: RowAnswers
) -> frozenset[int]:
    """Match rows with players, in place. Return the numbers of rows without a clear match.

    What the player has, too, is no problem: a zero that a spreadsheet dropped, or a name like a formula.
    """
    restored = {number: _with_restored_zero(row.entrant) for number, row in included_rows.items()}
    matches, problems_by_row = (
        match_by_keys(restored, players, answers.apart)
        if answers.updates
        else (match_players(restored, players, answers.apart), {})
    )
    for number, problem in problems_by_row.items():
        row = included_rows[number]
        included_rows[number] = replace(row, problems=(*row.problems, problem))
    for number, player in matches.items():
        row = included_rows[number]
        has_same_number = restored[number].ema_number == player.ema_number
        entrant = restored[number] if has_same_number else row.entrant
        problems = [
            problem
            for problem in row.problems
            if problem.code not in (EMA_NUMBER_LOST_ZERO.code, FORMULA_CELL.code)
            or getattr(entrant, problem.where) != getattr(player, problem.where)
        ]
        faulty_fields = {problem.where for problem in problems}
        changes = (
            row_updates(number, entrant, player, player_list.fields)
            if answers.updates
            else row_differences(number, entrant, player)
        )
        included_rows[number] = replace(
            row,
            player=player,
            problems=tuple(problems),
            differences=tuple(change for change in changes if change.field not in faulty_fields),
            refused=answers.refused,
            chosen=answers.chosen,
            is_in_doubt=is_in_doubt(entrant, player),
        )
    return frozenset(problems_by_row)


def _with_restored_zero(entrant: Entrant) -> Entrant:
    return replace(entrant, ema_number=restore_zero(entrant.ema_number) or entrant.ema_number)


def _mark_duplicates(
    included_rows: dict[int, Row],
    players: Sequence[Player],
    registrations: Sequence[Registration],
    apart: frozenset[int],
) -> None:
    """Mark rows that repeat an earlier one: as a problem if it is certainly the same person, else as a question."""
    seen = _FirstRows()
    people: list[Player | Registration] = [*registrations, *players]
    by_name = {name_key_of(person): person for person in people}
    for number, row in included_rows.items():
        name, ema_number = name_key_of(row.entrant), row.entrant.ema_number
        first = seen.names.setdefault(name, row) if name else row
        other = seen.ema_numbers.setdefault(ema_number, row) if ema_number else row
        if other is not row:
            included_rows[number] = replace(
                row, problems=(*row.problems, _duplicate_problem(row, other, first))
            )
        elif number in apart or row.player or row.registration:
            continue
        elif first is not row:
            included_rows[number] = replace(row, question=NAMESAKE("last_name", row=first.number))
        elif other_person := by_name.get(name):
            code = NAMESAKE_ENTERED if isinstance(other_person, Player) else NAMESAKE_REGISTERED
            question = code("last_name", name=other_person.full_name, number=other_person.number)
            included_rows[number] = replace(row, question=question)


def _duplicate_problem(row: Row, other: Row, first: Row) -> Problem:
    """Return the problem of an EMA number that occurs twice."""
    if first is not row and first.entrant.ema_number == row.entrant.ema_number:
        return ROW_REPEATED("last_name", row=first.number)
    return EMA_NUMBER_REPEATED("ema_number", ema_number=row.entrant.ema_number, row=other.number)


def _add_service_problems(
    tournament: Tournament, included_rows: dict[int, Row], *, as_registrations: bool
) -> None:
    """Add the problems that services would find, unless the row has an equivalent one."""
    for number, problem in _service_problems(tournament, included_rows, as_registrations=as_registrations):
        row = included_rows[number]
        known_codes = {known.code for known in row.problems}
        if known_codes.isdisjoint(_EQUIVALENT_CODES.get(problem.code, ())):
            included_rows[number] = replace(row, problems=(*row.problems, problem))


def _service_problems(
    tournament: Tournament, included_rows: Mapping[int, Row], *, as_registrations: bool
) -> Iterator[tuple[int, Problem]]:
    """Yield (row, problem); `where` is the field."""
    rows = [row for row in included_rows.values() if row.player or (row.is_new and not as_registrations)]
    players = {index: row.player for index, row in enumerate(rows) if row.player}
    for problem in problems_of_entrants(tournament, [row.outcome for row in rows], players):
        index, _dot, name = problem.where.partition(".")
        yield rows[int(index)].number, problem.at(name)
    for row in included_rows.values():
        if row.is_new and as_registrations:
            for problem in registration_problems(row.to_registration(), is_self_service=False):
                yield row.number, problem


_EQUIVALENT_CODES = {
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
"""A code of the services → equivalent codes of this module."""


def players_missing_in(rows: Sequence[Row], tournament: Tournament) -> list[Player]:
    """Return the players in no row, including skipped ones."""
    matched = {row.player.pk for row in rows if row.player}
    names = {name_key_of(row.entrant) for row in rows if row.left_out}
    return [
        player
        for player in tournament.players.filter(withdrawn_at=None)
        if player.pk not in matched and name_key_of(player) not in names
    ]
