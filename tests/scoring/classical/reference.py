"""The best reading of a winner's hand found the slow way: every tile tried in every set, nothing of the engine's."""

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.classical import Flower, Line, Loser, Row, Score, Winner
from scoring.engine import TILES, WINDS, Hand, Meld, parse
from scoring.engine.notation import parse_record
from tests.scoring.strategies import records

Sets = list[tuple[str, ...]]


def splits(tiles: list[str], paired: bool = False) -> Iterator[Sets]:
    """Every way to use up tiles as chows, pungs and one pair."""
    if not tiles:
        yield []
        return
    first, rest = tiles[0], tiles[1:]
    candidates: list[tuple[tuple[str, ...], bool]] = [((first,) * 3, paired), *_chow(first, paired)]
    candidates += [] if paired else [((first,) * 2, True)]
    for group, has_pair in candidates:
        remaining = list(rest)
        if all(remaining.count(tile) >= group[1:].count(tile) for tile in group[1:]):
            for tile in group[1:]:
                remaining.remove(tile)
            yield from ([group, *other_groups] for other_groups in splits(remaining, has_pair))


def _chow(first: str, paired: bool) -> list[tuple[tuple[str, ...], bool]]:
    number = int(first[0]) if len(first) == 2 else 9
    return [] if number > 7 else [(tuple(f"{number + step}{first[1]}" for step in range(3)), paired)]


def points_by_rulebook(hand: Hand) -> Iterator[tuple[int, int, bool]]:
    """What sets and pair add, what sets multiply by, and whether there is a chow: for every reading."""
    melded = [(meld.tiles, meld.concealed) for meld in hand.melds]
    for groups in splits(sorted(hand.concealed)):
        if sum(len(group) == 2 for group in groups) == 1:
            for at, group in enumerate(groups):
                if hand.winning_tile in group:
                    concealed_sets = [
                        (tiles, hand.self_drawn or place != at) for place, tiles in enumerate(groups)
                    ]
                    yield _set_points([*melded, *concealed_sets], hand)


def _set_points(sets: list[tuple[tuple[str, ...], bool]], hand: Hand) -> tuple[int, int, bool]:
    winds = [hand.seat_wind, hand.prevalent_wind]
    added, factor, chows = 0, 1, False
    for tiles, concealed in sets:
        tile, size = tiles[0], len(tiles)
        dear = winds.count(tile) + (tile in "CFP")
        if size == 2:
            added += 2 * dear
        elif len(set(tiles)) > 1:
            chows = True
        else:
            major = len(tile) == 1 or tile[0] in "19"
            added += 2 * (2 if major else 1) * (2 if concealed else 1) * (4 if size == 4 else 1)
            factor *= 2**dear
    return added, factor, chows


def winner(text: str, **extras: Any) -> Winner:
    """The hand of a text (`scoring.engine.notation`), won with these circumstances."""
    return Winner(parse(text), **extras)


def circumstances(field: str) -> dict[str, Any]:
    """How a hand was won besides, in a data file: JSON, or - for nothing."""
    return {} if field == "-" else dict(json.loads(field))


def loser(text: str, *flowers: Flower) -> Loser:
    """The hand of a text without a winning tile."""
    record: dict[str, Any] = parse_record(text, partial=True)
    melds = tuple(Meld(meld["type"], tuple(meld["tiles"]), meld["concealed"]) for meld in record["melds"])
    concealed = tuple(record["concealed"])
    return Loser(concealed, melds, record["seat_wind"], record["prevalent_wind"], flowers)


def lines(score: Score, *rows: Row) -> list[Line]:
    """The lines of some rows."""
    return [line for line in score.lines if line.row in rows]


def counted(score: Score) -> set[str]:
    """The keys of everything that counts."""
    return {line.row.key for line in score.lines}


FLOWERS = st.lists(st.sampled_from(Flower), unique=True, max_size=8).map(tuple)


@st.composite
def winners(draw: st.DrawFn) -> Winner:
    """Winning hands and hands that win only elsewhere, in possible circumstances."""
    hand = Hand.from_json(draw(records()) | {"flowers": 0})
    won = Winner(hand, draw(FLOWERS), wins_in_a_row=draw(st.sampled_from((1, 2, 13))))
    return replace(won, standing=draw(st.booleans()))


@st.composite
def losers(draw: st.DrawFn) -> Loser:
    """Thirteen tiles, up to four sets of them melded."""
    random = Random(draw(st.integers(0, 2**32)))
    wall = [tile for tile in TILES for _ in range(4)]
    kinds = random.sample(TILES, random.randint(0, 4))
    melds = tuple(_meld(random, tile) for tile in kinds)
    for tile in (tile for meld in melds for tile in meld.tiles):
        wall.remove(tile)
    # From the honours' end of the wall too, so that there is something to score.
    pool = wall if random.random() < 0.5 else wall[-40:]
    concealed = tuple(random.sample(pool, 13 - 3 * len(melds)))
    return Loser(concealed, melds, draw(st.sampled_from(WINDS)), draw(st.sampled_from(WINDS)), draw(FLOWERS))


def _meld(random: Random, tile: str) -> Meld:
    if random.random() < 0.5:
        return Meld("pung", (tile,) * 3)
    return Meld("kong", (tile,) * 4, concealed=random.random() < 0.5)
