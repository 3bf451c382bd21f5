"""While Redis is away pages are drawn, and attempts at a password are counted all the same."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as Silence

from config import redis_caches
from config.redis_caches import LimitsCache, PagesCache, SubstitutedCache
from tests.support.processes import free_port
from tournament.base.limits import GuessLimit, Limit


@pytest.fixture(autouse=True)
def as_if_redis_had_answered() -> Iterator[None]:
    yield
    for kind in (PagesCache, LimitsCache):
        kind._failed_at = float("-inf")


def nowhere() -> str:
    return f"redis://127.0.0.1:{free_port()}/0"


@pytest.fixture
def pages() -> PagesCache:
    return PagesCache(nowhere(), {})


@pytest.fixture
def limits(settings: Any) -> LimitsCache:
    settings.CACHES = {
        **settings.CACHES,
        "limits": {
            "BACKEND": "config.redis_caches.LimitsCache",
            "LOCATION": nowhere(),
            "KEY_PREFIX": "limit",
        },
    }
    cache = caches["limits"]
    assert isinstance(cache, LimitsCache)
    cache._substitute.clear()
    return cache


def test_a_page_is_a_cache_miss_and_rendered_without_redis(pages: PagesCache) -> None:
    assert pages.get("ranking", "not kept") == "not kept"
    page: Any = pages.get_or_set("ranking", lambda: "drawn")
    pages.set("ranking", "drawn")
    assert page == "drawn"


def test_one_request_waits_for_redis_and_not_each(
    pages: PagesCache, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    calls = 0

    def silent(*_: object) -> None:
        nonlocal calls
        calls += 1
        raise Silence("timed out")

    monkeypatch.setattr(RedisCache, "get", silent)
    with caplog.at_level(logging.WARNING):
        for _ in range(20):
            pages.get("ranking")
    assert (calls, len(caplog.records)) == (1, 1)


def test_redis_is_tried_again_after_a_pause(pages: PagesCache, monkeypatch: pytest.MonkeyPatch) -> None:
    pages.get("ranking")
    monkeypatch.setattr(RedisCache, "get", lambda *_: "kept")
    assert pages.get("ranking", "not asked") == "not asked"
    monkeypatch.setattr(redis_caches, "RETRY_SECONDS", 0.0)
    assert pages.get("ranking", "not asked") == "kept"


def test_attempts_are_counted_without_redis(limits: LimitsCache) -> None:
    guesses = Limit("guesses", maximum=3, within=60)
    assert [guesses.exceeded_by("10.0.0.1") for _ in range(5)] == [False, False, False, True, True]
    assert not guesses.exceeded_by("10.0.0.2")


def test_successful_attempts_are_uncounted_without_redis(limits: LimitsCache) -> None:
    names = GuessLimit.named("names", burst=1, seconds=5)
    for _ in range(4):
        assert not names.burst.exceeded_by("ulla")
        names.forgive("ulla")


def test_counts_survive_a_connection(limits: LimitsCache) -> None:
    """Each thread has a cache of its own; what they count is one."""
    once = Limit("once", maximum=1, within=60)
    assert not once.exceeded_by("here")
    another: SubstitutedCache = LimitsCache(nowhere(), {"KEY_PREFIX": "limit"})
    assert another.incr("once:here") == 2
