"""One server process with SQLite and 400 players. Prints one JSON object; takes about five minutes.

`ranking` and `standings`: requests per second, compared with a bare ASGI application whose responses have as many
bytes. Both servers run at the same time and are measured in turns, in short rounds; the ratio is that of the medians. A
client slower than the servers would make every ratio 1, so the processor time of a request is compared as well.

`hall`: the memory of each of 5,000 watchers, how soon the last one receives a save (a wash-out posted to the API), and
how many versions were lost: received neither one by one nor by a reset, which makes a page read everything again.
`last_to_empty`: that time divided by the time of an empty message through the hub without a database (`_hub_alone`).
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
from tests.bench._place import ONE_ADDRESS, SERVER, prepare_demonstration
from tests.bench._umpire import Umpire, milliseconds
from tests.bench._watchers import Hall, allow_many_files, resident_kb
from tests.support.processes import Place, Site, make_place

PLAYERS = 400
CONNECTIONS, SECONDS, ROUNDS = 8, 1.0, 7
WATCHERS, TIMED = 5000, 15
"""The number of watchers, and of saves that are timed one by one."""
RUN, AT_ONCE = 500, 10
"""The number of saves after these, and how many are sent at a time."""
AWAY, AWAY_FOR = 100, 80
"""During the run so many watchers are disconnected for so many saves, and reconnect with the last event's id."""


async def body_size(site: Site, path: str) -> int:
    address = urlsplit(site.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    size = await ask(reader, writer, REQUEST.format(path=path).encode())
    writer.close()
    return size


async def measure_round(site: Site, path: str) -> tuple[float, float]:
    """Return requests per second, and processor microseconds per request."""
    address, request = urlsplit(site.url), REQUEST.format(path=path).encode()
    began, spent, counts = time.perf_counter(), processor_seconds(site.process.pid), [0] * CONNECTIONS

    async def client(number: int) -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        while time.perf_counter() - began < SECONDS:
            await ask(reader, writer, request)
            counts[number] += 1
        writer.close()

    await asyncio.gather(*(client(number) for number in range(CONNECTIONS)))
    took, served = time.perf_counter() - began, sum(counts)
    return served / took, 1e6 * (processor_seconds(site.process.pid) - spent) / served


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def compare_with_bare(place: Place, site: Site, path: str) -> dict[str, Any]:
    size = await body_size(site, path)
    place.environment["BODY"] = str(size)
    rounds: dict[str, list[tuple[float, float]]] = {"ours": [], "bare": []}
    with place.web(*SERVER, "tests.bench._bare:application") as bare:
        for _ in range(ROUNDS):
            rounds["bare"].append(await measure_round(bare, "/"))
            rounds["ours"].append(await measure_round(site, path))
    medians = {
        name: [statistics.median(column) for column in zip(*figures, strict=True)]
        for name, figures in rounds.items()
    }
    return {
        "bytes": size,
        "requests_per_second": round(medians["ours"][0]),
        "ratio_to_bare": round(medians["ours"][0] / medians["bare"][0], 2),
        "cpu_us": round(medians["ours"][1]),
        "cpu_us_bare": round(medians["bare"][1]),
    }


async def measure_hall(site: Site, slug: str, token: str) -> dict[str, Any]:
    """Connect the watchers, time some saves, then run many saves while some watchers disconnect and reconnect."""
    allow_many_files()
    umpire, hall = Umpire(site.url, slug, token, 1), Hall(f"{site.url}/live/{slug}/")
    before = resident_kb(site.process.pid)
    await hall.fill(WATCHERS)
    kb_each = (resident_kb(site.process.pid) - before) / WATCHERS
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
            await asyncio.gather(*(hall.disconnect(number) for number in range(AWAY)))
        if saved == RUN // 2:
            await asyncio.gather(*(hall.connect(number) for number in range(AWAY)))
        await asyncio.gather(*(asyncio.to_thread(umpire.next_wash_out) for _ in range(AT_ONCE)))
    took = time.perf_counter() - began
    everything = list(range(start - TIMED + 1, start + RUN + 1))
    await hall.until(everything[-1], WATCHERS)
    lost = sum(hall.missed(number, everything) for number in range(WATCHERS))
    out_of_order = sum(versions != sorted(versions) for versions in hall.versions)
    await hall.disconnect_all()
    return {
        "watchers": WATCHERS,
        "kb_each": round(kb_each, 1),
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


async def measure_empty_message(site: Site) -> dict[str, float]:
    """Time empty messages through the hub without a database until the last watcher has received them."""
    hall = Hall(f"{site.url}/live/alone/")
    await hall.fill(WATCHERS)
    last = []
    for version in range(1, TIMED + 1):
        sent = time.perf_counter()
        await asyncio.to_thread(urlopen(Request(f"{site.url}/tell/", method="POST")).read)
        last.append(max(await hall.until(version, WATCHERS)) - sent)
    await hall.disconnect_all()
    return milliseconds(last)


def measure(place: Place) -> dict[str, Any]:
    slug, token = prepare_demonstration(place, PLAYERS, 1)
    with place.web(*SERVER, "config.asgi:application") as site:
        ranking = asyncio.run(compare_with_bare(place, site, f"/t/{slug}/ranking/"))
        standings = asyncio.run(compare_with_bare(place, site, f"/api/v1/tournaments/{slug}/standings/"))
        hall = asyncio.run(measure_hall(site, slug, token))
    with place.web(*SERVER, "tests.bench._hub_alone:application") as alone:
        empty = asyncio.run(measure_empty_message(alone))
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
