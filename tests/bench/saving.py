"""The time to save a hand, from request to answer. Prints one JSON object; takes minutes, most for the demonstrations.

One server process on SQLite. `sizes`: one save at a time, with more and more players and sessions; `growth` is the
last median divided by the first and should stay near 1. `bare`: saves compared with a view that inserts a row, and
reads of a table, after a write and again, compared with a view that does nothing, behind the same server and
middleware: with Django's handler, and (`…_here`) with Hule's (ADR 28). `at_once`: all tables of the largest event save
at the same time.
"""

import json
import statistics
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import Request, urlopen

from tests.bench._place import SERVER, prepare_demonstration
from tests.bench._umpire import Umpire, milliseconds
from tests.support.processes import Place, make_place

SIZES = ((16, 1), (16, 12), (64, 1), (64, 12), (400, 1), (400, 12))
SAVES, ROUNDS = 20, 4
WARM, TURNS = 5, 40


def measure_size(players: int, sessions: int) -> dict[str, Any]:
    with make_place() as place:
        slug, token = prepare_demonstration(place, players, sessions)
        with place.web(*SERVER, "config.asgi:application") as site:
            umpire = Umpire(site.url, slug, token, sessions)
            umpire.win(umpire.tables[0])  # The first save is slower, because code is loaded.
            saves = [umpire.win(umpire.tables[n % len(umpire.tables)]) for n in range(SAVES)]
            figures: dict[str, Any] = {"size": f"{players}x{sessions}", "save_ms": milliseconds(saves)}
            if (players, sessions) == SIZES[-1]:
                figures["bare"] = compare_with_bare(place, umpire)
                at_once = milliseconds(save_at_once(umpire))
                figures["at_once"] = {"tables": len(umpire.tables), "save_ms": at_once}
            return figures


def compare_with_bare(place: Place, umpire: Umpire) -> dict[str, Any]:
    """Time Hule's requests and bare ones in turns; return medians in milliseconds and their ratios."""
    bare = Place(place.folder, {"DJANGO_SETTINGS_MODULE": "tests.bench._bare_settings"})
    seconds: dict[str, list[float]] = defaultdict(list)
    with (
        bare.web(*SERVER, "tests.bench._bare_django:application") as django,
        bare.web(*SERVER, "config.asgi:application") as here,
    ):
        for turn in range(WARM + TURNS):
            table = umpire.tables[turn % len(umpire.tables)]
            seconds["save"].append(umpire.win(table))
            seconds["table_anew"].append(umpire.read(table))
            seconds["table"].append(umpire.read(table))
            for suffix, site in (("", django), ("_here", here)):
                seconds[f"insert{suffix}"].append(request_seconds(f"{site.url}/insert/", b'{"text": "bare"}'))
                seconds[f"nothing{suffix}"].append(request_seconds(f"{site.url}/nothing/"))
    medians = {name: statistics.median(values[WARM:]) for name, values in seconds.items()}
    figures = {f"{name}_ms": round(1000 * median, 1) for name, median in medians.items()}
    for suffix in ("", "_here"):
        figures[f"save_to_insert{suffix}"] = round(medians["save"] / medians[f"insert{suffix}"], 2)
        figures[f"table_to_nothing{suffix}"] = round(medians["table"] / medians[f"nothing{suffix}"], 2)
    return figures


def request_seconds(address: str, body: bytes | None = None) -> float:
    """Send a request; return the seconds until its answer is read."""
    sent = time.perf_counter()
    with urlopen(Request(address, data=body, headers={"Content-Type": "application/json"})) as answer:
        answer.read()
    return time.perf_counter() - sent


def save_at_once(umpire: Umpire) -> list[float]:
    """Save a hand at all tables at the same time, several times; return the seconds of each save."""
    with ThreadPoolExecutor(len(umpire.tables)) as pool:
        return [seconds for _ in range(ROUNDS) for seconds in pool.map(umpire.win, umpire.tables)]


def main() -> None:
    sizes = [measure_size(*size) for size in SIZES]
    smallest, largest = sizes[0]["save_ms"]["median"], sizes[-1]["save_ms"]["median"]
    growth = round(largest / smallest, 2)
    print(json.dumps({"benchmark": "saving", "sizes": sizes, "growth": growth}))


if __name__ == "__main__":
    main()
