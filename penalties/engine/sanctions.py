"""Sanctions: what an umpire imposes (seed 000 "Fouls and Penalties"), and what it does to the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from scoring.engine.problems import Problem, problem_code

VICTIM_MISSING = problem_code("victim_missing", "Who was the injured party?")
VICTIM_IS_OFFENDER = problem_code(
    "victim_is_offender", "The injured party must be another player.", also=("player",)
)
VICTIM_NOT_AT_TABLE = problem_code("victim_not_at_table", "Player {player} does not sit at this table.")
OFFENDER_AMONG_OTHERS = problem_code(
    "offender_among_others", "Player {player} is counted twice at this table."
)
THREE_OTHERS_NEEDED = problem_code(
    "three_others_needed", "This penalty is paid to three other players, not {count}."
)


class PointScope(StrEnum):
    """Which sum the points come off."""

    HAND = "hand"
    """The hand's payments, and with them the session's game points."""
    SESSION = "session"
    """The session's game points; with those of the hand they decide the places at the table."""
    TABLE_POINTS = "table_points"
    TOURNAMENT = "tournament"
    """The final sum of game points: no place at a table changes."""


AT_TABLE: Final = frozenset({PointScope.HAND, PointScope.SESSION})
"""The scopes whose points decide the places at the table."""


class PaidTo(StrEnum):
    """Who gets the points that the offender loses."""

    NOBODY = "nobody"
    EACH_OPPONENT = "each_opponent"
    VICTIM = "victim"


MOST_POINTS: Final = 9999
"""No table has more to lose."""


@dataclass(frozen=True, slots=True)
class Points:
    """A loss of points. ``amount`` is what each receiver gets: 20 to each opponent costs the offender 60."""

    amount: int
    scope: PointScope = PointScope.SESSION
    paid_to: PaidTo = PaidTo.NOBODY

    def __post_init__(self) -> None:
        if not 0 < self.amount <= MOST_POINTS:
            raise ValueError(f"a sanction takes points, not more than {MOST_POINTS}: {self.amount}")

    @property
    def total(self) -> int:
        """What the offender loses at a table of four."""
        return self.amount * (3 if self.paid_to is PaidTo.EACH_OPPONENT else 1)

    def to_json(self) -> dict[str, Any]:
        return {"amount": self.amount, "scope": self.scope.value, "paid_to": self.paid_to.value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Points:
        return cls(int(data["amount"]), PointScope(data["scope"]), PaidTo(data["paid_to"]))


@dataclass(frozen=True, slots=True)
class Sanction:
    """Any mix of these; none at all is what is left to the umpire's discretion."""

    warning: bool = False
    points: Points | None = None
    dead_hand: bool = False
    """May not win the current hand, but plays on."""
    no_claims: bool = False
    """No chow, pung or kong for the rest of the hand."""
    lost_claim: bool = False
    """May not claim this discard."""
    no_win_this_turn: bool = False
    """May not win on this turn: a claim stands, and a tile is discarded."""
    obligatory_discard: bool = False
    """The exposed tiles are discarded, one a turn."""
    session_forfeited: bool = False
    """The session counts as played with score 0 (1998 rules)."""
    may_not_continue: bool = False
    """Plays no further; results so far and the rank stay."""
    loss_of_rank: bool = False
    disqualification: bool = False
    criticism: bool = False
    ban: bool = False

    @property
    def lasts_the_hand(self) -> bool:
        """Whether part of it holds until the hand is over, so that it is for one hand."""
        return any(getattr(self, flag) for flag in HAND_LONG)

    @property
    def stays_at_table(self) -> bool:
        """Whether all of it ends with the hand or is paid within the table's score."""
        beyond = any(getattr(self, flag) for flag in BEYOND_TABLE)
        return not beyond and (self.points is None or self.points.scope in AT_TABLE)

    @property
    def is_grave(self) -> bool:
        """Whether it excludes the player, or costs the session or the rank."""
        return any(getattr(self, flag) for flag in GRAVE)

    def __or__(self, other: Sanction) -> Sanction:
        """Return both sanctions as one; raise ValueError if both take points."""
        if self.points and other.points:
            raise ValueError("two losses of points in one sanction")
        return Sanction(
            points=self.points or other.points,
            **{flag: getattr(self, flag) or getattr(other, flag) for flag in SANCTION_FLAGS},
        )

    def to_json(self) -> dict[str, Any]:
        """Return only what is imposed: ``{"warning": true}``."""
        data: dict[str, Any] = {flag: True for flag in SANCTION_FLAGS if getattr(self, flag)}
        return {**data, "points": self.points.to_json()} if self.points else data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Sanction:
        """Build the sanction from `to_json`; raise KeyError or ValueError for anything else."""
        if unknown := set(data) - {*SANCTION_FLAGS, "points"}:
            raise KeyError(f"not part of a sanction: {', '.join(sorted(unknown))}")
        points = Points.from_json(data["points"]) if data.get("points") else None
        return cls(points=points, **{flag: bool(data.get(flag)) for flag in SANCTION_FLAGS})


NO_SANCTION: Final = Sanction()

UNREADABLE: Final = (KeyError, ValueError, TypeError, AttributeError, OverflowError)
"""What `Sanction.from_json` raises for what somebody else wrote."""

SANCTION_FLAGS: Final = tuple(field.name for field in fields(Sanction) if field.name != "points")
"""The parts of a sanction that are imposed or not, in the order of seed 000."""

HAND_LONG: Final = ("dead_hand", "no_claims")
"""What lasts as long as the hand; the rest of a sanction is over at once, or is for longer."""

BEYOND_TABLE: Final = (
    *("session_forfeited", "may_not_continue", "loss_of_rank", "disqualification", "criticism", "ban"),
)
"""What follows a player away from the table."""

GRAVE: Final = ("session_forfeited", "may_not_continue", "loss_of_rank", "disqualification", "ban")
"""What an umpire confirms before it is imposed."""

EXCLUDING: Final = ("disqualification", "may_not_continue")
"""What ends a player's part in the competition; the graver first."""

UNRANKING: Final = ("disqualification", "loss_of_rank")
"""What leaves a player without a rank; the graver first."""


def people_problems(
    sanction: Sanction, offender: int, others: Sequence[int], victim: int | None
) -> tuple[Problem, ...]:
    """Return everything wrong with who pays whom at a table; empty if `point_effects` can be computed.

    Codes: ``offender_among_others``, ``victim_missing``, ``victim_is_offender``, ``victim_not_at_table``,
    ``three_others_needed``.
    """
    problems = []
    paid_to = sanction.points.paid_to if sanction.points else PaidTo.NOBODY
    if offender in others:
        problems.append(OFFENDER_AMONG_OTHERS("player", player=offender))
    if paid_to is PaidTo.EACH_OPPONENT and len(set(others)) != 3:
        problems.append(THREE_OTHERS_NEEDED("others", count=len(set(others))))
    if victim is None:
        if paid_to is PaidTo.VICTIM:
            problems.append(VICTIM_MISSING("victim"))
    elif victim == offender:
        problems.append(VICTIM_IS_OFFENDER("victim", player=victim))
    elif victim not in others:
        problems.append(VICTIM_NOT_AT_TABLE("victim", player=victim))
    return tuple(problems)


def point_effects(
    sanction: Sanction, offender: int, others: Sequence[int], victim: int | None = None
) -> dict[int, int]:
    """Map players to changes of points, in the unit of ``sanction.points.scope``; players without a change are
    left out.

    Sums to zero when the points are paid to somebody, to less than zero when they are paid to nobody.
    ``others`` are the three at the table. Raises ValueError for people who cannot be meant (see
    `people_problems`).
    """
    if problems := people_problems(sanction, offender, others, victim):
        raise ValueError(", ".join(problem.code for problem in problems))
    if sanction.points is None:
        return {}
    effects = {offender: -sanction.points.total}
    match sanction.points.paid_to:
        case PaidTo.EACH_OPPONENT:
            effects |= dict.fromkeys(others, sanction.points.amount)
        case PaidTo.VICTIM if victim is not None:
            effects[victim] = sanction.points.amount
    return effects


def points(amount: int, paid_to: PaidTo = PaidTo.NOBODY) -> Points:
    """Return points taken off the session, or off the hand if other players at the table receive them."""
    scope = PointScope.SESSION if paid_to is PaidTo.NOBODY else PointScope.HAND
    return Points(amount, scope, paid_to)


def fine(amount: int, paid_to: PaidTo = PaidTo.NOBODY) -> Sanction:
    """Return a sanction that takes points and nothing else."""
    return Sanction(points=points(amount, paid_to))


WARNING: Final = Sanction(warning=True)
DEAD_HAND: Final = Sanction(dead_hand=True)
SCALE: Final = (5, 10, 20, 30, 40, 50, 60)
STEPS: Final = (WARNING, *(fine(amount) for amount in SCALE))
"""Warning, 5, 10, 20 "and so on": along the scale of a rules violation (seed 000, "Rules Violation")."""
