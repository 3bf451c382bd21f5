"""Fans named without their tiles: whether some hand counts exactly these, and what they come to."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from scoring.engine.fans import FANS, Fan
from scoring.engine.problems import Problem
from scoring.engine.rulebooks import Rulebook
from scoring.engine.together import doubts_about

_MOST: Final = {Fan.FLOWER_TILES: 8, Fan.PUNG_OF_TERMINALS_OR_HONORS: 4, Fan.TILE_HOG: 3}
"""The rest of those that count more than once tie two of the four sets, each set once (principle 3)."""

DRAWN: Final = frozenset(
    {Fan.SELF_DRAWN, Fan.FULLY_CONCEALED_HAND, Fan.LAST_TILE_DRAW, Fan.OUT_WITH_REPLACEMENT_TILE}
)
"""Fans that only a self-drawn tile makes."""
DISCARDED: Final = frozenset({Fan.CONCEALED_HAND, Fan.MELDED_HAND, Fan.LAST_TILE_CLAIM, Fan.ROBBING_THE_KONG})
"""Fans that only another player's tile makes."""


class NamedFan(NamedTuple):
    """A fan as it was named, with what it is worth each time."""

    fan: Fan
    times: int
    points: int


class NamedFans(NamedTuple):
    """What was named, dearest first, and everything that is wrong with it."""

    fans: tuple[NamedFan, ...]
    problems: tuple[Problem, ...]
    doubts: tuple[Problem, ...] = ()
    """Why no hand counts exactly these, where no rule says so but the search for one."""

    @property
    def points(self) -> int:
        return sum(named.times * named.points for named in self.fans)

    @property
    def points_without_flowers(self) -> int:
        return sum(named.times * named.points for named in self.fans if named.fan is not Fan.FLOWER_TILES)


def most_times(fan: Fan) -> int:
    """How often a fan can count in one hand."""
    return _MOST.get(fan, 2) if fan.many else 1


def barred_by(fan: Fan, rulebook: Rulebook) -> dict[Fan, int]:
    """The fans beside which this one does not stand, each with how often it still does: 0, mostly."""
    found = {rule.fan: int(rule.at_most > 0) for rule in rulebook.exclusions if rule.bars is fan}
    return {by: times for by, times in found.items() if by in rulebook.points}


def known_fans(named: Mapping[str, int], rulebook: Rulebook) -> NamedFans:
    """The named fans that this rulebook has, no matter whether they can stand together."""
    known = {fan.key: fan for fan in FANS if fan in rulebook.points}
    fans = [
        NamedFan(known[key], times, rulebook.points[known[key]])
        for key, times in named.items()
        if key in known
    ]
    fans.sort(key=lambda line: (-line.points, line.fan.number))
    problems = [Problem("unknown_fan", f"fans.{key}", {"fan": key}) for key in named if key not in known]
    problems += [
        Problem("fan_too_often", f"fans.{fan.key}", {"fan": fan.key, "times": times, "most": most_times(fan)})
        for fan, times, _points in fans
        if not 1 <= times <= most_times(fan)
    ]
    return NamedFans(tuple(fans), tuple(problems))


def check_named(named: Mapping[str, int], rulebook: Rulebook, *, self_drawn: bool) -> NamedFans:
    """The named fans with everything that keeps them from standing in one hand, won this way."""
    known = known_fans(named, rulebook)
    problems = (
        *known.problems,
        *_excluded(known.fans, rulebook),
        *_won_otherwise(known.fans, self_drawn),
    )
    wrong = {problem.where for problem in problems}
    sound = {fan: times for fan, times, _points in known.fans if f"fans.{fan.key}" not in wrong}
    doubts = doubts_about(sound, rulebook, self_drawn=self_drawn, complete=not problems)
    return known._replace(problems=problems, doubts=doubts)


def _excluded(fans: tuple[NamedFan, ...], rulebook: Rulebook) -> Iterator[Problem]:
    """From the dearest fan down; a fan that is itself excluded excludes nothing."""
    standing: list[Fan] = []
    for fan, times, _points in fans:
        bars = barred_by(fan, rulebook)
        by = next((other for other in standing if other in bars and times > bars[other]), None)
        if by is None:
            standing.append(fan)
        else:
            yield Problem("fan_excluded", f"fans.{fan.key}", {"fan": fan.key, "by": by.key})


def _won_otherwise(fans: tuple[NamedFan, ...], self_drawn: bool) -> Iterator[Problem]:
    for fan, _times, _points in fans:
        if self_drawn and fan in DISCARDED:
            yield Problem("fan_needs_discard", f"fans.{fan.key}", {"fan": fan.key})
        elif not self_drawn and fan in DRAWN:
            yield Problem("fan_needs_self_draw", f"fans.{fan.key}", {"fan": fan.key})
