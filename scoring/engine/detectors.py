"""Detect every fan of the sets, the whole hand, its tiles, and the circumstances of the win.

`claims` and `score` decide which of the detected fans count.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from operator import itemgetter
from typing import Final, NamedTuple

from scoring.engine import traits as t
from scoring.engine.codes import CLOSED_CHOWS, EDGE_CHOWS, PAIR
from scoring.engine.fans import Fan
from scoring.engine.memo import Memo
from scoring.engine.reading import KNITTED, Shape
from scoring.engine.tiles import (
    FIELD,
    FIRST_DRAGON,
    FIVES,
    HONOUR_SHIFT,
    KIND,
    NUMBERS,
    ONE,
    field_mask,
    is_terminal,
)


class Claim(NamedTuple):
    """A fan a player could claim, with the sets that form it as a bit mask."""

    fan: Fan
    sets: int


def bits(*indices: int) -> int:
    """Return the bit mask of these places."""
    return sum(1 << index for index in indices)


def claims_among(sets: Sequence[int], relations: Mapping[tuple[int, ...], Fan | None]) -> list[Claim]:
    """Return a claim for every two, three or four sets that are related by a fan."""
    claims = []
    for select, mask in _COMBINATIONS[len(sets)]:
        if fan := relations[select(sets)]:
            claims.append(Claim(fan, mask))
    return claims


_COMBINATIONS: Final = tuple(
    tuple(
        (itemgetter(*places), bits(*places))
        for size in range(2, count + 1)
        for places in combinations(range(count), size)
    )
    for count in range(5)
)
"""By the number of sets: a getter for every two, three or four of them, and the bit mask of their places."""


def places_of(sets: int) -> tuple[int, ...]:
    """Return the places in a bit mask."""
    return tuple(place for place in range(sets.bit_length()) if sets >> place & 1)


def chow_claims(chows: Sequence[int], pair: int | None = None) -> list[Claim]:
    """Return every fan of chows (MCR 1–4, 30, 35, 37, 49–51, 59, 64, 67, 74).

    `chows` are lowest kinds in order; set i of a claim is ``chows[i]``. `pair` is a kind: a pair of fives may make
    one of the two terminal-chow hands with four chows.
    """
    claims = claims_among(chows, _RELATIONS_OF_CHOWS)
    if len(chows) == 4 and pair in FIVES and (fan := _terminal_chows(chows, pair // 9)):
        claims.append(Claim(fan, 0b1111))
    return claims


def _relation_of_chows(chows: tuple[int, ...]) -> Fan | None:
    """Return the fan that these chows make together, or None."""
    suits, numbers = [kind // 9 for kind in chows], [kind % 9 + 1 for kind in chows]
    return {2: _two_chows, 3: _three_chows, 4: _four_chows}[len(chows)](suits, numbers)


_RELATIONS_OF_CHOWS: Final = Memo(_relation_of_chows, maximum=1 << 14)


def _two_chows(suits: list[int], numbers: list[int]) -> Fan | None:
    (suit, other), (low, high) = suits, sorted(numbers)
    if suit != other:
        return Fan.MIXED_DOUBLE_CHOW if low == high else None
    if low == high:
        return Fan.PURE_DOUBLE_CHOW
    if high - low == 3:
        return Fan.SHORT_STRAIGHT
    return Fan.TWO_TERMINAL_CHOWS if (low, high) == (1, 7) else None


def _three_chows(suits: list[int], numbers: list[int]) -> Fan | None:
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
"""Three chows by their number of suits and the two steps between their numbers."""


def _four_chows(suits: list[int], numbers: list[int]) -> Fan | None:
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
    """Return the fan of 1-2-3 and 7-8-9 twice with a pair of fives, in one suit or in three (MCR 50, 74)."""
    if any(kind % 9 not in (0, 6) for kind in chows):
        return None
    ends = sorted(chows)
    suits = {kind // 9 for kind in ends}
    if suits == {pair_suit} and ends[0] == ends[1] and ends[2] == ends[3] != ends[0]:
        return Fan.PURE_TERMINAL_CHOWS
    if len(suits) == 2 and pair_suit not in suits and len(set(ends)) == 4:
        return Fan.THREE_SUITED_TERMINAL_CHOWS
    return None


def number_pung_claims(pungs: Sequence[int]) -> list[Claim]:
    """Return every fan that relates pungs of suit tiles (MCR 20, 38, 53, 60, 68).

    `pungs` are kinds in order; set i of a claim is ``pungs[i]``.
    """
    return claims_among(pungs, _RELATIONS_OF_PUNGS)


def _relation_of_pungs(pungs: tuple[int, ...]) -> Fan | None:
    """Return the fan that these pungs make together, or None."""
    suits, numbers = {kind // 9 for kind in pungs}, sorted(kind % 9 for kind in pungs)
    return {2: _two_pungs, 3: _three_pungs, 4: _four_pungs}[len(pungs)](suits, numbers)


_RELATIONS_OF_PUNGS: Final = Memo(_relation_of_pungs, maximum=1 << 14)


def _two_pungs(suits: set[int], numbers: list[int]) -> Fan | None:
    return Fan.DOUBLE_PUNG if numbers[0] == numbers[1] else None


def _three_pungs(suits: set[int], numbers: list[int]) -> Fan | None:
    step, other = numbers[1] - numbers[0], numbers[2] - numbers[1]
    if step != other:
        return None
    if len(suits) == 1:
        return Fan.PURE_SHIFTED_PUNGS if step == 1 else None
    if len(suits) == 3:
        return {0: Fan.TRIPLE_PUNG, 1: Fan.MIXED_SHIFTED_PUNGS}.get(step)
    return None


def _four_pungs(suits: set[int], numbers: list[int]) -> Fan | None:
    return Fan.FOUR_PURE_SHIFTED_PUNGS if len(suits) == 1 and numbers[3] - numbers[0] == 3 else None


def terminal_pung_claims(pungs: Sequence[int]) -> Iterator[Claim]:
    """Return Pung of Terminals or Honors (MCR 5) for each pung of terminals."""
    return (
        Claim(Fan.PUNG_OF_TERMINALS_OR_HONORS, bits(place))
        for place, kind in enumerate(pungs)
        if is_terminal(kind)
    )


def wind_claims(pungs: Sequence[int], pair: int | None, seat: int, prevalent: int) -> Iterator[Claim]:
    """Yield every fan of the pungs of winds (MCR 5, 15, 16, 48, 70, 75). All arguments are kinds."""
    winds = [place for place, kind in enumerate(pungs) if NUMBERS <= kind < FIRST_DRAGON]
    mask = bits(*winds)
    if len(winds) == 4:
        yield Claim(Fan.BIG_FOUR_WINDS, mask)
    if len(winds) == 3 and pair is not None and NUMBERS <= pair < FIRST_DRAGON:
        yield Claim(Fan.LITTLE_FOUR_WINDS, mask)
    if len(winds) >= 3:
        yield Claim(Fan.BIG_THREE_WINDS, mask)
    for place in winds:
        if pungs[place] == prevalent:
            yield Claim(Fan.PREVALENT_WIND, bits(place))
        if pungs[place] == seat:
            yield Claim(Fan.SEAT_WIND, bits(place))
        # MCR principle 1: a pung that scores as one of these is not also a Pung of Terminals or Honors.
        if len(winds) < 3 and pungs[place] not in (seat, prevalent):
            yield Claim(Fan.PUNG_OF_TERMINALS_OR_HONORS, bits(place))


def dragon_claims(pungs: Sequence[int], pair: int | None) -> Iterator[Claim]:
    """Yield every fan of the pungs of dragons (MCR 14, 34, 71, 76)."""
    dragons = [place for place, kind in enumerate(pungs) if kind >= FIRST_DRAGON]
    mask = bits(*dragons)
    if len(dragons) == 3:
        yield Claim(Fan.BIG_THREE_DRAGONS, mask)
    if len(dragons) == 2 and pair is not None and pair >= FIRST_DRAGON:
        yield Claim(Fan.LITTLE_THREE_DRAGONS, mask)
    if len(dragons) == 2:
        yield Claim(Fan.TWO_DRAGONS, mask)
    for place in dragons:
        yield Claim(Fan.DRAGON_PUNG, bits(place))


_REQUIRED_TRAITS = (
    (Fan.ALL_CHOWS, t.CHOWS | t.NO_HONOURS),
    (Fan.ALL_PUNGS, t.PUNGS),
    (Fan.ALL_SIMPLES, t.SIMPLE),
    (Fan.OUTSIDE_HAND, t.ENDED),
    (Fan.ALL_TERMINALS_AND_HONORS, t.ENDS),
    (Fan.ALL_TERMINALS, t.ENDS | t.NO_HONOURS),
    (Fan.ALL_FIVES, t.FIVE),
    (Fan.ALL_EVEN, t.EVEN | t.PUNGS),
    (Fan.UPPER_FOUR, t.UPPER_FOUR),
    (Fan.LOWER_FOUR, t.LOWER_FOUR),
    (Fan.UPPER_TILES, t.UPPER),
    (Fan.MIDDLE_TILES, t.MIDDLE),
    (Fan.LOWER_TILES, t.LOWER),
    (Fan.NO_HONORS, t.NO_HONOURS),
    (Fan.ALL_HONORS, t.NO_SUITS),
)
"""Fans with the traits they require."""


def whole_hand_fans(traits: int) -> Iterator[Fan]:
    """Yield every fan that follows from the traits that all sets and the pair share.

    MCR 7, 8, 18, 23, 24, 28, 29, 31, 46, 47, 52, 57, 58, 61–63, 66, 69 and 72.
    """
    for fan, needs in _REQUIRED_TRAITS:
        if traits & needs == needs:
            yield fan
    voided = (traits & t.NO_SUITS).bit_count()
    numbers_only = traits & t.NO_HONOURS == t.NO_HONOURS
    if voided == 1:
        yield Fan.ONE_VOIDED_SUIT
    if voided == 2:
        yield Fan.FULL_FLUSH if numbers_only else Fan.HALF_FLUSH
    if not traits & (t.NO_SUITS | t.NO_HONOURS):
        yield Fan.ALL_TYPES


NOT_GREEN: Final = ~field_mask(KIND[tile] for tile in ("2s", "3s", "4s", "6s", "8s", "F"))
"""Mask of the tiles that All Green does not allow (MCR 77)."""

_GATES: Final = sum(ONE[kind] * (3 if kind in (0, 8) else 1) for kind in range(9))
_SUIT: Final = 9 * FIELD
_NINE_GATES: Final = frozenset(_GATES << _SUIT * suit for suit in range(3))
_SHIFTED_PAIRS: Final = frozenset(
    2 * sum(ONE[9 * suit + low : 9 * suit + low + 7]) for suit in range(3) for low in range(3)
)


def is_nine_gates(packed: int, winning: int) -> bool:
    """Return whether the concealed tiles were 1112345678999 of one suit before the winning tile came (MCR 78)."""
    return packed - ONE[winning] in _NINE_GATES


def special_fans(shape: Shape, packed: int) -> Iterator[Fan]:
    """Yield the fans of hands that are not made of sets (MCR 44, 45, 55, 56, 80, 81)."""
    match shape:
        case Shape.SEVEN_PAIRS:
            yield Fan.SEVEN_PAIRS
            if packed in _SHIFTED_PAIRS:
                yield Fan.SHIFTED_SEVEN_PAIRS
        case Shape.THIRTEEN_ORPHANS:
            yield from (Fan.THIRTEEN_ORPHANS, Fan.ALL_TERMINALS_AND_HONORS, Fan.ALL_TYPES)
        case Shape.KNITTED_TILES:
            yield from (Fan.LESSER_HONORS_AND_KNITTED_TILES, Fan.ALL_TYPES)
            if (packed >> HONOUR_SHIFT).bit_count() == len(ONE) - NUMBERS:
                yield Fan.GREATER_HONORS_AND_KNITTED_TILES
            if any(packed & straight == straight for straight in KNITTED):
                yield Fan.KNITTED_STRAIGHT


# Module names: looking a member up on its enum is ten times slower, and half of all hands need one.
EDGE, CLOSED, SINGLE = Fan.EDGE_WAIT, Fan.CLOSED_WAIT, Fan.SINGLE_WAIT


def wait_fan(code: int, winning: int) -> Fan:
    """Return the wait that the winning kind completed. The code must meet `scoring.engine.codes.WAITED_FOR`.

    MCR 9–11: only one of the three counts; they are worth the same.
    """
    if code & EDGE_CHOWS[winning]:
        return EDGE
    if code & CLOSED_CHOWS[winning]:
        return CLOSED
    assert code & PAIR[winning]
    return SINGLE


class Circumstances(NamedTuple):
    """How the winning tile came, and which melds lay on the table."""

    self_drawn: bool
    last_tile_of_wall: bool
    last_of_kind: bool
    replacement: bool
    robbing_kong: bool
    claimed: int
    """Melds other than concealed kongs."""
    melded_kongs: int
    concealed_kongs: int
    fours: int
    """Kinds of which the player has all four tiles, kongs included."""


def circumstance_fans(hand: Circumstances) -> Iterator[Fan]:
    """Yield every fan of these circumstances (MCR 6, 12, 17, 19, 22, 25–27, 32, 33, 40–43, 65, 79 and Botzone's 82)."""
    if hand.self_drawn:
        yield Fan.SELF_DRAWN
    if hand.last_tile_of_wall:
        yield Fan.LAST_TILE_DRAW if hand.self_drawn else Fan.LAST_TILE_CLAIM
    if hand.last_of_kind:
        yield Fan.LAST_TILE
    if hand.replacement:
        yield Fan.OUT_WITH_REPLACEMENT_TILE
    if hand.robbing_kong:
        yield Fan.ROBBING_THE_KONG
    if not hand.claimed:
        yield Fan.FULLY_CONCEALED_HAND if hand.self_drawn else Fan.CONCEALED_HAND
    if hand.claimed == 4 and not hand.self_drawn:
        yield Fan.MELDED_HAND
    yield from _kong_fans(hand.melded_kongs, hand.concealed_kongs)
    for _ in range(hand.fours - hand.melded_kongs - hand.concealed_kongs):
        yield Fan.TILE_HOG


def _kong_fans(melded: int, concealed: int) -> Iterator[Fan]:
    if melded:
        yield Fan.MELDED_KONG
    if concealed:
        yield Fan.CONCEALED_KONG
    match melded, concealed:
        case (2, 0):
            yield Fan.TWO_MELDED_KONGS
        case (1, 1):
            yield Fan.MELDED_KONG_AND_CONCEALED_KONG
        case (0, 2):
            yield Fan.TWO_CONCEALED_KONGS
    if melded + concealed == 3:
        yield Fan.THREE_KONGS
    if melded + concealed == 4:
        yield Fan.FOUR_KONGS


def concealed_pung_fans(concealed: int) -> Iterator[Fan]:
    """Yield the fan of this many concealed pungs and kongs (MCR 21, 54, 73)."""
    if concealed in _CONCEALED_PUNGS:
        yield _CONCEALED_PUNGS[concealed]


_CONCEALED_PUNGS: Final = {
    2: Fan.TWO_CONCEALED_PUNGS,
    3: Fan.THREE_CONCEALED_PUNGS,
    4: Fan.FOUR_CONCEALED_PUNGS,
}
