"""What saving a hand costs, from request to answer: tiles validated, hand, seats and log written, told to the hall.

One server process on SQLite. `sizes`: one save at a time, with ever more players and sessions behind; `growth` is the
last median over the first and should stay near 1. `at_once`: all tables of the largest hall post in the same moment.
Prints one JSON object; takes minutes, most of them to play the demonstrations.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.bench._place import SERVER, prepared
from tests.bench._umpire import Umpire, milliseconds
from tests.processes import make_place

SIZES = ((16, 1), (16, 12), (64, 1), (64, 12), (400, 1), (400, 12))
SAVES, ROUNDS = 20, 4


def measured(players: int, sessions: int) -> dict[str, Any]:
    with make_place() as place:
        slug, token = prepared(place, players, sessions)
        with place.web(*SERVER, "config.asgi:application") as site:
            umpire = Umpire(site.url, slug, token, sessions)
            umpire.win(umpire.tables[0])  # the first request loads what all others find loaded
            saves = [umpire.win(umpire.tables[at % len(umpire.tables)]) for at in range(SAVES)]
            found: dict[str, Any] = {"size": f"{players}x{sessions}", "save_ms": milliseconds(saves)}
            if (players, sessions) == SIZES[-1]:
                found["at_once"] = {"tables": len(umpire.tables), "save_ms": milliseconds(at_once(umpire))}
            return found


def at_once(umpire: Umpire) -> list[float]:
    """Every table saves in the same moment, and again when all have their answers."""
    with ThreadPoolExecutor(len(umpire.tables)) as hall:
        return [seconds for _ in range(ROUNDS) for seconds in hall.map(umpire.win, umpire.tables)]


def main() -> None:
    sizes = [measured(*size) for size in SIZES]
    smallest, largest = sizes[0]["save_ms"]["median"], sizes[-1]["save_ms"]["median"]
    growth = round(largest / smallest, 2)
    print(json.dumps({"benchmark": "saving", "sizes": sizes, "growth": growth}))


if __name__ == "__main__":
    main()
