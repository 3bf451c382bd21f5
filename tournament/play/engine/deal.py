"""The deal in 16 steps, and both ways of East's last two tiles (seeds 002:114-150, 003:254-287; 001:38)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournament.base.engine.rotation import WINDS


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
    held = dict.fromkeys(WINDS, 0)
    found = []
    for wind, tiles in [
        *((wind, 4) for _ in range(3) for wind in WINDS),
        *zip(WINDS, (2, 1, 1, 1), strict=True),
    ]:
        held[wind] += tiles
        found.append(Step(wind, tiles, held[wind]))
    return tuple(found)


STEPS: Final = _steps()

STACKED: Final = (
    Taken(0, 0, "E"),
    Taken(0, 1, "E"),
    Taken(1, 0, "S"),
    Taken(1, 1, "W"),
    Taken(2, 0, "N"),
)
"""East takes a whole stack, the others a tile each in the order of the wall (the first variant)."""
JUMPED: Final = (
    Taken(0, 0, "E"),
    Taken(2, 0, "E"),
    Taken(0, 1, "S"),
    Taken(1, 0, "W"),
    Taken(1, 1, "N"),
)
"""East takes the top tile and the next but one on top, "chan-chan" (the second variant; what is left, 001:38)."""
