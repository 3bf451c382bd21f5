"""Addresses for monitoring, answered before Django, so that they need no valid host name and no database.

- `/healthz`: 200 while the process answers at all; for whoever restarts a process.
- `/readyz`: 200, or 503 with what is missing.
- `/metrics`: 404 for everybody whom the settings do not allow.
"""

import asyncio
import json
import secrets
import time
from typing import Final, NamedTuple

from django.conf import settings

from config import readiness
from config.front import metrics
from config.front.addresses import is_in_networks, visitor_address
from config.front.asgi import App, Receive, Scope, Send

FRESH: Final = 1.0
"""Seconds for which an answer of `/readyz` is reused."""
PATIENCE: Final = 3.0
"""Seconds after which the database counts as missing."""


class Answer(NamedTuple):
    status: int
    kind: bytes
    body: bytes


NOT_FOUND: Final = Answer(404, b"text/plain; charset=utf-8", b"Not found.")


def with_probes(app: App) -> App:
    cached_readiness = Readiness()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else ""
        if path == "/healthz":
            await _send(send, Answer(200, b"text/plain; charset=utf-8", b"alive"))
        elif path == "/readyz":
            await _send(send, _readiness_answer(await cached_readiness.missing()))
        elif path == "/metrics":
            is_allowed = may_read_metrics(scope)
            await _send(send, await asyncio.to_thread(_metrics) if is_allowed else NOT_FOUND)
        else:
            await app(scope, receive, send)

    return application


class Readiness:
    """What is missing, checked at most once every `FRESH` seconds."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._missing: list[str] = []
        self._checked_at = float("-inf")

    async def missing(self) -> list[str]:
        async with self._lock:
            if time.monotonic() - self._checked_at > FRESH:
                try:
                    async with asyncio.timeout(PATIENCE):
                        self._missing = await asyncio.to_thread(readiness.missing)
                except TimeoutError:
                    self._missing = [readiness.DATABASE]
                self._checked_at = time.monotonic()
            return self._missing


def may_read_metrics(scope: Scope) -> bool:
    """Return whether the visitor's address or the bearer token is allowed to read the metrics."""
    visitor = visitor_address(scope)
    token = dict(scope["headers"]).get(b"authorization", b"").removeprefix(b"Bearer ")
    by_token = bool(settings.METRICS_TOKEN) and secrets.compare_digest(token, settings.METRICS_TOKEN.encode())
    return by_token or (bool(visitor) and is_in_networks(visitor, settings.METRICS_FROM))


def _readiness_answer(missing: list[str]) -> Answer:
    body = json.dumps({"ready": not missing, "missing": missing}).encode()
    return Answer(503 if missing else 200, b"application/json", body)


def _metrics() -> Answer:
    return Answer(200, metrics.CONTENT_TYPE.encode(), metrics.render())


async def _send(send: Send, answer: Answer) -> None:
    headers = [
        (b"content-type", answer.kind),
        (b"content-length", b"%d" % len(answer.body)),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
