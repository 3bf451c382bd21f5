"""What was announced of a win, points or fans, and whether it agrees with the tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoring.engine import Fan, NamedFan, Rulebook, Score, apart_from, check_named, known_fans
from scoring.engine.problems import Problem
from tournament.base.engine.entry import HandEntry

MOST_POINTS: Final = 400
"""Declaration points above this are a slip of the finger: no hand comes to so many."""


@dataclass(frozen=True)
class Declaration:
    """What an announcement comes to. Nobody can tell how many of bare points are flowers: all count for the minimum."""

    points: int
    points_without_flowers: int
    fans: tuple[NamedFan, ...] = ()
    """Dearest first; empty when only points were announced."""
    problems: tuple[Problem, ...] = ()
    doubts: tuple[Problem, ...] = ()
    """Why no hand counts exactly these fans."""

    def agrees_with(self, score: Score) -> bool:
        """Whether the tiles come to exactly this."""
        if not score.meets_minimum or self.points != score.points:
            return False
        named = Counter({named.fan: named.times for named in self.fans})
        return not named or named == Counter({counted.fan: counted.count for counted in score.fans})

    def beside(self, score: Score) -> list[tuple[Fan, int | None, int]]:
        """(fan, points as named, points as counted), dearest first; None where no fans were named."""
        worth = score.rulebook.points
        named = {line.fan: line.times for line in self.fans}
        counted = {line.fan: line.count for line in score.fans}
        return [
            (fan, named.get(fan, 0) * worth[fan] if named else None, counted.get(fan, 0) * worth[fan])
            for fan in sorted({*named, *counted}, key=lambda fan: (-worth[fan], fan.number))
        ]


def declared(
    points: int | None,
    fans: Mapping[str, int] | None,
    rulebook: Rulebook,
    *,
    self_drawn: bool,
    compared: bool,
) -> Declaration | None:
    """What the points and the fans (key → times) come to; None when nothing was announced.

    An announcement that is only `compared` with tiles may be as wrong as it was; one that counts may not.
    """
    if fans is not None:
        return _by_fans(points, fans, rulebook, self_drawn, compared)
    if points is None:
        return None
    return Declaration(points, points, problems=_out_of_range(points))


def held_against(given: Declaration, rulebook: Rulebook) -> tuple[Problem, ...]:
    """What speaks against an announcement alone, unless the umpire overrides it: doubts, and too few points."""
    reached = _reached(given, rulebook)
    if reached >= rulebook.minimum:
        return given.doubts
    where = "fans" if given.fans else "points"
    short = Problem("announced_below_minimum", where, {"points": reached, "minimum": rulebook.minimum})
    return (*given.doubts, short)


def may_be_overridden(given: Declaration, rulebook: Rulebook) -> bool:
    """Whether an umpire may count an announcement all the same: it is clear, and comes to something."""
    return not given.problems and _reached(given, rulebook) > 0


def struck(entry: HandEntry, rulebook: Rulebook) -> dict[str, str]:
    """The fans (by key) that no hand has beside those that stand for it, each with one of these that bars it, or ""."""
    if entry.tiles is not None or entry.fans is None:
        return {}
    named = {fan: times for fan, times, _points in known_fans(entry.fans, rulebook).fans}
    apart = apart_from(named, rulebook, self_drawn=entry.discarder is None)
    return {fan.key: by.key if by else "" for fan, by in apart.items()}


def _reached(given: Declaration, rulebook: Rulebook) -> int:
    return rulebook.against_minimum(given.points, given.points_without_flowers)


def _by_fans(
    points: int | None, fans: Mapping[str, int], rulebook: Rulebook, self_drawn: bool, compared: bool
) -> Declaration:
    named = known_fans(fans, rulebook) if compared else check_named(fans, rulebook, self_drawn=self_drawn)
    problems = list(named.problems) if fans else [Problem("fans_missing", "fans")]
    if points is not None and points != named.points:
        problems.append(Problem("announced_sum", "points", {"points": points, "sum": named.points}))
    return Declaration(named.points, named.points_without_flowers, named.fans, tuple(problems), named.doubts)


def _out_of_range(points: int) -> tuple[Problem, ...]:
    if points <= MOST_POINTS:
        return ()
    return (Problem("announced_too_many", "points", {"points": points, "most": MOST_POINTS}),)
