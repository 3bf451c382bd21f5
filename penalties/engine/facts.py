"""What an umpire says about a foul, and what was fouled before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Need(StrEnum):
    """A fact that a foul cannot be judged without; the value is the field of `Facts` that holds it."""

    MINUTES = "minutes"
    POINTS = "points"
    VICTIM = "victim"
    HU_WAS_VALID = "hu_was_valid"
    CIRCUMSTANCE = "circumstance"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a foul; None where it was not said.

    ``points`` is the amount the umpire chose, ``victim`` a player number, ``hand_number`` 1..16 or None
    outside a hand, ``circumstance`` the key of one of the foul's cases, ``points_held`` caps what can be
    lost where players start with points.
    """

    minutes: int | None = None
    points: int | None = None
    victim: int | None = None
    hu_was_valid: bool | None = None
    tile_seen: bool = False
    hand_number: int | None = None
    session: int | None = None
    circumstance: str | None = None
    points_held: int | None = None


@dataclass(frozen=True, slots=True)
class EarlierFoul:
    """A foul of the same player that stands (cancelled ones are left out)."""

    foul: str
    hand_number: int | None = None
    session: int | None = None


class RepeatScope(StrEnum):
    """Within what a foul counts as a repeat of an earlier one."""

    HAND = "hand"
    WIND_ROUND = "wind_round"
    SESSION = "session"
    TOURNAMENT = "tournament"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a sanction is proposed, as a code and the figures of its sentence.

    ``fixed``; ``ladder`` {occurrence, scope, tile_seen}; ``minutes`` {minutes, from, to} (to 0: no end);
    ``chosen`` {points}; ``case`` {case}; ``discretion``. All have {foul}.
    """

    code: str
    params: Mapping[str, str | int] = field(default_factory=dict)
