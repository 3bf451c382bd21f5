"""How the tiles of a hand are read as sets: every way of a winner's, the one best way of a loser's."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from scoring.classical.hands import Loser
from scoring.engine.hand import KONG, PUNG, Hand
from scoring.engine.reading import Form, Group, Reading, Shape, arrangements, arrangements_of, reading_of
from scoring.engine.tiles import KIND, ONE, TILES, count

SHAPES: Final = (Shape.SETS, Shape.THIRTEEN_ORPHANS)
"""What wins: four sets and a pair, and the Thirteen Odd Majors; the Calling Nine Tile Hand is sets too (001:29)."""

_MELD_FORMS: Final = {PUNG: Form.PUNG, KONG: Form.KONG}


def readings(hand: Hand) -> Iterator[Reading]:
    """Every way to read a winner's hand; a group that the winning discard completed is exposed (001:55)."""
    for arrangement in arrangements(hand):
        if arrangement[0] in SHAPES:
            reading = reading_of(hand, arrangement)
            yield from (reading,) if hand.self_drawn else _completed(hand, reading)


def _completed(hand: Hand, reading: Reading) -> Iterator[Reading]:
    """The reading, once for each group that the winning tile may have completed."""
    for place, group in enumerate(reading.groups):
        if group.concealed and hand.winning_tile in group.tiles:
            groups = (*reading.groups[:place], replace(group, concealed=False), *reading.groups[place + 1 :])
            yield Reading(reading.shape, groups)


def wins_alone(hand: Hand) -> bool:
    """Whether no other kind of tile would have completed the hand, however many of it are left (000:1522)."""
    before = hand.packed - ONE[hand.winning]
    others = (one for kind, one in enumerate(ONE) if kind != hand.winning)
    return not any(_is_win(before + one, len(hand.concealed)) for one in others)


def _is_win(packed: int, concealed: int) -> bool:
    return any(shape in SHAPES for shape, _ in arrangements_of(packed, concealed))


def reading_of_loser(loser: Loser) -> Reading:
    """Pungs held, melds, then pairs; chows score nothing, so nothing competes for a tile (001:81)."""
    held = [(tile, count(loser.packed, kind)) for kind, tile in enumerate(TILES)]
    pungs = [Group(Form.PUNG, (tile,) * 3, True) for tile, times in held if times > 2]
    pairs = [Group(Form.PAIR, (tile,) * 2, True) for tile, times in held if times == 2]
    melds = [Group(_MELD_FORMS.get(meld.type, Form.CHOW), meld.tiles, meld.concealed) for meld in loser.melds]
    return Reading(Shape.SETS, (*pungs, *melds, *pairs))


def kinds_of(reading: Reading) -> set[int]:
    """The kinds of all tiles of a reading."""
    return {KIND[tile] for group in reading.groups for tile in group.tiles}
