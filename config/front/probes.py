"""What programs ask that watch over this one: before Django, so that neither a host's name nor a database is needed.

- `/healthz`: 200 while the process answers at all. Whoever may end or avoid a process asks this.
- `/readyz`: 200, or 503 with what is missing.
- `/metrics`: for those whom the settings name; for all others there is no such address.
"""

import asyncio
import json
import secrets
import time
from typing import Final, NamedTuple

from django.conf import settings

from config import ready
from config.front import measures
from tournament.base.requests import is_among, visitor_in
from tournament.live.pages import App, Receive, Scope, Send

FRESH: Final = 1.0
"""Seconds for which an answer of `/readyz` is given again: asking often costs no more than asking at times."""
PATIENCE: Final = 3.0
"""Seconds within which the database and the queue answer, or do not."""


class Answer(NamedTuple):
    status: int
    kind: bytes
    body: bytes


NOT_HERE: Final = Answer(404, b"text/plain; charset=utf-8", b"Not found.")


def with_probes(app: App) -> App:
    readiness = Readiness()

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else ""
        if path == "/healthz":
            await _send(send, Answer(200, b"text/plain; charset=utf-8", b"alive"))
        elif path == "/readyz":
            await _send(send, _said(await readiness.missing()))
        elif path == "/metrics":
            may = may_read_metrics(scope)
            await _send(send, await asyncio.to_thread(_metrics) if may else NOT_HERE)
        else:
            await app(scope, receive, send)

    return answered


class Readiness:
    """What is missing, asked once for all who ask at the same time."""

    def __init__(self) -> None:
        self._asking = asyncio.Lock()
        self._known: list[str] = []
        self._known_at = float("-inf")

    async def missing(self) -> list[str]:
        async with self._asking:
            if time.monotonic() - self._known_at > FRESH:
                try:
                    async with asyncio.timeout(PATIENCE):
                        self._known = await asyncio.to_thread(ready.missing)
                except TimeoutError:
                    self._known = [ready.DATABASE]
                self._known_at = time.monotonic()
            return self._known


def may_read_metrics(scope: Scope) -> bool:
    """By the visitor's own address, or by the token."""
    visitor = visitor_in(scope)
    token = dict(scope["headers"]).get(b"authorization", b"").removeprefix(b"Bearer ")
    by_token = bool(settings.METRICS_TOKEN) and secrets.compare_digest(token, settings.METRICS_TOKEN.encode())
    return by_token or (bool(visitor) and is_among(visitor, settings.METRICS_FROM))


def _said(missing: list[str]) -> Answer:
    body = json.dumps({"ready": not missing, "missing": missing}).encode()
    return Answer(503 if missing else 200, b"application/json", body)


def _metrics() -> Answer:
    return Answer(200, measures.KIND.encode(), measures.written())


async def _send(send: Send, answer: Answer) -> None:
    headers = [
        (b"content-type", answer.kind),
        (b"content-length", b"%d" % len(answer.body)),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
