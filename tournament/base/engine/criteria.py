"""What ranks players: one object a criterion, put in order by the rulebook (RULES §8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final


@dataclass(frozen=True, slots=True)
class Totals:
    """What a player's results add up to. Points are after penalties; ``best_session`` is in game points."""

    table_points: Fraction = Fraction(0)
    game_points: Fraction | int = 0
    best_session: int = 0
    hands_won: int = 0
    wins_by_discard: int = 0
    deal_ins: int = 0


@dataclass(frozen=True, slots=True)
class Criterion:
    """One way to rank: ``value`` of a player's totals, the larger the better."""

    key: str
    name: str
    value: Callable[[Totals], Fraction | int]


_ALL: Final = (
    Criterion("table_points", "Table points", lambda totals: totals.table_points),
    Criterion("game_points", "Game points", lambda totals: totals.game_points),
    Criterion("best_session", "Best session", lambda totals: totals.best_session),
    Criterion("hands_won", "Hands won", lambda totals: totals.hands_won),
    Criterion("wins_by_discard", "Wins by discard", lambda totals: totals.wins_by_discard),
    Criterion("deal_ins", "Fewest deal-ins", lambda totals: -totals.deal_ins),
)

CRITERIA: Final[Mapping[str, Criterion]] = {criterion.key: criterion for criterion in _ALL}

DEFAULT_ORDER: Final = ("table_points", "game_points")

SHARED_PLACE: Final = "shared_place"
"""Written last in an order of criteria: whoever is still equal shares the place. Understood when not
written.
"""


def find_criteria(keys: Iterable[str]) -> tuple[Criterion, ...]:
    """The criteria of an order of keys; whatever follows ``shared_place`` can decide nothing and is refused.

    Raises KeyError for an unknown key, ValueError for no key, one that comes twice or after ``shared_place``.
    """
    order = list(keys)
    if len(set(order)) != len(order):
        raise ValueError(f"a criterion comes twice: {', '.join(order)}")
    if SHARED_PLACE in order and order.pop() != SHARED_PLACE:
        raise ValueError(f"{SHARED_PLACE} must come last")
    if not order:
        raise ValueError("nothing to rank by")
    return tuple(CRITERIA[key] for key in order)
