"""What one visitor can do to a server without an account. Prints one JSON object; takes about four minutes.

    bin/bench attacks [--server "manage.py serve --no-demo --port {port}"] [--open-files 1600]

`trailers`: one connection whose chunked body ends in trailers without end. `bodies`: 200 connections that send all but
the last byte of 2.4 MB. `streams`: one address opens 1,200 live streams, then somebody elsewhere asks for the ranking
and an umpire saves. `unread`: 100 connections that ask for a page a hundred times and read none of it. `idle`: 1,500
connections that say nothing. `memory_mb`: by how much all Hule's processes grew at the most; `open_after`: how many of
the connections the server still held after so many seconds, give or take what it opens for itself.
"""

import argparse
import asyncio
import contextlib
import json
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.bench._place import prepared
from tests.bench._umpire import Umpire
from tests.bench._watchers import family, resident_kb
from tests.support.processes import Site, make_place

SERVE = "manage.py serve --no-demo --port {port}"
PLAYERS, SESSIONS = 100, 1
OPEN_FILES = 1600
"""The server's limit: the attacker needs fewer connections, and takes none from the machine."""
LIMITED = """
import os, resource, sys
most = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""
PATIENCE = 20.0
TRAILERS_MOST, TRAILERS_SECONDS = 64 * 1024 * 1024, 10.0
BODIES, BODY, PIECE = 200, 2_400_000, 100_000
STREAMS, ELSEWHERE = 1_200, "127.0.0.2"
UNREAD, PAGES, IDLE = 100, 100, 1_500
AFTER = (5, 15, 45)
"""Seconds after which the open connections are counted."""


class Attacker:
    """Connections to one site, and how its memory grows meanwhile."""

    def __init__(self, site: Site) -> None:
        address = urlsplit(site.url)
        self._at = address.hostname or "", address.port or 0
        self._process = site.process.pid
        self._before, self._files_before = self._kilobytes(), self._files()
        self._most = self._before
        self._lines: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    def _kilobytes(self) -> int:
        return sum(map(resident_kb, family(self._process)))

    def _files(self) -> int:
        return sum(len(list(Path(f"/proc/{process}/fd").iterdir())) for process in family(self._process))

    @property
    def grew_mb(self) -> int:
        return (self._most - self._before) // 1024

    async def watch(self) -> None:
        """Look at the memory until cancelled."""
        while True:
            with contextlib.suppress(OSError):
                self._most = max(self._most, self._kilobytes())
            await asyncio.sleep(0.1)

    async def open(
        self, sent: bytes, *, source: str = "", window: int | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect from an address and send something. `window`: bytes that the connection takes at the most."""
        line = socket.socket()
        line.setblocking(False)
        if window:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        if source:
            line.bind((source, 0))
        async with asyncio.timeout(PATIENCE):
            await asyncio.get_running_loop().sock_connect(line, self._at)
        reader, writer = await asyncio.open_connection(sock=line, limit=1024)
        if window:
            writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(sent)
        self._lines.append((reader, writer))
        return reader, writer

    async def status(self, path: str, source: str) -> str:
        """The status that somebody gets who asks for a page, or what went wrong."""
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await self.open(
                    f"GET {path} HTTP/1.1\r\nHost: hall\r\n\r\n".encode(), source=source
                )
                said = (await reader.readline()).decode().split()
                writer.close()
                return said[1] if len(said) > 1 else "closed"
        except (OSError, TimeoutError) as fault:
            return type(fault).__name__

    def open_lines(self) -> int:
        """How many connections the server still holds: this end of one may not know that the other is closed."""
        return self._files() - self._files_before

    def leave(self) -> None:
        for _reader, writer in self._lines:
            writer.transport.abort()
        self._lines = []


@asynccontextmanager
async def attacking(site: Site) -> AsyncIterator[Attacker]:
    attacker = Attacker(site)
    watching = asyncio.create_task(attacker.watch())
    try:
        yield attacker
    finally:
        watching.cancel()
        attacker.leave()
        await asyncio.sleep(1)


async def open_after(attacker: Attacker) -> dict[str, int]:
    began, found = time.monotonic(), {}
    for seconds in AFTER:
        await asyncio.sleep(max(0.0, began + seconds - time.monotonic()))
        found[str(seconds)] = attacker.open_lines()
    return found


async def many(number: int, connect: Callable[[], Awaitable[object]]) -> int:
    """Open so many connections, some at a time; returns how many came about."""
    made = 0
    for at in range(0, number, 50):
        some = (connect() for _ in range(min(50, number - at)))
        done = await asyncio.gather(*some, return_exceptions=True)
        made += sum(not isinstance(one, BaseException) for one in done)
    return made


async def trailers(attacker: Attacker) -> dict[str, Any]:
    head = b"POST /login/ HTTP/1.1\r\nHost: hall\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
    _reader, writer = await attacker.open(head)
    lines = b"".join(b"x-%d: %s\r\n" % (number, b"a" * 1000) for number in range(60))
    began, sent = time.monotonic(), 0
    with contextlib.suppress(OSError, TimeoutError):
        while sent < TRAILERS_MOST and time.monotonic() - began < TRAILERS_SECONDS:
            writer.write(lines)
            async with asyncio.timeout(2):
                await writer.drain()
            sent += len(lines)
    return {"sent_mb": round(sent / 1024 / 1024, 1), "seconds": round(time.monotonic() - began, 1)}


async def bodies(attacker: Attacker) -> dict[str, Any]:
    head = f"POST /login/ HTTP/1.1\r\nHost: hall\r\nContent-Length: {BODY}\r\n\r\n".encode()

    async def send_nearly_all() -> None:
        _reader, writer = await attacker.open(head)
        with contextlib.suppress(OSError, TimeoutError):
            for left in range(BODY - 1, 0, -PIECE):
                writer.write(b"x" * min(PIECE, left))
                async with asyncio.timeout(PATIENCE):
                    await writer.drain()

    made = await many(BODIES, send_nearly_all)
    return {"connections": made, "open_after": await open_after(attacker)}


async def streams(attacker: Attacker, event: str, umpire: Umpire) -> dict[str, Any]:
    head = f"GET /live/{event}/ HTTP/1.1\r\nHost: hall\r\n\r\n".encode()
    said: list[bytes] = []

    async def watch() -> None:
        reader, _writer = await attacker.open(head)
        async with asyncio.timeout(PATIENCE):
            said.append(await reader.readline())

    await many(STREAMS, watch)
    elsewhere = {
        "ranking": await attacker.status(f"/t/{event}/ranking/", ELSEWHERE),
        "stream": await attacker.status(f"/live/{event}/", ELSEWHERE),
    }
    try:
        saved = round(1000 * await asyncio.to_thread(umpire.win, umpire.tables[0]))
    except OSError as refused:
        elsewhere["save"] = str(refused)
    else:
        elsewhere["save_ms"] = str(saved)
    return {"streams": sum(b" 200 " in line for line in said), "elsewhere": elsewhere}


async def unread(attacker: Attacker, event: str) -> dict[str, Any]:
    head = f"GET /t/{event}/ranking/ HTTP/1.1\r\nHost: hall\r\n\r\n".encode()
    made = await many(UNREAD, lambda: attacker.open(PAGES * head, window=2048))
    return {"connections": made, "open_after": await open_after(attacker)}


async def idle(attacker: Attacker, event: str) -> dict[str, Any]:
    made = await many(IDLE, lambda: attacker.open(b""))
    elsewhere = await attacker.status(f"/t/{event}/ranking/", ELSEWHERE)
    return {"connections": made, "elsewhere": elsewhere, "open_after": await open_after(attacker)}


async def settled(site: Site) -> None:
    """Wait until the server and its worker have loaded what they need: a minute at the most."""
    before = 0
    for _ in range(12):
        now = sum(map(resident_kb, family(site.process.pid)))
        if abs(now - before) < 1024:
            return
        before = now
        await asyncio.sleep(5)


async def attacks(site: Site, event: str, umpire: Umpire) -> dict[str, Any]:
    """One attack after the other on the same server."""
    umpire.win(umpire.tables[0])
    await settled(site)
    each: dict[str, Callable[[Attacker], Awaitable[dict[str, Any]]]] = {
        "trailers": trailers,
        "bodies": bodies,
        "streams": lambda attacker: streams(attacker, event, umpire),
        "unread": lambda attacker: unread(attacker, event),
        "idle": lambda attacker: idle(attacker, event),
    }
    found = {}
    for name, attack in each.items():
        async with attacking(site) as attacker:
            found[name] = await attack(attacker)
            found[name]["memory_mb"] = attacker.grew_mb
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--server", default=SERVE, help="another server's command")
    parser.add_argument("--open-files", type=int, default=OPEN_FILES, help="the server's limit")
    chosen = parser.parse_args()
    with make_place(None, API_RATE_TOKEN="0") as place:
        event, token = prepared(place, PLAYERS, SESSIONS)
        with place.web("-c", LIMITED, str(chosen.open_files), *chosen.server.split()) as site:
            umpire = Umpire(site.url, event, token, SESSIONS)
            found = asyncio.run(attacks(site, event, umpire))
    print(json.dumps({"benchmark": "attacks", "server": chosen.server, **found}))


if __name__ == "__main__":
    main()
