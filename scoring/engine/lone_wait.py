"""Whether the winning tile was the only one that completed the hand (MCR 9–11).

"Combinations which do not add to the variety of tiles are acceptable": what counts is how many *kinds* of
tile would have completed the 13 tiles, whatever the reading.
"""

from functools import cache
from typing import Final

from scoring.engine.arrangements import arrangements_of
from scoring.engine.hand import Hand
from scoring.engine.memo import Memo
from scoring.engine.tiles import FIELD, FOUR, HONOUR_SHIFT, NUMBERS, ODD, ONE, SUIT_BITS, SUIT_MASK

_ONES: Final = ONE[:9]
_ROOM: Final = 2 * sum(_ONES)
_OVER_FIVE: Final = 8 * sum(_ONES)


def _allowed(tiles: int) -> bool:
    """At most five of a kind: a rulebook may count a tile as a wait that the player can no longer get."""
    return not tiles + _ROOM & _OVER_FIVE


@cache
def complete_suits() -> frozenset[int]:
    """Packed tiles of every suit that comes out as up to four sets, with or without a pair."""
    chows = [sum(ONE[low : low + 3]) for low in range(7)]
    sets = [*chows, *(3 * one for one in _ONES)]
    layer, found = {0}, {0}
    for _ in range(4):
        layer = {grown for tiles in layer for one in sets if _allowed(grown := tiles + one)}
        found |= layer
    paired = {grown for tiles in found for one in _ONES if _allowed(grown := tiles + 2 * one)}
    return frozenset(found | paired)


def _completing(suit: int) -> int:
    """The numbers (a packed one each) that complete some tiles of one suit."""
    complete = complete_suits()
    return sum([one for one in _ONES if suit + one in complete])


COMPLETING: Final = Memo(_completing, most=1 << 15)


def is_lone_wait(packed: int, winning: int, held: int, held_out_waits: bool) -> bool:
    """Whether only the winning kind completes some tiles to sets and a pair.

    ``packed`` are the tiles with the winning tile, ``held`` all tiles of the hand. Unless ``held_out_waits``,
    a tile whose four copies are all held is no wait.
    """
    if winning >= NUMBERS:
        return True  # only the pair can wait for an honour here: the other tiles are sets already
    suit, number = divmod(winning, 9)
    shift = suit * SUIT_BITS
    before = (packed >> shift & SUIT_MASK) - _ONES[number]
    waits, gone = COMPLETING[before], 0
    if not held_out_waits:
        gone = (held - ONE[winning] & FOUR) >> 2
        waits &= ~(gone >> shift)
    if waits != _ONES[number]:
        return False
    return before not in complete_suits() or not _pair_waits(packed, shift, gone)


def _pair_waits(packed: int, besides: int, gone: int) -> bool:
    """The suit of the winning tile was complete without it: does the suit of the pair wait for some tile
    too?
    """
    for shift in (0, SUIT_BITS, 2 * SUIT_BITS):
        suit = packed >> shift & SUIT_MASK
        if shift != besides and COMPLETING[suit] & ~(gone >> shift):
            return True
    honours = packed >> HONOUR_SHIFT
    return any(honours >> FIELD * honour & 31 == 2 for honour in range(7))


def completing_kinds(hand: Hand) -> tuple[int, ...]:
    """Every kind that would have completed the hand, also one whose four copies the player holds."""
    before = hand.packed - ONE[hand.winning]
    return tuple(kind for kind, one in enumerate(ONE) if arrangements_of(before + one, len(hand.concealed)))


def six_pairs_wait_elsewhere(packed: int, winning: int) -> bool:
    """Whether the 13 tiles were six pairs and a single tile of another kind than the one that won."""
    odd = packed - ONE[winning] & ODD
    return odd & odd - 1 == 0 and odd != ONE[winning]
