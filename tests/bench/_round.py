"""An event that is played while one fault after the other comes, and what is looked at after each."""

from __future__ import annotations

import json
import time
from collections import Counter
from fractions import Fraction
from random import Random
from threading import Thread
from typing import Any
from urllib.request import urlopen

from tests.bench._crew import Pace, Umpire
from tests.bench._faults import Fault
from tests.bench._line import Line, wait_for
from tests.bench._own_servers import OwnServer
from tests.bench._server import Disk, Readers, Server
from tests.bench._stream import Ledger
from tests.bench._witness import Witness
from tests.support.processes import Place

PLAYERS, UMPIRES, SHARED, HALL = 64, 6, 2, 4
"""Two of the umpires share their tables; so many watch beside the umpires' own lines."""
WRITES = 3
ENOUGH = 180.0
"""Seconds after which nobody waits for an answer any more."""
_EVENT = f"""
import json
from tournament.services.signed_in import make_token
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
        self._witness = Witness(place, self._slug)

    def close(self) -> None:
        self.readers.is_over = True
        for line in self._lines:
            line.end()
        for umpire in self.crew:
            umpire.stop.set()
        self._witness.end()

    def endure(self, fault: Fault) -> list[str]:
        """Everybody writes, the fault comes, all get their answers; then everything that is not as it must be."""
        self.readers.during = fault.__name__
        writing = [Thread(target=umpire.write, args=(WRITES,), daemon=True) for umpire in self.crew]
        for one in writing:
            one.start()
        time.sleep(self.random.uniform(0, 0.6))
        fault(self)
        until = time.monotonic() + ENOUGH
        for one in writing:
            one.join(max(0.0, until - time.monotonic()))
        self.readers.during = "nothing"
        self._time_saves()
        if any(one.is_alive() for one in writing):
            return [f"an umpire has had no answer for {ENOUGH:.0f} s: {dict(self.ledger.retried)}"]
        return list(self.wrong())

    def wrong(self) -> list[str]:
        """What does not agree: the rows, the log, the standings, what the watchers have heard."""
        said = self._witness.ask()
        found: list[str] = said["findings"]
        known = self.ledger.known
        penalties = {uuid for uuid, one in known.items() if one.entry.kind == "penalty"}
        found += _once(said["hands"], known.keys() - penalties, "hand")
        found += _once(said["penalties"], penalties, "penalty")
        found += _once(said["logged"], set(known), "log entry")
        version = self._version + len(known)
        if said["version"] != version:
            found.append(f"version {said['version']} after {len(known)} acknowledged writes, not {version}")
        found += [f"came back: {why}" for why in self.ledger.back.values() if why != "overtaken"]
        if both := known.keys() & self.ledger.back.keys():
            found.append(f"both saved and come back: {both}")
        return found + self._standings() + self._heard(version)

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
