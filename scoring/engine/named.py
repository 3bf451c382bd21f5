"""Fans named without tiles: whether some hand counts exactly these, and their points.

Where no hand does, the problem names the reason: fans that no hand combines, or a fan that such a hand also has.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final, NamedTuple

from scoring.engine.fans import FANS, Fan
from scoring.engine.hand import Hand
from scoring.engine.hand_search.target import Undecided
from scoring.engine.problems import Problem, problem_code
from scoring.engine.rulebooks import Rulebook
from scoring.engine.score import score

UNKNOWN_FAN = problem_code("unknown_fan", "There is no fan “{fan}” in this rulebook.")
FAN_TOO_OFTEN = problem_code(
    "fan_too_often", "{fan} cannot count {times} times in a hand: at most {maximum}."
)
FAN_EXCLUDED = problem_code("fan_excluded", "{fan} is not counted with {by}.")
FAN_NEEDS_SELF_DRAW = problem_code(
    "fan_needs_self_draw", "{fan} needs a self-drawn tile; this hand was won from a discard."
)
FAN_NEEDS_DISCARD = problem_code(
    "fan_needs_discard", "{fan} needs another player’s tile; this hand was self-drawn."
)
FAN_NEVER_SO_OFTEN = problem_code(
    "fan_never_so_often", "No hand won this way can count {fan} that many times."
)
FANS_APART = problem_code("fans_apart", "No hand won this way can count {fan} together with {by}.")
FANS_APART_THREE = problem_code(
    "fans_apart_three", "No hand won this way can count {by}, {other} and {fan} together."
)
FANS_NEVER_TOGETHER = problem_code("fans_never_together", "No hand won this way can count all of these fans.")
FAN_LACKING = problem_code("fan_lacking", "A hand with these fans, won this way, also counts {fan}.")
FAN_LACKING_EITHER = problem_code(
    "fan_lacking_either", "A hand with these fans, won this way, also counts {fan} or {by}."
)
FAN_LACKING_FOR_INSTANCE = problem_code(
    "fan_lacking_for_instance",
    "A hand with these fans, won this way, also counts another one, such as {fan} or {by}.",
)
FANS_LACKING = problem_code(
    "fans_lacking", "A hand with these fans, won this way, also counts others, such as {fan}."
)

_MAX_COUNTS: Final = {Fan.FLOWER_TILES: 8, Fan.PUNG_OF_TERMINALS_OR_HONORS: 4, Fan.TILE_HOG: 3}
"""All other repeatable fans tie two of the four sets, each set once (principle 3), and so count twice at most."""

SELF_DRAWN_FANS: Final = frozenset(
    {Fan.SELF_DRAWN, Fan.FULLY_CONCEALED_HAND, Fan.LAST_TILE_DRAW, Fan.OUT_WITH_REPLACEMENT_TILE}
)
"""Fans that only a self-drawn tile makes."""
DISCARD_FANS: Final = frozenset(
    {Fan.CONCEALED_HAND, Fan.MELDED_HAND, Fan.LAST_TILE_CLAIM, Fan.ROBBING_THE_KONG}
)
"""Fans that only another player's tile makes."""


class NamedFan(NamedTuple):
    """A named fan with its points each time."""

    fan: Fan
    times: int
    points: int


class NamedFans(NamedTuple):
    """The named fans, highest first, and everything that is wrong with them."""

    fans: tuple[NamedFan, ...]
    problems: tuple[Problem, ...]
    doubts: tuple[Problem, ...] = ()
    """Why no hand counts exactly these, as found by search and not stated by a rule."""

    @property
    def points(self) -> int:
        return sum(named.times * named.points for named in self.fans)

    @property
    def points_without_flowers(self) -> int:
        return sum(named.times * named.points for named in self.fans if named.fan is not Fan.FLOWER_TILES)


def most_times(fan: Fan) -> int:
    """Return how often a fan can count in one hand."""
    return _MAX_COUNTS.get(fan, 2) if fan.many else 1


def barred_by(fan: Fan, rulebook: Rulebook) -> dict[Fan, int]:
    """Return the fans that exclude this one, each with how often it still counts beside them (mostly 0)."""
    bars = {rule.fan: int(rule.at_most > 0) for rule in rulebook.exclusions if rule.bars is fan}
    return {by: times for by, times in bars.items() if by in rulebook.points}


def known_fans(named: Mapping[str, int], rulebook: Rulebook) -> NamedFans:
    """Return the named fans that this rulebook has, whether or not they can combine."""
    known = {fan.key: fan for fan in FANS if fan in rulebook.points}
    fans = [
        NamedFan(known[key], times, rulebook.points[known[key]])
        for key, times in named.items()
        if key in known
    ]
    fans.sort(key=lambda line: (-line.points, line.fan.number))
    problems = [UNKNOWN_FAN(f"fans.{key}", fan=key) for key in named if key not in known]
    problems += [
        FAN_TOO_OFTEN(f"fans.{fan.key}", fan=fan.key, times=times, maximum=most_times(fan))
        for fan, times, _points in fans
        if not 1 <= times <= most_times(fan)
    ]
    return NamedFans(tuple(fans), tuple(problems))


def check_named(named: Mapping[str, int], rulebook: Rulebook, *, self_drawn: bool) -> NamedFans:
    """Return the named fans with everything that prevents them from counting in one hand won this way."""
    known = known_fans(named, rulebook)
    problems = (
        *known.problems,
        *_excluded_fans(known.fans, rulebook),
        *_wrong_winning_tile(known.fans, self_drawn),
    )
    wrong = {problem.where for problem in problems}
    sound = {fan: times for fan, times, _points in known.fans if f"fans.{fan.key}" not in wrong}
    doubts = find_doubts(sound, rulebook, self_drawn=self_drawn, complete=not problems)
    return known._replace(problems=problems, doubts=doubts)


def _excluded_fans(fans: tuple[NamedFan, ...], rulebook: Rulebook) -> Iterator[Problem]:
    """Yield a problem for each excluded fan, from the highest-scoring one down; an excluded fan excludes nothing."""
    counted: list[Fan] = []
    for fan, times, _points in fans:
        bars = barred_by(fan, rulebook)
        by = next((other for other in counted if other in bars and times > bars[other]), None)
        if by is None:
            counted.append(fan)
        else:
            yield FAN_EXCLUDED(f"fans.{fan.key}", fan=fan.key, by=by.key)


def _wrong_winning_tile(fans: tuple[NamedFan, ...], self_drawn: bool) -> Iterator[Problem]:
    for fan, _times, _points in fans:
        if self_drawn and fan in DISCARD_FANS:
            yield FAN_NEEDS_DISCARD(f"fans.{fan.key}", fan=fan.key)
        elif not self_drawn and fan in SELF_DRAWN_FANS:
            yield FAN_NEEDS_SELF_DRAW(f"fans.{fan.key}", fan=fan.key)


def find_exactly(
    fans: Mapping[Fan, int], rulebook: Rulebook, *, self_drawn: bool, effort: int | None = None
) -> Hand | None:
    """Return a hand won this way that counts exactly these fans (times each) apart from Flower Tiles, or None.

    Raises `Undecided` when `effort` layouts were not enough to decide; without `effort` the result is certain.
    """
    return _find(fans, rulebook, self_drawn, True, effort)


def find_within(
    fans: Mapping[Fan, int], rulebook: Rulebook, *, self_drawn: bool, effort: int | None = None
) -> Hand | None:
    """Return a hand won this way that counts at least these fans, and maybe others, or None."""
    return _find(fans, rulebook, self_drawn, False, effort)


def _find(
    fans: Mapping[Fan, int], rulebook: Rulebook, self_drawn: bool, exactly: bool, effort: int | None
) -> Hand | None:
    # Imported on use: it takes a fifth of the time of importing the rest of the engine.
    from scoring.engine.hand_search.search import find

    hand = find(frozenset(fans.items()), rulebook, self_drawn, exactly, effort)
    if isinstance(hand, Undecided):
        raise Undecided
    return hand


Fans = Mapping[Fan, int]
EFFORT: Final = 250
"""Layouts examined for an explanation, so that it is quick; a verdict is never cut short."""
_NEVER_TOGETHER: Final = FANS_NEVER_TOGETHER("fans")
_OFTEN_FORGOTTEN: Final = (Fan.SELF_DRAWN, Fan.FULLY_CONCEALED_HAND)
"""The fans most often forgotten in a self-drawn hand."""


class _FanSet(NamedTuple):
    """Some fans (times each) without Flower Tiles, in a hand won one way under one rulebook."""

    fans: Fans
    rulebook: Rulebook
    self_drawn: bool

    @property
    def has_exact_hand(self) -> bool:
        """Whether some hand counts exactly these."""
        return find_exactly(self.fans, self.rulebook, self_drawn=self.self_drawn) is not None

    @property
    def has_exact_hand_soon(self) -> bool:
        """Whether such a hand is soon found."""
        try:
            hand = find_exactly(self.fans, self.rulebook, self_drawn=self.self_drawn, effort=EFFORT)
        except Undecided:
            return False
        return hand is not None

    @property
    def may_combine(self) -> bool:
        """Whether some hand counts these and maybe others, or it is not soon proved that none does."""
        try:
            hand = find_within(self.fans, self.rulebook, self_drawn=self.self_drawn, effort=EFFORT)
        except Undecided:
            return True
        return hand is not None

    @property
    def sample_counts(self) -> dict[Fan, int]:
        """What one hand with these counts in all; nothing where none is soon found."""
        try:
            hand = find_within(self.fans, self.rulebook, self_drawn=self.self_drawn, effort=EFFORT)
        except Undecided:
            return {}
        return dict(score(hand, self.rulebook).counts) if hand else {}

    def with_fans(self, fans: Fans) -> "_FanSet":
        return self._replace(fans=fans)

    @property
    def by_points(self) -> list[Fan]:
        """Dearest first."""
        return sorted(self.fans, key=lambda fan: (-self.rulebook.points[fan], fan.number))


def find_doubts(
    named: Fans, rulebook: Rulebook, *, self_drawn: bool, complete: bool = True
) -> tuple[Problem, ...]:
    """Return why no hand counts exactly these fans (or, unless `complete`, these and others); empty if one does."""
    fan_set = _without_flowers(named, rulebook, self_drawn)
    if not fan_set.fans or (fan_set.has_exact_hand if complete else fan_set.may_combine):
        return ()
    return (_missing_fan_problem(fan_set) if fan_set.may_combine else _conflict(fan_set),)


def incompatible_fans(named: Fans, rulebook: Rulebook, *, self_drawn: bool) -> dict[Fan, Fan | None]:
    """Return the fans that cannot be added to these, each with one of these that it does not combine with.

    None where it combines with each of them, but not with all together. A fan replaces those it excludes.
    """
    fan_set = _without_flowers(named, rulebook, self_drawn)
    fans = fan_set.fans
    if not fans or not fan_set.may_combine:
        return {}
    bars = {(rule.fan, rule.bars) for rule in rulebook.exclusions if not rule.at_most}
    sample = fan_set.sample_counts
    incompatible: dict[Fan, Fan | None] = {}
    for fan in rulebook.points:
        times = fans.get(fan, 0) + 1
        if fan is Fan.FLOWER_TILES or (times > 1 and not fan.many) or sample.get(fan, 0) >= times:
            continue
        if any((other, fan) in bars for other in fans):
            continue
        others: dict[Fan, int] = {other: n for other, n in fans.items() if (fan, other) not in bars}
        if not fan_set.with_fans(others | {fan: times}).may_combine:
            incompatible[fan] = _incompatible_with(fan, times, fan_set.with_fans(others))
    return incompatible


def _without_flowers(named: Fans, rulebook: Rulebook, self_drawn: bool) -> _FanSet:
    fans: Fans = {fan: times for fan, times in named.items() if fan is not Fan.FLOWER_TILES}
    return _FanSet(fans, rulebook, self_drawn)


def _incompatible_with(fan: Fan, times: int, fan_set: _FanSet) -> Fan | None:
    for other in fan_set.by_points:
        if other is not fan and not fan_set.with_fans({other: fan_set.fans[other], fan: times}).may_combine:
            return other
    return None


def _conflict(fan_set: _FanSet) -> Problem:
    """Return the problem of one to three fans that no hand combines; the lowest of them is the one to remove."""
    for size in (1, 2, 3):
        for subset in combinations(fan_set.by_points, size):
            if not fan_set.with_fans({fan: fan_set.fans[fan] for fan in subset}).may_combine:
                return _conflict_problem([fan.key for fan in subset])
    return _NEVER_TOGETHER


def _conflict_problem(keys: list[str]) -> Problem:
    *others, fan = keys
    where = f"fans.{fan}"
    match others:
        case []:
            return FAN_NEVER_SO_OFTEN(where, fan=fan)
        case [by]:
            return FANS_APART(where, fan=fan, by=by)
        case [by, other]:
            return FANS_APART_THREE(where, fan=fan, by=by, other=other)
    return _NEVER_TOGETHER


def _missing_fan_problem(fan_set: _FanSet) -> Problem:
    """Return the problem of a fan that any hand with these fans also counts."""
    completing = list(_completing_fans(fan_set))
    completing.sort(key=lambda fan: (fan not in _OFTEN_FORGOTTEN, fan_set.rulebook.points[fan], fan.number))
    match [fan.key for fan in completing]:
        case []:
            missing = _likely_missing_fan(fan_set)
            return FANS_LACKING("fans", fan=missing.key) if missing else _NEVER_TOGETHER
        case [fan]:
            return FAN_LACKING("fans", fan=fan)
        case [fan, by]:
            return FAN_LACKING_EITHER("fans", fan=fan, by=by)
        case [fan, by, *_more]:
            return FAN_LACKING_FOR_INSTANCE("fans", fan=fan, by=by)
    return _NEVER_TOGETHER


def _completing_fans(fan_set: _FanSet) -> Iterator[Fan]:
    """Yield each fan that alone would complete the set."""
    fans = fan_set.fans
    for fan in fan_set.rulebook.points:
        more = {**fans, fan: fans.get(fan, 0) + 1}
        if (fan.many or fan not in fans) and fan_set.with_fans(more).has_exact_hand_soon:
            yield fan


def _likely_missing_fan(fan_set: _FanSet) -> Fan | None:
    """Return a fan that follows from self-drawn, else the highest other fan of a sample hand."""
    for fan in _OFTEN_FORGOTTEN if fan_set.self_drawn else ():
        if fan not in fan_set.fans and fan_set.with_fans({**fan_set.fans, fan: 1}).may_combine:
            return fan
    counted = fan_set.sample_counts.items()
    return next((fan for fan, times in counted if times > fan_set.fans.get(fan, 0)), None)
