"""A hand judged in plain values: a question and an answer that fit into JSON, with codes for words.

The umpire's browser runs this very engine when the network is gone (static/js/desk/engine-worker.js), so that a hand
is judged there as it will be when it arrives.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scoring.engine import CountedFan, Fan, Reading, check_partial
from scoring.engine.problems import Problem
from tournament.engine.announced import struck
from tournament.engine.entry import HandEntry
from tournament.engine.judge import Verdict, judge
from tournament.engine.outlook import outlook_at
from tournament.engine.rules import Rules, rules_from_snapshot

Answer = dict[str, Any]


def answer(question: str) -> str:
    """JSON in, JSON out → `opinion`. {"rules": a snapshot, "seats": {starting wind: player}, "number", "hand"} are
    asked about, with "barred": {player: what the sentence about the dead hand says}.
    """
    asked = json.loads(question)
    barred = {
        int(player): Problem("dead_hand", "winner", about)
        for player, about in asked.get("barred", {}).items()
    }
    found = opinion(
        rules_from_snapshot(asked["rules"]), asked["seats"], asked["number"], entry(asked["hand"]), barred
    )
    return json.dumps(found)


def entry(hand: Mapping[str, Any]) -> HandEntry:
    """The hand as the desk sends it."""
    known = HandEntry.__dataclass_fields__
    return HandEntry(**{name: value for name, value in hand.items() if name in known})


def opinion(
    rules: Rules,
    seats: Mapping[str, int],
    number: int,
    hand: HandEntry,
    barred: Mapping[int, Problem] | None = None,
) -> Answer:
    """{"problems", "receipt", "payments"}, or {"problems", "outlook"} while tiles are missing."""
    if hand.is_unfinished:
        problems = check_partial(hand.tiles)
        ahead = None if problems else _outlook(rules, seats, number, hand)
        return {"problems": [_problem(one) for one in problems], "outlook": ahead}
    verdict = judge(rules, seats, number, hand, barred)
    return {
        "problems": [_problem(one) for one in verdict.problems],
        "receipt": _receipt(verdict),
        "comparison": _comparison(verdict),
        "overridden": verdict.overridden,
        "overridable": verdict.overridable,
        "struck": struck(hand, rules.scoring),
        "payments": {str(player): points for player, points in verdict.payments.items()},
        "points": verdict.points,
    }


def _problem(problem: Problem) -> Answer:
    return {"code": problem.code, "where": problem.where, "params": dict(problem.params)}


def _comparison(verdict: Verdict) -> Answer | None:
    """What was announced beside what the tiles come to; why, only the server says."""
    if verdict.score is None or verdict.announced is None:
        return None
    return {
        "agrees": verdict.agrees,
        "announced": verdict.announced.points,
        "counted": verdict.score.points
        if verdict.score.meets_minimum
        else verdict.score.points_without_flowers,
        "rows": [
            [fan.key, named, counted] for fan, named, counted in verdict.announced.beside(verdict.score)
        ],
    }


def _receipt(verdict: Verdict) -> Answer | None:
    score, given = verdict.score, verdict.announced
    if score is None and given is not None and given.fans:
        lines = [
            {"fan": fan.key, "points": times * points, "count": times, "sets": []}
            for fan, times, points in given.fans
        ]
        return {"lines": lines, "points": given.points, "enough": True}
    if score is None or not score.win or score.reading is None:
        return None
    fans = [fan for fan in score.fans if score.meets_minimum or fan.fan is not Fan.FLOWER_TILES]
    return {
        "lines": [_line(fan, score.reading) for fan in fans],
        "points": score.counted_points,
        "enough": score.meets_minimum,
    }


def _line(counted: CountedFan, reading: Reading) -> Answer:
    places = sorted({place for group in counted.groups for place in group})
    sets = [list(reading.groups[place].tiles) for place in places]
    return {
        "fan": counted.fan.key,
        "points": counted.total,
        "count": counted.count,
        "sets": [["f1"]] if counted.fan is Fan.FLOWER_TILES else sets,
    }


def _outlook(rules: Rules, seats: Mapping[str, int], number: int, hand: HandEntry) -> Answer | None:
    ahead = outlook_at(rules, seats, number, hand)
    if ahead is None:
        return None
    return {
        "points": ahead.score.points,
        "tiles": list(ahead.tiles),
        "enough": ahead.score.meets_minimum,
        "fans": [[fan.fan.key, fan.total] for fan in ahead.score.fans],
    }
