"""Every structure a hand of sets can have, found by the fans it claims.

A structure is all layouts of sets and a pair that claim the same; there are some 2,500. All Green and Reversible Tiles
tell suits apart and have an atlas each, of their tiles alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from scoring.engine import traits
from scoring.engine.codes import CHOW, INNER_CHOWS, PAIR
from scoring.engine.detectors import NOT_GREEN
from scoring.engine.fans import Fan
from scoring.engine.reading import KNITTED
from scoring.engine.rulebooks import Rulebook
from scoring.engine.tallies import BITS, Tallies, tallies_of
from scoring.engine.tiles import FIVES, HEADROOM, KIND, ONE, OVER_FOUR, TILES
from scoring.engine.witness.sets import (
    MOST_SETS,
    Class,
    Pairs,
    Rest,
    Sets,
    chow_classes,
    chows_among,
    chows_of_three_suits,
    pung_classes,
    pungs_among,
    pungs_of_three_suits,
    rest_classes,
    seven_pairs,
)

ALL_KINDS: Final = frozenset(range(len(TILES)))
NO_SETS: Final = Sets(0, ())
STRAIGHT: Final = KNITTED[0]
STRIDE: Final = 7919
"""A prime, so that steps of it meet every combination."""


class Frame(NamedTuple):
    """What the ways of holding sets depend on. A knitted straight leaves one set."""

    knitted: bool
    chows: int
    pungs: int


class Layout(NamedTuple):
    """Sets and a pair, by their kinds."""

    chows: tuple[int, ...]
    pungs: tuple[int, ...]
    rest: Rest
    packed: int
    """All their tiles, a kong as a pung."""


Source = tuple[list[tuple[list[Sets], list[Sets]]], list[Rest]]
"""Chows and pungs that go together, and what goes with each of them."""


class Structure(NamedTuple):
    """The layouts that claim the same."""

    frame: Frame
    tally: int
    sources: list[Source]

    def some(self, most: int) -> Iterator[Layout]:
        """A few from every source, far from each other."""
        for pairs, rests in self.sources:
            for chows, pungs in pairs:
                for one, other, rest in _spread(chows, pungs, rests, most):
                    yield from self._possible(one, other, rest)

    def all(self) -> Iterator[Layout]:
        """Every layout that four tiles of a kind allow."""
        for pairs, rests in self.sources:
            for some_chows, some_pungs in pairs:
                for chows, pungs in product(some_chows, some_pungs):
                    if not chows.packed + pungs.packed + HEADROOM & OVER_FOUR:
                        for rest in rests:
                            yield from self._possible(chows, pungs, rest)

    def _possible(self, chows: Sets, pungs: Sets, rest: Rest) -> Iterator[Layout]:
        packed = chows.packed + pungs.packed + rest.packed
        if self.frame.knitted:
            packed += STRAIGHT
        if not packed + HEADROOM & OVER_FOUR:
            yield Layout(chows.kinds, pungs.kinds, rest, packed)


def _spread(
    chows: list[Sets], pungs: list[Sets], rests: list[Rest], most: int
) -> Iterator[tuple[Sets, Sets, Rest]]:
    """So many of the combinations at most, far from each other."""
    total = len(chows) * len(pungs) * len(rests)
    for turn in range(min(most, total)):
        which, rest = divmod(turn * STRIDE % total, len(rests))
        yield chows[which // len(pungs)], pungs[which % len(pungs)], rests[rest]


class Atlas:
    """The structures of hands that hold only tiles of some kinds."""

    def __init__(self, tallies: Tallies, kinds: frozenset[int] = ALL_KINDS, claimed: int = 0) -> None:
        """``claimed``: what all these hands claim for their tiles."""
        self.tallies, self.kinds, self.claimed = tallies, kinds, claimed
        self._sources: dict[tuple[Frame, int], list[Source]] = defaultdict(list)
        suits_alike = kinds == ALL_KINDS
        rests = rest_classes(tallies, kinds)
        chows = chow_classes(tallies, chows_of_three_suits() if suits_alike else chows_among(kinds))
        beside = pung_classes(tallies, pungs_among(kinds, MOST_SETS - 1))
        alone = pung_classes(tallies, pungs_of_three_suits() if suits_alike else pungs_among(kinds))
        self._of_sets(chows, beside, alone, rests)
        self._with_fives(chows)
        if suits_alike:
            self._beside_knitted_straight(beside, rests)
        self.structures = [Structure(frame, tally, some) for (frame, tally), some in self._sources.items()]
        self.pairs: list[Pairs] = seven_pairs(tallies, kinds, claimed, suits_alike=suits_alike)
        self._claiming = self._index()

    def among(self, bounds: Iterable[tuple[Fan, int, int]]) -> list[Structure]:
        """The structures that claim each of some fans at least and at most so often."""
        places = (1 << len(self.structures)) - 1
        for fan, least, most in bounds:
            if least:
                places &= self._claiming.get((fan, least), 0)
            places &= ~self._claiming.get((fan, most + 1), 0)
        return [self.structures[place] for place in _bits(places)]

    def _of_sets(
        self,
        chows: dict[Class, list[Sets]],
        beside: dict[Class, list[Sets]],
        alone: dict[Class, list[Sets]],
        rests: list[dict[Class, list[Rest]]],
    ) -> None:
        whole, both = self.tallies.whole, defaultdict(list)
        for chow, of_chow in chows.items():
            for pung, of_pung in (beside if chow.many else alone).items():
                shared = chow.traits & pung.traits
                if chow.many + pung.many <= MOST_SETS:
                    both[chow.many, pung.many, chow.tally + pung.tally, shared].append((of_chow, of_pung))
        for (many, pungs, tally, shared), sources in both.items():
            frame = Frame(False, many, MOST_SETS - many)
            for rest, of_rest in rests[MOST_SETS - many - pungs].items():
                claims = tally + rest.tally + whole[shared & rest.traits] + self.claimed
                self._sources[frame, claims].append((sources, of_rest))

    def _with_fives(self, chows: dict[Class, list[Sets]]) -> None:
        """Chows 1-2-3 and 7-8-9 that claim something else with a pair of fives (MCR 50, 74)."""
        for of, members in chows.items():
            for chow in members if of.many == MOST_SETS else ():
                code = sum([CHOW[low] for low in chow.kinds])
                for five in FIVES if not code & INNER_CHOWS else ():
                    tally = self.tallies.chows[code + PAIR[five]]
                    if tally != of.tally and five in self.kinds:
                        claims = tally + self.tallies.whole[of.traits & traits.OF_PAIR[five]] + self.claimed
                        rest = Rest(2 * ONE[five], (), five, "E", "E")
                        self._sources[Frame(False, MOST_SETS, 0), claims].append(
                            ([([chow], [NO_SETS])], [rest])
                        )

    def _beside_knitted_straight(
        self, pungs: dict[Class, list[Sets]], rests: list[dict[Class, list[Rest]]]
    ) -> None:
        """One knitted straight stands for all: suits are named by it."""
        whole, straight = self.tallies.whole, self.tallies.one[Fan.KNITTED_STRAIGHT]
        chows = chow_classes(self.tallies, chows_among(self.kinds, 1))
        few = {of: members for of, members in pungs.items() if of.many <= 1}
        for (chow, of_chow), (pung, of_pung) in product(chows.items(), few.items()):
            for rest, of_rest in (
                rests[1 - chow.many - pung.many].items() if chow.many + pung.many < 2 else ()
            ):
                shared = chow.traits & pung.traits & rest.traits & traits.OF_KNITTED_STRAIGHT
                claims = chow.tally + pung.tally + rest.tally + whole[shared] + straight
                frame = Frame(True, chow.many, 1 - chow.many)
                self._sources[frame, claims].append(([(of_chow, of_pung)], of_rest))

    def _index(self) -> dict[tuple[Fan, int], int]:
        """For each fan and number of times: a bit for every structure that claims it so often or oftener."""
        claiming: dict[tuple[Fan, int], int] = defaultdict(int)
        for place, structure in enumerate(self.structures):
            tally = structure.tally
            while tally:
                rank = (tally.bit_length() - 1) // BITS
                times = tally >> BITS * rank
                tally -= times << BITS * rank
                for least in range(1, times + 1):
                    claiming[self.tallies.ranked[rank], least] |= 1 << place
        return claiming


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


@lru_cache(maxsize=12)
def atlas_of(rulebook: Rulebook, *, green: bool, reversible: bool) -> Atlas:
    """The atlas of a rulebook, of all tiles or of those that make All Green, Reversible Tiles or both."""
    tallies, kinds, claimed = tallies_of(rulebook), ALL_KINDS, 0
    if green:
        kinds &= {kind for kind in ALL_KINDS if not ONE[kind] & NOT_GREEN}
        claimed += tallies.one[Fan.ALL_GREEN]
    if reversible:
        kinds &= {KIND[tile] for tile in rulebook.reversible}
        claimed += tallies.one[Fan.REVERSIBLE_TILES]
    return Atlas(tallies, kinds, claimed)
