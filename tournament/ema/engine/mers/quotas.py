"""How the seats of a championship are shared among countries (mahjong-europe.org, "Basics for EMA Quotas"; ema_scraper,
`calculators/quota.py`).

One seat a country, the best first; one more with a player of 700 points or more; one more for the best three; the rest
by the mean of two shares, of the players in the ranking and of those with 700 or more. The rest is given seat by seat,
as the general assembly of 2019 decided: the next one goes to who is furthest behind their share of one seat more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Final

STRONG: Final = 700
"""Points from which on a player is strong."""
BEST: Final = 3


@dataclass(frozen=True)
class Nation:
    """A country in the order of the ranking of countries.

    `players`: how many it has in the ranking; `strong`: with 700 points or more. `above`: above the mean of all
    players; no country gets more seats than these, but each gets one. None where that is left open.
    """

    name: str
    players: int
    strong: int
    above: int | None = None

    @property
    def most(self) -> int | None:
        return None if self.above is None else max(self.above, 1)


@dataclass(frozen=True)
class Quota:
    """A country's seats by what they are for. `passed_on`: taken away above the most it may have (below zero), or got
    from others who may not have more."""

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
    """Every country's seats, in their order. They come to `seats`, unless every country has the most it may have."""
    if not nations:
        return ()
    strong = [at for at, nation in enumerate(nations) if nation.strong]
    left, given = seats, []
    for having in (list(range(len(nations))), strong, list(range(min(BEST, len(nations))))):
        given.append(set(having[:left]))
        left -= len(given[-1])
    first, stronger, top = given
    rest = _in_turn(left, shares(nations))
    found = [
        Quota(nation, int(at in first), int(at in stronger), int(at in top), rest[at])
        for at, nation in enumerate(nations)
    ]
    return tuple(_within_the_most(found, seats))


def shares(nations: Sequence[Nation]) -> list[Fraction]:
    """Every country's part of the rest; they sum to 1. Where nobody is strong, or nobody is ranked, the other share is
    all there is."""
    kinds = [[nation.players for nation in nations], [nation.strong for nation in nations]]
    counted = [kind for kind in kinds if sum(kind)]
    if not counted:
        return [Fraction(1, len(nations))] * len(nations)
    return [
        sum((Fraction(kind[at], sum(kind)) for kind in counted), Fraction(0)) / len(counted)
        for at in range(len(nations))
    ]


def _in_turn(seats: int, parts: Sequence[Fraction]) -> list[int]:
    """Seat by seat, to who is furthest behind their part; the better of equals first. In units of which a seat has
    `whole`: comparing fractions would cost most of the time."""
    given, whole = [0] * len(parts), lcm(*(part.denominator for part in parts))
    units = [part.numerator * (whole // part.denominator) for part in parts]
    for n in range(1, seats + 1):
        behind = [n * unit - whole * had for unit, had in zip(units, given, strict=True)]
        given[behind.index(max(behind))] += 1
    return given


def _within_the_most(found: list[Quota], seats: int) -> list[Quota]:
    """What is above a country's most goes to the others, the best first and round again."""
    for at, quota in enumerate(found):
        most = quota.nation.most
        if most is not None and quota.total > most:
            found[at] = replace(quota, passed_on=most - quota.total)
    left = seats - sum(quota.total for quota in found)
    while left and (open_ones := [at for at, quota in enumerate(found) if _may_have_more(quota)]):
        for at in open_ones[:left]:
            found[at] = replace(found[at], passed_on=found[at].passed_on + 1)
        left -= min(left, len(open_ones))
    return found


def _may_have_more(quota: Quota) -> bool:
    return quota.nation.most is None or quota.total < quota.nation.most
