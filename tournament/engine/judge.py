"""A hand at a table, judged: is it legal there, what does it score, who pays whom.

The same judgement answers the preview as tiles are tapped, the save, the correction and the replay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scoring.engine import Hand, InvalidHand, Score, payments, score
from scoring.engine.problems import Problem
from tournament.engine.rotation import HANDS_PER_SESSION, WINDS, prevalent_wind, seat_wind
from tournament.engine.rules import Rules

WIN: Final = "win"
DRAW: Final = "draw"
MOST_POINTS: Final = 400
"""Announced points above this are a slip of the finger: no hand comes to so many."""


@dataclass(frozen=True)
class HandEntry:
    """What the umpire enters. Players by number; `discarder` None when self-drawn; `tiles` a corpus record.

    A win has its tiles or, where only the announcement was written down, its `points`, flowers included.

    In `tiles` the seat wind, the prevalent wind and `self_drawn` may be left out: they are worked out. When they
    stand there they must be right.
    """

    outcome: str
    winner: int | None = None
    discarder: int | None = None
    tiles: Mapping[str, Any] | None = None
    points: int | None = None

    @property
    def is_announced(self) -> bool:
        """Whether the points are all that is known of the win."""
        return self.outcome == WIN and self.tiles is None and self.points is not None


@dataclass(frozen=True)
class Verdict:
    """The judgement: all problems at once, or none and then the points and the payments by player number."""

    problems: tuple[Problem, ...] = ()
    score: Score | None = None
    """None without tiles: the engine has nothing to count."""
    tiles: dict[str, Any] | None = None
    """The record completed with what was worked out, as it is stored."""
    payments: dict[int, int] = field(default_factory=dict)
    points: int = 0
    """Flowers included."""
    points_without_flowers: int = 0

    @property
    def is_legal(self) -> bool:
        return not self.problems


def judge(
    rules: Rules,
    seats: Mapping[str, int],
    hand_number: int,
    entry: HandEntry,
    barred: Mapping[int, Problem] | None = None,
) -> Verdict:
    """Judge `entry` as hand 1..16 of a table. `seats`: starting wind → player number. `barred`: who may not win it,
    and what to say when they do.

    A hand below the rulebook's minimum comes back with its score *and* the problem, so that both can be shown.
    """
    if problems := _misplaced(seats, hand_number, entry):
        return Verdict(problems)
    if entry.outcome == DRAW:
        return Verdict(payments=dict.fromkeys(seats.values(), 0))
    if barred and entry.winner is not None and entry.winner in barred:
        return Verdict((barred[entry.winner],))
    if entry.is_announced:
        return _announced(rules, seats, entry)
    start = next(wind for wind, player in seats.items() if player == entry.winner)
    record, problems = _completed(entry, start, hand_number, rules)
    try:
        hand = Hand.from_json(record)
    except InvalidHand as invalid:
        return Verdict((*problems, *invalid.problems), tiles=record)
    result = score(hand, rules.scoring)
    problems += _shortfall(result, rules)
    if problems:
        return Verdict(problems, result, record)
    paid = _payments(rules, seats, entry, result.points)
    return Verdict((), result, record, paid, result.points, result.points_without_flowers)


def _announced(rules: Rules, seats: Mapping[str, int], entry: HandEntry) -> Verdict:
    """The points as announced: nobody can tell how many of them are flowers, so all count towards the minimum."""
    points, minimum = entry.points or 0, rules.scoring.minimum
    if points < minimum:
        short = {"points": points, "minimum": minimum}
        return Verdict((Problem("announced_below_minimum", "points", short),))
    if points > MOST_POINTS:
        return Verdict((Problem("announced_too_many", "points", {"points": points, "most": MOST_POINTS}),))
    return Verdict(
        payments=_payments(rules, seats, entry, points), points=points, points_without_flowers=points
    )


def _misplaced(seats: Mapping[str, int], hand_number: int, entry: HandEntry) -> tuple[Problem, ...]:
    """Faults of who and when, before any tile is looked at."""
    found = []
    if not 1 <= hand_number <= HANDS_PER_SESSION:
        found.append(Problem("no_such_hand", "number", {"number": hand_number, "hands": HANDS_PER_SESSION}))
    if entry.outcome not in (WIN, DRAW):
        found.append(Problem("unknown_outcome", "outcome", {"outcome": entry.outcome}))
    if entry.outcome == WIN:
        found += _wrong_people(set(seats.values()), entry)
    elif entry.winner is not None or entry.discarder is not None or entry.tiles is not None:
        found.append(Problem("wash_out_with_winner", "outcome"))
    return tuple(found)


def _wrong_people(present: set[int], entry: HandEntry) -> list[Problem]:
    found = []
    if entry.winner is None:
        found.append(Problem("winner_missing", "winner"))
    elif entry.winner not in present:
        found.append(Problem("not_at_this_table", "winner", {"player": entry.winner}))
    if entry.discarder is not None and entry.discarder not in present:
        found.append(Problem("not_at_this_table", "discarder", {"player": entry.discarder}))
    if entry.discarder is not None and entry.discarder == entry.winner:
        found.append(Problem("discarder_is_winner", "discarder", {"player": entry.discarder}))
    if entry.tiles is None and entry.points is None:
        found.append(Problem("tiles_missing", "tiles"))
    if entry.tiles is not None and entry.points is not None:
        found.append(Problem("tiles_and_points", "points"))
    return found


def _completed(
    entry: HandEntry, start: str, hand_number: int, rules: Rules
) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The record with the winds and the way of winning as they must be; what it said otherwise is a problem."""
    right = {
        "seat_wind": seat_wind(start, hand_number, rules.chart),
        "prevalent_wind": prevalent_wind(hand_number),
        "self_drawn": entry.discarder is None,
    }
    given = dict(entry.tiles or {})
    problems = tuple(
        Problem(f"wrong_{key}", key, {"given": str(given[key]), "right": str(value)})
        for key, value in right.items()
        if key in given and given[key] != value
    )
    return given | right, problems


def _shortfall(result: Score, rules: Rules) -> tuple[Problem, ...]:
    if not result.win:
        return (Problem("not_a_winning_hand", "tiles"),)
    if not result.meets_minimum:
        found = {"points": result.points_without_flowers, "minimum": rules.scoring.minimum}
        return (Problem("below_minimum", "tiles", found),)
    return ()


def _payments(rules: Rules, seats: Mapping[str, int], entry: HandEntry, points: int) -> dict[int, int]:
    players = [seats[wind] for wind in WINDS]
    discarder = None if entry.discarder is None else players.index(entry.discarder)
    assert entry.winner is not None
    paid = payments(points, players.index(entry.winner), discarder, rules.scoring)
    return dict(zip(players, paid, strict=True))
