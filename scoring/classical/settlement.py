"""Who pays whom after a hand of the classical game: everybody's score is paid, the winner's first (001:75)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from scoring.classical.rules import CLASSICAL, Rules
from scoring.engine.tiles import WINDS

EAST: Final = WINDS[0]


@dataclass(frozen=True, slots=True)
class Payment:
    """What one player pays another; players are their seat winds."""

    payer: str
    payee: str
    points: int
    """With East's factor, where it applies."""
    factor: int
    """What the difference was multiplied by, because one of the two is East."""

    def to_json(self) -> dict[str, object]:
        return {"payer": self.payer, "payee": self.payee, "points": self.points, "factor": self.factor}


@dataclass(frozen=True, slots=True)
class Settlement:
    """All payments of one hand: those to the winner, then those between losers."""

    payments: tuple[Payment, ...]

    @property
    def changes(self) -> dict[str, int]:
        """What each seat wind gains or, negative, pays; the four sum to zero."""
        changes = dict.fromkeys(WINDS, 0)
        for payment in self.payments:
            changes[payment.payer] -= payment.points
            changes[payment.payee] += payment.points
        return changes

    def to_json(self) -> dict[str, object]:
        return {"payments": [payment.to_json() for payment in self.payments], "changes": self.changes}


def settle(points: Mapping[str, int], winner: str, rules: Rules = CLASSICAL) -> Settlement:
    """The payments for the four scores by seat wind; ``ValueError`` when they are not four scores.

    The winner receives the score of the hand from each loser and pays nobody. Of two losers the one with less pays the
    difference.

    >>> settle({"E": 8, "S": 60, "W": 4, "N": 4}, winner="S").changes
    {'E': -104, 'S': 240, 'W': -68, 'N': -68}
    """
    if set(points) != set(WINDS) or min(points.values()) < 0 or winner not in points:
        raise ValueError(f"points {dict(points)} and winner {winner!r} must be of the four seat winds")
    to_winner = [_payment(seat, winner, points[winner], rules) for seat in WINDS if seat != winner]
    between = _between_losers(points, winner, rules) if rules.losers_settle else ()
    return Settlement(tuple(payment for payment in (*to_winner, *between) if payment.points))


def _between_losers(points: Mapping[str, int], winner: str, rules: Rules) -> Iterator[Payment]:
    for pair in combinations([seat for seat in WINDS if seat != winner], 2):
        payer, payee = sorted(pair, key=points.__getitem__)
        yield _payment(payer, payee, points[payee] - points[payer], rules)


def _payment(payer: str, payee: str, points: int, rules: Rules) -> Payment:
    factor = rules.east_factor if EAST in (payer, payee) else 1
    return Payment(payer, payee, factor * points, factor)
