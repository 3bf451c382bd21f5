"""Fans made of chows: MCR 1–4, 30, 35, 37, 49–51, 59, 64, 67 and 74."""

from collections.abc import Sequence
from typing import Final

from scoring.engine.detectors.claim import Claim, claims_among
from scoring.engine.fans import Fan
from scoring.engine.memo import Memo
from scoring.engine.tiles import FIVES


def chow_claims(chows: Sequence[int], pair: int | None = None) -> list[Claim]:
    """Every chow fan in these chows, given by their lowest kinds in order; set i of a claim is ``chows[i]``.

    A pair of fives, given by its kind, may make one of the two terminal-chow hands with four of them.
    """
    claims = claims_among(chows, _RELATIONS)
    if len(chows) == 4 and pair in FIVES and (fan := _terminal_chows(chows, pair // 9)):
        claims.append(Claim(fan, 0b1111))
    return claims


def _relation(chows: tuple[int, ...]) -> Fan | None:
    """The fan that some chows make together."""
    suits, numbers = [kind // 9 for kind in chows], [kind % 9 + 1 for kind in chows]
    return {2: _two, 3: _three, 4: _four}[len(chows)](suits, numbers)


_RELATIONS: Final = Memo(_relation, most=1 << 14)


def _two(suits: list[int], numbers: list[int]) -> Fan | None:
    (suit, other), (low, high) = suits, sorted(numbers)
    if suit != other:
        return Fan.MIXED_DOUBLE_CHOW if low == high else None
    if low == high:
        return Fan.PURE_DOUBLE_CHOW
    if high - low == 3:
        return Fan.SHORT_STRAIGHT
    return Fan.TWO_TERMINAL_CHOWS if (low, high) == (1, 7) else None


def _three(suits: list[int], numbers: list[int]) -> Fan | None:
    low, middle, high = sorted(numbers)
    return _BY_STEPS.get((len(set(suits)), middle - low, high - middle))


_BY_STEPS: Final = {
    (1, 0, 0): Fan.PURE_TRIPLE_CHOW,
    (1, 1, 1): Fan.PURE_SHIFTED_CHOWS,
    (1, 2, 2): Fan.PURE_SHIFTED_CHOWS,
    (1, 3, 3): Fan.PURE_STRAIGHT,
    (3, 0, 0): Fan.MIXED_TRIPLE_CHOW,
    (3, 1, 1): Fan.MIXED_SHIFTED_CHOWS,
    (3, 3, 3): Fan.MIXED_STRAIGHT,
}
"""Three chows: in how many suits, and how far apart their numbers are."""


def _four(suits: list[int], numbers: list[int]) -> Fan | None:
    if len(set(suits)) > 1:
        return None
    first, second, third, fourth = sorted(numbers)
    match (second - first, third - second, fourth - third):
        case (0, 0, 0):
            return Fan.QUADRUPLE_CHOW
        case (1, 1, 1) | (2, 2, 2):
            return Fan.FOUR_SHIFTED_CHOWS
    return None


def _terminal_chows(chows: Sequence[int], pair_suit: int) -> Fan | None:
    """1-2-3 and 7-8-9 twice with a pair of fives: all in one suit, or in three (MCR 50, 74)."""
    if any(kind % 9 not in (0, 6) for kind in chows):
        return None
    ends = sorted(chows)
    suits = {kind // 9 for kind in ends}
    if suits == {pair_suit} and ends[0] == ends[1] and ends[2] == ends[3] != ends[0]:
        return Fan.PURE_TERMINAL_CHOWS
    if len(suits) == 2 and pair_suit not in suits and len(set(ends)) == 4:
        return Fan.THREE_SUITED_TERMINAL_CHOWS
    return None
