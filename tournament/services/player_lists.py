"""Entering a list of which some are known: the new ones, and what it says otherwise of the others, in one write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from scoring.engine.problems import Problem
from tournament import access, log
from tournament.access import Actor
from tournament.errors import Refused
from tournament.models import Player, Tournament
from tournament.selectors.entrants import Entrant, FieldChange, changed, problems_of_all, with_numbers
from tournament.services.in_step import follow
from tournament.services.players import enter

FIRST_SPARE = 10_000
"""Above every number a player can have: where numbers wait that change hands."""


@dataclass(frozen=True)
class Entered:
    """Who came in, and whose particulars changed."""

    new: list[Player]
    changed: list[Player]


def enter_list(
    tournament: Tournament, actor: Actor, entrants: Sequence[Entrant], changes: Sequence[FieldChange] = ()
) -> Entered:
    """Enter people and change others, all or none.

    In a refusal `where` is "<index>.<field>", first those changed in the order of `changes`, then `entrants`.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "players_added") as write:
        known = _known(write.tournament, changes)
        wanted = [changed(known[number], of_player) for number, of_player in _by_player(changes).items()]
        numbered = with_numbers(write.tournament, [*wanted, *entrants])
        if found := problems_of_all(write.tournament, numbered, list(known.values())):
            raise Refused(found)
        if changes:
            _rewrite(list(known.values()), wanted)
            follow(known.values())
            write.becomes("list_entered")
            write.data["changed"] = [
                {"player": number, "fields": [one.field for one in of_player]}
                for number, of_player in _by_player(changes).items()
            ]
        return Entered(enter(write, numbered[len(wanted) :]), list(known.values()))


def _by_player(changes: Sequence[FieldChange]) -> Mapping[int, list[FieldChange]]:
    found: dict[int, list[FieldChange]] = {}
    for change in changes:
        found.setdefault(change.player, []).append(change)
    return found


def _known(tournament: Tournament, changes: Sequence[FieldChange]) -> dict[int, Player]:
    """Number → player, in the order of the changes; refused when somebody is not as the list was held against."""
    numbers = list(_by_player(changes))
    players = {player.number: player for player in tournament.players.filter(number__in=numbers)}
    stale = [
        Problem("changed_since", f"{numbers.index(change.player)}.{change.field}", {"player": change.player})
        for change in changes
        if change.player not in players or getattr(players[change.player], change.field) != change.before
    ]
    if stale:
        raise Refused(stale)
    return {number: players[number] for number in numbers}


def _rewrite(players: Sequence[Player], entrants: Sequence[Entrant]) -> None:
    """Numbers may change hands, and no two players may have one at any moment: they are put aside first."""
    moved = [player for player, one in zip(players, entrants, strict=True) if player.number != one.number]
    for spare, player in enumerate(moved, FIRST_SPARE):
        player.number = spare
    Player.objects.bulk_update(moved, ["number"])
    for player, one in zip(players, entrants, strict=True):
        for name, value in asdict(one).items():
            setattr(player, name, value)
    Player.objects.bulk_update(players, [field.name for field in fields(Entrant)])
