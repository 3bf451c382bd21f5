"""Hands that are not made of sets, and Nine Gates: few enough to be named."""

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import combinations
from operator import and_
from typing import Final, NamedTuple

from scoring.engine import traits
from scoring.engine.fans import Fan
from scoring.engine.reading import KNITTED, arrangements_of
from scoring.engine.tallies import Tallies
from scoring.engine.tiles import HONOURS, NUMBERS, ONE, TILES, is_terminal, unpack

Tiles = tuple[str, ...]


class Pairs(NamedTuple):
    """Seven pairs, with what they claim as such."""

    tiles: Tiles
    tally: int
    hogs: int
    """Pairs that are there twice, of honours only where that is a Tile Hog."""


_SPREAD: Final = (
    *(9 * suit + number for number in (0, 3, 6, 1, 4, 7, 2, 5, 8) for suit in range(3)),
    *range(NUMBERS, len(TILES)),
)
"""All kinds, those apart that could make a chow."""
_PAIRS: Final = 7
_FEWEST: Final = 4
"""Kinds that seven pairs have at least."""
_FEW: Final = 9
"""Kinds of which every choice is looked at."""


def seven_pairs(tallies: Tallies, kinds: frozenset[int], claimed: int, *, suits_alike: bool) -> list[Pairs]:
    """A hand for everything that seven pairs of these kinds can claim, or some, where sets can be read in each."""
    found: dict[tuple[int, int], list[int]] = {}
    for (shared, many), chosen in _choices(kinds).items():
        if many < _FEWEST or (suits_alike and _lacks_characters(shared)):
            continue
        claims = tallies.one[Fan.SEVEN_PAIRS] + tallies.whole[shared] + claimed
        honours_count = tallies.rulebook.honour_hogs
        for hogs, some in _examples(shared, chosen, _PAIRS - many, kinds, honours_count).items():
            found.setdefault((claims, hogs), some)
    return [Pairs(unpack(one), claims, hogs) for (claims, hogs), some in found.items() for one in some]


def _choices(kinds: frozenset[int]) -> dict[tuple[int, int], tuple[int, ...]]:
    """Traits in common and number of kinds → some kinds."""
    found: dict[tuple[int, int], tuple[int, ...]] = {(traits.OF_TILES, 0): ()}
    for kind in _SPREAD:
        if kind in kinds:
            for (shared, many), chosen in list(found.items()):
                if many < _PAIRS:
                    found.setdefault((shared & traits.OF_PAIR[kind], many + 1), (*chosen, kind))
    return found


def _lacks_characters(shared: int) -> bool:
    """Whether suit tiles are there, but no Characters: the same was listed with them."""
    return bool(shared & traits.NO_CHARACTERS) and shared & traits.NO_SUITS != traits.NO_SUITS


def _examples(
    shared: int, chosen: tuple[int, ...], twice: int, kinds: frozenset[int], honours_count: bool
) -> dict[int, list[int]]:
    """Hogs → one hand that can only be read as pairs; where sets can be read in all, each of them."""
    fit = sorted(kind for kind in kinds if traits.OF_PAIR[kind] & shared == shared)
    choices: Iterable[tuple[int, ...]] = [chosen]
    if len(fit) <= _FEW:
        choices = (some for some in combinations(fit, len(chosen)) if _shared(some) == shared)
    every: dict[int, list[int]] = {}
    sure: dict[int, list[int]] = {}
    for some in choices:
        for doubled in combinations(some, twice):
            hogs = sum(honours_count or kind < NUMBERS for kind in doubled)
            if hogs in sure:
                continue
            packed = sum([2 * ONE[kind] for kind in some + doubled])
            if len(arrangements_of(packed, 2 * _PAIRS)) == 1:
                sure[hogs] = [packed]
                if honours_count:
                    return sure
            every.setdefault(hogs, []).append(packed)
    return every | sure


def _shared(kinds: Iterable[int]) -> int:
    return reduce(and_, [traits.OF_PAIR[kind] for kind in kinds], traits.OF_TILES)


def _others() -> Iterator[tuple[Tiles, str]]:
    straight, honours = unpack(KNITTED[0]), HONOURS
    orphans = tuple(tile for kind, tile in enumerate(TILES) if kind >= NUMBERS or is_terminal(kind))
    yield from (((*orphans, "E"), "E"), ((*orphans, "E"), "S"))
    yield from (((*straight[: 14 - many], *honours[:many]), "E") for many in (5, 6, 7))
    suit = TILES[:9]
    for tile in suit:
        yield (*suit, *2 * suit[:1], *2 * suit[-1:], tile), tile
    yield from ((tuple(sorted(2 * suit[low : low + 7])), suit[low]) for low in range(3))


OTHERS: Final = tuple(_others())
"""Hands of special shapes, and Nine Gates, with the winning tile: one of all that count the same."""
