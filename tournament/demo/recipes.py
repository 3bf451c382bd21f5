"""What winning hands are made of: each recipe fixes the sets that earn its fans and leaves the rest to chance.

A recipe's sets are words: `C` a chow, `P` a pung, `D` the pair, `S` a chow or a pung; then the number, a digit or
`a b c d` for a number and its neighbours, or `?` for any; then the suit `x y z`, three different ones. `Pw` and `Pg`
are pungs of a wind and of a dragon. What is not fixed is filled in from the tiles and sets the recipe allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Recipe:
    """`weight`: how often, compared to the others; `special`: a hand that is not sets and a pair."""

    weight: float
    sets: str = ""
    suits: str = "xyz"
    numbers: str = "123456789"
    honours: bool = True
    kinds: str = "CP"
    tiles: tuple[str, ...] = ()
    """When given, nothing but these tiles."""
    special: str = ""


REVERSIBLE: Final = (
    *("1p", "2p", "3p", "4p", "5p", "8p", "9p"),
    *("2s", "4s", "5s", "6s", "8s", "9s", "P"),
)

RECIPES: Final = (
    Recipe(30, "Cax Cay Caz"),  # Mixed Triple Chow
    Recipe(28, "C1x C4y C7z"),  # Mixed Straight
    Recipe(26, "Cax Cby Ccz", honours=False, kinds="C"),  # Mixed Shifted Chows, All Chows
    Recipe(6, "Cax Cby Ccz"),
    Recipe(8, kinds="P"),  # All Pungs
    Recipe(4, "Pg", kinds="P"),
    Recipe(9, suits="x"),  # Half Flush
    Recipe(3, "Pg", suits="x"),
    Recipe(2.5, suits="x", honours=False),  # Full Flush
    Recipe(6, "S?x S?y S?z Pw Dg"),  # All Types
    Recipe(5, "S?x S?y S?z Pg Dw"),
    Recipe(4, "C1x C4x C7x"),  # Pure Straight
    Recipe(3, "Cax Cbx Ccx"),  # Pure Shifted Chows
    Recipe(4, "Pax Pby Pcz"),  # Mixed Shifted Pungs
    Recipe(3, "Pg Pg"),  # Two Dragons
    Recipe(3, "C1x C1y C1z C7x D9y"),  # Mixed Triple Chow and Outside Hand
    Recipe(2, "C7x C7y C7z Pw D1x"),
    Recipe(2, numbers="6789", honours=False),  # Upper Four
    Recipe(2, numbers="1234", honours=False),  # Lower Four
    Recipe(0.6, numbers="789", honours=False),  # Upper Tiles
    Recipe(0.6, numbers="456", honours=False),  # Middle Tiles
    Recipe(0.6, numbers="123", honours=False),  # Lower Tiles
    Recipe(1, tiles=REVERSIBLE),  # Reversible Tiles
    Recipe(0.8, "C3x C4y P5z C5x D5y"),  # All Fives
    Recipe(0.8, "C1x C7x C1y C7y D5z"),  # Three-Suited Terminal Chows
    Recipe(0.7, "Pax Pay Paz"),  # Triple Pung
    Recipe(0.7, "Cax Cax Cax"),  # Pure Triple Chow
    Recipe(0.6, "Pax Pbx Pcx"),  # Pure Shifted Pungs
    Recipe(0.6, "Pw Pw Pw"),  # Big Three Winds
    Recipe(0.4, "Cax Cbx Ccx Cdx"),  # Four Shifted Chows
    Recipe(0.4, numbers="19", kinds="P"),  # All Terminals and Honors
    Recipe(0.4, "Pg Pg Dg"),  # Little Three Dragons
    Recipe(0.15, "Pg Pg Pg"),  # Big Three Dragons
    Recipe(0.1, "Pw Pw Pw Dw"),  # Little Four Winds
    Recipe(3.5, special="seven pairs"),
    Recipe(2.5, special="knitted straight"),
    Recipe(2.5, special="knitted and honours"),
    Recipe(0.3, special="thirteen orphans"),
)
