"""Tables for a whole session out of the fours that may still meet: an exact search, for sizes where it is quick.

Exchanging players two by two gets stuck where few pairs are left that have not met. Here every four without a pair that
must not meet is listed, and the fours are put together until everybody sits, cheapest first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tournament.seating.engine.shapes import Table

NODES: Final = 12_000
"""How many partly filled sessions are looked at, in later sessions too: a few tenths of a second at 40 players."""


@dataclass
class Effort:
    """What may still be spent on a search and all that it asks ahead."""

    nodes: int = NODES


Masks = Sequence[int]
"""For each player 0 … N − 1 the others it may meet, as a bit mask."""


def cheapest_session(
    allowed: Masks, cost: Callable[[Table], float], effort: Effort, *, left: int = 0
) -> tuple[Table, ...] | None:
    """Tables of players who may all meet each other, as cheap as the search finds; None when it finds none.

    After it ``left`` more sessions can be seated in the same way.
    """
    fours = sorted((cost(four), four) for four in _fours(allowed))
    search = _Search(
        len(allowed), fours, lambda tables: is_open(without(allowed, tables), left, effort), effort
    )
    search.fill(0, 0.0, [])
    return search.best


def is_open(allowed: Masks, sessions: int, effort: Effort) -> bool:
    """Whether so many sessions of players who may meet, and meet once, are found."""
    return sessions == 0 or cheapest_session(allowed, _free, effort, left=sessions - 1) is not None


def _free(_four: Table) -> float:
    return 0.0


def without(allowed: Masks, tables: Sequence[Table]) -> list[int]:
    """What is left when these tables have met."""
    masks = list(allowed)
    for table in tables:
        four = sum(1 << player for player in table)
        for player in table:
            masks[player] &= ~four
    return masks


def _fours(allowed: Sequence[int]) -> list[Table]:
    """Every four whose six pairs are all allowed, in ascending order inside."""
    found = []
    for a, of_a in enumerate(allowed):
        for b in _after(of_a, a):
            both = of_a & allowed[b]
            for c in _after(both, b):
                found += [(a, b, c, d) for d in _after(both & allowed[c], c)]
    return found


def _after(mask: int, number: int) -> list[int]:
    """The numbers in the mask that are larger."""
    return [bit for bit in range(number + 1, mask.bit_length()) if mask >> bit & 1]


class _Search:
    """Depth first, at the player with the fewest fours left."""

    def __init__(
        self,
        players: int,
        fours: Sequence[tuple[float, Table]],
        accepts: Callable[[Sequence[Table]], bool],
        effort: Effort,
    ) -> None:
        self._accepts = accepts
        self._effort = effort
        self.best: tuple[Table, ...] | None = None
        self._least = float("inf")
        self._everybody = (1 << players) - 1
        self._fours = [(cost, four, sum(1 << player for player in four)) for cost, four in fours]
        self._with = [[one for one in self._fours if player in one[1]] for player in range(players)]

    def fill(self, seated: int, cost: float, tables: list[Table]) -> None:
        """Seat the rest after these tables, if that can be cheaper than the best so far."""
        if seated == self._everybody:
            if not self._accepts(tables):
                return
            self.best, self._least = tuple(tables), cost
            return
        for price, four, mask in self._fewest(seated):
            if self._effort.nodes <= 0:
                return
            if cost + price < self._least:
                self._effort.nodes -= 1
                self.fill(seated | mask, cost + price, [*tables, four])

    def _fewest(self, seated: int) -> list[tuple[float, Table, int]]:
        """The fours left for the player who has the fewest."""
        fewest: list[tuple[float, Table, int]] | None = None
        for player, fours in enumerate(self._with):
            if not seated >> player & 1:
                left = [one for one in fours if not one[2] & seated]
                if fewest is None or len(left) < len(fewest):
                    fewest = left
                if not fewest:
                    break
        return fewest or []
