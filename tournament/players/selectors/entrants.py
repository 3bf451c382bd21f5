"""People to be entered, and what is wrong with them: by themselves, beside each other, beside who is there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, fields, replace

from django.db.models import Max

from scoring.engine.problems import Problem
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.web.texts.countries import is_country

NAMES = ("last_name", "first_name")
LONGEST = 80
"""Characters in a name, a team or a club, as the table of players has room for."""


@dataclass(frozen=True)
class Entrant:
    """What is known of a person. `number` None asks for the next free one; `country` is ISO 3166 alpha-3 or empty.

    `is_substitute` None leaves it as it is; a newcomer is ranked then.
    """

    last_name: str
    first_name: str = ""
    country: str = ""
    ema_number: str = ""
    team: str = ""
    number: int | None = None
    club: str = ""
    is_substitute: bool | None = None


def problems_of(entrant: Entrant) -> tuple[Problem, ...]:
    """Every fault of an entrant by itself; `where` is the field."""
    found = []
    if not entrant.last_name.strip():
        found.append(Problem("name_missing", "last_name"))
    for name in ("last_name", "first_name", "team", "club"):
        if (length := len(getattr(entrant, name))) > LONGEST:
            found.append(Problem("text_too_long", name, {"length": length, "most": LONGEST}))
    if entrant.number is not None and not 1 <= entrant.number <= 9999:
        found.append(Problem("number_out_of_range", "number", {"number": entrant.number}))
    if entrant.country and not is_country(entrant.country):
        found.append(Problem("unknown_country", "country", {"country": entrant.country}))
    if entrant.ema_number and not (entrant.ema_number.isascii() and entrant.ema_number.isdigit()):
        found.append(Problem("ema_number_not_digits", "ema_number", {"ema_number": entrant.ema_number}))
    elif entrant.ema_number and len(entrant.ema_number) != 8:
        found.append(Problem("ema_number_length", "ema_number", {"digits": len(entrant.ema_number)}))
    return tuple(found)


def with_numbers(tournament: Tournament, entrants: Sequence[Entrant]) -> list[Entrant]:
    """Give those without a number the next ones after the highest in use."""
    highest = tournament.players.aggregate(top=Max("number"))["top"] or 0
    highest = max([highest, *(entrant.number or 0 for entrant in entrants)])
    numbered = []
    for entrant in entrants:
        if entrant.number is None:
            highest += 1
            numbered.append(Entrant(**(asdict(entrant) | {"number": highest})))
        else:
            numbered.append(entrant)
    return numbered


def problems_of_all(
    tournament: Tournament, entrants: Sequence[Entrant], known: Collection[Player] = ()
) -> list[Problem]:
    """Every fault of the entrants, by themselves, beside each other and beside those already entered.

    `known`: players whom some of the entrants are, changed. `where` is "<row>.<field>", rows from 0. Stores nothing.
    """
    others = tournament.players.exclude(pk__in=[player.pk for player in known])
    numbers = set(others.values_list("number", flat=True))
    ema_numbers = set(others.exclude(ema_number="").values_list("ema_number", flat=True))
    found = []
    for row, entrant in enumerate(entrants):
        faults = list(problems_of(entrant))
        if entrant.number is not None and entrant.number in numbers:
            faults.append(Problem("number_taken", "number", {"number": entrant.number}))
        if entrant.ema_number and entrant.ema_number in ema_numbers:
            faults.append(Problem("ema_number_taken", "ema_number", {"ema_number": entrant.ema_number}))
        if entrant.number is not None:
            numbers.add(entrant.number)
        ema_numbers.add(entrant.ema_number)
        found += [Problem(fault.code, f"{row}.{fault.where}", fault.params) for fault in faults]
    return found


@dataclass(frozen=True)
class FieldChange:
    """One field of somebody entered, as it was when the list was held against it, and as the list has it."""

    player: int
    field: str
    before: str | int
    after: str | int


def entrant_of(player: Player) -> Entrant:
    """What is known of somebody entered."""
    return Entrant(**{field.name: getattr(player, field.name) for field in fields(Entrant)})


def changed(player: Player, changes: Sequence[FieldChange]) -> Entrant:
    """The player as the changes would have it."""
    return replace(entrant_of(player), **{change.field: change.after for change in changes})  # type: ignore[arg-type]
