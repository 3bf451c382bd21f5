"""The figures of a table's seats, as the hands and penalties of its sheet give them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from penalties.models import Penalty
from penalties.selectors import effects_at_table
from tournament.base.models.hands import Hand
from tournament.base.models.play import Table
from tournament.play.models.totals import Totals
from tournament.play.selectors.totals import standing_totals

FIGURES = ("game_points", "hands_won", "wins_by_discard", "deal_ins")
"""What a seat carries of its table."""


def figures_at(
    table: Table, hands: Sequence[Hand], penalties: Iterable[Penalty]
) -> dict[int, dict[str, int]]:
    """Player number → the figures of the seat: what the table's current `hands` and standing `penalties` come to.

    Where totals from paper stand they count, and hands written down beside them don't.
    """
    effects = effects_at_table(penalties)
    if (totals := standing_totals(table)) is not None:
        return _from_paper(table, totals, effects)
    found = {}
    for seat in table.seats.all():
        number = seat.player.number
        won = [hand for hand in hands if hand.winner_id == seat.player_id]
        paid = sum(hand.payments.get(str(number), 0) for hand in hands)
        by_discard = sum(hand.discarder_id is not None for hand in won)
        deal_ins = sum(hand.discarder_id == seat.player_id for hand in hands)
        figures = (paid + effects.get(number, 0), len(won), by_discard, deal_ins)
        found[number] = dict(zip(FIGURES, figures, strict=True))
    return found


def _from_paper(table: Table, totals: Totals, effects: dict[int, int]) -> dict[int, dict[str, int]]:
    """Penalties given or taken back since the totals were typed move them. From whom a hand was won no total says."""
    found = {}
    for seat in table.seats.all():
        number = seat.player.number
        points = totals.payments.get(str(number), 0) + effects.get(number, 0)
        figures = (points, _count(totals.wins, number), 0, _count(totals.deal_ins, number))
        found[number] = dict(zip(FIGURES, figures, strict=True))
    return found


def _count(counted: dict[str, int] | None, number: int) -> int:
    return (counted or {}).get(str(number), 0)
