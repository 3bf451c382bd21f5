"""The totals of a table kept on paper, as a transcript has them: without the penalties, which stand beside them."""

from __future__ import annotations

from typing import Any

from tournament.exchange.transcripts.records import Record
from tournament.play.engine.totals import MOST_TOTAL, BestHand, TotalsEntry
from tournament.play.models.totals import Totals


def totals_in(table: Record) -> TotalsEntry | None:
    """What is written of a table's totals; None for one played by hands."""
    if not table.has("totals"):
        return None
    said = table.record("totals", table.where)
    lines = list(said.records("figures", "figures"))
    best = said.record("best", said.where) if said.has("best") else None
    return TotalsEntry(
        points={line.whole("player"): line.whole("points", -MOST_TOTAL, MOST_TOTAL) for line in lines},
        wins=_counted(lines, "wins"),
        deal_ins=_counted(lines, "deal_ins"),
        hands=said.whole_if_given("hands"),
        best=BestHand(best.whole("player"), best.whole("points")) if best else None,
        sure=True,
    )


def _counted(lines: list[Record], name: str) -> dict[int, int | None] | None:
    """None where nobody counted."""
    found = {line.whole("player"): line.whole_if_given(name) for line in lines}
    return None if all(value is None for value in found.values()) else found


def totals_of(totals: Totals | None) -> dict[str, Any] | None:
    """The other way, for the totals that count."""
    if totals is None:
        return None
    wins, deal_ins = totals.wins or {}, totals.deal_ins or {}
    lines = [
        {"player": int(player), "points": points}
        | ({"wins": wins[player]} if player in wins else {})
        | ({"deal_ins": deal_ins[player]} if player in deal_ins else {})
        for player, points in totals.payments.items()
    ]
    more = {"hands": totals.hands, "best": totals.best}
    return {"figures": lines} | {name: value for name, value in more.items() if value is not None}
