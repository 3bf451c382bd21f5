"""What an umpire says about a foul, and what was fouled before."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final


class FactKind(StrEnum):
    """How a fact is answered."""

    WHOLE = "whole"
    """A whole number."""
    YES_NO = "yes_no"
    CHOICE = "choice"
    """The key of one of the foul's cases."""
    PLAYER = "player"
    """A player's number."""


FACTS: Final[Mapping[str, FactKind]] = {
    "minutes": FactKind.WHOLE,
    "points": FactKind.WHOLE,
    "victim": FactKind.PLAYER,
    "hu_was_valid": FactKind.YES_NO,
    "circumstance": FactKind.CHOICE,
    "tile_seen": FactKind.YES_NO,
    "stopped": FactKind.YES_NO,
}
"""All that an umpire states with a foul besides who and when, by the field of `Facts` that holds it."""

DETAILS: Final[Mapping[str, FactKind]] = {
    name: kind for name, kind in FACTS.items() if kind is not FactKind.PLAYER
}
"""Those that are kept as they were stated; who suffered it is a player of the table."""


def stated(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details among `data` that are stated: 0 and "no" are, None is not."""
    return {name: data[name] for name in DETAILS if data.get(name) is not None}


class Need(StrEnum):
    """A fact that a foul cannot be judged without; the value is its name in `FACTS`."""

    MINUTES = "minutes"
    POINTS = "points"
    VICTIM = "victim"
    HU_WAS_VALID = "hu_was_valid"
    CIRCUMSTANCE = "circumstance"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a foul; None where it was not said.

    ``points`` is the amount the umpire chose, ``victim`` a player number, ``hand_number`` 1..16 or None
    outside a hand, ``circumstance`` the key of one of the foul's cases, ``stopped`` that the offender may not play on,
    ``points_held`` caps what can be lost where players start with points.
    """

    minutes: int | None = None
    points: int | None = None
    victim: int | None = None
    hu_was_valid: bool | None = None
    tile_seen: bool = False
    stopped: bool = False
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
