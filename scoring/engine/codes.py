"""Sets and the pair packed into one number, the *code*.

It has five bits a kind, as packed tiles have: three for the chows that begin there (up to four of one never run
over), one for a pung or kong, one for the pair. Above them stand how many melds were claimed and how many are kongs,
and above those the traits that some set or the pair lacks. Codes of suits and melds add up to the code of a hand, and
its parts are masks.
"""

from collections.abc import Iterable
from typing import Final

from scoring.engine import traits
from scoring.engine.tiles import (
    FIELD,
    FIRST_DRAGON,
    FIVES,
    NUMBERS,
    ONE,
    SUIT_BITS,
    SUIT_MASK,
    TILES,
    is_terminal,
    number,
)

_KINDS: Final = range(len(TILES))
COUNT_SHIFT: Final = FIELD * len(TILES)
LACKS_SHIFT: Final = COUNT_SHIFT + 9

CHOW: Final = {kind: ONE[kind] for kind in range(NUMBERS) if kind % 9 < 7}
"""The code of a chow by its lowest kind."""
PUNG: Final = tuple(weight << 3 for weight in ONE)
"""The code of a pung or kong by its kind."""
PAIR: Final = tuple(weight << 4 for weight in ONE)
"""The code of the pair by its kind."""
CLAIMED: Final = 1 << COUNT_SHIFT
"""Counts a meld that was claimed, anything but a concealed kong."""
MELDED_KONG: Final = CLAIMED << 3
CONCEALED_KONG: Final = CLAIMED << 6
KONGS_SHIFT: Final = COUNT_SHIFT + 6
"""Above it stands how many melds are concealed kongs."""

ANY_PUNG: Final = sum(PUNG)
ANY_PAIR: Final = sum(PAIR)
NUMBER_PUNGS: Final = sum(PUNG[:NUMBERS])
WIND_PUNGS: Final = sum(PUNG[NUMBERS:FIRST_DRAGON])
DRAGON_PUNGS: Final = sum(PUNG[FIRST_DRAGON:])
CHOWS: Final = sum(7 * code for code in CHOW.values())
INNER_CHOWS: Final = sum(7 * code for kind, code in CHOW.items() if kind % 9 not in (0, 6))
"""All chows but 1-2-3 and 7-8-9."""
CHOWS_AND_FIVES: Final = CHOWS | sum(PAIR[kind] for kind in FIVES)
"""All chows, and the pairs of fives that make terminal chows a fan (MCR 50, 74)."""
TERMINAL_PUNGS: Final = sum(PUNG[kind] for kind in _KINDS if is_terminal(kind))
WINDS: Final = WIND_PUNGS | sum(PAIR[NUMBERS:FIRST_DRAGON])
DRAGONS: Final = DRAGON_PUNGS | sum(PAIR[FIRST_DRAGON:])


def missing_code(common: int) -> int:
    """Return the part of a code that marks the traits missing from `common` (`scoring.engine.traits`)."""
    return (traits.ALL & ~common) << LACKS_SHIFT


def in_suit(code: int, suit: int) -> int:
    """Return the code of the same Characters sets and pair in another suit; at least one is needed."""
    return (code & SUIT_MASK) << SUIT_BITS * suit | code & _LACKS ^ _OTHER_SUIT[suit]


_LACKS: Final = traits.ALL << LACKS_SHIFT
_OTHER_SUIT: Final = tuple(missing_code(~(traits.NO_CHARACTERS ^ other)) for other in traits.NO_SUIT)
"""By suit: the bits to flip among the missing traits when Characters are replaced by that suit."""


def chows_of(code: int) -> tuple[int, ...]:
    """Return the lowest kinds of the chows, in order."""
    kinds, rest = [], code & CHOWS
    while rest:
        kind = _lowest(rest)
        chows = rest >> FIELD * kind & 7
        kinds += [kind] * chows
        rest -= chows * ONE[kind]
    return tuple(kinds)


def pungs_of(code: int) -> tuple[int, ...]:
    """Return the kinds of the pungs and kongs, in order."""
    kinds, rest = [], code & ANY_PUNG
    while rest:
        kinds.append(_lowest(rest))
        rest &= rest - 1
    return tuple(kinds)


def pair_of(code: int) -> int | None:
    """Return the kind of the pair."""
    pair = code & ANY_PAIR
    return _lowest(pair) if pair else None


def _lowest(code: int) -> int:
    """Return the lowest kind of the sets and the pair. The code must not be empty."""
    return ((code & -code).bit_length() - 1) // FIELD


def canonical(code: int) -> int:
    """Return the code of suit sets with suits renamed and numbers shifted down as far as possible.

    Fans that relate sets depend only on how their suits and numbers differ: they are the same for equal results.
    """
    suits = sorted((code & SUIT_MASK, code >> SUIT_BITS & SUIT_MASK, code >> 2 * SUIT_BITS))
    low, middle, high = suits
    numbers = low | middle | high
    shift = FIELD * _lowest(numbers) if numbers else 0
    return (low | middle << SUIT_BITS | high << 2 * SUIT_BITS) >> shift


def meld_counts(counts: int) -> tuple[int, int, int]:
    """Return how many melds were claimed, are melded kongs and are concealed kongs, from the bits above
    `COUNT_SHIFT`.
    """
    return counts & 7, counts >> 3 & 7, counts >> 6 & 7


def _any_of(lowest: Iterable[int]) -> int:
    """Return a mask that meets any chow beginning with one of these kinds."""
    return sum(7 * CHOW[kind] for kind in lowest)


CHOWS_WITH: Final = tuple(_any_of(low for low in CHOW if low <= kind <= low + 2) for kind in _KINDS)
"""By kind: the chows in which it stands."""
CLOSED_CHOWS: Final = tuple(_any_of(low for low in CHOW if kind == low + 1) for kind in _KINDS)
"""By kind: the chow that it closes in the middle."""
EDGE_CHOWS: Final = tuple(_any_of({3: [kind - 2], 7: [kind]}.get(number(kind), [])) for kind in _KINDS)
"""By kind: the chow 1-2-3 for a three, 7-8-9 for a seven."""
WAITED_FOR: Final = tuple(EDGE_CHOWS[kind] | CLOSED_CHOWS[kind] | PAIR[kind] for kind in _KINDS)
"""By kind: the chows and the pair that it completes by an edge, closed or single wait."""
