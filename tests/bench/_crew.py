"""Umpires who write over HTTP as the desk does: one entry at a time, the same until it is answered.

What `static/js/desk/outbox.js` and `api.js` do, in Python: an answer is saved, refused, stale, or none; without one
the entry is sent again after two seconds, then four and so on, or as soon as the line to the stream stands again.

What must come of it is known before it is sent. Nothing of Hule's own is asked for that: payments, table points and
their order are worked out once more, from the rules' text and the facts that were acknowledged.
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
"""What everybody pays the winner beside the points (RULES §5), and what the places at a table are worth (§8)."""
SEVEN_PAIRS_FROM_DISCARD = 25
"""Seven Pairs 24, No Honours 1."""
FINES = (5, 10, 20)
Payments = dict[int, int]


@dataclass(frozen=True)
class Pace:
    """How long a page waits, in seconds: for an answer, before it tries again, and between its umpire's writes."""

    patience: float = 15.0
    soon: float = 2.0
    late: float = 30.0
    thinks: float = 0.25
    line: float = 2.0
    """After how long a browser builds a lost line up again: what the stream's `retry:` says."""


@dataclass
class Answer:
    kind: str
    data: Any = None
    why: str = ""


class Umpire:
    """One device, with the tables it is at."""

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
        self.now = Event()
        """Set when the line to the stream stands: what waits goes at once."""
        self.stop = Event()

    def write(self, how_many: int) -> None:
        """So many writes, at one of the tables after the other; returns when each was answered for good."""
        for _ in range(how_many):
            table = self._random.choice(self.tables)
            state = self.look(table)
            if state is None:
                return
            self.deliver(table, state, next_entry(state, self._random))
            time.sleep(self._random.random() * self._pace.thinks)

    def look(self, table: int) -> dict[str, Any] | None:
        """How a table stands, as soon as the server says; None when everybody was told to stop."""
        wait = self._pace.soon
        while not self.stop.is_set():
            answer = self.ask("GET", f"{self._base}{table}/desk/")
            if answer.kind == "ok":
                state: dict[str, Any] = answer.data["state"]
                return state
            wait = self._wait(answer, wait)
        return None

    def deliver(self, table: int, state: dict[str, Any], entry: Entry) -> str:
        """Send an entry until the server has it, or does not want it: "saved", "back" or "stopped"."""
        entry.version = state["version"]
        wait = self._pace.soon
        while not self.stop.is_set():
            answer = self._tried(state, entry)
            if answer.kind in ("saved", "back"):
                self._note(table, entry, answer)
                return answer.kind
            wait = self._wait(answer, wait)
        return "stopped"

    def _tried(self, state: dict[str, Any], entry: Entry) -> Answer:
        """Once, or a few times against a table that others write at."""
        answer = Answer("busy")
        for _ in range(TRIES):
            method, url = _way(entry, state)
            answer = self.ask(method, url, entry.body | {"table_version": entry.version})
            if answer.kind == "ok":
                return Answer("saved", answer.data)
            if answer.kind == "refused":
                return Answer("back", why=answer.why)
            if answer.kind != "stale":
                return answer
            state = answer.data["state"]
            if fate := _overtaken(entry, state):
                return Answer(fate, why="overtaken")
            entry.version = state["version"]
        return answer

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        """One request; what the page's `understood` makes of the answer."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._site + path, data=data, headers=self._headers, method=method)
        try:
            with urlopen(request, timeout=self._pace.patience) as answer:
                return Answer("ok", json.load(answer))
        except HTTPError as refusal:
            with refusal:
                return _understood(refusal)
        except (OSError, HTTPException, ValueError):
            return Answer("unreachable")

    def _wait(self, answer: Answer, wait: float) -> float:
        with self._ledger.lock:
            self._ledger.retried[answer.kind] += 1
        self.now.clear()
        if self.now.wait(wait):
            return self._pace.soon
        return min(2 * wait, self._pace.late)

    def _note(self, table: int, entry: Entry, answer: Answer) -> None:
        with self._ledger.lock:
            if answer.kind == "back":
                self._ledger.back[entry.uuid] = answer.why
            else:
                self._ledger.known[entry.uuid] = Known(table, entry)
                self._ledger.moments.append((time.monotonic(), self.number, entry.uuid))


def _understood(refusal: HTTPError) -> Answer:
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


def _way(entry: Entry, state: dict[str, Any]) -> tuple[str, str]:
    if entry.kind == "penalty":
        return "POST", state["urls"]["penalties"]
    if entry.kind == "hand":
        return "POST", state["urls"]["hands"]
    return "PUT", next(hand["url"] for hand in state["hands"] if hand["number"] == entry.number)


def _overtaken(entry: Entry, state: dict[str, Any]) -> str:
    """Whether an entry that came late is still to be sent (""), is there already, or comes back."""
    hand = next((one for one in state["hands"] if one["number"] == entry.number), None)
    if entry.kind == "penalty":
        return ""
    if entry.kind == "correction":
        return "" if hand and hand["version"] == entry.basis else "back"
    if hand is None:
        return "" if state["may_record"] and state["next"] == entry.number else "back"
    return "saved" if hand["uuid"] == entry.uuid else "back"


@dataclass
class Entry:
    """One write as the page's outbox keeps it: the same uuid and body until the server has answered."""

    kind: str
    uuid: str
    body: dict[str, Any]
    number: int
    """Of the hand; 0 for a penalty."""
    basis: int
    """The version of the hand that is corrected; 0 for a new one."""
    payments: Payments
    version: int = 0
    """The table's version it is sent with."""


@dataclass(frozen=True)
class Known:
    """A write that was acknowledged."""

    table: int
    entry: Entry


def next_entry(state: dict[str, Any], random: Random, *, kind: str = "") -> Entry:
    """What an umpire writes at a table that stands so: mostly its next hand; a correction, a penalty."""
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
    how = random.randrange(8)
    if how == 0:
        return {"outcome": "draw"}, {}
    if how == 1:
        body = {"outcome": "win", "winner": winner, "discarder": discarder, "tiles": SEVEN_PAIRS}
        return body, _paid(players, winner, discarder, SEVEN_PAIRS_FROM_DISCARD)
    points, payer = random.randrange(8, 89), None if how < 4 else discarder
    body = {"outcome": "win", "winner": winner, "discarder": payer, "points": points}
    return body, _paid(players, winner, payer, points)


def _paid(players: list[int], winner: int, discarder: int | None, points: int) -> Payments:
    """Self-drawn, all pay the points; else the discarder does. The base is everybody's."""
    paid = {
        player: -BASE - (points if discarder in (None, player) else 0)
        for player in players
        if player != winner
    }
    return paid | {winner: -sum(paid.values())}


def _uuid(random: Random) -> str:
    digits = f"{random.getrandbits(128):032x}"
    return "-".join((digits[:8], digits[8:12], f"4{digits[13:16]}", f"8{digits[17:20]}", digits[20:]))


@dataclass
class Ledger:
    """What was acknowledged, and what came back. Written to by all umpires at once."""

    tables: dict[int, list[int]]
    """Table → its players."""
    known: dict[str, Known] = field(default_factory=dict)
    back: dict[str, str] = field(default_factory=dict)
    """uuid of what the server did not take → why."""
    moments: list[tuple[float, int, str]] = field(default_factory=list)
    """When which umpire had which write's answer."""
    retried: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    lock: Lock = field(default_factory=Lock)

    def current(self) -> dict[tuple[int, int], Known]:
        """(table, hand) → the acknowledged version that counts. AssertionError when two have the same number."""
        newest: dict[tuple[int, int], Known] = {}
        seen: set[tuple[int, int, int]] = set()
        for one in self.known.values():
            if one.entry.kind == "penalty":
                continue
            place = one.table, one.entry.number
            assert (*place, one.entry.basis) not in seen, f"two were acknowledged as the same hand: {place}"
            seen.add((*place, one.entry.basis))
            if place not in newest or newest[place].entry.basis < one.entry.basis:
                newest[place] = one
        return newest

    def standings(self) -> dict[int, tuple[Fraction, int]]:
        """Player → table points and game points, from nothing but what was acknowledged."""
        game: defaultdict[int, int] = defaultdict(int)
        fined: defaultdict[int, int] = defaultdict(int)
        for one in self.current().values():
            for player, points in one.entry.payments.items():
                game[player] += points
        for one in self.known.values():
            if one.entry.kind == "penalty":
                for player, points in one.entry.payments.items():
                    fined[player] += points
        found: dict[int, tuple[Fraction, int]] = {}
        begun = {one.table for one in self.known.values()}
        for table, players in self.tables.items():
            if table not in begun:
                found |= {player: (Fraction(0), 0) for player in players}
                continue
            scores = {player: game[player] + fined[player] for player in players}
            found |= {player: (_share(scores, player), scores[player]) for player in players}
        return found


def _share(scores: Payments, player: int) -> Fraction:
    """Equal scores share the table points of their places."""
    better = sum(score > scores[player] for score in scores.values())
    equal = sum(score == scores[player] for score in scores.values())
    return Fraction(sum(SCALE[better : better + equal]), equal)
