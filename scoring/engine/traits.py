"""Properties of a tile, a set or a whole hand, as bits.

A set, a pair or a single tile has the traits that are true of it. Traits of a whole hand are those that all its
elements share, so combining elements is a bitwise AND, and a fan like All Simples is one bit of the result.
"""

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Final

from scoring.engine.tiles import FIRST_DRAGON, NUMBERS, TILES, is_honour, is_terminal, number

NO_CHARACTERS: Final = 1 << 0
NO_DOTS: Final = 1 << 1
NO_BAMBOOS: Final = 1 << 2
NO_WINDS: Final = 1 << 3
NO_DRAGONS: Final = 1 << 4
CHOWS: Final = 1 << 5
"""No pung or kong."""
PUNGS: Final = 1 << 6
"""No chow."""
SIMPLE: Final = 1 << 7
"""Only tiles 2 to 8."""
ENDED: Final = 1 << 8
"""Contains a terminal or an honour."""
ENDS: Final = 1 << 9
"""Only terminals and honours."""
FIVE: Final = 1 << 10
"""Contains a five."""
EVEN: Final = 1 << 11
"""Only 2, 4, 6 and 8."""
UPPER_FOUR: Final = 1 << 12
LOWER_FOUR: Final = 1 << 13
UPPER: Final = 1 << 14
MIDDLE: Final = 1 << 15
LOWER: Final = 1 << 16

ALL: Final = (1 << 17) - 1
"""The traits of no tiles: the neutral element of AND."""
NO_HONOURS: Final = NO_WINDS | NO_DRAGONS
NO_SUIT: Final = (NO_CHARACTERS, NO_DOTS, NO_BAMBOOS)
NO_SUITS: Final = NO_CHARACTERS | NO_DOTS | NO_BAMBOOS
OF_TILES: Final = ALL & ~(CHOWS | PUNGS | ENDED | FIVE | EVEN)
"""The traits that apply without sets."""

_RANGES: Final = (
    (UPPER_FOUR, (6, 9)),
    (LOWER_FOUR, (1, 4)),
    (UPPER, (7, 9)),
    (MIDDLE, (4, 6)),
    (LOWER, (1, 3)),
)


def _absences(kind: int) -> int:
    if kind >= FIRST_DRAGON:
        return NO_SUITS | NO_WINDS
    if kind >= NUMBERS:
        return NO_SUITS | NO_DRAGONS
    return NO_HONOURS | NO_SUITS & ~(1 << kind // 9)


def of_tiles(kinds: Sequence[int], form: int) -> int:
    """Return the traits of some tiles together; ``form`` is `CHOWS`, `PUNGS` or both for a pair."""
    numbers = [number(kind) for kind in kinds]
    ends = [is_honour(kind) or is_terminal(kind) for kind in kinds]
    traits = form | reduce(and_, map(_absences, kinds))
    traits |= SIMPLE * (not any(ends)) | ENDED * any(ends) | ENDS * all(ends)
    traits |= FIVE * (5 in numbers) | EVEN * all(n and n % 2 == 0 for n in numbers)
    for trait, (low, high) in _RANGES:
        traits |= trait * all(low <= n <= high for n in numbers)
    return traits


OF_CHOW: Final = {kind: of_tiles(range(kind, kind + 3), CHOWS) for kind in range(NUMBERS) if kind % 9 < 7}
"""By the chow's lowest kind."""
OF_PUNG: Final = tuple(of_tiles((kind,), PUNGS) for kind in range(len(TILES)))
OF_PAIR: Final = tuple(of_tiles((kind,), PUNGS | CHOWS) for kind in range(len(TILES)))
OF_KNITTED_STRAIGHT: Final = CHOWS | NO_HONOURS
"""It stands for three chows (MCR 45, example 15: it combines with All Chows)."""
