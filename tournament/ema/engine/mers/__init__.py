"""The ranking of the European Mahjong Association (MERS): what a tournament weighs, what a place in it is worth, what a
player's results come to, and how seats are shared among countries by it. Exact: whole numbers and fractions."""

from tournament.ema.engine.mers.quotas import Nation, Quota, quotas
from tournament.ema.engine.mers.score import LEAST_RESULTS, Part, Result, Score, age_factor, base, score
from tournament.ema.engine.mers.weight import MOST_DAYS, MOST_SUBSTITUTES, Weight, weight

__all__ = [
    "LEAST_RESULTS",
    "MOST_DAYS",
    "MOST_SUBSTITUTES",
    "Nation",
    "Part",
    "Quota",
    "Result",
    "Score",
    "Weight",
    "age_factor",
    "base",
    "quotas",
    "score",
    "weight",
]
