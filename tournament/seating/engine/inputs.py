"""Everything a draw follows from, as it is kept and published: whoever has it can draw the same seats again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tournament.seating.engine.draw import Draw, draw


@dataclass(frozen=True, slots=True)
class Inputs:
    """The arguments of `draw`. Groups are player → name; ``stay`` is player → table number from 1."""

    players: tuple[int, ...]
    sessions: int
    seed: str
    teams: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    countries: Mapping[int, str] = field(default_factory=dict)
    forbidden: tuple[tuple[int, int], ...] = ()
    stay: Mapping[int, int] = field(default_factory=dict)
    teams_first: bool = False

    def draw(self) -> Draw:
        """The draw that follows; `SeatingError` as `draw` raises it."""
        return draw(
            self.players,
            self.sessions,
            seed=self.seed,
            teams=self.teams,
            clubs=self.clubs,
            countries=self.countries,
            forbidden=self.forbidden,
            stay=self.stay,
            teams_first=self.teams_first,
        )

    @property
    def is_plain(self) -> bool:
        """Whether players 1 to N are drawn without any wish, so that size and seed say everything."""
        wishes = self.teams or self.clubs or self.countries or self.forbidden or self.stay
        return not wishes and self.players == tuple(range(1, len(self.players) + 1))

    def binding(self, players: Sequence[int]) -> Inputs:
        """The wishes that still hold when these players are here, at a quarter as many tables."""
        here, tables = set(players), len(players) // 4
        stay = {player: table for player, table in self.stay.items() if player in here and table <= tables}
        forbidden = tuple(pair for pair in self.forbidden if here.issuperset(pair))
        return replace(self, players=tuple(players), forbidden=forbidden, stay=stay)

    def to_json(self) -> dict[str, Any]:
        return {
            "players": list(self.players),
            "sessions": self.sessions,
            "seed": self.seed,
            "teams": _named(self.teams),
            "clubs": _named(self.clubs),
            "countries": _named(self.countries),
            "forbidden": [list(pair) for pair in self.forbidden],
            "stay": _named(self.stay),
            "teams_first": self.teams_first,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Inputs:
        """What `to_json` wrote; KeyError, TypeError or ValueError for anything else.

        Groups are brought into the order of their players: a database may give them back in another. Draws from
        before players had clubs say nothing of them.
        """
        return cls(
            players=tuple(int(player) for player in data["players"]),
            sessions=int(data["sessions"]),
            seed=str(data["seed"]),
            teams={number: str(name) for number, name in _numbered(data["teams"])},
            clubs={number: str(name) for number, name in _numbered(data.get("clubs", {}))},
            countries={number: str(name) for number, name in _numbered(data["countries"])},
            forbidden=tuple((int(one), int(other)) for one, other in data["forbidden"]),
            stay={number: int(table) for number, table in _numbered(data["stay"])},
            teams_first=bool(data["teams_first"]),
        )


def _named(values: Mapping[int, Any]) -> dict[str, Any]:
    return {str(player): value for player, value in sorted(values.items())}


def _numbered(values: Mapping[str, Any]) -> list[tuple[int, Any]]:
    return sorted((int(player), value) for player, value in values.items())


@dataclass(frozen=True)
class DrawWish:
    """What an organiser wishes of a draw: players by number; `stay` holds (player, table number from 1).

    Team-mates meet as rarely as goes without anybody meeting twice; with `teams` never, at that price if need be.
    With `clubs` club-mates, with `countries` compatriots meet late and rarely. `sessions`: so many are drawn in
    advance, the others later one by one; None for all of them.
    """

    teams: bool = False
    clubs: bool = False
    countries: bool = False
    forbidden: tuple[tuple[int, int], ...] = ()
    stay: tuple[tuple[int, int], ...] = ()
    sessions: int | None = None
