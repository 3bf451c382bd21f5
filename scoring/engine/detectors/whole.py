"""Fans of the hand as a whole, read off the traits its elements share: MCR 7, 8, 18, 23, 24, 28, 29, 31,
46, 47, 52, 57, 58, 61–63, 66, 69 and 72.
"""

from collections.abc import Iterator

from scoring.engine import traits as t
from scoring.engine.fans import Fan

_NEEDS = (
    (Fan.ALL_CHOWS, t.CHOWS | t.NO_HONOURS),
    (Fan.ALL_PUNGS, t.PUNGS),
    (Fan.ALL_SIMPLES, t.SIMPLE),
    (Fan.OUTSIDE_HAND, t.ENDED),
    (Fan.ALL_TERMINALS_AND_HONORS, t.ENDS),
    (Fan.ALL_TERMINALS, t.ENDS | t.NO_HONOURS),
    (Fan.ALL_FIVES, t.FIVE),
    (Fan.ALL_EVEN, t.EVEN | t.PUNGS),
    (Fan.UPPER_FOUR, t.UPPER_FOUR),
    (Fan.LOWER_FOUR, t.LOWER_FOUR),
    (Fan.UPPER_TILES, t.UPPER),
    (Fan.MIDDLE_TILES, t.MIDDLE),
    (Fan.LOWER_TILES, t.LOWER),
    (Fan.NO_HONORS, t.NO_HONOURS),
    (Fan.ALL_HONORS, t.NO_SUITS),
)
"""A fan whose traits are all there is there."""


def whole_hand_fans(traits: int) -> Iterator[Fan]:
    """Every fan that follows from what all elements have in common."""
    for fan, needs in _NEEDS:
        if traits & needs == needs:
            yield fan
    voided = (traits & t.NO_SUITS).bit_count()
    numbers_only = traits & t.NO_HONOURS == t.NO_HONOURS
    if voided == 1:
        yield Fan.ONE_VOIDED_SUIT
    if voided == 2:
        yield Fan.FULL_FLUSH if numbers_only else Fan.HALF_FLUSH
    if not traits & (t.NO_SUITS | t.NO_HONOURS):
        yield Fan.ALL_TYPES
