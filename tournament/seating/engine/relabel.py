"""Who becomes which number of a finished design: meets wishes without ever bringing a repeat back.

First whole groups are laid on blocks of labels that never meet (a column, a spare session's table); then
pairs of players exchange labels while that saves something.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tournament.seating.engine.lots import Lots
from tournament.seating.engine.shapes import Sessions, meetings
from tournament.seating.engine.wishes import Wishes, grouped

Labelling: TypeAlias = list[int]
"""label → player"""
Blocks: TypeAlias = Sequence[Sequence[int]]

_LOOK_UPS = 400_000
"""How many meetings the search may look at: about a tenth of a second."""


def relabelled(sessions: Sessions, labelling: Labelling) -> Sessions:
    """The sessions with players in place of labels."""
    return tuple(
        tuple((labelling[a], labelling[b], labelling[c], labelling[d]) for a, b, c, d in session)
        for session in sessions
    )


def place_groups(players: Sequence[int], wishes: Wishes, blocks: Blocks, lots: Lots) -> Labelling:
    """Teams on blocks, largest first, each on a drawn block with room for all of it; then everybody else.

    A team that fits nowhere whole is spread over what is left. Clubs and countries follow in the same way.
    """
    room = [lots.shuffled(block) for block in lots.shuffled(blocks)]
    labels = sum(len(block) for block in room)
    labelling = [0] * labels
    loose = list(players)
    for groups in (wishes.teams, wishes.clubs, wishes.countries):
        members = grouped({player: groups.get(player, "") for player in loose})
        for group in sorted(lots.shuffled([*members.values()]), key=len, reverse=True):
            _place(group, room, labelling, loose)
    free = [label for block in room for label in block]
    for label, player in zip(free, lots.shuffled(loose), strict=True):
        labelling[label] = player
    return labelling


def _place(group: Sequence[int], room: list[list[int]], labelling: Labelling, loose: list[int]) -> None:
    """Lay a group on the fullest block that has room for it, if there is one."""
    fitting = [block for block in room if len(block) >= len(group)]
    if not fitting:
        return
    block = min(fitting, key=len)
    for player in group:
        labelling[block.pop()] = player
        loose.remove(player)


def improve(
    labelling: Labelling, sessions: Sessions, weights: Mapping[int, Mapping[int, int]], lots: Lots
) -> Labelling:
    """Exchange the labels of two players while that lowers the cost of the meetings; early ones cost more."""
    if not weights:
        return labelling
    search = _Search(labelling, sessions, weights)
    search.run(lots)
    return search.players


class _Search:
    def __init__(
        self, labelling: Labelling, sessions: Sessions, weights: Mapping[int, Mapping[int, int]]
    ) -> None:
        self.players = list(labelling)
        self._weights = weights
        self._met: list[list[tuple[int, int]]] = [[] for _ in labelling]
        for number, one, other in meetings(sessions):
            factor = 2 * len(sessions) - number
            self._met[one].append((other, factor))
            self._met[other].append((one, factor))
        self._budget = _LOOK_UPS // max(1, 3 * len(sessions))

    def run(self, lots: Lots) -> None:
        """Give every player with a cost the best of a few drawn exchanges, until none helps or time is up."""
        improved = True
        while improved and self._budget > 0:
            improved = False
            costs = [self._cost(label, self.players[label]) for label in range(len(self.players))]
            unhappy = [label for label in range(len(costs)) if costs[label]]
            for label in sorted(unhappy, key=costs.__getitem__, reverse=True):
                improved |= self._exchange(label, lots)

    def _exchange(self, label: int, lots: Lots) -> bool:
        """Exchange with the partner that saves most among a few tens, if any does."""
        mine = self._cost(label, self.players[label])
        if not mine or self._budget <= 0:
            return False
        count = len(self.players)
        partners = range(count) if count <= 64 else [lots.below(count) for _ in range(48)]
        saved, best = max((self._saving(label, partner, mine), partner) for partner in partners)
        if saved <= 0:
            return False
        self._swap(label, best)
        return True

    def _saving(self, label: int, partner: int, mine: int) -> int:
        self._budget -= 3
        theirs = self._cost(partner, self.players[partner])
        self._swap(label, partner)
        after = self._cost(label, self.players[label]) + self._cost(partner, self.players[partner])
        self._swap(label, partner)
        return mine + theirs - after

    def _swap(self, one: int, other: int) -> None:
        self.players[one], self.players[other] = self.players[other], self.players[one]

    def _cost(self, label: int, player: int) -> int:
        weights = self._weights.get(player)
        if not weights:
            return 0
        players = self.players
        return sum(
            weights[players[other]] * factor
            for other, factor in self._met[label]
            if players[other] in weights
        )
