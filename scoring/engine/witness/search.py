"""The search for a hand that counts what is wanted."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from scoring.engine.fans import Fan
from scoring.engine.hand import Hand
from scoring.engine.rulebooks import Rulebook
from scoring.engine.score import Score, score
from scoring.engine.tiles import FOUR, ODD
from scoring.engine.witness import Undecided
from scoring.engine.witness.atlas import Atlas, Frame, Layout, Structure, atlas_of
from scoring.engine.witness.layout import Ends, hands
from scoring.engine.witness.pairs import OTHERS
from scoring.engine.witness.wanted import ANY_NUMBER, OF_THE_WAY, Wanted, Won
from scoring.engine.witness.ways import Holding, Way, ways_of

Fit = tuple[Structure, dict[Holding, Ends]]
"""A structure, and how it can be held and won to claim what is wanted."""
ENDS: Final = (0, 6)
"""Chows 1-2-3 and 7-8-9, by their lowest kind in a suit."""
SOME: Final = (3, 60)
"""Layouts of each source that are tried before all are: nearly always one of them will do."""


@lru_cache(maxsize=1 << 14)
def find(
    fans: frozenset[tuple[Fan, int]], rulebook: Rulebook, self_drawn: bool, exactly: bool, effort: int | None
) -> Hand | Undecided | None:
    """A hand that counts what is wanted, None when there is none."""
    wanted = Wanted(dict(fans), rulebook, self_drawn=self_drawn, exactly=exactly, effort=effort)
    if not wanted.is_possible:
        return None
    try:
        for hand in _candidates(wanted):
            found = score(hand, rulebook)
            if found.win and wanted.met_by(found.points, found.counts):
                return hand
    except Undecided:
        return Undecided()
    return None


def _candidates(wanted: Wanted) -> Iterator[Hand]:
    """Hands among which is one that is wanted, if there is any."""
    atlas = atlas_of(
        wanted.rulebook,
        green=Fan.ALL_GREEN in wanted.fans,
        reversible=Fan.REVERSIBLE_TILES in wanted.fans,
    )
    fits: list[Fit] = []
    for fit in _fits(atlas, wanted):
        fits.append(fit)
        yield from _laid_out(fit, fit[0].some(SOME[0]), wanted)
    yield from _special(atlas, wanted)
    for fit in fits:
        yield from _laid_out(fit, fit[0].some(SOME[1]), wanted)
    for fit in fits:
        yield from _laid_out(fit, fit[0].all(), wanted)


def _laid_out(fit: Fit, layouts: Iterable[Layout], wanted: Wanted) -> Iterator[Hand]:
    structure, holdings = fit
    edge = all(wait is Fan.EDGE_WAIT for ends in holdings.values() for _concealed, wait in ends)
    for layout in layouts:
        wanted.spend(1)
        packed = layout.packed
        if not wanted.may_hog((packed & FOUR).bit_count()):
            continue
        if edge and not any(low % 9 in ENDS for low in layout.chows):
            continue
        single = packed & ODD & ~(packed >> 1)
        for holding, ends in holdings.items():
            if single or not wanted.lone_tile or (holding.melds and not wanted.won.robbing_kong):
                yield from hands(layout, structure.frame.knitted, holding, ends, wanted)


def _fits(atlas: Atlas, wanted: Wanted) -> Iterator[Fit]:
    """Every structure, with the ways to hold and win it, that claims what is wanted, read like this."""
    ways = dict[Frame, dict[int, list[Way]]]()
    for structure in atlas.among(_bounds(wanted)):
        frame = structure.frame
        if frame not in ways:
            ways[frame] = ways_of(frame, wanted)
        if not ways[frame] or (wanted.hogs and not (frame.chows or frame.knitted)):
            continue
        wanted.spend(1)
        holdings = defaultdict[Holding, Ends](set)
        for tally, some in ways[frame].items():
            if wanted.met_by_tally(structure.tally + tally):
                for way in some:
                    holdings[way.holding].add((way.concealed, way.wait))
        if holdings:
            yield structure, holdings


def _bounds(wanted: Wanted) -> Iterator[tuple[Fan, int, int]]:
    """(fan, at least, at most): how often a structure may claim each fan that structures claim."""
    for fan in wanted.tallies.rulebook.points:
        least, most = wanted.fans.get(fan, 0), wanted.most(fan)
        if (least or most < ANY_NUMBER) and fan not in OF_THE_WAY and fan is not Fan.CHICKEN_HAND:
            yield fan, least, most


def _special(atlas: Atlas, wanted: Wanted) -> Iterator[Hand]:
    if wanted.won.replacement:
        return
    for pairs in atlas.pairs if not wanted.lone_tile else ():
        tally = pairs.tally + wanted.circumstances(0, 0, pairs.hogs)
        if wanted.may_hog(pairs.hogs) and wanted.met_by_tally(tally):
            yield Hand(pairs.tiles, (), pairs.tiles[0], *wanted.won)
    for other in _others(wanted.rulebook, wanted.won):
        if wanted.met_by(other.points, other.counts):
            yield other.hand


@lru_cache(maxsize=64)
def _others(rulebook: Rulebook, won: Won) -> tuple[Score, ...]:
    """The hands of other shapes than sets and pairs that can be won like this."""
    lone = won.last_of_kind or won.robbing_kong
    return tuple(
        score(Hand(tiles, (), winning, *won), rulebook)
        for tiles, winning in OTHERS
        if not lone or tiles.count(winning) == 1
    )
