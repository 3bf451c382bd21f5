"""What a place is worth (its base), and what a player's results come to.

Sources: mahjong-portal, `calculation/ema.py`; the "EMA Ranking tool" (Jesterboxboy/ema_scraper, `ranking.py`); tomp31,
`mers-vs-rukrs.md`. The base is "rounded, not cut" (32nd of 60: 475); halves go up, which no source says.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final

HIGHEST: Final = 1000
LEAST_RESULTS: Final = 2
"""Who has fewer is not in the ranking."""
PADDED_TO: Final = 5
"""Whoever has fewer results is given these: last place, at the weight of a day."""
KEPT_BEYOND: Final = Fraction(4, 5)
"""Of the results beyond five, so many count in part A, the number of all rounded up."""
BEST: Final = 4
"""Results in part B."""
PART_STEP: Final = Fraction(1, 10)
"""To which the parts are rounded, halves up, before their mean is taken.

No text says so. It is what the one published example comes to: parts 650.6 and 667.33, "for a MERS ranking of 658.95"
(tomp31, "MERS's intricate systems"), which is the mean of 650.6 and 667.3; that of the exact parts is 658.97.
`Score.exact` rounds nothing; with that the EMA Ranking tool comes within 0.02 of every official figure.
"""

Day = tuple[int, int, int]
"""Year, month, day."""


@dataclass(frozen=True)
class Result:
    """A place somewhere: its base, 0 to 1000, and the tournament's weight. `ended`: its last day; None is never old."""

    base: int
    weight: Fraction | int
    ended: Day | None = None


@dataclass(frozen=True)
class Part:
    """A weighted mean. `counted`: the results in it as they weigh now, the highest base first."""

    counted: tuple[Result, ...]

    @property
    def mean(self) -> Fraction:
        total = sum((Fraction(one.weight) for one in self.counted), Fraction(0))
        return sum((one.base * Fraction(one.weight) for one in self.counted), Fraction(0)) / total


@dataclass(frozen=True)
class Score:
    """`all`: part A, all results but the worst of many; `best`: part B, the best four."""

    all: Part
    best: Part

    @property
    def exact(self) -> Fraction:
        return (self.all.mean + self.best.mean) / 2

    @property
    def rounded(self) -> Fraction:
        """As the published example reckons: from the parts rounded to `PART_STEP`; exact from there."""
        return (rounded(self.all.mean, PART_STEP) + rounded(self.best.mean, PART_STEP)) / 2


def base(place: int, players: int) -> int:
    """What a place among so many is worth; equal players have the same place. ValueError where there is none.

    >>> base(1, 60), base(32, 60), base(60, 60)
    (1000, 475, 0)
    """
    if players < 2 or not 1 <= place <= players:
        raise ValueError(f"no place {place} among {players} players")
    return int(rounded(Fraction(HIGHEST * (players - place), players - 1)))


def age_factor(ended: Day, on: Day) -> Fraction:
    """How much of its weight a result has on a day: all for a year, half for another, then nothing; none before
    it is played.

    >>> [str(age_factor((2026, 3, 1), on)) for on in ((2027, 3, 1), (2027, 3, 2), (2028, 3, 2))]
    ['1', '1/2', '0']
    """
    if not _years_before(on, 2) <= ended <= on:
        return Fraction(0)
    return Fraction(1) if ended >= _years_before(on, 1) else Fraction(1, 2)


def score(results: Iterable[Result], on: Day | None = None) -> Score | None:
    """What results come to on a day, in whatever order; None for fewer than two that count.

    Which are the best goes by base alone, the weightier of equal ones first. So a better place can make a score worse,
    where the result weighs more than the one it drives out of the best four.

    >>> example = score([Result(1000, 1), Result(1000, 1), Result(1000, 1), Result(501, 6), Result(500, 1)])
    >>> float(example.all.mean), float(example.rounded), float(example.exact)
    (650.6, 658.95, 658.9666666666667)
    """
    counted = [one for one in (_on(one, on) for one in results) if one.weight > 0]
    if len(counted) < LEAST_RESULTS:
        return None
    counted += [Result(0, 1)] * (PADDED_TO - len(counted))
    ordered = sorted(counted, key=lambda one: (one.base, one.weight), reverse=True)
    return Score(Part(tuple(ordered[: in_all(len(ordered))])), Part(tuple(ordered[:BEST])))


def in_all(results: int) -> int:
    """How many of so many results count in part A.

    >>> [in_all(n) for n in (5, 6, 9, 10, 11, 15)]
    [5, 6, 9, 9, 10, 13]
    """
    return ceil(PADDED_TO + KEPT_BEYOND * max(results - PADDED_TO, 0))


def nation_score(scores: Sequence[Fraction]) -> Fraction:
    """A country's: the mean of its best three players; who is missing has nothing.

    >>> nation_score([Fraction(900), Fraction(600)])
    Fraction(500, 1)
    """
    return sum(sorted(scores, reverse=True)[:3], Fraction(0)) / 3


def rounded(value: Fraction, step: Fraction = Fraction(1)) -> Fraction:
    """To the next multiple of a step, halves up.

    >>> rounded(Fraction(5, 2)), rounded(Fraction(66735, 100), Fraction(1, 10))
    (Fraction(3, 1), Fraction(3337, 5))
    """
    return floor(value / step + Fraction(1, 2)) * step


def _on(result: Result, on: Day | None) -> Result:
    if on is None or result.ended is None:
        return result
    return Result(result.base, result.weight * age_factor(result.ended, on), result.ended)


def _years_before(day: Day, years: int) -> Day:
    return (day[0] - years, *day[1:])
