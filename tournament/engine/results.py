"""What standings are made of: who is ranked, and what happened at each table.

Penalty points are amounts to take off.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player to be ranked.

    ``withdrawn`` players keep their results and their place. ``ranked`` is False after loss of rank or
    disqualification: listed after everybody else, without a rank. Carried points are added to those of the results.
    A lower ``tier`` ranks before a higher one, whatever the points (see `finals.after_cuts`).
    """

    number: int
    withdrawn: bool = False
    ranked: bool = True
    carried_table_points: Fraction | int = 0
    carried_game_points: Fraction | int = 0
    tier: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat of a table: hand payments and the session's point penalties, summed in ``game_points``.

    ``table_point_penalty`` is taken off the table points after they are shared; the others gain nothing by
    it. A ``stand_in`` takes a place at the table but nobody is credited with it; nor with a session forfeited.
    """

    player: int
    game_points: int
    hands_won: int = 0
    wins_by_discard: int = 0
    deal_ins: int = 0
    table_point_penalty: Fraction | int = 0
    stand_in: bool = False


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table in one session; ``final`` is False while the result may still change."""

    session: int
    table: int
    seats: tuple[SeatResult, ...]
    final: bool = True


@dataclass(frozen=True, slots=True)
class PenaltyPoints:
    """A player's penalties of tournament scope: points to take off the totals (negative ones are added)."""

    game_points: int = 0
    table_points: Fraction | int = 0


@dataclass(frozen=True, slots=True)
class SessionScore:
    """What one session gave one player; ``place`` is at the table, 1 the best."""

    session: int
    table: int
    place: int
    table_points: Fraction
    game_points: int
    provisional: bool
