"""Random winning hands from a seed: every shape, sets that have to do with each other, possible circumstances."""

from random import Random
from typing import Any

from scoring.engine import TILES, WINDS

Record = dict[str, Any]
Tiles = list[str]

HONOURS = list("ESWNCFP")
ORPHANS = [tile for tile in TILES if tile in HONOURS or tile[0] in "19"]
SUITS_USED = ["mps"] * 6 + ["mpsz"] * 4 + ["mp", "ps", "m", "p", "s", "mz", "pz", "sz", "z"]


def random_record(random: Random) -> Record:
    """The JSON record of a possible winning hand."""
    shape = random.choices((_of_sets, _knitted_straight, _pairs, _singles), (85, 5, 5, 5))[0]
    while True:
        concealed, melds = shape(random)
        tiles = concealed + [tile for meld in melds for tile in meld["tiles"]]
        if all(tiles.count(tile) <= 4 for tile in tiles):
            return _won(random, concealed, melds, tiles)


def _won(random: Random, concealed: Tiles, melds: list[Record], tiles: Tiles) -> Record:
    winning = random.choice(concealed)
    self_drawn = random.random() < 0.4
    robbing = not self_drawn and tiles.count(winning) == 1 and random.random() < 0.1
    kong = any(meld["type"] == "kong" for meld in melds)
    random.shuffle(concealed)
    return {
        "concealed": concealed,
        "melds": melds,
        "winning_tile": winning,
        "self_drawn": self_drawn,
        "seat_wind": random.choice(WINDS),
        "prevalent_wind": random.choice(WINDS),
        "last_tile_of_wall": not robbing and random.random() < 0.05,
        "last_of_kind": concealed.count(winning) == 1 and random.random() < 0.05,
        "replacement": self_drawn and kong and random.random() < 0.3,
        "robbing_kong": robbing,
        "flowers": random.choice((0, 0, 0, 1, 1, 2, 3, 8)),
    }


def _some_tiles(random: Random) -> Tiles:
    """The tiles of some suits between two numbers, mostly all of them."""
    suits = random.choice(SUITS_USED)
    low, high = (1, 9) if random.random() < 0.6 else (low := random.randint(1, 6), random.randint(low + 3, 9))
    numbers = [tile for tile in TILES[:27] if tile[1] in suits and low <= int(tile[0]) <= high]
    return numbers + (HONOURS if "z" in suits else [])


def _set(random: Random, tiles: Tiles, kongs: bool) -> tuple[str, Tiles]:
    tile = random.choice(tiles)
    chow = [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)] if tile not in HONOURS else []
    if random.random() < 0.7 and chow and all(part in tiles for part in chow):
        return "chow", chow
    return ("kong", [tile] * 4) if kongs and random.random() < 0.3 else ("pung", [tile] * 3)


def _of_sets(random: Random) -> tuple[Tiles, list[Record]]:
    tiles = _some_tiles(random)
    concealed, melds = [random.choice(tiles)] * 2, []
    melded = random.choice((0, 0, 1, 2, 3, 4))
    for place in range(4):
        type_, used = _set(random, tiles, kongs=place < melded)
        if place < melded:
            melds.append(
                {"type": type_, "tiles": used, "concealed": type_ == "kong" and random.random() < 0.5}
            )
        else:
            concealed += used
    return concealed, melds


def _straight(random: Random) -> Tiles:
    suits = random.sample("mps", 3)
    return [
        f"{number}{suit}" for suit, low in zip(suits, (1, 2, 3), strict=True) for number in range(low, 10, 3)
    ]


def _knitted_straight(random: Random) -> tuple[Tiles, list[Record]]:
    type_, used = _set(random, list(TILES), kongs=False)
    concealed = _straight(random) + [random.choice(TILES)] * 2
    if random.random() < 0.5:
        return concealed, [{"type": type_, "tiles": used, "concealed": False}]
    return concealed + used, []


def _pairs(random: Random) -> tuple[Tiles, list[Record]]:
    tiles = _some_tiles(random)
    return 2 * random.choices(tiles, k=7), []


def _singles(random: Random) -> tuple[Tiles, list[Record]]:
    if random.random() < 0.5:
        return [*ORPHANS, random.choice(ORPHANS)], []
    return random.sample(_straight(random) + HONOURS, 14), []
