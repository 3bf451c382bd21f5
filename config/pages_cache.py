"""The pages that are kept in Redis; while it is away they are drawn anew, as if none had been kept."""

from __future__ import annotations

import logging
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class PagesCache(RedisCache):
    """Redis, and nothing kept while it does not answer: the hall can do without it, but not without its ranking."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError as fault:
            _say(fault)
            return default

    def set(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        try:
            super().set(key, value, timeout, version)
        except RedisError as fault:
            _say(fault)

    def add(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        try:
            return super().add(key, value, timeout, version)
        except RedisError as fault:
            _say(fault)
            return False


def _say(fault: RedisError) -> None:
    logger.warning("Redis cannot be asked for a page; it is drawn anew. %s", fault)
