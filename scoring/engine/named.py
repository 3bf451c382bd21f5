"""Fans named without their tiles: whether they can stand together in one hand, and what they come to.

Without tiles less can be known: what is found wrong here is wrong whatever the tiles were.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from scoring.engine.fans import FANS, Fan
from scoring.engine.problems import Problem
from scoring.engine.rulebooks import Rulebook

_MOST: Final = {Fan.FLOWER_TILES: 8, Fan.PUNG_OF_TERMINALS_OR_HONORS: 4, Fan.TILE_HOG: 3}
"""The rest of those that count more than once tie two of the four sets, each set once (principle 3)."""

DRAWN: Final = frozenset(
    {Fan.SELF_DRAWN, Fan.FULLY_CONCEALED_HAND, Fan.LAST_TILE_DRAW, Fan.OUT_WITH_REPLACEMENT_TILE}
)
"""Fans that only a self-drawn tile makes."""
DISCARDED: Final = frozenset({Fan.CONCEALED_HAND, Fan.MELDED_HAND, Fan.LAST_TILE_CLAIM, Fan.ROBBING_THE_KONG})
"""Fans that only another player's tile makes."""

_HONOURS: Final = frozenset(
    {
        *(Fan.DRAGON_PUNG, Fan.PREVALENT_WIND, Fan.SEAT_WIND, Fan.HALF_FLUSH, Fan.ALL_TYPES, Fan.TWO_DRAGONS),
        *(Fan.BIG_THREE_WINDS, Fan.LITTLE_FOUR_WINDS, Fan.BIG_FOUR_WINDS, Fan.ALL_HONORS),
        *(Fan.LITTLE_THREE_DRAGONS, Fan.BIG_THREE_DRAGONS, Fan.ALL_TERMINALS_AND_HONORS),
        *(Fan.LESSER_HONORS_AND_KNITTED_TILES, Fan.GREATER_HONORS_AND_KNITTED_TILES, Fan.THIRTEEN_ORPHANS),
    }
)
_NO_HONOURS: Final = frozenset(
    {
        *(Fan.NO_HONORS, Fan.ALL_CHOWS, Fan.ALL_SIMPLES, Fan.FULL_FLUSH, Fan.ALL_FIVES, Fan.ALL_EVEN),
        *(Fan.UPPER_FOUR, Fan.LOWER_FOUR, Fan.UPPER_TILES, Fan.MIDDLE_TILES, Fan.LOWER_TILES),
        *(Fan.THREE_SUITED_TERMINAL_CHOWS, Fan.PURE_TERMINAL_CHOWS, Fan.ALL_TERMINALS),
        *(Fan.NINE_GATES, Fan.SHIFTED_SEVEN_PAIRS),
    }
)
_CHOWS: Final = frozenset(
    {
        *(Fan.PURE_DOUBLE_CHOW, Fan.MIXED_DOUBLE_CHOW, Fan.SHORT_STRAIGHT, Fan.TWO_TERMINAL_CHOWS),
        *(Fan.ALL_CHOWS, Fan.MIXED_SHIFTED_CHOWS, Fan.MIXED_STRAIGHT, Fan.MIXED_TRIPLE_CHOW),
        *(Fan.PURE_STRAIGHT, Fan.PURE_SHIFTED_CHOWS, Fan.PURE_TRIPLE_CHOW, Fan.FOUR_SHIFTED_CHOWS),
        *(Fan.QUADRUPLE_CHOW, Fan.THREE_SUITED_TERMINAL_CHOWS, Fan.PURE_TERMINAL_CHOWS),
    }
)
_NO_CHOWS: Final = frozenset(
    {
        *(Fan.ALL_PUNGS, Fan.ALL_EVEN, Fan.ALL_TERMINALS, Fan.ALL_HONORS, Fan.ALL_TERMINALS_AND_HONORS),
        *(Fan.FOUR_PURE_SHIFTED_PUNGS, Fan.FOUR_CONCEALED_PUNGS, Fan.FOUR_KONGS, Fan.BIG_FOUR_WINDS),
        *(Fan.SEVEN_PAIRS, Fan.SHIFTED_SEVEN_PAIRS, Fan.THIRTEEN_ORPHANS),
        *(Fan.LESSER_HONORS_AND_KNITTED_TILES, Fan.GREATER_HONORS_AND_KNITTED_TILES),
    }
)
CONTRADICTIONS: Final = ((_HONOURS, _NO_HONOURS), (_CHOWS, _NO_CHOWS), (DRAWN, DISCARDED))
"""Fans of which no hand has one of each side. No rule says so: the tiles do."""


class NamedFan(NamedTuple):
    """A fan as it was named, with what it is worth each time."""

    fan: Fan
    times: int
    points: int


class NamedFans(NamedTuple):
    """What was named, dearest first, and everything that is wrong with it."""

    fans: tuple[NamedFan, ...]
    problems: tuple[Problem, ...]

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
    for one, other in CONTRADICTIONS:
        for side, opposite in ((one, other), (other, one)):
            if fan in side:
                found |= dict.fromkeys(opposite, 0)
    return {by: times for by, times in found.items() if by in rulebook.points and by is not fan}


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
    return known._replace(
        problems=(*known.problems, *_excluded(known.fans, rulebook), *_won_otherwise(known.fans, self_drawn))
    )


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
