"""A judged hand in plain values, and what one still being entered can become."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from scoring.engine import (
    TILES,
    Hand,
    InvalidHand,
    NamedFan,
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
from tournament.play.engine.judge import Declaration, Verdict, judge, struck

# --- What a hand still being entered can become with its last one or two tiles ---


MOST_MISSING = 2
"""With three tiles to go there are thousands of ways on, and none of them says much."""


@dataclass(frozen=True)
class Outlook:
    """The dearest way to complete a hand: the tiles it lacks, the winning one last, and the score it then has."""

    tiles: tuple[str, ...]
    score: Score


def outlook_at(rules: Rules, seats: Mapping[str, int], hand_number: int, entry: HandEntry) -> Outlook | None:
    """The dearest completion of a hand entered at a table; `seats`: starting wind → player number."""
    start = next((wind for wind, player in seats.items() if player == entry.winner), None)
    if entry.outcome != WIN or start is None or not 1 <= hand_number <= HANDS_PER_SESSION:
        return None
    return outlook(
        {**(entry.tiles or {}), **entry.worked_out(start, hand_number, rules.chart)}, rules.scoring
    )


def outlook(record: Mapping[str, Any], rulebook: Rulebook) -> Outlook | None:
    """The dearest completion of a hand record that lacks one or two tiles; None when there is none.

    `record` has its winds and `self_drawn`; its circumstances count when they are possible with the tiles.
    """
    best: Outlook | None = None
    for tiles in _completions(record):
        for found in _both_ways(record, tiles, rulebook):
            if best is None or found.score.points > best.score.points:
                best = found
    return best


def _completions(record: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    missing = TILES_IN_HAND - len(record["concealed"]) - 3 * len(record["melds"])
    if not 1 <= missing <= MOST_MISSING:
        return
    held = Counter(record["concealed"])
    held.update(tile for meld in record["melds"] for tile in meld["tiles"])
    yield from combinations_with_replacement([tile for tile in TILES if held[tile] < 4], missing)


def _both_ways(record: Mapping[str, Any], tiles: tuple[str, ...], rulebook: Rulebook) -> Iterator[Outlook]:
    """The tiles in either order. Tiles that do not win in one don't in the other, which spares half the work."""
    for order in dict.fromkeys((tiles, tiles[::-1])):
        whole = {**record, "concealed": [*record["concealed"], *order], "winning_tile": order[-1]}
        try:
            found = score(Hand.from_json(whole), rulebook)
        except InvalidHand:
            continue  # a fifth tile, or a circumstance that this winning tile contradicts
        if not found.win:
            return
        yield Outlook(order, found)


# --- Opinion ---
# A judged hand in plain values, with codes for words: the one answer for a hand at a table.
#
# The server gives it to whoever asks what a hand would be; the umpire's browser, which runs this very engine when the
# network is gone (static/js/desk/engine-worker.js), gives it to itself. Scores in it are as `Score.to_json` writes
# them.


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
