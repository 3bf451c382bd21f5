"""The hall on one server process with SQLite, at 400 players. Prints one JSON object; takes about five minutes.

`ranking` and `standings`: requests a second beside a bare ASGI application that answers with as many bytes. Both
servers run beside each other and are asked in turns, in short rounds; the ratio is that of the medians. A client that
is slower than the servers would make every ratio 1, so the processor time a request costs is compared as well.

`hall`: what each of 5,000 watchers costs, how soon the last one has a save (a wash-out posted to the API), that none is
lost: each version was told to each watcher, one by one or by a reset, which has a page read everything again.
`last_to_empty`: that time in times of an empty message through the same hub without a database (`_hub_alone`).
"""

import asyncio
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from tests.bench._crowd import REQUEST, ask
from tests.bench._place import ONE_ADDRESS, SERVER, prepared
from tests.bench._umpire import Umpire, milliseconds
from tests.bench._watchers import Hall, allow_many_files, resident_kb
from tests.support.processes import Place, Site, make_place

PLAYERS = 400
CONNECTIONS, SECONDS, ROUNDS = 8, 1.0, 7
WATCHERS, TIMED = 5000, 15
"""How many watch, and how many saves are timed, each by itself."""
RUN, AT_ONCE = 500, 10
"""Then so many saves, so many at a time."""
AWAY, AWAY_FOR = 100, 80
"""In their midst so many watchers lose the line for so many saves, and come back with the last event's id."""


async def body_size(site: Site, path: str) -> int:
    address = urlsplit(site.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    size = await ask(reader, writer, REQUEST.format(path=path).encode())
    writer.close()
    return size


async def round_of(site: Site, path: str) -> tuple[float, float]:
    """Requests a second, and processor microseconds a request."""
    address, request = urlsplit(site.url), REQUEST.format(path=path).encode()
    began, spent, counts = time.perf_counter(), processor_seconds(site), [0] * CONNECTIONS

    async def client(number: int) -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        while time.perf_counter() - began < SECONDS:
            await ask(reader, writer, request)
            counts[number] += 1
        writer.close()

    await asyncio.gather(*(client(number) for number in range(CONNECTIONS)))
    took, served = time.perf_counter() - began, sum(counts)
    return served / took, 1e6 * (processor_seconds(site) - spent) / served


def processor_seconds(site: Site) -> float:
    fields = Path(f"/proc/{site.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def against_bare(place: Place, site: Site, path: str) -> dict[str, Any]:
    size = await body_size(site, path)
    place.environment["BODY"] = str(size)
    rounds: dict[str, list[tuple[float, float]]] = {"ours": [], "bare": []}
    with place.web(*SERVER, "tests.bench._bare:application") as bare:
        for _ in range(ROUNDS):
            rounds["bare"].append(await round_of(bare, "/"))
            rounds["ours"].append(await round_of(site, path))
    medians = {
        name: [statistics.median(each[at] for each in found) for at in (0, 1)]
        for name, found in rounds.items()
    }
    return {
        "bytes": size,
        "requests_per_second": round(medians["ours"][0]),
        "ratio_to_bare": round(medians["ours"][0] / medians["bare"][0], 2),
        "cpu_us": round(medians["ours"][1]),
        "cpu_us_bare": round(medians["bare"][1]),
    }


async def a_hall(site: Site, slug: str, token: str) -> dict[str, Any]:
    """Fill the hall, time some saves, then a run of them in which some leave and come back."""
    allow_many_files()
    umpire, hall = Umpire(site.url, slug, token, 1), Hall(f"{site.url}/live/{slug}/")
    before = resident_kb(site.process.pid)
    await hall.fill(WATCHERS)
    each = (resident_kb(site.process.pid) - before) / WATCHERS
    first, last, version = [], [], umpire.version
    for _ in range(TIMED):
        sent = await asyncio.to_thread(umpire.next_wash_out)
        version += 1
        moments = await hall.until(version, WATCHERS)
        first.append(min(moments) - sent)
        last.append(max(moments) - sent)
    began, start = time.perf_counter(), version
    for saved in range(0, RUN, AT_ONCE):
        if saved == RUN // 2 - AWAY_FOR:
            await asyncio.gather(*(hall.go(number) for number in range(AWAY)))
        if saved == RUN // 2:
            await asyncio.gather(*(hall.come(number) for number in range(AWAY)))
        await asyncio.gather(*(asyncio.to_thread(umpire.next_wash_out) for _ in range(AT_ONCE)))
    took = time.perf_counter() - began
    everything = list(range(start - TIMED + 1, start + RUN + 1))
    await hall.until(everything[-1], WATCHERS)
    lost = sum(hall.missed(number, everything) for number in range(WATCHERS))
    out_of_order = sum(heard != sorted(heard) for heard in hall.heard)
    await hall.leave()
    return {
        "watchers": WATCHERS,
        "kb_each": round(each, 1),
        "first_heard_ms": milliseconds(first),
        "last_heard_ms": milliseconds(last),
        "run": {
            "saves": RUN,
            "seconds": round(took, 1),
            "told": WATCHERS * len(everything),
            "resets": sum(map(len, hall.resets)),
            "lost": lost,
            "out_of_order": out_of_order,
        },
    }


async def an_empty_message(site: Site) -> dict[str, float]:
    """The same hub without a database: from the moment a message is made until the last watcher has it."""
    hall = Hall(f"{site.url}/live/alone/")
    await hall.fill(WATCHERS)
    last = []
    for version in range(1, TIMED + 1):
        sent = time.perf_counter()
        await asyncio.to_thread(urlopen(Request(f"{site.url}/tell/", method="POST")).read)
        last.append(max(await hall.until(version, WATCHERS)) - sent)
    await hall.leave()
    return milliseconds(last)


def measure(place: Place) -> dict[str, Any]:
    slug, token = prepared(place, PLAYERS, 1)
    with place.web(*SERVER, "config.asgi:application") as site:
        ranking = asyncio.run(against_bare(place, site, f"/t/{slug}/ranking/"))
        standings = asyncio.run(against_bare(place, site, f"/api/v1/tournaments/{slug}/standings/"))
        hall = asyncio.run(a_hall(site, slug, token))
    with place.web(*SERVER, "tests.bench._hub_alone:application") as alone:
        empty = asyncio.run(an_empty_message(alone))
    return {
        "benchmark": "live",
        "players": PLAYERS,
        "ranking": ranking,
        "standings": standings,
        "hall": hall,
        "empty_message_ms": empty,
        "last_to_empty": round(hall["last_heard_ms"]["median"] / empty["median"], 2),
    }


if __name__ == "__main__":
    allow_many_files()
    with make_place(None, **ONE_ADDRESS) as place:
        print(json.dumps(measure(place)))
