"""Which fan excludes which, each pair with the clause that says so or the principle it follows from.

"Stated" pairs are written in the rules. "Implied" ones follow from the non-repeat principle (MCR principle 1): the
barred fan is inevitably in the other, as a kong is in a higher-scoring fan of the same kongs. Exclusions are applied
from the highest-scoring fan down, and a fan that was itself barred bars nothing.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from scoring.engine.fans import Fan


class Exclusion(NamedTuple):
    """``fan``, when counted, excludes ``bars``."""

    fan: Fan
    bars: Fan
    clause: str
    at_most: int = 0
    """How many of the barred fan are removed; 0 means all."""

    @property
    def implied(self) -> bool:
        """Whether it follows from the non-repeat principle rather than from words about these two fans."""
        return self.clause == NON_REPEAT


NON_REPEAT: Final = "MCR principle 1"
HIGHEST: Final = "MCR principle 4"


def _stated(fan: Fan, clause: str, *bars: Fan) -> Iterator[Exclusion]:
    return (Exclusion(fan, barred, clause) for barred in bars)


def _implied(fan: Fan, *bars: Fan) -> Iterator[Exclusion]:
    return _stated(fan, NON_REPEAT, *bars)


_CONCEALMENT: Final = (Fan.FULLY_CONCEALED_HAND, Fan.CONCEALED_HAND)

EXCLUSIONS: Final = (
    # 88 points
    *_stated(Fan.BIG_FOUR_WINDS, "MCR 75", Fan.ALL_PUNGS),
    *_implied(
        Fan.BIG_FOUR_WINDS,
        Fan.BIG_THREE_WINDS,
        Fan.PREVALENT_WIND,
        Fan.SEAT_WIND,
        Fan.PUNG_OF_TERMINALS_OR_HONORS,
    ),
    *_stated(Fan.BIG_THREE_DRAGONS, "MCR 76", Fan.DRAGON_PUNG),
    *_stated(Fan.ALL_GREEN, "MCR 77", Fan.HALF_FLUSH),
    *_stated(Fan.NINE_GATES, "MCR 78", Fan.FULL_FLUSH),
    Exclusion(Fan.NINE_GATES, Fan.PUNG_OF_TERMINALS_OR_HONORS, "MCR 78", at_most=1),
    *_implied(Fan.NINE_GATES, *_CONCEALMENT, Fan.NO_HONORS),
    *_implied(
        Fan.FOUR_KONGS,
        Fan.ALL_PUNGS,
        Fan.SINGLE_WAIT,
        Fan.THREE_KONGS,
        Fan.TWO_CONCEALED_KONGS,
        Fan.TWO_MELDED_KONGS,
        Fan.MELDED_KONG_AND_CONCEALED_KONG,
        Fan.CONCEALED_KONG,
        Fan.MELDED_KONG,
    ),
    *_stated(Fan.SHIFTED_SEVEN_PAIRS, "MCR 80", Fan.FULL_FLUSH, Fan.FULLY_CONCEALED_HAND, Fan.SINGLE_WAIT),
    *_implied(Fan.SHIFTED_SEVEN_PAIRS, Fan.SEVEN_PAIRS, Fan.CONCEALED_HAND, Fan.NO_HONORS),
    *_stated(Fan.THIRTEEN_ORPHANS, "MCR 81", Fan.ALL_TYPES, Fan.CONCEALED_HAND, Fan.SINGLE_WAIT),
    *_implied(Fan.THIRTEEN_ORPHANS, Fan.FULLY_CONCEALED_HAND, Fan.ALL_TERMINALS_AND_HONORS),
    # 64 points
    *_stated(Fan.ALL_TERMINALS, "MCR 69", Fan.DOUBLE_PUNG, Fan.NO_HONORS),
    *_implied(
        Fan.ALL_TERMINALS,
        Fan.ALL_PUNGS,
        Fan.ALL_TERMINALS_AND_HONORS,
        Fan.OUTSIDE_HAND,
        Fan.PUNG_OF_TERMINALS_OR_HONORS,
    ),
    *_stated(Fan.LITTLE_FOUR_WINDS, "MCR 70", Fan.BIG_THREE_WINDS),
    *_stated(Fan.LITTLE_THREE_DRAGONS, "MCR 71", Fan.DRAGON_PUNG),
    *_implied(Fan.LITTLE_THREE_DRAGONS, Fan.TWO_DRAGONS),
    *_stated(Fan.ALL_HONORS, "MCR 72", Fan.ALL_PUNGS),
    *_implied(
        Fan.ALL_HONORS, Fan.ALL_TERMINALS_AND_HONORS, Fan.OUTSIDE_HAND, Fan.PUNG_OF_TERMINALS_OR_HONORS
    ),
    *_stated(Fan.FOUR_CONCEALED_PUNGS, "MCR 73", Fan.FULLY_CONCEALED_HAND, Fan.ALL_PUNGS),
    *_implied(
        Fan.FOUR_CONCEALED_PUNGS, Fan.CONCEALED_HAND, Fan.THREE_CONCEALED_PUNGS, Fan.TWO_CONCEALED_PUNGS
    ),
    *_stated(
        Fan.PURE_TERMINAL_CHOWS,
        "MCR 74",
        Fan.FULL_FLUSH,
        Fan.SEVEN_PAIRS,
        Fan.TWO_TERMINAL_CHOWS,
        Fan.PURE_DOUBLE_CHOW,
        Fan.ALL_CHOWS,
    ),
    *_implied(Fan.PURE_TERMINAL_CHOWS, Fan.NO_HONORS),
    # 48 points
    *_stated(Fan.QUADRUPLE_CHOW, "MCR 67", Fan.PURE_SHIFTED_PUNGS, Fan.TILE_HOG, Fan.PURE_DOUBLE_CHOW),
    *_implied(Fan.QUADRUPLE_CHOW, Fan.PURE_TRIPLE_CHOW),
    *_stated(Fan.FOUR_PURE_SHIFTED_PUNGS, "MCR 58, example 36", Fan.ALL_PUNGS),
    *_implied(Fan.FOUR_PURE_SHIFTED_PUNGS, Fan.PURE_SHIFTED_PUNGS),
    # 32 points
    *_implied(Fan.FOUR_SHIFTED_CHOWS, Fan.PURE_SHIFTED_CHOWS),
    *_implied(
        Fan.THREE_KONGS,
        Fan.TWO_CONCEALED_KONGS,
        Fan.TWO_MELDED_KONGS,
        Fan.MELDED_KONG_AND_CONCEALED_KONG,
        Fan.CONCEALED_KONG,
        Fan.MELDED_KONG,
    ),
    *_stated(Fan.ALL_TERMINALS_AND_HONORS, "MCR 66", Fan.ALL_PUNGS, Fan.PUNG_OF_TERMINALS_OR_HONORS),
    *_implied(Fan.ALL_TERMINALS_AND_HONORS, Fan.OUTSIDE_HAND),
    # 24 points
    *_stated(Fan.SEVEN_PAIRS, "MCR 55", Fan.FULLY_CONCEALED_HAND, Fan.SINGLE_WAIT),
    *_implied(Fan.SEVEN_PAIRS, Fan.CONCEALED_HAND),
    *_stated(
        Fan.GREATER_HONORS_AND_KNITTED_TILES,
        "MCR 56",
        Fan.ALL_TYPES,
        Fan.FULLY_CONCEALED_HAND,
        Fan.SINGLE_WAIT,
    ),
    *_implied(Fan.GREATER_HONORS_AND_KNITTED_TILES, Fan.LESSER_HONORS_AND_KNITTED_TILES, Fan.CONCEALED_HAND),
    *_stated(Fan.ALL_EVEN, "MCR 57", Fan.ALL_PUNGS, Fan.ALL_SIMPLES),
    *_implied(Fan.ALL_EVEN, Fan.NO_HONORS),
    *_stated(Fan.FULL_FLUSH, "MCR 58", Fan.NO_HONORS),
    *_stated(Fan.PURE_TRIPLE_CHOW, "MCR 59", Fan.PURE_SHIFTED_PUNGS),
    *_implied(Fan.PURE_TRIPLE_CHOW, Fan.PURE_DOUBLE_CHOW),
    *_stated(Fan.PURE_SHIFTED_PUNGS, "MCR 60", Fan.PURE_TRIPLE_CHOW),
    *_stated(Fan.UPPER_TILES, "MCR 61", Fan.NO_HONORS),
    *_implied(Fan.UPPER_TILES, Fan.UPPER_FOUR),
    *_stated(Fan.MIDDLE_TILES, "MCR 62", Fan.NO_HONORS),
    *_implied(Fan.MIDDLE_TILES, Fan.ALL_SIMPLES),
    *_stated(Fan.LOWER_TILES, "MCR 63", Fan.NO_HONORS),
    *_implied(Fan.LOWER_TILES, Fan.LOWER_FOUR),
    # 16 points
    *_stated(
        Fan.THREE_SUITED_TERMINAL_CHOWS,
        "MCR 50",
        Fan.MIXED_DOUBLE_CHOW,
        Fan.TWO_TERMINAL_CHOWS,
        Fan.NO_HONORS,
        Fan.ALL_CHOWS,
    ),
    *_implied(Fan.ALL_FIVES, Fan.ALL_SIMPLES, Fan.NO_HONORS),
    *_implied(Fan.TRIPLE_PUNG, Fan.DOUBLE_PUNG),
    *_implied(Fan.THREE_CONCEALED_PUNGS, Fan.TWO_CONCEALED_PUNGS),
    # 12 points
    *_stated(Fan.LESSER_HONORS_AND_KNITTED_TILES, "MCR 44", Fan.FULLY_CONCEALED_HAND, Fan.ALL_TYPES),
    *_implied(Fan.LESSER_HONORS_AND_KNITTED_TILES, Fan.CONCEALED_HAND),
    *_stated(Fan.UPPER_FOUR, "MCR 46", Fan.NO_HONORS),
    *_stated(Fan.LOWER_FOUR, "MCR 47", Fan.NO_HONORS),
    # 8 points and less
    *_stated(Fan.REVERSIBLE_TILES, "MCR 36", Fan.ONE_VOIDED_SUIT),
    *_stated(Fan.LAST_TILE_DRAW, "MCR 40", Fan.SELF_DRAWN),
    *_implied(Fan.OUT_WITH_REPLACEMENT_TILE, Fan.SELF_DRAWN),
    *_stated(Fan.ROBBING_THE_KONG, "MCR 43", Fan.FULLY_CONCEALED_HAND),
    # MCR 27 and Guide 27 say that the two are not added, and leave out Robbing the Kong; the higher may be chosen.
    *_stated(Fan.ROBBING_THE_KONG, HIGHEST, Fan.LAST_TILE),
    *_implied(Fan.TWO_CONCEALED_KONGS, Fan.TWO_CONCEALED_PUNGS, Fan.CONCEALED_KONG),
    *_stated(Fan.MELDED_HAND, "MCR 32", Fan.SINGLE_WAIT),
    *_implied(Fan.TWO_DRAGONS, Fan.DRAGON_PUNG),
    *_stated(Fan.MELDED_KONG_AND_CONCEALED_KONG, "Botzone note 5", Fan.CONCEALED_KONG, Fan.MELDED_KONG),
    *_implied(Fan.TWO_MELDED_KONGS, Fan.MELDED_KONG),
    *_implied(Fan.FULLY_CONCEALED_HAND, Fan.SELF_DRAWN),
    *_implied(Fan.ALL_CHOWS, Fan.NO_HONORS),
    *_implied(Fan.ALL_SIMPLES, Fan.NO_HONORS),
)
