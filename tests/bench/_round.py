"""An event that is played while one fault after the other comes, what is looked at after each, and the faults."""

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
from tests.bench._server import Disk, Line, Readers, Server, fake_time
from tests.support.processes import Place

PLAYERS, UMPIRES, SHARED, HALL = 64, 6, 2, 4
"""Two of the umpires share their tables; so many watch beside the umpires' own lines."""
WRITES = 3
ENOUGH = 180.0
"""Seconds after which nobody waits for an answer any more."""
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
    """A place with an event in it, its umpires, watchers and readers. `close` at the end."""

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
        self.disk, self.server, self.pace, self.random = disk, server, pace, random
        self.postgres, self.redis, self.redis_away, self.stops = postgres, redis, redis_away, stops
        self.kills: list[tuple[str, float, float]] = []
        """What was killed, when, and when it answered again."""
        self.saved_again: list[tuple[str, float, float]] = []
        """For each umpire after a kill -9: what was killed; seconds to a save since it answered, and since the kill."""
        self._slug, self._version, tokens, tables = json.loads(place.python(_EVENT))
        self.ledger = Ledger({int(number): players for number, players in tables.items()})
        shares = _shares(list(self.ledger.tables))
        self.crew = [
            Umpire(server.url, self._slug, token, shares[at], self.ledger, pace, Random(random.random()), at)
            for at, token in enumerate(tokens)
        ]
        heard = [umpire.now.set for umpire in self.crew] + [lambda: None] * HALL
        live = f"{server.url}/live/{self._slug}/"
        self._lines = [Line(live, self._version, pace.line, opened) for opened in heard]
        self.readers = Readers(f"{server.url}/t/{self._slug}/ranking/", pace.patience)
        self._place = place

    def close(self) -> None:
        self.readers.is_over = True
        for line in self._lines:
            line.end()
        for umpire in self.crew:
            umpire.stop.set()

    def endure(self, fault: Fault) -> list[str]:
        """Everybody writes, the fault comes, all get their answers; then everything that is not as it must be."""
        self.readers.during = fault.__name__
        writing = [Thread(target=umpire.write, args=(WRITES,), daemon=True) for umpire in self.crew]
        for umpire in writing:
            umpire.start()
        time.sleep(self.random.uniform(0, 0.6))
        fault(self)
        until = time.monotonic() + ENOUGH
        for umpire in writing:
            umpire.join(max(0.0, until - time.monotonic()))
        self.readers.during = "nothing"
        self._time_saves()
        if any(umpire.is_alive() for umpire in writing):
            return [f"an umpire has had no answer for {ENOUGH:.0f} s: {dict(self.ledger.retried)}"]
        return list(self.wrong())

    def wrong(self) -> list[str]:
        """What does not agree: the rows, the log, the standings, what the watchers have heard."""
        rows = json.loads(self._place.run(_STORED.format(slug=self._slug)))
        problems: list[str] = rows["findings"]
        known = self.ledger.known
        penalties = {uuid for uuid, one in known.items() if one.entry.kind == "penalty"}
        problems += _once(rows["hands"], known.keys() - penalties, "hand")
        problems += _once(rows["penalties"], penalties, "penalty")
        problems += _once(rows["logged"], set(known), "log entry")
        version = self._version + len(known)
        if rows["version"] != version:
            problems.append(
                f"version {rows['version']} after {len(known)} acknowledged writes, not {version}"
            )
        problems += [f"came back: {why}" for why in self.ledger.back.values() if why != "overtaken"]
        if both := known.keys() & self.ledger.back.keys():
            problems.append(f"both saved and come back: {both}")
        return problems + self._standings() + self._heard(version)

    def _standings(self) -> list[str]:
        with urlopen(f"{self.server.url}/api/v1/tournaments/{self._slug}/standings/", timeout=60) as answer:
            rows: list[dict[str, Any]] = json.load(answer)["rows"]
        right = self.ledger.standings()
        wrong = [
            f"player {row['number']} has {row['table_points']}, {row['game_points']}, not {right[row['number']]}"
            for row in rows
            if not _agrees(row, right[row["number"]])
        ]
        order = [right[row["number"]] for row in rows if row["rank"] is not None]
        if len(rows) != len(right) or order != sorted(order, reverse=True):
            wrong.append("the standings are in another order")
        return wrong

    def _heard(self, version: int) -> list[str]:
        wait_for(lambda: all(line.seen == version for line in self._lines), 40)
        late = [line.seen for line in self._lines if line.seen != version]
        gaps = sum(line.missing() for line in self._lines)
        return [f"watchers stand at {late}, not {version}"] * bool(late) + [
            f"{gaps} events were not heard"
        ] * bool(gaps)

    def _time_saves(self) -> None:
        while self.kills:
            what, killed, back = self.kills.pop()
            for umpire in self.crew:
                after = [at for at, who, _ in self.ledger.moments if who == umpire.number and at > killed]
                if after:
                    self.saved_again.append((what, max(0.0, min(after) - back), min(after) - killed))


def _shares(tables: list[int]) -> list[list[int]]:
    """Which umpire is at which tables: the last ones are two at the same."""
    alone = UMPIRES - SHARED
    own = tables[:-SHARED]
    return [own[at::alone] for at in range(alone)] + [tables[-SHARED:]] * SHARED


def _once(stored: list[str], known: set[str], what: str) -> list[str]:
    times = Counter(stored)
    doubled = [uuid for uuid, count in times.items() if count > 1]
    found = [f"doubled: {what} {uuid}" for uuid in doubled]
    found += [f"lost: {what} {uuid}" for uuid in known - times.keys()]
    return found + [f"doubled: {what} {uuid} was never acknowledged" for uuid in times.keys() - known]


def _agrees(row: dict[str, Any], right: tuple[Fraction, int]) -> bool:
    shown = abs(float(row["table_points"]) - float(right[0])) < 0.006  # two decimals are told
    return shown and float(row["game_points"]) == right[1]


def stored(slug: str) -> dict[str, Any]:
    """What the database says: `version`, `findings` of the audit, and the uuids as often as they are there."""
    from django.db import OperationalError

    try:
        return _rows(slug)
    except OperationalError:  # its connection died with the database's server
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


# --- the faults: what is done to a round while its umpires write ---
Fault = Callable[[Round], None]
HOUR = 3600


def kill_web(played: Round) -> None:
    killed = played.server.kill()
    played.server.start()
    played.kills.append(("web", killed, time.monotonic()))


def kill_worker(played: Round) -> None:
    """Or, where the last one has not been started again yet, the one that a new start brings."""
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
    """The server is stopped and starts with a wrong clock, and then once more with the right one."""
    wrong = fake_time(wrong_by)
    assert wrong is not None
    played.server.end()
    played.server.start(**wrong)
    time.sleep(played.random.uniform(0.3, 1.5))
    played.server.end()
    played.server.start()


def thrice(played: Round) -> None:
    """One write three times at once, in the midst of the others."""
    umpire = played.random.choice(played.crew)
    table = played.random.choice(umpire.tables)
    if (state := umpire.look(table)) is not None:
        entry = next_entry(state, played.random)
        _together([(umpire, table, state, replace(entry)) for _ in range(3)])


def two_at_once(played: Round) -> None:
    """Two umpires with the same table's next hand, each with another one, in the same moment."""
    one, other = played.random.sample(played.crew, 2)
    table = played.random.choice(one.tables)
    if (state := one.look(table)) is not None:
        kind = "hand" if state["may_record"] else "correction"
        writes = [
            (umpire, table, state, next_entry(state, played.random, kind=kind)) for umpire in (one, other)
        ]
        _together(writes)


def _together(writes: list[tuple[Any, ...]]) -> None:
    start = Barrier(len(writes))

    def write(umpire: Umpire, *what: Any) -> None:
        start.wait()
        umpire.deliver(*what)

    threads = [Thread(target=write, args=entry) for entry in writes]
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
