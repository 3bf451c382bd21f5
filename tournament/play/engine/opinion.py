"""A judged hand in plain values, with codes for words, and what one still being entered can become.

The one answer for a hand at a table: the server gives it to whoever asks what a hand would be; the umpire's browser,
which runs this very engine when the network is gone (static/js/desk/engine-worker.js), gives it to itself. Scores in it
are as `Score.to_json` writes them.
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
from tournament.play.engine.judge import DEAD_HAND, Declaration, Verdict, judge, struck

Answer = dict[str, Any]


class PlainProblem(TypedDict):
    """`message`: its sentence, where the server answers."""

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
    """What was announced beside what the tiles come to; `rows`: [fan, points as named, points as counted]."""

    agrees: bool
    announced: int
    counted: int
    rows: list[list[str | int | None]]
    differences: list[Answer]


class Judged(TypedDict):
    """`score` is null without tiles, `announced` where nothing was, `comparison` unless there are both.

    `payments` by player; `struck`: announced fans that no hand has beside each other, each with one that bars it.
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
    """`outlook`: the dearest hand there can be with the tiles to come."""

    problems: list[PlainProblem]
    outlook: PossibleHand | None


def answer(question: str) -> str:
    """Answer a question in JSON with an `opinion` in JSON.

    The question: {"rules": a snapshot, "seats": {starting wind: player}, "number", "hand", "barred": {player: what the
    sentence about it says, and its "code" unless that is a dead hand}}.
    """
    data = json.loads(question)
    barred = {
        int(player): Problem(params.pop("code", DEAD_HAND.code), "winner", params)
        for player, params in data.get("barred", {}).items()
    }
    rules, hand = rules_from_snapshot(data["rules"]), entry(data["hand"])
    return json.dumps(opinion(rules, data["seats"], data["number"], hand, barred))


def entry(hand: Mapping[str, Any]) -> HandEntry:
    """Read the hand as the desk sends it."""
    known = HandEntry.__dataclass_fields__
    return HandEntry(**{name: value for name, value in hand.items() if name in known})


def opinion(
    rules: Rules,
    seats: Mapping[str, int],
    number: int,
    hand: HandEntry,
    barred: Mapping[int, Problem] | None = None,
) -> Judged | Ahead:
    """Judge hand `number` (`judged`), or look `ahead` while tiles are missing."""
    if hand.is_unfinished:
        return ahead(rules, seats, number, hand)
    return judged(judge(rules, seats, number, hand, barred), hand, rules.scoring)


def judged(verdict: Verdict, hand: HandEntry, rulebook: Rulebook) -> Judged:
    return {
        "problems": [_problem(problem) for problem in verdict.problems],
        "score": _score(verdict),
        "announced": None if verdict.announced is None else _announced(verdict.announced),
        "comparison": _comparison(verdict),
        "overridden": verdict.overridden,
        "overridable": verdict.overridable,
        "struck": struck(hand, rulebook),
        "payments": {str(player): points for player, points in verdict.payments.items()},
        "points": verdict.points,
    }


def _problem(problem: Problem) -> PlainProblem:
    return {"code": problem.code, "where": problem.where, "params": dict(problem.params)}


def _score(verdict: Verdict) -> Answer | None:
    """The score, and the fans that look claimable and do not count."""
    score = verdict.score
    return score and score.to_json() | {"rejected": [rejection.to_json() for rejection in rejections(score)]}


def _announced(announced: Declaration) -> Announced:
    fans: list[NamedFan] = [
        {"key": line.fan.key, "points": line.points, "count": line.times} for line in announced.fans
    ]
    return {"points": announced.points, "fans": fans}


def _comparison(verdict: Verdict) -> Comparison | None:
    """What was announced beside what the tiles come to, line by line, and why they differ."""
    score, announced = verdict.score, verdict.announced
    if score is None or announced is None:
        return None
    named = {line.fan: line.times for line in announced.fans}
    reasons = differences(explain(score.hand, score.rulebook), named or None, announced.points)
    return {
        "agrees": verdict.agrees,
        "announced": announced.points,
        "counted": score.counted_points,
        "rows": [[fan.key, points, counted] for fan, points, counted in announced.beside(score)],
        "differences": [reason.to_json() for reason in reasons],
    }


def ahead(rules: Rules, seats: Mapping[str, int], number: int, hand: HandEntry) -> Ahead:
    """Find the dearest hand there can be with the tiles to come."""
    if problems := check_partial(hand.tiles):
        return {"problems": [_problem(problem) for problem in problems], "outlook": None}
    best = outlook_at(rules, seats, number, hand)
    if best is None:
        return {"problems": [], "outlook": None}
    return {"problems": [], "outlook": {"score": best.score.to_json(), "tiles": list(best.tiles)}}


MOST_MISSING = 2
"""With three tiles to go there are thousands of ways on, and none of them says much."""


@dataclass(frozen=True)
class Outlook:
    """The dearest way to complete a hand: the tiles it lacks, the winning one last, and the score it then has."""

    tiles: tuple[str, ...]
    score: Score


def outlook_at(rules: Rules, seats: Mapping[str, int], hand_number: int, entry: HandEntry) -> Outlook | None:
    """Find the dearest completion of a hand entered at a table; `seats`: starting wind → player number."""
    start = next((wind for wind, player in seats.items() if player == entry.winner), None)
    if entry.outcome != WIN or start is None or not 1 <= hand_number <= HANDS_PER_SESSION:
        return None
    record = {**(entry.tiles or {}), **entry.worked_out(start, hand_number, rules.chart)}
    return outlook(record, rules.scoring)


def outlook(record: Mapping[str, Any], rulebook: Rulebook) -> Outlook | None:
    """Find the dearest completion of a hand record that lacks one or two tiles; None when there is none.

    `record` has its winds and `self_drawn`; its circumstances count when they are possible with the tiles.
    """
    best: Outlook | None = None
    for tiles in _completions(record):
        for way in _both_ways(record, tiles, rulebook):
            if best is None or way.score.points > best.score.points:
                best = way
    return best


def _completions(record: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    missing = TILES_IN_HAND - len(record["concealed"]) - 3 * len(record["melds"])
    if not 1 <= missing <= MOST_MISSING:
        return
    held = Counter(record["concealed"])
    held.update(tile for meld in record["melds"] for tile in meld["tiles"])
    yield from combinations_with_replacement([tile for tile in TILES if held[tile] < 4], missing)


def _both_ways(record: Mapping[str, Any], tiles: tuple[str, ...], rulebook: Rulebook) -> Iterator[Outlook]:
    """Try the tiles in either order. Tiles that do not win in one don't in the other, which spares half the work."""
    for order in dict.fromkeys((tiles, tiles[::-1])):
        whole = {**record, "concealed": [*record["concealed"], *order], "winning_tile": order[-1]}
        try:
            result = score(Hand.from_json(whole), rulebook)
        except InvalidHand:
            continue  # a fifth tile, or a circumstance that this winning tile contradicts
        if not result.win:
            return
        yield Outlook(order, result)
