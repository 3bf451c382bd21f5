"""The pure standings function: every line of a whole event ranked anew. Prints one JSON object."""

import json
import time
from random import Random
from typing import Any

from tournament.base.engine.rules import rules_named
from tournament.ranking.engine.standings import PlayerRow, SeatResult, TableResult, standings

SIZES = ((16, 5), (400, 12), (4000, 12))
ROUNDS = 5


def event(players: int, sessions: int) -> tuple[list[PlayerRow], list[TableResult]]:
    """Players, and tables drawn by lot with scores that sum to zero."""
    random = Random(players)
    numbers = list(range(1, players + 1))
    results = []
    for session in range(1, sessions + 1):
        random.shuffle(numbers)
        for at in range(0, players, 4):
            scores = [random.randint(-120, 120) for _ in range(3)]
            four = zip(numbers[at : at + 4], [*scores, -sum(scores)], strict=True)
            results.append(TableResult(session, at // 4 + 1, tuple(SeatResult(*seat) for seat in four)))
    return [PlayerRow(number) for number in sorted(numbers)], results


def measured(players: int, sessions: int) -> dict[str, Any]:
    entered, results = event(players, sessions)
    rules = rules_named("mcr")
    took = []
    for _ in range(ROUNDS):
        start = time.process_time()
        standings(entered, results, criteria=rules.criteria, scale=rules.scale)
        took.append(time.process_time() - start)
    seconds = min(took)
    return {
        "size": f"{players}x{sessions}",
        "ms": round(1000 * seconds, 1),
        "us_a_seat": round(1e6 * seconds / (players * sessions), 2),
    }


if __name__ == "__main__":
    print(json.dumps({"benchmark": "standings", "sizes": [measured(*size) for size in SIZES]}))
