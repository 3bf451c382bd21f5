"""Every structure that a hand of sets can have, indexed by the fans it claims.

A structure is all layouts of sets and a pair that claim the same; there are some 2,500. All Green and Reversible
Tiles distinguish suits and have an atlas each, of their own tiles.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from scoring.engine import traits
from scoring.engine.codes import CHOW, INNER_CHOWS, PAIR
from scoring.engine.compiled import BITS, CompiledRulebook, compile_rulebook
from scoring.engine.detectors import NOT_GREEN
from scoring.engine.fans import Fan
from scoring.engine.hand_search.sets import (
    MAX_SETS,
    HonoursAndPair,
    SetClass,
    Sets,
    SevenPairs,
    chow_classes,
    chows_among,
    chows_of_three_suits,
    honours_and_pair_classes,
    pung_classes,
    pungs_among,
    pungs_of_three_suits,
    seven_pairs,
)
from scoring.engine.reading import KNITTED
from scoring.engine.rulebooks import Rulebook
from scoring.engine.tiles import FIVES, HEADROOM, KIND, ONE, OVER_FOUR, TILES

ALL_KINDS: Final = frozenset(range(len(TILES)))
NO_SETS: Final = Sets(0, ())
STRAIGHT: Final = KNITTED[0]
STRIDE: Final = 7919
"""A prime, so that steps of it reach every combination."""


class Frame(NamedTuple):
    """The numbers of sets that melding depends on. A knitted straight leaves room for one set."""

    knitted: bool
    chows: int
    pungs: int


class Layout(NamedTuple):
    """Sets and a pair, by their kinds."""

    chows: tuple[int, ...]
    pungs: tuple[int, ...]
    rest: HonoursAndPair
    packed: int
    """All their tiles, a kong as a pung."""


Source = tuple[list[tuple[list[Sets], list[Sets]]], list[HonoursAndPair]]
"""Combinations of chows and pungs, and the honours and pairs that go with each of them."""


class Structure(NamedTuple):
    """The layouts that claim the same."""

    frame: Frame
    tally: int
    sources: list[Source]

    def sample(self, maximum: int) -> Iterator[Layout]:
        """Yield up to `maximum` layouts of each source, far from each other."""
        for pairs, rests in self.sources:
            for chows, pungs in pairs:
                for some_chows, some_pungs, rest in _sample(chows, pungs, rests, maximum):
                    yield from self._possible(some_chows, some_pungs, rest)

    def layouts(self) -> Iterator[Layout]:
        """Yield every layout that four tiles of a kind allow."""
        for pairs, rests in self.sources:
            for some_chows, some_pungs in pairs:
                for chows, pungs in product(some_chows, some_pungs):
                    if not chows.packed + pungs.packed + HEADROOM & OVER_FOUR:
                        for rest in rests:
                            yield from self._possible(chows, pungs, rest)

    def _possible(self, chows: Sets, pungs: Sets, rest: HonoursAndPair) -> Iterator[Layout]:
        packed = chows.packed + pungs.packed + rest.packed
        if self.frame.knitted:
            packed += STRAIGHT
        if not packed + HEADROOM & OVER_FOUR:
            yield Layout(chows.kinds, pungs.kinds, rest, packed)


def _sample(
    chows: list[Sets], pungs: list[Sets], rests: list[HonoursAndPair], maximum: int
) -> Iterator[tuple[Sets, Sets, HonoursAndPair]]:
    """Yield up to `maximum` of the combinations, far from each other."""
    total = len(chows) * len(pungs) * len(rests)
    for turn in range(min(maximum, total)):
        which, rest = divmod(turn * STRIDE % total, len(rests))
        yield chows[which // len(pungs)], pungs[which % len(pungs)], rests[rest]


class Atlas:
    """The structures of hands that hold only tiles of some kinds."""

    def __init__(
        self, compiled: CompiledRulebook, kinds: frozenset[int] = ALL_KINDS, claimed: int = 0
    ) -> None:
        """Build the atlas. `claimed`: the tally that all these hands claim for their tiles alone."""
        self.compiled, self.kinds, self.claimed = compiled, kinds, claimed
        self._sources: dict[tuple[Frame, int], list[Source]] = defaultdict(list)
        suits_alike = kinds == ALL_KINDS
        honours = honours_and_pair_classes(compiled, kinds)
        chows = chow_classes(compiled, chows_of_three_suits() if suits_alike else chows_among(kinds))
        few_pungs = pung_classes(compiled, pungs_among(kinds, MAX_SETS - 1))
        pungs = pung_classes(compiled, pungs_of_three_suits() if suits_alike else pungs_among(kinds))
        self._add_sets(chows, few_pungs, pungs, honours)
        self._add_fives(chows)
        if suits_alike:
            self._add_knitted_straight(few_pungs, honours)
        self.structures = [
            Structure(frame, tally, sources) for (frame, tally), sources in self._sources.items()
        ]
        self.pairs: list[SevenPairs] = seven_pairs(compiled, kinds, claimed, suits_alike=suits_alike)
        self._claiming = self._index()

    def matching(self, bounds: Iterable[tuple[Fan, int, int]]) -> list[Structure]:
        """Return the structures that claim each fan within its bounds, (fan, least, most)."""
        places = (1 << len(self.structures)) - 1
        for fan, minimum, maximum in bounds:
            if minimum:
                places &= self._claiming.get((fan, minimum), 0)
            places &= ~self._claiming.get((fan, maximum + 1), 0)
        return [self.structures[place] for place in _bit_places(places)]

    def _add_sets(
        self,
        chows: dict[SetClass, list[Sets]],
        few_pungs: dict[SetClass, list[Sets]],
        pungs: dict[SetClass, list[Sets]],
        honours: list[dict[SetClass, list[HonoursAndPair]]],
    ) -> None:
        by_traits, combined = self.compiled.by_traits, defaultdict(list)
        for chow, chow_members in chows.items():
            for pung, pung_members in (few_pungs if chow.set_count else pungs).items():
                shared = chow.traits & pung.traits
                if chow.set_count + pung.set_count <= MAX_SETS:
                    combined[chow.set_count, pung.set_count, chow.tally + pung.tally, shared].append(
                        (chow_members, pung_members)
                    )
        for (chow_count, pung_count, tally, shared), sources in combined.items():
            frame = Frame(False, chow_count, MAX_SETS - chow_count)
            for key, members in honours[MAX_SETS - chow_count - pung_count].items():
                claims = tally + key.tally + by_traits[shared & key.traits] + self.claimed
                self._sources[frame, claims].append((sources, members))

    def _add_fives(self, chows: dict[SetClass, list[Sets]]) -> None:
        """Add chows 1-2-3 and 7-8-9 that claim something else with a pair of fives (MCR 50, 74)."""
        for key, members in chows.items():
            for chow in members if key.set_count == MAX_SETS else ():
                code = sum([CHOW[low] for low in chow.kinds])
                for five in FIVES if not code & INNER_CHOWS else ():
                    tally = self.compiled.chows[code + PAIR[five]]
                    if tally != key.tally and five in self.kinds:
                        claims = (
                            tally + self.compiled.by_traits[key.traits & traits.OF_PAIR[five]] + self.claimed
                        )
                        rest = HonoursAndPair(2 * ONE[five], (), five, "E", "E")
                        self._sources[Frame(False, MAX_SETS, 0), claims].append(
                            ([([chow], [NO_SETS])], [rest])
                        )

    def _add_knitted_straight(
        self, pungs: dict[SetClass, list[Sets]], honours: list[dict[SetClass, list[HonoursAndPair]]]
    ) -> None:
        """Add hands with a knitted straight. One straight represents all six, since suits are interchangeable."""
        by_traits, straight = self.compiled.by_traits, self.compiled.weight[Fan.KNITTED_STRAIGHT]
        chows = chow_classes(self.compiled, chows_among(self.kinds, 1))
        few = {key: members for key, members in pungs.items() if key.set_count <= 1}
        for (chow, chow_members), (pung, pung_members) in product(chows.items(), few.items()):
            for rest, rest_members in (
                honours[1 - chow.set_count - pung.set_count].items()
                if chow.set_count + pung.set_count < 2
                else ()
            ):
                shared = chow.traits & pung.traits & rest.traits & traits.OF_KNITTED_STRAIGHT
                claims = chow.tally + pung.tally + rest.tally + by_traits[shared] + straight
                frame = Frame(True, chow.set_count, 1 - chow.set_count)
                self._sources[frame, claims].append(([(chow_members, pung_members)], rest_members))

    def _index(self) -> dict[tuple[Fan, int], int]:
        """Return, for each fan and number of times, the bit mask of the structures that claim it at least so often."""
        claiming: dict[tuple[Fan, int], int] = defaultdict(int)
        for place, structure in enumerate(self.structures):
            tally = structure.tally
            while tally:
                rank = (tally.bit_length() - 1) // BITS
                times = tally >> BITS * rank
                tally -= times << BITS * rank
                for minimum in range(1, times + 1):
                    claiming[self.compiled.ranked[rank], minimum] |= 1 << place
        return claiming


def _bit_places(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


@lru_cache(maxsize=12)
def atlas_of(rulebook: Rulebook, *, green: bool, reversible: bool) -> Atlas:
    """Return the atlas of a rulebook, of all tiles or of those that make All Green, Reversible Tiles or both."""
    compiled, kinds, claimed = compile_rulebook(rulebook), ALL_KINDS, 0
    if green:
        kinds &= {kind for kind in ALL_KINDS if not ONE[kind] & NOT_GREEN}
        claimed += compiled.weight[Fan.ALL_GREEN]
    if reversible:
        kinds &= {KIND[tile] for tile in rulebook.reversible}
        claimed += compiled.weight[Fan.REVERSIBLE_TILES]
    return Atlas(compiled, kinds, claimed)
