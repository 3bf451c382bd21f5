"""A hall of phones that follow play. Prints one JSON object; takes about three minutes, most for the demonstration.

    bin/bench hall [--players 400] [--phones 400] [--seconds 60] [--address one] [--on sqlite] [--web 1]

A hand a second, each at the next table; of twenty phones one shows the ranking, one a table, the others their player's
page. They decide when to load what with the browser's own script (`_phones.mjs`). `hand_ms`: from the answer to a save
until the phones of its table show it; `ranking_ms`, `rank_ms`: until the ranking, or the rank on a player's page, is of
that version. `within`: the share of the phones of the table that show it within so many seconds. `stale`: phones that
do not show the last state ten seconds after the end. `refused`: responses with 429 or 503. `core`: the web processes'
share of one core during the hands. `fragment_ms`: processor time of a player's fragment when all players ask, for the
first time and again after one hand. `--address many`: each phone has an address of its own. The clients run on the same
machine.
"""

import argparse
import asyncio
import json
import subprocess
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.bench._crowd import REQUEST, ask
from tests.bench._own_servers import own_servers
from tests.bench._place import ONE_ADDRESS, prepare_demonstration
from tests.bench._umpire import AtTable, Umpire, milliseconds
from tests.bench._watchers import allow_many_files, family
from tests.bench.live import processor_seconds
from tests.bench.load import Case, start_site
from tests.support.processes import NODE, make_place

SESSIONS, EVERY, SETTLES = 4, 20, 10.0
CONNECTIONS, ONE_HOST = 8, "127.0.0.1"
POINTS = rf'id="r{SESSIONS}"[^>]*data-figures="([^"]*)"'
HANDS_AT_TABLE = r'.*id="h(\d+)"'
NOTHING = "(?!)"
Load = tuple[float, str, int, int, str]
"""When (Unix time in ms), part, status, version, what the marker captured."""


@dataclass
class Phone:
    """An open page: `table` is the one that concerns it; None for the ranking."""

    path: str
    marker: str
    table: int | None
    loads: list[Load]

    def changed_at(self) -> float | None:
        """Return when it first showed something new."""
        shown = [(when, marker) for when, _part, _status, _version, marker in self.loads if marker]
        return next((when for when, marker in shown if marker != shown[0][1]), None)

    def is_of_version(self, version: int, part: str) -> float | None:
        """Return when a part (the end of its path) was first loaded in this version."""
        return next(
            (
                when
                for when, path, _status, of, _marker in self.loads
                if path.endswith(part) and of >= version
            ),
            None,
        )


def make_phones(event: str, tables: list[AtTable], count: int) -> list[Phone]:
    """Return phones with their pages, the players in turn."""
    seats = cycle([(table.number, player) for table in tables for player in table.players])
    phones = []
    for number, (table, player) in zip(range(count), seats, strict=False):
        page: tuple[str, str, int | None] = f"/t/{event}/players/{player}/", POINTS, table
        if number % EVERY == 0:
            page = f"/t/{event}/ranking/", NOTHING, None
        elif number % EVERY == 1:
            page = f"/t/{event}/sessions/{SESSIONS}/{table}/", HANDS_AT_TABLE, table
        phones.append(Phone(*page, loads=[]))
    return phones


async def fragment_milliseconds(url: str, web: list[int], event: str, players: list[int]) -> float:
    """Ask for every player's fragment once; return the processor milliseconds of each."""
    spent, address = cpu(web), urlsplit(url)
    waiting = list(players)

    async def client() -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        while waiting:
            path = f"/t/{event}/players/{waiting.pop()}/live/"
            await ask(reader, writer, REQUEST.format(path=path).encode())
        writer.close()

    await asyncio.gather(*(client() for _ in range(CONNECTIONS)))
    return round(1000 * (cpu(web) - spent) / len(players), 2)


def cpu(web: list[int]) -> float:
    """Return the processor seconds of the web processes so far."""
    return sum(processor_seconds(process) for process in web)


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    with ExitStack() as running:
        environment = {} if arguments.phones <= 400 else dict(ONE_ADDRESS)
        if arguments.on == "postgres":
            postgres, redis = running.enter_context(own_servers())
            environment |= {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        place = running.enter_context(make_place(None, **environment))
        event, token = prepare_demonstration(place, arguments.players, SESSIONS)
        case = Case(arguments.players, arguments.web, arguments.on)
        urls, pids = running.enter_context(start_site(place, case))
        web = [child for process in pids[: len(urls)] for child in family(process)]
        umpire = Umpire(urls[0], event, token, SESSIONS)
        umpire.win(umpire.tables.pop(0))  # The first save is slower, because code is loaded.
        phones = make_phones(event, umpire.tables, arguments.phones)
        options = [
            {
                "url": urls[number % len(urls)],
                "path": phone.path,
                "marker": phone.marker,
                "address": f"127.0.{1 + number // 250}.{1 + number % 250}"
                if arguments.address == "many"
                else "127.0.0.1",
            }
            for number, phone in enumerate(phones)
        ]
        script = Path(__file__).with_name("_phones.mjs")
        hall = subprocess.Popen([NODE, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        running.callback(hall.kill)
        assert hall.stdin
        assert hall.stdout
        hall.stdin.write(json.dumps(options) + "\n")
        hall.stdin.flush()
        assert hall.stdout.readline() == "watching\n"
        spent, began, version = cpu(web), time.monotonic(), umpire.version
        saves: list[float] = []
        hands: list[tuple[float, AtTable]] = []
        for number, table in zip(range(arguments.seconds), umpire.tables, strict=False):
            time.sleep(max(0.0, began + number - time.monotonic()))
            saves.append(umpire.win(table))
            hands.append((1000 * time.time(), table))
        core = (cpu(web) - spent) / (time.monotonic() - began)
        time.sleep(SETTLES)
        output, _ = hall.communicate()
        for phone, loads in zip(phones, json.loads(output), strict=True):
            phone.loads = [tuple(load) for load in loads]
        players = [player for table in umpire.tables for player in table.players]
        first = asyncio.run(fragment_milliseconds(urls[0], web, event, players))
        umpire.win(umpire.tables[-1])
        time.sleep(1)
        fragment = asyncio.run(fragment_milliseconds(urls[0], web, event, players))
        return figures(phones, hands, version) | {
            "save_ms": milliseconds(saves),
            "core": round(core, 2),
            "fragment_ms": {"first": first, "after_a_hand": fragment},
        }


def figures(phones: list[Phone], hands: list[tuple[float, AtTable]], version: int) -> dict[str, Any]:
    statuses = Counter(status for phone in phones for _w, _p, status, _v, _m in phone.loads)
    shown: list[float] = []
    rankings: list[float] = []
    ranks: list[float] = []
    stale = 0
    for number, (answered, table) in enumerate(hands, start=1):
        for phone in phones:
            if phone.table == table.number:
                changed = phone.changed_at()
                stale += changed is None
                shown += [] if changed is None else [max(0.0, changed - answered) / 1000]
            part, into = ("rows/", rankings) if phone.table is None else ("ranks/", ranks)
            if phone.table is None or phone.marker == POINTS:
                when = phone.is_of_version(version + number, part)
                into += [] if when is None else [max(0.0, when - answered) / 1000]
                stale += when is None and number == len(hands)
    within = {
        str(limit): round(sum(delay <= limit for delay in shown) / len(shown), 4) for limit in (1, 2, 5)
    }
    return {
        "hands": len(hands),
        "phones": len(phones),
        "hand_ms": milliseconds(shown),
        "within": within,
        "ranking_ms": milliseconds(rankings),
        "rank_ms": milliseconds(ranks),
        "stale": stale,
        "loads": sum(statuses.values()),
        "refused": statuses[429] + statuses[503],
        "statuses": dict(statuses),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=400)
    parser.add_argument("--phones", type=int, default=400)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--address", choices=("one", "many"), default="one")
    parser.add_argument("--on", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--web", type=int, default=1)
    arguments = parser.parse_args()
    allow_many_files()
    print(json.dumps({"benchmark": "hall", **measure(arguments)}))


if __name__ == "__main__":
    main()
