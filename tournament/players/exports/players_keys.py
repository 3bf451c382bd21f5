"""The event's own list, taken away, edited and brought back: rows are players by number, EMA number or the name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from scoring.engine.problems import Problem
from tournament.base.models.people import Player
from tournament.players.exports.players_known import Difference
from tournament.players.selectors.entrants import Entrant
from tournament.web.exports.sheets import no_formula, tidy

EMPTIED: Final = ("first_name", "country", "ema_number", "team", "club")
"""What a player can be without."""

Name = tuple[str, str]


def find_by_keys(
    rows: Mapping[int, Entrant], players: Sequence[Player], apart: Collection[int] = ()
) -> tuple[dict[int, Player], dict[int, Problem]]:
    """Row → the player it is: by number, else by EMA number, else by exactly the name. And row → why that is not clear.

    `apart`: rows that are somebody new, whatever their name.
    """
    by_number = {player.number: player for player in players}
    by_ema = {player.ema_number: player for player in players if player.ema_number}
    by_name: defaultdict[Name, list[Player]] = defaultdict(list)
    for player in players:
        by_name[_name(player)].append(player)
    found: dict[int, Player] = {}
    unclear: dict[int, Problem] = {}
    first: dict[int, int] = {}
    for row, entrant in rows.items():
        if row in apart:
            continue
        numbered = by_number.get(entrant.number) if entrant.number is not None else None
        known = by_ema.get(entrant.ema_number)
        named = by_name.get(_name(entrant), [])
        if problem := _conflict(numbered, known, named):
            unclear[row] = problem
        elif one := numbered or known or next(iter(named), None):
            if one.pk in first:
                unclear[row] = Problem(
                    "row_of_same_player", "last_name", {"row": first[one.pk], "name": one.name}
                )
                continue
            first[one.pk] = row
            found[row] = one
    return found, unclear


def updates_of(row: int, entrant: Entrant, player: Player, fields: Iterable[str]) -> tuple[Difference, ...]:
    """What the row says otherwise, in the columns that the list has; an empty cell, too, where one can be."""
    found = []
    for name in fields:
        before, after = getattr(player, name), getattr(entrant, name)
        if after in ("", None) and name not in EMPTIED:
            continue
        if before != after and str(after) not in (tidy(str(before)), no_formula(tidy(str(before)))):
            found.append(Difference(player.number, name, before, after, row))
    return tuple(found)


def _conflict(numbered: Player | None, known: Player | None, named: Sequence[Player]) -> Problem | None:
    if numbered and known and numbered.pk != known.pk:
        about: dict[str, str | int] = {"number": numbered.number, "name": numbered.name, "other": known.name}
        return Problem("keys_disagree", "number", about)
    if numbered and not known and named and numbered not in named:
        about = {"number": numbered.number, "name": numbered.name, "other": named[0].name}
        return Problem("number_not_of_name", "number", about)
    if not numbered and not known and len(named) > 1:
        return Problem("name_of_several", "number", {"n": len(named), "name": named[0].name})
    return None


def _name(person: Entrant | Player) -> Name:
    return tidy(person.last_name), tidy(person.first_name)
