"""Watchers of the live stream, in a process of their own.

    python -m tests.bench._watchers ADDRESS WATCHERS

Prints "watching" once all are connected; at the end of its input prints, as JSON, for each watcher the versions that it
received and when.
"""

import asyncio
import json
import re
import resource
import subprocess
import sys
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.processes import Place

EVENT = re.compile(rb"^id: (\d+)\r?\nevent: (\w+)", re.MULTILINE)


class Hall:
    """The watchers of one stream, and the versions that they received."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)
        self._connections: list[tuple[asyncio.StreamWriter, asyncio.Task[None]]] = []
        self.versions: list[list[int]] = []
        """The versions that each watcher received."""
        self.times: list[list[float]] = []
        """When each received them (`time.perf_counter()`, one clock for all processes of a machine)."""
        self.resets: list[list[int]] = []
        """The versions at which each received a reset, which makes a page read everything again."""
        self.moments: defaultdict[int, list[float]] = defaultdict(list)
        """When each version was received, by anybody."""

    async def fill(self, watchers: int) -> None:
        for number in range(watchers):
            self.versions.append([])
            self.times.append([])
            self.resets.append([])
            await self.connect(number)

    async def connect(self, number: int) -> None:
        """Connect a watcher, as a browser does: with the id of the last event, if there is one."""
        reader, writer = await asyncio.open_connection(self._address.hostname, self._address.port)
        last = f"Last-Event-ID: {self.versions[number][-1]}\r\n" if self.versions[number] else ""
        writer.write(f"GET {self._address.path} HTTP/1.1\r\nHost: hall\r\n{last}\r\n".encode())
        await reader.readuntil(b"retry: 2000")
        connection = writer, asyncio.create_task(self._follow(reader, number))
        self._connections[number : number + 1] = [connection]

    async def disconnect(self, number: int) -> None:
        writer, task = self._connections[number]
        task.cancel()
        writer.close()
        await asyncio.wait([task])

    async def until(self, version: int, count: int) -> list[float]:
        """Wait until so many watchers have received the version; return when each did."""
        while len(self.moments[version]) < count:
            await asyncio.sleep(0.002)
        return self.moments[version]

    def missed(self, number: int, versions: Sequence[int]) -> int:
        """Return how many of the versions a watcher did not receive, neither one by one nor by a reset.

        A reset covers all versions since the last one received before it.
        """
        received = set(self.versions[number])
        for reset in self.resets[number]:
            before = max((version for version in self.versions[number] if version < reset), default=0)
            received.update(range(before, reset + 1))
        return len(set(versions) - received)

    async def disconnect_all(self) -> None:
        for number in range(len(self._connections)):
            await self.disconnect(number)

    async def _follow(self, reader: asyncio.StreamReader, number: int) -> None:
        rest = b""
        while piece := await reader.read(65536):
            now = time.perf_counter()
            events, blank, rest = (rest + piece).rpartition(b"\n\n")
            for event_id, name in EVENT.findall(events + blank):
                version = int(event_id)
                self.versions[number].append(version)
                self.times[number].append(now)
                self.moments[version].append(now)
                if name == b"reset":
                    self.resets[number].append(version)


def resident_kb(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def family(process: int) -> list[int]:
    """Return the ids of a process and all its descendants."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *(descendant for child in children for descendant in family(int(child)))]


def allow_many_files() -> None:
    """Raise the limit of open files, and so of connections, of this process and its children to the hard limit."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@dataclass
class Received:
    """The versions that each watcher received, and when."""

    watchers: list[tuple[list[int], list[float]]] = field(default_factory=list)

    def last(self, version: int) -> float | None:
        """Return when the last watcher had received this or a later version; None if somebody never did."""
        moments = []
        for versions, times in self.watchers:
            index = bisect_left(versions, version)
            if index == len(versions):
                return None
            moments.append(times[index])
        return max(moments)


@contextmanager
def watching(sites: list[str], event: str, watchers: int, place: Place) -> Iterator[Received]:
    """Start so many watchers, distributed over the web processes. What they received is set when the block ends."""
    share = watchers // len(sites)
    processes = [
        place.start("-m", __name__, f"{site}/live/{event}/", str(share), stdin=subprocess.PIPE, stderr=None)
        for site in sites
    ]
    received = Received()
    try:
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == "watching\n"
        yield received
        for process in processes:
            output, _ = process.communicate(timeout=60)
            received.watchers += [(versions, times) for versions, times in json.loads(output)]
    finally:
        for process in processes:
            process.kill()
            process.wait()


async def watch(address: str, watchers: int) -> None:
    hall = Hall(address)
    await hall.fill(watchers)
    print("watching", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(json.dumps(list(zip(hall.versions, hall.times, strict=True))))
    await hall.disconnect_all()


if __name__ == "__main__":
    allow_many_files()
    asyncio.run(watch(sys.argv[1], int(sys.argv[2])))
