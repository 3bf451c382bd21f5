"""The search for a hand that counts what is wanted, over every way to hold sets and to win."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from scoring.engine.codes import (
    CHOW,
    CHOWS_WITH,
    CLAIMED,
    CONCEALED_KONG,
    COUNT_SHIFT,
    MELDED_KONG,
    PAIR,
    PUNG,
    WAITED_FOR,
)
from scoring.engine.detectors import wait_fan
from scoring.engine.fans import Fan
from scoring.engine.hand import MELDS, Hand, Meld
from scoring.engine.rulebooks import Rulebook
from scoring.engine.score import Score, score
from scoring.engine.tiles import FOUR, ODD, ONE, TILES, count, has_five, unpack
from scoring.engine.witness.atlas import STRAIGHT, Atlas, Frame, Layout, Structure, atlas_of
from scoring.engine.witness.sets import OTHERS
from scoring.engine.witness.wanted import ANY_NUMBER, OF_THE_WAY, Undecided, Wanted, Won


class Holding(NamedTuple):
    """How many chows and pungs are kept, and what was made of the others."""

    kept_chows: int
    claimed_chows: int
    kept_pungs: int
    claimed_pungs: int
    melded_kongs: int
    concealed_kongs: int

    @property
    def kongs(self) -> int:
        return self.melded_kongs + self.concealed_kongs

    @property
    def melds(self) -> int:
        """As they are coded above `codes.COUNT_SHIFT`."""
        claimed = self.claimed_chows + self.claimed_pungs
        counts = claimed * CLAIMED + self.melded_kongs * (CLAIMED + MELDED_KONG)
        return counts + self.concealed_kongs * CONCEALED_KONG >> COUNT_SHIFT


class Way(NamedTuple):
    """A holding, and what the winning tile makes of it."""

    holding: Holding
    concealed: int
    """Pungs and kongs made without claiming."""
    wait: Fan | None


def ways_of(frame: Frame, wanted: Wanted) -> dict[int, list[Way]]:
    """The ways that make the fans wanted of a way, by all that they make."""
    tallies, ways_by_tally = wanted.tallies, dict[int, list[Way]]()
    needed = [(tallies.one[fan], times) for fan, times in wanted.fans.items() if fan in OF_THE_WAY]
    for way in _ways(frame, wanted.won.self_drawn):
        if (wanted.won.replacement and not way.holding.kongs) or (
            wanted.lone_tile and not _ends_chow(frame, way)
        ):
            continue
        tally = wanted.circumstances(way.holding.melds, way.holding.kongs, wanted.hogs)
        tally += tallies.concealed_pungs[way.concealed] + (tallies.one[way.wait] if way.wait else 0)
        ways_by_tally.setdefault(tally, []).append(way)
    return {
        tally: ways
        for tally, ways in ways_by_tally.items()
        if all(tally // one & 7 >= n for one, n in needed)
    }


def _ends_chow(frame: Frame, way: Way) -> bool:
    holding = way.holding
    all_concealed = way.concealed == holding.kept_pungs + holding.concealed_kongs
    return bool(holding.kept_chows or frame.knitted) and all_concealed and way.wait is not Fan.SINGLE_WAIT


@cache
def _ways(frame: Frame, self_drawn: bool) -> tuple[Way, ...]:
    return tuple(way for holding in _holdings(frame) for way in _ways_to_win(frame, holding, self_drawn))


def _holdings(frame: Frame) -> Iterator[Holding]:
    for chows in range(frame.chows + 1):
        for kept in range(frame.pungs + 1):
            for melded in range(frame.pungs - kept + 1):
                for concealed in range(frame.pungs - kept - melded + 1):
                    claimed = frame.pungs - kept - melded - concealed
                    yield Holding(chows, frame.chows - chows, kept, claimed, melded, concealed)


def _ways_to_win(frame: Frame, holding: Holding, self_drawn: bool) -> Iterator[Way]:
    """What the winning tile may complete: the pair, a chow, part of a knitted straight, or a pung."""
    own = holding.kept_pungs + holding.concealed_kongs
    yield Way(holding, own, Fan.SINGLE_WAIT)
    if holding.kept_chows:
        yield Way(holding, own, Fan.EDGE_WAIT)
        yield Way(holding, own, Fan.CLOSED_WAIT)
    if holding.kept_chows or holding.kept_pungs or frame.knitted:
        yield Way(holding, own, None)
    if holding.kept_pungs and not self_drawn:
        yield Way(holding, own - 1, None)


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
        for winning in _winning_kinds(packed, held, wanted):
            claimed = not wanted.won.self_drawn and code & PUNG[winning] and not code & CHOWS_WITH[winning]
            wait = wait_fan(code, winning) if code & WAITED_FOR[winning] else None
            if ends & {(own - bool(claimed), wait), (own - bool(claimed), None)}:
                won = wanted.won._replace(seat_wind=rest.seat, prevalent_wind=rest.prevalent)
                yield Hand(tiles, melds, TILES[winning], *won)


def _winning_kinds(packed: int, held: int, wanted: Wanted) -> Iterator[int]:
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
    parts = {}
    for places in combinations(range(len(sets)), many):
        taken = tuple([sets[place] for place in places])
        parts[taken] = tuple([one for place, one in enumerate(sets) if place not in places])
    return parts.items()


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
            worth = score(hand, rulebook)
            if worth.win and wanted.met_by(worth.points, worth.counts):
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
