"""A client for Hule's REST API: one file, nothing to install. Copy it beside your program.

    from hule_client import Hule

    hule = Hule("https://hule.example.org", token="hule_…")
    for row in hule.standings("spring-open")["rows"]:
        print(row["rank"], row["number"], row["table_points"])

What the server refuses is raised as `Problem`, with every fault at its place. A read that did not change since is not
sent again (`ETag`). What may be repeated without being done twice is repeated, when the network fails or the server
asks to wait.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin
from urllib.request import Request, urlopen
from uuid import uuid4

Json = Any
BUSY = (429, 503)
"""Answers that ask to come back."""
LOST = (URLError, HTTPException, ConnectionError, TimeoutError)


class Problem(Exception):
    """What was refused (RFC 9457). `problems`: each fault with `code`, `where`, `message` and `params`."""

    def __init__(self, status: int, body: Json) -> None:
        body = body if isinstance(body, dict) else {}
        self.status = status
        self.detail: str = body.get("detail", f"The server answered {status}.")
        self.problems: list[dict[str, Any]] = body.get("problems", [])
        self.body = body
        text = "; ".join(
            f"{problem['where']}: {problem['message']}".removeprefix(": ") for problem in self.problems
        )
        super().__init__(f"{status}: {text or self.detail}")

    @property
    def codes(self) -> list[str]:
        return [problem["code"] for problem in self.problems]


class Hule:
    """One server, as whoever the token is from; without a token, as a visitor."""

    def __init__(
        self, url: str, token: str = "", *, tries: int = 4, timeout: float = 30, language: str = "en"
    ) -> None:
        self.url = url.rstrip("/")
        self.tries, self.timeout = tries, timeout
        self._headers = {"Accept": "application/json", "Accept-Language": language}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._known: dict[str, tuple[str, Json]] = {}

    # --- reading ---
    def tournaments(self) -> Iterator[Json]:
        """Those one may see, the latest first, page by page."""
        return self.each("tournaments/")

    def players(self, event: str) -> Iterator[Json]:
        return self.each(f"tournaments/{event}/players/")

    def sessions(self, event: str) -> list[Json]:
        return list(self.each(f"tournaments/{event}/sessions/"))

    def standings(self, event: str) -> Json:
        """Sent by the server when they have changed; the same object as before when not."""
        return self.ask("GET", f"tournaments/{event}/standings/")

    def table(self, event: str, session: int, table: int) -> Json:
        return self.ask("GET", _table(event, session, table))

    # --- running an event ---
    def register(self, event: str, *, last_name: str, first_name: str = "", **more: Json) -> Json:
        """Enter a player; `more`: country, ema_number, team, club."""
        return self.ask(
            "POST", f"tournaments/{event}/players/", {"last_name": last_name, "first_name": first_name} | more
        )

    def draw(self, event: str, seed: str) -> Json:
        """Seat everybody for all sessions. The same seed draws the same seats."""
        return self.ask("POST", f"tournaments/{event}/sessions/", {"seed": seed})

    def step(self, event: str, session: int, step: str, **more: Json) -> Json:
        """`start`, `close`, `reopen`, `hide` or `show` a session."""
        return self.ask("POST", f"tournaments/{event}/sessions/{session}/{step}/", more)

    def publish(self, event: str, reason: str = "") -> Json:
        """Publish the standings; `reason`: why, although something is still open."""
        return self.ask("POST", f"tournaments/{event}/standings/publish/", {"reason": reason})

    def record_hand(
        self, event: str, session: int, table: int, hand: Json, *, seen: int | None = None
    ) -> Json:
        """Record the next hand. Sent again with the same key until it is answered, so it is recorded once.

        `seen`: the table's version that you know; a `Problem` of 412 tells what has changed since.
        """
        match = {} if seen is None else {"If-Match": f'"{seen}"'}
        return self.ask("POST", f"{_table(event, session, table)}hands/", hand, key=str(uuid4()), **match)

    # --- following ---
    def follow(self, event: str, after: int | None = None) -> Iterator[Json]:
        """Every change of a public event as it happens: {"event", "version", "action", …}. It goes on when the line is
        cut, from where it was, and misses nothing; "reset" means: read everything again."""
        while True:
            headers = {"Accept": "text/event-stream"} | (
                {} if after is None else {"Last-Event-ID": str(after)}
            )
            try:
                with urlopen(Request(f"{self.url}/live/{event}/", headers=headers), timeout=60) as stream:
                    for change in _events(stream):
                        after = change["version"]
                        yield change
            except HTTPError as refused:
                with refused:
                    if refused.code not in BUSY:
                        raise Problem(refused.code, None) from None
            except LOST:
                pass
            time.sleep(1)

    # --- documents ---
    def document(self, event: str, kind: str = "standings", language: str = "en", **more: Json) -> bytes:
        """Have a document made, wait for it, and fetch its PDF."""
        at = f"tournaments/{event}/documents/"
        job = self.ask("POST", at, {"kind": kind, "language": language} | more)
        while job["state"] not in ("done", "failed"):
            time.sleep(0.5)
            job = next(row for row in self.each(at) if row["id"] == job["id"])
        if job["state"] == "failed":
            raise RuntimeError(job["error"])
        pdf: bytes = self.ask("GET", f"{at}{job['id']}/")
        return pdf

    # --- the line ---
    def each(self, path: str) -> Iterator[Json]:
        """Every row of a list, however many pages it comes in."""
        following: str | None = path
        while following:
            response, body = self._send("GET", following, None, {})
            yield from body
            link = re.search(r'<([^>]+)>; rel="next"', response.headers.get("Link", ""))
            following = link[1] if link else None

    def ask(self, method: str, path: str, body: Json = None, *, key: str = "", **headers: str) -> Json:
        """Any step: /api/schema/ lists them. `key`: its Idempotency-Key, where it takes one."""
        if key:
            headers["Idempotency-Key"] = f'"{key}"'
        known = self._known.get(path) if method == "GET" else None
        if known:
            headers["If-None-Match"] = known[0]
        response, answer = self._send(method, path, body, headers)
        if known and response.status == 304:
            return known[1]
        if method == "GET" and (etag := response.headers.get("ETag")):
            self._known[path] = (etag, answer)
        return answer

    def _send(self, method: str, path: str, body: Json, headers: dict[str, str]) -> tuple[Any, Json]:
        again = method != "POST" or "Idempotency-Key" in headers
        for left in reversed(range(self.tries)):
            try:
                return self._once(method, path, body, headers)
            except HTTPError as refused:
                with refused:
                    wait = float(refused.headers.get("Retry-After", 0))
                    if refused.code == 304:
                        return refused, None
                    if refused.code not in BUSY or not left or wait > 120:
                        raise Problem(refused.code, _read(refused)) from None
                time.sleep(wait or 1)
            except LOST:
                if not (again and left):
                    raise
                time.sleep(2.0 ** (self.tries - left - 1))
        raise AssertionError("it has returned or raised")

    def _once(self, method: str, path: str, body: Json, headers: dict[str, str]) -> tuple[Any, Json]:
        data = None if body is None else json.dumps(body).encode()
        kind = {"Content-Type": "application/json"} if data else {}
        url = urljoin(f"{self.url}/api/v1/", path)
        request = Request(url, data, self._headers | kind | headers, method=method)
        with urlopen(request, timeout=self.timeout) as response:
            return response, _read(response)


def _table(event: str, session: int, table: int) -> str:
    return f"tournaments/{event}/sessions/{session}/tables/{table}/"


def _read(response: HTTPResponse | HTTPError) -> Json:
    content = response.read()
    if "json" in (response.headers.get("Content-Type") or ""):
        return json.loads(content)
    return content


def _events(stream: HTTPResponse) -> Iterator[Json]:
    """Server-sent events: lines of fields, ended by an empty one. A heartbeat has no data."""
    name, data = "message", ""
    for line in (raw.decode().rstrip("\n") for raw in stream):
        if not line and data:
            yield {"event": name} | json.loads(data)
        if not line:
            name, data = "message", ""
        elif line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            data += line.removeprefix("data: ")
