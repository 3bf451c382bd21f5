"""What an organiser says of a tournament, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import zones
from tournament.base.engine.rules import PLAYABLE

FIXED_BY_THE_DRAW = ("rulebook", "held_out_waits", "sessions_planned")
"""Particulars that hands already recorded may rest on."""

RESERVED = frozenset({"backups", "new", "people", "setup", "trials"})
"""Addresses below /organiser/ that are pages of their own."""

APPEAL_MINUTES: Final = 30
"""How long after a session's end appeals are taken, by practice."""
RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "sessions_planned": (1, 40),
    "minutes": (10, 600),
    "appeal_minutes": (0, 24 * 60),
}
"""Particular → the least and the most it may be."""


@dataclass(frozen=True)
class Particulars:
    """What the organiser says of a tournament. What hands are scored by stays as it is once seats are drawn.

    `held_out_waits`: whether a tile whose four copies one holds oneself is a wait; None leaves it as it is, or,
    with another rulebook, as that says. `appeal_minutes`: so long after a session's end appeals are taken; 0: settled
    at once, at the table.
    """

    name: str
    venue: str
    starts_on: date
    ends_on: date
    rulebook: str = "mcr"
    sessions_planned: int = 5
    minutes: int = 120
    is_public: bool = True
    appeal_minutes: int = APPEAL_MINUTES
    time_zone: str = field(default_factory=timezone.get_default_timezone_name)
    held_out_waits: bool | None = None


def particulars_problems(particulars: Particulars) -> list[Problem]:
    """Everything wrong with them; `where` is the particular."""
    problems = []
    if particulars.ends_on < particulars.starts_on:
        problems.append(Problem("ends_before_it_starts", "ends_on"))
    if particulars.time_zone not in zones.known():
        problems.append(Problem("unknown_time_zone", "time_zone", {"name": particulars.time_zone}))
    if particulars.rulebook not in PLAYABLE:
        known = {"rulebook": particulars.rulebook, "playable": ", ".join(PLAYABLE)}
        problems.append(Problem("unknown_rulebook", "rulebook", known))
    for name, (least, most) in RANGES.items():
        if not least <= getattr(particulars, name) <= most:
            problems.append(Problem("particular_out_of_range", name, {"least": least, "most": most}))
    return problems
