"""Quality and time of draws: of whole events, and of simulated Swiss events. Prints one JSON object.

Sizes are ``players x sessions``. Times are processor times. Each size is drawn once in the process; of Swiss events the
slowest session counts.
"""

import json
import time
from random import Random
from typing import Any

from tournament.seating.engine.draw import draw
from tournament.seating.engine.plans import Seats, certify
from tournament.seating.engine.swiss import swiss_session

DRAWS = (
    *[(16, 5), (20, 5), (24, 7), (28, 9), (32, 10), (36, 11), (40, 13), (64, 21)],
    *[(100, 12), (200, 12), (400, 12), (1000, 12)],
)
SWISS = (
    *[(16, 4), (24, 5), (24, 6), (24, 7), (32, 7), (32, 10), (40, 8), (40, 13), (64, 21)],
    *[(100, 8), (200, 8)],
)


def measure_draw(players: int, sessions: int) -> dict[str, Any]:
    """Measure one draw, certificate included."""
    start = time.process_time()
    quality = draw(range(1, players + 1), sessions, seed="bench").quality
    seconds = time.process_time() - start
    return {
        "size": f"{players}x{sessions}",
        "repeats": quality.repeats,
        "repeats_minimum": quality.repeats_minimum,
        "wind_spread": quality.wind_spread,
        "table_most": quality.table_most,
        "seconds": round(seconds, 4),
    }


def measure_swiss(players: int, sessions: int) -> dict[str, Any]:
    """Measure a Swiss event in which results depend on skill and luck in equal parts."""
    random = Random(players)
    skill = {player: random.gauss(0, 1) for player in range(1, players + 1)}
    points = dict.fromkeys(skill, 0)
    order = random.sample(sorted(skill), players)
    plan: list[tuple[Seats, ...]] = []
    seconds, spreads = [], []
    for number in range(sessions):
        start = time.process_time()
        session = swiss_session(order, plan, seed=f"bench {number}", left=sessions - 1 - number)
        seconds.append(time.process_time() - start)
        rank = {player: place for place, player in enumerate(order)}
        for table in session:
            ranks = [rank[player] for player in table.values()]
            spreads.append(max(ranks) - min(ranks))
            placed = sorted(table.values(), key=lambda player: -skill[player] - random.gauss(0, 1))
            for player, won in zip(placed, (4, 2, 1, 0), strict=True):
                points[player] += won
        plan.append(session)
        order.sort(key=lambda player: -points[player])
    quality = certify(plan)
    return {
        "size": f"{players}x{sessions}",
        "repeats": quality.repeats,
        "wind_spread": quality.wind_spread,
        "rank_spread": round(sum(spreads) / len(spreads), 2),
        "seconds_a_session": round(max(seconds), 3),
    }


if __name__ == "__main__":
    results = {
        "draws": [measure_draw(*size) for size in DRAWS],
        "swiss": [measure_swiss(*size) for size in SWISS],
    }
    print(json.dumps({"bench": "seating"} | results))
