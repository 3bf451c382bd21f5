"""Fans named without their tiles: whether some hand counts exactly these, and what they come to.

Where no hand does, the reason is one: two of them that no hand has together, or what a hand with them has besides.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final, NamedTuple

from scoring.engine.fans import FANS, Fan
from scoring.engine.hand import Hand
from scoring.engine.problems import Problem, problem_code
from scoring.engine.rulebooks import Rulebook
from scoring.engine.score import score
from scoring.engine.witness.wanted import Undecided

UNKNOWN_FAN = problem_code("unknown_fan", "There is no fan “{fan}” in this rulebook.")
FAN_TOO_OFTEN = problem_code("fan_too_often", "{fan} cannot count {times} times in a hand: at most {most}.")
FAN_EXCLUDED = problem_code("fan_excluded", "{fan} does not count beside {by}.")
FAN_NEEDS_SELF_DRAW = problem_code(
    "fan_needs_self_draw", "{fan} needs a self-drawn tile; this hand was won from a discard."
)
FAN_NEEDS_DISCARD = problem_code(
    "fan_needs_discard", "{fan} needs another player’s tile; this hand was self-drawn."
)
FAN_NEVER_SO_OFTEN = problem_code("fan_never_so_often", "No hand won like this counts {fan} so often.")
FANS_APART = problem_code("fans_apart", "No hand won like this counts {fan} beside {by}.")
FANS_APART_THREE = problem_code(
    "fans_apart_three", "No hand won like this counts {by}, {other} and {fan} together."
)
FANS_NEVER_TOGETHER = problem_code("fans_never_together", "No hand won like this counts all of these fans.")
FAN_LACKING = problem_code("fan_lacking", "A hand with these fans, won like this, also counts {fan}.")
FAN_LACKING_EITHER = problem_code(
    "fan_lacking_either", "A hand with these fans, won like this, also counts {fan} or {by}."
)
FAN_LACKING_FOR_INSTANCE = problem_code(
    "fan_lacking_for_instance",
    "A hand with these fans, won like this, counts one more: {fan} or {by}, for instance.",
)
FANS_LACKING = problem_code(
    "fans_lacking", "A hand with these fans, won like this, counts more of them: {fan}, for instance."
)

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
    bars = {rule.fan: int(rule.at_most > 0) for rule in rulebook.exclusions if rule.bars is fan}
    return {by: times for by, times in bars.items() if by in rulebook.points}


def known_fans(named: Mapping[str, int], rulebook: Rulebook) -> NamedFans:
    """The named fans that this rulebook has, no matter whether they can stand together."""
    known = {fan.key: fan for fan in FANS if fan in rulebook.points}
    fans = [
        NamedFan(known[key], times, rulebook.points[known[key]])
        for key, times in named.items()
        if key in known
    ]
    fans.sort(key=lambda line: (-line.points, line.fan.number))
    problems = [UNKNOWN_FAN(f"fans.{key}", fan=key) for key in named if key not in known]
    problems += [
        FAN_TOO_OFTEN(f"fans.{fan.key}", fan=fan.key, times=times, most=most_times(fan))
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
            yield FAN_EXCLUDED(f"fans.{fan.key}", fan=fan.key, by=by.key)


def _won_otherwise(fans: tuple[NamedFan, ...], self_drawn: bool) -> Iterator[Problem]:
    for fan, _times, _points in fans:
        if self_drawn and fan in DISCARDED:
            yield FAN_NEEDS_DISCARD(f"fans.{fan.key}", fan=fan.key)
        elif not self_drawn and fan in DRAWN:
            yield FAN_NEEDS_SELF_DRAW(f"fans.{fan.key}", fan=fan.key)


def find_exactly(
    fans: Mapping[Fan, int], rulebook: Rulebook, *, self_drawn: bool, effort: int | None = None
) -> Hand | None:
    """A hand that, won like this, counts these fans (times each) and no others but Flower Tiles.

    ``effort``: how much may be looked at before it is `Undecided`; without it the answer is sure.
    """
    return _find(fans, rulebook, self_drawn, True, effort)


def find_within(
    fans: Mapping[Fan, int], rulebook: Rulebook, *, self_drawn: bool, effort: int | None = None
) -> Hand | None:
    """A hand that, won like this, counts these fans (at least so often), and maybe others."""
    return _find(fans, rulebook, self_drawn, False, effort)


def _find(
    fans: Mapping[Fan, int], rulebook: Rulebook, self_drawn: bool, exactly: bool, effort: int | None
) -> Hand | None:
    # Only who asks waits for it: it takes a fifth of the time in which the rest of the engine is imported.
    from scoring.engine.witness.search import find

    hand = find(frozenset(fans.items()), rulebook, self_drawn, exactly, effort)
    if isinstance(hand, Undecided):
        raise Undecided
    return hand


Fans = Mapping[Fan, int]
EFFORT: Final = 250
"""What is looked at for an explanation, so that it comes at once; a verdict is never cut short."""
_TOGETHER: Final = FANS_NEVER_TOGETHER("fans")
_FIRST: Final = (Fan.SELF_DRAWN, Fan.FULLY_CONCEALED_HAND)
"""What is most often forgotten of a self-drawn hand."""


class Together(NamedTuple):
    """Some fans (times each), Flower Tiles apart, in a hand won in one way under one rulebook."""

    fans: Fans
    rulebook: Rulebook
    self_drawn: bool

    @property
    def make_a_hand(self) -> bool:
        """Whether some hand counts exactly these."""
        return find_exactly(self.fans, self.rulebook, self_drawn=self.self_drawn) is not None

    @property
    def surely_make_a_hand(self) -> bool:
        """Whether such a hand is soon found."""
        try:
            hand = find_exactly(self.fans, self.rulebook, self_drawn=self.self_drawn, effort=EFFORT)
        except Undecided:
            return False
        return hand is not None

    @property
    def stand(self) -> bool:
        """Whether some hand counts these and maybe others, or it is not soon proved that none does."""
        try:
            hand = find_within(self.fans, self.rulebook, self_drawn=self.self_drawn, effort=EFFORT)
        except Undecided:
            return True
        return hand is not None

    @property
    def found(self) -> dict[Fan, int]:
        """What one hand with these counts in all; nothing where none is soon found."""
        try:
            hand = find_within(self.fans, self.rulebook, self_drawn=self.self_drawn, effort=EFFORT)
        except Undecided:
            return {}
        return dict(score(hand, self.rulebook).counts) if hand else {}

    def of(self, fans: Fans) -> "Together":
        """Other fans, the rest alike."""
        return self._replace(fans=fans)

    @property
    def ranked(self) -> list[Fan]:
        """Dearest first."""
        return sorted(self.fans, key=lambda fan: (-self.rulebook.points[fan], fan.number))


def doubts_about(
    named: Fans, rulebook: Rulebook, *, self_drawn: bool, complete: bool = True
) -> tuple[Problem, ...]:
    """Why no hand counts exactly these fans, or, if others are still to be named, these and more; nothing when one
    does.
    """
    together = _without_flowers(named, rulebook, self_drawn)
    if not together.fans or (together.make_a_hand if complete else together.stand):
        return ()
    return (_missing(together) if together.stand else _conflict(together),)


def apart_from(named: Fans, rulebook: Rulebook, *, self_drawn: bool) -> dict[Fan, Fan | None]:
    """The fans that can no longer be added to these, each with one of these that it does not stand beside.

    None where it stands beside each of them, but not beside all. A fan takes the place of those it bars.
    """
    together = _without_flowers(named, rulebook, self_drawn)
    fans = together.fans
    if not fans or not together.stand:
        return {}
    bars = {(rule.fan, rule.bars) for rule in rulebook.exclusions if not rule.at_most}
    seen = together.found
    apart: dict[Fan, Fan | None] = {}
    for fan in rulebook.points:
        times = fans.get(fan, 0) + 1
        if fan is Fan.FLOWER_TILES or (times > 1 and not fan.many) or seen.get(fan, 0) >= times:
            continue
        if any((other, fan) in bars for other in fans):
            continue
        left: dict[Fan, int] = {other: n for other, n in fans.items() if (fan, other) not in bars}
        if not together.of(left | {fan: times}).stand:
            apart[fan] = _opponent(fan, times, together.of(left))
    return apart


def _without_flowers(named: Fans, rulebook: Rulebook, self_drawn: bool) -> Together:
    fans: Fans = {fan: times for fan, times in named.items() if fan is not Fan.FLOWER_TILES}
    return Together(fans, rulebook, self_drawn)


def _opponent(fan: Fan, times: int, together: Together) -> Fan | None:
    for other in together.ranked:
        if other is not fan and not together.of({other: together.fans[other], fan: times}).stand:
            return other
    return None


def _conflict(together: Together) -> Problem:
    """Two of the fans that no hand has together, else three; the cheapest is to go."""
    for many in (1, 2, 3):
        for some in combinations(together.ranked, many):
            if not together.of({fan: together.fans[fan] for fan in some}).stand:
                return _apart([fan.key for fan in some])
    return _TOGETHER


def _apart(keys: list[str]) -> Problem:
    *others, fan = keys
    where = f"fans.{fan}"
    match others:
        case []:
            return FAN_NEVER_SO_OFTEN(where, fan=fan)
        case [by]:
            return FANS_APART(where, fan=fan, by=by)
        case [by, other]:
            return FANS_APART_THREE(where, fan=fan, by=by, other=other)
    return _TOGETHER


def _missing(together: Together) -> Problem:
    """What a hand with these fans counts besides."""
    ways = list(_completed_by(together))
    ways.sort(key=lambda fan: (fan not in _FIRST, together.rulebook.points[fan], fan.number))
    match [fan.key for fan in ways]:
        case []:
            besides = _besides(together)
            return FANS_LACKING("fans", fan=besides.key) if besides else _TOGETHER
        case [fan]:
            return FAN_LACKING("fans", fan=fan)
        case [fan, by]:
            return FAN_LACKING_EITHER("fans", fan=fan, by=by)
        case [fan, by, *_more]:
            return FAN_LACKING_FOR_INSTANCE("fans", fan=fan, by=by)
    return _TOGETHER


def _completed_by(together: Together) -> Iterator[Fan]:
    """Each fan that is all that is missing."""
    fans = together.fans
    for fan in together.rulebook.points:
        more = {**fans, fan: fans.get(fan, 0) + 1}
        if (fan.many or fan not in fans) and together.of(more).surely_make_a_hand:
            yield fan


def _besides(together: Together) -> Fan | None:
    """What follows from self-drawn, else the dearest of the other fans that one hand with these counts."""
    for fan in _FIRST if together.self_drawn else ():
        if fan not in together.fans and together.of({**together.fans, fan: 1}).stand:
            return fan
    counted = together.found.items()
    return next((fan for fan, times in counted if times > together.fans.get(fan, 0)), None)
