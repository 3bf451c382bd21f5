"""The wall and the deal: where the wall is broken, and who takes which tiles.

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
    """One of the 72 stacks, as the player behind its side counts them."""

    side: str
    """The seat wind of that player."""
    number: int
    """1 at the player's right-hand end, 18 at the left."""

    @property
    def next(self) -> Stack:
        """The stack that is taken after this one: clockwise, round the corner into the side to the left."""
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
    _check(first)
    return WINDS[(first - 1) % len(WINDS)]


def break_by_both(first: int, second: int) -> Break:
    """Count both throws (seed 000): "5 … 8 … breaks the wall section at the 13th tile"; beyond 18 on the next side."""
    _check(second)
    return _counted(broken_side(first), first + second)


def break_by_second(first: int, second: int) -> Break:
    """Count the second throw alone (seeds 002 and 003)."""
    _check(second)
    return _counted(broken_side(first), second)


def _counted(side: str, count: int) -> Break:
    sides, before = divmod(count - 1, STACKS)
    return Break(count, Stack(WINDS[WINDS.index(side) - sides], before + 1))


def _check(throw: int) -> None:
    if throw not in THROWS:
        raise ValueError(f"two dice show 2 to 12, not {throw}")


@dataclass(frozen=True, slots=True)
class Step:
    """What one player takes at once, and holds then."""

    wind: str
    tiles: int
    held: int


@dataclass(frozen=True, slots=True)
class Taken:
    """A tile of the wall as it is dealt: `stack` 0 is the next one to be taken, `level` 0 its upper tile."""

    stack: int
    level: int
    wind: str


def _steps() -> tuple[Step, ...]:
    """List the deal in 16 steps (seeds 002:114-150, 003:254-287)."""
    held = dict.fromkeys(WINDS, 0)
    steps = []
    for wind, tiles in [
        *((wind, 4) for _ in range(3) for wind in WINDS),
        *zip(WINDS, (2, 1, 1, 1), strict=True),
    ]:
        held[wind] += tiles
        steps.append(Step(wind, tiles, held[wind]))
    return tuple(steps)


STEPS: Final = _steps()

STACKED: Final = (
    Taken(0, 0, "E"),
    Taken(0, 1, "E"),
    Taken(1, 0, "S"),
    Taken(1, 1, "W"),
    Taken(2, 0, "N"),
)
"""Of East's last two tiles, the first variant: East takes a whole stack, the others a tile each in order."""
JUMPED: Final = (
    Taken(0, 0, "E"),
    Taken(2, 0, "E"),
    Taken(0, 1, "S"),
    Taken(1, 0, "W"),
    Taken(1, 1, "N"),
)
"""The second variant, "chan-chan": East takes the top tile and the next but one on top (what is left, 001:38)."""
