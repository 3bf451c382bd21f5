"""The facts that an umpire states about a foul, and the player's earlier fouls."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final


class FactKind(StrEnum):
    """The type of a fact."""

    WHOLE = "whole"
    """An integer."""
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
"""The facts of a foul besides the offender and the hand, by their field of `Facts`."""

DETAILS: Final[Mapping[str, FactKind]] = {
    name: kind for name, kind in FACTS.items() if kind is not FactKind.PLAYER
}
"""The facts that `Penalty.facts` stores; the victim is a foreign key of its own."""


def select_details(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of `data` that are `DETAILS` and not None; 0 and False count as stated."""
    return {name: data[name] for name in DETAILS if data.get(name) is not None}


class Need(StrEnum):
    """A fact that a rule requires; the value is its name in `FACTS`."""

    MINUTES = "minutes"
    POINTS = "points"
    VICTIM = "victim"
    HU_WAS_VALID = "hu_was_valid"
    CIRCUMSTANCE = "circumstance"


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one foul; None for a fact that was not stated.

    ``points`` is the amount that the umpire chose, ``victim`` a player number, ``hand_number`` 1 to 16 or None
    outside a hand, ``circumstance`` the key of one of the foul's cases, ``stopped`` whether the offender may not play
    on, ``points_held`` the most that can be lost where players start with points.
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
    """An earlier foul of the same player that is not cancelled."""

    foul: str
    hand_number: int | None = None
    session: int | None = None


class RepeatScope(StrEnum):
    """The period within which a foul counts as a repeat of an earlier one."""

    HAND = "hand"
    WIND_ROUND = "wind_round"
    SESSION = "session"
    ANY_FOUL = "any_foul"
    """In the session, together with the player's other fouls that are counted like this."""
    TOURNAMENT = "tournament"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a sanction is proposed: a code and the parameters of its sentence.

    ``fixed``; ``ladder`` {occurrence, scope, tile_seen}; ``minutes`` {minutes, from, to} (``to`` is 0 if there is no
    upper limit); ``chosen`` {points}; ``case`` {case}; ``discretion``. All have {foul}.
    """

    code: str
    params: Mapping[str, str | int] = field(default_factory=dict)
