"""The list that was entered last: whom it changed, what they were before, and what of it still stands as written."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from scoring.engine.problems import Problem
from tournament.base.engine.names import display_name
from tournament.base.models.log_entry import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.entrants import NAMES, Entrant, entrant_of
from tournament.players.selectors.roll import what_keeps

ENTERED: Final = frozenset({"players_added", "list_entered"})
UNDONE: Final = "list_undone"
KEY: Final = "was"
"""Of the entry's data: number → what was written. It names people, so it is kept beside the hashed body."""


@dataclass(frozen=True)
class Written:
    """What a list wrote of one player, who has `number` since. No `before`: they came in, or (`has_left`) left."""

    number: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    has_left: bool = False
    player: Player | None = None
    problem: Problem | None = None
    """Why it cannot be put back."""

    @property
    def is_new(self) -> bool:
        return not (self.before or self.has_left)

    @property
    def name(self) -> str:
        """What they are called by that list."""
        return display_name(self.after["first_name"], self.after["last_name"])


@dataclass(frozen=True)
class ListStep:
    """The newest list, by the number of its entry in the log."""

    seq: int
    people: Sequence[Written]

    @property
    def standing(self) -> list[Written]:
        """Who is as it left them, and can be put back."""
        return [one for one in self.people if one.problem is None]

    @property
    def moved_on(self) -> list[Written]:
        return [one for one in self.people if one.problem is not None]


def change_of(player: Player, before: Entrant) -> dict[str, dict[str, Any]]:
    """For the log: the fields that changed, as they were and are. The names are always there: they say who it is."""
    now, was = asdict(entrant_of(player)), asdict(before)
    fields = [name for name in now if now[name] != was[name]]
    return {
        "before": {name: was[name] for name in fields},
        "after": {name: now[name] for name in now if name in fields or name in NAMES},
    }


def coming_of(player: Player) -> dict[str, dict[str, Any]]:
    return {"after": asdict(entrant_of(player))}


def leaving_of(player: Player) -> dict[str, Any]:
    return {"after": {name: getattr(player, name) for name in NAMES}, "left": True}


def newest_list(tournament: Tournament) -> LogEntry | None:
    """The entry of what can be undone; None where nothing was entered, it was undone, or its names are gone."""
    entries = tournament.log.filter(action__in=[*ENTERED, UNDONE])
    newest = entries.order_by("-seq").first()
    if newest is None or newest.action == UNDONE or KEY in newest.erased or not newest.said.get(KEY):
        return None
    return newest


def list_step(tournament: Tournament) -> ListStep | None:
    """The same with everybody it is about, as they are now."""
    entry = newest_list(tournament)
    if entry is None:
        return None
    said = {int(number): one for number, one in entry.said[KEY].items()}
    players = {player.number: player for player in tournament.players.filter(number__in=said)}
    seated = set(Seat.objects.filter(player__in=players.values()).values_list("player", flat=True))
    return ListStep(
        entry.seq,
        [
            _written(number, one, players.get(number), seated, any_final=tournament.finals.exists())
            for number, one in sorted(said.items())
        ],
    )


def _written(
    number: int, said: Mapping[str, Any], player: Player | None, seated: Collection[int], *, any_final: bool
) -> Written:
    one = Written(number, said.get("before", {}), said["after"], said.get("left", False), player)
    return replace(one, problem=_problem(one, seated, any_final=any_final))


def _problem(one: Written, seated: Collection[int], *, any_final: bool) -> Problem | None:
    about: dict[str, str | int] = {"number": one.number, "name": one.name}
    if one.player is None:
        return Problem("list_player_gone", str(one.number), about)
    stands = all(getattr(one.player, name) == value for name, value in one.after.items())
    has_moved = not one.before and one.has_left != one.player.is_withdrawn
    if not stands or has_moved:
        return Problem("list_player_changed", str(one.number), about)
    if one.is_new and (any_final or one.player.pk in seated) and (kept := what_keeps(one.player)):
        return Problem(kept.code, str(one.number), kept.params)
    return None
