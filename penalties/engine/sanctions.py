"""Sanctions (seed 000, "Fouls and Penalties") and their effect on the players' points."""

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
    """The total from which the points are deducted."""

    HAND = "hand"
    """The hand's payments, and so the session's game points."""
    SESSION = "session"
    """The session's game points, which decide the places at the table."""
    TABLE_POINTS = "table_points"
    TOURNAMENT = "tournament"
    """The total of game points over all sessions; the places at the tables stay."""


AT_TABLE: Final = frozenset({PointScope.HAND, PointScope.SESSION})
"""The scopes whose points decide the places at the table."""


class PaidTo(StrEnum):
    """Who receives the points that the offender loses."""

    NOBODY = "nobody"
    EACH_OPPONENT = "each_opponent"
    VICTIM = "victim"


MAX_POINTS: Final = 9999
"""Limit for the points of one sanction."""


@dataclass(frozen=True, slots=True)
class Points:
    """A loss of points. ``amount`` is for each receiver: 20 to each opponent costs the offender 60."""

    amount: int
    scope: PointScope = PointScope.SESSION
    paid_to: PaidTo = PaidTo.NOBODY

    def __post_init__(self) -> None:
        if not 0 < self.amount <= MAX_POINTS:
            raise ValueError(f"a sanction takes 1 to {MAX_POINTS} points: {self.amount}")

    @property
    def total(self) -> int:
        """The offender's loss at a table of four."""
        return self.amount * (3 if self.paid_to is PaidTo.EACH_OPPONENT else 1)

    def to_json(self) -> dict[str, Any]:
        return {"amount": self.amount, "scope": self.scope.value, "paid_to": self.paid_to.value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Points:
        return cls(int(data["amount"]), PointScope(data["scope"]), PaidTo(data["paid_to"]))


@dataclass(frozen=True, slots=True)
class Sanction:
    """A combination of points and flags; an empty one leaves the sanction to the umpire's discretion."""

    warning: bool = False
    points: Points | None = None
    dead_hand: bool = False
    """The offender may not win the current hand, but plays on."""
    no_claims: bool = False
    """The offender may not claim chow, pung or kong for the rest of the hand."""
    lost_claim: bool = False
    """The offender may not claim this discard."""
    no_win_this_turn: bool = False
    """The offender may not win on this turn; the claim stands, and they discard a tile."""
    obligatory_discard: bool = False
    """The offender has to discard the exposed tiles, one a turn."""
    session_forfeited: bool = False
    """The session counts as played with score 0 (1998 rules)."""
    may_not_continue: bool = False
    """The offender plays no further; their results so far and their rank stay."""
    loss_of_rank: bool = False
    disqualification: bool = False
    criticism: bool = False
    ban: bool = False

    @property
    def lasts_hand(self) -> bool:
        """Whether any part of it holds until the end of the hand, so that it needs a hand number."""
        return any(getattr(self, flag) for flag in HAND_FLAGS)

    @property
    def stays_at_table(self) -> bool:
        """Whether it affects nothing but the play and the score at the table."""
        is_beyond_table = any(getattr(self, flag) for flag in BEYOND_TABLE_FLAGS)
        return not is_beyond_table and (self.points is None or self.points.scope in AT_TABLE)

    @property
    def is_grave(self) -> bool:
        """Whether it excludes the player, or costs the session or the rank."""
        return any(getattr(self, flag) for flag in GRAVE_FLAGS)

    def __or__(self, other: Sanction) -> Sanction:
        """Return the combination of both sanctions. Raises ValueError if both take points."""
        if self.points and other.points:
            raise ValueError("both sanctions take points")
        return Sanction(
            points=self.points or other.points,
            **{flag: getattr(self, flag) or getattr(other, flag) for flag in SANCTION_FLAGS},
        )

    def to_json(self) -> dict[str, Any]:
        """Return the points and the flags that are set: ``{"warning": true}``."""
        data: dict[str, Any] = {flag: True for flag in SANCTION_FLAGS if getattr(self, flag)}
        return {**data, "points": self.points.to_json()} if self.points else data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Sanction:
        """Build a sanction from `to_json`. Raises one of `PARSE_ERRORS` for other data."""
        if unknown := set(data) - {*SANCTION_FLAGS, "points"}:
            raise KeyError(f"not part of a sanction: {', '.join(sorted(unknown))}")
        points = Points.from_json(data["points"]) if data.get("points") else None
        return cls(points=points, **{flag: bool(data.get(flag)) for flag in SANCTION_FLAGS})


NO_SANCTION: Final = Sanction()

PARSE_ERRORS: Final = (KeyError, ValueError, TypeError, AttributeError, OverflowError)
"""The exceptions of `Sanction.from_json` for malformed data."""

SANCTION_FLAGS: Final = tuple(field.name for field in fields(Sanction) if field.name != "points")
"""The boolean parts of a sanction, in the order of seed 000."""

HAND_FLAGS: Final = ("dead_hand", "no_claims")
"""The flags that hold until the end of the hand."""

BEYOND_TABLE_FLAGS: Final = (
    *("session_forfeited", "may_not_continue", "loss_of_rank", "disqualification", "criticism", "ban"),
)
"""The flags with consequences after the session."""

GRAVE_FLAGS: Final = ("session_forfeited", "may_not_continue", "loss_of_rank", "disqualification", "ban")
"""The flags that an umpire confirms before the sanction is imposed."""

EXCLUDING_FLAGS: Final = ("disqualification", "may_not_continue")
"""The flags that exclude a player from further play, the most severe first."""

UNRANKING_FLAGS: Final = ("disqualification", "loss_of_rank")
"""The flags that leave a player without a rank, the most severe first."""


def people_problems(
    sanction: Sanction, offender: int, others: Sequence[int], victim: int | None
) -> tuple[Problem, ...]:
    """Return every problem with who pays whom at a table; empty if `point_effects` can be computed.

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
    """Map player numbers to changes of points in the scope of the sanction; unaffected players are left out.

    The changes sum to zero if the points are paid to somebody, else to less than zero. ``others``: the three other
    players at the table. Raises ValueError if there are `people_problems`.
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
    """Return points of the scope SESSION, or of the scope HAND if other players receive them."""
    scope = PointScope.SESSION if paid_to is PaidTo.NOBODY else PointScope.HAND
    return Points(amount, scope, paid_to)


def fine(amount: int, paid_to: PaidTo = PaidTo.NOBODY) -> Sanction:
    """Return a sanction that takes points and nothing else."""
    return Sanction(points=points(amount, paid_to))


WARNING: Final = Sanction(warning=True)
DEAD_HAND: Final = Sanction(dead_hand=True)
SCALE: Final = (5, 10, 20, 30, 40, 50, 60)
STEPS: Final = (WARNING, *(fine(amount) for amount in SCALE))
"""A warning, then 5, 10, 20 "and so on": the scale of seed 000, "Rules Violation"."""
