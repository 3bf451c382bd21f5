"""Sets and the pair as one number.

Chows take three bits each (up to four of one never run over), pungs and kongs a bit a kind, the pair a bit a
kind, and above them stand how many melds were claimed and how many are kongs. Codes of suits and melds add up
to the code of a hand, and its parts are masks.
"""

from collections.abc import Iterable
from typing import Final

from scoring.engine.tiles import FIRST_DRAGON, FIVES, NUMBERS, TILES, is_terminal, number

_KINDS: Final = range(len(TILES))
_PUNG_SHIFT: Final = 63
_PAIR_SHIFT: Final = _PUNG_SHIFT + len(TILES)
COUNT_SHIFT: Final = _PAIR_SHIFT + len(TILES)

CHOW: Final = {kind: 1 << 3 * (kind // 9 * 7 + kind % 9) for kind in range(NUMBERS) if kind % 9 < 7}
"""The code of a chow by its lowest kind."""
PUNG: Final = tuple(1 << _PUNG_SHIFT + kind for kind in _KINDS)
"""The code of a pung or kong by its kind."""
PAIR: Final = tuple(1 << _PAIR_SHIFT + kind for kind in _KINDS)
"""The code of the pair by its kind."""
CLAIMED: Final = 1 << COUNT_SHIFT
"""Counts a meld that was claimed, anything but a concealed kong."""
MELDED_KONG: Final = CLAIMED << 3
CONCEALED_KONG: Final = CLAIMED << 6

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


def moved(code: int, suit: int) -> int:
    """The same sets and pair of Characters in another suit."""
    return (code & _CHOWS_OF_A_SUIT) << 21 * suit | (code & ~_CHOWS_OF_A_SUIT) << 9 * suit


_CHOWS_OF_A_SUIT: Final = (1 << 21) - 1
_CHOW_KINDS: Final = tuple(CHOW)


def chows_of(code: int) -> tuple[int, ...]:
    """The lowest kinds of the chows, in order."""
    kinds, rest = [], code & CHOWS
    while rest:
        place = ((rest & -rest).bit_length() - 1) // 3
        kinds += [_CHOW_KINDS[place]] * (rest >> 3 * place & 7)
        rest &= ~(7 << 3 * place)
    return tuple(kinds)


def pungs_of(code: int) -> tuple[int, ...]:
    """The kinds of the pungs and kongs, in order."""
    kinds, rest = [], (code & ANY_PUNG) >> _PUNG_SHIFT
    while rest:
        lowest = rest & -rest
        kinds.append(lowest.bit_length() - 1)
        rest -= lowest
    return tuple(kinds)


def pair_of(code: int) -> int | None:
    """The kind of the pair."""
    pair = code & ANY_PAIR
    return pair.bit_length() - 1 - _PAIR_SHIFT if pair else None


def chow_likeness(code: int) -> int:
    """The same chows with suits renamed and numbers moved down as far as they go.

    Fans that relate sets look only at how their suits and numbers differ: they are the same for equal likenesses.
    """
    low, middle, high = sorted((code & 0x1FFFFF, code >> 21 & 0x1FFFFF, code >> 42 & 0x1FFFFF))
    numbers = low | middle | high
    down = ((numbers & -numbers).bit_length() - 1) // 3 * 3 if numbers else 0
    return (low | middle << 21 | high << 42) >> down


def pung_likeness(code: int) -> int:
    """The same pungs of suit tiles with suits renamed and numbers moved down as far as they go."""
    pungs = code >> _PUNG_SHIFT
    low, middle, high = sorted((pungs & 0x1FF, pungs >> 9 & 0x1FF, pungs >> 18 & 0x1FF))
    numbers = low | middle | high
    down = (numbers & -numbers).bit_length() - 1 if numbers else 0
    return (low | middle << 9 | high << 18) >> down << _PUNG_SHIFT


def meld_counts(counts: int) -> tuple[int, int, int]:
    """How many melds were claimed, how many are melded and how many concealed kongs, from above
    `COUNT_SHIFT`.
    """
    return counts & 7, counts >> 3 & 7, counts >> 6


def _any_of(lowest: Iterable[int]) -> int:
    """A mask that meets any chow beginning with one of these kinds."""
    return sum(7 * CHOW[kind] for kind in lowest)


CHOWS_WITH: Final = tuple(_any_of(low for low in CHOW if low <= kind <= low + 2) for kind in _KINDS)
"""By kind: the chows in which it stands."""
CLOSED_CHOWS: Final = tuple(_any_of(low for low in CHOW if kind == low + 1) for kind in _KINDS)
"""By kind: the chow that it closes in the middle."""
EDGE_CHOWS: Final = tuple(_any_of({3: [kind - 2], 7: [kind]}.get(number(kind), [])) for kind in _KINDS)
"""By kind: the chow 1-2-3 for a three, 7-8-9 for a seven."""
WAITED_FOR: Final = tuple(EDGE_CHOWS[kind] | CLOSED_CHOWS[kind] | PAIR[kind] for kind in _KINDS)
"""By kind: whatever it completes by an edge, closed or single wait."""
