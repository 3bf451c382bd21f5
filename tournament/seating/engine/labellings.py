"""Which player can be which point of a design, so that the sessions played are sessions of it.

Players and points are the numbers 0 … N − 1; sessions are without a repeat among themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Final, TypeAlias

from tournament.seating.engine.exact import Effort
from tournament.seating.engine.shapes import Session, Sessions

Labelling: TypeAlias = Sequence[int]
"""Point of the design → player."""

_NODES: Final = 30_000
"""How many places are tried for each session of the design that may be the second one played."""


def labellings(played: Sessions, design: Sessions) -> Iterator[tuple[Labelling, frozenset[int]]]:
    """Every labelling under which those played are sessions of the design, with the numbers of these sessions."""
    # The first session is always the design's first: most designs turn into themselves, from any session to any other.
    for second in range(1, len(design)):
        yield from _Matching(played, design, (0, second), Effort(_NODES)).all()


class _Matching:
    """Labellings that carry played sessions into sessions of the design, the first two into the ones given.

    Points are settled one by one, each beside one at whose table it sits: three players are left to choose from.
    Who met in one session must meet in its image, and who never met in the image of none.
    """

    def __init__(self, played: Sessions, design: Sessions, first: tuple[int, int], effort: Effort) -> None:
        self._mates = [_mates(session) for session in played]
        self._met = {
            (one, other): at for at, mates in enumerate(self._mates) for one in mates for other in mates[one]
        }
        self._meet = {
            (one, other): at
            for at, session in enumerate(design)
            for one, others in _mates(session).items()
            for other in others
        }
        one, other = (design[at] for at in first)
        self._order = _connected((one, other))
        self._colour, self._wanted = _colours(played[0], played[1]), _colours(one, other)
        self._image = dict(enumerate(first))
        """Played session → session of the design."""
        self._effort = effort
        self._player: dict[int, int] = {}

    def all(self) -> Iterator[tuple[Labelling, frozenset[int]]]:
        """Every labelling that agrees with the points settled so far, while the effort lasts."""
        if len(self._player) == len(self._order):
            yield [self._player[point] for point in range(len(self._order))], frozenset(self._image.values())
            return
        point = self._order[len(self._player)]
        for player in self._candidates(point):
            if self._effort.nodes <= 0:
                return
            self._effort.nodes -= 1
            images = self._images(point, player)
            if images is None:
                continue
            self._image |= images
            self._player[point] = player
            yield from self.all()
            del self._player[point]
            for at in images:
                del self._image[at]

    def _candidates(self, point: int) -> list[int]:
        """Who can be this point: those who sat with each settled one beside whom it sits; at first everybody."""
        beside = [
            self._mates[at][player]
            for at, image in self._image.items()
            for other, player in self._player.items()
            if self._meet.get((point, other)) == image
        ]
        taken = set(self._player.values())
        return [
            one
            for one in (beside or [list(self._mates[0])])[0]
            if self._colour[one] == self._wanted[point]
            and one not in taken
            and all(one in mates for mates in beside)
        ]

    def _images(self, point: int, player: int) -> dict[int, int] | None:
        """The images of further sessions that follow when the player is this point; None when it cannot be."""
        found: dict[int, int] = {}
        images = set(self._image.values())
        for other, mate in self._player.items():
            met, meet = self._met.get((player, mate)), self._meet.get((point, other))
            if met is None:
                if meet in images:
                    return None
                continue
            image = self._image.get(met, found.get(met))
            if image is None and meet is not None and meet not in images:
                found[met] = image = meet
                images.add(meet)
            if image != meet:
                return None
        return found


def _colours(one: Session, other: Session) -> dict[int, Hashable]:
    """Everybody's place in two sessions; the same for places that a labelling could carry into each other.

    A player is told by the shapes of both tables. Most labellings that come to nothing do so here, before any search.
    """
    here, there = _shapes(one, other), _shapes(other, one)
    return {player: (here[player], there[player]) for player in here}


def _shapes(session: Session, across: Session) -> dict[int, tuple[int, ...]]:
    """Everybody → how many tables across the own table of ``session`` shares with each table of it, in order."""
    at = {player: number for number, table in enumerate(across) for player in table}
    reached = [{at[player] for player in table} for table in session]
    return {
        player: tuple(sorted(len(mine & others) for others in reached))
        for table, mine in zip(session, reached, strict=True)
        for player in table
    }


def _connected(sessions: Sequence[Session]) -> list[int]:
    """All points, each one beside as many of those before it as can be."""
    mates = [_mates(session) for session in sessions]
    order: list[int] = []
    left = sorted(mates[0])
    while left:
        settled = set(order)
        beside = {point: sum(len(settled.intersection(of[point])) for of in mates) for point in left}
        order.append(max(left, key=lambda point: (beside[point], -point)))
        left.remove(order[-1])
    return order


def _mates(session: Session) -> dict[int, list[int]]:
    """Everybody → who sits with them."""
    return {one: [other for other in table if other != one] for table in session for one in table}
