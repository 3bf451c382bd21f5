"""What is true of the whole site, asked at the moment somebody wants to know: the queue, and the newest backup."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from config import ready
from tournament.backup import shelf

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
    newest = next((kept.said for kept in shelf.all_kept() if kept.said), None)
    return (timezone.now() - newest.made_at).total_seconds() if newest else None
