"""A judged hand in plain values, with codes for words: the one answer for a hand at a table.

The server gives it to whoever asks what a hand would be; the umpire's browser, which runs this very engine when the
network is gone (static/js/desk/engine-worker.js), gives it to itself. Scores in it are as `Score.to_json` writes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scoring.engine import NamedFan, Rulebook, check_partial, differences, explain
from scoring.engine.problems import Problem
from scoring.engine.rejections import rejections
from tournament.base.engine.entry import HandEntry
from tournament.base.engine.rules import Rules, rules_from_snapshot
from tournament.play.engine.declaration import Declaration, struck
from tournament.play.engine.judge import Verdict, judge
from tournament.play.engine.outlook import outlook_at

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
    """What `judged` says of hand `number`, or `ahead` while tiles are missing."""
    if hand.is_unfinished:
        return ahead(rules, seats, number, hand)
    return judged(judge(rules, seats, number, hand, barred), hand, rules.scoring)


def judged(verdict: Verdict, hand: HandEntry, rulebook: Rulebook) -> Answer:
    """{"problems", "score", "announced", "comparison", "payments", "points", …}.

    `score` is null without tiles, `announced` where nothing was, `comparison` unless there are both.
    """
    return {
        "problems": [_problem(one) for one in verdict.problems],
        "score": _score(verdict),
        "announced": None if verdict.announced is None else _announced(verdict.announced),
        "comparison": _comparison(verdict),
        "overridden": verdict.overridden,
        "overridable": verdict.overridable,
        "struck": struck(hand, rulebook),
        "payments": {str(player): points for player, points in verdict.payments.items()},
        "points": verdict.points,
    }


def ahead(rules: Rules, seats: Mapping[str, int], number: int, hand: HandEntry) -> Answer:
    """{"problems", "outlook": {"score", "tiles"}}: the dearest hand there can be with the tiles still to come."""
    if problems := check_partial(hand.tiles):
        return {"problems": [_problem(one) for one in problems], "outlook": None}
    found = outlook_at(rules, seats, number, hand)
    outlook = None if found is None else {"score": found.score.to_json(), "tiles": list(found.tiles)}
    return {"problems": [], "outlook": outlook}


def _problem(problem: Problem) -> Answer:
    return {"code": problem.code, "where": problem.where, "params": dict(problem.params)}


def _score(verdict: Verdict) -> Answer | None:
    """The score, and the fans that look claimable and do not count."""
    score = verdict.score
    return score and score.to_json() | {"rejected": [one.to_json() for one in rejections(score)]}


def _announced(given: Declaration) -> Answer:
    return {"points": given.points, "fans": [_named(fan) for fan in given.fans]}


def _named(line: NamedFan) -> Answer:
    return {"key": line.fan.key, "points": line.points, "count": line.times}


def _comparison(verdict: Verdict) -> Answer | None:
    """What was announced beside what the tiles come to, line by line, and why they differ."""
    score, given = verdict.score, verdict.announced
    if score is None or given is None:
        return None
    named = {line.fan: line.times for line in given.fans}
    found = differences(explain(score.hand, score.rulebook), named or None, given.points)
    return {
        "agrees": verdict.agrees,
        "announced": given.points,
        "counted": score.counted_points,
        "rows": [[fan.key, said, counted] for fan, said, counted in given.beside(score)],
        "differences": [one.to_json() for one in found],
    }
