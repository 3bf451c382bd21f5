"""An event that is played while faults are injected, the checks after each fault, and the faults."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from random import Random
from threading import Barrier, Thread
from typing import Any
from urllib.request import urlopen

from tests.bench._crew import Ledger, Pace, Umpire, next_entry
from tests.bench._own_servers import OwnServer, wait_for
from tests.bench._server import Disk, LiveConnection, Readers, Server, fake_time
from tests.support.processes import Place

PLAYERS, UMPIRES, SHARED, WATCHERS = 64, 6, 2, 4
"""SHARED of the umpires share their tables; WATCHERS are in addition to the umpires' live streams."""
WRITES = 3
"""Writes of each umpire during a fault."""
TIMEOUT = 180.0
"""Seconds within which all of them have to be answered."""
_EVENT = f"""
import json
from tournament.accounts.services import make_token
from tests.support.factories import make_tournament, make_umpire
event = make_tournament(players={PLAYERS}, sessions=1, running=0)
umpires = [make_umpire(event, f"umpire-{{number}}") for number in range({UMPIRES})]
event.refresh_from_db()
tables = {{
    table.number: [seat.player.number for seat in table.seats.select_related("player")]
    for table in event.sessions.get().tables.all()
}}
tokens = [make_token(umpire)[1] for umpire in umpires]
print(json.dumps([event.slug, event.version, tokens, tables]))
"""
_STORED = """
import json
from tests.bench._round import stored
print(json.dumps(stored({slug!r})))
"""


class Round:
    """An event with its umpires, watchers and readers. Call `close` at the end."""

    def __init__(
        self,
        place: Place,
        disk: Disk,
        server: Server,
        pace: Pace,
        random: Random,
        postgres: OwnServer | None = None,
        redis: OwnServer | None = None,
        redis_away: float = 60.0,
        stops: tuple[float, ...] = (1, 2, 4, 17),
    ) -> None:
        """`redis_away`, `stops`: durations of these faults in seconds."""
        self.disk, self.server, self.pace, self.random = disk, server, pace, random
        self.postgres, self.redis, self.redis_away, self.stops = postgres, redis, redis_away, stops
        self.kills: list[tuple[str, float, float]] = []
        """(what was killed, when, when it answered again)."""
        self.save_delays: list[tuple[str, float, float]] = []
        """For each umpire and kill: (what was killed, seconds from its answer and from the kill to the next save)."""
        self._slug, self._version, tokens, tables = json.loads(place.run(_EVENT))
        self.ledger = Ledger({int(number): players for number, players in tables.items()})
        tables_of = _assign_tables(list(self.ledger.tables))
        self.crew = [
            Umpire(server.url, self._slug, token, tables_of[n], self.ledger, pace, Random(random.random()), n)
            for n, token in enumerate(tokens)
        ]
        callbacks = [umpire.reconnected.set for umpire in self.crew] + [lambda: None] * WATCHERS
        live = f"{server.url}/live/{self._slug}/"
        self._connections = [
            LiveConnection(live, self._version, pace.reconnect, callback) for callback in callbacks
        ]
        self.readers = Readers(f"{server.url}/t/{self._slug}/ranking/")
        self._place = place

    def close(self) -> None:
        self.readers.is_over = True
        for connection in self._connections:
            connection.end()
        for umpire in self.crew:
            umpire.stop.set()

    def endure(self, fault: Fault) -> list[str]:
        """Inject a fault while all umpires write; return the problems found after all writes are answered."""
        self.readers.during = fault.__name__
        writing = [Thread(target=umpire.write, args=(WRITES,), daemon=True) for umpire in self.crew]
        saved = len(self.ledger.acknowledged)
        for umpire in writing:
            umpire.start()
        # A fault before the first answer could lose nothing.
        wait_for(lambda: len(self.ledger.acknowledged) > saved, 10)
        time.sleep(self.random.uniform(0, 0.3))
        fault(self)
        until = time.monotonic() + TIMEOUT
        for umpire in writing:
            umpire.join(max(0.0, until - time.monotonic()))
        self.readers.during = "nothing"
        self._time_saves()
        if any(umpire.is_alive() for umpire in writing):
            return [f"an umpire has had no answer for {TIMEOUT:.0f} s: {dict(self.ledger.retried)}"]
        return list(self.problems())

    def problems(self) -> list[str]:
        """Compare rows, log, standings and watchers with the acknowledged writes; return the differences."""
        rows = json.loads(self._place.run(_STORED.format(slug=self._slug)))
        problems: list[str] = rows["findings"]
        acknowledged = self.ledger.acknowledged
        penalties = {uuid for uuid, write in acknowledged.items() if write.entry.kind == "penalty"}
        problems += _check_once(rows["hands"], acknowledged.keys() - penalties, "hand")
        problems += _check_once(rows["penalties"], penalties, "penalty")
        problems += _check_once(rows["logged"], set(acknowledged), "log entry")
        version = self._version + len(acknowledged)
        if rows["version"] != version:
            problems.append(
                f"version {rows['version']} after {len(acknowledged)} acknowledged writes, not {version}"
            )
        problems += [f"refused: {why}" for why in self.ledger.refused.values() if why != "overtaken"]
        if both := acknowledged.keys() & self.ledger.refused.keys():
            problems.append(f"both saved and refused: {both}")
        return problems + self._check_standings() + self._check_watchers(version)

    def _check_standings(self) -> list[str]:
        with urlopen(f"{self.server.url}/api/v1/tournaments/{self._slug}/standings/", timeout=60) as answer:
            rows: list[dict[str, Any]] = json.load(answer)["rows"]
        expected = self.ledger.standings()
        problems = [
            f"player {row['number']} has {row['table_points']}, {row['game_points']}, not {expected[row['number']]}"
            for row in rows
            if not _agrees(row, expected[row["number"]])
        ]
        order = [expected[row["number"]] for row in rows if row["rank"] is not None]
        if len(rows) != len(expected) or order != sorted(order, reverse=True):
            problems.append("the standings are in another order")
        return problems

    def _check_watchers(self, version: int) -> list[str]:
        wait_for(lambda: all(connection.version == version for connection in self._connections), 40)
        late = [connection.version for connection in self._connections if connection.version != version]
        missing = sum(connection.missing() for connection in self._connections)
        return [f"watchers are at {late}, not {version}"] * bool(late) + [
            f"{missing} events were not received"
        ] * bool(missing)

    def _time_saves(self) -> None:
        while self.kills:
            what, killed_at, answered_at = self.kills.pop()
            for umpire in self.crew:
                saves = [
                    time for time, who, _ in self.ledger.moments if who == umpire.number and time > killed_at
                ]
                if saves:
                    first = min(saves)
                    self.save_delays.append((what, max(0.0, first - answered_at), first - killed_at))


def _assign_tables(tables: list[int]) -> list[list[int]]:
    """Return the tables of each umpire; the last SHARED umpires share theirs."""
    alone = UMPIRES - SHARED
    own = tables[:-SHARED]
    return [own[n::alone] for n in range(alone)] + [tables[-SHARED:]] * SHARED


def _check_once(stored: list[str], acknowledged: set[str], what: str) -> list[str]:
    counts = Counter(stored)
    problems = [f"doubled: {what} {uuid}" for uuid, count in counts.items() if count > 1]
    problems += [f"lost: {what} {uuid}" for uuid in acknowledged - counts.keys()]
    unknown = counts.keys() - acknowledged
    return problems + [f"doubled: {what} {uuid} was never acknowledged" for uuid in unknown]


def _agrees(row: dict[str, Any], expected: tuple[Fraction, int]) -> bool:
    has_table_points = abs(float(row["table_points"]) - float(expected[0])) < 0.006  # The API rounds to 0.01.
    return has_table_points and float(row["game_points"]) == expected[1]


def stored(slug: str) -> dict[str, Any]:
    """Return the `version`, the `findings` of the audit, and the uuids of hands, penalties and log entries."""
    from django.db import OperationalError

    try:
        return _rows(slug)
    except OperationalError:  # The connection ended with the killed database server.
        return _rows(slug)


def _rows(slug: str) -> dict[str, Any]:
    from django.db import transaction

    from penalties.models import Penalty
    from tournament.base.models.play import Hand
    from tournament.base.models.tournament import Tournament
    from tournament.exchange.audit import audit

    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(slug=slug)
        hands = Hand.objects.filter(table__session__tournament=event)
        entries = event.log.values_list("data", flat=True)
        return {
            "version": event.version,
            "findings": [str(finding) for finding in audit(event)],
            "hands": [str(uuid) for uuid in hands.values_list("uuid", flat=True)],
            "penalties": [
                str(uuid) for uuid in Penalty.objects.filter(tournament=event).values_list("uuid", flat=True)
            ],
            "logged": [data[name] for data in entries for name in ("uuid", "penalty") if name in data],
        }


# --- Faults ---
Fault = Callable[[Round], None]
HOUR = 3600


def kill_web(played: Round) -> None:
    killed = played.server.kill()
    played.server.start()
    played.kills.append(("web", killed, time.monotonic()))


def kill_worker(played: Round) -> None:
    """Kill the worker; restart the server first if the worker killed last has not been started again."""
    if not wait_for(lambda: played.server.worker() is not None, 5):
        played.server.end()
        played.server.start()
        wait_for(lambda: played.server.worker() is not None, 5)
    if worker := played.server.worker():
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


def stop_web(played: Round) -> None:
    with played.server.stopped():
        time.sleep(played.random.choice(played.stops))


def full_disk(played: Round) -> None:
    with played.disk.full(played.server):
        time.sleep(played.random.uniform(1, 3))


def clock_ahead(played: Round) -> None:
    _clock(played, HOUR)


def clock_behind(played: Round) -> None:
    _clock(played, -HOUR)


def _clock(played: Round, wrong_by: int) -> None:
    """Restart the server with a wrong clock, and then with the right one."""
    environment = fake_time(wrong_by)
    assert environment is not None
    played.server.end()
    played.server.start(**environment)
    time.sleep(played.random.uniform(0.3, 1.5))
    played.server.end()
    played.server.start()


def thrice(played: Round) -> None:
    """Send one write three times at once."""
    umpire = played.random.choice(played.crew)
    table = played.random.choice(umpire.tables)
    if (state := umpire.fetch_state(table)) is not None:
        entry = next_entry(state, played.random)
        _deliver_at_once([(umpire, table, state, replace(entry)) for _ in range(3)])


def two_at_once(played: Round) -> None:
    """Send two different entries of two umpires for the same hand at once."""
    umpires = played.random.sample(played.crew, 2)
    table = played.random.choice(umpires[0].tables)
    if (state := umpires[0].fetch_state(table)) is not None:
        kind = "hand" if state["may_record"] else "correction"
        writes = [(umpire, table, state, next_entry(state, played.random, kind=kind)) for umpire in umpires]
        _deliver_at_once(writes)


def _deliver_at_once(writes: list[tuple[Any, ...]]) -> None:
    start = Barrier(len(writes))

    def deliver(umpire: Umpire, *args: Any) -> None:
        start.wait()
        umpire.deliver(*args)

    threads = [Thread(target=deliver, args=entry) for entry in writes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def kill_postgres(played: Round) -> None:
    assert played.postgres
    killed = time.monotonic()
    played.postgres.kill()
    played.postgres.start()
    played.kills.append(("postgres", killed, time.monotonic()))


def kill_redis(played: Round) -> None:
    assert played.redis
    played.redis.kill()
    time.sleep(played.random.uniform(0, 1))
    played.redis.start()


def redis_away(played: Round) -> None:
    assert played.redis
    played.redis.kill()
    time.sleep(played.redis_away)
    played.redis.start()


COMMON: Mapping[Fault, int] = {kill_web: 6, kill_worker: 2, stop_web: 3, thrice: 5, two_at_once: 5}
ON_SQLITE: Mapping[Fault, int] = {full_disk: 3, clock_ahead: 2, clock_behind: 2}
ON_POSTGRES: Mapping[Fault, int] = {kill_postgres: 6, kill_redis: 4, redis_away: 1}
"""Weights by which the faults are chosen."""


def weights_of(*, on_postgres: bool) -> dict[Fault, int]:
    """Return the kinds of fault that are possible on this machine."""
    weights = {**COMMON, **(ON_POSTGRES if on_postgres else ON_SQLITE)}
    if fake_time(0) is None:
        weights = {
            fault: weight for fault, weight in weights.items() if fault not in (clock_ahead, clock_behind)
        }
    return weights


def plan(random: Random, count: int, *, on_postgres: bool) -> list[Fault]:
    """Return so many faults in random order, each kind at least once if `count` allows it."""
    weights = weights_of(on_postgres=on_postgres)
    kinds = list(weights)
    faults = kinds + random.choices(kinds, list(weights.values()), k=max(0, count - len(kinds)))
    faults = faults[:count]
    random.shuffle(faults)
    return faults
