"""Where the wall is broken, and who takes which tiles in the deal.

The wall is broken by two throws of two dice (seeds 000, 002 and 003, "Breaking the Wall"). The first, counted against
the clock from the dealer's own side, names a side; stacks are then counted clockwise from its right-hand end. Seed 000
counts both throws together, 002 and 003 the second alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournament.base.engine.rules import WINDS

STACKS: Final = 18
"""Of a side, two tiles high: 144 tiles in all (seed 000, Appendix 1, "The Wall")."""
THROWS: Final = range(2, 13)
"""What two dice can show together."""


@dataclass(frozen=True, slots=True)
class Stack:
    """One of the 72 stacks."""

    side: str
    """The seat wind of the player behind it."""
    number: int
    """1 at that player's right-hand end, 18 at the left."""

    @property
    def next(self) -> Stack:
        """The next stack clockwise; the one after 18 is the first of the side to the left."""
        if self.number < STACKS:
            return Stack(self.side, self.number + 1)
        return Stack(WINDS[WINDS.index(self.side) - 1], 1)


@dataclass(frozen=True, slots=True)
class Break:
    """An opening between two stacks: behind the last one counted, before the first one dealt."""

    counted: int
    last: Stack
    """The end of the wall, from which replacements come."""

    @property
    def first(self) -> Stack:
        """Where East begins to take tiles."""
        return self.last.next


def broken_side(first: int) -> str:
    """Name the side that the dealer's throw points to: 1, 5 and 9 the dealer's own, 2, 6 and 10 South's."""
    _check_throw(first)
    return WINDS[(first - 1) % len(WINDS)]


def break_by_both(first: int, second: int) -> Break:
    """Count both throws (seed 000): "5 … 8 … breaks the wall section at the 13th tile"; beyond 18 on the next side."""
    _check_throw(second)
    return _break_at(broken_side(first), first + second)


def break_by_second(first: int, second: int) -> Break:
    """Count the second throw alone (seeds 002 and 003)."""
    _check_throw(second)
    return _break_at(broken_side(first), second)


def _break_at(side: str, count: int) -> Break:
    sides, before = divmod(count - 1, STACKS)
    return Break(count, Stack(WINDS[WINDS.index(side) - sides], before + 1))


def _check_throw(throw: int) -> None:
    if throw not in THROWS:
        raise ValueError(f"two dice show 2 to 12, not {throw}")


@dataclass(frozen=True, slots=True)
class DealStep:
    """Tiles that a player takes at once, and how many that player then has."""

    wind: str
    tiles: int
    total: int


@dataclass(frozen=True, slots=True)
class DealtTile:
    """A tile of the wall as it is dealt: `stack` 0 is the next one to be taken, `level` 0 its upper tile."""

    stack: int
    level: int
    wind: str


def _steps() -> tuple[DealStep, ...]:
    """List the deal in 16 steps (seeds 002:114-150, 003:254-287)."""
    total_of = dict.fromkeys(WINDS, 0)
    steps = []
    for wind, tiles in [
        *((wind, 4) for _ in range(3) for wind in WINDS),
        *zip(WINDS, (2, 1, 1, 1), strict=True),
    ]:
        total_of[wind] += tiles
        steps.append(DealStep(wind, tiles, total_of[wind]))
    return tuple(steps)


DEAL_STEPS: Final = _steps()

STACKED_DEAL: Final = (
    DealtTile(0, 0, "E"),
    DealtTile(0, 1, "E"),
    DealtTile(1, 0, "S"),
    DealtTile(1, 1, "W"),
    DealtTile(2, 0, "N"),
)
"""Of East's last two tiles, the first variant: East takes a whole stack, the others a tile each in order."""
JUMPED_DEAL: Final = (
    DealtTile(0, 0, "E"),
    DealtTile(2, 0, "E"),
    DealtTile(0, 1, "S"),
    DealtTile(1, 0, "W"),
    DealtTile(1, 1, "N"),
)
"""The second variant, "chan-chan": East takes the top tiles of the first and third stack (seed 001:38)."""
