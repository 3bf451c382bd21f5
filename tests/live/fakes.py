"""A log kept in memory, what a stream told, and tests that run in an event loop."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, nullcontext
from functools import wraps
from typing import Any, ParamSpec

from tournament.live.hub import Entry, Hub, Versions

P = ParamSpec("P")


@asynccontextmanager
async def running(hub: Hub) -> AsyncIterator[Hub]:
    hub.start()
    try:
        yield hub
    finally:
        await hub.stop()


def on_the_loop(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run an asynchronous test to its end, for at most a minute; the `hub` that it may ask for runs meanwhile."""

    async def with_limit(*args: P.args, **kwargs: P.kwargs) -> None:
        hub = kwargs.get("hub")
        async with running(hub) if isinstance(hub, Hub) else nullcontext(), asyncio.timeout(60):
            await test(*args, **kwargs)

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(with_limit(*args, **kwargs))

    return run


async def until(happened: Callable[[], bool]) -> None:
    while not happened():
        await asyncio.sleep(0.001)


async def turns() -> None:
    """Give everybody the loop so often that whatever can happen without waiting has happened."""
    for _turn in range(100):
        await asyncio.sleep(0)


class ListLog:
    """The log of tournament 7, or of all of `ids`. `reads` counts the queries, `is_down` makes them fail."""

    def __init__(self, length: int = 0) -> None:
        self.rows: list[Entry] = []
        self.ids: tuple[int, ...] = (7,)
        self.reads = 0
        self.is_down = False
        self.exists = self.is_public = True
        self.times_replaced = 0
        self.write(length)

    @property
    def public_version(self) -> int:
        return next((entry.public_seq for entry in reversed(self.rows) if entry.public_seq is not None), 0)

    def write(self, count: int = 1, action: str = "hand_recorded", *, table: int = 1) -> None:
        """What everybody is told of."""
        for seq in range(len(self.rows) + 1, len(self.rows) + 1 + count):
            data = {"session": 1, "table": table, "table_version": seq}
            self.rows.append(Entry(seq, action, data, self.public_version + 1))

    def write_hidden(self, count: int = 1, *, table: int = 1) -> None:
        """In a session whose results are hidden."""
        for seq in range(len(self.rows) + 1, len(self.rows) + 1 + count):
            data = {"session": 2, "table": table, "table_version": seq}
            self.rows.append(Entry(seq, "hand_recorded", data, None, hidden=True))

    async def versions(self, tournament_ids: Iterable[int]) -> dict[int, Versions]:
        await self._count_read()
        versions = Versions(len(self.rows), self.public_version, self.is_public)
        return {key: versions for key in tournament_ids if key in self.ids and self.exists}

    async def entries(self, tournament_id: int, after: int) -> list[Entry]:
        await self._count_read()
        return [entry for entry in self.rows if entry.seq > after]

    async def public_entries(self, tournament_id: int, after: int) -> list[Entry]:
        await self._count_read()
        return [entry for entry in self.rows if (entry.public_seq or 0) > after]

    async def restore_id(self) -> str:
        return str(self.times_replaced or "")

    async def _count_read(self) -> None:
        self.reads += 1
        await asyncio.sleep(0)
        if self.is_down:
            raise ConnectionError("the database is away")


def events_in(stream: bytes) -> list[tuple[str, int]]:
    """[(event, version)] of a piece of stream; the id and the version in the data must agree."""
    events = []
    for block in stream.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != ":")
        if "event" in fields:
            data: dict[str, Any] = json.loads(fields["data"])
            assert int(fields["id"]) == data["version"]
            events.append((fields["event"], data["version"]))
    return events
