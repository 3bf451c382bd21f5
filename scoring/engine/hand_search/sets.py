"""Sets and pairs grouped by claims and traits, and the few hands that are not made of sets.

Suits are interchangeable: of sets that differ only in the order of their suits one is listed, with Characters in it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, combinations_with_replacement
from typing import Final, NamedTuple

from scoring.engine import traits
from scoring.engine.codes import CHOW, DRAGONS, PAIR, PUNG, WINDS
from scoring.engine.compiled import CompiledRulebook
from scoring.engine.fans import Fan
from scoring.engine.reading import KNITTED, arrangements_of
from scoring.engine.tiles import FIRST_DRAGON, HONOURS, NUMBERS, ONE, TILES, is_terminal, unpack

Kinds = tuple[int, ...]
MAX_SETS: Final = 4


class SetClass(NamedTuple):
    """The common properties of a group of sets."""

    set_count: int
    """How many sets."""
    tally: int
    """The fans they claim."""
    traits: int


class Sets(NamedTuple):
    """Chows by their lowest kind or pungs by theirs, and all their tiles packed."""

    packed: int
    kinds: Kinds


class HonoursAndPair(NamedTuple):
    """The pungs of honours, the pair, and the winds of the table; all tiles packed."""

    packed: int
    pungs: Kinds
    pair: int
    seat: str
    prevalent: str


def chow_classes(compiled: CompiledRulebook, chows: Iterable[Kinds]) -> dict[SetClass, list[Sets]]:
    """Return chows grouped by what they claim, without the fans that need a pair."""
    classes = defaultdict(list)
    for kinds in chows:
        tally = compiled.chows[sum([CHOW[low] for low in kinds])]
        packed = sum([ONE[low] + ONE[low + 1] + ONE[low + 2] for low in kinds])
        classes[SetClass(len(kinds), tally, shared_traits(traits.OF_CHOW[low] for low in kinds))].append(
            Sets(packed, kinds)
        )
    return classes


def pung_classes(compiled: CompiledRulebook, pungs: Iterable[Kinds]) -> dict[SetClass, list[Sets]]:
    """Return pungs of suit tiles grouped by what they claim."""
    classes = defaultdict(list)
    for kinds in pungs:
        tally = compiled.pungs[sum([PUNG[kind] for kind in kinds])]
        packed = sum([3 * ONE[kind] for kind in kinds])
        classes[SetClass(len(kinds), tally, shared_traits(traits.OF_PUNG[kind] for kind in kinds))].append(
            Sets(packed, kinds)
        )
    return classes


def honours_and_pair_classes(
    compiled: CompiledRulebook, kinds: frozenset[int]
) -> list[dict[SetClass, list[HonoursAndPair]]]:
    """Return pungs of honours with any pair grouped by what they claim, East in the seat, indexed by the number of
    pungs.

    Winds other than seat and prevalent wind are interchangeable, and so are dragons; some combinations are listed
    twice.
    """
    winds = [kind for kind in range(NUMBERS, FIRST_DRAGON) if kind in kinds]
    dragons = [kind for kind in range(FIRST_DRAGON, len(TILES)) if kind in kinds]
    classes: list[dict[SetClass, list[HonoursAndPair]]] = [defaultdict(list) for _ in range(MAX_SETS + 1)]
    for wind_pungs in _up_to(MAX_SETS, winds):
        for count in range(min(len(dragons), MAX_SETS - len(wind_pungs)) + 1):
            dragon_pungs = tuple(dragons[:count])
            for pair in sorted(kinds - {*wind_pungs, *dragon_pungs}):
                for prevalent in ("E", "S") if wind_pungs else ("E",):
                    claims = _honours(compiled, wind_pungs, dragon_pungs, pair, prevalent)
                    pungs = wind_pungs + dragon_pungs
                    shared = shared_traits(traits.OF_PUNG[kind] for kind in pungs) & traits.OF_PAIR[pair]
                    packed = sum([3 * ONE[kind] for kind in pungs]) + 2 * ONE[pair]
                    key = SetClass(len(pungs), claims, shared)
                    classes[key.set_count][key].append(HonoursAndPair(packed, pungs, pair, "E", prevalent))
    return classes


def _honours(compiled: CompiledRulebook, winds: Kinds, dragons: Kinds, pair: int, prevalent: str) -> int:
    code = sum([PUNG[kind] for kind in winds + dragons]) + PAIR[pair]
    tally = compiled.winds[code & WINDS, "E", prevalent] if winds else 0
    return tally + (compiled.dragons[code & DRAGONS] if dragons else 0)


def chows_of_three_suits() -> Iterator[Kinds]:
    """Return all combinations of up to four chows, one order of the suits each."""
    suit = chain.from_iterable(combinations_with_replacement(range(7), n) for n in range(MAX_SETS + 1))
    return _in_three_suits(list(suit))


def pungs_of_three_suits() -> Iterator[Kinds]:
    """Return all combinations of up to four pungs of suit tiles, one order of the suits each."""
    return _in_three_suits(list(_up_to(MAX_SETS, range(9))))


def chows_among(kinds: frozenset[int], maximum: int = MAX_SETS) -> Iterator[Kinds]:
    """Return all combinations of up to `maximum` chows of these kinds."""
    lows = [low for low in sorted(kinds & CHOW.keys()) if {low + 1, low + 2} <= kinds]
    return chain.from_iterable(combinations_with_replacement(lows, count) for count in range(maximum + 1))


def pungs_among(kinds: frozenset[int], maximum: int = MAX_SETS) -> Iterator[Kinds]:
    """Return all combinations of up to `maximum` pungs of suit tiles of these kinds."""
    return _up_to(maximum, sorted(kind for kind in kinds if kind < NUMBERS))


def _up_to(maximum: int, kinds: Sequence[int]) -> Iterator[Kinds]:
    return chain.from_iterable(combinations(kinds, count) for count in range(maximum + 1))


def _in_three_suits(suit: list[Kinds]) -> Iterator[Kinds]:
    dots, bamboos = ([tuple(shift + kind for kind in kinds) for kinds in suit] for shift in (9, 18))
    for place, first in enumerate(suit):
        for middle, second in enumerate(dots[: place + 1]):
            remaining = MAX_SETS - len(first) - len(second)
            if remaining >= 0:
                yield from (
                    first + second + third for third in bamboos[: middle + 1] if len(third) <= remaining
                )


def shared_traits(traits_of_each: Iterable[int]) -> int:
    """Return the traits that all have in common."""
    shared = traits.ALL
    for own in traits_of_each:
        shared &= own
    return shared


Tiles = tuple[str, ...]


class SevenPairs(NamedTuple):
    """Seven pairs, with what they claim as such."""

    tiles: Tiles
    tally: int
    hogs: int
    """Doubled pairs; of honours only where they count as Tile Hog."""


_SPREAD: Final = (
    *(9 * suit + number for number in (0, 3, 6, 1, 4, 7, 2, 5, 8) for suit in range(3)),
    *range(NUMBERS, len(TILES)),
)
"""All kinds, ordered so that neighbours make no chow."""
_PAIRS: Final = 7
_FEWEST: Final = 4
"""The fewest different kinds in seven pairs."""
_SMALL: Final = 9
"""Up to this many kinds every choice is examined."""


def seven_pairs(
    compiled: CompiledRulebook, kinds: frozenset[int], claimed: int, *, suits_alike: bool
) -> list[SevenPairs]:
    """Return example hands for every claim of seven pairs; several where all can also be read as sets."""
    hands: dict[tuple[int, int], list[int]] = {}
    for (shared, count), kinds_chosen in _choices(kinds).items():
        if count < _FEWEST or (suits_alike and _has_no_characters(shared)):
            continue
        claims = compiled.weight[Fan.SEVEN_PAIRS] + compiled.by_traits[shared] + claimed
        honour_hogs = compiled.rulebook.honour_hogs
        for hogs, examples in _seven_pairs_examples(
            shared, kinds_chosen, _PAIRS - count, kinds, honour_hogs
        ).items():
            hands.setdefault((claims, hogs), examples)
    return [
        SevenPairs(unpack(packed), claims, hogs)
        for (claims, hogs), examples in hands.items()
        for packed in examples
    ]


def _choices(kinds: frozenset[int]) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return one choice of kinds for each (common traits, number of kinds)."""
    choices: dict[tuple[int, int], tuple[int, ...]] = {(traits.OF_TILES, 0): ()}
    for kind in _SPREAD:
        if kind in kinds:
            for (shared, count), chosen in list(choices.items()):
                if count < _PAIRS:
                    choices.setdefault((shared & traits.OF_PAIR[kind], count + 1), (*chosen, kind))
    return choices


def _has_no_characters(shared: int) -> bool:
    """Return whether there are suit tiles but no Characters: that case is listed with Characters."""
    return bool(shared & traits.NO_CHARACTERS) and shared & traits.NO_SUITS != traits.NO_SUITS


def _seven_pairs_examples(
    shared: int, example: tuple[int, ...], doubles: int, kinds: frozenset[int], honour_hogs: bool
) -> dict[int, list[int]]:
    """Return, by Tile Hogs, one hand that can only be read as pairs; all of them where sets are possible in each."""
    fitting = sorted(kind for kind in kinds if traits.OF_PAIR[kind] & shared == shared)
    choices: Iterable[tuple[int, ...]] = [example]
    if len(fitting) <= _SMALL:
        choices = (
            choice
            for choice in combinations(fitting, len(example))
            if traits.OF_TILES & shared_traits(traits.OF_PAIR[kind] for kind in choice) == shared
        )
    ambiguous: dict[int, list[int]] = {}
    unambiguous: dict[int, list[int]] = {}
    for choice in choices:
        for doubled in combinations(choice, doubles):
            hogs = sum(honour_hogs or kind < NUMBERS for kind in doubled)
            if hogs in unambiguous:
                continue
            packed = sum([2 * ONE[kind] for kind in choice + doubled])
            if len(arrangements_of(packed, 2 * _PAIRS)) == 1:
                unambiguous[hogs] = [packed]
                if honour_hogs:
                    return unambiguous
            ambiguous.setdefault(hogs, []).append(packed)
    return ambiguous | unambiguous


def _special_hands() -> Iterator[tuple[Tiles, str]]:
    straight, honours = unpack(KNITTED[0]), HONOURS
    orphans = tuple(tile for kind, tile in enumerate(TILES) if kind >= NUMBERS or is_terminal(kind))
    yield from (((*orphans, "E"), "E"), ((*orphans, "E"), "S"))
    yield from (
        ((*straight[: 14 - honour_count], *honours[:honour_count]), "E") for honour_count in (5, 6, 7)
    )
    suit = TILES[:9]
    for tile in suit:
        yield (*suit, *2 * suit[:1], *2 * suit[-1:], tile), tile
    yield from ((tuple(sorted(2 * suit[low : low + 7])), suit[low]) for low in range(3))


SPECIAL_HANDS: Final = tuple(_special_hands())
"""Hands of special shapes, and Nine Gates, with the winning tile: one for each different score."""
