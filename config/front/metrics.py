"""Prometheus metrics of this process; each web process is scraped at its own address.

The queue's length and the newest backup's age belong to the whole site and are read when somebody scrapes.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
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

from config import readiness
from config.front.asgi import App, Receive, Scope, Send

QUEUE_KEY = "celery"
"""Celery's queue, and so the name of the list in Redis."""


class SiteCollector(Collector):
    """What belongs to the whole site: the queue, and gauges of the application."""

    def __init__(self) -> None:
        self.gauges: list[tuple[str, str, Callable[[], float | None]]] = []
        """Name, documentation, and a function that returns the value or None."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        if (waiting := queue_length()) is not None:
            yield GaugeMetricFamily("hule_queue_length", "Work waiting for a worker.", value=waiting)
        for name, documentation, read in self.gauges:
            if (value := read()) is not None:
                yield GaugeMetricFamily(name, documentation, value=value)

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Return nothing, so that registering does not call `collect`: the database may not exist yet."""
        return iter(())


def queue_length() -> int | None:
    """Return how many tasks wait, or None if Redis does not answer."""
    if not settings.REDIS_URL:
        return sum(1 for _ in readiness.queue_folder().iterdir())
    from redis import Redis, RedisError

    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1) as redis:
            return int(redis.llen(QUEUE_KEY))
    except RedisError:
        return None


CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
ROUTE: Final = "hule.route"
"""Scope key of a list that receives the route once it is resolved."""
CACHED_ROUTE: Final = "(kept)"
"""A cached page, answered before Django resolved its route."""
SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

registry = CollectorRegistry()
site = SiteCollector()
registry.register(site)
requests = Counter("hule_requests", "Requests answered.", ["route", "status"], registry=registry)
durations = Histogram(
    "hule_request_seconds", "How long an answer took.", ["route"], buckets=SECONDS, registry=registry
)
writes = Counter(
    "hule_writes", "Writes of tournaments, by action; hands are hand_recorded.", ["action"], registry=registry
)
watchers = Gauge("hule_watchers", "Streams of live events that are open.", registry=registry)


def count_write(_tournament: int, _version: int, action: str) -> None:
    writes.labels(action).inc()


def render() -> bytes:
    """Return all metrics in Prometheus' text format."""
    return generate_latest(registry)


def with_metrics(app: App, on_write: Callable[[Callable[[int, int, str], None]], None]) -> App:
    """Wrap an application so that its requests are counted; return it unchanged if nobody may read metrics.

    `on_write` registers what is called with a tournament, its version and the action's code after each write.
    """
    if not (settings.METRICS_FROM or settings.METRICS_TOKEN):
        return app
    on_write(count_write)

    async def measured(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await _measure_request(app, scope, receive, send)
        else:
            await app(scope, receive, send)

    return measured


async def _measure_request(app: App, scope: Scope, receive: Receive, send: Send) -> None:
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


def route_of(path: str, route: list[str]) -> str:
    """Return the label of a request's route: one of a few hundred, whatever the path."""
    for prefix in ("/live/", settings.STATIC_URL):
        if path.startswith(prefix):
            return f"{prefix}…"
    return route[0] if route else CACHED_ROUTE


def _is_stream(message: Mapping[str, Any]) -> bool:
    return any(
        name == b"content-type" and kind.startswith(b"text/event-stream") for name, kind in message["headers"]
    )


class RecordRoute:
    """Middleware that puts the resolved route into the scope, for `with_metrics`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        route = getattr(request, "scope", {}).get(ROUTE)
        if route is not None and not route:
            match = request.resolver_match
            route.append(f"/{match.route}" if match else "(unknown)")
        return response
