"""What was announced beside what the tiles come to: line by line, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoring.engine import Explanation, Fan, differences, explain
from scoring.texts import difference_sentence, fan_name
from tournament.engine.judge import Verdict

Row = dict[str, Any]


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
        "counted": score.points if score.meets_minimum else score.points_without_flowers,
        "rows": list(_rows(named, explained)),
        "sentences": [difference_sentence(one) for one in found],
    }


def differences_of(verdict: Verdict) -> list[str]:
    """The sentences alone."""
    found = comparison(verdict)
    return found["sentences"] if found else []


def _rows(named: dict[Fan, int], explained: Explanation) -> Iterator[Row]:
    """{"name", "announced", "counted"} in points, dearest first; `announced` is None where no fans were named."""
    worth = explained.score.rulebook.points
    counted = {line.fan: line.count for line in explained.score.fans}
    for fan in sorted({*named, *counted}, key=lambda fan: (-worth.get(fan, fan.points), fan.number)):
        points = worth.get(fan, fan.points)
        yield {
            "name": fan_name(fan),
            "announced": named.get(fan, 0) * points if named else None,
            "counted": counted.get(fan, 0) * points,
        }
