"""Caches in Redis with a fallback while Redis is down: pages go on, and guesses stay limited."""

import logging
import time
from typing import Any, ClassVar, Final

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

RETRY_SECONDS: Final = 5.0
"""Seconds without a call after a failed one, so that not every request waits for the timeout."""


class SubstitutedCache(RedisCache):
    """A Redis cache that calls its substitute while Redis does not answer."""

    _failed_at: ClassVar[float] = float("-inf")
    _consequence: str

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._substitute = self.substitute({**params, "OPTIONS": {}})

    def substitute(self, params: dict[str, Any]) -> BaseCache:
        raise NotImplementedError

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._call("get", key, default, version)

    def set(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._call("set", key, value, timeout, version)

    def add(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return bool(self._call("add", key, value, timeout, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return int(self._call("incr", key, delta, version))

    def touch(self, key: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return bool(self._call("touch", key, timeout, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._call("delete", key, version))

    def _call(self, method: str, *arguments: Any) -> Any:
        cls = type(self)
        if time.monotonic() - cls._failed_at > RETRY_SECONDS:
            try:
                return getattr(super(), method)(*arguments)
            except RedisError as fault:
                cls._failed_at = time.monotonic()
                logger.warning("Redis does not answer: %s %s", self._consequence, fault)
        return getattr(self._substitute, method)(*arguments)


class PagesCache(SubstitutedCache):
    """Pages, which are rendered anew while Redis is down."""

    _consequence = "pages are drawn anew."

    def substitute(self, params: dict[str, Any]) -> BaseCache:
        return DummyCache("pages", params)


class LimitsCache(SubstitutedCache):
    """Counts of attempts, which each process keeps by itself while Redis is down: guessing stays slow."""

    _consequence = "each process counts attempts by itself."

    def substitute(self, params: dict[str, Any]) -> BaseCache:
        return LocMemCache("limits-meanwhile", {**params, "OPTIONS": {"MAX_ENTRIES": 20_000}})
