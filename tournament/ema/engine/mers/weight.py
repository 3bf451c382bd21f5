"""What a tournament weighs in the ranking of the European Mahjong Association (MERS): MCR and riichi are weighed alike.

A sum of four parts: the days it lasts, how many play, from how many countries, and whether it is a championship that
one has to qualify for (mahjong-europe.org, "Basics for ranking system"; mahjong-portal, `calculation/ema.py`).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

MOST_DAYS: Final = 3
"""More days than these weigh no more."""
PLAYERS: Final = ((81, Fraction(1)), (41, Fraction(1, 2)))
"""From so many players on it weighs so much more, the highest step first."""
MOST_SUBSTITUTES: Final = 3
"""So many substitutes count among the players: "Substitute players (maximum 3) are accounted"."""
COUNTRIES: Final = ((10, Fraction(1)), (6, Fraction(1, 2)))
"""As the page stands; one of 2018 has the last step from 11 on."""
CHAMPIONSHIP: Final = Fraction(1)


@dataclass(frozen=True)
class Weight:
    """The weight by its parts."""

    days: Fraction
    players: Fraction
    countries: Fraction
    championship: Fraction

    @property
    def total(self) -> Fraction:
        return self.days + self.players + self.countries + self.championship


def weight(
    days: int, players: int, countries: int, *, substitutes: int = 0, is_championship: bool = False
) -> Weight:
    """
    >>> weight(2, 60, 8).total
    Fraction(3, 1)
    >>> weight(3, 140, 17, is_championship=True).total
    Fraction(6, 1)
    >>> weight(1, 39, 5, substitutes=1).total, weight(1, 39, 5, substitutes=2).total
    (Fraction(1, 1), Fraction(3, 2))
    """
    return Weight(
        Fraction(min(max(days, 1), MOST_DAYS)),
        _step(players + min(substitutes, MOST_SUBSTITUTES), PLAYERS),
        _step(countries, COUNTRIES),
        CHAMPIONSHIP if is_championship else Fraction(0),
    )


def _step(count: int, steps: tuple[tuple[int, Fraction], ...]) -> Fraction:
    return next((more for least, more in steps if count >= least), Fraction(0))
