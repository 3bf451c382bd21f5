"""Peak load: umpires, watchers, readers of the ranking and documents at the same time. Prints one JSON object.

    bin/bench load [--seconds 30] [--watchers 2000] [--only sqlite]

`rush`: 500 watchers, and all tables save at the same time; seconds until the last is answered. `steady`: 2,000
watchers; each table saves every ten seconds, the ranking is requested fifty times a second, PDFs of the standings are
created one after the other. Milliseconds: `ranking` from when the request was due, `told` from the answer to a save
until the last watcher has received it. `memory_mb`: of all Hule's processes at the end. SQLite as on a laptop,
PostgreSQL and Redis as on a server, with one, two and four web processes. The clients run on the same machine.
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

from tests.bench._crowd import Crowd, CrowdResult
from tests.bench._own_servers import are_installed, own_servers
from tests.bench._place import ONE_ADDRESS, prepare_demonstration, slug_and_token
from tests.bench._umpire import Client, Umpire, milliseconds
from tests.bench._watchers import Received, allow_many_files, family, resident_kb, watching
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
def start_site(place: Place, case: Case) -> Iterator[tuple[list[str], list[int]]]:
    """Start Hule as its users do; yield the URLs of the web processes, and the ids of all processes."""
    ports = [free_port() for _ in range(case.web)]
    with ExitStack() as running:
        if case.on == "sqlite":
            serve = ("manage.py", "serve", "--no-demo", "--port", str(ports[0]))
            site = running.enter_context(place.web(*serve, port=ports[0]))
            processes = [site.process]
        else:
            commands = [("-m", "hule", "web", "--bind", f"127.0.0.1:{port}") for port in ports]
            sites = [
                running.enter_context(place.web(*command, port=port))
                for command, port in zip(commands, ports, strict=True)
            ]
            worker = place.start("-m", "hule", "worker", "--concurrency", "2")
            running.callback(end, worker)
            processes = [*(site.process for site in sites), worker]
        yield [f"http://127.0.0.1:{port}" for port in ports], [process.pid for process in processes]


def measure_case(case: Case, arguments: argparse.Namespace) -> dict[str, Any]:
    with ExitStack() as servers:
        environment = ONE_ADDRESS | {"API_RATE_TOKEN": "0"}  # Documents are requested without a pause.
        if case.on == "postgres":
            postgres, redis = servers.enter_context(own_servers())
            environment |= {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        place = servers.enter_context(make_place(None, **environment))
        event, umpire = prepare_demonstration(place, case.players, SESSIONS)
        _event, token = slug_and_token(place, "organiser")
        sites, processes = servers.enter_context(start_site(place, case))
        umpires = [Umpire(site, event, umpire, SESSIONS) for site in sites]
        organiser = Client(sites[0], event, token)
        crowd = Crowd(sites, event, umpires, organiser)
        rush, steady = CrowdResult(), CrowdResult()
        with watching(sites, event, min(RUSH_WATCHERS, arguments.watchers), place):
            crowd.rush(CrowdResult())  # The first saves are slower, because code is loaded.
            rush_seconds = sorted(crowd.rush(rush) for _ in range(RUSHES))
        with watching(sites, event, arguments.watchers, place) as received:
            asyncio.run(crowd.steady(steady, arguments.seconds, Random(case.players)))
            time.sleep(2)
        memory = sum(resident_kb(child) for process in processes for child in family(process))
        return {
            "case": str(case),
            "tables": len(umpires[0].tables),
            "rush": {
                "seconds": [round(seconds, 2) for seconds in rush_seconds],
                "save": milliseconds(rush.saves),
            },
            "steady": {
                "saves_per_second": round(len(steady.saves) / arguments.seconds, 1),
                "save": milliseconds(steady.saves),
                "told": delivery_times(organiser, steady, received),
                "rankings_per_second": round(len(steady.rankings) / arguments.seconds, 1),
                "ranking": milliseconds(steady.rankings),
                "papers": len(steady.papers),
                "paper": milliseconds(steady.papers),
            },
            "errors": dict(rush.errors + steady.errors),
            "memory_mb": round(memory / 1024),
        }


def delivery_times(organiser: Client, result: CrowdResult, received: Received) -> dict[str, float]:
    """Return the times from the answer to each save until the last watcher had received its version or a later one."""
    delays, never = [], 0
    for entry in organiser.ask("log/?maximum=1000"):
        hand = entry["data"].get("table"), entry["data"].get("hand")
        if (
            entry["action"] == "hand_recorded"
            and entry["data"]["session"] == SESSIONS
            and hand in result.saved
        ):
            last = received.last(entry["seq"])
            never += last is None
            delays += [] if last is None else [max(0.0, last - result.saved[hand])]
    return milliseconds(delays) | {"never": never}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--watchers", type=int, default=2000)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    arguments = parser.parse_args()
    allow_many_files()
    cases = [case for case in CASES if arguments.only in str(case)]
    if not are_installed():
        cases = [case for case in cases if case.on == "sqlite"]
    print(json.dumps({"benchmark": "load", "cases": [measure_case(case, arguments) for case in cases]}))


if __name__ == "__main__":
    main()
