"""Hands of the classical game as text, and as hypothesis draws them."""

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.classical import Flower, Line, Loser, Row, Score, Winner
from scoring.engine import TILES, WINDS, Hand, Meld, parse
from scoring.engine.notation import parse_record
from tests.scoring.strategies import records


def winner(text: str, **besides: Any) -> Winner:
    """The hand of a text (`scoring.engine.notation`), won with these circumstances."""
    return Winner(parse(text), **besides)


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
