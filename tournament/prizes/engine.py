"""Who gets which prize, and how money is shared among those who are tied."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Final, TypeAlias

ZERO: Final = Decimal(0)
Ladder: TypeAlias = tuple[str, str]
"""What places are counted in: the kind of prize, and the country, club or category."""


@dataclass(frozen=True, slots=True)
class PrizeInput:
    """A prize for one place of a ladder; `position`: its line in the list."""

    position: int
    ladder: Ladder
    rank: int
    text: str = ""
    amount: Decimal = ZERO


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player (by number) or a team (by name). Who has the same `rank` is tied in everything."""

    winner: int | str
    rank: int
    points: Hashable = None
    """What Hort's system compares: the first criterion of the ranking."""


@dataclass(frozen=True, slots=True)
class Award:
    """What one winner gets in one ladder. `place`: in the ladder; `prizes`: those of this place, or of tied places."""

    winner: int | str
    ladder: Ladder
    place: int
    prizes: tuple[PrizeInput, ...]
    amount: Decimal
    is_shared: bool


def award(
    prizes: Sequence[PrizeInput],
    contestants: Mapping[Ladder, Sequence[Contestant]],
    *,
    one_per_person: bool = False,
    hort: bool = False,
) -> list[Award]:
    """Return who gets what, by ladder in the order of the list. `contestants`: best first.

    Money of the places of tied winners is added up and shared equally. With `hort`, half of it goes by place, and
    half is shared by all with equal points. With `one_per_person`, winners are passed over in later ladders.
    """
    ladders: defaultdict[Ladder, list[PrizeInput]] = defaultdict(list)
    for prize in prizes:
        ladders[prize.ladder].append(prize)
    winners: set[int | str] = set()
    awards: list[Award] = []
    for ladder, ladder_prizes in ladders.items():
        candidates = contestants.get(ladder, ())
        if one_per_person:
            candidates = [contestant for contestant in candidates if contestant.winner not in winners]
        ladder_awards = _award_ladder(ladder, ladder_prizes, candidates, hort)
        winners.update(award.winner for award in ladder_awards)
        awards += ladder_awards
    return awards


def _award_ladder(
    ladder: Ladder, prizes: Sequence[PrizeInput], contestants: Sequence[Contestant], hort: bool
) -> list[Award]:
    at_place: defaultdict[int, list[PrizeInput]] = defaultdict(list)
    for prize in prizes:
        at_place[prize.rank].append(prize)
    awards = []
    placed = list(enumerate(contestants, 1))
    for _key, group in groupby(placed, key=lambda item: item[1].points if hort else item[1].rank):
        equals = list(group)
        pool = sum((_cents(prize.amount) for place, _ in equals for prize in at_place[place]), 0)
        shares: list[Fraction] = []
        tied_prizes: list[tuple[int, tuple[PrizeInput, ...], bool]] = []
        for _rank, tied_group in groupby(equals, key=lambda item: item[1].rank):
            tied = list(tied_group)
            own = tuple(prize for place, _ in tied for prize in at_place[place])
            by_place = Fraction(sum(_cents(prize.amount) for prize in own), 2 * len(tied))
            shares += [by_place + Fraction(pool, 2 * len(equals))] * len(tied)
            tied_prizes += [(tied[0][0], own, len(tied) > 1)] * len(tied)
        for (_, contestant), cents, (place, own, is_shared) in zip(
            equals, _whole(shares), tied_prizes, strict=True
        ):
            if own or cents:
                amount = Decimal(cents) / 100
                awards.append(Award(contestant.winner, ladder, place, own, amount, is_shared))
    return awards


def _cents(amount: Decimal) -> int:
    return int(amount * 100)


def _whole(shares: Sequence[Fraction]) -> list[int]:
    """Round down to whole cents; the cents that are left go to the first.

    >>> _whole([Fraction(100, 3)] * 3)
    [34, 33, 33]
    """
    whole = [int(share) for share in shares]
    left = int(sum(shares, Fraction(0))) - sum(whole)
    return [cents + (n < left) for n, cents in enumerate(whole)]
