"""What somebody typed of a sheet on paper, complete and checked, before it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils import timezone

from penalties.selectors import effects_at_table, standing_at
from scoring.engine.problems import Problem
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.play.engine.totals import TotalsEntry, faults
from tournament.play.models.totals import Totals
from tournament.play.selectors.totals import unpaid_by


def reading(
    table: Table, actor: Actor, entry: TotalsEntry, uuid: UUID, found: tuple[Problem, ...] = ()
) -> tuple[Totals, dict[str, Any]]:
    """What was typed as a row not yet kept, complete and checked; and what the log has of it."""
    seated = [seat.player.number for seat in table.seats.all()]
    effects = effects_at_table(standing_at(table))
    unpaid = unpaid_by(effects.values())
    if problems := (*faults(entry, seated, unpaid), *found):
        raise Refused(problems)
    points = entry.filled(seated, unpaid)
    totals = Totals(
        table=table,
        uuid=uuid,
        points=_by_text(points),
        payments=_by_text({player: value - effects.get(player, 0) for player, value in points.items()}),
        wins=None if entry.wins is None else _by_text(entry.wins),
        deal_ins=None if entry.deal_ins is None else _by_text(entry.deal_ins),
        hands=entry.hands,
        best=None if entry.best is None else {"player": entry.best.player, "points": entry.best.points},
        recorded_by=actor.user,
        recorded_at=timezone.now(),
    )
    return totals, {
        "uuid": str(uuid),
        "points": totals.points,
        "included": {str(player): effect for player, effect in effects.items() if effect},
    } | {name: getattr(totals, name) for name in ("wins", "deal_ins", "best") if getattr(totals, name)} | (
        {"of_hands": totals.hands} if totals.hands else {}
    )


def _by_text(figures: Mapping[int, Any]) -> dict[str, Any]:
    return {str(player): value for player, value in figures.items()}
