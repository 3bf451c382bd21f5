"""Answers and what they are graded: 100 for a right one, 80 with one slip, 60 with two, else nothing.

The four grades are those of the five puzzles that a player wrote (000:12-219).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from scoring.engine import Fan
from scoring.quiz.questions import HandQuestion, WaitsQuestion

BEST: Final = 100
LADDER: Final = (BEST, 80, 60)
NOTHING: Final = 0
GRADES: Final = (*LADDER, NOTHING)


def grade(slips: int) -> int:
    """The grade of an answer with so many slips."""
    return LADDER[slips] if slips < len(LADDER) else NOTHING


def grade_worth(asked: HandQuestion, points: int) -> int:
    """Each point too many or too few is a slip."""
    return grade(abs(points - asked.worth))


def grade_fans(asked: HandQuestion, named: Iterable[Fan]) -> int:
    """Each fan that was left out, or does not count, is a slip."""
    return grade(len(set(named) ^ asked.fans))


def grade_waits(asked: WaitsQuestion, completing: Collection[str], reaching: Collection[str]) -> int:
    """Each tile of which either was said wrongly is a slip; a tile that reaches the minimum completes the hand."""
    said = set(completing) | set(reaching)
    wrong = (said ^ asked.completing) | (set(reaching) ^ asked.reaching)
    return grade(len(wrong))
