"""Five puzzles a day, the same for everybody, and the result as text that says nothing of the answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from scoring.quiz.dice import Dice
from scoring.quiz.grading import BEST, GRADES
from scoring.quiz.levels import Level
from scoring.quiz.questions import Kind, Question, question

LEVELS: Final = (Level.EASY, Level.EASY, Level.MIDDLE, Level.MIDDLE, Level.HARD)
"""From the first puzzle of a day to the last."""
FIRST_DAY: Final = date(2026, 1, 1)
"""There is no set before."""
SIGNS: Final = dict(zip(GRADES, "●◐○×", strict=True))


class Puzzle(NamedTuple):
    """Where a question is found."""

    kind: Kind
    level: Level
    seed: str

    @property
    def question(self) -> Question:
        return question(self.kind, self.level, self.seed)


def daily(day: date) -> tuple[Puzzle, ...]:
    """The set of a day: every kind at least once, and never one twice in a row."""
    dice = Dice(f"daily {day.isoformat()}")
    kinds = dice.mixed(list(Kind))
    while len(kinds) < len(LEVELS):
        kinds.append(dice.pick([kind for kind in Kind if kind is not kinds[-1]]))
    return tuple(
        Puzzle(kind, level, f"{day.isoformat()}-{number}")
        for number, (kind, level) in enumerate(zip(kinds, LEVELS, strict=True), 1)
    )


def shown_to_all(seed: str) -> Puzzle:
    """One for a whole hall, neither easy nor hard: what a hand is worth, or what completes it."""
    dice = Dice(f"hall {seed}")
    return Puzzle(dice.pick((Kind.WORTH, Kind.WAITS)), Level.MIDDLE, seed)


def result_text(day: date, grades: Sequence[int], address: str) -> str:
    """A day's grades to be passed on::

    Hule 2026-05-02 · 440/500
    ●●◐○●
    https://…
    """
    signs = "".join(SIGNS[grade] for grade in grades)
    return f"Hule {day.isoformat()} · {sum(grades)}/{BEST * len(LEVELS)}\n{signs}\n{address}"
