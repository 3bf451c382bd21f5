"""A hand at a table, judged: is it legal there, what does it score, who pays whom.

The same judgement answers the preview as tiles are tapped, the save, the correction and the replay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.engine import Hand, InvalidHand, NamedFan, Score, payments, score
from scoring.engine.problems import Problem
from tournament.base.engine.entry import DRAW, HandEntry
from tournament.base.engine.rotation import WINDS
from tournament.base.engine.rules import Rules
from tournament.play.engine.declaration import Declaration, declared, held_against, may_be_overridden
from tournament.play.engine.misplaced import misplaced


@dataclass(frozen=True)
class Verdict:
    """The judgement: all problems at once, or none and then the points and the payments by player number."""

    problems: tuple[Problem, ...] = ()
    score: Score | None = None
    """None without tiles: the engine has nothing to count."""
    tiles: dict[str, Any] | None = None
    """The record completed with what was worked out, as it is stored."""
    announced: Declaration | None = None
    overridden: bool = False
    """Whether the announcement counts against the tiles, below the minimum or although no hand counts its fans."""
    overridable: bool = False
    """Whether the problems are such as an umpire may override, saying why."""
    payments: dict[int, int] = field(default_factory=dict)
    points: int = 0
    """Flowers included."""
    points_without_flowers: int = 0

    @property
    def is_legal(self) -> bool:
        return not self.problems

    @property
    def agrees(self) -> bool:
        """Whether tiles and announcement say the same; so they do where only one of them is there."""
        return self.score is None or self.announced is None or self.announced.agrees_with(self.score)

    @property
    def fans(self) -> tuple[NamedFan, ...]:
        """The fans that count, dearest first; empty when only points were announced."""
        if self.score is None or self.overridden:
            return self.announced.fans if self.announced else ()
        return tuple(NamedFan(counted.fan, counted.count, counted.points) for counted in self.score.fans)


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
    if problems := misplaced(rules, seats, hand_number, entry, barred or {}):
        return Verdict(problems)
    if entry.outcome == DRAW:
        return Verdict(payments=dict.fromkeys(seats.values(), 0))
    given = _declared(rules, entry)
    if entry.tiles is None:
        assert given is not None, "a win without tiles was announced"
        return _by_announcement(rules, seats, entry, Verdict(announced=given))
    start = next(wind for wind, player in seats.items() if player == entry.winner)
    record, problems = _completed(entry, start, hand_number, rules)
    try:
        hand = Hand.from_json(record)
    except InvalidHand as invalid:
        return Verdict((*problems, *invalid.problems), tiles=record, announced=given)
    counted = Verdict(problems, score(hand, rules.scoring), record, given)
    if entry.override and not counted.agrees:
        return _by_announcement(rules, seats, entry, counted)
    return _by_tiles(rules, seats, entry, counted)


def _by_tiles(rules: Rules, seats: Mapping[str, int], entry: HandEntry, found: Verdict) -> Verdict:
    """The tiles count, whatever was announced."""
    assert found.score is not None
    problems = (*found.problems, *_shortfall(found.score, rules))
    if problems or (found.announced and found.announced.problems):
        return replace(found, problems=(*problems, *(found.announced.problems if found.announced else ())))
    return _paid(rules, seats, entry, found, found.score.points, found.score.points_without_flowers)


def _by_announcement(rules: Rules, seats: Mapping[str, int], entry: HandEntry, found: Verdict) -> Verdict:
    """The announcement counts: there is nothing else, or the umpire overrides the tiles."""
    given = found.announced
    assert given is not None
    against = held_against(given, rules.scoring)
    overridable = not found.problems and may_be_overridden(given, rules.scoring)
    problems = (*found.problems, *given.problems, *(() if entry.override and overridable else against))
    if problems:
        return replace(found, problems=problems, overridable=overridable)
    found = replace(found, overridden=found.score is not None or bool(against))
    return _paid(rules, seats, entry, found, given.points, given.points_without_flowers)


def _declared(rules: Rules, entry: HandEntry) -> Declaration | None:
    compared = entry.tiles is not None and not entry.override
    self_drawn = entry.discarder is None
    return declared(entry.points, entry.fans, rules.scoring, self_drawn=self_drawn, compared=compared)


def _paid(
    rules: Rules,
    seats: Mapping[str, int],
    entry: HandEntry,
    found: Verdict,
    points: int,
    without_flowers: int,
) -> Verdict:
    paid = _payments(rules, seats, entry, points)
    return replace(found, payments=paid, points=points, points_without_flowers=without_flowers)


def _completed(
    entry: HandEntry, start: str, hand_number: int, rules: Rules
) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The record with the winds and the way of winning as they must be; what it said otherwise is a problem."""
    right = entry.worked_out(start, hand_number, rules.chart)
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
