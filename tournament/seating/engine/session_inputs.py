"""Everything the seats of one session follow from, as it is kept and published: whoever has it can seat them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from typing import Any

from scoring.engine.problems import Problem
from tournament.base.engine.rotation import WINDS
from tournament.seating.engine.errors import SeatingError
from tournament.seating.engine.numbers import at_their_tables
from tournament.seating.engine.plans import Plan, Seats, as_plan, as_sessions
from tournament.seating.engine.single import interval_session, random_session
from tournament.seating.engine.swiss import swiss_session
from tournament.seating.engine.wishes import Wishes


class How(StrEnum):
    """How a session is seated by itself."""

    STANDING = "standing"
    INTERVAL = "interval"
    LOT = "lot"

    @property
    def needs_standings(self) -> bool:
        return self is not How.LOT


@dataclass(frozen=True, slots=True)
class SessionInputs:
    """``players`` best first where the standings count; ``others``: every other session's seats, numbered as they are.

    ``forbidden`` pairs do not meet, nor do ``teams`` (player → name), with ``teams_first`` even at the price of
    repeats; players of one of ``clubs`` or ``countries`` rarely do. ``stay`` is player → table number from 1. At
    intervals the standings decide alone, and only the table numbers are kept. ``left``: how many sessions are still
    to be seated after this one.
    """

    how: How
    players: tuple[int, ...]
    others: Plan
    seed: str
    teams: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    countries: Mapping[int, str] = field(default_factory=dict)
    forbidden: tuple[tuple[int, int], ...] = ()
    stay: Mapping[int, int] = field(default_factory=dict)
    teams_first: bool = False
    left: int = 0

    def seats(self) -> tuple[Seats, ...]:
        """The tables that follow; `SeatingError` as `draw` raises it for the players, and ``stay_impossible``."""
        (session,) = as_sessions([self._seated()])
        numbered = at_their_tables(session, self.stay)
        if strayed := [
            Problem("stay_impossible", "stay", {"player": player, "table": table})
            for player, table in self.stay.items()
            if not (table <= len(numbered) and player in numbered[table - 1])
        ]:
            raise SeatingError(strayed)
        (seats,) = as_plan((numbered,))
        return seats

    def _seated(self) -> tuple[Seats, ...]:
        if self.how is How.INTERVAL:
            return interval_session(self.players, self.others)
        apart = (*self.forbidden, *combinations(self.stay, 2))
        common: dict[str, Any] = {
            "seed": self.seed,
            "wishes": Wishes(self.teams, self.clubs, self.countries),
            "apart": apart,
            "teams_first": self.teams_first,
        }
        if self.how is How.LOT:
            return random_session(self.players, self.others, **common)
        return swiss_session(self.players, self.others, left=self.left, **common)

    def to_json(self) -> dict[str, Any]:
        return {
            "how": self.how.value,
            "players": list(self.players),
            "others": [list(map(dict, session)) for session in self.others],
            "seed": self.seed,
            "teams": {str(player): name for player, name in sorted(self.teams.items())},
            "clubs": {str(player): name for player, name in sorted(self.clubs.items())},
            "countries": {str(player): name for player, name in sorted(self.countries.items())},
            "forbidden": [list(pair) for pair in self.forbidden],
            "stay": {str(player): table for player, table in sorted(self.stay.items())},
            "teams_first": self.teams_first,
            "left": self.left,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SessionInputs:
        """What `to_json` wrote; KeyError, TypeError or ValueError for anything else.

        Sessions seated before clubs and countries counted here say nothing of them.
        """
        return cls(
            how=How(data["how"]),
            players=tuple(int(player) for player in data["players"]),
            others=tuple(_read(session) for session in data["others"]),
            seed=str(data["seed"]),
            teams={int(player): str(name) for player, name in data["teams"].items()},
            clubs={int(player): str(name) for player, name in data.get("clubs", {}).items()},
            countries={int(player): str(name) for player, name in data.get("countries", {}).items()},
            forbidden=tuple((int(one), int(other)) for one, other in data["forbidden"]),
            stay={int(player): int(table) for player, table in data["stay"].items()},
            teams_first=bool(data["teams_first"]),
            left=int(data["left"]),
        )


def _read(session: Sequence[Mapping[str, Any]]) -> tuple[Seats, ...]:
    return tuple({wind: int(table[wind]) for wind in WINDS} for table in session)


def rank_spreads(tables: Sequence[Mapping[str, int]], order: Sequence[int]) -> tuple[int, ...]:
    """For each table how many ranks lie between its best and its last player in ``order``, best first."""
    rank = {player: place for place, player in enumerate(order)}
    placed = [[rank[player] for player in table.values() if player in rank] for table in tables]
    return tuple(max(ranks, default=0) - min(ranks, default=0) for ranks in placed)
