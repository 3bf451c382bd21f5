"""What the classical game asks of a winner besides the hand of the competition rules, as plain data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.classical.flowers import Flower
from scoring.classical.hands import Winner
from scoring.engine.hand import Hand
from scoring.engine.problems import InvalidHand, Problem

WAYS: Final = ("standing", "original", "first_discard")
"""What there is to say of the way of winning."""
MOST_WINS: Final = 99
_BY_KEY: Final = {flower.key: flower for flower in Flower}


@dataclass(frozen=True, slots=True)
class Besides:
    """What a `Winner` has besides the hand."""

    flowers: tuple[Flower, ...] = ()
    ways: frozenset[str] = frozenset()
    """Of `WAYS`."""
    wins_in_a_row: int = 1

    def winner(self, hand: Hand) -> Winner:
        """`InvalidHand` with everything that cannot go together."""
        return Winner(
            hand,
            self.flowers,
            standing="standing" in self.ways,
            original="original" in self.ways,
            first_discard="first_discard" in self.ways,
            wins_in_a_row=self.wins_in_a_row,
        )

    def to_json(self) -> dict[str, Any]:
        named = [flower.key for flower in self.flowers]
        ways = {way: way in self.ways for way in WAYS}
        return {"named_flowers": named, **ways, "wins_in_a_row": self.wins_in_a_row}


def read_besides(record: Mapping[str, Any]) -> Besides:
    """What a record has of it; `InvalidHand` with everything that cannot be."""
    named, wins = record.get("named_flowers", []), record.get("wins_in_a_row", 1)
    problems = (*_of_flowers(named), *_of_ways(record), *_of_wins(wins))
    if problems:
        raise InvalidHand(problems)
    return Besides(
        tuple(_BY_KEY[key] for key in named), frozenset(way for way in WAYS if record.get(way)), wins
    )


def _of_flowers(named: object) -> Iterator[Problem]:
    if not isinstance(named, list | tuple):
        yield Problem("not_a_list", "named_flowers")
        return
    for key in named:
        if not isinstance(key, str) or key not in _BY_KEY:
            yield Problem("unknown_flower", "named_flowers", {"flower": str(key)[:20]})


def _of_ways(record: Mapping[str, Any]) -> Iterator[Problem]:
    for way in WAYS:
        if not isinstance(record.get(way, False), bool):
            yield Problem("not_yes_or_no", way)


def _of_wins(wins: object) -> Iterator[Problem]:
    if not isinstance(wins, int) or isinstance(wins, bool):
        yield Problem("not_a_number", "wins_in_a_row")
    elif not 1 <= wins <= MOST_WINS:
        yield Problem("wins_out_of_range", "wins_in_a_row", {"wins": wins, "most": MOST_WINS})
