"""What a hand of the classical game is worth, line by line."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from scoring.classical.bonuses import bonuses
from scoring.classical.doubles import doubles_of_flowers, doubles_of_sets, doubles_of_winner
from scoring.classical.hands import Loser, Winner
from scoring.classical.limits import limit_hands
from scoring.classical.line import Line
from scoring.classical.points import points_of_flowers, points_of_pairs, points_of_sets
from scoring.classical.readings import reading_of_loser, readings
from scoring.classical.rows import Row, Sort
from scoring.classical.rules import CLASSICAL, Rules
from scoring.engine.reading import Reading

_ADDS = (Sort.POINTS, Sort.BONUS)
_MULTIPLIES = (Sort.DOUBLES, Sort.WINNER_DOUBLES)


@dataclass(frozen=True, slots=True)
class Score:
    """The worth of a hand in one reading: points are added, multiplied and held to the limit."""

    rules: Rules
    reading: Reading | None
    """None when the tiles of a winner are no winning hand."""
    lines: tuple[Line, ...] = ()
    """Everything that counts: points, bonuses, what multiplies them, limit hands. Beside a limit hand the other lines
    say what it would have come to.
    """
    has_limit: bool = True
    """Whether the score is held to the limit."""

    @property
    def win(self) -> bool:
        """Whether a winner's tiles are a winning hand; True for every loser."""
        return self.reading is not None

    @property
    def added(self) -> int:
        """Points and bonuses, before anything is doubled (001:109)."""
        return sum(line.value for line in self.of_sort(*_ADDS))

    @property
    def factor(self) -> int:
        """What they are multiplied by."""
        return prod(line.value for line in self.of_sort(*_MULTIPLIES))

    @property
    def in_full(self) -> int:
        """What the hand comes to without a limit."""
        return self.added * self.factor

    @property
    def points(self) -> int:
        """What the hand scores: the limit for a limit hand, and never more than it (001:110, 000:1405)."""
        if not self.win or self.of_sort(Sort.DEAD):
            return 0
        if self.of_sort(Sort.LIMIT):
            return self.rules.limit
        return min(self.in_full, self.rules.limit) if self.has_limit else self.in_full

    def of_sort(self, *sorts: Sort) -> tuple[Line, ...]:
        """The lines of some sorts."""
        return tuple(line for line in self.lines if line.row.sort in sorts)

    def to_json(self) -> dict[str, object]:
        """The score as plain data, in codes; a line's "groups" are places in the reading's."""
        return {
            "rules": self.rules.key,
            "win": self.win,
            "points": self.points,
            "added": self.added,
            "factor": self.factor,
            "in_full": self.in_full,
            "limit": self.rules.limit,
            "lines": [line.to_json() for line in self.lines],
            "reading": self.reading.to_json() if self.reading else None,
        }


def score_winner(winner: Winner, rules: Rules = CLASSICAL) -> Score:
    """The score of the hand that won in its best reading; ``win`` is False when its tiles are no winning hand."""
    found = [_score_reading(winner, reading, rules) for reading in readings(winner.hand)]
    return max(found, key=lambda score: (score.points, score.in_full), default=Score(rules, None))


def _score_reading(winner: Winner, reading: Reading, rules: Rules) -> Score:
    hand = winner.hand
    winds = hand.seat_wind, hand.prevalent_wind
    scored = [
        *points_of_sets(reading),
        *points_of_pairs(reading, winds, rules),
        *points_of_flowers(winner.flowers),
    ]
    lines = [
        *scored,
        *bonuses(winner, reading, scored, rules),
        *doubles_of_sets(reading, winds, rules),
        *doubles_of_flowers(winner.flowers, hand.seat_wind, rules),
        *doubles_of_winner(winner, reading),
        *limit_hands(winner, reading, rules),
    ]
    return Score(rules, reading, _played(lines, rules))


def score_loser(loser: Loser, rules: Rules = CLASSICAL) -> Score:
    """The score of another player's hand: sets, pair, flowers and what doubles for everybody (001:92–93).

    A hand with too many tiles scores nothing (001:75).
    """
    reading, winds = reading_of_loser(loser), (loser.seat_wind, loser.prevalent_wind)
    lines = [
        *points_of_sets(reading),
        *points_of_pairs(reading, winds, rules),
        *points_of_flowers(loser.flowers),
        *doubles_of_sets(reading, winds, rules),
        *doubles_of_flowers(loser.flowers, loser.seat_wind, rules),
        *([Line(Row.TOO_MANY_TILES, 0)] if loser.has_too_many else []),
    ]
    return Score(rules, reading, _played(lines, rules), rules.losers_have_limit)


def _played(lines: Iterable[Line], rules: Rules) -> tuple[Line, ...]:
    return tuple(line for line in lines if line.row not in rules.without)
