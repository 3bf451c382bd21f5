"""Concurrent clients of the web processes: umpires, readers of the ranking, an organiser who creates documents."""

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

SECONDS_PER_HAND = 10.0
"""About forty times as fast as people play."""
RANKINGS_PER_SECOND = 50
"""Requests of all readers together."""
TIMEOUT = 30.0
REQUEST = "GET {path} HTTP/1.1\r\nHost: hall\r\nAccept-Encoding: gzip\r\nAccept-Language: en\r\n\r\n"
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> int:
    """Send a request on an open connection; return the length of the response's body."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    length = int(head.lower().partition(b"content-length:")[2].split()[0])
    await reader.readexactly(length)
    return length


@dataclass
class CrowdResult:
    """Response times in seconds, and errors."""

    saves: list[float] = field(default_factory=list)
    saved: dict[tuple[int, int], float] = field(default_factory=dict)
    """When each hand was saved (`time.perf_counter()`), by table and number."""
    rankings: list[float] = field(default_factory=list)
    papers: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)

    @contextlib.contextmanager
    def counting(self, what: str) -> Iterator[None]:
        """Count network errors and refusals instead of raising them."""
        try:
            yield
        except (OSError, ValueError, AssertionError, asyncio.IncompleteReadError) as error:
            self.errors[f"{what}: {error!r:.80}"] += 1


@dataclass(frozen=True)
class Crowd:
    """The clients of one event, distributed over its web processes."""

    sites: list[str]
    event: str
    umpires: list[Umpire]
    """One for each web process, each with all tables."""
    organiser: Client

    def tables(self) -> list[tuple[Umpire, AtTable]]:
        """Return each table with the umpire who records there."""
        tables = self.umpires[0].tables
        return [(self.umpires[index % len(self.umpires)], table) for index, table in enumerate(tables)]

    def rush(self, result: CrowdResult) -> float:
        """Save a hand at all tables at the same time; return after how many seconds the last is answered."""
        tables = self.tables()
        with ThreadPoolExecutor(len(tables)) as pool:
            began = time.perf_counter()
            list(pool.map(lambda pair: self._save(pair[0], pair[1], result), tables))
            return time.perf_counter() - began

    async def steady(self, result: CrowdResult, seconds: float, random: Random) -> None:
        """Save hands, request the ranking and create documents for so many seconds."""
        ends = time.perf_counter() + seconds
        tables = self.tables()
        with ThreadPoolExecutor(len(tables) + 1) as pool:
            umpires = [
                pool.submit(self._umpire, *pair, result, ends, Random(random.random())) for pair in tables
            ]
            papers = pool.submit(self._papers, result, ends)
            await asyncio.gather(*[self._reader(site, result, ends) for site in self.sites])
            for future in (*umpires, papers):
                await asyncio.wrap_future(future)

    def _umpire(
        self, umpire: Umpire, table: AtTable, result: CrowdResult, ends: float, random: Random
    ) -> None:
        """Save the remaining hands of a table, about `SECONDS_PER_HAND` apart."""
        wait = random.uniform(0, SECONDS_PER_HAND)
        while time.perf_counter() + wait < ends and table.hand <= HANDS:
            time.sleep(wait)
            self._save(umpire, table, result)
            wait = random.uniform(0.5, 1.5) * SECONDS_PER_HAND

    def _save(self, umpire: Umpire, table: AtTable, result: CrowdResult) -> None:
        with result.counting("save"):
            hand = table.number, table.hand
            result.saves.append(umpire.win(table))
            result.saved[hand] = time.perf_counter()

    async def _reader(self, site: str, result: CrowdResult, ends: float) -> None:
        """Request the ranking at a fixed rate; response times count from when a request was due."""
        address, tasks = urlsplit(site), set[asyncio.Task[None]]()
        opened, idle = list[Connection](), list[Connection]()
        request = REQUEST.format(path=f"/t/{self.event}/ranking/").encode()

        async def connect() -> Connection:
            opened.append(connection := await asyncio.open_connection(address.hostname, address.port))
            return connection

        async def read(due: float) -> None:
            with result.counting("ranking"):
                connection = idle.pop() if idle else await connect()
                try:
                    await asyncio.wait_for(ask(*connection, request), TIMEOUT)
                except (asyncio.IncompleteReadError, ConnectionResetError):
                    connection = await connect()  # The server closes idle connections.
                    await asyncio.wait_for(ask(*connection, request), TIMEOUT)
                idle.append(connection)
                result.rankings.append(time.perf_counter() - due)

        due = time.perf_counter()
        while due < ends:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            tasks.add(asyncio.create_task(read(due)))
            due += len(self.sites) / RANKINGS_PER_SECOND
        await asyncio.gather(*tasks)
        for _reader, writer in opened:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def _papers(self, result: CrowdResult, ends: float) -> None:
        """Create the standings as a PDF again and again."""
        while time.perf_counter() < ends:
            with result.counting("paper"):
                began = time.perf_counter()
                job = self.organiser.ask("documents/", {"kind": "standings", "language": "en"})["id"]
                while (state := self._state(job)) not in ("done", "failed"):
                    time.sleep(0.1)
                assert state == "done", state
                result.papers.append(time.perf_counter() - began)

    def _state(self, pk: int) -> str:
        return next(str(job["state"]) for job in self.organiser.ask("documents/") if job["id"] == pk)
