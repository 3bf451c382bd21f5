"""The settings of classical scoring: what the source leaves open, each with the reason for its default.

The tables are `scoring.classical.rows`. A house rule is a `dataclasses.replace`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from scoring.classical.rows import Row

CLAUSES: Final[Mapping[str, str]] = {
    "limit": "001:110 names no figure; 000:1405: typically 500 points",
    "losers_have_limit": "000:1405: the most that any player can score for a hand",
    "east_factor": "001 is silent; 000:1095: in rules based on the classical game East receives and pays double",
    "losers_settle": "001:75: the others' scores are paid, one's own deducted",
    "both_winds_of_pair": "001:89-90: a line each, and neither excludes the other",
    "both_winds_of_pung": "001:94-95: a line each, and neither excludes the other",
    "own_flower_in_four": "001:97-98: a line each, and neither excludes the other",
    "flowers_are_value": "001:106 says in hand; flowers are laid out and replaced",
    "concealed_pungs_drawn": "001:117 is silent; 000:1306: in the classical rules self-drawn, concealed kongs allowed",
    "nine_tiles_called": "001:29 by its name; 000:1494: classically any tile of the suit completes it",
    "every_pair_of_losers": "001:87, 92: the pair is one, and scores for losers alike",
    "without": "001:110: limit hands score the limit irrespective of their value, so they go before the doubling",
}
"""Setting to what decides it; `/rules/decisions/` gives the reasons at length."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a club evening; the defaults are the source's, completed by the glossary of 000."""

    key: str = "classical"
    limit: int = 500
    """The most points a hand can score; payments may come to more."""
    losers_have_limit: bool = True
    """Whether the limit holds for losers' hands too."""
    east_factor: int = 2
    """What a payment by or to East is multiplied by."""
    losers_settle: bool = True
    """Whether losers pay each other the difference of their scores."""
    both_winds_of_pair: bool = True
    """Whether a pair of the own wind that is the round's too scores as both."""
    both_winds_of_pung: bool = True
    """Whether a pung of the own wind that is the round's too doubles as both."""
    own_flower_in_four: bool = True
    """Whether one's own season doubles beside Four Seasons, and the flower beside Four Flowers."""
    flowers_are_value: bool = False
    """Whether a season or flower spoils the bonus for a hand without scoring value."""
    concealed_pungs_drawn: bool = True
    """Whether limit hand G asks for a self-drawn winning tile."""
    nine_tiles_called: bool = True
    """Whether limit hand I must have waited for all nine tiles; otherwise its fourteen tiles suffice."""
    every_pair_of_losers: bool = False
    """Whether each pair a loser holds scores; otherwise the dearest, as if it were that of the hand."""
    without: frozenset[Row] = frozenset()
    """Rows that are not played. All Winds and Dragons and the Original Hand are in two rows: the limit hand left out
    here, the ×8 remains.
    """
    clauses: Mapping[str, str] = field(default_factory=lambda: CLAUSES, hash=False, compare=False)
    """Setting to the clause that decides it."""

    def __post_init__(self) -> None:
        if self.limit < 1 or self.east_factor < 1:
            raise ValueError(f"limit {self.limit} and factor {self.east_factor} must be positive")


CLASSICAL: Final = Rules()
