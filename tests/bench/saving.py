"""What saving a hand costs, from request to answer: tiles validated, hand, seats and log written, told to the hall.

One server process on SQLite. `sizes`: one save at a time, with ever more players and sessions behind; `growth` is the
last median over the first and should stay near 1. `bare`: the same size beside a bare view that inserts a row, and
reading a table, after a write and again, beside a view that does nothing, behind the same server and middleware: as
Django serves them, and (`…_here`) behind Hule's own handler (ADR 28). `at_once`: all tables of the largest hall post
in the same moment. Prints one JSON object; takes minutes, most of them to play the demonstrations.
"""

import json
import statistics
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import Request, urlopen

from tests.bench._place import SERVER, prepared
from tests.bench._umpire import Umpire, milliseconds
from tests.support.processes import Place, make_place

SIZES = ((16, 1), (16, 12), (64, 1), (64, 12), (400, 1), (400, 12))
SAVES, ROUNDS = 20, 4
WARM, TURNS = 5, 40


def measured(players: int, sessions: int) -> dict[str, Any]:
    with make_place() as place:
        slug, token = prepared(place, players, sessions)
        with place.web(*SERVER, "config.asgi:application") as site:
            umpire = Umpire(site.url, slug, token, sessions)
            umpire.win(umpire.tables[0])  # the first request loads what all others find loaded
            saves = [umpire.win(umpire.tables[at % len(umpire.tables)]) for at in range(SAVES)]
            found: dict[str, Any] = {"size": f"{players}x{sessions}", "save_ms": milliseconds(saves)}
            if (players, sessions) == SIZES[-1]:
                found["bare"] = beside_bare(place, umpire)
                found["at_once"] = {"tables": len(umpire.tables), "save_ms": milliseconds(at_once(umpire))}
            return found


def beside_bare(place: Place, umpire: Umpire) -> dict[str, Any]:
    """Hule's requests and bare ones in turns: medians in milliseconds, and their ratios."""
    bare = Place(place.folder, {"DJANGO_SETTINGS_MODULE": "tests.bench._bare_settings"})
    took: dict[str, list[float]] = defaultdict(list)
    with (
        bare.web(*SERVER, "tests.bench._bare_django:application") as django,
        bare.web(*SERVER, "config.asgi:application") as here,
    ):
        for at in range(WARM + TURNS):
            table = umpire.tables[at % len(umpire.tables)]
            took["save"].append(umpire.win(table))
            took["table_anew"].append(umpire.read(table))
            took["table"].append(umpire.read(table))
            for name, site in (("", django), ("_here", here)):
                took[f"insert{name}"].append(asked(f"{site.url}/insert/", b'{"text": "bare"}'))
                took[f"nothing{name}"].append(asked(f"{site.url}/nothing/"))
    medians = {what: statistics.median(times[WARM:]) for what, times in took.items()}
    found = {f"{what}_ms": round(1000 * median, 1) for what, median in medians.items()}
    for name in ("", "_here"):
        found[f"save_to_insert{name}"] = round(medians["save"] / medians[f"insert{name}"], 2)
        found[f"table_to_nothing{name}"] = round(medians["table"] / medians[f"nothing{name}"], 2)
    return found


def asked(address: str, body: bytes | None = None) -> float:
    """How long one request took."""
    sent = time.perf_counter()
    with urlopen(Request(address, data=body, headers={"Content-Type": "application/json"})) as answer:
        answer.read()
    return time.perf_counter() - sent


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
