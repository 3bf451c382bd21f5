"""Random whole hands with related sets, and circumstances of the win.

The same seed gives the same hand on every version of Python.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, TypeVar

from scoring.engine import DRAGONS, TILES, WINDS, Hand, InvalidHand

T = TypeVar("T")


class SeededRandom:
    """Random choices from a seed, built on ``random()``: of `Random` only that is stable across Python versions."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` − 1."""
        return int(self._random.random() * limit)

    def happens(self, chance: float) -> bool:
        return self._random.random() < chance

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        remaining = list(items)
        return [remaining.pop(self.below(len(remaining))) for _ in items]

    def sample(self, count: int, items: Sequence[T]) -> list[T]:
        """Return `count` different items, all of them where there are fewer."""
        return self.shuffled(items)[:count]


Tiles = list[str]
Record = dict[str, Any]
ConcealedAndMelds = tuple[Tiles, list[Record]]
"""The concealed tiles of a whole hand, and its melds."""

HONOURS: Final = (*WINDS, *DRAGONS)
ORPHANS: Final = tuple(tile for tile in TILES if tile in HONOURS or tile[0] in "19")
SUITS: Final = ("mps",) * 5 + ("mp", "ps", "ms", "m", "p", "s")


def random_hand(random: SeededRandom, shapes: tuple[str, ...], rare: bool = False) -> Hand:
    """Return a possible hand of one of these `SHAPES`, whatever its points; with `rare`, rare wins occur."""
    while True:
        concealed, melds = SHAPES[random.choice(shapes)](random)
        record = _record(random, concealed, melds)
        try:
            return Hand.from_json(record | _circumstances(random, record) if rare else record)
        except InvalidHand:  # five of a kind
            continue


def _record(random: SeededRandom, concealed: Tiles, melds: list[Record]) -> Record:
    return {
        "concealed": sorted(concealed, key=TILES.index),
        "melds": melds,
        "winning_tile": random.choice(concealed),
        "self_drawn": random.happens(0.4),
        "seat_wind": random.choice(WINDS),
        "prevalent_wind": random.choice(WINDS),
    }


def _circumstances(random: SeededRandom, record: Record) -> Record:
    has_kong = any(meld["type"] == "kong" for meld in record["melds"])
    return {
        "flowers": random.choice((0, 0, 0, 1, 2)),
        "last_tile_of_wall": random.happens(0.05),
        "replacement": record["self_drawn"] and has_kong and random.happens(0.2),
    }


def _sets(random: SeededRandom) -> ConcealedAndMelds:
    """Return four sets and a pair, near each other so that they make fans."""
    suits, low = random.choice(SUITS), 1 + random.below(7)
    with_honours = random.happens(0.4)
    chows_of_ten = random.choice((10, 10, 8, 8, 5, 1))
    melded = random.choice((0, 0, 1, 1, 2, 3))
    concealed: Tiles = []
    melds: list[Record] = []
    for place in range(4):
        kind, tiles = _set(random, suits, low, with_honours, chows_of_ten)
        if place < melded:
            melds.append({"type": kind, "tiles": tiles, "concealed": False})
        else:
            concealed += tiles
    return concealed + 2 * [_random_tile(random, suits, with_honours)], [
        _maybe_kong(random, meld) for meld in melds
    ]


def _set(random: SeededRandom, suits: str, low: int, honours: bool, chows_of_ten: int) -> tuple[str, Tiles]:
    if random.below(10) < chows_of_ten:
        start, suit = _near(random, low), random.choice(suits)
        return "chow", [f"{start + step}{suit}" for step in range(3)]
    return "pung", 3 * [_random_tile(random, suits, honours)]


def _near(random: SeededRandom, low: int) -> int:
    """Return the number a chow starts with, often equal to `low` or one to three steps away."""
    start = low + random.choice((0, 0, 0, 1, 2, 3, -1, -3))
    return start if 1 <= start <= 7 else random.choice((1, 4, 7))


def _random_tile(random: SeededRandom, suits: str, honours: bool) -> str:
    if honours and random.happens(0.5):
        return random.choice(HONOURS)
    return f"{1 + random.below(9)}{random.choice(suits)}"


def _maybe_kong(random: SeededRandom, meld: Record) -> Record:
    if meld["type"] != "pung" or not random.happens(0.4):
        return meld
    return {"type": "kong", "tiles": 4 * meld["tiles"][:1], "concealed": random.happens(0.4)}


def _pairs(random: SeededRandom) -> ConcealedAndMelds:
    suits, with_honours = random.choice(SUITS), random.happens(0.4)
    return [tile for _ in range(7) for tile in 2 * [_random_tile(random, suits, with_honours)]], []


def knitted(random: SeededRandom) -> Tiles:
    """Return 147, 258 and 369, each of another suit."""
    return [
        f"{number}{suit}"
        for suit, low in zip(random.shuffled("mps"), (1, 2, 3), strict=True)
        for number in (low, low + 3, low + 6)
    ]


def _knitted_straight(random: SeededRandom) -> ConcealedAndMelds:
    kind, tiles = _set(random, "mps", 1 + random.below(7), True, 6)
    concealed = knitted(random) + 2 * [_random_tile(random, "mps", True)]
    if random.happens(0.5):
        return concealed, [{"type": kind, "tiles": tiles, "concealed": False}]
    return concealed + tiles, []


def _knitted_tiles(random: SeededRandom) -> ConcealedAndMelds:
    return random.sample(14, (*knitted(random), *HONOURS)), []


def _orphans(random: SeededRandom) -> ConcealedAndMelds:
    return [*ORPHANS, random.choice(ORPHANS)], []


SHAPES: Final[dict[str, Callable[[SeededRandom], ConcealedAndMelds]]] = {
    "sets": _sets,
    "pairs": _pairs,
    "knitted_straight": _knitted_straight,
    "knitted_tiles": _knitted_tiles,
    "orphans": _orphans,
}
