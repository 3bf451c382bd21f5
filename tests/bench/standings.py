"""The time to compute the standings of a whole event. Prints one JSON object."""

import json
import time
from random import Random
from typing import Any

from tournament.base.engine.rules import rules_named
from tournament.ranking.engine.standings import PlayerRow, SeatResult, TableResult, standings

SIZES = ((16, 5), (400, 12), (4000, 12))
ROUNDS = 5


def event(players: int, sessions: int) -> tuple[list[PlayerRow], list[TableResult]]:
    """Return players, and results of randomly drawn tables."""
    random = Random(players)
    numbers = list(range(1, players + 1))
    results = []
    for session in range(1, sessions + 1):
        random.shuffle(numbers)
        for first in range(0, players, 4):
            scores = [random.randint(-120, 120) for _ in range(3)]
            seats = zip(numbers[first : first + 4], [*scores, -sum(scores)], strict=True)
            results.append(TableResult(session, first // 4 + 1, tuple(SeatResult(*seat) for seat in seats)))
    return [PlayerRow(number) for number in sorted(numbers)], results


def measure_standings(players: int, sessions: int) -> dict[str, Any]:
    rows, results = event(players, sessions)
    rules = rules_named("mcr")
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        standings(rows, results, criteria=rules.criteria, scale=rules.scale)
        times.append(time.process_time() - start)
    seconds = min(times)
    return {
        "size": f"{players}x{sessions}",
        "ms": round(1000 * seconds, 1),
        "us_a_seat": round(1e6 * seconds / (players * sessions), 2),
    }


if __name__ == "__main__":
    print(json.dumps({"benchmark": "standings", "sizes": [measure_standings(*size) for size in SIZES]}))
