"""The faults, one function each: what is done to a round while its umpires write."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from threading import Barrier, Thread
from typing import Any, Protocol

from tests.bench._crew import Umpire
from tests.bench._line import wait_for
from tests.bench._own_servers import OwnServer
from tests.bench._server import Disk, Server, fake_time
from tests.bench._stream import next_entry

HOUR = 3600


class Hurt(Protocol):
    """What a fault needs of a round."""

    random: Random
    server: Server
    disk: Disk
    crew: list[Umpire]
    postgres: OwnServer | None
    redis: OwnServer | None
    redis_away: float
    stops: tuple[float, ...]
    kills: list[tuple[str, float, float]]
    """What was killed, when, and when it answered again."""


Fault = Callable[[Hurt], None]


def kill_web(hurt: Hurt) -> None:
    killed = hurt.server.kill()
    hurt.server.start()
    hurt.kills.append(("web", killed, time.monotonic()))


def kill_worker(hurt: Hurt) -> None:
    """Or, where the last one has not been started again yet, the one that a new start brings."""
    if not wait_for(lambda: hurt.server.worker() is not None, 5):
        hurt.server.end()
        hurt.server.start()
        wait_for(lambda: hurt.server.worker() is not None, 5)
    if worker := hurt.server.worker():
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


def stop_web(hurt: Hurt) -> None:
    with hurt.server.stopped():
        time.sleep(hurt.random.choice(hurt.stops))


def full_disk(hurt: Hurt) -> None:
    with hurt.disk.full(hurt.server):
        time.sleep(hurt.random.uniform(1, 3))


def clock_ahead(hurt: Hurt) -> None:
    _clock(hurt, HOUR)


def clock_behind(hurt: Hurt) -> None:
    _clock(hurt, -HOUR)


def _clock(hurt: Hurt, wrong_by: int) -> None:
    """The server is stopped and starts with a wrong clock, and then once more with the right one."""
    wrong = fake_time(wrong_by)
    assert wrong is not None
    hurt.server.end()
    hurt.server.start(**wrong)
    time.sleep(hurt.random.uniform(0.3, 1.5))
    hurt.server.end()
    hurt.server.start()


def thrice(hurt: Hurt) -> None:
    """One write three times at once, in the midst of the others."""
    umpire = hurt.random.choice(hurt.crew)
    table = hurt.random.choice(umpire.tables)
    if (state := umpire.look(table)) is not None:
        entry = next_entry(state, hurt.random)
        _together([(umpire, table, state, replace(entry)) for _ in range(3)])


def two_at_once(hurt: Hurt) -> None:
    """Two umpires with the same table's next hand, each with another one, in the same moment."""
    one, other = hurt.random.sample(hurt.crew, 2)
    table = hurt.random.choice(one.tables)
    if (state := one.look(table)) is not None:
        kind = "hand" if state["may_record"] else "correction"
        writes = [
            (umpire, table, state, next_entry(state, hurt.random, kind=kind)) for umpire in (one, other)
        ]
        _together(writes)


def _together(writes: list[tuple[Any, ...]]) -> None:
    start = Barrier(len(writes))

    def write(umpire: Umpire, *what: Any) -> None:
        start.wait()
        umpire.deliver(*what)

    threads = [Thread(target=write, args=one) for one in writes]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


def kill_postgres(hurt: Hurt) -> None:
    assert hurt.postgres
    killed = time.monotonic()
    hurt.postgres.kill()
    hurt.postgres.start()
    hurt.kills.append(("postgres", killed, time.monotonic()))


def kill_redis(hurt: Hurt) -> None:
    assert hurt.redis
    hurt.redis.kill()
    time.sleep(hurt.random.uniform(0, 1))
    hurt.redis.start()


def redis_away(hurt: Hurt) -> None:
    assert hurt.redis
    hurt.redis.kill()
    time.sleep(hurt.redis_away)
    hurt.redis.start()


COMMON: Mapping[Fault, int] = {kill_web: 6, kill_worker: 2, stop_web: 3, thrice: 5, two_at_once: 5}
ON_SQLITE: Mapping[Fault, int] = {full_disk: 3, clock_ahead: 2, clock_behind: 2}
ON_POSTGRES: Mapping[Fault, int] = {kill_postgres: 6, kill_redis: 4, redis_away: 1}
"""How often each comes, in proportion."""


def plan(random: Random, how_many: int, *, on_postgres: bool) -> list[Fault]:
    """So many faults in random order, each kind at least once where there is room for all."""
    weights = {**COMMON, **(ON_POSTGRES if on_postgres else ON_SQLITE)}
    if fake_time(0) is None:
        weights = {
            fault: weight for fault, weight in weights.items() if fault not in (clock_ahead, clock_behind)
        }
    kinds = list(weights)
    chosen = kinds + random.choices(kinds, list(weights.values()), k=max(0, how_many - len(kinds)))
    chosen = chosen[:how_many]
    random.shuffle(chosen)
    return chosen
