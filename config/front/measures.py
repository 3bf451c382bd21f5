"""What this process has done, for Prometheus: each web process counts for itself, and is asked at its own address.

What is true of the whole site, the queue and the newest backup, is asked at the moment somebody wants to know.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from config import ready
from tournament.backup import shelf
from tournament.base import hooks
from tournament.live.pages import App, Receive, Scope, Send

CELERYS_LIST = "celery"
"""The queue's name, and so the list's in Redis."""


class SiteMeasures(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        if (waiting := queue_length()) is not None:
            yield GaugeMetricFamily("hule_queue_length", "Work waiting for a worker.", value=waiting)
        if (age := backup_age()) is not None:
            yield GaugeMetricFamily("hule_backup_age_seconds", "Since the newest backup was made.", value=age)

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing is read at registration: the figures may not be there yet."""
        return iter(())


def queue_length() -> int | None:
    """None while Redis does not answer."""
    if not settings.REDIS_URL:
        return sum(1 for _ in ready.messages().iterdir())
    from redis import Redis, RedisError

    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1) as redis:
            return int(redis.llen(CELERYS_LIST))
    except RedisError:
        return None


def backup_age() -> float | None:
    """Seconds; None when there is none."""
    newest = shelf.newest_manifest()
    return (timezone.now() - newest.made_at).total_seconds() if newest else None


KIND: Final = CONTENT_TYPE_LATEST
ROUTE: Final = "hule.route"
"""In the scope of a request that is measured: a list that holds its route once it is known."""
KEPT: Final = "(kept)"
"""A page that was drawn before, answered without asking Django which one it is."""
SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

registry = CollectorRegistry()
registry.register(SiteMeasures())
requests = Counter("hule_requests", "Requests answered.", ["route", "status"], registry=registry)
durations = Histogram(
    "hule_request_seconds", "How long an answer took.", ["route"], buckets=SECONDS, registry=registry
)
writes = Counter(
    "hule_writes", "Writes of tournaments, by action; hands are hand_recorded.", ["action"], registry=registry
)
watchers = Gauge("hule_watchers", "Streams of live events that are open.", registry=registry)


def written() -> bytes:
    """In Prometheus' text format."""
    return generate_latest(registry)


def with_measures(app: App) -> App:
    """The application whose requests are counted; itself when nobody may read the figures."""
    if not (settings.METRICS_FROM or settings.METRICS_TOKEN):
        return app
    hooks.entry_committed.register(lambda _tournament, _version, action: writes.labels(action).inc())

    async def measured(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await _measure(app, scope, receive, send)
        else:
            await app(scope, receive, send)

    return measured


async def _measure(app: App, scope: Scope, receive: Receive, send: Send) -> None:
    route: list[str] = []
    begun, status, is_stream = time.perf_counter(), 500, False

    async def answer(message: Mapping[str, Any]) -> None:
        nonlocal status, is_stream
        if message["type"] == "http.response.start":
            status, is_stream = message["status"], _is_stream(message)
            watchers.inc(is_stream)
        await send(message)

    try:
        await app(scope | {ROUTE: route}, receive, answer)
    finally:
        where = route_of(scope["path"], route)
        requests.labels(where, str(status)).inc()
        if is_stream:
            watchers.dec()
        else:
            durations.labels(where).observe(time.perf_counter() - begun)


def route_of(path: str, noted: list[str]) -> str:
    """One of a few hundred, whatever anybody asks for."""
    for known in ("/live/", settings.STATIC_URL):
        if path.startswith(known):
            return f"{known}…"
    return noted[0] if noted else KEPT


def _is_stream(message: Mapping[str, Any]) -> bool:
    return any(
        name == b"content-type" and kind.startswith(b"text/event-stream") for name, kind in message["headers"]
    )


class NoteRoute:
    """Middleware: only Django knows which route an address is of."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        noted = getattr(request, "scope", {}).get(ROUTE)
        if noted is not None and not noted:
            match = request.resolver_match
            noted.append(f"/{match.route}" if match else "(unknown)")
        return response
