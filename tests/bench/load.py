"""A hall at its busiest: umpires, watchers, readers of the ranking and paper, all at once.

    bin/bench load [--seconds 30] [--watchers 2000] [--only sqlite]

At every size: `rush`: 500 watchers, every table saves in the same moment; after how many seconds the last is answered.
`steady`: 2,000 watchers; each table saves every ten seconds, the ranking is asked for fifty times a second, one PDF of
the standings is made after the other. Milliseconds; of the ranking from when it was due, of a save's `told` from its
answer until the last watcher had it. `memory_mb`: of all Hule's processes at the end.
SQLite as a laptop runs it, PostgreSQL and Redis as a site does, with one, two and four web processes. The crowd runs on
the same machine and takes its share of it. Prints one JSON object.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.bench._crowd import Crowd, Found
from tests.bench._own_servers import are_installed, own_servers
from tests.bench._place import ONE_ADDRESS, prepared, slug_and_token
from tests.bench._umpire import Client, Umpire, milliseconds
from tests.bench._watchers import Heard, allow_many_files, family, resident_kb, watching
from tests.support.processes import Place, end, free_port, make_place

RUSH_WATCHERS, SESSIONS, RUSHES = 500, 2, 3


@dataclass(frozen=True)
class Case:
    players: int
    web: int
    on: str

    def __str__(self) -> str:
        return f"{self.players} players, {self.web} web, {self.on}"


CASES = (
    Case(16, 1, "sqlite"),
    Case(100, 1, "sqlite"),
    Case(400, 1, "sqlite"),
    Case(16, 1, "postgres"),
    Case(400, 1, "postgres"),
    Case(400, 2, "postgres"),
    Case(400, 4, "postgres"),
)


@contextmanager
def a_site(place: Place, case: Case) -> Iterator[tuple[list[str], list[int]]]:
    """Hule as its users start it: addresses of the web processes, and every process's number."""
    ports = [free_port() for _ in range(case.web)]
    with ExitStack() as running:
        if case.on == "sqlite":
            serve = ("manage.py", "serve", "--no-demo", "--port", str(ports[0]))
            site = running.enter_context(place.web(*serve, port=ports[0]))
            started = [site.process]
        else:
            commands = [("-m", "hule", "web", "--bind", f"127.0.0.1:{port}") for port in ports]
            sites = [
                running.enter_context(place.web(*words, port=port))
                for words, port in zip(commands, ports, strict=True)
            ]
            worker = place.start("-m", "hule", "worker", "--concurrency", "2")
            running.callback(end, worker)
            started = [*(site.process for site in sites), worker]
        yield [f"http://127.0.0.1:{port}" for port in ports], [process.pid for process in started]


def measured(case: Case, arguments: argparse.Namespace) -> dict[str, Any]:
    with ExitStack() as servers:
        extra = ONE_ADDRESS | {"API_RATE_TOKEN": "0"}  # paper is asked for as fast as it comes
        if case.on == "postgres":
            postgres, redis = servers.enter_context(own_servers())
            extra |= {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        place = servers.enter_context(make_place(None, **extra))
        event, umpire = prepared(place, case.players, SESSIONS)
        _event, token = slug_and_token(place, "organiser")
        sites, processes = servers.enter_context(a_site(place, case))
        umpires = [Umpire(site, event, umpire, SESSIONS) for site in sites]
        organiser = Client(sites[0], event, token)
        crowd = Crowd(sites, event, umpires, organiser)
        rushed, found = Found(), Found()
        with watching(sites, event, min(RUSH_WATCHERS, arguments.watchers), place):
            crowd.rush(Found())  # the first saves load what all others find loaded
            rushes = sorted(crowd.rush(rushed) for _ in range(RUSHES))
        with watching(sites, event, arguments.watchers, place) as heard:
            asyncio.run(crowd.steady(found, arguments.seconds, Random(case.players)))
            time.sleep(2)
        memory = sum(resident_kb(child) for process in processes for child in family(process))
        return {
            "case": str(case),
            "tables": len(umpires[0].tables),
            "rush": {
                "seconds": [round(seconds, 2) for seconds in rushes],
                "save": milliseconds(rushed.saves),
            },
            "steady": {
                "saves_per_second": round(len(found.saves) / arguments.seconds, 1),
                "save": milliseconds(found.saves),
                "told": told(organiser, found, heard),
                "rankings_per_second": round(len(found.rankings) / arguments.seconds, 1),
                "ranking": milliseconds(found.rankings),
                "papers": len(found.papers),
                "paper": milliseconds(found.papers),
            },
            "errors": dict(rushed.errors + found.errors),
            "memory_mb": round(memory / 1024),
        }


def told(organiser: Client, found: Found, heard: Heard) -> dict[str, float]:
    """From the answer to each save until the last watcher had its version, or a later one."""
    delays, never = [], 0
    for entry in organiser.ask("log/?most=1000"):
        hand = entry["data"].get("table"), entry["data"].get("hand")
        if (
            entry["action"] == "hand_recorded"
            and entry["data"]["session"] == SESSIONS
            and hand in found.saved
        ):
            last = heard.last(entry["seq"])
            never += last is None
            delays += [] if last is None else [max(0.0, last - found.saved[hand])]
    return milliseconds(delays) | {"never": never}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--watchers", type=int, default=2000)
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    arguments = parser.parse_args()
    allow_many_files()
    cases = [case for case in CASES if arguments.only in str(case)]
    if not are_installed():
        cases = [case for case in cases if case.on == "sqlite"]
    print(json.dumps({"benchmark": "load", "cases": [measured(case, arguments) for case in cases]}))


if __name__ == "__main__":
    main()
