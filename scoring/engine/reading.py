"""The readings of tiles as a winning hand, and which tiles would have completed it.

Each suit is split by itself and cached; splits of the suits combine to the arrangements of a hand. A `Reading` is an
arrangement in a form for people: the groups of tiles that make up the hand.
"""

from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import permutations
from typing import Final

from scoring.engine import traits
from scoring.engine.codes import (
    ANY_PAIR,
    CHOW,
    PAIR,
    PUNG,
    chows_of,
    in_suit,
    missing_code,
    pair_of,
    pungs_of,
)
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
    field_mask,
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
"""Module names: looking a member up on its enum takes 0.2 µs, once for every hand."""

Arrangement = tuple[Shape, int]
"""One reading of a hand's concealed tiles: its shape, and the code of its sets and pair (`scoring.engine.codes`)."""

_GROUPS: Final = tuple(
    (
        (0, 0, 0, 0),
        (2, 2 * weight, PAIR[kind], missing_code(traits.OF_PAIR[kind])),
        (3, 3 * weight, PUNG[kind], missing_code(traits.OF_PUNG[kind])),
    )
    for kind, weight in enumerate(ONE)
)
"""By kind, for no set, the pair or a pung of it: number of tiles, packed tiles, code, missing traits.
"""
_WITHOUT_PAIR: Final = tuple((groups[0], groups[2]) for groups in _GROUPS)
_CHOWS: Final = {
    kind: (sum(ONE[kind : kind + 3]), code, missing_code(traits.OF_CHOW[kind])) for kind, code in CHOW.items()
}
"""By the lowest kind of a chow: packed tiles, code, missing traits."""
_NO_CHOW_CODE: Final = (0, 0, 0)
_NOTHING_LEFT: Final = (0,)


def _split(suit: int) -> tuple[int, ...]:
    """Return the codes of every way to use up tiles of one suit. Tiles left by a pung or the pair must form chows."""
    if not suit:
        return _NOTHING_LEFT
    kind = ((suit & -suit).bit_length() - 1) // FIELD
    if 9 <= kind < NUMBERS:
        place = kind // 9
        return tuple([in_suit(code, place) for code in SPLITS[suit >> place * SUIT_BITS]])
    beyond_sets = tiles_in(suit) % 3
    if beyond_sets == 1:
        return ()
    codes = []
    from_kind = suit >> FIELD * kind
    count, most_chows = from_kind & 31, min(from_kind >> FIELD & 31, from_kind >> 2 * FIELD & 31)
    chow, code_of_chow, lacks_of_chow = _CHOWS.get(kind, _NO_CHOW_CODE)
    for used, tiles, group, lacks in (_GROUPS if beyond_sets else _WITHOUT_PAIR)[kind]:
        chows = count - used
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


SPLITS: Final = Memo[int, tuple[int, ...]](_split, maximum=1 << 16)
"""Packed tiles of one suit, or of the honours, to the codes of the sets and the pair that use them up. Empty when there
is no split. The number of tiles determines whether there is a pair, so all codes have one or none has.
"""

CHARACTERS: Final = SUIT_MASK
DOTS: Final = SUIT_MASK << SUIT_BITS
BAMBOOS: Final = SUIT_MASK << 2 * SUIT_BITS
HONOURS: Final = SUIT_MASK << HONOUR_SHIFT


def _sets_and_pair(packed: int, shape: Shape = SETS, lacks: int = 0) -> list[Arrangement]:
    """Return every arrangement as sets and exactly one pair."""
    readings: list[Arrangement] = []
    for h in SPLITS[packed & HONOURS]:
        for c in SPLITS[packed & CHARACTERS]:
            for d in SPLITS[packed & DOTS]:
                for b in SPLITS[packed & BAMBOOS]:
                    readings.append((shape, h | c | d | b | lacks))
    # The number of tiles in a hand allows one pair or four, and four only with honours.
    return [] if readings and h and (readings[0][1] & ANY_PAIR).bit_count() > 1 else readings


KNITTED: Final = tuple(
    sum(ONE[9 * suit + number] for suit, low in enumerate(order) for number in range(low, 9, 3))
    for order in permutations(range(3))
)
"""The six knitted straights: 1-4-7, 2-5-8 and 3-6-9, each in a suit of its own."""
_KNITTED_AND_HONOURS: Final = tuple(straight + sum(ONE[NUMBERS:]) for straight in KNITTED)
_ORPHANS: Final = sum(weight for kind, weight in enumerate(ONE) if is_honour(kind) or is_terminal(kind))
_ORPHAN_FIELDS: Final = field_mask(k for k in range(len(ONE)) if is_honour(k) or is_terminal(k))


def knitted_straight_in(packed: int) -> int:
    """Return the packed knitted straight among some tiles, or 0. There cannot be two."""
    kinds = _kinds(packed)
    for straight in KNITTED:
        if kinds & straight == straight:
            return straight
    return 0


def _kinds(packed: int) -> int:
    """Return one packed tile of every kind among some tiles; other bits are to be masked."""
    return packed | packed >> 1 | packed >> 2


def _special(packed: int, concealed: int) -> list[Arrangement]:
    """Return the arrangements that are neither plain sets nor pairs (MCR 44, 45, 56, 81)."""
    if straight := knitted_straight_in(packed):
        readings = _sets_and_pair(
            packed - straight, KNITTED_STRAIGHT, missing_code(traits.OF_KNITTED_STRAIGHT)
        )
        if readings:
            return readings
    if concealed == 14:
        if not packed & ~_ORPHAN_FIELDS and _kinds(packed) & _ORPHANS == _ORPHANS:
            return [(THIRTEEN_ORPHANS, 0)]
        if packed & ODD == packed and any(packed | tiles == tiles for tiles in _KNITTED_AND_HONOURS):
            return [(KNITTED_TILES, 0)]
    return []


def _shared_pair_traits(packed: int) -> int:
    common, rest = traits.OF_TILES, packed
    while rest:
        kind = (rest.bit_length() - 1) // FIELD
        common &= traits.OF_PAIR[kind]
        rest &= ONE[kind] - 1
    return common


def arrangements(hand: Hand) -> list[Arrangement]:
    """Return every way the concealed tiles complete the hand. Empty when it is no winning hand."""
    return arrangements_of(hand.packed, len(hand.concealed))


def arrangements_of(packed: int, concealed: int) -> list[Arrangement]:
    """Return every way in which `concealed` packed tiles complete a hand with its melds."""
    readings = _sets_and_pair(packed)
    if concealed == 14 and not packed & ODD:
        readings.append((SEVEN_PAIRS, missing_code(_shared_pair_traits(packed))))
    return readings or _special(packed, concealed)


class Form(Enum):
    """What a group of tiles in a reading is."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    PAIR = "pair"
    KNITTED = "knitted"
    """Three tiles of a knitted straight, in one suit."""
    SINGLES = "singles"
    """The unpaired tiles of Thirteen Orphans or of honors and knitted tiles."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles of a reading that belong together."""

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
        """Return the places of groups of these forms, sorted by their lowest kind."""
        places = [place for place, group in enumerate(self.groups) if group.form in forms]
        return sorted(places, key=lambda place: self.groups[place].kind)

    def pair(self) -> int:
        """Return the kind of the pair that goes with the sets."""
        return self.groups[-1].kind

    def to_json(self) -> dict[str, object]:
        return {"shape": self.shape.value, "groups": [group.to_json() for group in self.groups]}


_MELD_FORMS: Final = {"chow": Form.CHOW, "pung": Form.PUNG, "kong": Form.KONG}


def reading_of(hand: Hand, arrangement: Arrangement) -> Reading:
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


_WEIGHTS: Final = ONE[:9]
_HEADROOM: Final = 2 * sum(_WEIGHTS)
_OVER_FIVE: Final = 8 * sum(_WEIGHTS)


def _has_at_most_five(tiles: int) -> bool:
    """Return whether no kind occurs more than five times: a held-out tile may still count as a wait."""
    return not tiles + _HEADROOM & _OVER_FIVE


@cache
def complete_suits() -> frozenset[int]:
    """Return packed tiles of every suit that forms up to four sets, with or without a pair."""
    chows = [sum(ONE[low : low + 3]) for low in range(7)]
    sets = [*chows, *(3 * group for group in _WEIGHTS)]
    sums, complete = {0}, {0}
    for _ in range(4):
        sums = {grown for tiles in sums for group in sets if _has_at_most_five(grown := tiles + group)}
        complete |= sums
    paired = {
        grown for tiles in complete for group in _WEIGHTS if _has_at_most_five(grown := tiles + 2 * group)
    }
    return frozenset(complete | paired)


def _completing_numbers(suit: int) -> int:
    """Return the packed numbers that complete some tiles of one suit."""
    complete = complete_suits()
    return sum([weight for weight in _WEIGHTS if suit + weight in complete])


COMPLETING: Final = Memo(_completing_numbers, maximum=1 << 15)


def is_lone_wait(packed: int, winning: int, all_packed: int, held_out_waits: bool) -> bool:
    """Return whether only the winning kind completes some tiles to sets and a pair (MCR 9–11).

    "Combinations which do not add to the variety of tiles are acceptable": what counts is how many *kinds* of tile
    would have completed the 13 tiles, whatever the reading.

    ``packed`` are the tiles with the winning tile, ``all_packed`` all tiles of the hand. Unless ``held_out_waits``, a
    tile whose four copies are all held is no wait.
    """
    if winning >= NUMBERS:
        return True  # only the pair can wait for an honour here: the other tiles are sets already
    suit, number = divmod(winning, 9)
    shift = suit * SUIT_BITS
    before = (packed >> shift & SUIT_MASK) - _WEIGHTS[number]
    waits, used_up = COMPLETING[before], 0
    if not held_out_waits:
        used_up = (all_packed - ONE[winning] & FOUR) >> 2
        waits &= ~(used_up >> shift)
    if waits != _WEIGHTS[number]:
        return False
    return before not in complete_suits() or not _pair_waits(packed, shift, used_up)


def _pair_waits(packed: int, winning_shift: int, used_up: int) -> bool:
    """Return whether the suit of the pair waits too. The suit of the winning tile was complete without it."""
    for shift in (0, SUIT_BITS, 2 * SUIT_BITS):
        suit = packed >> shift & SUIT_MASK
        if shift != winning_shift and COMPLETING[suit] & ~(used_up >> shift):
            return True
    honours = packed >> HONOUR_SHIFT
    return any(honours >> FIELD * honour & 31 == 2 for honour in range(7))


def completing_kinds(hand: Hand) -> tuple[int, ...]:
    """Return every kind that would have completed the hand, even one whose four copies the player holds."""
    before = hand.packed - ONE[hand.winning]
    return tuple(
        kind for kind, weight in enumerate(ONE) if arrangements_of(before + weight, len(hand.concealed))
    )


def six_pairs_wait_elsewhere(packed: int, winning: int) -> bool:
    """Return whether the 13 tiles were six pairs and a single tile of another kind than the winning one."""
    odd = packed - ONE[winning] & ODD
    return odd & odd - 1 == 0 and odd != ONE[winning]
