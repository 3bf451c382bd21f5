"""Who is East and which wind the round has, hand after hand (001:77–78)."""

from dataclasses import dataclass, replace
from typing import Final

from scoring.engine.tiles import WINDS

PLACES: Final = range(4)
"""The players as they sit; the first is East to begin with, and play passes to the next."""
ROUNDS: Final = len(WINDS)


@dataclass(frozen=True, slots=True)
class Turn:
    """What a hand begins with.

    >>> Turn().after(0).dealer, Turn().after(2).dealer, Turn().after(None).dealer
    (0, 1, 0)
    """

    passed: int = 0
    """How often East has been lost."""
    last: int | None = None
    """Who won last."""
    wins: int = 0
    """How many in a row."""

    @property
    def dealer(self) -> int:
        """The place that is East."""
        return self.passed % len(PLACES)

    @property
    def prevalent(self) -> str:
        """The wind of the round: the next one once everybody has held and lost East again."""
        return WINDS[min(self.passed // len(PLACES), ROUNDS - 1)]

    @property
    def is_over(self) -> bool:
        """Whether everybody has lost East in the round of North, the last (001:78)."""
        return self.passed >= len(PLACES) * ROUNDS

    def wind(self, place: int) -> str:
        """The seat wind of a place."""
        return WINDS[(place - self.dealer) % len(PLACES)]

    def wins_of(self, winner: int) -> int:
        """The wins in a row that this place would have with one more."""
        return self.wins + 1 if winner == self.last else 1

    def after(self, winner: int | None) -> "Turn":
        """The turn that follows: East stays who wins, and after a wash-out; else East passes on (001:73, 78).

        A wash-out is not scored and played anew, so it ends no row of wins.
        """
        if winner is None:
            return self
        passed = self.passed if winner == self.dealer else self.passed + 1
        return replace(self, passed=passed, last=winner, wins=self.wins_of(winner))
