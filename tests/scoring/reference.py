"""A slow scorer that follows the rule book word by word, to hold the fast one against.

It knows tiles, sets and the definitions of the fans, and shares nothing with the engine but a rulebook's data (points,
exclusions, reversible tiles, the settings of waits and Tile Hog). For every reading of the tiles, every place the
winning tile may stand and every set of fans that principles 3 and 5 allow together, it applies the exclusions from the
highest fan down (principle 1) and keeps the highest total (principle 4). Sets stay as they are read (principle 2).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

from scoring.engine import Fan, Hand, Rulebook

WINDS, DRAGONS, SUITS = "ESWN", "CFP", "mps"
ALL_TILES = [f"{n}{s}" for s in SUITS for n in range(1, 10)] + list(WINDS + DRAGONS)
KNITTED = [
    {f"{n}{suit}" for suit, low in zip(SUITS, order, strict=True) for n in (low, low + 3, low + 6)}
    for order in permutations((1, 2, 3))
]


class Set(NamedTuple):
    """A set or the pair of a reading."""

    form: str
    tiles: tuple[str, ...]
    melded: bool = False


Reading = tuple[Set, ...]
Claims = list[tuple[Fan, frozenset[int]]]


def number(tile: str) -> int:
    return int(tile[0]) if len(tile) == 2 else 0


def suit(tile: str) -> str:
    return tile[1] if len(tile) == 2 else "wind" if tile in WINDS else "dragon"


def is_end(tile: str) -> bool:
    return number(tile) in (0, 1, 9)


def complete_readings(tiles: list[str], sets: int) -> Iterator[list[Set]]:
    """Every way to make so many sets and a pair."""
    for pair in sorted(set(tiles)):
        if tiles.count(pair) >= 2:
            rest = list(tiles)
            rest.remove(pair)
            rest.remove(pair)
            for reading in _sets(sorted(rest), sets):
                yield [*reading, Set("pair", (pair, pair))]


def _sets(tiles: list[str], many: int) -> Iterator[list[Set]]:
    if not tiles and not many:
        yield []
    if not tiles or not many:
        return
    first = tiles[0]
    candidates: list[tuple[str, tuple[str, ...]]] = [("pung", (first,) * 3)]
    if number(first):
        candidates.append(("chow", tuple(f"{number(first) + step}{suit(first)}" for step in range(3))))
    for form, set_tiles in candidates:
        rest = list(tiles)
        try:
            for tile in set_tiles:
                rest.remove(tile)
        except ValueError:
            continue
        for other_sets in _sets(rest, many - 1):
            yield [Set(form, set_tiles), *other_sets]


def standard_readings(tiles: list[str]) -> list[list[Set]]:
    return list(complete_readings(tiles, (len(tiles) - 2) // 3))


def knitted_readings(tiles: list[str]) -> list[list[Set]]:
    """A knitted straight with what is left as sets and a pair."""
    readings = []
    for straight in KNITTED:
        if straight <= set(tiles):
            rest = list((Counter(tiles) - Counter(straight)).elements())
            readings += [
                [Set("knitted", tuple(sorted(straight))), *reading]
                for reading in complete_readings(rest, (len(rest) - 2) // 3)
            ]
    return readings


def is_seven_pairs(tiles: list[str]) -> bool:
    return len(tiles) == 14 and all(count % 2 == 0 for count in Counter(tiles).values())


def is_thirteen_orphans(tiles: list[str]) -> bool:
    return len(tiles) == 14 and set(tiles) == {tile for tile in ALL_TILES if is_end(tile)}


def is_honours_and_knitted(tiles: list[str]) -> bool:
    suited = {tile for tile in tiles if number(tile)}
    return len(tiles) == len(set(tiles)) == 14 and any(suited <= straight for straight in KNITTED)


@cache
def completes_sets(concealed: tuple[str, ...]) -> bool:
    """Whether concealed tiles, in order, are sets and a pair."""
    return bool(standard_readings(list(concealed)))


@cache
def wins(concealed: tuple[str, ...]) -> bool:
    """Whether concealed tiles, in order, complete a hand of any shape."""
    tiles = list(concealed)
    special = is_seven_pairs(tiles) or is_thirteen_orphans(tiles) or is_honours_and_knitted(tiles)
    return bool(special or standard_readings(tiles) or knitted_readings(tiles))


def reference_score(hand: Hand, rulebook: Rulebook) -> int | None:
    """Points without flowers, None for no win."""
    tiles = list(hand.concealed)
    totals = [best_of(hand, rulebook, reading) for reading in standard_readings(tiles)]
    totals += [best_of(hand, rulebook, reading) for reading in knitted_readings(tiles)]
    if is_seven_pairs(tiles):
        totals.append(total(seven_pairs_fans(hand, rulebook), rulebook))
    if is_thirteen_orphans(tiles):
        totals.append(total([*circumstances(hand, rulebook), Fan.THIRTEEN_ORPHANS, Fan.ALL_TYPES], rulebook))
    if is_honours_and_knitted(tiles):
        totals.append(total(knitted_tiles_fans(hand, rulebook), rulebook))
    return (max(totals) or rulebook.points[Fan.CHICKEN_HAND]) if totals else None


def total(fans: list[Fan], rulebook: Rulebook) -> int:
    """Principle 1: from the highest-scoring fan down, a fan that counts takes away what it bars."""
    remaining = Counter(fan for fan in fans if fan in rulebook.points)
    points = 0
    for fan in sorted(remaining, key=lambda f: (-rulebook.points[f], -f.number)):
        if remaining[fan] > 0:
            points += remaining[fan] * rulebook.points[fan]
            for exclusion in rulebook.exclusions:
                if exclusion.fan is fan:
                    remaining[exclusion.bars] -= exclusion.at_most or remaining[exclusion.bars]
    return points


def best_of(hand: Hand, rulebook: Rulebook, reading: list[Set]) -> int:
    """The highest total of a reading of the concealed tiles."""
    melded = [Set(m.type, m.tiles, not m.concealed) for m in hand.melds]
    groups = (*reading, *melded)
    related = relations(groups)
    choices = [chosen for many in range(4) for chosen in combinations(related, many) if allowed(list(chosen))]
    best = 0
    for place, group in enumerate(reading):
        if hand.winning_tile in group.tiles:
            fixed = fixed_fans(hand, rulebook, groups, place)
            totals = (total([*fixed, *(fan for fan, _ in chosen)], rulebook) for chosen in choices)
            best = max(best, *totals)
    return best


def allowed(chosen: Claims) -> bool:
    """Principles 3 and 5, tried in every order of combining."""
    for first, second in combinations(chosen, 2):
        if first[0] is second[0] and first[1] & second[1]:
            return False
    return any(map(_combines, permutations(chosen))) if chosen else True


def _combines(order: tuple[tuple[Fan, frozenset[int]], ...]) -> bool:
    used: frozenset[int] = frozenset()
    for _, sets in order:
        if len(sets & used) > 1:
            return False
        used |= sets
    return True


def relations(groups: Reading) -> Claims:
    """Every fan that relates two to four sets of suit tiles."""
    pair = next(group.tiles[0] for group in groups if group.form == "pair")
    chows = {i: g.tiles[0] for i, g in enumerate(groups) if g.form == "chow"}
    pungs = {i: g.tiles[0] for i, g in enumerate(groups) if g.form in ("pung", "kong") and number(g.tiles[0])}
    claims: Claims = []
    for sets, definitions in ((chows, CHOW_FANS), (pungs, PUNG_FANS)):
        for fan, (many, holds) in definitions.items():
            for places in combinations(sets, many):
                suits = [suit(sets[place]) for place in places]
                numbers = [number(sets[place]) for place in places]
                if holds(suits, numbers, pair):
                    claims.append((fan, frozenset(places)))
    return claims


Holds = Callable[[list[str], list[int], str], bool]


def steps(numbers: list[int]) -> list[int]:
    ordered = sorted(numbers)
    return [after - before for before, after in pairwise(ordered)]


def one_suit(*allowed_steps: list[int]) -> Holds:
    return lambda suits, numbers, pair: len(set(suits)) == 1 and steps(numbers) in allowed_steps


def each_suit(*allowed_steps: list[int]) -> Holds:
    return lambda suits, numbers, pair: len(set(suits)) == len(suits) and steps(numbers) in allowed_steps


def pure_terminal(suits: list[str], numbers: list[int], pair: str) -> bool:
    return sorted(numbers) == [1, 1, 7, 7] and {*suits, suit(pair)} == {suits[0]} and number(pair) == 5


def three_suited_terminal(suits: list[str], numbers: list[int], pair: str) -> bool:
    chows = set(zip(suits, numbers, strict=True))
    return (
        len(chows) == 4
        and len(set(suits)) == 2
        and set(numbers) == {1, 7}
        and number(pair) == 5
        and suit(pair) not in suits
    )


CHOW_FANS: dict[Fan, tuple[int, Holds]] = {
    Fan.PURE_DOUBLE_CHOW: (2, one_suit([0])),
    Fan.MIXED_DOUBLE_CHOW: (2, each_suit([0])),
    Fan.SHORT_STRAIGHT: (2, one_suit([3])),
    Fan.TWO_TERMINAL_CHOWS: (2, one_suit([6])),
    Fan.MIXED_SHIFTED_CHOWS: (3, each_suit([1, 1])),
    Fan.MIXED_STRAIGHT: (3, each_suit([3, 3])),
    Fan.MIXED_TRIPLE_CHOW: (3, each_suit([0, 0])),
    Fan.PURE_STRAIGHT: (3, one_suit([3, 3])),
    Fan.PURE_SHIFTED_CHOWS: (3, one_suit([1, 1], [2, 2])),
    Fan.PURE_TRIPLE_CHOW: (3, one_suit([0, 0])),
    Fan.FOUR_SHIFTED_CHOWS: (4, one_suit([1, 1, 1], [2, 2, 2])),
    Fan.QUADRUPLE_CHOW: (4, one_suit([0, 0, 0])),
    Fan.PURE_TERMINAL_CHOWS: (4, pure_terminal),
    Fan.THREE_SUITED_TERMINAL_CHOWS: (4, three_suited_terminal),
}
PUNG_FANS: dict[Fan, tuple[int, Holds]] = {
    Fan.DOUBLE_PUNG: (2, each_suit([0])),
    Fan.MIXED_SHIFTED_PUNGS: (3, each_suit([1, 1])),
    Fan.TRIPLE_PUNG: (3, each_suit([0, 0])),
    Fan.PURE_SHIFTED_PUNGS: (3, one_suit([1, 1])),
    Fan.FOUR_PURE_SHIFTED_PUNGS: (4, one_suit([1, 1, 1])),
}


def fixed_fans(hand: Hand, rulebook: Rulebook, groups: Reading, place: int) -> list[Fan]:
    """Every other fan of a reading whose winning tile stands in group ``place``."""
    fans = [
        *circumstances(hand, rulebook),
        *honour_fans(hand, groups),
        *tile_fans(hand, rulebook),
        *set_fans(groups),
    ]
    concealed = sum(
        group.form in ("pung", "kong") and not group.melded and (hand.self_drawn or at != place)
        for at, group in enumerate(groups)
    )
    concealed_fans = {2: Fan.TWO_CONCEALED_PUNGS, 3: Fan.THREE_CONCEALED_PUNGS, 4: Fan.FOUR_CONCEALED_PUNGS}
    fans += [concealed_fans[concealed]] if concealed in concealed_fans else []
    fans += wait_fans(hand, rulebook, groups, place)
    if any(group.form == "knitted" for group in groups):
        fans.append(Fan.KNITTED_STRAIGHT)
    rest = list(hand.concealed)
    rest.remove(hand.winning_tile)
    if not hand.melds and "".join(sorted(rest)) in {
        "".join(f"{n}{s}" for n in (1, 1, *range(1, 10), 9, 9)) for s in SUITS
    }:
        fans.append(Fan.NINE_GATES)
    return fans


def wait_fans(hand: Hand, rulebook: Rulebook, groups: Reading, place: int) -> list[Fan]:
    group, tile = groups[place], hand.winning_tile
    if group.form == "pair":
        fan = Fan.SINGLE_WAIT
    elif group.form == "chow" and group.tiles[1] == tile:
        fan = Fan.CLOSED_WAIT
    elif group.form == "chow" and (number(tile), group.tiles.index(tile)) in ((3, 2), (7, 0)):
        fan = Fan.EDGE_WAIT
    else:
        return []
    knitted = [other for other in groups if other.form == "knitted"]
    rest = list(hand.concealed)
    for used in (tile, *(knitted[0].tiles if knitted else ())):
        rest.remove(used)
    counts = Counter([*hand.concealed, *(t for meld in hand.melds for t in meld.tiles)])
    other_tiles = [t for t in ALL_TILES if t != tile and (rulebook.held_out_waits or counts[t] < 4)]
    completes = completes_sets if knitted else wins
    return [] if any(completes(tuple(sorted([*rest, other]))) for other in other_tiles) else [fan]


def circumstances(hand: Hand, rulebook: Rulebook) -> list[Fan]:
    """Fans of how the hand was won, of what was claimed and of kongs, and Tile Hog."""
    claimed = [meld for meld in hand.melds if not meld.concealed]
    kongs = [meld for meld in hand.melds if meld.type == "kong"]
    fans = [Fan.SELF_DRAWN] if hand.self_drawn else []
    if hand.last_tile_of_wall:
        fans.append(Fan.LAST_TILE_DRAW if hand.self_drawn else Fan.LAST_TILE_CLAIM)
    fans += [Fan.LAST_TILE] if hand.last_of_kind else []
    fans += [Fan.OUT_WITH_REPLACEMENT_TILE] if hand.replacement else []
    fans += [Fan.ROBBING_THE_KONG] if hand.robbing_kong else []
    if not claimed:
        fans.append(Fan.FULLY_CONCEALED_HAND if hand.self_drawn else Fan.CONCEALED_HAND)
    if len(claimed) == 4 and not hand.self_drawn:
        fans.append(Fan.MELDED_HAND)
    fans += {
        (1, 0): [Fan.MELDED_KONG],
        (0, 1): [Fan.CONCEALED_KONG],
        (2, 0): [Fan.TWO_MELDED_KONGS, Fan.MELDED_KONG],
        (0, 2): [Fan.TWO_CONCEALED_KONGS, Fan.CONCEALED_KONG],
        (1, 1): [Fan.MELDED_KONG_AND_CONCEALED_KONG, Fan.MELDED_KONG, Fan.CONCEALED_KONG],
    }.get((sum(not k.concealed for k in kongs), sum(k.concealed for k in kongs)), [])
    fans += {3: [Fan.THREE_KONGS], 4: [Fan.FOUR_KONGS]}.get(len(kongs), [])
    counts = Counter(
        [*hand.concealed, *(t for meld in hand.melds if meld.type != "kong" for t in meld.tiles)]
    )
    return fans + [Fan.TILE_HOG] * sum(
        count == 4 and (rulebook.honour_hogs or number(tile) > 0) for tile, count in counts.items()
    )


def honour_fans(hand: Hand, groups: Reading) -> list[Fan]:
    """Fans of pungs of honours, and Pung of Terminals or Honors."""
    pungs = [group.tiles[0] for group in groups if group.form in ("pung", "kong")]
    pair = next(group.tiles[0] for group in groups if group.form == "pair")
    winds, dragons = [t for t in pungs if t in WINDS], [t for t in pungs if t in DRAGONS]
    fans = [Fan.DRAGON_PUNG] * len(dragons)
    fans += {2: [Fan.TWO_DRAGONS], 3: [Fan.BIG_THREE_DRAGONS]}.get(len(dragons), [])
    fans += [Fan.LITTLE_THREE_DRAGONS] if len(dragons) == 2 and pair in DRAGONS else []
    fans += {3: [Fan.BIG_THREE_WINDS], 4: [Fan.BIG_FOUR_WINDS]}.get(len(winds), [])
    fans += [Fan.LITTLE_FOUR_WINDS] if len(winds) == 3 and pair in WINDS else []
    fans += [Fan.PREVALENT_WIND] * (hand.prevalent_wind in winds) + [Fan.SEAT_WIND] * (
        hand.seat_wind in winds
    )
    plain_winds = (
        [t for t in winds if t not in (hand.prevalent_wind, hand.seat_wind)] if len(winds) < 3 else []
    )
    terminals = [t for t in pungs if number(t) in (1, 9)]
    return fans + [Fan.PUNG_OF_TERMINALS_OR_HONORS] * len(plain_winds + terminals)


def all_tiles(hand: Hand) -> list[str]:
    return [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)]


def tile_fans(hand: Hand, rulebook: Rulebook) -> list[Fan]:
    """Fans that say something of every tile."""
    tiles = all_tiles(hand)
    numbers, suits = {number(t) for t in tiles}, {suit(t) for t in tiles}
    voided = len(set(SUITS) - suits)
    fans = {
        Fan.ALL_GREEN: set(tiles) <= {"2s", "3s", "4s", "6s", "8s", "F"},
        Fan.REVERSIBLE_TILES: set(tiles) <= set(rulebook.reversible),
        Fan.ALL_HONORS: numbers == {0},
        Fan.ALL_TERMINALS: numbers <= {1, 9},
        Fan.ALL_TERMINALS_AND_HONORS: numbers <= {0, 1, 9},
        Fan.FULL_FLUSH: voided == 2 and 0 not in numbers,
        Fan.HALF_FLUSH: voided == 2 and 0 in numbers,
        Fan.UPPER_TILES: numbers <= {7, 8, 9},
        Fan.MIDDLE_TILES: numbers <= {4, 5, 6},
        Fan.LOWER_TILES: numbers <= {1, 2, 3},
        Fan.UPPER_FOUR: numbers <= {6, 7, 8, 9},
        Fan.LOWER_FOUR: numbers <= {1, 2, 3, 4},
        Fan.ALL_TYPES: suits == {*SUITS, "wind", "dragon"},
        Fan.ALL_SIMPLES: not numbers & {0, 1, 9},
        Fan.NO_HONORS: 0 not in numbers,
        Fan.ONE_VOIDED_SUIT: voided == 1,
    }
    return [fan for fan, holds in fans.items() if holds]


def set_fans(groups: Reading) -> list[Fan]:
    """Fans that say something of every set and the pair."""
    pair = next(group.tiles[0] for group in groups if group.form == "pair")
    sets = [group for group in groups if group.form != "pair"]
    pungs = all(group.form in ("pung", "kong") for group in sets)
    fans = {
        Fan.ALL_CHOWS: all(group.form in ("chow", "knitted") for group in sets) and number(pair) > 0,
        Fan.ALL_PUNGS: pungs,
        Fan.ALL_EVEN: pungs and all(number(t) in (2, 4, 6, 8) for group in groups for t in group.tiles),
        Fan.OUTSIDE_HAND: all(any(map(is_end, group.tiles)) for group in groups if group.form != "knitted")
        and all(group.form != "knitted" for group in groups),
        Fan.ALL_FIVES: all(any(number(t) == 5 for t in group.tiles) for group in groups)
        and all(group.form != "knitted" for group in groups),
    }
    return [fan for fan, holds in fans.items() if holds]


def seven_pairs_fans(hand: Hand, rulebook: Rulebook) -> list[Fan]:
    pairs = sorted(hand.concealed)[::2]
    shifted = (
        len({suit(t) for t in pairs}) == 1
        and steps([number(t) for t in pairs]) == [1] * 6
        and number(pairs[0]) > 0
    )
    special = [Fan.SEVEN_PAIRS] + [Fan.SHIFTED_SEVEN_PAIRS] * shifted
    return [*circumstances(hand, rulebook), *tile_fans(hand, rulebook), *special]


def knitted_tiles_fans(hand: Hand, rulebook: Rulebook) -> list[Fan]:
    tiles = set(hand.concealed)
    fans = [*circumstances(hand, rulebook), Fan.LESSER_HONORS_AND_KNITTED_TILES, Fan.ALL_TYPES]
    fans += [Fan.GREATER_HONORS_AND_KNITTED_TILES] * (tiles >= set(WINDS + DRAGONS))
    return fans + [Fan.KNITTED_STRAIGHT] * any(straight <= tiles for straight in KNITTED)
