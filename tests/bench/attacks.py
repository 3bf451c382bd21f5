"""Attacks by one visitor without an account. Prints one JSON object; takes about six minutes.

    bin/bench attacks [--only NAME …] [--server "manage.py serve --no-demo --port {port}"] [--open-files 1600]

`trailers`: one connection with a chunked body and endless trailers. `bodies`: 200 connections that send all but the
last byte of 2.4 MB. `streams`: one address opens 1,200 live streams, then another address requests the ranking and an
umpire saves (`elsewhere`). `card`: the same with the card of a table. `probes`: 1,400 connections that request
`/healthz` every seven seconds. `unread`: 100 connections that request a page a hundred times and read no response.
`idle`: 1,500 connections that send nothing. `phones`: 60 subscriptions to a player at a push service that accepts
everything, after the player's own phone; `left`: whether that is still there. `memory_mb`: the largest growth of all
Hule's processes together. `open_after`: how many of the connections the server still holds after so many seconds,
including a few that it opens itself.
"""

import argparse
import asyncio
import contextlib
import json
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from tests.bench._place import prepare_demonstration
from tests.bench._umpire import Umpire
from tests.bench._watchers import family, resident_kb
from tests.support.processes import Place, Site, make_place

SERVE = "manage.py serve --no-demo --port {port}"
PLAYERS, SESSIONS = 100, 1
OPEN_FILES = 1600
"""The server's limit of open files, low enough for the attacker to reach."""
LIMITED = """
import os, resource, sys
most = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""
TIMEOUT = 20.0
TRAILERS_BYTES, TRAILERS_SECONDS = 64 * 1024 * 1024, 10.0
BODIES, BODY, PIECE = 200, 2_400_000, 100_000
STREAMS, ELSEWHERE = 1_200, "127.0.0.2"
PROBES, PROBE_SECONDS = 1_400, 7.0
"""Connections, and the seconds between their requests: less than the server waits for the next one."""
UNREAD, PAGES, IDLE = 100, 100, 1_500
PHONES, PHONE_ADDRESSES = 60, 8
KEYS = {
    "p256dh": "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
    "auth": "AAAAAAAAAAAAAAAAAAAAAA",
}
"""Of a phone: the base point of P-256, and 16 bytes."""
AFTER = (5, 15, 45)
"""Seconds after which the open connections are counted."""
_FIRST_PHONE = """
from tournament.messages.push.models import Phone
print(Phone.objects.filter(endpoint={endpoint!r}).exists())
"""
_CARD = """
from datetime import timedelta
from django.contrib.auth.models import User
from django.utils import timezone
from tournament.base.access import Actor
from tournament.base.models.tournament import Tournament
from tournament.staff.passes import PassScope
from tournament.staff.services import make_passes
tomorrow, organiser = timezone.now() + timedelta(days=1), Actor.of(User.objects.get(username="organiser"))
print(make_passes(Tournament.objects.get(), organiser, [PassScope(table_number=1)], tomorrow)[0].token)
"""


class AcceptsEverything(BaseHTTPRequestHandler):
    """A push service of the attacker."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        pass


class Attacker:
    """Connections to one site, and the growth of its memory meanwhile."""

    def __init__(self, site: Site) -> None:
        url = urlsplit(site.url)
        self._address = url.hostname or "", url.port or 0
        self._process = site.process.pid
        self._memory_before, self._files_before = self._kilobytes(), self._files()
        self._peak = self._memory_before
        self._connections: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    def _kilobytes(self) -> int:
        return sum(map(resident_kb, family(self._process)))

    def _files(self) -> int:
        return sum(len(list(Path(f"/proc/{process}/fd").iterdir())) for process in family(self._process))

    @property
    def grew_mb(self) -> int:
        return (self._peak - self._memory_before) // 1024

    async def watch(self) -> None:
        """Update the peak of the memory until cancelled."""
        while True:
            with contextlib.suppress(OSError):
                self._peak = max(self._peak, self._kilobytes())
            await asyncio.sleep(0.1)

    async def open(
        self, data: bytes, *, source: str = "", window: int | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect from an address and send data. `window`: size of the receive buffer, which is then not read."""
        connection = socket.socket()
        connection.setblocking(False)
        if window:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        if source:
            connection.bind((source, 0))
        async with asyncio.timeout(TIMEOUT):
            await asyncio.get_running_loop().sock_connect(connection, self._address)
        reader, writer = await asyncio.open_connection(sock=connection, limit=1024)
        if window:
            writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(data)
        self._connections.append((reader, writer))
        return reader, writer

    async def status(self, path: str, source: str) -> str:
        """Return the status code of a page for this address, or the name of the error."""
        try:
            async with asyncio.timeout(TIMEOUT):
                reader, writer = await self.open(
                    f"GET {path} HTTP/1.1\r\nHost: hall\r\n\r\n".encode(), source=source
                )
                status_line = (await reader.readline()).decode().split()
                writer.close()
                return status_line[1] if len(status_line) > 1 else "closed"
        except (OSError, TimeoutError) as error:
            return type(error).__name__

    def open_connections(self) -> int:
        """Return how many connections the server still holds, by its open files."""
        return self._files() - self._files_before

    def disconnect_all(self) -> None:
        for _reader, writer in self._connections:
            writer.transport.abort()
        self._connections = []


@asynccontextmanager
async def attacking(site: Site) -> AsyncIterator[Attacker]:
    attacker = Attacker(site)
    watching = asyncio.create_task(attacker.watch())
    try:
        yield attacker
    finally:
        watching.cancel()
        attacker.disconnect_all()
        await asyncio.sleep(1)


async def open_after(attacker: Attacker) -> dict[str, int]:
    began, counts = time.monotonic(), {}
    for seconds in AFTER:
        await asyncio.sleep(max(0.0, began + seconds - time.monotonic()))
        counts[str(seconds)] = attacker.open_connections()
    return counts


async def open_many(number: int, connect: Callable[[], Awaitable[object]]) -> int:
    """Open so many connections, 50 at a time; return how many succeeded."""
    opened = 0
    for start in range(0, number, 50):
        batch = (connect() for _ in range(min(50, number - start)))
        results = await asyncio.gather(*batch, return_exceptions=True)
        opened += sum(not isinstance(result, BaseException) for result in results)
    return opened


async def trailers(attacker: Attacker) -> dict[str, Any]:
    head = b"POST /login/ HTTP/1.1\r\nHost: hall\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
    _reader, writer = await attacker.open(head)
    lines = b"".join(b"x-%d: %s\r\n" % (number, b"a" * 1000) for number in range(60))
    began, sent = time.monotonic(), 0
    with contextlib.suppress(OSError, TimeoutError):
        while sent < TRAILERS_BYTES and time.monotonic() - began < TRAILERS_SECONDS:
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
            for remaining in range(BODY - 1, 0, -PIECE):
                writer.write(b"x" * min(PIECE, remaining))
                async with asyncio.timeout(TIMEOUT):
                    await writer.drain()

    opened = await open_many(BODIES, send_nearly_all)
    return {"connections": opened, "open_after": await open_after(attacker)}


async def streams(attacker: Attacker, event: str, umpire: Umpire, cookie: str = "") -> dict[str, Any]:
    head = f"GET /live/{event}/ HTTP/1.1\r\nHost: hall\r\nCookie: {cookie}\r\n\r\n".encode()
    status_lines: list[bytes] = []

    async def watch() -> None:
        reader, _writer = await attacker.open(head)
        async with asyncio.timeout(TIMEOUT):
            status_lines.append(await reader.readline())

    await open_many(STREAMS, watch)
    opened = sum(b" 200 " in line for line in status_lines)
    return {"streams": opened, "elsewhere": await elsewhere(attacker, event, umpire)}


async def elsewhere(attacker: Attacker, event: str, umpire: Umpire) -> dict[str, str]:
    """Return what a visitor at another address and an umpire get meanwhile."""
    results = {
        "ranking": await attacker.status(f"/t/{event}/ranking/", ELSEWHERE),
        "stream": await attacker.status(f"/live/{event}/", ELSEWHERE),
    }
    try:
        results["save_ms"] = str(round(1000 * await asyncio.to_thread(umpire.win, umpire.tables[0])))
    except OSError as error:
        results["save"] = str(error)
    return results


async def card(attacker: Attacker, event: str, umpire: Umpire, token: str) -> dict[str, Any]:
    reader, _writer = await attacker.open(f"GET /pass/{token}/ HTTP/1.1\r\nHost: hall\r\n\r\n".encode())
    cookie = ""
    while (line := await reader.readline()).strip():
        if line.lower().startswith(b"set-cookie: sessionid="):
            cookie = line.decode().split(": ")[1].split(";")[0]
    desk = f"GET /umpire/{event}/ HTTP/1.1\r\nHost: hall\r\nCookie: {cookie}\r\n\r\n"
    reader, _writer = await attacker.open(desk.encode())
    assert b" 200 " in await reader.readline()
    return await streams(attacker, event, umpire, cookie)


async def probes(attacker: Attacker, event: str, umpire: Umpire) -> dict[str, Any]:
    request = b"GET /healthz HTTP/1.1\r\nHost: hall\r\n\r\n"

    async def keep() -> None:
        reader, writer = await attacker.open(b"")
        while not reader.at_eof():
            writer.write(request)
            await reader.readuntil(b"alive")
            await asyncio.sleep(PROBE_SECONDS)

    keeping = [asyncio.create_task(keep()) for _ in range(PROBES)]
    await asyncio.sleep(2 * PROBE_SECONDS)
    results = await elsewhere(attacker, event, umpire)
    opened = sum(not task.done() for task in keeping)
    for task in keeping:
        task.cancel()
    await asyncio.gather(*keeping, return_exceptions=True)
    return {"open": opened, "elsewhere": results}


async def unread(attacker: Attacker, event: str) -> dict[str, Any]:
    head = f"GET /t/{event}/ranking/ HTTP/1.1\r\nHost: hall\r\n\r\n".encode()
    opened = await open_many(UNREAD, lambda: attacker.open(PAGES * head, window=2048))
    return {"connections": opened, "open_after": await open_after(attacker)}


async def idle(attacker: Attacker, event: str) -> dict[str, Any]:
    opened = await open_many(IDLE, lambda: attacker.open(b""))
    ranking = await attacker.status(f"/t/{event}/ranking/", ELSEWHERE)
    return {"connections": opened, "elsewhere": ranking, "open_after": await open_after(attacker)}


async def phones(attacker: Attacker, place: Place, event: str, host: str) -> dict[str, Any]:
    """Subscribe from several addresses, and let the worker reach each phone."""
    statuses = Counter[str]()
    for number in range(PHONES + 1):
        body = json.dumps({"endpoint": f"http://{host}/{number}", "keys": KEYS})
        head = (
            f"POST /t/{event}/players/1/phone/ HTTP/1.1\r\nHost: hall\r\nSec-Fetch-Site: same-origin\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        source = f"127.0.0.{3 + number % PHONE_ADDRESSES}" if number else ELSEWHERE
        reader, _writer = await attacker.open((head + body).encode(), source=source)
        statuses[(await reader.readline()).decode().split()[1]] += 1
        await asyncio.sleep(0.3)
    left = await asyncio.to_thread(place.run, _FIRST_PHONE.format(endpoint=f"http://{host}/0"))
    return {"statuses": statuses, "left": left.strip()}


async def wait_until_settled(site: Site) -> None:
    """Wait until the memory of the server and its worker stops growing, at most a minute."""
    before = 0
    for _ in range(12):
        now = sum(map(resident_kb, family(site.process.pid)))
        if abs(now - before) < 1024:
            return
        before = now
        await asyncio.sleep(5)


async def run_attacks(
    place: Place, site: Site, event: str, umpire: Umpire, token: str, push_host: str, only: list[str]
) -> dict[str, Any]:
    """Run the attacks one after the other on the same server."""
    umpire.win(umpire.tables[0])
    await wait_until_settled(site)
    attacks: dict[str, Callable[[Attacker], Awaitable[dict[str, Any]]]] = {
        "trailers": trailers,
        "bodies": bodies,
        "streams": lambda attacker: streams(attacker, event, umpire),
        "card": lambda attacker: card(attacker, event, umpire, token),
        "probes": lambda attacker: probes(attacker, event, umpire),
        "unread": lambda attacker: unread(attacker, event),
        "idle": lambda attacker: idle(attacker, event),
        "phones": lambda attacker: phones(attacker, place, event, push_host),
    }
    results = {}
    for name, attack in attacks.items():
        if only and name not in only:
            continue
        async with attacking(site) as attacker:
            results[name] = await attack(attacker)
            results[name]["memory_mb"] = attacker.grew_mb
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--server", default=SERVE, help="another server's command")
    parser.add_argument("--open-files", type=int, default=OPEN_FILES, help="the server's limit")
    parser.add_argument("--only", nargs="+", default=[], help="some of the attacks")
    options = parser.parse_args()
    with ThreadingHTTPServer(("127.0.0.1", 0), AcceptsEverything) as push:
        Thread(target=push.serve_forever, daemon=True).start()
        results = attack_a_server(options, f"127.0.0.1:{push.server_port}")
        push.shutdown()
    print(json.dumps({"benchmark": "attacks", "server": options.server, **results}))


def attack_a_server(options: argparse.Namespace, push_host: str) -> dict[str, Any]:
    with make_place(None, API_RATE_TOKEN="0", PUSH_HOSTS=push_host) as place:
        event, token = prepare_demonstration(place, PLAYERS, SESSIONS)
        card_token = place.python(_CARD).strip()
        with place.web("-c", LIMITED, str(options.open_files), *options.server.split()) as site:
            umpire = Umpire(site.url, event, token, SESSIONS)
            return asyncio.run(run_attacks(place, site, event, umpire, card_token, push_host, options.only))


if __name__ == "__main__":
    main()
