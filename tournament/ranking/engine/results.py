"""What standings are made of: who is ranked, and what happened at each table.

Penalty points are amounts to take off.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Carried:
    """What a player takes into a final after session ``after``, in place of the points had until then."""

    after: int
    table_points: Fraction
    game_points: int
    had_table_points: Fraction = Fraction(0)
    had_game_points: Fraction | int = 0


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player to be ranked.

    ``withdrawn`` players keep their results and their place. ``ranked`` is False after loss of rank or
    disqualification: listed after everybody else, without a rank. ``carried``: into finals, in their order.
    A lower ``tier`` ranks before a higher one, whatever the points (see `finals.after_cuts`).
    """

    number: int
    withdrawn: bool = False
    ranked: bool = True
    carried: tuple[Carried, ...] = ()
    tier: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat of a table: hand payments and the session's point penalties, summed in ``game_points``.

    ``table_point_penalty`` is taken off the table points after they are shared; the others gain nothing by
    it. A seat that is not ``placed`` takes no place: the others have the first ones. Where a stand-in's result is
    nobody's, ``owed`` is what the session counts for the absent player, who has no hands in it. A session ``forfeited``
    counts nothing for its player, and the others keep what they have.
    """

    player: int
    game_points: int
    hands_won: int = 0
    wins_by_discard: int = 0
    deal_ins: int = 0
    table_point_penalty: Fraction | int = 0
    placed: bool = True
    owed: int | None = None
    forfeited: bool = False

    @property
    def account(self) -> int:
        """The game points that the player is credited with."""
        return self.game_points if self.owed is None else self.owed


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
    """What one session gave one player; ``place`` is at the table, 1 the best, None for who has none there."""

    session: int
    table: int
    place: int | None
    table_points: Fraction
    game_points: int
    provisional: bool
