"""Who asks a hall's web processes at the same time: umpires, readers of the ranking, an organiser who wants paper."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlsplit

from tests.bench._umpire import HANDS, AtTable, Client, Umpire

A_HAND = 10.0
"""Seconds between two hands of a table: some forty times as fast as people play."""
RANKINGS = 50
"""Requests a second, of all."""
PATIENCE = 30.0
REQUEST = "GET {path} HTTP/1.1\r\nHost: hall\r\nAccept-Encoding: gzip\r\nAccept-Language: en\r\n\r\n"
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> int:
    """One request on an open connection; how many bytes its body has."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    length = int(head.lower().partition(b"content-length:")[2].split()[0])
    await reader.readexactly(length)
    return length


@dataclass
class Found:
    """What a crowd met: seconds each, and how often what went wrong."""

    saves: list[float] = field(default_factory=list)
    saved: dict[tuple[int, int], float] = field(default_factory=dict)
    """When each hand was answered for (`time.perf_counter()`), by table and number."""
    rankings: list[float] = field(default_factory=list)
    papers: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)

    @contextlib.contextmanager
    def counting(self, what: str) -> Iterator[None]:
        """Errors of the network and refusals are counted, not raised: the others go on."""
        try:
            yield
        except (OSError, ValueError, AssertionError, asyncio.IncompleteReadError) as error:
            self.errors[f"{what}: {error!r:.80}"] += 1


@dataclass(frozen=True)
class Crowd:
    """The people of one event, spread over its web processes."""

    sites: list[str]
    event: str
    umpires: list[Umpire]
    """One for each web process, with all the tables each."""
    organiser: Client

    def tables(self) -> list[tuple[Umpire, AtTable]]:
        """Each table with the web process its umpire talks to."""
        first = self.umpires[0].tables
        return [(self.umpires[at % len(self.umpires)], table) for at, table in enumerate(first)]

    def rush(self, found: Found) -> float:
        """Every table saves in the same moment; after how many seconds the last has its answer."""
        tables = self.tables()
        with ThreadPoolExecutor(len(tables)) as hall:
            began = time.perf_counter()
            list(hall.map(lambda at: self._save(at[0], at[1], found), tables))
            return time.perf_counter() - began

    async def steady(self, found: Found, seconds: float, random: Random) -> None:
        """Umpires save as they go, the ranking is asked for at its pace, and one paper is made after the other."""
        ends = time.perf_counter() + seconds
        tables = self.tables()
        with ThreadPoolExecutor(len(tables) + 1) as hall:
            umpires = [hall.submit(self._umpire, *at, found, ends, Random(random.random())) for at in tables]
            papers = hall.submit(self._papers, found, ends)
            await asyncio.gather(*[self._reader(site, found, ends) for site in self.sites])
            for done in (*umpires, papers):
                await asyncio.wrap_future(done)

    def _umpire(self, umpire: Umpire, table: AtTable, found: Found, ends: float, random: Random) -> None:
        """Hands at one table, a tenth of a minute or so after each other, as long as it has any."""
        wait = random.uniform(0, A_HAND)
        while time.perf_counter() + wait < ends and table.hand <= HANDS:
            time.sleep(wait)
            self._save(umpire, table, found)
            wait = random.uniform(0.5, 1.5) * A_HAND

    def _save(self, umpire: Umpire, table: AtTable, found: Found) -> None:
        with found.counting("save"):
            hand = table.number, table.hand
            found.saves.append(umpire.win(table))
            found.saved[hand] = time.perf_counter()

    async def _reader(self, site: str, found: Found, ends: float) -> None:
        """Requests at their pace, however long the answers take: who waits counts from when it would have asked."""
        address, asking = urlsplit(site), set[asyncio.Task[None]]()
        opened, idle = list[Line](), list[Line]()
        request = REQUEST.format(path=f"/t/{self.event}/ranking/").encode()

        async def new() -> Line:
            opened.append(line := await asyncio.open_connection(address.hostname, address.port))
            return line

        async def look(due: float) -> None:
            with found.counting("ranking"):
                line = idle.pop() if idle else await new()
                try:
                    await asyncio.wait_for(ask(*line, request), PATIENCE)
                except (asyncio.IncompleteReadError, ConnectionResetError):
                    line = await new()  # the old one was closed for having been idle, as any server does
                    await asyncio.wait_for(ask(*line, request), PATIENCE)
                idle.append(line)
                found.rankings.append(time.perf_counter() - due)

        due = time.perf_counter()
        while due < ends:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            asking.add(asyncio.create_task(look(due)))
            due += len(self.sites) / RANKINGS
        await asyncio.gather(*asking)
        for _reader, writer in opened:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def _papers(self, found: Found, ends: float) -> None:
        """The standings as a PDF, from the press of the button until the file is there."""
        while time.perf_counter() < ends:
            with found.counting("paper"):
                began = time.perf_counter()
                job = self.organiser.ask("documents/", {"kind": "standings", "language": "en"})["id"]
                while (state := self._state(job)) not in ("done", "failed"):
                    time.sleep(0.1)
                assert state == "done", state
                found.papers.append(time.perf_counter() - began)

    def _state(self, job: int) -> str:
        (found,) = (one for one in self.organiser.ask("documents/") if one["id"] == job)
        return str(found["state"])
