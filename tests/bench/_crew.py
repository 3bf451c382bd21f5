"""Umpires who write over HTTP as the desk does: one entry at a time, repeated until it is answered.

This is `static/js/desk/outbox.js` and `api.js` in Python: an answer is saved, refused or stale; without an answer the
entry is sent again after two seconds, then four and so on, or as soon as the live stream is connected again.

The expected results are computed without Hule's code: payments, table points and the order of the standings, from the
text of the rules and the acknowledged entries.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from http.client import HTTPException
from random import Random
from threading import Event, Lock
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.bench._umpire import SEVEN_PAIRS

TRIES = 3
BASE, SCALE = 8, (4, 2, 1, 0)
"""The base that every player pays the winner besides the points (RULES §5), and the table points of places (§8)."""
SEVEN_PAIRS_FROM_DISCARD = 25
"""Seven Pairs 24, No Honours 1."""
FINES = (5, 10, 20)
Payments = dict[int, int]


@dataclass(frozen=True)
class Pace:
    """Delays in seconds."""

    timeout: float = 15.0
    first_retry: float = 2.0
    last_retry: float = 30.0
    between_writes: float = 0.25
    reconnect: float = 2.0
    """The stream's `retry:`, after which a browser connects again."""


@dataclass
class Answer:
    kind: str
    data: Any = None
    why: str = ""


class Umpire:
    """An umpire's device and its tables."""

    def __init__(
        self,
        site: str,
        event: str,
        token: str,
        tables: list[int],
        ledger: Ledger,
        pace: Pace,
        random: Random,
        number: int,
    ) -> None:
        self._site, self._ledger, self._pace, self._random = site, ledger, pace, random
        self._base = f"/api/v1/tournaments/{event}/sessions/1/tables/"
        self._headers = {
            "Authorization": f"Token {token}",
            "Content-Type": "application/json",
            "Prefer": "return=representation",
        }
        self.number = number
        self.tables = tables
        self.reconnected = Event()
        """Set when the live stream is connected: a waiting entry is sent at once."""
        self.stop = Event()

    def write(self, count: int) -> None:
        """Write entries at random tables until so many are saved or refused."""
        for _ in range(count):
            table = self._random.choice(self.tables)
            state = self.fetch_state(table)
            if state is None:
                return
            self.deliver(table, state, next_entry(state, self._random))
            time.sleep(self._random.random() * self._pace.between_writes)

    def fetch_state(self, table: int) -> dict[str, Any] | None:
        """Return the state of a table, repeating the request until it is answered; None after `stop`."""
        wait = self._pace.first_retry
        while not self.stop.is_set():
            answer = self.ask("GET", f"{self._base}{table}/desk/")
            if answer.kind == "ok":
                state: dict[str, Any] = answer.data["state"]
                return state
            wait = self._wait(answer, wait)
        return None

    def deliver(self, table: int, state: dict[str, Any], entry: Entry) -> str:
        """Send an entry until it is saved or refused. Return "saved", "back" (refused) or "stopped"."""
        entry.version = state["version"]
        wait = self._pace.first_retry
        while not self.stop.is_set():
            answer = self._send(state, entry)
            if answer.kind in ("saved", "back"):
                self._record(table, entry, answer)
                return answer.kind
            wait = self._wait(answer, wait)
        return "stopped"

    def _send(self, state: dict[str, Any], entry: Entry) -> Answer:
        """Send an entry once, or a few times if others have changed the table."""
        answer = Answer("busy")
        for _ in range(TRIES):
            method, url = _request_of(entry, state)
            answer = self.ask(method, url, entry.body | {"table_version": entry.version})
            if answer.kind == "ok":
                return Answer("saved", answer.data)
            if answer.kind == "refused":
                return Answer("back", why=answer.why)
            if answer.kind != "stale":
                return answer
            state = answer.data["state"]
            if kind := _outcome_of_stale(entry, state):
                return Answer(kind, why="overtaken")
            entry.version = state["version"]
        return answer

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        """Send a request; classify the answer as `parseResponse` of the desk's `api.js` does."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._site + path, data=data, headers=self._headers, method=method)
        try:
            with urlopen(request, timeout=self._pace.timeout) as answer:
                return Answer("ok", json.load(answer))
        except HTTPError as refusal:
            with refusal:
                return _parse_error(refusal)
        except (OSError, HTTPException, ValueError):
            return Answer("unreachable")

    def _wait(self, answer: Answer, wait: float) -> float:
        with self._ledger.lock:
            self._ledger.retried[answer.kind] += 1
        self.reconnected.clear()
        if self.reconnected.wait(wait):
            return self._pace.first_retry
        return min(2 * wait, self._pace.last_retry)

    def _record(self, table: int, entry: Entry, answer: Answer) -> None:
        with self._ledger.lock:
            if answer.kind == "back":
                self._ledger.refused[entry.uuid] = answer.why
            else:
                self._ledger.acknowledged[entry.uuid] = Acknowledged(table, entry)
                self._ledger.moments.append((time.monotonic(), self.number, entry.uuid))


def _parse_error(refusal: HTTPError) -> Answer:
    try:
        data = json.load(refusal)
    except (OSError, HTTPException, ValueError):
        data = None
    if refusal.code == 409 and data:
        return Answer("stale", data)
    if refusal.code == 401:
        return Answer("signed-out")
    if data and data.get("problems"):
        return Answer("refused", why=f"{refusal.code} {data['problems']}")
    return Answer("broken" if refusal.code < 500 else "5xx")


def _request_of(entry: Entry, state: dict[str, Any]) -> tuple[str, str]:
    if entry.kind == "penalty":
        return "POST", state["urls"]["penalties"]
    if entry.kind == "hand":
        return "POST", state["urls"]["hands"]
    return "PUT", next(hand["url"] for hand in state["hands"] if hand["number"] == entry.number)


def _outcome_of_stale(entry: Entry, state: dict[str, Any]) -> str:
    """Return whether a stale entry is already "saved", has to be dropped ("back"), or can be sent again ("")."""
    hand = next((hand for hand in state["hands"] if hand["number"] == entry.number), None)
    if entry.kind == "penalty":
        return ""
    if entry.kind == "correction":
        return "" if hand and hand["version"] == entry.basis else "back"
    if hand is None:
        return "" if state["may_record"] and state["next"] == entry.number else "back"
    return "saved" if hand["uuid"] == entry.uuid else "back"


@dataclass
class Entry:
    """A write in the outbox, with the same uuid and body until the server has answered."""

    kind: str
    uuid: str
    body: dict[str, Any]
    number: int
    """The hand's number; 0 for a penalty."""
    basis: int
    """The version of the corrected hand; 0 for a new hand."""
    payments: Payments
    version: int = 0
    """The version of the table with which it is sent."""


@dataclass(frozen=True)
class Acknowledged:
    """An entry that the server has saved."""

    table: int
    entry: Entry


def next_entry(state: dict[str, Any], random: Random, *, kind: str = "") -> Entry:
    """Return a random entry for a table in this state: its next hand (7 of 10), a correction (2) or a penalty (1)."""
    players = [seat["player"] for seat in state["seats"]]
    if not kind:
        kind = random.choices(("hand", "correction", "penalty"), (7, 2, 1))[0]
    if kind == "hand" and not state["may_record"]:
        kind = random.choice(("correction", "penalty"))
    if kind == "correction" and not state["hands"]:
        kind = "hand"
    uuid = _uuid(random)
    if kind == "penalty":
        player, fine = random.choice(players), random.choice(FINES)
        body = {"player": player, "foul": "rules_violation", "points": fine}
        return Entry(kind, uuid, {"uuid": uuid, **body}, 0, 0, {player: -fine})
    body, payments = _hand(players, random)
    if kind == "hand":
        number, basis = state["next"], 0
    else:
        old = random.choice(state["hands"])
        number, basis = old["number"], old["version"]
        body["reason"] = "misheard"
    return Entry(kind, uuid, {"uuid": uuid, "number": number, **body}, number, basis, payments)


def _hand(players: list[int], random: Random) -> tuple[dict[str, Any], Payments]:
    winner, discarder = random.sample(players, 2)
    case = random.randrange(8)
    if case == 0:
        return {"outcome": "draw"}, {}
    if case == 1:
        body = {"outcome": "win", "winner": winner, "discarder": discarder, "tiles": SEVEN_PAIRS}
        return body, _payments(players, winner, discarder, SEVEN_PAIRS_FROM_DISCARD)
    points, payer = random.randrange(8, 89), None if case < 4 else discarder
    body = {"outcome": "win", "winner": winner, "discarder": payer, "points": points}
    return body, _payments(players, winner, payer, points)


def _payments(players: list[int], winner: int, discarder: int | None, points: int) -> Payments:
    """Return the payments of a win: everybody pays the base, and the discarder, or all if self-drawn, the points."""
    losses = {
        player: -BASE - (points if discarder in (None, player) else 0)
        for player in players
        if player != winner
    }
    return losses | {winner: -sum(losses.values())}


def _uuid(random: Random) -> str:
    digits = f"{random.getrandbits(128):032x}"
    return "-".join((digits[:8], digits[8:12], f"4{digits[13:16]}", f"8{digits[17:20]}", digits[20:]))


@dataclass
class Ledger:
    """The acknowledged and the refused entries of all umpires. Guarded by `lock`."""

    tables: dict[int, list[int]]
    """Players by table."""
    acknowledged: dict[str, Acknowledged] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    """Reasons by uuid."""
    moments: list[tuple[float, int, str]] = field(default_factory=list)
    """(monotonic time, umpire, uuid) of each acknowledgement."""
    retried: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    lock: Lock = field(default_factory=Lock)

    def current(self) -> dict[tuple[int, int], Acknowledged]:
        """Return the newest acknowledged version by (table, hand). Raises AssertionError for two of one version."""
        newest: dict[tuple[int, int], Acknowledged] = {}
        seen: set[tuple[int, int, int]] = set()
        for write in self.acknowledged.values():
            if write.entry.kind == "penalty":
                continue
            hand = write.table, write.entry.number
            assert (*hand, write.entry.basis) not in seen, f"two were acknowledged as the same hand: {hand}"
            seen.add((*hand, write.entry.basis))
            if hand not in newest or newest[hand].entry.basis < write.entry.basis:
                newest[hand] = write
        return newest

    def standings(self) -> dict[int, tuple[Fraction, int]]:
        """Return (table points, game points) by player, from the acknowledged entries."""
        hands: defaultdict[int, int] = defaultdict(int)
        penalties: defaultdict[int, int] = defaultdict(int)
        for write in self.current().values():
            for player, points in write.entry.payments.items():
                hands[player] += points
        for write in self.acknowledged.values():
            if write.entry.kind == "penalty":
                for player, points in write.entry.payments.items():
                    penalties[player] += points
        standings: dict[int, tuple[Fraction, int]] = {}
        begun = {write.table for write in self.acknowledged.values()}
        for table, players in self.tables.items():
            if table not in begun:
                standings |= {player: (Fraction(0), 0) for player in players}
                continue
            scores = {player: hands[player] + penalties[player] for player in players}
            standings |= {player: (_table_points(scores, player), scores[player]) for player in players}
        return standings


def _table_points(scores: Payments, player: int) -> Fraction:
    """Return a player's table points; players with equal scores share those of their places."""
    better = sum(score > scores[player] for score in scores.values())
    equal = sum(score == scores[player] for score in scores.values())
    return Fraction(sum(SCALE[better : better + equal]), equal)
