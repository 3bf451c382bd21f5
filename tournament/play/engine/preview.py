"""A judged hand in plain values, with codes for words, and what one still being entered can become.

Server and browser share it: the API answers previews with it, and the desk runs this module itself when there is no
network (static/js/desk/engine-worker.js). Scores in it are as `Score.to_json` writes them.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, NotRequired, TypedDict

from scoring.engine import (
    TILES,
    Hand,
    InvalidHand,
    Rulebook,
    Score,
    check_partial,
    differences,
    explain,
    score,
)
from scoring.engine.problems import TILES_IN_HAND, Problem
from scoring.engine.rejections import rejections
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.engine.rules import HANDS_PER_SESSION, Rules, rules_from_snapshot
from tournament.play.engine.judge import DEAD_HAND, Declaration, Verdict, find_conflicting_fans, judge

Answer = dict[str, Any]


class PlainProblem(TypedDict):
    """A problem with its parameters; `message`, the sentence, only in answers of the server."""

    code: str
    where: str
    params: Answer
    message: NotRequired[str]


class NamedFan(TypedDict):
    key: str
    points: int
    count: int


class Announced(TypedDict):
    points: int
    fans: list[NamedFan]


class Comparison(TypedDict):
    """An announcement compared with the tiles; `rows`: [fan, points as named, points as counted]."""

    agrees: bool
    announced: int
    counted: int
    rows: list[list[str | int | None]]
    differences: list[Answer]


class JudgedHand(TypedDict):
    """A judged hand: `score` is null without tiles, `announced` without an announcement, `comparison` without both.

    `payments` by player; `struck`: announced fans that exclude each other, each with one that excludes it.
    """

    problems: list[PlainProblem]
    score: Answer | None
    announced: Announced | None
    comparison: Comparison | None
    overridden: bool
    overridable: bool
    struck: dict[str, str]
    payments: dict[str, int]
    points: int


class PossibleHand(TypedDict):
    score: Answer
    tiles: list[str]


class Ahead(TypedDict):
    """`outlook`: the highest-scoring hand that is possible with the tiles to come."""

    problems: list[PlainProblem]
    outlook: PossibleHand | None


def answer(question: str) -> str:
    """Answer a question in JSON with a `preview` in JSON.

    The question: {"rules": a snapshot, "seats": {starting wind: player}, "number", "hand", "barred": {player: what the
    sentence about it says, and its "code" unless that is a dead hand}}.
    """
    data = json.loads(question)
    barred = {
        int(player): Problem(params.pop("code", DEAD_HAND.code), "winner", params)
        for player, params in data.get("barred", {}).items()
    }
    rules, hand = rules_from_snapshot(data["rules"]), read_entry(data["hand"])
    return json.dumps(preview(rules, data["seats"], data["number"], hand, barred))


def read_entry(hand: Mapping[str, Any]) -> HandEntry:
    """Read the hand as the desk sends it."""
    known = HandEntry.__dataclass_fields__
    return HandEntry(**{name: value for name, value in hand.items() if name in known})


def preview(
    rules: Rules,
    seats: Mapping[str, int],
    number: int,
    hand: HandEntry,
    barred: Mapping[int, Problem] | None = None,
) -> JudgedHand | Ahead:
    """Judge hand `number`, or find the best hand it can still become while tiles are missing."""
    if hand.is_unfinished:
        return look_ahead(rules, seats, number, hand)
    return verdict_to_json(judge(rules, seats, number, hand, barred), hand, rules.scoring)


def verdict_to_json(verdict: Verdict, hand: HandEntry, rulebook: Rulebook) -> JudgedHand:
    return {
        "problems": [_problem_to_json(problem) for problem in verdict.problems],
        "score": _score_to_json(verdict),
        "announced": None if verdict.announced is None else _declaration_to_json(verdict.announced),
        "comparison": _compare(verdict),
        "overridden": verdict.overridden,
        "overridable": verdict.overridable,
        "struck": find_conflicting_fans(hand, rulebook),
        "payments": {str(player): points for player, points in verdict.payments.items()},
        "points": verdict.points,
    }


def _problem_to_json(problem: Problem) -> PlainProblem:
    return {"code": problem.code, "where": problem.where, "params": dict(problem.params)}


def _score_to_json(verdict: Verdict) -> Answer | None:
    """Return the score with the fans that look claimable and do not count."""
    score = verdict.score
    return score and score.to_json() | {"rejected": [rejection.to_json() for rejection in rejections(score)]}


def _declaration_to_json(announced: Declaration) -> Announced:
    fans: list[NamedFan] = [
        {"key": line.fan.key, "points": line.points, "count": line.times} for line in announced.fans
    ]
    return {"points": announced.points, "fans": fans}


def _compare(verdict: Verdict) -> Comparison | None:
    """Compare the announcement with the tiles, line by line, with the reasons for differences."""
    score, announced = verdict.score, verdict.announced
    if score is None or announced is None:
        return None
    named = {line.fan: line.times for line in announced.fans}
    reasons = differences(explain(score.hand, score.rulebook), named or None, announced.points)
    return {
        "agrees": verdict.agrees,
        "announced": announced.points,
        "counted": score.counted_points,
        "rows": [[fan.key, points, counted] for fan, points, counted in announced.compare_lines(score)],
        "differences": [reason.to_json() for reason in reasons],
    }


def look_ahead(rules: Rules, seats: Mapping[str, int], number: int, hand: HandEntry) -> Ahead:
    """Find the highest-scoring hand that the missing tiles can make. `seats`: starting wind → player number."""
    if problems := check_partial(hand.tiles):
        return {"problems": [_problem_to_json(problem) for problem in problems], "outlook": None}
    start = next((wind for wind, player in seats.items() if player == hand.winner), None)
    best = None
    if hand.outcome == WIN and start is not None and 1 <= number <= HANDS_PER_SESSION:
        record = {**(hand.tiles or {}), **hand.derived_fields(start, number, rules.chart)}
        best = find_outlook(record, rules.scoring)
    if best is None:
        return {"problems": [], "outlook": None}
    return {"problems": [], "outlook": {"score": best.score.to_json(), "tiles": list(best.tiles)}}


MAX_MISSING_TILES = 2
"""With three tiles missing there are thousands of completions, too many to be a useful hint."""


@dataclass(frozen=True)
class Outlook:
    """The highest-scoring completion of a hand: the missing tiles, the winning one last, and its score."""

    tiles: tuple[str, ...]
    score: Score


def find_outlook(record: Mapping[str, Any], rulebook: Rulebook) -> Outlook | None:
    """Find the highest-scoring completion of a record that lacks one or two tiles; None when there is none.

    `record` has its winds and `self_drawn`; its circumstances count when they are possible with the tiles.
    """
    best: Outlook | None = None
    for tiles in _completions(record):
        for candidate in _score_orders(record, tiles, rulebook):
            if best is None or candidate.score.points > best.score.points:
                best = candidate
    return best


def _completions(record: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    missing = TILES_IN_HAND - len(record["concealed"]) - 3 * len(record["melds"])
    if not 1 <= missing <= MAX_MISSING_TILES:
        return
    counts = Counter(record["concealed"])
    counts.update(tile for meld in record["melds"] for tile in meld["tiles"])
    yield from combinations_with_replacement([tile for tile in TILES if counts[tile] < 4], missing)


def _score_orders(record: Mapping[str, Any], tiles: tuple[str, ...], rulebook: Rulebook) -> Iterator[Outlook]:
    """Score the tiles in either order. If one order does not win the other cannot, so it is not tried."""
    for order in dict.fromkeys((tiles, tiles[::-1])):
        complete = {**record, "concealed": [*record["concealed"], *order], "winning_tile": order[-1]}
        try:
            result = score(Hand.from_json(complete), rulebook)
        except InvalidHand:
            continue  # a fifth tile, or a circumstance that this winning tile contradicts
        if not result.win:
            return
        yield Outlook(order, result)
