"""Who had better not meet: team-mates and forbidden pairs (hard), club-mates and compatriots (soft)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

HARD: Final = 10_000
_CLUB: Final = 3
_COUNTRY: Final = 1


@dataclass(frozen=True, slots=True)
class Wishes:
    """Groups are player → name, empty for none; ``pins`` (session from 0, player) → table from 0."""

    teams: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    countries: Mapping[int, str] = field(default_factory=dict)
    forbidden: Collection[frozenset[int]] = ()
    pins: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def weights(self, *, soft: bool = True) -> dict[int, dict[int, int]]:
        """Player → player → what one meeting of the two costs; symmetric, only where it costs something."""
        costs: defaultdict[int, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
        kinds = [(self.teams, HARD)] + ([(self.clubs, _CLUB), (self.countries, _COUNTRY)] if soft else [])
        for groups, cost in kinds:
            for members in grouped(groups).values():
                for one, other in combinations(members, 2):
                    costs[one][other] += cost
                    costs[other][one] += cost
        for one, other in (sorted(pair) for pair in self.forbidden):
            costs[one][other] += HARD
            costs[other][one] += HARD
        return {player: dict(others) for player, others in costs.items()}

    def staying(self, stay: Mapping[int, int], sessions: int) -> Wishes:
        """The wishes with players kept at their table (from 1) throughout: so they cannot meet one
        another.
        """
        apart = {frozenset(pair) for pair in combinations(stay, 2)}
        pins = {(at, player): table - 1 for player, table in stay.items() for at in range(sessions)}
        return replace(self, forbidden={*self.forbidden, *apart}, pins={**self.pins, **pins})


def wished_apart(
    wishes: Wishes, pairs: Collection[tuple[int, int]], mates: float, pair: float, soft: float
) -> dict[int, dict[int, float]]:
    """Player → player → what a meeting costs: ``mates`` for team-mates, ``pair`` for the pairs, and ``soft`` for
    compatriots, three times that for club-mates.
    """
    rarely = Wishes(clubs=wishes.clubs, countries=wishes.countries).weights()
    costs = {one: {other: soft * cost for other, cost in others.items()} for one, others in rarely.items()}
    for members in grouped(wishes.teams).values():
        for one in members:
            costs.setdefault(one, {}).update({other: mates for other in members if other != one})
    for one, other in pairs:
        costs.setdefault(one, {})[other] = pair
        costs.setdefault(other, {})[one] = pair
    return costs


def grouped(groups: Mapping[int, str]) -> dict[str, list[int]]:
    """Name → members, without the players that have none."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for player, name in groups.items():
        if name:
            members[name].append(player)
    return dict(members)
