"""The European Mahjong Association: the columns of its results file, and its ranking (MERS)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Final

# --- Weight ---


MOST_DAYS: Final = 3
"""More days than these weigh no more."""
PLAYERS: Final = ((81, Fraction(1)), (41, Fraction(1, 2)))
"""From so many players on it weighs so much more, the highest step first."""
MOST_SUBSTITUTES: Final = 3
"""So many substitutes count among the players: "Substitute players (maximum 3) are accounted"."""
COUNTRIES: Final = ((10, Fraction(1)), (6, Fraction(1, 2)))
"""As the page stands; one of 2018 has the last step from 11 on."""
CHAMPIONSHIP: Final = Fraction(1)


@dataclass(frozen=True)
class Weight:
    """What a tournament weighs in the ranking (MERS), by its parts; MCR and riichi are weighed alike.

    The days it lasts, how many play, from how many countries, and whether it is a championship that one has to qualify
    for (mahjong-europe.org, "Basics for ranking system"; mahjong-portal, `calculation/ema.py`).
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
    """
    >>> weight(2, 60, 8).total
    Fraction(3, 1)
    >>> weight(3, 140, 17, is_championship=True).total
    Fraction(6, 1)
    >>> weight(1, 39, 5, substitutes=1).total, weight(1, 39, 5, substitutes=2).total
    (Fraction(1, 1), Fraction(3, 2))
    """
    return Weight(
        Fraction(min(max(days, 1), MOST_DAYS)),
        _extra_weight(players + min(substitutes, MOST_SUBSTITUTES), PLAYERS),
        _extra_weight(countries, COUNTRIES),
        CHAMPIONSHIP if is_championship else Fraction(0),
    )


def _extra_weight(count: int, steps: tuple[tuple[int, Fraction], ...]) -> Fraction:
    return next((more for least, more in steps if count >= least), Fraction(0))


# --- Base and score ---


HIGHEST: Final = 1000
LEAST_RESULTS: Final = 2
"""Who has fewer is not in the ranking."""
PADDED_TO: Final = 5
"""Whoever has fewer results is given these: last place, at the weight of a day."""
KEPT_BEYOND: Final = Fraction(4, 5)
"""Of the results beyond five, so many count in part A, the number of all rounded up."""
BEST_RESULTS: Final = 4
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
        total = sum((Fraction(result.weight) for result in self.counted), Fraction(0))
        return sum((result.base * Fraction(result.weight) for result in self.counted), Fraction(0)) / total


@dataclass(frozen=True)
class Score:
    """What a player's results come to; the sources are those of `base`.

    `all`: part A, all results but the worst of many; `best`: part B, the best four.
    """

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
    """Return what a place among so many is worth; tied players share a place. Raise ValueError for no place.

    It is "rounded, not cut" (32nd of 60: 475); halves go up, which no source says. Sources: mahjong-portal,
    `calculation/ema.py`; the "EMA Ranking tool" (Jesterboxboy/ema_scraper, `ranking.py`); tomp31,
    `mers-vs-rukrs.md`.

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


def _years_before(day: Day, years: int) -> Day:
    return (day[0] - years, *day[1:])


def score(results: Iterable[Result], on: Day | None = None) -> Score | None:
    """Return the score of results on a day, in any order; None for fewer than two that count.

    Which are the best goes by base alone, the weightier of equal ones first. So a better place can make a score worse,
    where the result weighs more than the one it drives out of the best four.

    >>> example = score([Result(1000, 1), Result(1000, 1), Result(1000, 1), Result(501, 6), Result(500, 1)])
    >>> float(example.all.mean), float(example.rounded), float(example.exact)
    (650.6, 658.95, 658.9666666666667)
    """
    aged = [_as_it_weighs(result, on) for result in results]
    counted = [result for result in aged if result.weight > 0]
    if len(counted) < LEAST_RESULTS:
        return None
    counted += [Result(0, 1)] * (PADDED_TO - len(counted))
    ordered = sorted(counted, key=lambda result: (result.base, result.weight), reverse=True)
    return Score(Part(tuple(ordered[: in_all(len(ordered))])), Part(tuple(ordered[:BEST_RESULTS])))


def _as_it_weighs(result: Result, on: Day | None) -> Result:
    if on is None or result.ended is None:
        return result
    return Result(result.base, result.weight * age_factor(result.ended, on), result.ended)


def in_all(results: int) -> int:
    """Return how many of so many results count in part A.

    >>> [in_all(n) for n in (5, 6, 9, 10, 11, 15)]
    [5, 6, 9, 9, 10, 13]
    """
    return ceil(PADDED_TO + KEPT_BEYOND * max(results - PADDED_TO, 0))


def rounded(value: Fraction, step: Fraction = Fraction(1)) -> Fraction:
    """Round to the nearest multiple of a step, halves up.

    >>> rounded(Fraction(5, 2)), rounded(Fraction(66735, 100), Fraction(1, 10))
    (Fraction(3, 1), Fraction(3337, 5))
    """
    return floor(value / step + Fraction(1, 2)) * step


# --- Quotas ---


MOST_SEATS: Final = 2000
BEST_NATIONS: Final = 3


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
    """Return every country's places, in their order. They sum to `seats`, unless all countries have their maximum.

    One seat a country, the best first; one more with a player of 700 points or more; one more for the best three; the
    rest by the mean of two shares, of the players in the ranking and of those with 700 or more. The rest is given seat
    by seat, as the general assembly of 2019 decided: the next one goes to who is furthest behind their share of one
    seat more (mahjong-europe.org, "Basics for EMA Quotas"; ema_scraper, `calculators/quota.py`).
    """
    if not nations:
        return ()
    strong = [at for at, nation in enumerate(nations) if nation.strong]
    left, groups = seats, []
    for having in (list(range(len(nations))), strong, list(range(min(BEST_NATIONS, len(nations))))):
        groups.append(set(having[:left]))
        left -= len(groups[-1])
    first, stronger, top = groups
    rest = _seat_by_seat(left, shares(nations))
    shared = [
        Quota(nation, int(at in first), int(at in stronger), int(at in top), rest[at])
        for at, nation in enumerate(nations)
    ]
    return tuple(_within_the_most(shared, seats))


def _seat_by_seat(seats: int, parts: Sequence[Fraction]) -> list[int]:
    """Seat by seat, to who is furthest behind their part; the better of equals first. In units of which a seat has
    `whole`: comparing fractions would cost most of the time."""
    shares, whole = [0] * len(parts), lcm(*(part.denominator for part in parts))
    units = [part.numerator * (whole // part.denominator) for part in parts]
    for n in range(1, seats + 1):
        behind = [n * unit - whole * had for unit, had in zip(units, shares, strict=True)]
        shares[behind.index(max(behind))] += 1
    return shares


def _within_the_most(shared: list[Quota], seats: int) -> list[Quota]:
    """Pass places above a country's maximum on to the others, the best first, in turns."""
    for at, quota in enumerate(shared):
        most = quota.nation.most
        if most is not None and quota.total > most:
            shared[at] = replace(quota, passed_on=most - quota.total)
    left = seats - sum(quota.total for quota in shared)
    while left and (
        open_ones := [
            at
            for at, quota in enumerate(shared)
            if quota.nation.most is None or quota.total < quota.nation.most
        ]
    ):
        for at in open_ones[:left]:
            shared[at] = replace(shared[at], passed_on=shared[at].passed_on + 1)
        left -= min(left, len(open_ones))
    return shared


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


# --- Columns of the results file ---


TEXT: Final = "text"
"""The same words in every line, as the organiser wrote them."""
NEEDED: Final = ("place", "last_name", "ema_number", "table_points", "game_points", "country")
"""Without these nobody can rank by the file."""
STANDS_IN: Final[Mapping[str, frozenset[str]]] = {
    "last_name": frozenset({"last_name", "last_name_capitals"}),
    "country": frozenset({"country", "country_name"}),
}
"""What of the needed ones another field says as well."""
MOST: Final = 40
LONGEST: Final = 80


@dataclass(frozen=True)
class Column:
    """A column of a results file. `field`: one of `EmaColumns.Field`; `text` is what stands there if that is `TEXT`.

    What the association wants changes, and its template could not be had: so an organiser may change every column.
    """

    heading: str
    field: str
    text: str = ""


DEFAULT: Final = (
    Column("Tournament name", "event_name"),
    Column("Number of participants", "participants"),
    Column("Place", "place"),
    Column("First name", "first_name"),
    Column("LAST NAME", "last_name_capitals"),
    Column("EMA number", "ema_number"),
    Column("Table points", "table_points"),
    Column("Score", "game_points"),
    Column("EMA member", "ema_member"),
    Column("Country", "country"),
    Column("Date", "last_day"),
    Column("Country court", "event_country"),
    Column("City", TEXT),
    Column("Short name", "short_name"),
    Column("Rules", "rules"),
    Column("Period", "period"),
    Column("NbDays", "days"),
    Column("Extra", "remark"),
)
"""In the order in which the EMA has been sent them (RULES §9)."""


def missing(columns: Sequence[Column]) -> list[str]:
    """Return the required fields that no column has.

    >>> missing(DEFAULT), missing([Column("Name", "last_name_capitals")])[:2]
    ([], ['place', 'ema_number'])
    """
    there = {column.field for column in columns}
    return [field for field in NEEDED if not there & STANDS_IN.get(field, {field})]


MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def period(first: tuple[int, int, int], last: tuple[int, int, int]) -> str:
    """Write the days of an event as the EMA's lists do, in English.

    >>> period((2027, 3, 14), (2027, 3, 14)), period((2027, 3, 14), (2027, 3, 15)), period((2027, 1, 31), (2027, 2, 1))
    ('14 Mar 2027', '14-15 Mar 2027', '31 Jan - 1 Feb 2027')
    >>> period((2026, 12, 31), (2027, 1, 1))
    '31 Dec 2026 - 1 Jan 2027'
    """
    end = f"{last[2]} {MONTHS[last[1] - 1]} {last[0]}"
    if first == last:
        return end
    if first[:2] == last[:2]:
        return f"{first[2]}-{end}"
    year = f" {first[0]}" if first[0] != last[0] else ""
    return f"{first[2]} {MONTHS[first[1] - 1]}{year} - {end}"
