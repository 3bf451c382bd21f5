"""The ways to read tiles as a winning hand.

Each suit is split by itself, once, and remembered; splits of the suits add up to readings of the hand.
"""

from enum import Enum
from itertools import permutations
from typing import Final

from scoring.engine import traits
from scoring.engine.codes import ANY_PAIR, CHOW, PAIR, PUNG, lacking, moved
from scoring.engine.hand import Hand
from scoring.engine.memo import Memo
from scoring.engine.tiles import (
    FIELD,
    HONOUR_SHIFT,
    NUMBERS,
    ODD,
    ONE,
    SUIT_BITS,
    SUIT_MASK,
    every,
    is_honour,
    is_terminal,
    tiles_in,
)


class Shape(Enum):
    """The shapes a winning hand may have."""

    SETS = "sets"
    KNITTED_STRAIGHT = "knitted_straight"
    SEVEN_PAIRS = "seven_pairs"
    KNITTED_TILES = "knitted_tiles"
    THIRTEEN_ORPHANS = "thirteen_orphans"


SETS, KNITTED_STRAIGHT, SEVEN_PAIRS, KNITTED_TILES, THIRTEEN_ORPHANS = Shape
"""The shapes by plain names: to find a member in its class takes 0.2 µs, and every hand is asked for its shape."""

Arrangement = tuple[Shape, int]
"""One reading of a hand's concealed tiles: its shape, and the code of its sets and pair (`scoring.engine.codes`)."""

_GROUPS: Final = tuple(
    (
        (0, 0, 0, 0),
        (2, 2 * one, PAIR[kind], lacking(traits.OF_PAIR[kind])),
        (3, 3 * one, PUNG[kind], lacking(traits.OF_PUNG[kind])),
    )
    for kind, one in enumerate(ONE)
)
"""By kind: how many tiles it gives to no set of its own, to the pair or to a pung; these packed, their code and what
they lack.
"""
_WITHOUT_PAIR: Final = tuple((groups[0], groups[2]) for groups in _GROUPS)
_CHOWS: Final = {
    kind: (sum(ONE[kind : kind + 3]), code, lacking(traits.OF_CHOW[kind])) for kind, code in CHOW.items()
}
"""By the lowest kind of a chow: its tiles packed, its code and what it lacks."""
_NO_CHOW: Final = (0, 0, 0)
_NOTHING_LEFT: Final = (0,)


def _split(suit: int) -> tuple[int, ...]:
    """Every way to use up tiles of one suit: what the lowest kind does not give to a pung or the pair are chows."""
    if not suit:
        return _NOTHING_LEFT
    kind = ((suit & -suit).bit_length() - 1) // FIELD
    if 9 <= kind < NUMBERS:
        place = kind // 9
        return tuple([moved(code, place) for code in SPLITS[suit >> place * SUIT_BITS]])
    beyond_sets = tiles_in(suit) % 3
    if beyond_sets == 1:
        return ()
    found = []
    held = suit >> FIELD * kind
    alike, most_chows = held & 31, min(held >> FIELD & 31, held >> 2 * FIELD & 31)
    chow, code_of_chow, lacks_of_chow = _CHOWS.get(kind, _NO_CHOW)
    for used, tiles, group, lacks in (_GROUPS if beyond_sets else _WITHOUT_PAIR)[kind]:
        chows = alike - used
        if not chows:
            rest = suit - tiles
        elif chow and 0 < chows <= most_chows:
            rest = suit - tiles - chows * chow
            group += chows * code_of_chow
            lacks |= lacks_of_chow
        else:
            continue
        for code in SPLITS[rest]:
            found.append(code + group | lacks)
    return tuple(found)


SPLITS: Final = Memo[int, tuple[int, ...]](_split, most=1 << 16)
"""Packed tiles of one suit, or of the honours, to the codes of the sets, and of the pair beside them, that use them up;
none when they don't come out. The number of tiles says whether there is a pair, so all codes have one or none has.
"""

CHARACTERS: Final = SUIT_MASK
DOTS: Final = SUIT_MASK << SUIT_BITS
BAMBOOS: Final = SUIT_MASK << 2 * SUIT_BITS
HONOURS: Final = SUIT_MASK << HONOUR_SHIFT


def _sets_and_pair(packed: int, shape: Shape = SETS, lacks: int = 0) -> list[Arrangement]:
    """Every reading as sets and exactly one pair."""
    found: list[Arrangement] = []
    for h in SPLITS[packed & HONOURS]:
        for c in SPLITS[packed & CHARACTERS]:
            for d in SPLITS[packed & DOTS]:
                for b in SPLITS[packed & BAMBOOS]:
                    found.append((shape, h | c | d | b | lacks))
    # As many tiles as a hand has leave one pair or four, and four only where there are honours.
    return [] if found and h and (found[0][1] & ANY_PAIR).bit_count() > 1 else found


KNITTED: Final = tuple(
    sum(ONE[9 * suit + number] for suit, low in enumerate(order) for number in range(low, 9, 3))
    for order in permutations(range(3))
)
"""The six knitted straights: 1-4-7, 2-5-8 and 3-6-9, each in a suit of its own."""
_KNITTED_AND_HONOURS: Final = tuple(straight + sum(ONE[NUMBERS:]) for straight in KNITTED)
_ORPHANS: Final = sum(one for kind, one in enumerate(ONE) if is_honour(kind) or is_terminal(kind))
_ORPHAN_FIELDS: Final = every(k for k in range(len(ONE)) if is_honour(k) or is_terminal(k))


def knitted_straight_in(packed: int) -> int:
    """The knitted straight among some tiles, packed; 0 when there is none (there cannot be two)."""
    held = _kinds(packed)
    for straight in KNITTED:
        if held & straight == straight:
            return straight
    return 0


def _kinds(packed: int) -> int:
    """One tile of every kind there is among some tiles (and bits to be masked)."""
    return packed | packed >> 1 | packed >> 2


def _special(packed: int, concealed: int) -> list[Arrangement]:
    """The readings that no hand of plain sets or pairs has (MCR 44, 45, 56, 81)."""
    if straight := knitted_straight_in(packed):
        found = _sets_and_pair(packed - straight, KNITTED_STRAIGHT, lacking(traits.OF_KNITTED_STRAIGHT))
        if found:
            return found
    if concealed == 14:
        if not packed & ~_ORPHAN_FIELDS and _kinds(packed) & _ORPHANS == _ORPHANS:
            return [(THIRTEEN_ORPHANS, 0)]
        if packed & ODD == packed and any(packed | tiles == tiles for tiles in _KNITTED_AND_HONOURS):
            return [(KNITTED_TILES, 0)]
    return []


def _common_of_pairs(packed: int) -> int:
    common, rest = traits.OF_TILES, packed
    while rest:
        kind = (rest.bit_length() - 1) // FIELD
        common &= traits.OF_PAIR[kind]
        rest &= ONE[kind] - 1
    return common


def arrangements(hand: Hand) -> list[Arrangement]:
    """Every way the concealed tiles complete the hand; empty when it is no winning hand."""
    return arrangements_of(hand.packed, len(hand.concealed))


def arrangements_of(packed: int, concealed: int) -> list[Arrangement]:
    """Every way so many packed concealed tiles complete a hand with whatever is melded."""
    found = _sets_and_pair(packed)
    if concealed == 14 and not packed & ODD:
        found.append((SEVEN_PAIRS, lacking(_common_of_pairs(packed))))
    return found or _special(packed, concealed)
