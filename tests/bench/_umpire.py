"""A client of the API that records hands in one session; thread-safe."""

import json
import statistics
import time
from collections import deque
from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen
from uuid import uuid4

HANDS = 16
PATIENCE = 60.0
"""Seconds for an answer."""
SEVEN_PAIRS = {
    "concealed": ["4m", "4m", "6m", "6m", "2p", "2p", "8p", "8p", "3s", "3s", "5s", "5s", "9s", "9s"],
    "melds": [],
    "winning_tile": "9s",
    "flowers": 0,
}


@dataclass
class AtTable:
    """A table, its players from East to North, and the number of its next hand."""

    number: int
    players: list[int]
    hand: int


class Client:
    """A client of one tournament's API with a token."""

    def __init__(self, site: str, slug: str, token: str) -> None:
        self._base = f"{site}/api/v1/tournaments/{slug}/"
        self._headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urlopen(
            Request(self._base + path, data=data, headers=self._headers), timeout=PATIENCE
        ) as answer:
            return json.load(answer)


class Umpire(Client):
    """A client that records hands at the unfinished tables of one session."""

    def __init__(self, site: str, slug: str, token: str, session: int) -> None:
        super().__init__(site, slug, token)
        self._session = session
        tables = next(row["tables"] for row in self.ask("sessions/") if row["number"] == session)
        self.tables = [
            AtTable(table["number"], [table["seats"][wind] for wind in "ESWN"], table["hands_played"] + 1)
            for table in tables
            if table["hands_played"] < HANDS and not table["is_in"]
        ]
        self._wash_outs = deque(
            (table, hand) for hand in range(1, HANDS + 1) for table in self.tables if hand >= table.hand
        )

    @property
    def version(self) -> int:
        return int(self.ask("")["version"])

    def next_wash_out(self) -> float:
        """Record a wash-out at the next table in turn; return when it was sent."""
        table, hand = self._wash_outs.popleft()
        return self._post(table, {"number": hand, "outcome": "draw"})

    def win(self, table: AtTable) -> float:
        """Record the table's next hand, won by discard and with tiles; return the seconds until the answer."""
        winner, discarder = table.players[0], table.players[1]
        hand = {"outcome": "win", "winner": winner, "discarder": discarder, "tiles": SEVEN_PAIRS}
        sent = self._post(table, {"number": table.hand, **hand})
        table.hand += 1
        return time.perf_counter() - sent

    def read(self, table: AtTable) -> float:
        """Read the table; return the seconds until the answer."""
        sent = time.perf_counter()
        self.ask(f"sessions/{self._session}/tables/{table.number}/")
        return time.perf_counter() - sent

    def _post(self, table: AtTable, body: dict[str, Any]) -> float:
        sent = time.perf_counter()
        path = f"sessions/{self._session}/tables/{table.number}/hands/"
        self.ask(path, {"uuid": str(uuid4()), **body})
        return sent


def milliseconds(seconds: list[float]) -> dict[str, float]:
    """Return the median, the 95th and 99th percentiles and the worst; empty without values."""
    if not seconds:
        return {}
    ordered = sorted(seconds)
    quantiles = {"p95": 0.95, "p99": 0.99, "worst": 1.0}
    figures = {"median": statistics.median(ordered)} | {
        name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in quantiles.items()
    }
    return {name: round(1000 * value, 1) for name, value in figures.items()}
