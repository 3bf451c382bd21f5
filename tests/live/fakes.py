"""A log kept in memory, and the ASGI side of a watching browser."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from tournament.live.events import Entry


class ListLog:
    """Tournament 7's log. `reads` counts the queries, `is_down` makes them fail."""

    def __init__(self, length: int = 0) -> None:
        self.rows = [Entry(seq, "hand_recorded", {"hand": seq}) for seq in range(1, length + 1)]
        self.reads = 0
        self.is_down = False
        self.exists = True
        self.times_replaced = 0

    def write(self, count: int = 1) -> None:
        for _ in range(count):
            seq = len(self.rows) + 1
            self.rows.append(Entry(seq, "hand_recorded", {"hand": seq}))

    async def versions(self, tournament_ids: Iterable[int]) -> dict[int, int]:
        await self._read()
        return {key: len(self.rows) for key in tournament_ids if key == 7 and self.exists}

    async def entries(self, tournament_id: int, after: int) -> list[Entry]:
        await self._read()
        return [entry for entry in self.rows if entry.seq > after]

    async def era(self) -> str:
        return str(self.times_replaced or "")

    async def _read(self) -> None:
        self.reads += 1
        await asyncio.sleep(0)
        if self.is_down:
            raise ConnectionError("the database is away")


def told(stream: bytes) -> list[tuple[str, int]]:
    """[(event, version)] of a piece of stream; the id and the version in the data must agree."""
    events = []
    for block in stream.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != ":")
        if "event" in fields:
            data: dict[str, Any] = json.loads(fields["data"])
            assert int(fields["id"]) == data["version"]
            events.append((fields["event"], data["version"]))
    return events
