"""Umpires who write over HTTP as the desk does: one entry at a time, the same until it is answered.

What `static/js/desk/deliver.js` and `api.js` do, in Python: an answer is saved, refused, stale, or none; without one
the entry is sent again after two seconds, then four and so on, or as soon as the line to the stream stands again.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from http.client import HTTPException
from random import Random
from threading import Event
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.bench._stream import Entry, Known, Ledger, next_entry

TRIES = 3


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
