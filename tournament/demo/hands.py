"""Random winning hands that meet the minimum, as umpires enter them.

Hands are built from recipes, laid out as at a table (claimed sets, winning tile, flowers) and kept if the scoring
engine gives them the rulebook's minimum. The same random numbers give the same hands.
"""

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from scoring.engine import Hand, InvalidHand, Rulebook, score

SUITS: Final = "mps"
WINDS: Final = "ESWN"
DRAGONS: Final = "CFP"
HONOURS: Final = WINDS + DRAGONS
SEQUENCE: Final = "abcd"

CLAIMED: Final = (20, 24, 26, 22, 8)
"""Hands of sets out of a hundred with 0, 1, 2, 3, 4 claimed sets."""
FLOWERS: Final = (30, 35, 21, 10, 3, 1)
"""Winners out of a hundred with 0, 1, 2 … flowers."""
KONG = 0.07
"""Share of pungs that are kongs."""
LAST_TILE = 0.012
LAST_OF_KIND = 0.02
REPLACEMENT = 0.15
"""Share of self-drawn hands with a kong that win on its replacement tile."""
ROBBING = 0.004

Set = tuple[str, ...]


@dataclass(frozen=True)
class WinContext:
    """What is known of a win before any tile."""

    seat_wind: str
    prevalent_wind: str
    self_drawn: bool


class ImpossibleHand(Exception):
    """The random choices do not make a hand; others will."""


@dataclass(frozen=True)
class Recipe:
    """A pattern of a hand. `weight` is its frequency; `special` names a hand that is not sets and a pair."""

    weight: float
    sets: str = ""
    suits: str = "xyz"
    numbers: str = "123456789"
    honours: bool = True
    kinds: str = "CP"
    tiles: tuple[str, ...] = ()
    """Restricts the hand to these tiles."""
    special: str = ""


def winning_hand(random: Random, context: WinContext, rulebook: Rulebook) -> dict[str, Any]:
    """Return a hand's record as `scoring.engine.Hand.from_json` reads it, worth at least the rulebook's minimum."""
    weights = [recipe.weight for recipe in RECIPES]
    while True:
        recipe = random.choices(RECIPES, weights)[0]
        try:
            record = _build_record(random, recipe, context)
            hand = Hand.from_json(record)
        except (ImpossibleHand, InvalidHand):
            continue
        if score(hand, rulebook).meets_minimum:
            return record


def _build_record(random: Random, recipe: Recipe, context: WinContext) -> dict[str, Any]:
    melds: list[dict[str, Any]]
    if recipe.special:
        concealed, melds = SPECIALS[recipe.special](random), []
    else:
        sets, pair = _sets_and_pair(random, recipe)
        concealed, melds = _claim_sets(random, sets, pair)
    winning_tile = random.choice(concealed)
    return {
        "concealed": sorted(concealed, key=_sort_key),
        "melds": melds,
        "winning_tile": winning_tile,
        "self_drawn": context.self_drawn,
        "seat_wind": context.seat_wind,
        "prevalent_wind": context.prevalent_wind,
        "flowers": random.choices(range(len(FLOWERS)), FLOWERS)[0],
    } | _rare_events(random, concealed, melds, winning_tile, context.self_drawn)


def _sort_key(tile: str) -> tuple[bool, str, str]:
    """Return a key that sorts suits first, each by number, then winds and dragons."""
    return tile in HONOURS, tile[-1], tile[0]


def _rare_events(
    random: Random, concealed: list[str], melds: list[dict[str, Any]], winning_tile: str, self_drawn: bool
) -> dict[str, bool]:
    tiles = concealed + [tile for meld in melds for tile in meld["tiles"]]
    kong = any(meld["type"] == "kong" for meld in melds)
    if self_drawn and kong and random.random() < REPLACEMENT:
        return {"replacement": True}
    if not self_drawn and tiles.count(winning_tile) == 1 and random.random() < ROBBING:
        return {"robbing_kong": True}
    if concealed.count(winning_tile) == 1 and random.random() < LAST_OF_KIND:
        return {"last_of_kind": True}
    return {"last_tile_of_wall": True} if random.random() < LAST_TILE else {}


def _sets_and_pair(random: Random, recipe: Recipe) -> tuple[list[Set], str]:
    suits = dict(zip("xyz", random.sample(SUITS, 3), strict=True))
    pool = _pool(recipe, suits)
    set_words = recipe.sets.split()
    first = random.randint(1, _highest_start(set_words))
    winds, dragons = random.sample(WINDS, 4), random.sample(DRAGONS, 3)
    sets: list[Set] = []
    pair = ""
    for word in set_words:
        tiles = _set_from_word(random, word, first, suits, winds, dragons)
        if word[0] == "D":
            pair = tiles[0]
        else:
            sets.append(tiles)
    while len(sets) < 4:
        sets.append(_free_set(random, recipe.kinds, pool))
    pair = pair or random.choice(pool)
    counts = Counter(tile for tiles in sets for tile in tiles) + Counter({pair: 2})
    if max(counts.values()) > 4:
        raise ImpossibleHand
    return sets, pair


def _pool(recipe: Recipe, suits: dict[str, str]) -> list[str]:
    """Return every tile that the recipe allows."""
    if recipe.tiles:
        return list(recipe.tiles)
    numbered = [number + suits[suit] for suit in recipe.suits for number in recipe.numbers]
    return numbered + (list(HONOURS) if recipe.honours else [])


def _highest_start(set_words: list[str]) -> int:
    """Return the largest number for `a` that keeps every set within 1 to 9."""
    reach = [SEQUENCE.index(word[1]) + 2 * (word[0] == "C") for word in set_words if word[1] in SEQUENCE]
    return 9 - max(reach, default=0)


def _set_from_word(
    random: Random, word: str, first: int, suits: dict[str, str], winds: list[str], dragons: list[str]
) -> Set:
    """Return the set that a word of a recipe names."""
    kind, number = word[0], word[1]
    if number in "wg":
        return ((winds if number == "w" else dragons).pop(),) * 3
    suit = suits[word[2]]
    if number == "?":
        return _free_set(random, "CP", [f"{n}{suit}" for n in range(1, 10)])
    value = int(number) if number.isdigit() else first + SEQUENCE.index(number)
    return _chow(f"{value}{suit}") if kind == "C" else (f"{value}{suit}",) * 3


def _free_set(random: Random, kinds: str, pool: list[str]) -> Set:
    """Return a random chow or pung from the pool; chows are twice as common where both may be."""
    kind = random.choice("CCP") if len(kinds) > 1 else kinds
    tile = random.choice(pool)
    if kind == "P" or tile in HONOURS:
        if "P" not in kinds:
            raise ImpossibleHand
        return (tile,) * 3
    if tile[0] > "7":
        raise ImpossibleHand
    chow = _chow(tile)
    if not set(chow) <= set(pool):
        raise ImpossibleHand
    return chow


def _chow(lowest: str) -> Set:
    return tuple(f"{int(lowest[0]) + step}{lowest[1]}" for step in range(3))


def _claim_sets(random: Random, sets: list[Set], pair: str) -> tuple[list[str], list[dict[str, Any]]]:
    """Return concealed tiles and melds: some sets claimed, some pungs as kongs."""
    order = random.sample(sets, len(sets))
    claimed = random.choices(range(len(CLAIMED)), CLAIMED)[0]
    concealed, melds = [pair, pair], []
    for place, tiles in enumerate(order):
        kind = "chow" if tiles[0] != tiles[1] else "pung"
        if kind == "pung" and random.random() < KONG:
            melds.append({"type": "kong", "tiles": [tiles[0]] * 4, "concealed": place >= claimed})
        elif place < claimed:
            melds.append({"type": kind, "tiles": list(tiles), "concealed": False})
        else:
            concealed += tiles
    return concealed, melds


def _seven_pairs(random: Random) -> list[str]:
    tiles = [
        f"{number}{suit}"
        for suit in random.sample(SUITS, random.choice((1, 2, 2, 3)))
        for number in range(1, 10)
    ]
    return [tile for tile in random.sample(tiles + list(HONOURS), 7) for _ in range(2)]


def _knitted(random: Random) -> list[str]:
    """Return 1-4-7, 2-5-8 and 3-6-9, each of another suit."""
    suits = random.sample(SUITS, 3)
    return [
        f"{number}{suit}"
        for first, suit in zip((1, 2, 3), suits, strict=True)
        for number in (first, first + 3, first + 6)
    ]


def _knitted_straight(random: Random) -> list[str]:
    tiles = [f"{number}{suit}" for suit in SUITS for number in range(1, 10)] + list(HONOURS)
    return _knitted(random) + list(_free_set(random, "CP", tiles)) + [random.choice(tiles)] * 2


def _knitted_and_honours(random: Random) -> list[str]:
    honours = random.choices((5, 6, 7), (55, 35, 10))[0]
    return random.sample(_knitted(random), 14 - honours) + random.sample(HONOURS, honours)


def _thirteen_orphans(random: Random) -> list[str]:
    orphans = [f"{number}{suit}" for suit in SUITS for number in (1, 9)] + list(HONOURS)
    return [*orphans, random.choice(orphans)]


SPECIALS: Final = {
    "seven pairs": _seven_pairs,
    "knitted straight": _knitted_straight,
    "knitted and honours": _knitted_and_honours,
    "thirteen orphans": _thirteen_orphans,
}

REVERSIBLE: Final = (
    *("1p", "2p", "3p", "4p", "5p", "8p", "9p"),
    *("2s", "4s", "5s", "6s", "8s", "9s", "P"),
)

RECIPES: Final = (
    Recipe(30, "Cax Cay Caz"),  # Mixed Triple Chow
    Recipe(28, "C1x C4y C7z"),  # Mixed Straight
    Recipe(26, "Cax Cby Ccz", honours=False, kinds="C"),  # Mixed Shifted Chows, All Chows
    Recipe(6, "Cax Cby Ccz"),
    Recipe(8, kinds="P"),  # All Pungs
    Recipe(4, "Pg", kinds="P"),
    Recipe(9, suits="x"),  # Half Flush
    Recipe(3, "Pg", suits="x"),
    Recipe(2.5, suits="x", honours=False),  # Full Flush
    Recipe(6, "S?x S?y S?z Pw Dg"),  # All Types
    Recipe(5, "S?x S?y S?z Pg Dw"),
    Recipe(4, "C1x C4x C7x"),  # Pure Straight
    Recipe(3, "Cax Cbx Ccx"),  # Pure Shifted Chows
    Recipe(4, "Pax Pby Pcz"),  # Mixed Shifted Pungs
    Recipe(3, "Pg Pg"),  # Two Dragons
    Recipe(3, "C1x C1y C1z C7x D9y"),  # Mixed Triple Chow and Outside Hand
    Recipe(2, "C7x C7y C7z Pw D1x"),
    Recipe(2, numbers="6789", honours=False),  # Upper Four
    Recipe(2, numbers="1234", honours=False),  # Lower Four
    Recipe(0.6, numbers="789", honours=False),  # Upper Tiles
    Recipe(0.6, numbers="456", honours=False),  # Middle Tiles
    Recipe(0.6, numbers="123", honours=False),  # Lower Tiles
    Recipe(1, tiles=REVERSIBLE),  # Reversible Tiles
    Recipe(0.8, "C3x C4y P5z C5x D5y"),  # All Fives
    Recipe(0.8, "C1x C7x C1y C7y D5z"),  # Three-Suited Terminal Chows
    Recipe(0.7, "Pax Pay Paz"),  # Triple Pung
    Recipe(0.7, "Cax Cax Cax"),  # Pure Triple Chow
    Recipe(0.6, "Pax Pbx Pcx"),  # Pure Shifted Pungs
    Recipe(0.6, "Pw Pw Pw"),  # Big Three Winds
    Recipe(0.4, "Cax Cbx Ccx Cdx"),  # Four Shifted Chows
    Recipe(0.4, numbers="19", kinds="P"),  # All Terminals and Honors
    Recipe(0.4, "Pg Pg Dg"),  # Little Three Dragons
    Recipe(0.15, "Pg Pg Pg"),  # Big Three Dragons
    Recipe(0.1, "Pw Pw Pw Dw"),  # Little Four Winds
    Recipe(3.5, special="seven pairs"),
    Recipe(2.5, special="knitted straight"),
    Recipe(2.5, special="knitted and honours"),
    Recipe(0.3, special="thirteen orphans"),
)
