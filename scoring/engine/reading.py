"""The ways to read tiles as a winning hand, and which tiles would have completed it.

Each suit is split by itself, once, and remembered; splits of the suits add up to the arrangements of a hand. A
`Reading` is an arrangement as people see it: the groups of tiles that make up the hand.
"""

from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import permutations
from typing import Final

from scoring.engine import traits
from scoring.engine.codes import ANY_PAIR, CHOW, PAIR, PUNG, chows_of, lacking, moved, pair_of, pungs_of
from scoring.engine.hand import Hand
from scoring.engine.memo import Memo
from scoring.engine.tiles import (
    FIELD,
    FOUR,
    HONOUR_SHIFT,
    KIND,
    NUMBERS,
    ODD,
    ONE,
    SUIT_BITS,
    SUIT_MASK,
    TILES,
    every,
    is_honour,
    is_terminal,
    tiles_in,
    unpack,
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
    codes = []
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
            codes.append(code + group | lacks)
    return tuple(codes)


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
    readings: list[Arrangement] = []
    for h in SPLITS[packed & HONOURS]:
        for c in SPLITS[packed & CHARACTERS]:
            for d in SPLITS[packed & DOTS]:
                for b in SPLITS[packed & BAMBOOS]:
                    readings.append((shape, h | c | d | b | lacks))
    # As many tiles as a hand has leave one pair or four, and four only where there are honours.
    return [] if readings and h and (readings[0][1] & ANY_PAIR).bit_count() > 1 else readings


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
        readings = _sets_and_pair(packed - straight, KNITTED_STRAIGHT, lacking(traits.OF_KNITTED_STRAIGHT))
        if readings:
            return readings
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
    readings = _sets_and_pair(packed)
    if concealed == 14 and not packed & ODD:
        readings.append((SEVEN_PAIRS, lacking(_common_of_pairs(packed))))
    return readings or _special(packed, concealed)


class Form(Enum):
    """What a group of tiles in a reading is."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    PAIR = "pair"
    KNITTED = "knitted"
    """Three tiles of a knitted straight."""
    SINGLES = "singles"
    """The unpaired tiles of Thirteen Orphans or of honors and knitted tiles."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some tiles of a reading that belong together."""

    form: Form
    tiles: tuple[str, ...]
    concealed: bool
    """False for a claimed set; a concealed kong is concealed."""

    @property
    def kind(self) -> int:
        return KIND[self.tiles[0]]

    def to_json(self) -> dict[str, object]:
        return {"form": self.form.value, "tiles": list(self.tiles), "concealed": self.concealed}


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to read all tiles of a hand."""

    shape: Shape
    groups: tuple[Group, ...]
    """Concealed sets, then melds in the order given, then the pair."""

    def places(self, *forms: Form) -> list[int]:
        """The places of groups of some forms, by the kind of their first tile."""
        places = [place for place, group in enumerate(self.groups) if group.form in forms]
        return sorted(places, key=lambda place: self.groups[place].kind)

    def pair(self) -> int:
        """The kind of the pair that goes with the sets."""
        return self.groups[-1].kind

    def to_json(self) -> dict[str, object]:
        return {"shape": self.shape.value, "groups": [group.to_json() for group in self.groups]}


_MELD_FORMS: Final = {"chow": Form.CHOW, "pung": Form.PUNG, "kong": Form.KONG}


def reading_of(hand: Hand, arrangement: Arrangement) -> Reading:
    """The groups that an arrangement stands for."""
    shape, _ = arrangement
    match shape:
        case Shape.SEVEN_PAIRS:
            tiles = unpack(hand.packed)
            groups = [Group(Form.PAIR, tiles[at : at + 2], True) for at in range(0, 14, 2)]
        case Shape.KNITTED_TILES | Shape.THIRTEEN_ORPHANS:
            tiles = unpack(hand.packed)
            pair = tuple(tile for tile in tiles if tiles.count(tile) == 2)
            groups = [Group(Form.SINGLES, tuple(tile for tile in tiles if tile not in pair), True)]
            groups += [Group(Form.PAIR, pair, True)] if pair else []
        case _:
            groups = _groups_of_sets(hand, arrangement)
    return Reading(shape, tuple(groups))


def _groups_of_sets(hand: Hand, arrangement: Arrangement) -> list[Group]:
    groups = []
    shape, code = arrangement
    if shape is Shape.KNITTED_STRAIGHT:
        knitted = unpack(knitted_straight_in(hand.packed))
        groups = [Group(Form.KNITTED, knitted[at : at + 3], True) for at in (0, 3, 6)]
    groups += [Group(Form.CHOW, TILES[low : low + 3], True) for low in chows_of(code)]
    groups += [Group(Form.PUNG, (TILES[kind],) * 3, True) for kind in pungs_of(code)]
    groups += [Group(_MELD_FORMS[meld.type], meld.tiles, meld.concealed) for meld in hand.melds]
    pair = pair_of(code)
    groups += [Group(Form.PAIR, (TILES[pair],) * 2, True)] if pair is not None else []
    return groups


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
    layer, complete = {0}, {0}
    for _ in range(4):
        layer = {grown for tiles in layer for one in sets if _allowed(grown := tiles + one)}
        complete |= layer
    paired = {grown for tiles in complete for one in _ONES if _allowed(grown := tiles + 2 * one)}
    return frozenset(complete | paired)


def _completing_numbers(suit: int) -> int:
    """The numbers (a packed one each) that complete some tiles of one suit."""
    complete = complete_suits()
    return sum([one for one in _ONES if suit + one in complete])


COMPLETING: Final = Memo(_completing_numbers, most=1 << 15)


def is_lone_wait(packed: int, winning: int, held: int, held_out_waits: bool) -> bool:
    """Whether only the winning kind completes some tiles to sets and a pair (MCR 9–11).

    "Combinations which do not add to the variety of tiles are acceptable": what counts is how many *kinds* of tile
    would have completed the 13 tiles, whatever the reading.

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
