"""The ranking of the European Mahjong Association (MERS), and the seats of its championships."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Final

# --- Weight ---


MAX_DAYS: Final = 3
"""Further days add no weight."""
PLAYERS: Final = ((81, Fraction(1)), (41, Fraction(1, 2)))
"""(least number of players, added weight), the highest step first."""
MAX_SUBSTITUTES: Final = 3
"""Substitutes that count as players: "Substitute players (maximum 3) are accounted"."""
COUNTRIES: Final = ((10, Fraction(1)), (6, Fraction(1, 2)))
"""(least number of countries, added weight), by the current page; a version of 2018 begins the last step at 11."""
CHAMPIONSHIP: Final = Fraction(1)


@dataclass(frozen=True)
class Weight:
    """A tournament's weight in the ranking, by its parts; `championship`: one that players qualify for.

    Sources: mahjong-europe.org, "Basics for ranking system"; mahjong-portal, `calculation/ema.py`.
    """

    days: Fraction
    players: Fraction
    countries: Fraction
    championship: Fraction

    @property
    def total(self) -> Fraction:
        return self.days + self.players + self.countries + self.championship


def weight(
    days: int, players: int, countries: int, *, substitutes: int = 0, is_championship: bool = False
) -> Weight:
    """Return the weight of a tournament, for MCR and riichi alike.

    >>> weight(2, 60, 8).total
    Fraction(3, 1)
    >>> weight(3, 140, 17, is_championship=True).total
    Fraction(6, 1)
    >>> weight(1, 39, 5, substitutes=1).total, weight(1, 39, 5, substitutes=2).total
    (Fraction(1, 1), Fraction(3, 2))
    """
    return Weight(
        Fraction(min(max(days, 1), MAX_DAYS)),
        _extra_weight(players + min(substitutes, MAX_SUBSTITUTES), PLAYERS),
        _extra_weight(countries, COUNTRIES),
        CHAMPIONSHIP if is_championship else Fraction(0),
    )


def _extra_weight(count: int, steps: tuple[tuple[int, Fraction], ...]) -> Fraction:
    return next((added for minimum, added in steps if count >= minimum), Fraction(0))


# --- Base and score ---


HIGHEST: Final = 1000
MIN_RESULTS: Final = 2
"""Players with fewer results are not in the ranking."""
MIN_COUNTED: Final = 5
"""Missing results up to this number count as a last place with weight 1."""
SHARE_BEYOND: Final = Fraction(4, 5)
"""The share of results beyond `MIN_COUNTED` that count in part A; the number is rounded up."""
BEST_RESULTS: Final = 4
"""Results in part B."""
PART_STEP: Final = Fraction(1, 10)
"""The parts are rounded to this step, halves up, before their mean is taken.

No text says so; it follows from the only published example: parts 650.6 and 667.33, "for a MERS ranking of 658.95"
(tomp31, "MERS's intricate systems"), which is the mean of 650.6 and 667.3; the mean of the exact parts is 658.97.
With `Score.exact`, which rounds nothing, the EMA Ranking tool comes within 0.02 of every official figure.
"""

Day = int
"""A day as `date.toordinal()` returns it."""
WHOLE_WEEKS: Final = 52
"""Weeks in which a result has its whole weight; it has half of it in as many again."""


@dataclass(frozen=True)
class Result:
    """The result of a tournament: base from 0 to 1000, and weight. `ended`: the last day; None never expires."""

    base: int
    weight: Fraction | int
    ended: Day | None = None


@dataclass(frozen=True)
class Part:
    """A weighted mean. `counted`: its results with their current weights, the highest base first."""

    counted: tuple[Result, ...]

    @property
    def mean(self) -> Fraction:
        total = sum((Fraction(result.weight) for result in self.counted), Fraction(0))
        return sum((result.base * Fraction(result.weight) for result in self.counted), Fraction(0)) / total


@dataclass(frozen=True)
class Score:
    """A player's score in the ranking. Sources: see `base`.

    `part_a`: all results, but of many results the worst are left out; `part_b`: the best four.
    """

    part_a: Part
    part_b: Part

    @property
    def exact(self) -> Fraction:
        return (self.part_a.mean + self.part_b.mean) / 2

    @property
    def rounded(self) -> Fraction:
        """The mean of the parts rounded to `PART_STEP`, as in the published example."""
        return (round_half_up(self.part_a.mean, PART_STEP) + round_half_up(self.part_b.mean, PART_STEP)) / 2


def base(place: int, players: int) -> int:
    """Return the base of a place among so many players; tied players share a place. Raises ValueError.

    It is "rounded, not cut" (32nd of 60: 475); that halves go up is our choice. Sources: mahjong-portal,
    `calculation/ema.py`; the "EMA Ranking tool" (Jesterboxboy/ema_scraper, `ranking.py`); tomp31,
    `mers-vs-rukrs.md`.

    >>> base(1, 60), base(32, 60), base(60, 60)
    (1000, 475, 0)
    """
    if players < 2 or not 1 <= place <= players:
        raise ValueError(f"no place {place} among {players} players")
    return int(round_half_up(Fraction(HIGHEST * (players - place), players - 1)))


def age_factor(ended: Day, on: Day) -> Fraction:
    """Return the factor of a result's weight on a day: 1 in the first 52 weeks of the ranking, 1/2 in the next 52.

    An event counts from the Monday after the week in which it ended; before and after those weeks the factor is 0.
    Source: "The Mahjong Europe Ranking System".

    >>> monday = 738_949  # 4 March 2024
    >>> [str(age_factor(monday - 1, monday + 7 * weeks)) for weeks in (0, 51, 52, 103, 104)]
    ['1', '1', '1/2', '1/2', '0']
    >>> str(age_factor(monday, monday + 6))
    '0'
    """
    weeks = _week(on) - _week(ended) - 1
    if not 0 <= weeks < 2 * WHOLE_WEEKS:
        return Fraction(0)
    return Fraction(1) if weeks < WHOLE_WEEKS else Fraction(1, 2)


def _week(day: Day) -> int:
    """Number the weeks, which begin on Mondays: the first day of the calendar was one."""
    return (day - 1) // 7


def score(results: Iterable[Result], on: Day | None = None) -> Score | None:
    """Return the score of results on a day, in any order; None with fewer than two that count.

    Results are ordered by base, equal ones by weight. A better place can therefore lower a score: it may replace a
    result of less weight among the best four.

    >>> example = score([Result(1000, 1), Result(1000, 1), Result(1000, 1), Result(501, 6), Result(500, 1)])
    >>> float(example.part_a.mean), float(example.rounded), float(example.exact)
    (650.6, 658.95, 658.9666666666667)
    """
    aged = [_aged(result, on) for result in results]
    counted = [result for result in aged if result.weight > 0]
    if len(counted) < MIN_RESULTS:
        return None
    counted += [Result(0, 1)] * (MIN_COUNTED - len(counted))
    ordered = sorted(counted, key=lambda result: (result.base, result.weight), reverse=True)
    return Score(Part(tuple(ordered[: part_a_count(len(ordered))])), Part(tuple(ordered[:BEST_RESULTS])))


def _aged(result: Result, on: Day | None) -> Result:
    if on is None or result.ended is None:
        return result
    return Result(result.base, result.weight * age_factor(result.ended, on), result.ended)


@dataclass(frozen=True)
class Change:
    """What a result brings to a player. None: not in the ranking, with fewer than two results that count."""

    before: Score | None
    after: Score | None

    @property
    def gain(self) -> Fraction:
        """The difference of the scores; somebody who is not in the ranking has 0."""
        scores = [score.rounded if score else Fraction(0) for score in (self.after, self.before)]
        return scores[0] - scores[1]


def change(results: Sequence[Result], result: Result, on: Day) -> Change:
    """Return the scores on a day without and with a result, so that nothing but the result makes the difference.

    >>> four = [Result(500, 2)] * 4
    >>> brings = change(four, Result(1000, 2), 738_949)
    >>> float(brings.before.rounded), float(brings.after.rounded), float(brings.gain)
    (472.2, 612.5, 140.3)
    """
    return Change(score(results, on), score([*results, result], on))


def first_counted(ended: Day) -> Day:
    """Return the Monday from which a result counts.

    >>> first_counted(738_948), first_counted(738_949)
    (738949, 738956)
    """
    return (_week(ended) + 1) * 7 + 1


def part_a_count(results: int) -> int:
    """Return the number of results that count in part A.

    >>> [part_a_count(n) for n in (5, 6, 9, 10, 11, 15)]
    [5, 6, 9, 9, 10, 13]
    """
    return ceil(MIN_COUNTED + SHARE_BEYOND * max(results - MIN_COUNTED, 0))


def round_half_up(value: Fraction, step: Fraction = Fraction(1)) -> Fraction:
    """Round to the nearest multiple of a step, halves up.

    >>> round_half_up(Fraction(5, 2)), round_half_up(Fraction(66735, 100), Fraction(1, 10))
    (Fraction(3, 1), Fraction(3337, 5))
    """
    return floor(value / step + Fraction(1, 2)) * step


# --- Quotas ---


MAX_SEATS: Final = 2000
BEST_NATIONS: Final = 3


@dataclass(frozen=True)
class Nation:
    """A country in the ranking.

    `players`: its players in the ranking; `strong`: those with 700 points or more; `above`: those above the mean of
    all players, which limits its seats, or None for no limit.
    """

    name: str
    players: int
    strong: int
    above: int | None = None

    @property
    def maximum(self) -> int | None:
        return None if self.above is None else max(self.above, 1)


@dataclass(frozen=True)
class Quota:
    """A country's seats by their reason.

    `passed_on`: seats above its maximum, which it loses (negative), or seats taken over from others.
    """

    nation: Nation
    first: int = 0
    strong: int = 0
    top: int = 0
    rest: int = 0
    passed_on: int = 0

    @property
    def total(self) -> int:
        return self.first + self.strong + self.top + self.rest + self.passed_on


def quotas(seats: int, nations: Sequence[Nation]) -> tuple[Quota, ...]:
    """Return the seats of every country, in the order of `nations`, which is that of the ranking of countries.

    They sum to `seats` unless all countries have their maximum. Each country gets one seat, the best first; one more
    if it has a player with 700 points or more; one more if it is among the best three. The rest is shared by the mean
    of two shares: players in the ranking and players with 700 points or more. It is distributed seat by seat, by a
    decision of the general assembly of 2019: the next seat goes to the country furthest behind its share.

    Sources: mahjong-europe.org, "Basics for EMA Quotas"; ema_scraper, `calculators/quota.py`.
    """
    if not nations:
        return ()
    strong = [at for at, nation in enumerate(nations) if nation.strong]
    left, groups = seats, []
    for eligible in (list(range(len(nations))), strong, list(range(min(BEST_NATIONS, len(nations))))):
        groups.append(set(eligible[:left]))
        left -= len(groups[-1])
    first, with_strong, top = groups
    rest = _share_seat_by_seat(left, shares(nations))
    result = [
        Quota(nation, int(at in first), int(at in with_strong), int(at in top), rest[at])
        for at, nation in enumerate(nations)
    ]
    return tuple(_apply_maximums(result, seats))


def shares(nations: Sequence[Nation]) -> list[Fraction]:
    """Return every country's share of the rest; they sum to 1.

    The mean of the shares of ranked and of strong players; without strong players, or without any, the other alone.
    """
    counts = [[nation.players for nation in nations], [nation.strong for nation in nations]]
    counts = [count for count in counts if sum(count)]
    if not counts:
        return [Fraction(1, len(nations))] * len(nations)
    return [
        sum((Fraction(count[at], sum(count)) for count in counts), Fraction(0)) / len(counts)
        for at in range(len(nations))
    ]


def _share_seat_by_seat(seats: int, parts: Sequence[Fraction]) -> list[int]:
    """Give each seat to the country furthest behind its part, the better one of equals.

    All parts are multiplied by `whole` to compare integers: comparing fractions would take most of the time.
    """
    shares, whole = [0] * len(parts), lcm(*(part.denominator for part in parts))
    units = [part.numerator * (whole // part.denominator) for part in parts]
    for n in range(1, seats + 1):
        behind = [n * unit - whole * share for unit, share in zip(units, shares, strict=True)]
        shares[behind.index(max(behind))] += 1
    return shares


def _apply_maximums(quotas: list[Quota], seats: int) -> list[Quota]:
    """Pass seats above a country's maximum on to the others, the best first, in turns."""
    for at, quota in enumerate(quotas):
        maximum = quota.nation.maximum
        if maximum is not None and quota.total > maximum:
            quotas[at] = replace(quota, passed_on=maximum - quota.total)
    left = seats - sum(quota.total for quota in quotas)
    while left and (
        unfilled := [
            at
            for at, quota in enumerate(quotas)
            if quota.nation.maximum is None or quota.total < quota.nation.maximum
        ]
    ):
        for at in unfilled[:left]:
            quotas[at] = replace(quotas[at], passed_on=quotas[at].passed_on + 1)
        left -= min(left, len(unfilled))
    return quotas
