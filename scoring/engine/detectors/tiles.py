"""Fans that look only at which tiles a hand holds: MCR 36, 44, 45, 55, 56, 77, 78, 80 and 81."""

from collections.abc import Iterator
from typing import Final

from scoring.engine.arrangements import KNITTED, Shape
from scoring.engine.fans import Fan
from scoring.engine.tiles import FIELD, HONOUR_SHIFT, KIND, NUMBERS, ONE, every

NOT_GREEN: Final = ~every(KIND[tile] for tile in ("2s", "3s", "4s", "6s", "8s", "F"))
"""Meets any tile that is not all green (MCR 77)."""

_GATES: Final = sum(ONE[kind] * (3 if kind in (0, 8) else 1) for kind in range(9))
_SUIT: Final = 9 * FIELD
_NINE_GATES: Final = frozenset(_GATES << _SUIT * suit for suit in range(3))
_SHIFTED_PAIRS: Final = frozenset(
    2 * sum(ONE[9 * suit + low : 9 * suit + low + 7]) for suit in range(3) for low in range(3)
)


def is_nine_gates(packed: int, winning: int) -> bool:
    """Whether the concealed tiles were 1112345678999 of one suit before the winning tile came (MCR 78)."""
    return packed - ONE[winning] in _NINE_GATES


def special_fans(shape: Shape, packed: int) -> Iterator[Fan]:
    """The fans of hands that are not made of sets."""
    match shape:
        case Shape.SEVEN_PAIRS:
            yield Fan.SEVEN_PAIRS
            if packed in _SHIFTED_PAIRS:
                yield Fan.SHIFTED_SEVEN_PAIRS
        case Shape.THIRTEEN_ORPHANS:
            yield from (Fan.THIRTEEN_ORPHANS, Fan.ALL_TERMINALS_AND_HONORS, Fan.ALL_TYPES)
        case Shape.KNITTED_TILES:
            yield from (Fan.LESSER_HONORS_AND_KNITTED_TILES, Fan.ALL_TYPES)
            if (packed >> HONOUR_SHIFT).bit_count() == len(ONE) - NUMBERS:
                yield Fan.GREATER_HONORS_AND_KNITTED_TILES
            if any(packed & straight == straight for straight in KNITTED):
                yield Fan.KNITTED_STRAIGHT
