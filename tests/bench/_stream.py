"""What the umpires write, and what must come of it: the points of every hand are known before it is sent.

Nothing of Hule's own is asked here: payments, table points and their order are worked out once more, from the rules'
text and the facts that were acknowledged.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from threading import Lock
from typing import Any

from tests.bench._umpire import SEVEN_PAIRS

BASE, SCALE = 8, (4, 2, 1, 0)
"""What everybody pays the winner beside the points (RULES §5), and what the places at a table are worth (§8)."""
SEVEN_PAIRS_FROM_DISCARD = 25
"""Seven Pairs 24, No Honours 1."""
FINES = (5, 10, 20)
Payments = dict[int, int]


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
