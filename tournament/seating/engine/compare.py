"""Two plans beside each other: whose seat differs, and a fingerprint by which to know a plan again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TypeAlias

from tournament.base.engine.rotation import WINDS
from tournament.seating.engine.plans import Plan, as_sessions
from tournament.seating.engine.shapes import meetings

Place: TypeAlias = tuple[int, str]
"""Table number from 1, starting wind."""


@dataclass(frozen=True, slots=True)
class Change:
    """A player who sits elsewhere in a session (from 1); None where the player has no seat."""

    session: int
    player: int
    before: Place | None
    after: Place | None


def places(plan: Plan) -> dict[tuple[int, int], Place]:
    """(session from 1, player) → place."""
    return {
        (session, player): (number, wind)
        for session, tables in enumerate(plan, 1)
        for number, seats in enumerate(tables, 1)
        for wind, player in seats.items()
    }


def changes(before: Plan, after: Plan) -> tuple[Change, ...]:
    """Every seat that differs, by session and player."""
    old, new = places(before), places(after)
    return tuple(
        Change(*key, old.get(key), new.get(key))
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    )


def seats_taken_otherwise(before: Plan, after: Plan) -> tuple[int, int]:
    """How many seats somebody else sits in, or nobody, and of how many seats: each counted once for both plans."""
    old, new = (
        {(s, *place): player for (s, player), place in places(plan).items()} for plan in (before, after)
    )
    seats = old.keys() | new.keys()
    return sum(old.get(seat) != new.get(seat) for seat in seats), len(seats)


def repeated_pairs(plan: Plan) -> dict[tuple[int, int], tuple[int, ...]]:
    """Pairs (smaller number first) who meet more than once → the sessions (from 1) in which they do."""
    met: dict[tuple[int, int], tuple[int, ...]] = {}
    for session, one, other in meetings(as_sessions(plan)):
        pair = (min(one, other), max(one, other))
        met[pair] = (*met.get(pair, ()), session + 1)
    return {pair: sessions for pair, sessions in sorted(met.items()) if len(sessions) > 1}


def fingerprint(plan: Plan) -> str:
    """Twelve characters by which to know the same seats: of the SHA-256 of their JSON in the order E, S, W, N."""
    seats = [[[table[wind] for wind in WINDS] for table in tables] for tables in plan]
    return hashlib.sha256(json.dumps(seats).encode()).hexdigest()[:12]
