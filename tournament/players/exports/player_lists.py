"""Lists of players as they are sent, whatever their encoding, separator and language: read, and held against those
entered already.

`player_import` says what is wrong with one. Nothing here is stored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from hashlib import sha256
from typing import Final

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.text import display_name, is_chinese, tidy
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.problems import LIST_EMPTY
from tournament.players.selectors.players import NAMES, Entrant, FieldChange, changed
from tournament.web.exports.headings import (
    FIELDS,
    WAYS,
    are_whole,
    columns_by_contents,
    columns_by_heading,
    folded,
    is_shouted,
    soften_capitals,
    split_name,
)
from tournament.web.exports.lists import no_formula
from tournament.web.exports.sheets import (
    Line,
    beginning,
    heading_row,
    likely_sheet,
    lines_of,
    notes_in,
    read_sheets,
)

NO_NAME_COLUMN = problem_code("no_name_column", "Which column holds the last names? Choose it.")
COLUMN_TWICE = problem_code("column_twice", "Another column is already read as this.")
KEYS_DISAGREE = problem_code(
    "keys_disagree",
    "Number {number} is {name}, but the EMA number is that of {other}. Which of them is it? Mend one of the "
    "two.",
)
NUMBER_NOT_OF_NAME = problem_code(
    "number_not_of_name",
    "Number {number} is {name}, but the name is that of {other}. Which of them is it? Mend one of the two.",
)
NUMBER_OF_ANOTHER = problem_code(
    "number_of_another",
    "Number {number} belongs to {name}; this row has another name, and another country or club. Empty the "
    "number to enter somebody new, or change {name} on the player’s page first.",
)
NAME_OF_SEVERAL = problem_code(
    "name_of_several", "{n} players are called {name}. Write the number of the one that is meant."
)
ROW_OF_SAME_PLAYER = problem_code(
    "row_of_same_player", "Row {row} is about {name}, too. Leave one of the two rows out."
)

# --- Reading a list ---


@dataclass(frozen=True)
class PlayerList:
    """A list as it is read. `columns`: the field each column is read as, "" for one that is left unread.

    `sheet` is one of `sheets`, "" for a text. `heading`: the number of the row of headings, 0 for none; `begin`: the
    lines it may be chosen from. `split`: the way whole names are parted, "" when they are left whole.
    """

    lines: tuple[Line, ...]
    columns: tuple[str, ...]
    headings: tuple[str, ...] = ()
    heading: int = 0
    begin: tuple[Line, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ("",)
    split: str = ""
    mended: Mapping[tuple[int, str], str] = field(default_factory=dict)

    def cells(self, line: Line) -> dict[str, str]:
        """Field → what the line says of it, names parted and cells mended; "" where it says nothing."""
        texts = dict.fromkeys(FIELDS, "")
        for name, cell in zip(self.columns, line.cells, strict=False):
            if name:
                texts[name] = cell
        if self.split:
            texts["last_name"], texts["first_name"] = split_name(texts["last_name"], self.split)
        if self.mended:
            texts |= {name: self.mended.get((line.number, name), text) for name, text in texts.items()}
        return texts

    def cell(self, line: Line, name: str) -> str:
        """What the line says of a field."""
        return self.cells(line)[name]

    @property
    def fields(self) -> list[str]:
        """The fields it says something of, and always the last names."""
        used = {"last_name", *self.columns, *(name for _row, name in self.mended)}
        return [name for name in FIELDS if name in used or (self.split and name == "first_name")]

    @cached_property
    def whole_names(self) -> list[str]:
        """Names that stand whole in one column and could be parted; none when they are no such names."""
        if "last_name" not in self.columns or any(self._column("first_name")):
            return []
        names = [name for name in self._column("last_name") if name]
        return names if are_whole(names) else []

    def _column(self, name: str) -> list[str]:
        """What the lines of players say in a column, as they were sent."""
        index = self.columns.index(name) if name in self.columns else len(self.columns)
        return [
            line.cells[index] if index < len(line.cells) else ""
            for line in self.lines
            if line.number not in self.notes
        ]

    @cached_property
    def notes(self) -> frozenset[int]:
        """Lines that look like nobody: titles, legends, sums."""
        names = [index for index, name in enumerate(self.columns) if name in ("last_name", "first_name")]
        return notes_in(self.lines, names, self.heading)

    def with_columns(self, columns: Sequence[str]) -> PlayerList:
        """The list read by other columns; what is no field leaves its column unread."""
        known = [name if name in FIELDS else "" for name in columns][: len(self.columns)]
        return replace(self, columns=(*known, *self.columns[len(known) :]))

    def with_split(self, way: str) -> PlayerList:
        """The list with whole names parted; as they are when first names have a column."""
        return replace(self, split=way if way in WAYS and self.whole_names else "")

    def problems(self) -> list[Problem]:
        """What is wrong with the columns; `where` is "column.<index>", or empty."""
        problems = [
            COLUMN_TWICE(f"column.{index}")
            for index, name in enumerate(self.columns)
            if name and name in self.columns[:index]
        ]
        return problems if "last_name" in self.columns else [*problems, NO_NAME_COLUMN()]


def read_list(data: bytes, sheet: str | None = None, heading: int | None = None) -> PlayerList:
    """The list in a file; refused when it cannot be read or holds nobody.

    `sheet` and `heading` (0: there is none) as somebody says; None, or what the file has not, for those that are found.

        listed = read_list(data)                                        as Hule finds it
        listed = read_list(data, "Players", heading=3)                  as somebody says that it is
    """
    sheets = read_sheets(data)
    if not sheets:
        raise Refused(LIST_EMPTY())
    named = [candidate for candidate in sheets if candidate.name == sheet]
    chosen = named[0] if named else likely_sheet(sheets)
    lines = lines_of(chosen)
    begin = tuple(beginning(lines))
    if heading is None or (heading and heading not in {line.number for line in begin}):
        heading = heading_row(lines)
    headings = next((line.cells for line in begin if line.number == heading), ())
    # A long list repeats its headings on each of its pages.
    below = tuple(line for line in lines if line.number > heading and line.cells != headings)
    if not below:
        raise Refused(LIST_EMPTY())
    rows = [line.cells for line in below]
    columns = columns_by_heading(headings, rows) if heading else columns_by_contents(rows)
    padded = (*headings, *[""] * (len(columns) - len(headings)))
    names = tuple(candidate.name for candidate in sheets)
    return PlayerList(below, tuple(columns), padded, heading, begin, chosen.name, names)


# --- Who is who ---


@dataclass(frozen=True)
class Difference(FieldChange):
    """A change that a list would make, and the row that says so."""

    row: int

    @property
    def key(self) -> str:
        """What it is chosen by: the same only as long as it says the same."""
        return _key(self.player, self.field, self.before, self.after)

    @property
    def empties(self) -> bool:
        """Whether the cell is empty: then nothing changes, unless it is chosen."""
        return self.after == ""


@dataclass(frozen=True)
class Absent:
    """Somebody who is in no row, and may be chosen to be withdrawn."""

    player: Player

    @property
    def key(self) -> str:
        return _key(self.player.number, "leaves", self.player.last_name, self.player.first_name)


def _key(number: int, what: str, *values: object) -> str:
    text = "\n".join(map(str, values))
    return f"{number}.{what}.{sha256(text.encode()).hexdigest()[:8]}"


def name_key(first_name: str, last_name: str) -> tuple[str, ...]:
    """Equal for names of the same words, whichever stands first, without capitals and accents; () for no name."""
    name = display_name(first_name, last_name)
    if is_chinese(name.replace(" ", "")):
        return (name.replace(" ", ""),)
    return tuple(sorted(filter(None, map(folded, name.replace(",", " ").split()))))


def find_known(
    rows: Mapping[int, Entrant], players: Iterable[Player], apart: frozenset[int]
) -> dict[int, Player]:
    """Row → the player it is: by EMA number, else by name and country, else by name, else by number.

    An EMA number or a number is taken for a slip of the pen where the name is quite another; a number alone, without
    name, country or club, is nobody's. `apart`: rows that are somebody else than the player of the same name.
    """
    matched: dict[int, Player] = {}
    left = {player.number: player for player in players}
    for trait, fits in _TRAITS:
        by_trait: defaultdict[Hashable, list[Player]] = defaultdict(list)
        for player in left.values():
            by_trait[trait(player)].append(player)
        pairs = [
            (row, player)
            for row, entrant in rows.items()
            if row not in matched and row not in apart and (key := trait(entrant))
            for player in by_trait.get(key, ())
            if fits(entrant, player)
        ]
        # Of namesakes each is the one who is the most alike, whichever stands first.
        for row, player in sorted(pairs, key=lambda pair: -_likeness(rows[pair[0]], pair[1])):
            if row not in matched and player.number in left:
                matched[row] = left.pop(player.number)
    return matched


def _likeness(entrant: Entrant, player: Player) -> int:
    """In how much beside the name they are the same."""
    return sum(
        bool(value := getattr(entrant, field.name)) and value == getattr(player, field.name)
        for field in fields(Entrant)
        if field.name not in NAMES
    )


def differences(row: int, entrant: Entrant, player: Player) -> tuple[Difference, ...]:
    """What the row says otherwise than is known. What it does not say is no difference; nor are capitals everywhere."""
    differing = []
    is_named_alike = not entrant.first_name and _name_of(entrant) == _name_of(player)
    for known_field in fields(Entrant):
        before, after = getattr(player, known_field.name), getattr(entrant, known_field.name)
        if not after or before == after or (known_field.name in NAMES and is_named_alike):
            continue
        if (
            known_field.name == "last_name"
            and is_shouted(after)
            and soften_capitals(after) == soften_capitals(before)
        ):
            continue
        differing.append(Difference(player.number, known_field.name, before, after, row))
    return tuple(differing)


def is_in_doubt(entrant: Entrant, player: Player) -> bool:
    """Whether only the name says that they are one, and something speaks against it."""
    if entrant.number == player.number:
        return False
    return any(
        getattr(entrant, name) and getattr(player, name) and getattr(entrant, name) != getattr(player, name)
        for name in ("ema_number", "country")
    ) and (not entrant.ema_number or entrant.ema_number != player.ema_number)


def _name_of(person: Entrant | Player) -> tuple[str, ...]:
    return name_key(person.first_name, person.last_name)


def _by_country(person: Entrant | Player) -> Hashable:
    name = _name_of(person)
    return (name, person.country) if name else None


def _share_a_word(entrant: Entrant, player: Player) -> bool:
    """Whether they have a part of their names in common, or one of them has no name."""
    entrant_words, player_words = set(_name_of(entrant)), set(_name_of(player))
    return not entrant_words or bool(entrant_words & player_words)


def _are_in_two_scripts(entrant: Entrant, player: Player) -> bool:
    """Whether their names cannot be compared."""
    return any(map(is_chinese, _name_of(entrant))) != any(map(is_chinese, _name_of(player)))


def _share_country_or_club(entrant: Entrant, player: Player) -> bool:
    return any(
        (value := getattr(entrant, name)) and value == getattr(player, name) for name in ("country", "club")
    )


def _share_ema_number(entrant: Entrant, player: Player) -> bool:
    return (
        entrant.number == player.number
        or _share_a_word(entrant, player)
        or _are_in_two_scripts(entrant, player)
    )


def _share_number(entrant: Entrant, player: Player) -> bool:
    """Whether more than a running number speaks for it: every list has one."""
    if not _name_of(entrant):
        return False
    return _share_a_word(entrant, player) or (
        _are_in_two_scripts(entrant, player) and _share_country_or_club(entrant, player)
    )


def _is_the_same(entrant: Entrant, player: Player) -> bool:
    """Two of one name from two countries with two EMA numbers are two people."""
    return not (
        entrant.country
        and player.country
        and entrant.country != player.country
        and entrant.ema_number
        and player.ema_number
        and entrant.ema_number != player.ema_number
    )


_TRAITS: Sequence[tuple[Callable[[Entrant | Player], Hashable], Callable[[Entrant, Player], bool]]] = (
    (lambda person: person.ema_number, _share_ema_number),
    (_by_country, _is_the_same),
    (_name_of, _is_the_same),
    (lambda person: person.number, _share_number),
)
"""In which order people are recognised: what they have in common, and what else has to fit."""


# --- A row and its answers ---


@dataclass(frozen=True)
class Said:
    """What somebody has said of a list's rows, by the rows' numbers, and of all of them.

    `left_out`: not wanted. `apart`: another person than the one of the same name. `refused`: differences that are not
    to be taken, by their keys. `soften`: write DE LA CRUZ as De la Cruz. `zeros`: put the zero in front of EMA numbers
    of seven digits. `updates`: the list is the event's own, edited (`find_by_keys`). `chosen`: what is done only if it
    is chosen, by its keys: a field is emptied, somebody who is in no row withdrawn.
    """

    left_out: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()
    refused: frozenset[str] = frozenset()
    soften: bool = False
    zeros: bool = False
    updates: bool = False
    chosen: frozenset[str] = frozenset()


NOTHING = Said()


@dataclass(frozen=True)
class Row:
    """A line as a player to be, or as `player`, who is entered already. `number` is the file's.

    A problem's `where` is a field. `question`: whether this is another person than one of the same name, until it is
    answered. `is_in_doubt`: the player may be another person, whom only the name made one with this.
    """

    number: int
    cells: dict[str, str]
    entrant: Entrant
    problems: tuple[Problem, ...] = ()
    left_out: bool = False
    player: Player | None = None
    differences: tuple[Difference, ...] = ()
    refused: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()
    question: Problem | None = None
    is_in_doubt: bool = False

    @property
    def name(self) -> str:
        """As pages will show it."""
        return display_name(self.entrant.first_name, self.entrant.last_name)

    @property
    def taken(self) -> list[Difference]:
        """The differences that are to be taken."""
        return [difference for difference in self.differences if self.takes(difference)]

    def takes(self, difference: Difference) -> bool:
        return difference.key in self.chosen if difference.empties else difference.key not in self.refused

    @property
    def outcome(self) -> Entrant:
        """The person as they would be in the tournament."""
        return changed(self.player, self.taken) if self.player else self.entrant

    @property
    def lost_zero(self) -> str:
        """The EMA number with the zero that a spreadsheet dropped; "" when none is missing."""
        return with_zero(digits(self.cells["ema_number"]))


def digits(text: str) -> str:
    return text.replace(" ", "")


def with_zero(ema_number: str) -> str:
    is_short = len(ema_number) == 7 and ema_number.isascii() and ema_number.isdigit()
    return f"0{ema_number}" if is_short else ""


# --- The event's own list ---


EMPTIED: Final = ("first_name", "country", "ema_number", "team", "club")
"""What a player can be without."""

Name = tuple[str, str]


def find_by_keys(
    rows: Mapping[int, Entrant], players: Sequence[Player], apart: Collection[int] = ()
) -> tuple[dict[int, Player], dict[int, Problem]]:
    """Row → the player it is: by number, else by EMA number, else by exactly the name. And row → why that is not clear.

    For the event's own list, taken away, edited and brought back.
    `apart`: rows that are somebody new, whatever their name.
    """
    by_number = {player.number: player for player in players}
    by_ema = {player.ema_number: player for player in players if player.ema_number}
    by_name: defaultdict[Name, list[Player]] = defaultdict(list)
    for player in players:
        by_name[_exact_name(player)].append(player)
    matched: dict[int, Player] = {}
    unclear: dict[int, Problem] = {}
    first: dict[int, int] = {}
    for row, entrant in rows.items():
        if row in apart:
            continue
        numbered = by_number.get(entrant.number) if entrant.number is not None else None
        known = by_ema.get(entrant.ema_number)
        named = by_name.get(_exact_name(entrant), [])
        if problem := _key_conflict(numbered, known, named):
            unclear[row] = problem
        elif numbered and not known and not named and _is_another(entrant, numbered):
            unclear[row] = NUMBER_OF_ANOTHER("number", number=numbered.number, name=numbered.name)
        elif match := numbered or known or next(iter(named), None):
            if match.pk in first:
                unclear[row] = ROW_OF_SAME_PLAYER("last_name", row=first[match.pk], name=match.name)
                continue
            first[match.pk] = row
            matched[row] = match
    return matched, unclear


def _key_conflict(numbered: Player | None, known: Player | None, named: Sequence[Player]) -> Problem | None:
    if numbered and known and numbered.pk != known.pk:
        return KEYS_DISAGREE("number", number=numbered.number, name=numbered.name, other=known.name)
    if numbered and not known and named and numbered not in named:
        return NUMBER_NOT_OF_NAME("number", number=numbered.number, name=numbered.name, other=named[0].name)
    if not numbered and not known and len(named) > 1:
        return NAME_OF_SEVERAL("number", n=len(named), name=named[0].name)
    return None


def _is_another(entrant: Entrant, player: Player) -> bool:
    """Whether name, country and club all speak against it, as far as they are known."""
    differ = any(
        getattr(entrant, name) and getattr(player, name) and getattr(entrant, name) != getattr(player, name)
        for name in ("country", "club")
    )
    return differ and not (_share_a_word(entrant, player) or _share_country_or_club(entrant, player))


def _exact_name(person: Entrant | Player) -> Name:
    return tidy(person.last_name), tidy(person.first_name)


def updates_of(row: int, entrant: Entrant, player: Player, fields: Iterable[str]) -> tuple[Difference, ...]:
    """What the row says otherwise, in the columns that the list has; an empty cell, too, where one can be."""
    differing = []
    for name in fields:
        before, after = getattr(player, name), getattr(entrant, name)
        if after in ("", None) and name not in EMPTIED:
            continue
        if before != after and str(after) not in (tidy(str(before)), no_formula(tidy(str(before)))):
            differing.append(Difference(player.number, name, before, after, row))
    return tuple(differing)
