"""A layout, held and won in some way, as hands."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from scoring.engine.codes import CHOW, CHOWS_WITH, PAIR, PUNG, WAITED_FOR
from scoring.engine.detectors import wait_fan
from scoring.engine.fans import Fan
from scoring.engine.hand import MELDS, Hand, Meld
from scoring.engine.tiles import ONE, TILES, count, has_five, unpack
from scoring.engine.witness.atlas import STRAIGHT, Layout
from scoring.engine.witness.wanted import Wanted
from scoring.engine.witness.ways import Holding

Ends = set[tuple[int, Fan | None]]
"""Concealed pungs and the wait, as the winning tile makes them."""
Kinds = tuple[int, ...]


class _Held(NamedTuple):
    """The sets of a layout, divided."""

    melds: tuple[Meld, ...]
    chows: Kinds
    pungs: Kinds


def hands(layout: Layout, knitted: bool, holding: Holding, ends: Ends, wanted: Wanted) -> Iterator[Hand]:
    """Every hand of this layout and holding whose winning tile can make one of the ways it may be won."""
    rest, pungs_of_three = layout.rest, 0
    for kind in layout.pungs + rest.pungs:
        pungs_of_three += count(layout.packed, kind) == 3
    if pungs_of_three < holding.kongs:
        return
    for melds, chows, pungs in _divided(layout, holding):
        packed = 2 * ONE[rest.pair] + (STRAIGHT if knitted else 0)
        packed += sum([ONE[low] + ONE[low + 1] + ONE[low + 2] for low in chows])
        packed += sum([3 * ONE[kind] for kind in pungs])
        held = packed + sum([meld.packed for meld in melds])
        if has_five(held):
            continue
        code = PAIR[rest.pair] + sum([CHOW[low] for low in chows]) + sum([PUNG[kind] for kind in pungs])
        tiles, own = unpack(packed), holding.kept_pungs + holding.concealed_kongs
        for winning in _winning(packed, held, wanted):
            claimed = not wanted.won.self_drawn and code & PUNG[winning] and not code & CHOWS_WITH[winning]
            wait = wait_fan(code, winning) if code & WAITED_FOR[winning] else None
            if ends & {(own - bool(claimed), wait), (own - bool(claimed), None)}:
                won = wanted.won._replace(seat_wind=rest.seat, prevalent_wind=rest.prevalent)
                yield Hand(tiles, melds, TILES[winning], *won)


def _winning(packed: int, held: int, wanted: Wanted) -> Iterator[int]:
    """The kinds that can have come last."""
    for kind in range(len(TILES)):
        if (
            (own := count(packed, kind))
            and not (own > 1 and wanted.won.last_of_kind)
            and not (wanted.won.robbing_kong and count(held, kind) > 1)
        ):
            yield kind


def _divided(layout: Layout, holding: Holding) -> Iterator[_Held]:
    for chows, claimed_chows in _parted(layout.chows, holding.kept_chows):
        for pungs, others in _parted(layout.pungs + layout.rest.pungs, holding.kept_pungs):
            for melded, left in _parted(others, holding.melded_kongs):
                for concealed, claimed in _parted(left, holding.concealed_kongs):
                    melds = (
                        *(MELDS["chow", TILES[low : low + 3], False] for low in claimed_chows),
                        *(MELDS["pung", 3 * (TILES[kind],), False] for kind in claimed),
                        *(MELDS["kong", 4 * (TILES[kind],), False] for kind in melded),
                        *(MELDS["kong", 4 * (TILES[kind],), True] for kind in concealed),
                    )
                    yield _Held(melds, chows, pungs)


def _parted(sets: Kinds, many: int) -> Iterable[tuple[Kinds, Kinds]]:
    """Every way to take so many of some sets, with what is left."""
    found = {}
    for places in combinations(range(len(sets)), many):
        taken = tuple([sets[place] for place in places])
        found[taken] = tuple([one for place, one in enumerate(sets) if place not in places])
    return found.items()
