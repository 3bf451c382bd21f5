"""What is kept in Redis, and what takes its place while Redis is away: the hall goes on, and nobody guesses freely."""

import logging
import time
from typing import Any, ClassVar, Final

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

REST: Final = 5.0
"""Seconds in which Redis is not asked again after it did not answer: one request waits for that, not each."""


class SubstitutedCache(RedisCache):
    """Redis; its substitute while it does not answer."""

    _silent_since: ClassVar[float] = float("-inf")
    _meanwhile: str

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._substitute = self.substitute({**params, "OPTIONS": {}})

    def substitute(self, params: dict[str, Any]) -> BaseCache:
        raise NotImplementedError

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._ask("get", key, default, version)

    def set(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._ask("set", key, value, timeout, version)

    def add(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return bool(self._ask("add", key, value, timeout, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return int(self._ask("incr", key, delta, version))

    def touch(self, key: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return bool(self._ask("touch", key, timeout, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._ask("delete", key, version))

    def _ask(self, what: str, *arguments: Any) -> Any:
        kind = type(self)
        if time.monotonic() - kind._silent_since > REST:
            try:
                return getattr(super(), what)(*arguments)
            except RedisError as fault:
                kind._silent_since = time.monotonic()
                logger.warning("Redis does not answer: %s %s", self._meanwhile, fault)
        return getattr(self._substitute, what)(*arguments)


class PagesCache(SubstitutedCache):
    """Pages are drawn anew while they cannot be kept: the hall can do without Redis, but not without its ranking."""

    _meanwhile = "pages are drawn anew."

    def substitute(self, params: dict[str, Any]) -> BaseCache:
        return DummyCache("pages", params)


class LimitsCache(SubstitutedCache):
    """Attempts are counted by each process for itself meanwhile: an umpire can sign in, who guesses is slowed."""

    _meanwhile = "each process counts attempts by itself."

    def substitute(self, params: dict[str, Any]) -> BaseCache:
        return LocMemCache("limits-meanwhile", {**params, "OPTIONS": {"MAX_ENTRIES": 20_000}})
