"""The figures of a table's seats, as the hands and penalties of its sheet give them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from penalties.models import Penalty
from penalties.selectors import effects_at_table
from tournament.models import Hand, Table

FIGURES = ("game_points", "hands_won", "wins_by_discard", "deal_ins")
"""What a seat carries of its table."""


def figures_at(
    table: Table, hands: Sequence[Hand], penalties: Iterable[Penalty]
) -> dict[int, dict[str, int]]:
    """Player number → the figures of the seat: what the table's current `hands` and standing `penalties` come to."""
    effects = effects_at_table(penalties)
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
