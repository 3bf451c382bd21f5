"""Fans of how the hand was won and of what was claimed on the way: MCR 6, 12, 17, 19, 21, 22, 25–27, 32, 33,
40–43, 54, 65, 73, 79 and Botzone's Melded Kong and Concealed Kong.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from scoring.engine.fans import Fan


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
    """Kinds of which all four tiles are held, kongs too."""


def circumstance_fans(hand: Circumstances) -> Iterator[Fan]:
    """Every fan of these circumstances."""
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
    """The fan of this many concealed pungs and kongs."""
    if concealed in _CONCEALED_PUNGS:
        yield _CONCEALED_PUNGS[concealed]


_CONCEALED_PUNGS: Final = {
    2: Fan.TWO_CONCEALED_PUNGS,
    3: Fan.THREE_CONCEALED_PUNGS,
    4: Fan.FOUR_CONCEALED_PUNGS,
}
