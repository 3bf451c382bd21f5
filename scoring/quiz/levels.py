"""How hard a puzzle is, by what has to be seen to solve it.

About a hand (what is it worth, which fans):

EASY    One reading, at most four fans, and nothing that looks claimable is refused, but for what another fan always
        includes. Four sets and a pair; it may be declared.
MIDDLE  At least four fans, and something is refused that has to be known by heart: fans that the rules keep apart,
        a wait that is no lone one, a pung that a discard completed. Kongs and seven pairs occur; it may be declared.
HARD    At least five fans, and the tiles can be read in more than one way or one of the principles 2 to 5 decides
        what counts. Every shape, flowers and rarer circumstances occur; it may be worth too little.

About thirteen tiles (which tiles complete it, and which reach 8?):

EASY    One or two tiles complete it, nine are offered.
MIDDLE  Two or three complete it, some reach the minimum and some do not; eighteen are offered.
HARD    Three or more complete it, some reach the minimum and some do not; all kinds of tiles are offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from scoring.engine import Explanation, Reason

SETS: Final = ("sets",)
MORE_SHAPES: Final = ("sets",) * 8 + ("pairs", "knitted_straight")
EVERY_SHAPE: Final = ("sets",) * 12 + ("pairs", "knitted_straight", "knitted_tiles", "orphans")

BY_HEART: Final = {
    Reason.EXCLUDED,
    Reason.OTHER_WAITS,
    Reason.COMPLETED_BY_DISCARD,
    Reason.NOT_DISCARDED,
    Reason.HONOURS,
}
"""What has to be known of single fans."""
PRINCIPLES: Final = {Reason.NON_SEPARATION, Reason.NON_IDENTICAL, Reason.HIGHEST, Reason.ACCOUNT_ONCE}
"""What has to be weighed."""


class Level(Enum):
    EASY = "easy"
    MIDDLE = "middle"
    HARD = "hard"

    @property
    def shapes(self) -> tuple[str, ...]:
        """`scoring.quiz.deals.SHAPES` that occur."""
        return {Level.EASY: SETS, Level.MIDDLE: MORE_SHAPES, Level.HARD: EVERY_SHAPE}[self]

    @property
    def fans_offered(self) -> int:
        return {Level.EASY: 8, Level.MIDDLE: 12, Level.HARD: 16}[self]

    @property
    def tiles_offered(self) -> int:
        return {Level.EASY: 9, Level.MIDDLE: 18, Level.HARD: 34}[self]


def suits(level: Level, found: Explanation) -> bool:
    """Whether a judged hand is of this level."""
    if not found.score.win:
        return False
    fans, reasons = len(found.score.fans), {rejection.reason for rejection in found.rejections}
    weighed, by_heart = bool(found.others or reasons & PRINCIPLES), bool(reasons & BY_HEART)
    match level:
        case Level.EASY:
            return found.score.meets_minimum and fans <= 4 and not (weighed or by_heart)
        case Level.MIDDLE:
            return found.score.meets_minimum and fans >= 4 and by_heart and not weighed
        case Level.HARD:
            return fans >= 5 and weighed


def suits_waits(level: Level, reaching: Sequence[bool]) -> bool:
    """Whether thirteen tiles are of this level; `reaching`: of each tile that completes them, whether it reaches the
    minimum.
    """
    count, differ = len(reaching), len(set(reaching)) == 2
    match level:
        case Level.EASY:
            return 1 <= count <= 2
        case Level.MIDDLE:
            return 2 <= count <= 3 and differ
        case Level.HARD:
            return count >= 3 and differ
