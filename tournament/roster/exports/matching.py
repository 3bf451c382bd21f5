"""Match the rows of a list with the players and registrations of the tournament; `list_import` checks them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Final, TypeAlias, TypeVar

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.names import display_name, is_chinese, name_key
from tournament.base.engine.text import tidy
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.players.selectors.players import NAME_FIELDS, Entrant, FieldChange, apply_changes
from tournament.registration.selectors.registrations import SHARED_FIELDS
from tournament.web.exports.lists import escape_formula
from tournament.web.exports.whole_names import is_in_capitals, soften_capitals

KEYS_DISAGREE = problem_code(
    "keys_disagree",
    "Number {number} is {name}, but the EMA number is that of {other}. Correct one of the two.",
)
NUMBER_NOT_OF_NAME = problem_code(
    "number_not_of_name",
    "Number {number} is {name}, but the name is that of {other}. Correct one of the two.",
)
NUMBER_OF_ANOTHER = problem_code(
    "number_of_another",
    "Number {number} belongs to {name}; this row has a different name, and a different country or club. Clear "
    "the number to add a new player, or change {name} on the player’s page first.",
)
NAME_OF_SEVERAL = problem_code(
    "name_of_several", "{n} players are called {name}. Give the player’s number instead."
)
ROW_OF_SAME_PLAYER = problem_code(
    "row_of_same_player", "Row {row} is also about {name}. Leave one of the two rows out."
)

# --- Matching rows with players ---


Known = TypeVar("Known", Player, Registration)
Person: TypeAlias = Entrant | Player | Registration


@dataclass(frozen=True)
class Difference(FieldChange):
    """A change that a row of a list would make. Of a registration, `player` is the number of the registration."""

    row: int
    is_of_registration: bool = False

    @property
    def key(self) -> str:
        """An identifier that changes with the values."""
        owner = f"r{self.player}" if self.is_of_registration else str(self.player)
        return _key(owner, self.field, self.before, self.after)

    @property
    def empties(self) -> bool:
        """Whether it empties the field, which is only done if it is chosen."""
        return self.after == ""


@dataclass(frozen=True)
class AbsentPlayer:
    """A player who is in no row, and can be chosen to be withdrawn."""

    player: Player

    @property
    def key(self) -> str:
        return _key(str(self.player.number), "leaves", self.player.last_name, self.player.first_name)


def _key(owner: str, what: str, *values: object) -> str:
    text = "\n".join(map(str, values))
    return f"{owner}.{what}.{sha256(text.encode()).hexdigest()[:8]}"


def match_players(
    rows: Mapping[int, Entrant], players: Iterable[Player], apart: Collection[int]
) -> dict[int, Player]:
    """Match rows by EMA number, else by name and country, else by name, else by number; return row → player.

    A number is ignored if the name is entirely different, or if there is no name. `apart`: rows of other people than
    the player of the same name.
    """
    return _match(rows, players, apart, (*_MATCHERS, _BY_NUMBER))


def match_registrations(
    rows: Mapping[int, Entrant], registrations: Iterable[Registration], apart: Collection[int]
) -> dict[int, Registration]:
    """Match rows by EMA number, else by name and country, else by name; return row → registration."""
    return _match(rows, registrations, apart, _MATCHERS)


def _match(
    rows: Mapping[int, Entrant],
    people: Iterable[Known],
    apart: Collection[int],
    matchers: Sequence[_Matcher],
) -> dict[int, Known]:
    matches: dict[int, Known] = {}
    remaining = {person.number: person for person in people}
    for key_of, is_match in matchers:
        people_by_key: defaultdict[Hashable, list[Known]] = defaultdict(list)
        for person in remaining.values():
            people_by_key[key_of(person)].append(person)
        pairs = [
            (row, person)
            for row, entrant in rows.items()
            if row not in matches and row not in apart and (key := key_of(entrant))
            for person in people_by_key.get(key, ())
            if is_match(entrant, person)
        ]
        # Namesakes are matched by similarity, not by order.
        for row, person in sorted(pairs, key=lambda pair: -_similarity(rows[pair[0]], pair[1])):
            if row not in matches and person.number in remaining:
                matches[row] = remaining.pop(person.number)
    return matches


def _similarity(entrant: Entrant, person: Person) -> int:
    """Count the equal fields besides the name."""
    return sum(
        bool(value := getattr(entrant, field.name)) and value == getattr(person, field.name, None)
        for field in fields(Entrant)
        if field.name not in NAME_FIELDS
    )


def row_differences(row: int, entrant: Entrant, person: Player | Registration) -> tuple[Difference, ...]:
    """Return the row's differences from the person, ignoring empty cells and names in capitals."""
    changes = []
    # The same name in one field, or split elsewhere, says nothing about how it is written.
    is_split_elsewhere = name_key(entrant.last_name) != name_key(person.last_name)
    is_named_alike = name_key_of(entrant) == name_key_of(person) and is_split_elsewhere
    is_registration = isinstance(person, Registration)
    for name in SHARED_FIELDS if is_registration else [field.name for field in fields(Entrant)]:
        before, after = getattr(person, name), getattr(entrant, name)
        if not after or before == after or (name in NAME_FIELDS and is_named_alike):
            continue
        if (
            name == "last_name"
            and is_in_capitals(after)
            and soften_capitals(after) == soften_capitals(before)
        ):
            continue
        changes.append(Difference(person.number, name, before, after, row, is_registration))
    return tuple(changes)


def is_in_doubt(entrant: Entrant, person: Player | Registration) -> bool:
    """Whether only the name matches, and the EMA number or country does not."""
    if isinstance(person, Player) and entrant.number == person.number:
        return False
    return any(
        getattr(entrant, name) and getattr(person, name) and getattr(entrant, name) != getattr(person, name)
        for name in ("ema_number", "country")
    ) and (not entrant.ema_number or entrant.ema_number != person.ema_number)


def name_key_of(person: Person) -> str:
    return name_key(person.first_name, person.last_name)


def _words(person: Person) -> set[str]:
    """Return the words of the name. A Chinese name is one word, since many people share their family name."""
    name = display_name(person.first_name, person.last_name).replace(",", " ")
    return {name_key(word) for word in name.split()} - {""}


def _name_and_country(person: Person) -> Hashable:
    name = name_key_of(person)
    return (name, person.country) if name else None


def _share_a_word(entrant: Entrant, person: Person) -> bool:
    """Whether their names share a word, or the entrant has no name."""
    entrant_words, other_words = _words(entrant), _words(person)
    return not entrant_words or bool(entrant_words & other_words)


def _are_in_two_scripts(entrant: Entrant, person: Person) -> bool:
    """Whether only one of the names is Chinese, so that they cannot be compared."""
    return any(map(is_chinese, _words(entrant))) != any(map(is_chinese, _words(person)))


def _share_country_or_club(entrant: Entrant, person: Person) -> bool:
    return any(
        (value := getattr(entrant, name)) and value == getattr(person, name) for name in ("country", "club")
    )


def _share_ema_number(entrant: Entrant, person: Person) -> bool:
    return (
        entrant.number == person.number
        or _share_a_word(entrant, person)
        or _are_in_two_scripts(entrant, person)
    )


def _share_number(entrant: Entrant, person: Person) -> bool:
    """Whether more than the number matches, since many lists have running numbers."""
    if not name_key_of(entrant):
        return False
    return _share_a_word(entrant, person) or (
        _are_in_two_scripts(entrant, person) and _share_country_or_club(entrant, person)
    )


def _may_be_same_person(entrant: Entrant, person: Person) -> bool:
    """Return False for namesakes with different countries and EMA numbers."""
    return not (
        entrant.country
        and person.country
        and entrant.country != person.country
        and entrant.ema_number
        and person.ema_number
        and entrant.ema_number != person.ema_number
    )


_Matcher: TypeAlias = tuple[Callable[[Person], Hashable], Callable[[Entrant, Person], bool]]
_MATCHERS: Final[Sequence[_Matcher]] = (
    (lambda person: person.ema_number, _share_ema_number),
    (_name_and_country, _may_be_same_person),
    (name_key_of, _may_be_same_person),
)
"""In order: the key by which rows and people are matched, and the condition for a match."""
_BY_NUMBER: Final[_Matcher] = (lambda person: person.number, _share_number)
"""Players only: the number of a registration is not in any list."""


# --- A row and its answers ---


@dataclass(frozen=True)
class RowAnswers:
    """Somebody's choices about a list.

    `left_out`, `apart`: numbers of rows that are skipped, and of other people than their namesakes. `refused`: keys of
    differences that are not applied. `chosen`: keys of what is only done if chosen (emptied fields, withdrawals).
    `soften`: write DE LA CRUZ as De la Cruz. `zeros`: restore the leading zero of EMA numbers. `updates`: the list is
    the event's own, edited (`match_by_keys`). `as_registrations`: new people are registered, not entered as players.
    """

    left_out: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()
    refused: frozenset[str] = frozenset()
    soften: bool = False
    zeros: bool = False
    updates: bool = False
    chosen: frozenset[str] = frozenset()
    as_registrations: bool = False


NO_ANSWERS = RowAnswers()


@dataclass(frozen=True)
class Row:
    """A row of a list: a new person, the existing `player`, or an active `registration` without a player.

    `number`: the row's in the file.
    `where` of a problem is a field. `question`: whether it is another person than a namesake, until it is answered.
    `is_in_doubt`: the player or registration may be of another person of the same name.
    """

    number: int
    cells: dict[str, str]
    entrant: Entrant
    problems: tuple[Problem, ...] = ()
    left_out: bool = False
    player: Player | None = None
    registration: Registration | None = None
    differences: tuple[Difference, ...] = ()
    refused: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()
    question: Problem | None = None
    is_in_doubt: bool = False

    @property
    def name(self) -> str:
        """The name as pages show it."""
        return display_name(self.entrant.first_name, self.entrant.last_name)

    @property
    def is_new(self) -> bool:
        return not (self.left_out or self.player or self.registration)

    @property
    def state(self) -> str:
        """A code of what would become of it, for programs and styles."""
        if self.left_out:
            return "left_out"
        if self.problems:
            return "faulty"
        if self.question or self.is_in_doubt:
            return "doubtful"
        if self.differences:
            return "changed"
        if self.player:
            return "known"
        return "registered" if self.registration else "new"

    def to_registration(self) -> Registration:
        """Return a new registration with the row's values."""
        values = {name: getattr(self.entrant, name) for name in SHARED_FIELDS}
        return Registration(
            **values, email=self.cells.get("email", ""), message=self.cells.get("message", "")
        )

    @property
    def taken(self) -> list[Difference]:
        """The differences that are applied."""
        return [difference for difference in self.differences if self.takes(difference)]

    def takes(self, difference: Difference) -> bool:
        return difference.key in self.chosen if difference.empties else difference.key not in self.refused

    @property
    def outcome(self) -> Entrant:
        """The player as they would be stored."""
        return apply_changes(self.player, self.taken) if self.player else self.entrant

    @property
    def lost_zero(self) -> str:
        """The EMA number with the zero that a spreadsheet dropped; "" if it has all digits."""
        return restore_zero(strip_spaces(self.cells["ema_number"]))


def strip_spaces(text: str) -> str:
    return text.replace(" ", "")


def restore_zero(ema_number: str) -> str:
    is_short = len(ema_number) == 7 and ema_number.isascii() and ema_number.isdigit()
    return f"0{ema_number}" if is_short else ""


# --- The event's own list ---


CLEARABLE_FIELDS: Final = ("first_name", "second_name", "country", "ema_number", "team", "club")
"""Fields that can be emptied."""

Name = tuple[str, str]


def match_by_keys(
    rows: Mapping[int, Entrant], players: Sequence[Player], apart: Collection[int] = ()
) -> tuple[dict[int, Player], dict[int, Problem]]:
    """Match rows of the event's own, edited list: by number, else by EMA number, else by exactly the name.

    Return row → player, and row → problem where the match is not clear. `apart`: rows of new people.
    """
    players_by_number = {player.number: player for player in players}
    players_by_ema = {player.ema_number: player for player in players if player.ema_number}
    players_by_name: defaultdict[Name, list[Player]] = defaultdict(list)
    for player in players:
        players_by_name[_exact_name(player)].append(player)
    matches: dict[int, Player] = {}
    problems: dict[int, Problem] = {}
    first_rows: dict[int, int] = {}
    for row, entrant in rows.items():
        if row in apart:
            continue
        by_number = players_by_number.get(entrant.number) if entrant.number is not None else None
        by_ema = players_by_ema.get(entrant.ema_number)
        by_name = players_by_name.get(_exact_name(entrant), [])
        if problem := _key_conflict(by_number, by_ema, by_name):
            problems[row] = problem
        elif by_number and not by_ema and not by_name and _contradicts(entrant, by_number):
            problems[row] = NUMBER_OF_ANOTHER("number", number=by_number.number, name=by_number.name)
        elif match := by_number or by_ema or next(iter(by_name), None):
            if match.pk in first_rows:
                problems[row] = ROW_OF_SAME_PLAYER("last_name", row=first_rows[match.pk], name=match.name)
                continue
            first_rows[match.pk] = row
            matches[row] = match
    return matches, problems


def _key_conflict(
    by_number: Player | None, by_ema: Player | None, by_name: Sequence[Player]
) -> Problem | None:
    if by_number and by_ema and by_number.pk != by_ema.pk:
        return KEYS_DISAGREE("number", number=by_number.number, name=by_number.name, other=by_ema.name)
    if by_number and not by_ema and by_name and by_number not in by_name:
        return NUMBER_NOT_OF_NAME(
            "number", number=by_number.number, name=by_number.name, other=by_name[0].name
        )
    if not by_number and not by_ema and len(by_name) > 1:
        return NAME_OF_SEVERAL("number", n=len(by_name), name=by_name[0].name)
    return None


def _contradicts(entrant: Entrant, player: Player) -> bool:
    """Whether name, country and club all differ, as far as they are known."""
    differ = any(
        getattr(entrant, name) and getattr(player, name) and getattr(entrant, name) != getattr(player, name)
        for name in ("country", "club")
    )
    return differ and not (_share_a_word(entrant, player) or _share_country_or_club(entrant, player))


def _exact_name(person: Entrant | Player) -> Name:
    return tidy(person.last_name), tidy(person.first_name)


def row_updates(row: int, entrant: Entrant, player: Player, columns: Iterable[str]) -> tuple[Difference, ...]:
    """Return the row's differences in the list's columns, including emptied ones that may be empty.

    An e-mail address or a message is none, since players have no such field.
    """
    changes = []
    known = {field.name for field in fields(Entrant)}
    for name in filter(known.__contains__, columns):
        before, after = getattr(player, name), getattr(entrant, name)
        if after in ("", None) and name not in CLEARABLE_FIELDS:
            continue
        if before != after and str(after) not in (tidy(str(before)), escape_formula(tidy(str(before)))):
            changes.append(Difference(player.number, name, before, after, row))
    return tuple(changes)
