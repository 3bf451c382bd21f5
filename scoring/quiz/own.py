"""A question of one's own: from a hand in any notation, judged by the engine like those made by seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.calculator import is_unfinished
from scoring.engine import Hand
from scoring.engine.explain import explain
from scoring.engine.notation import parse_record
from scoring.engine.waits import waits
from scoring.quiz.levels import Level
from scoring.quiz.questions import HandQuestion, Kind, Question, WaitsQuestion

LONGEST = 300
"""Characters of a text."""
OF_THIRTEEN = ("concealed", "melds", "seat_wind", "prevalent_wind", "self_drawn")
"""What counts of a hand that waits; circumstances of the winning tile are not there yet."""


def record_in(text: str) -> dict[str, Any]:
    """The record of a hand of 14 tiles or of 13; `InvalidHand` with what is wrong."""
    record = parse_record(text, partial=True)
    if is_unfinished(record):
        record = {name: record[name] for name in OF_THIRTEEN}
        waits(record)
        return record
    return Hand.from_json(record).to_json()


def has_answer(asked: Question) -> bool:
    """Whether there is something to find: a winning hand, or a tile that completes one."""
    return bool(asked.found) if isinstance(asked, WaitsQuestion) else asked.found.score.win


def question_of(record: Mapping[str, Any], seed: str) -> Question:
    """What is asked of such a record."""
    if is_unfinished(record):
        self_drawn = bool(record["self_drawn"])
        rest = {name: value for name, value in record.items() if name != "self_drawn"}
        return WaitsQuestion(Level.HARD, seed, rest, self_drawn, waits(record))
    return HandQuestion(Kind.WORTH, Level.HARD, seed, explain(Hand.from_json(record)))
