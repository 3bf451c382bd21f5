"""Sets and pairs of the same claims and traits put together, and the few hands that are not made of sets.

Suits stand for each other: of sets that differ only in the order of their suits one is listed, with Characters in it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, combinations_with_replacement
from typing import Final, NamedTuple

from scoring.engine import traits
from scoring.engine.codes import CHOW, DRAGONS, PAIR, PUNG, WINDS
from scoring.engine.fans import Fan
from scoring.engine.reading import KNITTED, arrangements_of
from scoring.engine.tallies import Tallies
from scoring.engine.tiles import FIRST_DRAGON, HONOURS, NUMBERS, ONE, TILES, is_terminal, unpack

Kinds = tuple[int, ...]
MOST_SETS: Final = 4


class Class(NamedTuple):
    """What some sets have in common."""

    many: int
    """How many sets."""
    tally: int
    """What they claim."""
    traits: int


class Sets(NamedTuple):
    """Chows by their lowest kind or pungs by theirs, and all their tiles packed."""

    packed: int
    kinds: Kinds


class Rest(NamedTuple):
    """The pungs of honours, the pair, and the winds of the table; all tiles packed."""

    packed: int
    pungs: Kinds
    pair: int
    seat: str
    prevalent: str


def chow_classes(tallies: Tallies, chows: Iterable[Kinds]) -> dict[Class, list[Sets]]:
    """Chows by what they claim, without the fans that ask for a pair."""
    classes = defaultdict(list)
    for kinds in chows:
        tally = tallies.chows[sum([CHOW[low] for low in kinds])]
        packed = sum([ONE[low] + ONE[low + 1] + ONE[low + 2] for low in kinds])
        classes[Class(len(kinds), tally, common(traits.OF_CHOW[low] for low in kinds))].append(
            Sets(packed, kinds)
        )
    return classes


def pung_classes(tallies: Tallies, pungs: Iterable[Kinds]) -> dict[Class, list[Sets]]:
    """Pungs of suit tiles by what they claim."""
    classes = defaultdict(list)
    for kinds in pungs:
        tally = tallies.pungs[sum([PUNG[kind] for kind in kinds])]
        packed = sum([3 * ONE[kind] for kind in kinds])
        classes[Class(len(kinds), tally, common(traits.OF_PUNG[kind] for kind in kinds))].append(
            Sets(packed, kinds)
        )
    return classes


def rest_classes(tallies: Tallies, kinds: frozenset[int]) -> list[dict[Class, list[Rest]]]:
    """Pungs of honours and a pair of anything by what they claim, East in the seat; by the number of pungs.

    Winds that are neither the seat's nor the round's stand for each other, and so do dragons; some of it is listed more
    than once.
    """
    winds = [kind for kind in range(NUMBERS, FIRST_DRAGON) if kind in kinds]
    dragons = [kind for kind in range(FIRST_DRAGON, len(TILES)) if kind in kinds]
    classes: list[dict[Class, list[Rest]]] = [defaultdict(list) for _ in range(MOST_SETS + 1)]
    for of_winds in _up_to(MOST_SETS, winds):
        for many in range(min(len(dragons), MOST_SETS - len(of_winds)) + 1):
            of_dragons = tuple(dragons[:many])
            for pair in sorted(kinds - {*of_winds, *of_dragons}):
                for prevalent in ("E", "S") if of_winds else ("E",):
                    claims = _honours(tallies, of_winds, of_dragons, pair, prevalent)
                    pungs = of_winds + of_dragons
                    shared = common(traits.OF_PUNG[kind] for kind in pungs) & traits.OF_PAIR[pair]
                    packed = sum([3 * ONE[kind] for kind in pungs]) + 2 * ONE[pair]
                    of = Class(len(pungs), claims, shared)
                    classes[of.many][of].append(Rest(packed, pungs, pair, "E", prevalent))
    return classes


def _honours(tallies: Tallies, winds: Kinds, dragons: Kinds, pair: int, prevalent: str) -> int:
    code = sum([PUNG[kind] for kind in winds + dragons]) + PAIR[pair]
    tally = tallies.winds[code & WINDS, "E", prevalent] if winds else 0
    return tally + (tallies.dragons[code & DRAGONS] if dragons else 0)


def chows_of_three_suits() -> Iterator[Kinds]:
    """Up to four chows, one order of the suits for all."""
    suit = chain.from_iterable(combinations_with_replacement(range(7), n) for n in range(MOST_SETS + 1))
    return _of_three_suits(list(suit))


def pungs_of_three_suits() -> Iterator[Kinds]:
    """Up to four pungs of suit tiles, one order of the suits for all."""
    return _of_three_suits(list(_up_to(MOST_SETS, range(9))))


def chows_among(kinds: frozenset[int], most: int = MOST_SETS) -> Iterator[Kinds]:
    """Up to so many chows of tiles of these kinds."""
    lows = [low for low in sorted(kinds & CHOW.keys()) if {low + 1, low + 2} <= kinds]
    return chain.from_iterable(combinations_with_replacement(lows, many) for many in range(most + 1))


def pungs_among(kinds: frozenset[int], most: int = MOST_SETS) -> Iterator[Kinds]:
    """Up to so many pungs of suit tiles of these kinds."""
    return _up_to(most, sorted(kind for kind in kinds if kind < NUMBERS))


def _up_to(most: int, kinds: Sequence[int]) -> Iterator[Kinds]:
    return chain.from_iterable(combinations(kinds, many) for many in range(most + 1))


def _of_three_suits(suit: list[Kinds]) -> Iterator[Kinds]:
    dots, bamboos = ([tuple(shift + kind for kind in kinds) for kinds in suit] for shift in (9, 18))
    for place, first in enumerate(suit):
        for middle, second in enumerate(dots[: place + 1]):
            left = MOST_SETS - len(first) - len(second)
            if left >= 0:
                yield from (first + second + third for third in bamboos[: middle + 1] if len(third) <= left)


def common(of_each: Iterable[int]) -> int:
    """The traits that all have."""
    shared = traits.ALL
    for own in of_each:
        shared &= own
    return shared


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
    hands: dict[tuple[int, int], list[int]] = {}
    for (shared, many), chosen in _choices(kinds).items():
        if many < _FEWEST or (suits_alike and _lacks_characters(shared)):
            continue
        claims = tallies.one[Fan.SEVEN_PAIRS] + tallies.whole[shared] + claimed
        honours_count = tallies.rulebook.honour_hogs
        for hogs, some in _examples(shared, chosen, _PAIRS - many, kinds, honours_count).items():
            hands.setdefault((claims, hogs), some)
    return [Pairs(unpack(one), claims, hogs) for (claims, hogs), some in hands.items() for one in some]


def _choices(kinds: frozenset[int]) -> dict[tuple[int, int], tuple[int, ...]]:
    """Traits in common and number of kinds → some kinds."""
    choices: dict[tuple[int, int], tuple[int, ...]] = {(traits.OF_TILES, 0): ()}
    for kind in _SPREAD:
        if kind in kinds:
            for (shared, many), chosen in list(choices.items()):
                if many < _PAIRS:
                    choices.setdefault((shared & traits.OF_PAIR[kind], many + 1), (*chosen, kind))
    return choices


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
        choices = (
            some
            for some in combinations(fit, len(chosen))
            if traits.OF_TILES & common(traits.OF_PAIR[kind] for kind in some) == shared
        )
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
