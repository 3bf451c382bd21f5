"""Whole hands by chance: tiles that have to do with each other, and how they might have been won.

Chance is from a seed and comes out the same for everybody, on every version of Python.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, TypeVar

from scoring.engine import DRAGONS, TILES, WINDS, Hand, InvalidHand

T = TypeVar("T")


class Dice:
    """Throws from a seed. Of `Random` only ``random()`` is promised to stay as it is, so everything is made of it."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def below(self, limit: int) -> int:
        """0 to limit − 1."""
        return int(self._random.random() * limit)

    def happens(self, chance: float) -> bool:
        return self._random.random() < chance

    def pick(self, some: Sequence[T]) -> T:
        return some[self.below(len(some))]

    def mixed(self, some: Sequence[T]) -> list[T]:
        """All of them in another order."""
        left = list(some)
        return [left.pop(self.below(len(left))) for _ in some]

    def some(self, count: int, of: Sequence[T]) -> list[T]:
        """So many different ones; all of them where there are fewer."""
        return self.mixed(of)[:count]


Tiles = list[str]
Record = dict[str, Any]
Dealt = tuple[Tiles, list[Record]]
"""The concealed tiles of a whole hand, and its melds."""

HONOURS: Final = (*WINDS, *DRAGONS)
ORPHANS: Final = tuple(tile for tile in TILES if tile in HONOURS or tile[0] in "19")
SUITS: Final = ("mps",) * 5 + ("mp", "ps", "ms", "m", "p", "s")


def dealt(dice: Dice, shapes: tuple[str, ...], rare: bool = False) -> Hand:
    """A hand that can be, of one of some `SHAPES`; whether it reaches the minimum is left to chance.

    With `rare`, flowers and the last tile of the wall occur, and tiles drawn after a kong.
    """
    while True:
        concealed, melds = SHAPES[dice.pick(shapes)](dice)
        record = _won(dice, concealed, melds)
        try:
            return Hand.from_json(record | _circumstances(dice, record) if rare else record)
        except InvalidHand:  # five of a kind
            continue


def _won(dice: Dice, concealed: Tiles, melds: list[Record]) -> Record:
    return {
        "concealed": sorted(concealed, key=TILES.index),
        "melds": melds,
        "winning_tile": dice.pick(concealed),
        "self_drawn": dice.happens(0.4),
        "seat_wind": dice.pick(WINDS),
        "prevalent_wind": dice.pick(WINDS),
    }


def _circumstances(dice: Dice, record: Record) -> Record:
    has_kong = any(meld["type"] == "kong" for meld in record["melds"])
    return {
        "flowers": dice.pick((0, 0, 0, 1, 2)),
        "last_tile_of_wall": dice.happens(0.05),
        "replacement": record["self_drawn"] and has_kong and dice.happens(0.2),
    }


def _sets(dice: Dice) -> Dealt:
    """Four sets and a pair: near each other, so that they tie."""
    suits, low = dice.pick(SUITS), 1 + dice.below(7)
    with_honours = dice.happens(0.4)
    chows_of_ten = dice.pick((10, 10, 8, 8, 5, 1))
    melded = dice.pick((0, 0, 1, 1, 2, 3))
    concealed: Tiles = []
    melds: list[Record] = []
    for place in range(4):
        kind, tiles = _set(dice, suits, low, with_honours, chows_of_ten)
        if place < melded:
            melds.append({"type": kind, "tiles": tiles, "concealed": False})
        else:
            concealed += tiles
    return concealed + 2 * [_one(dice, suits, with_honours)], [_perhaps_kong(dice, meld) for meld in melds]


def _set(dice: Dice, suits: str, low: int, honours: bool, chows_of_ten: int) -> tuple[str, Tiles]:
    if dice.below(10) < chows_of_ten:
        start, suit = _near(dice, low), dice.pick(suits)
        return "chow", [f"{start + step}{suit}" for step in range(3)]
    return "pung", 3 * [_one(dice, suits, honours)]


def _near(dice: Dice, low: int) -> int:
    """Where a chow starts: like another one, a step or two from it, or three, as straights are."""
    start = low + dice.pick((0, 0, 0, 1, 2, 3, -1, -3))
    return start if 1 <= start <= 7 else dice.pick((1, 4, 7))


def _one(dice: Dice, suits: str, honours: bool) -> str:
    if honours and dice.happens(0.5):
        return dice.pick(HONOURS)
    return f"{1 + dice.below(9)}{dice.pick(suits)}"


def _perhaps_kong(dice: Dice, meld: Record) -> Record:
    if meld["type"] != "pung" or not dice.happens(0.4):
        return meld
    return {"type": "kong", "tiles": 4 * meld["tiles"][:1], "concealed": dice.happens(0.4)}


def _pairs(dice: Dice) -> Dealt:
    suits, with_honours = dice.pick(SUITS), dice.happens(0.4)
    return [tile for _ in range(7) for tile in 2 * [_one(dice, suits, with_honours)]], []


def knitted(dice: Dice) -> Tiles:
    """147, 258 and 369, each of another suit."""
    return [
        f"{number}{suit}"
        for suit, low in zip(dice.mixed("mps"), (1, 2, 3), strict=True)
        for number in (low, low + 3, low + 6)
    ]


def _knitted_straight(dice: Dice) -> Dealt:
    kind, tiles = _set(dice, "mps", 1 + dice.below(7), True, 6)
    concealed = knitted(dice) + 2 * [_one(dice, "mps", True)]
    if dice.happens(0.5):
        return concealed, [{"type": kind, "tiles": tiles, "concealed": False}]
    return concealed + tiles, []


def _knitted_tiles(dice: Dice) -> Dealt:
    return dice.some(14, (*knitted(dice), *HONOURS)), []


def _orphans(dice: Dice) -> Dealt:
    return [*ORPHANS, dice.pick(ORPHANS)], []


SHAPES: Final[dict[str, Callable[[Dice], Dealt]]] = {
    "sets": _sets,
    "pairs": _pairs,
    "knitted_straight": _knitted_straight,
    "knitted_tiles": _knitted_tiles,
    "orphans": _orphans,
}
