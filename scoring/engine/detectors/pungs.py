"""Fans made of pungs and kongs: MCR 5, 14–16, 20, 34, 38, 48, 53, 60, 68, 70, 71, 75 and 76."""

from collections.abc import Iterator, Sequence
from typing import Final

from scoring.engine.detectors.claim import Claim, bits, claims_among
from scoring.engine.fans import Fan
from scoring.engine.memo import Memo
from scoring.engine.tiles import FIRST_DRAGON, NUMBERS, is_terminal


def number_pung_claims(pungs: Sequence[int]) -> list[Claim]:
    """Every fan that relates pungs of suit tiles, given by their kinds in order; set i of a claim is ``pungs[i]``."""
    return claims_among(pungs, _RELATIONS)


def _relation(pungs: tuple[int, ...]) -> Fan | None:
    """The fan that some pungs make together."""
    suits, numbers = {kind // 9 for kind in pungs}, sorted(kind % 9 for kind in pungs)
    return {2: _two, 3: _three, 4: _four}[len(pungs)](suits, numbers)


_RELATIONS: Final = Memo(_relation, most=1 << 14)


def _two(suits: set[int], numbers: list[int]) -> Fan | None:
    return Fan.DOUBLE_PUNG if numbers[0] == numbers[1] else None


def _three(suits: set[int], numbers: list[int]) -> Fan | None:
    step, other = numbers[1] - numbers[0], numbers[2] - numbers[1]
    if step != other:
        return None
    if len(suits) == 1:
        return Fan.PURE_SHIFTED_PUNGS if step == 1 else None
    if len(suits) == 3:
        return {0: Fan.TRIPLE_PUNG, 1: Fan.MIXED_SHIFTED_PUNGS}.get(step)
    return None


def _four(suits: set[int], numbers: list[int]) -> Fan | None:
    return Fan.FOUR_PURE_SHIFTED_PUNGS if len(suits) == 1 and numbers[3] - numbers[0] == 3 else None


def terminal_pung_claims(pungs: Sequence[int]) -> Iterator[Claim]:
    """Pung of Terminals or Honors for the terminals."""
    return (
        Claim(Fan.PUNG_OF_TERMINALS_OR_HONORS, bits(place))
        for place, kind in enumerate(pungs)
        if is_terminal(kind)
    )


def wind_claims(pungs: Sequence[int], pair: int | None, seat: int, prevalent: int) -> Iterator[Claim]:
    """Every fan of the pungs of winds among some pungs; ``pair``, ``seat`` and ``prevalent`` are kinds."""
    winds = [place for place, kind in enumerate(pungs) if NUMBERS <= kind < FIRST_DRAGON]
    together = bits(*winds)
    if len(winds) == 4:
        yield Claim(Fan.BIG_FOUR_WINDS, together)
    if len(winds) == 3 and pair is not None and NUMBERS <= pair < FIRST_DRAGON:
        yield Claim(Fan.LITTLE_FOUR_WINDS, together)
    if len(winds) >= 3:
        yield Claim(Fan.BIG_THREE_WINDS, together)
    for place in winds:
        if pungs[place] == prevalent:
            yield Claim(Fan.PREVALENT_WIND, bits(place))
        if pungs[place] == seat:
            yield Claim(Fan.SEAT_WIND, bits(place))
        # MCR principle 1: a pung that scores as one of these is not also a Pung of Terminals or Honors.
        if len(winds) < 3 and pungs[place] not in (seat, prevalent):
            yield Claim(Fan.PUNG_OF_TERMINALS_OR_HONORS, bits(place))


def dragon_claims(pungs: Sequence[int], pair: int | None) -> Iterator[Claim]:
    """Every fan of the pungs of dragons among some pungs."""
    dragons = [place for place, kind in enumerate(pungs) if kind >= FIRST_DRAGON]
    together = bits(*dragons)
    if len(dragons) == 3:
        yield Claim(Fan.BIG_THREE_DRAGONS, together)
    if len(dragons) == 2 and pair is not None and pair >= FIRST_DRAGON:
        yield Claim(Fan.LITTLE_THREE_DRAGONS, together)
    if len(dragons) == 2:
        yield Claim(Fan.TWO_DRAGONS, together)
    for place in dragons:
        yield Claim(Fan.DRAGON_PUNG, bits(place))
