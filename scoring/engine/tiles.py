"""The 34 kinds of playing tile, by name and by number.

Names are plain strings: ``1m…9m`` Characters, ``1p…9p`` Dots, ``1s…9s`` Bamboos, the winds ``E S W N`` and
the dragons ``C`` (red), ``F`` (green), ``P`` (white). Inside the engine a kind is its index in `TILES`.

A collection of tiles is *packed* into one integer with five bits a kind, so that collections add like numbers
and "five of a kind anywhere?" is one test against a mask.
"""

from collections.abc import Iterable
from typing import Final

SUITS: Final = ("m", "p", "s")
WINDS: Final = ("E", "S", "W", "N")
DRAGONS: Final = ("C", "F", "P")
HONOURS: Final = WINDS + DRAGONS
TILES: Final = tuple(f"{number}{suit}" for suit in SUITS for number in range(1, 10)) + HONOURS
KIND: Final = {tile: kind for kind, tile in enumerate(TILES)}

NUMBERS: Final = 27
"""Kinds below this one are suit tiles, the others are honours."""
FIVES: Final = (4, 13, 22)
FIRST_DRAGON: Final = 31

FIELD: Final = 5
"""Bits a kind in a packed collection."""
ONE: Final = tuple(1 << FIELD * kind for kind in range(len(TILES)))
WEIGHT: Final = dict(zip(TILES, ONE, strict=True))
"""Tile name to its packed weight: adding it adds the tile."""

SUIT_BITS: Final = 9 * FIELD
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
HONOUR_SHIFT: Final = NUMBERS * FIELD
ODD: Final = sum(ONE)
"""The lowest bit of every field: set where a kind is held an odd number of times."""
FOUR: Final = 4 * ODD
"""Set where a kind is held four times (in a collection without five of a kind)."""
OVER_FOUR: Final = 24 * ODD
"""After adding `HEADROOM`, set where a kind is held more than four times."""
HEADROOM: Final = 3 * ODD


def pack(tiles: Iterable[str]) -> int:
    """Return the packed form of a collection of tile names. Raises KeyError for an unknown name."""
    return sum(map(WEIGHT.__getitem__, tiles))


def unpack(packed: int) -> tuple[str, ...]:
    """Return the tiles of a packed collection, in the order of `TILES`."""
    return tuple(tile for kind, tile in enumerate(TILES) for _ in range(count(packed, kind)))


def count(packed: int, kind: int) -> int:
    """Return how many tiles of a kind a packed collection holds."""
    return packed >> FIELD * kind & 31


def tiles_in(packed: int) -> int:
    """Return the number of tiles in a packed collection of up to 30: the digit sum in base 32, which is the rest by
    31.
    """
    return packed % 31


def has_five(packed: int) -> bool:
    """Return whether some kind is held more than four times."""
    return packed + HEADROOM & OVER_FOUR != 0


def field_mask(kinds: Iterable[int]) -> int:
    return sum(31 * ONE[kind] for kind in kinds)


def number(kind: int) -> int:
    """Return 1–9 for a suit tile, 0 for an honour."""
    return kind % 9 + 1 if kind < NUMBERS else 0


def is_terminal(kind: int) -> bool:
    return number(kind) in (1, 9)


def is_honour(kind: int) -> bool:
    return kind >= NUMBERS
