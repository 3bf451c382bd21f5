"""Wakes the hubs when a tournament has changed: in this process directly, in others through Redis.

Without Redis other processes find out by polling, four times a second. A lost call costs only that delay, never an
event, since events are read from the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from redis import (
        Redis,  # imported lazily: without REDIS_URL no process loads it
    )

logger = logging.getLogger(__name__)

CHANNEL = "hule:live"
RECONNECT_SECONDS = 1.0

_listeners: list[Callable[[], None]] = []


def notify(tournament_id: int) -> None:
    """Wake all hubs after a commit. Callable from any thread."""
    for listener in _listeners:
        listener()
    if settings.REDIS_URL:
        _publish(tournament_id)


@asynccontextmanager
async def listening(wake: Callable[[], None]) -> AsyncIterator[None]:
    """Have `wake` called, from any thread, at each `notify` here and, with Redis, in every other process."""
    subscriber = asyncio.create_task(_subscribe(settings.REDIS_URL, wake)) if settings.REDIS_URL else None
    _listeners.append(wake)
    try:
        yield
    finally:
        _listeners.remove(wake)
        if subscriber:
            subscriber.cancel()
            await asyncio.wait([subscriber])


def _publish(tournament_id: int) -> None:
    from redis import RedisError

    try:
        _redis(settings.REDIS_URL).publish(CHANNEL, tournament_id)
    except RedisError:
        # The write is committed; other hubs find it when they poll.
        logger.warning("Could not tell other processes of tournament %s", tournament_id, exc_info=True)


@lru_cache(maxsize=1)
def _redis(url: str) -> Redis:
    from redis import Redis

    return Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1)


async def _subscribe(url: str, wake: Callable[[], None]) -> None:
    """Call `wake` for each change in another process; reconnect when the connection is lost."""
    from redis import RedisError
    from redis.asyncio import Redis

    while True:
        try:
            async with Redis.from_url(url) as client, client.pubsub() as channel:
                await channel.subscribe(CHANNEL)
                async for _message in channel.listen():
                    wake()
        except RedisError:
            logger.warning("Lost Redis; trying again", exc_info=True)
            await asyncio.sleep(RECONNECT_SECONDS)
