"""The classical game: points for every player's hand, doubled, up to a limit, and who pays whom.

    >>> from scoring.classical import Winner, score_winner
    >>> from scoring.engine import parse
    >>> score_winner(Winner(parse("234m 567p 55p [678s] CC +C"))).points
    48

Pure Python, with the tiles of the engine of Mahjong Competition Rules. Invalid input raises `InvalidHand`, which
carries every `Problem` at once.
"""

from scoring.classical.hands import Loser, Winner
from scoring.classical.rules import (
    CLASSICAL,
    FLOWERS,
    ROWS,
    SEASONS,
    Flower,
    Line,
    Row,
    Rules,
    Sort,
    find_row,
)
from scoring.classical.score import Payment, Score, Settlement, score_loser, score_winner, settle

__all__ = [
    "CLASSICAL",
    "FLOWERS",
    "ROWS",
    "SEASONS",
    "Flower",
    "Line",
    "Loser",
    "Payment",
    "Row",
    "Rules",
    "Score",
    "Settlement",
    "Sort",
    "Winner",
    "find_row",
    "score_loser",
    "score_winner",
    "settle",
]
