"""One hand saved until the hall sees it: 300 watchers of one server on SQLite. Prints one JSON object.

A wash-out is posted to the API at the tables of the demonstration's running session, one after the other. Times are
of the wall, from the moment the request is sent: until it is answered, until the first watcher holds the event, until
the last one does.
"""

import asyncio
import json
import re
import statistics
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen
from uuid import uuid4

from tests.processes import Site, make_place

WATCHERS, HANDS = 300, 24
SLUG, SESSION = "evening-of-16", 4
PREPARE = """
from django.contrib.auth.models import User
from rest_framework.authtoken.models import Token
print(Token.objects.create(user=User.objects.get(username="umpire")).key)
"""


class Hall:
    """Everybody who watches, and when each of them heard of each version."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)
        self._writers: list[asyncio.StreamWriter] = []
        self._readers: list[asyncio.Task[None]] = []
        self.heard: dict[int, list[float]] = {}

    async def fill(self, watchers: int) -> None:
        for _ in range(watchers):
            reader, writer = await asyncio.open_connection(self._address.hostname, self._address.port)
            writer.write(f"GET {self._address.path} HTTP/1.1\r\nHost: hall\r\n\r\n".encode())
            await reader.readuntil(b"retry: 2000")
            self._writers.append(writer)
            self._readers.append(asyncio.create_task(self._follow(reader)))

    async def until_all_heard(self, version: int) -> list[float]:
        while len(self.heard.get(version, ())) < len(self._readers):
            await asyncio.sleep(0.001)
        return self.heard[version]

    async def leave(self) -> None:
        for task in self._readers:
            task.cancel()
        await asyncio.wait(self._readers)
        for writer in self._writers:
            writer.close()

    async def _follow(self, reader: asyncio.StreamReader) -> None:
        while piece := await reader.read(65536):
            now = time.perf_counter()
            for version in re.findall(rb"id: (\d+)", piece):
                self.heard.setdefault(int(version), []).append(now)


class Umpire:
    """A client of the API with a token."""

    def __init__(self, site: str, token: str) -> None:
        self._base = f"{site}/api/v1/tournaments/{SLUG}/"
        self._headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self._base + path, data=data, headers=self._headers)) as answer:
            return json.load(answer)

    def wash_out(self, table: int) -> tuple[float, float]:
        """Record the table's next hand, without a winner; when it was sent and when answered."""
        path = f"sessions/{SESSION}/tables/{table}/"
        played = len(self.ask(path + "hands/"))
        body = {"number": played + 1, "uuid": str(uuid4()), "outcome": "draw"}
        sent = time.perf_counter()
        self.ask(path + "hands/", body)
        return sent, time.perf_counter()


async def evening(site: Site, token: str) -> dict[str, Any]:
    hall, umpire = Hall(f"{site.url}/live/{SLUG}/"), Umpire(site.url, token)
    await hall.fill(WATCHERS)
    version = umpire.ask("")["version"]
    saved, first, last = [], [], []
    for number in range(HANDS):
        sent, answered = await asyncio.to_thread(umpire.wash_out, number % 4 + 1)
        saved.append(answered - sent)
        version += 1
        heard = [moment - sent for moment in await hall.until_all_heard(version)]
        first.append(min(heard))
        last.append(max(heard))
    memory = resident_mb(site.process.pid)
    await hall.leave()
    return {
        "benchmark": "live",
        "watchers": WATCHERS,
        "hands": HANDS,
        "saved_ms": milliseconds(saved),
        "first_heard_ms": milliseconds(first),
        "last_heard_ms": milliseconds(last),
        "server_mb": memory,
    }


def milliseconds(seconds: list[float]) -> dict[str, float]:
    return {
        "median": round(1000 * statistics.median(seconds), 1),
        "worst": round(1000 * max(seconds), 1),
    }


def resident_mb(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def main() -> None:
    with make_place() as place:
        place.migrate()
        assert place.manage("demo", "--evening").returncode == 0
        token = place.python(PREPARE).strip()
        with place.web() as site:
            print(json.dumps(asyncio.run(evening(site, token))))


if __name__ == "__main__":
    main()
