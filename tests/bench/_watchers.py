"""Watchers of the stream, and a process of their own for them: when the last of them had heard of each version.

    python -m tests.bench._watchers ADDRESS WATCHERS

Says "watching" once all lines stand; at the end of its input it prints, as JSON, for each watcher the versions it heard
and their moments.
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
    """Everybody who watches one stream, what each has heard, and when each version had reached how many."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)
        self._lines: list[tuple[asyncio.StreamWriter, asyncio.Task[None]]] = []
        self.heard: list[list[int]] = []
        self.when: list[list[float]] = []
        """The moments (`time.perf_counter()`, one clock for all processes of a machine) of what each has heard."""
        self.resets: list[list[int]] = []
        """The versions at which each was told to read everything again."""
        self.moments: defaultdict[int, list[float]] = defaultdict(list)

    async def fill(self, watchers: int) -> None:
        for number in range(watchers):
            self.heard.append([])
            self.when.append([])
            self.resets.append([])
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

    def missed(self, number: int, versions: Sequence[int]) -> int:
        """How many of the versions a watcher was not told, neither one by one nor by a reset at a later one.

        A reset covers what came after the last version heard before it.
        """
        told = set(self.heard[number])
        for at in self.resets[number]:
            before = max((version for version in self.heard[number] if version < at), default=0)
            told.update(range(before, at + 1))
        return len(set(versions) - told)

    async def leave(self) -> None:
        for number in range(len(self._lines)):
            await self.go(number)

    async def _follow(self, reader: asyncio.StreamReader, number: int) -> None:
        heard, rest = self.heard[number], b""
        while piece := await reader.read(65536):
            now = time.perf_counter()
            whole, blank, rest = (rest + piece).rpartition(b"\n\n")
            for found, name in EVENT.findall(whole + blank):
                version = int(found)
                heard.append(version)
                self.when[number].append(now)
                self.moments[version].append(now)
                if name == b"reset":
                    self.resets[number].append(version)


def resident_kb(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def family(process: int) -> list[int]:
    """A process and all it has started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *(one for child in children for one in family(int(child)))]


def allow_many_files() -> None:
    """As many open connections as the system lets this process, and those it starts, have."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@dataclass
class Heard:
    """What each watcher heard: versions in their order, and when."""

    lines: list[tuple[list[int], list[float]]] = field(default_factory=list)

    def last(self, version: int) -> float | None:
        """When the last watcher knew of the version, or of a later one; None where somebody never did."""
        moments = []
        for versions, when in self.lines:
            at = bisect_left(versions, version)
            if at == len(versions):
                return None
            moments.append(when[at])
        return max(moments)


@contextmanager
def watching(sites: list[str], event: str, watchers: int, place: Place) -> Iterator[Heard]:
    """So many watchers, spread over the web processes; what they heard is there when the block is left."""
    share = watchers // len(sites)
    processes = [
        place.start("-m", __name__, f"{site}/live/{event}/", str(share), stdin=subprocess.PIPE, stderr=None)
        for site in sites
    ]
    heard = Heard()
    try:
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == "watching\n"
        yield heard
        for process in processes:
            output, _ = process.communicate(timeout=60)
            heard.lines += [(versions, when) for versions, when in json.loads(output)]
    finally:
        for process in processes:
            process.kill()
            process.wait()


async def watch(address: str, watchers: int) -> None:
    hall = Hall(address)
    await hall.fill(watchers)
    print("watching", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(json.dumps(list(zip(hall.heard, hall.when, strict=True))))
    await hall.leave()


if __name__ == "__main__":
    allow_many_files()
    asyncio.run(watch(sys.argv[1], int(sys.argv[2])))
