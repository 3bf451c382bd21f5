"""A list held against the players entered already: who is who, and what the list says otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256

from tournament.base.engine.names import display_name, is_chinese
from tournament.base.models.people import Player
from tournament.players.selectors.entrants import NAMES, Entrant, FieldChange
from tournament.web.exports.capitals import is_shouted, soften_capitals
from tournament.web.exports.headings import folded


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


def _key(number: int, what: str, *said: object) -> str:
    text = "\n".join(map(str, said))
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

    An EMA number or a number is taken for a slip of the pen where the name is quite another. `apart`: rows that are
    somebody else than the player of the same name.
    """
    found: dict[int, Player] = {}
    left = {player.number: player for player in players}
    for trait, fits in _TRAITS:
        by_trait: defaultdict[Hashable, list[Player]] = defaultdict(list)
        for player in left.values():
            by_trait[trait(player)].append(player)
        pairs = [
            (row, player)
            for row, entrant in rows.items()
            if row not in found and row not in apart and (key := trait(entrant))
            for player in by_trait.get(key, ())
            if fits(entrant, player)
        ]
        # Of namesakes each is the one who is the most alike, whichever stands first.
        for row, player in sorted(pairs, key=lambda pair: -_likeness(rows[pair[0]], pair[1])):
            if row not in found and player.number in left:
                found[row] = left.pop(player.number)
    return found


def differences(row: int, entrant: Entrant, player: Player) -> tuple[Difference, ...]:
    """What the row says otherwise than is known. What it does not say is no difference; nor are capitals everywhere."""
    found = []
    is_named_alike = not entrant.first_name and _name_of(entrant) == _name_of(player)
    for field in fields(Entrant):
        before, after = getattr(player, field.name), getattr(entrant, field.name)
        if not after or before == after or (field.name in NAMES and is_named_alike):
            continue
        if (
            field.name == "last_name"
            and is_shouted(after)
            and soften_capitals(after) == soften_capitals(before)
        ):
            continue
        found.append(Difference(player.number, field.name, before, after, row))
    return tuple(found)


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


def _share_a_name(entrant: Entrant, player: Player) -> bool:
    """Whether they have a part of their names in common, or names in scripts that cannot be compared."""
    one, other = _name_of(entrant), _name_of(player)
    if not one or set(one) & set(other):
        return True
    return any(map(is_chinese, one)) != any(map(is_chinese, other))


def _share_ema_number(entrant: Entrant, player: Player) -> bool:
    return entrant.number == player.number or _share_a_name(entrant, player)


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
    (lambda person: person.number, lambda one, other: bool(_name_of(one)) and _share_a_name(one, other)),
)
"""In which order people are recognised: what they have in common, and what else has to fit."""


def _likeness(entrant: Entrant, player: Player) -> int:
    """In how much beside the name they are the same."""
    return sum(
        bool(said := getattr(entrant, field.name)) and said == getattr(player, field.name)
        for field in fields(Entrant)
        if field.name not in NAMES
    )
