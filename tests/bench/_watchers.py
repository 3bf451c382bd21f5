"""A hall of watchers on one server process: what each costs, how soon the last one has a save, that none is lost.

The save is a wash-out posted to the API. It is compared with an empty message through the same hub in a process without
a database (`_hub_alone`), to as many watchers.
"""

import asyncio
import re
import resource
import time
from collections import defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from tests.bench._umpire import Umpire, milliseconds
from tests.support.processes import Site

WATCHERS, TIMED = 5000, 15
"""How many watch, and how many saves are timed, each by itself."""
RUN, AT_ONCE = 500, 10
"""Then so many saves, so many at a time."""
AWAY, AWAY_FOR = 100, 80
"""In their midst so many watchers lose the line for so many saves, and come back with the last event's id."""


class Hall:
    """Everybody who watches one stream, what each has heard, and when each version had reached how many."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)
        self._lines: list[tuple[asyncio.StreamWriter, asyncio.Task[None]]] = []
        self.heard: list[list[int]] = []
        self.when: list[list[float]] = []
        """The moments (`time.perf_counter()`, one clock for all processes of a machine) of what each has heard."""
        self.moments: defaultdict[int, list[float]] = defaultdict(list)

    async def fill(self, watchers: int) -> None:
        for number in range(watchers):
            self.heard.append([])
            self.when.append([])
            await self.come(number)

    async def come(self, number: int) -> None:
        """Connect, as a browser does that has heard something before: with the last event's id."""
        reader, writer = await asyncio.open_connection(self._address.hostname, self._address.port)
        last = f"Last-Event-ID: {self.heard[number][-1]}\r\n" if self.heard[number] else ""
        writer.write(f"GET {self._address.path} HTTP/1.1\r\nHost: hall\r\n{last}\r\n".encode())
        await reader.readuntil(b"retry: 2000")
        line = writer, asyncio.create_task(self._follow(reader, number))
        self._lines[number : number + 1] = [line]

    async def go(self, number: int) -> None:
        writer, following = self._lines[number]
        following.cancel()
        writer.close()
        await asyncio.wait([following])

    async def until(self, version: int, how_many: int) -> list[float]:
        """When each had heard of the version, once so many have."""
        while len(self.moments[version]) < how_many:
            await asyncio.sleep(0.002)
        return self.moments[version]

    async def leave(self) -> None:
        for number in range(len(self._lines)):
            await self.go(number)

    async def _follow(self, reader: asyncio.StreamReader, number: int) -> None:
        heard = self.heard[number]
        while piece := await reader.read(65536):
            now = time.perf_counter()
            for found in re.findall(rb"^id: (\d+)", piece, re.MULTILINE):
                heard.append(int(found))
                self.when[number].append(now)
                self.moments[int(found)].append(now)


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
    lost = sum(len(everything) - len(set(heard)) for heard in hall.heard)
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


def resident_kb(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def allow_many_files() -> None:
    """As many open connections as the system lets this process, and those it starts, have."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
