"""The nine types into which the Guide sorts the 81 fans (Guide, "Table of scoring hands by type", seed 003:941-1039).

The Guide counts them itself: 10, 16, 19, 2, 7, 8, 2, 12 and 5 (003:424-434). Botzone's fan 82 is in none.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from scoring.engine.fans import Fan


class FanType(StrEnum):
    """What a fan is made of, in the order of the Guide."""

    HONOURS = "honors"
    CHOWS = "chows"
    PUNGS = "pungs"
    SEVEN_PAIRS = "seven_pairs"
    SUITS = "suits"
    TERMINALS = "terminals"
    KNITTED = "knitted"
    WAITS = "waits"
    SPECIAL = "special"


_NUMBERS: Final[Mapping[FanType, tuple[int, ...]]] = {
    FanType.HONOURS: (14, 15, 16, 34, 48, 70, 71, 72, 75, 76),
    FanType.CHOWS: (1, 2, 3, 4, 18, 30, 35, 37, 45, 49, 50, 51, 59, 64, 67, 74),
    FanType.PUNGS: (5, 6, 20, 21, 22, 26, 28, 33, 38, 53, 54, 57, 60, 65, 66, 68, 69, 73, 79),
    FanType.SEVEN_PAIRS: (55, 80),
    FanType.SUITS: (7, 8, 29, 31, 58, 77, 78),
    FanType.TERMINALS: (23, 24, 46, 47, 52, 61, 62, 63),
    FanType.KNITTED: (44, 56),
    FanType.WAITS: (9, 10, 11, 12, 17, 25, 27, 32, 40, 41, 42, 43),
    FanType.SPECIAL: (13, 19, 36, 39, 81),
}
_TYPES: Final = {Fan(number): kind for kind, numbers in _NUMBERS.items() for number in numbers}


def type_of(fan: Fan) -> FanType | None:
    """The type of a fan; None for the one that the Guide does not have."""
    return _TYPES.get(fan)
