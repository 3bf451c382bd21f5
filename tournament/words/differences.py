"""What was announced beside what the tiles come to: line by line, and why."""

from __future__ import annotations

from typing import Any

from scoring.engine import differences, explain
from scoring.texts import difference_sentence, fan_name
from tournament.engine.judge import Verdict


def comparison(verdict: Verdict) -> dict[str, Any] | None:
    """{"agrees", "announced", "counted", "rows", "sentences"}; None unless there are tiles and an announcement."""
    given, score = verdict.announced, verdict.score
    if given is None or score is None:
        return None
    explained = explain(score.hand, score.rulebook)
    named = {fan.fan: fan.times for fan in given.fans}
    found = differences(explained, named or None, given.points)
    return {
        "agrees": verdict.agrees,
        "announced": given.points,
        "counted": score.counted_points,
        "rows": [
            {"name": fan_name(fan), "announced": said, "counted": points}
            for fan, said, points in given.beside(score)
        ],
        "sentences": [difference_sentence(one) for one in found],
    }


def differences_of(verdict: Verdict) -> list[str]:
    """The sentences alone."""
    found = comparison(verdict)
    return found["sentences"] if found else []
